//! Surroundings: the text of ancestors, of siblings and of the leaves before and behind.

use super::discretize::Bins;
use super::measures::Measures;
use super::schema::{DOUBLING, FeatureSpec, PARTS, PERCENT, category, count};
use super::structure::{TAGS, tag};
use super::text_shape::{ratio, share};
use crate::view::NONE;

/// How many leaves on each side make a narrow and a wide window.
const NARROW: u32 = 3;
const WIDE: u32 = 12;
const OF_WINDOW: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20]);

macro_rules! of_ancestor {
    ($levels:literal, $words:literal, $leaf:literal, $links:literal, $share:literal, $page:literal, $name:literal) => {
        [
            count($words, concat!("words ", $name), "words", DOUBLING, |m, v| {
                m.words_of(m.above(v, $levels))
            }),
            count($leaf, concat!("words in a leaf ", $name), "words", DOUBLING, |m, v| {
                let above = m.above(v, $levels);
                ratio(m.words_of(above).into(), m.leaves().of(above))
            }),
            count($links, concat!("share of words inside links ", $name), "%", PERCENT, |m, v| {
                m.link_share(m.above(v, $levels))
            }),
            count($share, concat!("the node's share of the words ", $name), "%", PERCENT, |m, v| {
                share(m.words_of(v), m.words_of(m.above(v, $levels)))
            }),
            count($page, concat!("share of the page's words ", $name), "%", PERCENT, |m, v| {
                share(m.words_of(m.above(v, $levels)), m.words_before(0).1)
            }),
        ]
    };
}

pub(super) const OF_PARENT: [FeatureSpec; 5] = of_ancestor!(
    1,
    "parent-words",
    "parent-leaf-words",
    "parent-link-density",
    "share-of-parent",
    "parent-share",
    "of the parent"
);
pub(super) const OF_GRANDPARENT: [FeatureSpec; 5] = of_ancestor!(
    2,
    "grandparent-words",
    "grandparent-leaf-words",
    "grandparent-link-density",
    "share-of-grandparent",
    "grandparent-share",
    "two levels up"
);
pub(super) const OF_LEVEL_3: [FeatureSpec; 5] = of_ancestor!(
    3,
    "level-3-words",
    "level-3-leaf-words",
    "level-3-link-density",
    "share-of-level-3",
    "level-3-share",
    "three levels up"
);
pub(super) const OF_LEVEL_4: [FeatureSpec; 5] = of_ancestor!(
    4,
    "level-4-words",
    "level-4-leaf-words",
    "level-4-link-density",
    "share-of-level-4",
    "level-4-share",
    "four levels up"
);

pub(super) const AROUND: &[FeatureSpec] = &[
    count("page-share", "share of the page's words", "%", PARTS, |m, v| {
        share(m.words_of(v), m.words_before(0).1)
    }),
    count(
        "narrow-link-density",
        "share of words inside links, of the leaf and three on each side",
        "%",
        PERCENT,
        |m, v| m.window_link_share(v, NARROW),
    ),
    count("narrow-words", "words of the leaf and three on each side", "words", DOUBLING, |m, v| {
        m.leaves().window(v, NARROW, NARROW + 1).words
    }),
    count(
        "narrow-long",
        "leaves of long text among the leaf and three on each side",
        "leaves",
        OF_WINDOW,
        |m, v| m.leaves().window(v, NARROW, NARROW + 1).long,
    ),
    count("long-before", "leaves of long text among the three before", "leaves", OF_WINDOW, |m, v| {
        m.leaves().window(v, NARROW, 0).long
    }),
    count("long-behind", "leaves of long text among the three behind", "leaves", OF_WINDOW, |m, v| {
        m.leaves().window_behind(v, NARROW).long
    }),
    count(
        "wide-link-density",
        "share of words inside links, of the leaf and twelve on each side",
        "%",
        PERCENT,
        |m, v| m.window_link_share(v, WIDE),
    ),
    count("wide-words", "words of the leaf and twelve on each side", "words", DOUBLING, |m, v| {
        m.leaves().window(v, WIDE, WIDE + 1).words
    }),
    count(
        "wide-long",
        "leaves of long text among the leaf and twelve on each side",
        "leaves",
        OF_WINDOW,
        |m, v| m.leaves().window(v, WIDE, WIDE + 1).long,
    ),
    count("long-far-before", "leaves of long text among the twelve before", "leaves", OF_WINDOW, |m, v| {
        m.leaves().window(v, WIDE, 0).long
    }),
    count("long-far-behind", "leaves of long text among the twelve behind", "leaves", OF_WINDOW, |m, v| {
        m.leaves().window_behind(v, WIDE).long
    }),
    count("previous-leaf-words", "words of the leaf before", "words", DOUBLING, |m, v| {
        m.other_leaf(v, -1, Measures::words_of)
    }),
    count("previous-leaf-links", "share of words inside links, of the leaf before", "%", PERCENT, |m, v| {
        m.other_leaf(v, -1, Measures::link_share)
    }),
    category("previous-leaf-tag", "tag of the leaf before", TAGS, |m, v| m.other_leaf(v, -1, tag)),
    count("previous-leaf-stops", "full stops of the leaf before", "full stops", DOUBLING, |m, v| {
        m.other_leaf(v, -1, |m, v| m.text(v).full_stops)
    }),
    count("next-leaf-words", "words of the leaf behind", "words", DOUBLING, |m, v| {
        m.other_leaf(v, 1, Measures::words_of)
    }),
    count("next-leaf-links", "share of words inside links, of the leaf behind", "%", PERCENT, |m, v| {
        m.other_leaf(v, 1, Measures::link_share)
    }),
    category("next-leaf-tag", "tag of the leaf behind", TAGS, |m, v| m.other_leaf(v, 1, tag)),
    count("next-leaf-stops", "full stops of the leaf behind", "full stops", DOUBLING, |m, v| {
        m.other_leaf(v, 1, |m, v| m.text(v).full_stops)
    }),
    count("previous-sibling-words", "words of the sibling before", "words", DOUBLING, |m, v| {
        m.of_sibling(m.view.tree.previous_sibling(v), Measures::words_of)
    }),
    count(
        "previous-sibling-links",
        "share of words inside links, of the sibling before",
        "%",
        PERCENT,
        |m, v| m.of_sibling(m.view.tree.previous_sibling(v), Measures::link_share),
    ),
    count("next-sibling-words", "words of the sibling behind", "words", DOUBLING, |m, v| {
        m.of_sibling(m.view.tree.next_sibling(v), Measures::words_of)
    }),
    count(
        "next-sibling-links",
        "share of words inside links, of the sibling behind",
        "%",
        PERCENT,
        |m, v| m.of_sibling(m.view.tree.next_sibling(v), Measures::link_share),
    ),
];

impl Measures<'_> {
    /// Words inside links in a hundred words of the node and all below.
    pub(super) fn link_share(&self, v: u32) -> u32 {
        share(self.link_words_of(v), self.words_of(v))
    }

    fn window_link_share(&self, v: u32, leaves: u32) -> u32 {
        let window = self.leaves().window(v, leaves, leaves + 1);
        share(window.link_words, window.words)
    }

    /// Something of the leaf before (-1) the node's first leaf, or of the one behind it (1); 0 where there is none.
    fn other_leaf(&self, v: u32, step: i64, value: impl Fn(&Self, u32) -> u32) -> u32 {
        self.leaves().at(i64::from(self.leaves().before(v)) + step).map_or(0, |leaf| value(self, leaf))
    }

    fn of_sibling(&self, sibling: u32, value: impl Fn(&Self, u32) -> u32) -> u32 {
        if sibling == NONE { 0 } else { value(self, sibling) }
    }
}

/// The leaves of a page in order, with what is summed up over runs of them.
pub(super) struct Leaves {
    /// The nodes that are leaves.
    leaves: Vec<u32>,
    /// For each node, how many leaves are before its own.
    before: Vec<u32>,
    /// For each node, how many leaves it has.
    count: Vec<u32>,
    /// For each node, how many siblings are before it.
    siblings_before: Vec<u32>,
    /// Sums over the leaves before each.
    sums: Vec<Window>,
}

/// Sums over a run of leaves.
#[derive(Clone, Copy, Default)]
pub(super) struct Window {
    pub words: u32,
    pub link_words: u32,
    /// Leaves of long text.
    pub long: u32,
}

impl Leaves {
    pub fn new(m: &Measures<'_>) -> Self {
        let tree = &m.view.tree;
        let n = tree.len();
        let mut leaves = Leaves {
            leaves: Vec::with_capacity(n),
            before: Vec::with_capacity(n),
            count: vec![0; n],
            siblings_before: Vec::with_capacity(n),
            sums: vec![Window::default()],
        };
        let mut sum = Window::default();
        for v in 0..n as u32 {
            leaves.before.push(leaves.leaves.len() as u32);
            let previous = tree.previous_sibling(v);
            let siblings = if previous == NONE { 0 } else { leaves.siblings_before[previous as usize] + 1 };
            leaves.siblings_before.push(siblings);
            if tree.is_leaf(v) {
                leaves.leaves.push(v);
                leaves.count[v as usize] = 1;
                sum.words += m.words_of(v);
                sum.link_words += m.link_words_of(v);
                sum.long += u32::from(m.is_long(v));
                leaves.sums.push(sum);
            }
        }
        for v in (1..n).rev() {
            leaves.count[tree.parent(v as u32) as usize] += leaves.count[v];
        }
        leaves
    }

    /// The number of leaves.
    pub fn len(&self) -> u32 {
        self.leaves.len() as u32
    }

    /// The leaves in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + Clone {
        self.leaves.iter().copied()
    }

    /// Leaves before the node's own.
    pub fn before(&self, v: u32) -> u32 {
        self.before[v as usize]
    }

    /// Leaves of the node.
    pub fn of(&self, v: u32) -> u32 {
        self.count[v as usize]
    }

    /// Siblings before the node.
    pub fn siblings_before(&self, v: u32) -> u32 {
        self.siblings_before[v as usize]
    }

    fn at(&self, place: i64) -> Option<u32> {
        self.leaves.get(usize::try_from(place).ok()?).copied()
    }

    /// Sums over the `before` leaves before the node's first and the `behind` from it on.
    fn window(&self, v: u32, before: u32, behind: u32) -> Window {
        let place = self.before(v);
        self.between(place.saturating_sub(before), place + behind)
    }

    /// Sums over the leaves behind the node's first.
    fn window_behind(&self, v: u32, leaves: u32) -> Window {
        let place = self.before(v) + 1;
        self.between(place, place + leaves)
    }

    fn between(&self, from: u32, to: u32) -> Window {
        let last = self.leaves.len();
        let (from, to) = (&self.sums[(from as usize).min(last)], &self.sums[(to as usize).min(last)]);
        Window {
            words: to.words - from.words,
            link_words: to.link_words - from.link_words,
            long: to.long - from.long,
        }
    }
}
