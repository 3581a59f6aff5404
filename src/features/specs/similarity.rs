//! Similarity: words that the node shares with the page's title, with what its metadata says of it, and with its
//! longest text.

use crate::features::counts::similarity::Part;
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, PERCENT, count, family};

family! {
    |m| { let (view, similarity, keys) = (m.base.view, &m.counts().similarity, &m.counts().word_keys); }
    |v| {
        let words = keys.count(view, v);
        let shared = similarity.sums(view, v);
        // The share of the node's words that stand in a part of the page.
        let overlap = |part: Part| share(shared[part as usize], words);
    }
    count("title-share", "share of the title's words in the leaf", "%", PERCENT) => similarity.title_share(v),
    count("title-words", "share of the node's words that stand in the title", "%", PERCENT) => overlap(Part::Title),
    count("description-overlap", "share of words that stand in the page's description", "%", PERCENT) =>
        overlap(Part::Description),
    count("description-words", "words that stand in the page's description", "words", DOUBLING) =>
        shared[Part::Description as usize],
    count("linked-data-overlap", "share of words that stand in texts of the page's JSON-LD", "%", PERCENT) =>
        overlap(Part::LinkedData),
    count("longest-overlap", "share of words that stand in the page's longest text", "%", PERCENT) =>
        overlap(Part::Longest),
}
