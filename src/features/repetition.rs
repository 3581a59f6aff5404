//! Repetition: how often elements of a kind, and texts, stand on the page. Lists, menus and templates repeat; the
//! article does not.

use std::collections::HashMap;

use super::hash::{self, Hashed};
use super::measures::Measures;
use super::schema::{DOUBLING, FeatureSpec, PERCENT, count};
use super::text_shape::{ratio, share};
use crate::dom::{Dom, NodeKind};
use crate::index::NodeId;

/// Of the classes of an element, so many make its signature.
const CLASSES: usize = 4;

pub(super) const FEATURES: &[FeatureSpec] = &[
    count("signature-count", "leaves with the node's tag and classes", "leaves", DOUBLING, |m, v| {
        m.repetition().own(v).leaves
    }),
    count("signature-words", "words of such a leaf", "words", DOUBLING, |m, v| mean(m.repetition().own(v))),
    count("signature-links", "share of their words inside links", "%", PERCENT, |m, v| {
        links(m.repetition().own(v))
    }),
    count("signature-share", "share of the page's words in such leaves", "%", PERCENT, |m, v| {
        share(m.repetition().own(v).words, m.words_before(0).1)
    }),
    count(
        "pair-count",
        "leaves with the tags and classes of the node and of its parent",
        "leaves",
        DOUBLING,
        |m, v| m.repetition().pair(v).leaves,
    ),
    count("pair-words", "words of such a leaf", "words", DOUBLING, |m, v| mean(m.repetition().pair(v))),
    count("pair-links", "share of their words inside links", "%", PERCENT, |m, v| {
        links(m.repetition().pair(v))
    }),
    count("pair-share", "share of the page's words in such leaves", "%", PERCENT, |m, v| {
        share(m.repetition().pair(v).words, m.words_before(0).1)
    }),
    count("parent-repeated", "inner nodes like the parent", "nodes", DOUBLING, |m, v| {
        m.repetition().inner(m.above(v, 1)).0
    }),
    count("grandparent-repeated", "inner nodes like the one two levels up", "nodes", DOUBLING, |m, v| {
        m.repetition().inner(m.above(v, 2)).0
    }),
    count("level-3-repeated", "inner nodes like the one three levels up", "nodes", DOUBLING, |m, v| {
        m.repetition().inner(m.above(v, 3)).0
    }),
    count(
        "most-repeated",
        "inner nodes like the node or ancestor of which there are most",
        "nodes",
        DOUBLING,
        |m, v| m.repetition().most(v).0,
    ),
    count("most-repeated-words", "words of such a node", "words", DOUBLING, |m, v| {
        let (nodes, words) = m.repetition().most(v);
        ratio(words.into(), nodes)
    }),
    count("text-count", "leaves with the node's text", "leaves", DOUBLING, |m, v| {
        m.repetition().same_text(v)
    }),
];

fn mean(group: Group) -> u32 {
    ratio(group.words.into(), group.leaves)
}

fn links(group: Group) -> u32 {
    share(group.link_words, group.words)
}

/// Leaves of one signature.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    leaves: u32,
    words: u32,
    link_words: u32,
}

/// The signatures of the nodes of a page: tag and classes.
pub(super) struct Repetition {
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
    fn new(m: &Measures<'_>, keys: &[u64]) -> Self {
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
        for v in m.leaves().iter() {
            let group = &mut groups[of_node[v as usize] as usize];
            group.leaves += 1;
            group.words += m.words_of(v);
            group.link_words += m.link_words_of(v);
        }
        Groups { of_node, groups }
    }

    fn of(&self, v: u32) -> Group {
        self.groups[self.of_node[v as usize] as usize]
    }
}

impl Repetition {
    pub fn new(m: &Measures<'_>) -> Self {
        let tree = &m.view.tree;
        let n = tree.len();
        let (dom, nodes) = (m.page.dom(), &m.view.nodes);
        let own: Vec<u64> = nodes.iter().map(|node| signature(dom, element_of(dom, node.node))).collect();
        let above = |v: usize| own[m.above(v as u32, 1) as usize];
        let pair: Vec<u64> = (0..n).map(|v| hash::pair(own[v], above(v))).collect();
        let mut inner_of: HashMap<u64, (u32, u32), Hashed> = HashMap::default();
        for v in (0..n).filter(|&v| !tree.is_leaf(v as u32)) {
            let (nodes, words) = inner_of.entry(pair[v]).or_default();
            *nodes += 1;
            *words = words.saturating_add(m.words_of(v as u32));
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
        let texts: Vec<u64> = (0..n as u32).map(|v| text_key(m, v)).collect();
        let mut equal: HashMap<u64, u32, Hashed> = HashMap::default();
        for v in m.leaves().iter() {
            *equal.entry(texts[v as usize]).or_default() += 1;
        }
        let same_text = (0..n).map(|v| if tree.is_leaf(v as u32) { equal[&texts[v]] } else { 0 }).collect();
        Repetition { own: Groups::new(m, &own), pair: Groups::new(m, &pair), inner, most, same_text }
    }

    fn own(&self, v: u32) -> Group {
        self.own.of(v)
    }

    fn pair(&self, v: u32) -> Group {
        self.pair.of(v)
    }

    fn inner(&self, v: u32) -> (u32, u32) {
        self.inner[v as usize]
    }

    fn most(&self, v: u32) -> (u32, u32) {
        self.most[v as usize]
    }

    fn same_text(&self, v: u32) -> u32 {
        self.same_text[v as usize]
    }
}

/// The node itself, or the element that a text stands in.
pub(crate) fn element_of(dom: &Dom, node: NodeId) -> NodeId {
    if dom.kind(node) == NodeKind::Text { dom.parent(node).unwrap_or(node) } else { node }
}

/// Tag and first classes, in order of name, of an element.
pub(crate) fn signature(dom: &Dom, element: NodeId) -> u64 {
    let mut key = dom.tag(element).index() as u64;
    let mut classes: Vec<&str> = dom
        .attribute(element, "class")
        .map(|value| value.split_ascii_whitespace().collect())
        .unwrap_or_default();
    classes.sort_unstable();
    for class in classes.iter().take(CLASSES) {
        key = hash::pair(key, hash::of(class));
    }
    key
}

/// A number for the words of a leaf.
fn text_key(m: &Measures<'_>, v: u32) -> u64 {
    if !m.view.tree.is_leaf(v) {
        return 0;
    }
    m.word_keys().of(m.view, v).iter().fold(1, |key, &word| hash::pair(key, word))
}
