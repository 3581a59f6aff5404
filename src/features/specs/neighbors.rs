//! Neighbors: the text of siblings and of the leaves before and behind.

use crate::features::bins::Bins;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, PARTS, PERCENT, TAGS, category, count, family};
use crate::view::NONE;

/// How many leaves on each side make a narrow and a wide window.
const NARROW: u32 = 3;
const WIDE: u32 = 12;
const OF_WINDOW: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20]);

family! {
    |m| {
        let (base, leaves, texts, tree) = (&m.base, &m.counts().leaves, &m.counts().texts, &m.base.view.tree);
        let page_words = base.page_words();
        let tag = |v: u32| base.tag(v);
        let words = |v: u32| base.words_of(v);
        let links = |v: u32| base.link_share(v);
        let stops = |v: u32| texts.of(base.view, v).full_stops;
        let known = |sibling: u32| (sibling != NONE).then_some(sibling);
    }
    |v| {
        let narrow = leaves.window(v, NARROW, NARROW + 1);
        let wide = leaves.window(v, WIDE, WIDE + 1);
        let place = i64::from(leaves.before(v));
        let (previous_leaf, next_leaf) = (leaves.at(place - 1), leaves.at(place + 1));
        let (previous, next) = (known(tree.previous_sibling(v)), known(tree.next_sibling(v)));
    }
    count("page-share", "share of the page's words", "%", PARTS) => share(words(v), page_words),
    count(
        "narrow-link-density",
        "share of words inside links, of the leaf and three on each side",
        "%",
        PERCENT,
    ) => share(narrow.link_words, narrow.words),
    count("narrow-words", "words of the leaf and three on each side", "words", DOUBLING) => narrow.words,
    count("narrow-long", "leaves of long text among the leaf and three on each side", "leaves", OF_WINDOW) =>
        narrow.long,
    count("long-before", "leaves of long text among the three before", "leaves", OF_WINDOW) =>
        leaves.window(v, NARROW, 0).long,
    count("long-behind", "leaves of long text among the three behind", "leaves", OF_WINDOW) =>
        leaves.window_behind(v, NARROW).long,
    count(
        "wide-link-density",
        "share of words inside links, of the leaf and twelve on each side",
        "%",
        PERCENT,
    ) => share(wide.link_words, wide.words),
    count("wide-words", "words of the leaf and twelve on each side", "words", DOUBLING) => wide.words,
    count("wide-long", "leaves of long text among the leaf and twelve on each side", "leaves", OF_WINDOW) =>
        wide.long,
    count("long-far-before", "leaves of long text among the twelve before", "leaves", OF_WINDOW) =>
        leaves.window(v, WIDE, 0).long,
    count("long-far-behind", "leaves of long text among the twelve behind", "leaves", OF_WINDOW) =>
        leaves.window_behind(v, WIDE).long,
    // Of a leaf or sibling that there is not, everything is 0.
    count("previous-leaf-words", "words of the leaf before", "words", DOUBLING) => previous_leaf.map_or(0, words),
    count("previous-leaf-links", "share of words inside links, of the leaf before", "%", PERCENT) =>
        previous_leaf.map_or(0, links),
    category("previous-leaf-tag", "tag of the leaf before", TAGS) => previous_leaf.map_or(0, tag),
    count("previous-leaf-stops", "full stops of the leaf before", "full stops", DOUBLING) =>
        previous_leaf.map_or(0, stops),
    count("next-leaf-words", "words of the leaf behind", "words", DOUBLING) => next_leaf.map_or(0, words),
    count("next-leaf-links", "share of words inside links, of the leaf behind", "%", PERCENT) =>
        next_leaf.map_or(0, links),
    category("next-leaf-tag", "tag of the leaf behind", TAGS) => next_leaf.map_or(0, tag),
    count("next-leaf-stops", "full stops of the leaf behind", "full stops", DOUBLING) => next_leaf.map_or(0, stops),
    count("previous-sibling-words", "words of the sibling before", "words", DOUBLING) => previous.map_or(0, words),
    count("previous-sibling-links", "share of words inside links, of the sibling before", "%", PERCENT) =>
        previous.map_or(0, links),
    count("next-sibling-words", "words of the sibling behind", "words", DOUBLING) => next.map_or(0, words),
    count("next-sibling-links", "share of words inside links, of the sibling behind", "%", PERCENT) =>
        next.map_or(0, links),
}
