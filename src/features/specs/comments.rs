//! Comments: whether the node stands where readers write. On a forum that is the content, below an article it is not, so
//! how much long text stands elsewhere is told beside it.

use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, LEVELS, PERCENT, count, family};

/// How many leaves on each side are near.
const NEAR: u32 = 3;

family! {
    |m| {
        let counts = m.counts();
        let (leaves, named, long_words) = (&counts.leaves, &counts.comments, m.base.long_words_of(0));
    }
    |v| {
        let place = leaves.before(v);
    }
    count("comment-levels", "elements up to one that is named after readers' comments; 0 without one", "elements", LEVELS) =>
        named.levels(v),
    count(
        "comment-share",
        "share of the page's long text inside the outermost such element around the node",
        "%",
        PERCENT,
    ) => share(named.area_words(v), long_words),
    count(
        "leaves-since-comment-heading",
        "leaves since the last short text that names comments",
        "leaves",
        DOUBLING,
    ) => named.last(v).map_or(9999, |last| place.saturating_sub(leaves.before(last))),
    count("near-times", "dates and times in the leaf and three on each side", "dates", DOUBLING) =>
        counts.times(place.saturating_sub(NEAR), place + NEAR + 1),
}
