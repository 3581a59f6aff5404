//! `Repetition`, how often elements of a kind, and texts, stand on the page.

use std::collections::HashMap;

use super::base::BaseCounts;
use super::leaves::Leaves;
use super::word_keys::WordKeys;
use crate::features::hash::{self, Hashed};
use crate::features::signature::{element_of, signature};
use crate::view::PageView;

/// Leaves of one signature.
#[derive(Debug, Clone, Copy, Default)]
pub struct Group {
    pub leaves: u32,
    pub words: u32,
    pub link_words: u32,
}

/// The signatures of the nodes of a page: tag and classes.
pub struct Repetition {
    /// For each node the group of its own signature, and that of its and its parent's.
    own: Groups,
    pair: Groups,
    /// For each node: inner nodes of its pair of signatures, and the words of all of them.
    inner: Vec<(u32, u32)>,
    /// For each node the largest such number along its ancestors.
    most: Vec<(u32, u32)>,
    same_text: Vec<u32>,
}

/// Groups of nodes.
struct Groups {
    of_node: Vec<u32>,
    groups: Vec<Group>,
}

impl Groups {
    fn new(base: &BaseCounts<'_>, leaves: &Leaves, keys: &[u64]) -> Self {
        let mut numbers: HashMap<u64, u32, Hashed> = HashMap::default();
        let mut groups: Vec<Group> = Vec::new();
        let of_node: Vec<u32> = keys
            .iter()
            .map(|&key| {
                let next = groups.len() as u32;
                let number = *numbers.entry(key).or_insert(next);
                if number == next {
                    groups.push(Group::default());
                }
                number
            })
            .collect();
        for v in leaves.iter() {
            let group = &mut groups[of_node[v as usize] as usize];
            group.leaves += 1;
            group.words += base.words_of(v);
            group.link_words += base.link_words_of(v);
        }
        Groups { of_node, groups }
    }

    fn of(&self, v: u32) -> Group {
        self.groups[self.of_node[v as usize] as usize]
    }
}

impl Repetition {
    /// Compares the nodes of a page.
    pub fn new(base: &BaseCounts<'_>, leaves: &Leaves, words: &WordKeys) -> Self {
        let tree = &base.view.tree;
        let n = tree.len();
        let (dom, nodes) = (base.page.dom(), &base.view.nodes);
        let own: Vec<u64> = nodes.iter().map(|node| signature(dom, element_of(dom, node.node))).collect();
        let above = |v: usize| own[base.above(v as u32, 1) as usize];
        let pair: Vec<u64> = (0..n).map(|v| hash::pair(own[v], above(v))).collect();
        let mut inner_of: HashMap<u64, (u32, u32), Hashed> = HashMap::default();
        for v in (0..n).filter(|&v| !tree.is_leaf(v as u32)) {
            let (nodes, words) = inner_of.entry(pair[v]).or_default();
            *nodes += 1;
            *words = words.saturating_add(base.words_of(v as u32));
        }
        let inner: Vec<(u32, u32)> =
            pair.iter().map(|key| inner_of.get(key).copied().unwrap_or_default()).collect();
        let mut most = inner.clone();
        for v in 1..n {
            let above = most[tree.parent(v as u32) as usize];
            if above.0 > most[v].0 {
                most[v] = above;
            }
        }
        let texts: Vec<u64> = (0..n as u32).map(|v| text_key(base.view, words, v)).collect();
        let mut equal: HashMap<u64, u32, Hashed> = HashMap::default();
        for v in leaves.iter() {
            *equal.entry(texts[v as usize]).or_default() += 1;
        }
        let same_text = (0..n).map(|v| if tree.is_leaf(v as u32) { equal[&texts[v]] } else { 0 }).collect();
        Repetition {
            own: Groups::new(base, leaves, &own),
            pair: Groups::new(base, leaves, &pair),
            inner,
            most,
            same_text,
        }
    }

    /// Inner nodes of the kind of which there are most.
    pub fn of_most(&self) -> u32 {
        self.inner.iter().map(|&(nodes, _)| nodes).max().unwrap_or(0)
    }

    /// Leaves with the tag and classes of the node.
    pub fn own(&self, v: u32) -> Group {
        self.own.of(v)
    }

    /// Leaves with the tags and classes of the node and of its parent.
    pub fn pair(&self, v: u32) -> Group {
        self.pair.of(v)
    }

    /// Inner nodes like the node, and the words of all of them.
    pub fn inner(&self, v: u32) -> (u32, u32) {
        self.inner[v as usize]
    }

    /// Those of the node or ancestor of which there are most.
    pub fn most(&self, v: u32) -> (u32, u32) {
        self.most[v as usize]
    }

    /// Leaves with the text of the leaf.
    pub fn same_text(&self, v: u32) -> u32 {
        self.same_text[v as usize]
    }
}

/// A number for the words of a leaf.
fn text_key(view: &PageView, words: &WordKeys, v: u32) -> u64 {
    if !view.tree.is_leaf(v) {
        return 0;
    }
    words.of(view, v).iter().fold(1, |key, &word| hash::pair(key, word))
}
