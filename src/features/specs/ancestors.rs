//! Ancestors: the text of the four levels above a node. Each level is a family.

/// The family of one level: how many above the node, its name in ids, and in words.
macro_rules! level {
    ($module:ident, $levels:literal, $id:literal, $name:literal) => {
        pub mod $module {
            use crate::features::ratio::{ratio, share};
            use crate::features::spec::{DOUBLING, PERCENT, count, family};

            family! {
                |m| {
                    let (base, leaves) = (&m.base, &m.counts().leaves);
                    let page_words = base.page_words();
                }
                |v| {
                    let above = base.above(v, $levels);
                    let words = base.words_of(above);
                }
                count(concat!($id, "-words"), concat!("words ", $name), "words", DOUBLING) => words,
                count(concat!($id, "-leaf-words"), concat!("words in a leaf ", $name), "words", DOUBLING) =>
                    ratio(words.into(), leaves.of(above)),
                count(concat!($id, "-link-density"), concat!("share of words inside links ", $name), "%", PERCENT) =>
                    share(base.link_words_of(above), words),
                count(concat!("share-of-", $id), concat!("the node's share of the words ", $name), "%", PERCENT) =>
                    share(base.words_of(v), words),
                count(concat!($id, "-share"), concat!("share of the page's words ", $name), "%", PERCENT) =>
                    share(words, page_words),
            }
        }
    };
}

level!(parent, 1, "parent", "of the parent");
level!(grandparent, 2, "grandparent", "two levels up");
level!(level_3, 3, "level-3", "three levels up");
level!(level_4, 4, "level-4", "four levels up");
