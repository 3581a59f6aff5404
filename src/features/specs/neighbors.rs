//! Neighbors: the text of siblings and of the leaves before and behind.

use crate::features::bins::Bins;
use crate::features::measures::Measures;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, FeatureSpec, PARTS, PERCENT, TAGS, category, count};
use crate::view::NONE;

/// How many leaves on each side make a narrow and a wide window.
const NARROW: u32 = 3;
const WIDE: u32 = 12;
const OF_WINDOW: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20]);

pub const FEATURES: &[FeatureSpec] = &[
    count!("page-share", "share of the page's words", "%", PARTS, |m, v| {
        share(m.base.words_of(v), m.base.words_before(0).1)
    }),
    count!(
        "narrow-link-density",
        "share of words inside links, of the leaf and three on each side",
        "%",
        PERCENT,
        |m, v| window_link_share(m, v, NARROW),
    ),
    count!("narrow-words", "words of the leaf and three on each side", "words", DOUBLING, |m, v| {
        m.leaves().window(v, NARROW, NARROW + 1).words
    }),
    count!(
        "narrow-long",
        "leaves of long text among the leaf and three on each side",
        "leaves",
        OF_WINDOW,
        |m, v| m.leaves().window(v, NARROW, NARROW + 1).long,
    ),
    count!("long-before", "leaves of long text among the three before", "leaves", OF_WINDOW, |m, v| {
        m.leaves().window(v, NARROW, 0).long
    }),
    count!("long-behind", "leaves of long text among the three behind", "leaves", OF_WINDOW, |m, v| {
        m.leaves().window_behind(v, NARROW).long
    }),
    count!(
        "wide-link-density",
        "share of words inside links, of the leaf and twelve on each side",
        "%",
        PERCENT,
        |m, v| window_link_share(m, v, WIDE),
    ),
    count!("wide-words", "words of the leaf and twelve on each side", "words", DOUBLING, |m, v| {
        m.leaves().window(v, WIDE, WIDE + 1).words
    }),
    count!(
        "wide-long",
        "leaves of long text among the leaf and twelve on each side",
        "leaves",
        OF_WINDOW,
        |m, v| m.leaves().window(v, WIDE, WIDE + 1).long,
    ),
    count!("long-far-before", "leaves of long text among the twelve before", "leaves", OF_WINDOW, |m, v| {
        m.leaves().window(v, WIDE, 0).long
    }),
    count!("long-far-behind", "leaves of long text among the twelve behind", "leaves", OF_WINDOW, |m, v| {
        m.leaves().window_behind(v, WIDE).long
    }),
    count!("previous-leaf-words", "words of the leaf before", "words", DOUBLING, |m, v| {
        other_leaf(m, v, -1, words_of)
    }),
    count!("previous-leaf-links", "share of words inside links, of the leaf before", "%", PERCENT, |m, v| {
        other_leaf(m, v, -1, link_share)
    }),
    category!("previous-leaf-tag", "tag of the leaf before", TAGS, |m, v| {
        other_leaf(m, v, -1, |m, v| m.base.tag(v))
    }),
    count!("previous-leaf-stops", "full stops of the leaf before", "full stops", DOUBLING, |m, v| {
        other_leaf(m, v, -1, |m, v| m.text(v).full_stops)
    }),
    count!("next-leaf-words", "words of the leaf behind", "words", DOUBLING, |m, v| {
        other_leaf(m, v, 1, words_of)
    }),
    count!("next-leaf-links", "share of words inside links, of the leaf behind", "%", PERCENT, |m, v| {
        other_leaf(m, v, 1, link_share)
    }),
    category!("next-leaf-tag", "tag of the leaf behind", TAGS, |m, v| {
        other_leaf(m, v, 1, |m, v| m.base.tag(v))
    }),
    count!("next-leaf-stops", "full stops of the leaf behind", "full stops", DOUBLING, |m, v| {
        other_leaf(m, v, 1, |m, v| m.text(v).full_stops)
    }),
    count!("previous-sibling-words", "words of the sibling before", "words", DOUBLING, |m, v| {
        read_sibling(m, m.base.view.tree.previous_sibling(v), words_of)
    }),
    count!(
        "previous-sibling-links",
        "share of words inside links, of the sibling before",
        "%",
        PERCENT,
        |m, v| read_sibling(m, m.base.view.tree.previous_sibling(v), link_share),
    ),
    count!("next-sibling-words", "words of the sibling behind", "words", DOUBLING, |m, v| {
        read_sibling(m, m.base.view.tree.next_sibling(v), words_of)
    }),
    count!(
        "next-sibling-links",
        "share of words inside links, of the sibling behind",
        "%",
        PERCENT,
        |m, v| read_sibling(m, m.base.view.tree.next_sibling(v), link_share),
    ),
];

fn words_of(m: &Measures<'_>, v: u32) -> u32 {
    m.base.words_of(v)
}

fn link_share(m: &Measures<'_>, v: u32) -> u32 {
    m.base.link_share(v)
}

fn window_link_share(m: &Measures<'_>, v: u32, leaves: u32) -> u32 {
    let window = m.leaves().window(v, leaves, leaves + 1);
    share(window.link_words, window.words)
}

/// Something of the leaf before (-1) the node's first leaf, or of the one behind it (1); 0 where there is none.
fn other_leaf(m: &Measures<'_>, v: u32, step: i64, value: impl Fn(&Measures<'_>, u32) -> u32) -> u32 {
    m.leaves().at(i64::from(m.leaves().before(v)) + step).map_or(0, |leaf| value(m, leaf))
}

fn read_sibling(m: &Measures<'_>, sibling: u32, value: impl Fn(&Measures<'_>, u32) -> u32) -> u32 {
    if sibling == NONE { 0 } else { value(m, sibling) }
}
