//! Similarity: words that the node shares with the page's title, with what its metadata says of it, and with its
//! longest text.

use crate::features::counts::similarity::Part;
use crate::features::measures::Measures;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, FeatureSpec, PERCENT, count};

pub const FEATURES: &[FeatureSpec] = &[
    count!("title-share", "share of the title's words in the leaf", "%", PERCENT, |m, v| {
        m.similarity().title_share(v)
    }),
    count!("title-words", "share of the node's words that stand in the title", "%", PERCENT, |m, v| {
        overlap(m, v, Part::Title)
    }),
    count!(
        "description-overlap",
        "share of words that stand in the page's description",
        "%",
        PERCENT,
        |m, v| overlap(m, v, Part::Description),
    ),
    count!("description-words", "words that stand in the page's description", "words", DOUBLING, |m, v| {
        m.similarity().sum(m.base.view, v, Part::Description)
    }),
    count!(
        "linked-data-overlap",
        "share of words that stand in texts of the page's JSON-LD",
        "%",
        PERCENT,
        |m, v| overlap(m, v, Part::LinkedData),
    ),
    count!(
        "longest-overlap",
        "share of words that stand in the page's longest text",
        "%",
        PERCENT,
        |m, v| { overlap(m, v, Part::Longest) }
    ),
];

/// The share of a node's words that stand in a part of the page.
fn overlap(m: &Measures<'_>, v: u32, part: Part) -> u32 {
    share(m.similarity().sum(m.base.view, v, part), m.word_keys().count(m.base.view, v))
}
