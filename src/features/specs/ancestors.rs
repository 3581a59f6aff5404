//! Ancestors: the text of the four levels above a node. Each level is a family.

use crate::features::ratio::{ratio, share};
use crate::features::spec::{DOUBLING, FeatureSpec, PERCENT, count};

macro_rules! of_ancestor {
    ($levels:literal, $words:literal, $leaf:literal, $links:literal, $share:literal, $page:literal, $name:literal) => {
        [
            count!($words, concat!("words ", $name), "words", DOUBLING, |m, v| {
                m.base.words_of(m.base.above(v, $levels))
            }),
            count!($leaf, concat!("words in a leaf ", $name), "words", DOUBLING, |m, v| {
                let above = m.base.above(v, $levels);
                ratio(m.base.words_of(above).into(), m.leaves().of(above))
            }),
            count!($links, concat!("share of words inside links ", $name), "%", PERCENT, |m, v| {
                m.base.link_share(m.base.above(v, $levels))
            }),
            count!($share, concat!("the node's share of the words ", $name), "%", PERCENT, |m, v| {
                share(m.base.words_of(v), m.base.words_of(m.base.above(v, $levels)))
            }),
            count!($page, concat!("share of the page's words ", $name), "%", PERCENT, |m, v| {
                share(m.base.words_of(m.base.above(v, $levels)), m.base.words_before(0).1)
            }),
        ]
    };
}

pub const PARENT: [FeatureSpec; 5] = of_ancestor!(
    1,
    "parent-words",
    "parent-leaf-words",
    "parent-link-density",
    "share-of-parent",
    "parent-share",
    "of the parent"
);
pub const GRANDPARENT: [FeatureSpec; 5] = of_ancestor!(
    2,
    "grandparent-words",
    "grandparent-leaf-words",
    "grandparent-link-density",
    "share-of-grandparent",
    "grandparent-share",
    "two levels up"
);
pub const LEVEL_3: [FeatureSpec; 5] = of_ancestor!(
    3,
    "level-3-words",
    "level-3-leaf-words",
    "level-3-link-density",
    "share-of-level-3",
    "level-3-share",
    "three levels up"
);
pub const LEVEL_4: [FeatureSpec; 5] = of_ancestor!(
    4,
    "level-4-words",
    "level-4-leaf-words",
    "level-4-link-density",
    "share-of-level-4",
    "level-4-share",
    "four levels up"
);
