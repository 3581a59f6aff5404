//! Repetition: how often elements of a kind, and texts, stand on the page. Lists, menus and templates repeat; the
//! article does not.

use crate::features::counts::repetition::Group;
use crate::features::ratio::{ratio, share};
use crate::features::spec::{DOUBLING, FeatureSpec, PERCENT, count};

pub const FEATURES: &[FeatureSpec] = &[
    count!("signature-count", "leaves with the node's tag and classes", "leaves", DOUBLING, |m, v| {
        m.repetition().own(v).leaves
    }),
    count!("signature-words", "words of such a leaf", "words", DOUBLING, |m, v| mean(m.repetition().own(v))),
    count!("signature-links", "share of their words inside links", "%", PERCENT, |m, v| {
        links(m.repetition().own(v))
    }),
    count!("signature-share", "share of the page's words in such leaves", "%", PERCENT, |m, v| {
        share(m.repetition().own(v).words, m.base.words_before(0).1)
    }),
    count!(
        "pair-count",
        "leaves with the tags and classes of the node and of its parent",
        "leaves",
        DOUBLING,
        |m, v| m.repetition().pair(v).leaves,
    ),
    count!("pair-words", "words of such a leaf", "words", DOUBLING, |m, v| mean(m.repetition().pair(v))),
    count!("pair-links", "share of their words inside links", "%", PERCENT, |m, v| {
        links(m.repetition().pair(v))
    }),
    count!("pair-share", "share of the page's words in such leaves", "%", PERCENT, |m, v| {
        share(m.repetition().pair(v).words, m.base.words_before(0).1)
    }),
    count!("parent-repeated", "inner nodes like the parent", "nodes", DOUBLING, |m, v| {
        m.repetition().inner(m.base.above(v, 1)).0
    }),
    count!("grandparent-repeated", "inner nodes like the one two levels up", "nodes", DOUBLING, |m, v| {
        m.repetition().inner(m.base.above(v, 2)).0
    }),
    count!("level-3-repeated", "inner nodes like the one three levels up", "nodes", DOUBLING, |m, v| {
        m.repetition().inner(m.base.above(v, 3)).0
    }),
    count!(
        "most-repeated",
        "inner nodes like the node or ancestor of which there are most",
        "nodes",
        DOUBLING,
        |m, v| m.repetition().most(v).0,
    ),
    count!("most-repeated-words", "words of such a node", "words", DOUBLING, |m, v| {
        let (nodes, words) = m.repetition().most(v);
        ratio(words.into(), nodes)
    }),
    count!("text-count", "leaves with the node's text", "leaves", DOUBLING, |m, v| {
        m.repetition().same_text(v)
    }),
];

fn mean(group: Group) -> u32 {
    ratio(group.words.into(), group.leaves)
}

fn links(group: Group) -> u32 {
    share(group.link_words, group.words)
}
