//! Relation to the main node: where a node stands to the part of the page that holds most of its long text.

use crate::features::bins::Bins;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, PERCENT, count, family};

const LEVELS: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 14]);

family! {
    |m| {
        let base = &m.base;
        let depth = |v: u32| base.depth[v as usize];
        let long_share = |v| share(base.long_words_of(v), base.long_words_of(0));
        let long_words_share = |v| share(base.long_words_of(v), base.words_of(v));
        // Of each node the lowest ancestor that it shares with the main node; where that begins and ends.
        let (main, content_main) = (base.main, m.counts().content_main);
        let [common, content_common] = [main, content_main].map(|main| base.common_ancestors(main));
        let [begin, content_begin] = [main, content_main].map(|main| base.words_before(main));
        let [words, content_words] = [main, content_main].map(|main| base.words_of(main));
        let [page_share, content_page_share] = [words, content_words].map(|words| share(words, base.page_words()));
    }
    |v| {
        let (common, content_common) = (common[v as usize], content_common[v as usize]);
        let before = base.words_before(v);
        let (parent, grandparent) = (base.above(v, 1), base.above(v, 2));
    }
    count("main-levels", "levels from the main node up to an ancestor of both", "levels", LEVELS) =>
        depth(main) - depth(common),
    count("main-levels-down", "levels from that ancestor down to the node", "levels", LEVELS) =>
        depth(v) - depth(common),
    count("words-until-main", "words until the main node begins; 0 after that", "words", DOUBLING) =>
        begin.saturating_sub(before),
    count("words-since-main", "words since the main node ended; 0 before that", "words", DOUBLING) =>
        before.saturating_sub(begin + words),
    count(
        "content-main-levels",
        "levels from the main node outside navigation up to an ancestor of both",
        "levels",
        LEVELS,
    ) => depth(content_main) - depth(content_common),
    count("content-main-levels-down", "levels from that ancestor down to the node", "levels", LEVELS) =>
        depth(v) - depth(content_common),
    count(
        "words-until-content-main",
        "words until the main node outside navigation; 0 after that",
        "words",
        DOUBLING,
    ) => content_begin.saturating_sub(before),
    count("words-since-content-main", "words since that main node ended; 0 before that", "words", DOUBLING) =>
        before.saturating_sub(content_begin + content_words),
    count("long-text", "share of the page's long text in the node", "%", PERCENT) => long_share(v),
    count("parent-long-text", "share of the page's long text in the parent", "%", PERCENT) => long_share(parent),
    count("grandparent-long-text", "share of the page's long text two levels up", "%", PERCENT) =>
        long_share(grandparent),
    count("level-3-long-text", "share of the page's long text three levels up", "%", PERCENT) =>
        long_share(base.above(v, 3)),
    count("parent-long-share", "share of the parent's words that are long text", "%", PERCENT) =>
        long_words_share(parent),
    count("grandparent-long-share", "share of the words two levels up that are long text", "%", PERCENT) =>
        long_words_share(grandparent),
    count("main-share", "share of the page's words in the main node", "%", PERCENT) => page_share,
    count(
        "content-main-share",
        "share of the page's words in the main node outside navigation",
        "%",
        PERCENT,
    ) => content_page_share,
}
