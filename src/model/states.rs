//! Hidden states: the six labels, and *mixed* states for inner nodes whose text is of several types.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
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

const MIXED_MAIN: usize = StateSpace::MIXED_MAIN;
const MIXED: usize = StateSpace::MIXED;

impl StateSpace {
    /// The state `mixed-main` of [`StateSpace::LabelsAndMixed`].
    pub(super) const MIXED_MAIN: usize = Label::COUNT;
    /// Its state `mixed`.
    pub(super) const MIXED: usize = Label::COUNT + 1;

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
    fn choose(self, tokens: &[u64; Label::COUNT], is_leaf: bool) -> u8 {
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
                space.choose(&tokens, view.tree.is_leaf(v as u32))
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

/// A set of states: what is known of a node whose state is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StateSet(u16);

impl StateSet {
    /// The first `n` states.
    pub fn first(n: usize) -> Self {
        assert!(n <= 16, "sets hold 16 states");
        StateSet(((1u32 << n) - 1) as u16)
    }

    /// The set of one state.
    pub fn only(state: usize) -> Self {
        assert!(state < 16, "sets hold 16 states");
        StateSet(1 << state)
    }

    /// The states of both.
    pub fn and(self, other: Self) -> Self {
        StateSet(self.0 & other.0)
    }

    /// The states of either.
    pub fn or(self, other: Self) -> Self {
        StateSet(self.0 | other.0)
    }

    /// Whether a state is in the set.
    pub fn contains(self, state: usize) -> bool {
        self.0 >> state & 1 == 1
    }

    /// The number of states in it.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it permits nothing.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its states, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..16).filter(move |&state| self.contains(state))
    }
}

/// The states that each node of a page may have: all for a page without labels, one for a labelled node, several
/// where a label says less than the state (text gold permits headline, full text and supplemental alike).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermittedStates {
    sets: Vec<StateSet>,
}

impl PermittedStates {
    /// Nothing is known: whatever the state space permits.
    pub fn all(tree: &Tree, space: StateSpace) -> Self {
        let leaf = StateSet::first(space.permitted(true));
        let inner = StateSet::first(space.permitted(false));
        let sets = (0..tree.len() as u32).map(|v| if tree.is_leaf(v) { leaf } else { inner }).collect();
        PermittedStates { sets }
    }

    /// Everything is known.
    pub fn from_states(states: &TargetStates) -> Self {
        PermittedStates { sets: states.states.iter().map(|&state| StateSet::only(state.into())).collect() }
    }

    /// The states that both `labels`, one set for each node, and the state space permit.
    ///
    /// # Errors
    /// [`Error::Usage`] if the number of sets is not that of the nodes, or nothing is permitted at a node.
    pub fn new(tree: &Tree, space: StateSpace, labels: &[StateSet]) -> Result<Self> {
        if labels.len() != tree.len() {
            return Err(Error::usage(
                format!("{} label sets for {} nodes", labels.len(), tree.len()),
                "give one set for each node of the model's view",
            ));
        }
        let mut permitted = Self::all(tree, space);
        for (v, (set, label)) in permitted.sets.iter_mut().zip(labels).enumerate() {
            let both = set.and(*label);
            if both.is_empty() {
                let names = |set: StateSet| match set.is_empty() {
                    true => "none".to_owned(),
                    false => set.iter().map(|state| space.name(state)).collect::<Vec<_>>().join(", "),
                };
                return Err(Error::usage(
                    format!("the label of node {v} permits {}, which it cannot have", names(*label)),
                    format!("permit one or more of {}; the default is all of them", names(*set)),
                ));
            }
            *set = both;
        }
        Ok(permitted)
    }

    /// What of these sets is in `states`.
    ///
    /// # Errors
    /// [`Error::Usage`] if nothing is left at a node.
    pub fn within(mut self, space: StateSpace, states: StateSet) -> Result<Self> {
        for (v, set) in self.sets.iter_mut().enumerate() {
            let both = set.and(states);
            if both.is_empty() {
                let names: Vec<&str> = set.iter().map(|state| space.name(state)).collect();
                return Err(Error::usage(
                    format!("nothing is left permitted at node {v}, which may be {}", names.join(" or ")),
                    "permit one of these states too",
                ));
            }
            *set = both;
        }
        Ok(self)
    }

    /// The states that a node may have.
    pub fn at(&self, v: u32) -> StateSet {
        self.sets[v as usize]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Puts log emissions, \[node\]\[state\], at minus infinity where a state is not permitted: exact inference
    /// then gives the posterior given the labels.
    pub fn restrict(&self, ln_emission: &mut [f64]) {
        let k = ln_emission.len() / self.sets.len().max(1);
        for (node, set) in ln_emission.chunks_exact_mut(k.max(1)).zip(&self.sets) {
            for (state, ln) in node.iter_mut().enumerate() {
                if !set.contains(state) {
                    *ln = f64::NEG_INFINITY;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_with_text_of_several_types_is_mixed_only_inside_the_tree() {
        let space = StateSpace::LabelsAndMixed;
        let tokens = [50, 0, 50, 0, 0, 0];
        assert_eq!(space.name(space.choose(&tokens, false) as usize), "mixed-main");
        assert_eq!(space.name(space.choose(&tokens, true) as usize), "not-content");
        assert_eq!(space.name(space.choose(&[50, 0, 0, 50, 0, 0], false) as usize), "mixed");
        assert_eq!(space.name(space.choose(&[4, 0, 96, 0, 0, 0], false) as usize), "full-text");
        assert_eq!(space.name(space.choose(&[0; 6], false) as usize), "not-content");
        assert_eq!(StateSpace::Labels.choose(&tokens, false), 0);
    }

    #[test]
    fn a_label_that_no_state_of_a_node_fits_is_refused_with_what_would_fit() {
        let tree = Tree::from_parents(vec![crate::view::NONE, 0]);
        let space = StateSpace::LabelsAndMixed;
        let mixed = StateSet::only(MIXED);
        let error = PermittedStates::new(&tree, space, &[mixed, mixed]).unwrap_err().to_string();
        assert!(error.contains("node 1 permits mixed, which it cannot have"), "{error}");
        assert!(error.contains("not-content, headline"), "{error}");
        let permitted = PermittedStates::new(&tree, space, &[mixed, StateSet::first(8)]).unwrap();
        assert_eq!((permitted.at(0), permitted.at(1)), (mixed, StateSet::first(6)));
        let mut ln_emission = vec![0.0; 16];
        permitted.restrict(&mut ln_emission);
        assert_eq!(ln_emission.iter().filter(|ln| ln.is_finite()).count(), 7);
    }
}
