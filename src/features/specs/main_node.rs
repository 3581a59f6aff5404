//! Relation to the main node: where a node stands to the part of the page that holds most of its long text.

use crate::features::bins::Bins;
use crate::features::measures::Measures;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, FeatureSpec, PERCENT, count};

const LEVELS: Bins = Bins::new(&[0, 1, 2, 3, 4, 5, 6, 8, 10, 14]);

pub const FEATURES: &[FeatureSpec] = &[
    count!("main-levels", "levels from the main node up to an ancestor of both", "levels", LEVELS, |m, v| {
        m.base.levels_up_to(m.base.main, v)
    }),
    count!("main-levels-down", "levels from that ancestor down to the node", "levels", LEVELS, |m, v| {
        m.base.levels_down_to(m.base.main, v)
    }),
    count!(
        "words-until-main",
        "words until the main node begins; 0 after that",
        "words",
        DOUBLING,
        |m, v| { m.base.words_before(m.base.main).0.saturating_sub(m.base.words_before(v).0) }
    ),
    count!(
        "words-since-main",
        "words since the main node ended; 0 before that",
        "words",
        DOUBLING,
        |m, v| {
            m.base
                .words_before(v)
                .0
                .saturating_sub(m.base.words_before(m.base.main).0 + m.base.words_of(m.base.main))
        }
    ),
    count!(
        "content-main-levels",
        "levels from the main node outside navigation up to an ancestor of both",
        "levels",
        LEVELS,
        |m, v| m.base.levels_up_to(m.content_main(), v),
    ),
    count!(
        "content-main-levels-down",
        "levels from that ancestor down to the node",
        "levels",
        LEVELS,
        |m, v| m.base.levels_down_to(m.content_main(), v),
    ),
    count!(
        "words-until-content-main",
        "words until the main node outside navigation; 0 after that",
        "words",
        DOUBLING,
        |m, v| m.base.words_before(m.content_main()).0.saturating_sub(m.base.words_before(v).0),
    ),
    count!(
        "words-since-content-main",
        "words since that main node ended; 0 before that",
        "words",
        DOUBLING,
        |m, v| {
            let main = m.content_main();
            m.base.words_before(v).0.saturating_sub(m.base.words_before(main).0 + m.base.words_of(main))
        },
    ),
    count!("long-text", "share of the page's long text in the node", "%", PERCENT, long_share),
    count!("parent-long-text", "share of the page's long text in the parent", "%", PERCENT, |m, v| {
        long_share(m, m.base.above(v, 1))
    }),
    count!("grandparent-long-text", "share of the page's long text two levels up", "%", PERCENT, |m, v| {
        long_share(m, m.base.above(v, 2))
    }),
    count!("level-3-long-text", "share of the page's long text three levels up", "%", PERCENT, |m, v| {
        long_share(m, m.base.above(v, 3))
    }),
    count!("parent-long-share", "share of the parent's words that are long text", "%", PERCENT, |m, v| {
        let parent = m.base.above(v, 1);
        share(m.base.long_words_of(parent), m.base.words_of(parent))
    }),
    count!(
        "grandparent-long-share",
        "share of the words two levels up that are long text",
        "%",
        PERCENT,
        |m, v| {
            let above = m.base.above(v, 2);
            share(m.base.long_words_of(above), m.base.words_of(above))
        },
    ),
    count!(
        "main-share",
        "share of the page's words in the main node",
        "%",
        PERCENT,
        page = |m| share(m.base.words_of(m.base.main), m.base.words_before(0).1)
    ),
    count!(
        "content-main-share",
        "share of the page's words in the main node outside navigation",
        "%",
        PERCENT,
        page = |m| share(m.base.words_of(m.content_main()), m.base.words_before(0).1),
    ),
];

fn long_share(m: &Measures<'_>, v: u32) -> u32 {
    share(m.base.long_words_of(v), m.base.long_words_of(0))
}
