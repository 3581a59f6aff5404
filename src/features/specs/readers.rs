//! Readers: whether the node stands where readers write. What tells their comments from the rest of what is not content,
//! beside features of the catalogue.

use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, LEVELS, PERCENT, count, family};

family! {
    |m| { let (leaves, readers, long_words) = (&m.counts().leaves, &m.counts().readers, m.base.long_words_of(0)); }
    |v| {}
    count(
        "readers-levels",
        "elements up to one that is named after readers' comments; 0 without one",
        "elements",
        LEVELS,
    ) => readers.levels(v),
    count(
        "readers-share",
        "share of the page's long text inside the outermost such element around the node",
        "%",
        PERCENT,
    ) => share(readers.area_words(v), long_words),
    count(
        "leaves-since-readers-heading",
        "leaves since the last short text that speaks of comments",
        "leaves",
        DOUBLING,
    ) => readers.last(v).map_or(9999, |last| leaves.before(v).saturating_sub(leaves.before(last))),
}
