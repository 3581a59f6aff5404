//! Readers: whether the node stands where readers write. What tells their comments from the rest of what is not content,
//! beside features of the catalogue.

use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, FeatureSpec, LEVELS, PERCENT, count};

pub const FEATURES: &[FeatureSpec] = &[
    count!(
        "readers-levels",
        "elements up to one that is named after readers' comments; 0 without one",
        "elements",
        LEVELS,
        |m, v| m.readers().levels(v),
    ),
    count!(
        "readers-share",
        "share of the page's long text inside the outermost such element around the node",
        "%",
        PERCENT,
        |m, v| share(m.readers().area_words(v), m.base.long_words_of(0)),
    ),
    count!(
        "leaves-since-readers-heading",
        "leaves since the last short text that speaks of comments",
        "leaves",
        DOUBLING,
        |m, v| {
            let since = |last| m.leaves().before(v).saturating_sub(m.leaves().before(last));
            m.readers().last(v).map_or(9999, since)
        },
    ),
];
