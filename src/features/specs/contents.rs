//! Contents: what elements a node holds, and how dense its text is between them.

use crate::features::measures::Measures;
use crate::features::ratio::{ratio, share};
use crate::features::spec::{DOUBLING, FeatureSpec, PERCENT, TENTHS, count};

pub const FEATURES: &[FeatureSpec] = &[
    count!("links", "links in the node's text", "links", DOUBLING, |m, v| m.inside_text(v).links),
    count!("links-per-word", "links in a hundred words", "%", PERCENT, |m, v| {
        share(m.inside_text(v).links, m.base.words_of(v))
    }),
    count!("images", "images and videos in the element", "elements", DOUBLING, |m, v| m.inside(v).images),
    count!("inputs", "fields and buttons in the element", "elements", DOUBLING, |m, v| m.inside(v).inputs),
    count!("headings", "headings in the element", "elements", DOUBLING, |m, v| m.inside(v).headings),
    count!("paragraphs", "paragraphs in the element", "elements", DOUBLING, |m, v| m.inside(v).paragraphs),
    count!("line-breaks", "line breaks in the element", "elements", DOUBLING, |m, v| m.inside(v).line_breaks),
    count!("text-density", "words to an element, in tenths", "tenths", TENTHS, density),
    count!(
        "parent-text-density",
        "words to an element of the parent, in tenths",
        "tenths",
        TENTHS,
        |m, v| { density(m, m.base.above(v, 1)) }
    ),
    count!(
        "grandparent-text-density",
        "words to an element two levels up, in tenths",
        "tenths",
        TENTHS,
        |m, v| density(m, m.base.above(v, 2)),
    ),
];

fn density(m: &Measures<'_>, v: u32) -> u32 {
    ratio(10 * u64::from(m.base.words_of(v)), m.inside(v).elements)
}
