//! The page as a whole: how much text of what kind it has, and what its metadata calls it. The same for all nodes.

use crate::features::counts::page_kind::{LINKED_DATA, OPEN_GRAPH};
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, PARTS, PERCENT, category, count, family, flag};

family! {
    |m| {
        let (base, walk, counts) = (&m.base, &m.walk, m.counts());
        let (leaves, similarity) = (&counts.leaves, &counts.similarity);
        let (elements, text) = (walk.elements.all(), counts.texts.of(base.view, 0));
        let (words, long_words) = (base.page_words(), base.long_words_of(0));
    }
    count("page-words", "words of the page", "words", DOUBLING) => words,
    count("page-leaves", "leaves of the page", "leaves", DOUBLING) => leaves.len(),
    count("page-long-words", "words of long text", "words", DOUBLING) => long_words,
    count("page-long-share", "share of the page's words that are long text", "%", PERCENT) => share(long_words, words),
    count("page-link-density", "share of the page's words inside links", "%", PERCENT) => base.link_share(0),
    count("page-full-stops", "full stops in a hundred words of the page", "%", PARTS) =>
        share(text.full_stops, text.words),
    count("page-long-leaves", "leaves of long text", "leaves", DOUBLING) => leaves.long(),
    count("page-longest", "words of the longest text", "words", DOUBLING) =>
        similarity.longest.map_or(0, |v| base.words_of(v)),
    count("page-articles", "article elements", "elements", DOUBLING) => walk.articles,
    flag("page-has-main", "whether the page has a main element") => walk.has_main.into(),
    count("page-h1", "h1 elements", "elements", DOUBLING) => walk.h1,
    count("page-inputs", "fields and buttons", "elements", DOUBLING) => elements.inputs,
    count("page-images", "images and videos", "elements", DOUBLING) => elements.images,
    count("page-tables", "tables", "elements", DOUBLING) => walk.tables,
    count("page-pre", "pre elements", "elements", DOUBLING) => walk.pre,
    count("page-digits", "share of characters that are digits", "%", PERCENT) => share(text.digits, text.characters),
    count("page-title-match", "how well a leaf repeats the title", "%", DOUBLING) => similarity.title_match,
    count("page-description", "words of the page's description", "words", DOUBLING) => similarity.description,
    count("page-linked-data", "words of texts in its JSON-LD", "words", DOUBLING) => similarity.linked_data,
    count("page-times", "dates and times of the page", "dates", DOUBLING) => counts.times(0, leaves.len()),
    count("page-comment-areas", "elements named after comments", "elements", DOUBLING) => walk.comment_areas,
    count(
        "page-words-outside-comments",
        "words of long text outside elements named after comments",
        "words",
        DOUBLING,
    ) => long_words.saturating_sub(counts.comments.words()),
    count("page-most-repeated", "inner nodes of the kind of which there are most", "nodes", DOUBLING) =>
        counts.repetition.of_most(),
    category("page-open-graph", "what og:type calls the page", OPEN_GRAPH) => counts.page_kind[0],
    category("page-schema", "what its JSON-LD is about", LINKED_DATA) => counts.page_kind[1],
}
