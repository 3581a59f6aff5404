//! Position: where on the page a node is, in words, leaves and levels, and how far from title and headings.

use crate::features::bins::Bins;
use crate::features::measures::Measures;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, FeatureSpec, LEVELS, PERCENT, category, count};

/// The level of the last heading: none before the first.
const HEADINGS: &[&str] = &["none", "h1", "h2", "h3", "h4", "h5", "h6"];
const FEW: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100]);

pub const FEATURES: &[FeatureSpec] = &[
    count!("words-before", "words of the page before the node", "words", DOUBLING, |m, v| {
        m.base.words_before(v).0
    }),
    count!("words-behind", "words of the page behind the node", "words", DOUBLING, |m, v| {
        m.base.words_behind(v)
    }),
    count!("position-from-end", "share of the page's words behind the node", "%", PERCENT, |m, v| {
        share(m.base.words_behind(v), m.base.words_before(v).1)
    }),
    count!("leaf-position", "share of the page's leaves before the node", "%", PERCENT, |m, v| {
        share(m.leaves().before(v), m.leaves().len())
    }),
    count!("depth", "levels below the root", "levels", LEVELS, |m, v| m.base.depth[v as usize]),
    count!("dom-depth", "elements around the node", "elements", LEVELS, |m, v| {
        m.paths().depth(m.base.view.nodes[v as usize].node)
    }),
    count!("child-number", "siblings before the node", "nodes", FEW, |m, v| m.leaves().siblings_before(v)),
    count!("child-number-from-end", "siblings behind the node", "nodes", FEW, |m, v| {
        m.base.siblings(v) - m.leaves().siblings_before(v)
    }),
    count!("leaves", "leaves of the node", "leaves", DOUBLING, |m, v| m.leaves().of(v)),
    count!("parent-children", "children of the parent", "nodes", DOUBLING, |m, v| m.base.siblings(v) + 1),
    count!(
        "leaves-since-title",
        "leaves since the title on the page; 0 before it",
        "leaves",
        DOUBLING,
        |m, v| anchor_distance(m, m.similarity().title_leaf, v, Count::Leaves, Side::Since),
    ),
    count!(
        "leaves-until-title",
        "leaves until the title on the page; 0 behind it",
        "leaves",
        DOUBLING,
        |m, v| anchor_distance(m, m.similarity().title_leaf, v, Count::Leaves, Side::Until),
    ),
    count!(
        "words-since-title",
        "words since the title on the page; 0 before it",
        "words",
        DOUBLING,
        |m, v| anchor_distance(m, m.similarity().title_leaf, v, Count::Words, Side::Since),
    ),
    count!(
        "levels-to-title",
        "levels from the title on the page up to an ancestor of both",
        "levels",
        LEVELS,
        |m, v| m.similarity().title_leaf.map_or(99, |title| m.base.levels_up_to(title, v)),
    ),
    count!("leaves-since-h1", "leaves since the first h1; 0 before it", "leaves", DOUBLING, |m, v| {
        anchor_distance(m, m.headings().first_h1, v, Count::Leaves, Side::Since)
    }),
    count!("leaves-until-h1", "leaves until the first h1; 0 behind it", "leaves", DOUBLING, |m, v| {
        anchor_distance(m, m.headings().first_h1, v, Count::Leaves, Side::Until)
    }),
    category!("heading-level", "level of the heading before the node, or its own", HEADINGS, |m, v| {
        m.headings().level(v)
    }),
    count!(
        "leaves-since-heading",
        "leaves since the last heading; 0 for a heading",
        "leaves",
        DOUBLING,
        |m, v| {
            m.headings()
                .last(v)
                .map_or(9999, |last| m.leaves().before(v).saturating_sub(m.leaves().before(last)))
        },
    ),
    count!(
        "words-since-heading",
        "words since the last heading; 0 for a heading",
        "words",
        DOUBLING,
        |m, v| {
            m.headings().last(v).map_or(99_999, |last| match last == v {
                true => 0,
                false => m
                    .base
                    .words_before(v)
                    .0
                    .saturating_sub(m.base.words_before(last).0 + m.base.words_of(last)),
            })
        },
    ),
];

/// What a distance counts.
#[derive(Clone, Copy)]
enum Count {
    Leaves,
    Words,
}

/// Which side of an anchor a distance is on.
#[derive(Clone, Copy)]
enum Side {
    Since,
    Until,
}

/// How far a node is from a leaf of the page, on one side of it; without the leaf more than any page has.
fn anchor_distance(m: &Measures<'_>, anchor: Option<u32>, v: u32, count: Count, side: Side) -> u32 {
    let Some(anchor) = anchor else { return 99_999 };
    let place = |v: u32| match count {
        Count::Leaves => m.leaves().before(v),
        Count::Words => m.base.words_before(v).0,
    };
    let (from, to) = match side {
        Side::Since => (place(anchor), place(v)),
        Side::Until => (place(v), place(anchor)),
    };
    to.saturating_sub(from)
}
