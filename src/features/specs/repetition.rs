//! Repetition: how often elements of a kind, and texts, stand on the page. Lists, menus and templates repeat; the
//! article does not.

use crate::features::counts::repetition::Group;
use crate::features::ratio::{ratio, share};
use crate::features::spec::{DOUBLING, PERCENT, count, family};

family! {
    |m| {
        let (base, repetition, page_words) = (&m.base, &m.counts().repetition, m.base.page_words());
    }
    |v| {
        let (own, pair) = (repetition.own(v), repetition.pair(v));
        let (most, most_words) = repetition.most(v);
    }
    count("signature-count", "leaves with the node's tag and classes", "leaves", DOUBLING) => own.leaves,
    count("signature-words", "words of such a leaf", "words", DOUBLING) => mean(own),
    count("signature-links", "share of their words inside links", "%", PERCENT) => links(own),
    count("signature-share", "share of the page's words in such leaves", "%", PERCENT) => share(own.words, page_words),
    count("pair-count", "leaves with the tags and classes of the node and of its parent", "leaves", DOUBLING) =>
        pair.leaves,
    count("pair-words", "words of such a leaf", "words", DOUBLING) => mean(pair),
    count("pair-links", "share of their words inside links", "%", PERCENT) => links(pair),
    count("pair-share", "share of the page's words in such leaves", "%", PERCENT) => share(pair.words, page_words),
    count("parent-repeated", "inner nodes like the parent", "nodes", DOUBLING) =>
        repetition.inner(base.above(v, 1)).0,
    count("grandparent-repeated", "inner nodes like the one two levels up", "nodes", DOUBLING) =>
        repetition.inner(base.above(v, 2)).0,
    count("level-3-repeated", "inner nodes like the one three levels up", "nodes", DOUBLING) =>
        repetition.inner(base.above(v, 3)).0,
    count("most-repeated", "inner nodes like the node or ancestor of which there are most", "nodes", DOUBLING) => most,
    count("most-repeated-words", "words of such a node", "words", DOUBLING) => ratio(most_words.into(), most),
    count("text-count", "leaves with the node's text", "leaves", DOUBLING) => repetition.same_text(v),
}

fn mean(group: Group) -> u32 {
    ratio(group.words.into(), group.leaves)
}

fn links(group: Group) -> u32 {
    share(group.link_words, group.words)
}
