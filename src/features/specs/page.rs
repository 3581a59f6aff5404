//! The page as a whole: how much text of what kind it has, and what its metadata calls it. The same for all nodes.

use crate::features::counts::page_facts::{LINKED_DATA, OPEN_GRAPH};
use crate::features::ratio::share;
use crate::features::spec::{DOUBLING, FeatureSpec, PARTS, PERCENT, category, count, flag};

pub const FEATURES: &[FeatureSpec] = &[
    count!("page-words", "words of the page", "words", DOUBLING, page = |m| m.base.words_before(0).1),
    count!("page-leaves", "leaves of the page", "leaves", DOUBLING, page = |m| m.leaves().len()),
    count!("page-long-words", "words of long text", "words", DOUBLING, page = |m| m.base.long_words_of(0)),
    count!(
        "page-long-share",
        "share of the page's words that are long text",
        "%",
        PERCENT,
        page = |m| { share(m.base.long_words_of(0), m.base.words_before(0).1) }
    ),
    count!(
        "page-link-density",
        "share of the page's words inside links",
        "%",
        PERCENT,
        page = |m| { m.base.link_share(0) }
    ),
    count!(
        "page-full-stops",
        "full stops in a hundred words of the page",
        "%",
        PARTS,
        page = |m| {
            let sums = m.text(0);
            share(sums.full_stops, sums.words)
        }
    ),
    count!(
        "page-long-leaves",
        "leaves of long text",
        "leaves",
        DOUBLING,
        page = |m| m.page_facts().long_leaves
    ),
    count!(
        "page-longest",
        "words of the longest text",
        "words",
        DOUBLING,
        page = |m| { m.similarity().longest.map_or(0, |v| m.base.words_of(v)) }
    ),
    count!("page-articles", "article elements", "elements", DOUBLING, page = |m| m.page_facts().articles),
    flag!("page-has-main", "whether the page has a main element", page = |m| m.page_facts().has_main.into()),
    count!("page-h1", "h1 elements", "elements", DOUBLING, page = |m| m.page_facts().h1),
    count!("page-inputs", "fields and buttons", "elements", DOUBLING, page = |m| m.all_elements().inputs),
    count!("page-images", "images and videos", "elements", DOUBLING, page = |m| m.all_elements().images),
    count!("page-tables", "tables", "elements", DOUBLING, page = |m| m.page_facts().tables),
    count!("page-pre", "pre elements", "elements", DOUBLING, page = |m| m.page_facts().pre),
    count!(
        "page-digits",
        "share of characters that are digits",
        "%",
        PERCENT,
        page = |m| {
            let sums = m.text(0);
            share(sums.digits, sums.characters)
        }
    ),
    count!(
        "page-title-match",
        "how well a leaf repeats the title",
        "%",
        DOUBLING,
        page = |m| { m.similarity().title_match }
    ),
    count!(
        "page-description",
        "words of the page's description",
        "words",
        DOUBLING,
        page = |m| { m.similarity().description }
    ),
    count!(
        "page-linked-data",
        "words of texts in its JSON-LD",
        "words",
        DOUBLING,
        page = |m| { m.similarity().linked_data }
    ),
    count!(
        "page-times",
        "dates and times of the page",
        "dates",
        DOUBLING,
        page = |m| { m.comments().times(0, m.leaves().len()) }
    ),
    count!(
        "page-comment-areas",
        "elements named after comments",
        "elements",
        DOUBLING,
        page = |m| { m.comments().named().areas }
    ),
    count!(
        "page-words-outside-comments",
        "words of long text outside elements named after comments",
        "words",
        DOUBLING,
        page = |m| m.comments().words_outside,
    ),
    count!(
        "page-most-repeated",
        "inner nodes of the kind of which there are most",
        "nodes",
        DOUBLING,
        page = |m| m.repetition().of_most(),
    ),
    category!(
        "page-open-graph",
        "what og:type calls the page",
        OPEN_GRAPH,
        page = |m| { m.page_facts().open_graph.into() }
    ),
    category!(
        "page-schema",
        "what its JSON-LD is about",
        LINKED_DATA,
        page = |m| { m.page_facts().linked_data.into() }
    ),
];
