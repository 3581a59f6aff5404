//! Hidden states: the six labels, and *mixed* states for inner nodes whose text is of several types.

use serde::{Deserialize, Serialize};

use crate::label::Label;
use crate::view::{PageView, Tree};

/// Which hidden states the nodes of a tree may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateSpace {
    /// The six labels; an inner node has that of most of its tokens. The thesis's states.
    Labels,
    /// The six labels, and for inner nodes two more: `mixed-main`, text of several labels with full text among
    /// them, and `mixed`, without. An inner node has a label where at least [`PURE_SHARE`] of its tokens have it.
    LabelsAndMixed,
}

/// The share of tokens of one label from which on an inner node is of that label and not mixed.
pub const PURE_SHARE: f64 = 0.95;

const MIXED_MAIN: usize = Label::COUNT;
const MIXED: usize = Label::COUNT + 1;

impl StateSpace {
    /// The number of states, K.
    pub fn len(self) -> usize {
        match self {
            StateSpace::Labels => Label::COUNT,
            StateSpace::LabelsAndMixed => Label::COUNT + 2,
        }
    }

    /// Never: there are six states at least.
    pub fn is_empty(self) -> bool {
        false
    }

    /// The name of a state.
    pub fn name(self, state: usize) -> &'static str {
        match state {
            MIXED_MAIN => "mixed-main",
            MIXED => "mixed",
            _ => Label::ALL[state].name(),
        }
    }

    /// How many states a node may have: the mixed ones, which are the last, are for inner nodes only.
    pub fn permitted(self, is_leaf: bool) -> usize {
        if is_leaf { Label::COUNT } else { self.len() }
    }

    /// The state of a node with `tokens` of each label. A node without tokens is not content; of labels with
    /// equally many tokens, the first in the order of their numbers counts.
    fn of_tokens(self, tokens: &[u64; Label::COUNT], is_leaf: bool) -> u8 {
        let total: u64 = tokens.iter().sum();
        let most = (0..Label::COUNT).rev().max_by_key(|&label| tokens[label]).unwrap_or(0);
        let is_pure = tokens[most] as f64 >= PURE_SHARE * total as f64;
        let state = match self {
            StateSpace::LabelsAndMixed if !is_leaf && !is_pure => {
                if tokens[Label::FullText.index()] > 0 {
                    MIXED_MAIN
                } else {
                    MIXED
                }
            }
            _ => most,
        };
        state as u8
    }
}

/// The known states of a page's nodes: what a model is trained on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetStates {
    states: Vec<u8>,
}

impl TargetStates {
    /// The states of all nodes of a view, from the number of tokens of each label in each text node.
    ///
    /// `tokens` is asked for each of [`PageView::texts`].
    pub fn from_tokens(
        view: &PageView,
        space: StateSpace,
        tokens: impl Fn(crate::index::NodeId) -> [u32; Label::COUNT],
    ) -> Self {
        let mut sums = vec![[0u64; Label::COUNT]];
        for &id in &view.texts {
            let mut sum = sums[sums.len() - 1];
            for (total, count) in sum.iter_mut().zip(tokens(id)) {
                *total += u64::from(count);
            }
            sums.push(sum);
        }
        let states = view
            .nodes
            .iter()
            .enumerate()
            .map(|(v, node)| {
                let (start, end) = (&sums[node.texts.start as usize], &sums[node.texts.end as usize]);
                let tokens = std::array::from_fn(|label| end[label] - start[label]);
                space.of_tokens(&tokens, view.tree.is_leaf(v as u32))
            })
            .collect();
        TargetStates { states }
    }

    /// Given states, one for each node of `tree`.
    ///
    /// # Panics
    /// If their number differs from the tree's, or a state is not permitted at its node.
    pub fn new(tree: &Tree, space: StateSpace, states: Vec<u8>) -> Self {
        assert_eq!(states.len(), tree.len(), "one state for each node");
        for (v, &state) in states.iter().enumerate() {
            assert!((state as usize) < space.permitted(tree.is_leaf(v as u32)), "state {state} at node {v}");
        }
        TargetStates { states }
    }

    /// The state of each node.
    pub fn as_slice(&self) -> &[u8] {
        &self.states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_with_text_of_several_types_is_mixed_only_inside_the_tree() {
        let space = StateSpace::LabelsAndMixed;
        let tokens = [50, 0, 50, 0, 0, 0];
        assert_eq!(space.name(space.of_tokens(&tokens, false) as usize), "mixed-main");
        assert_eq!(space.name(space.of_tokens(&tokens, true) as usize), "not-content");
        assert_eq!(space.name(space.of_tokens(&[50, 0, 0, 50, 0, 0], false) as usize), "mixed");
        assert_eq!(space.name(space.of_tokens(&[4, 0, 96, 0, 0, 0], false) as usize), "full-text");
        assert_eq!(space.name(space.of_tokens(&[0; 6], false) as usize), "not-content");
        assert_eq!(StateSpace::Labels.of_tokens(&tokens, false), 0);
    }
}
