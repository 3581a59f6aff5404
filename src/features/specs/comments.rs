//! Comments: whether the node stands where readers write. On a forum that is the content, below an article it is not, so
//! how much long text stands elsewhere is told beside it.

use crate::features::measures::Measures;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, FeatureSpec, LEVELS, PERCENT, count};

/// How many leaves on each side are near.
const NEAR: u32 = 3;

pub const FEATURES: &[FeatureSpec] = &[
    count!(
        "comment-levels",
        "elements up to one that is named after comments; 0 without one",
        "elements",
        LEVELS,
        |m, v| m.comments().named().levels(v),
    ),
    count!(
        "comment-share",
        "share of the page's long text inside the outermost such element around the node",
        "%",
        PERCENT,
        |m, v| share(m.comments().named().area_words(v), m.base.long_words_of(0)),
    ),
    count!(
        "leaves-since-comment-heading",
        "leaves since the last short text that names comments",
        "leaves",
        DOUBLING,
        |m, v| {
            let since = |last| m.leaves().before(v).saturating_sub(m.leaves().before(last));
            m.comments().named().last(v).map_or(9999, since)
        },
    ),
    count!("near-times", "dates and times in the leaf and three on each side", "dates", DOUBLING, near_times),
];

fn near_times(m: &Measures<'_>, v: u32) -> u32 {
    let place = m.leaves().before(v);
    m.comments().times(place.saturating_sub(NEAR), place + NEAR + 1)
}
