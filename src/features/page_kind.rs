//! The page as a whole: how much text of what kind it has, and what its metadata calls it. The same for all nodes.

use super::measures::Measures;
use super::schema::{DOUBLING, FeatureSpec, PARTS, PERCENT, category, count, flag};
use super::similarity::is_linked_data;
use super::text_shape::share;
use crate::dom::Tag;

const OPEN_GRAPH: &[&str] = &["none", "article", "website", "product", "other"];
const LINKED_DATA: &[&str] = &["none", "article", "product", "discussion", "service", "list", "questions"];

pub(super) const FEATURES: &[FeatureSpec] = &[
    count("page-words", "words of the page", "words", DOUBLING, |m, _| m.words_before(0).1),
    count("page-leaves", "leaves of the page", "leaves", DOUBLING, |m, _| m.leaves().len()),
    count("page-long-words", "words of long text", "words", DOUBLING, |m, _| m.long_words_of(0)),
    count("page-long-share", "share of the page's words that are long text", "%", PERCENT, |m, _| {
        share(m.long_words_of(0), m.words_before(0).1)
    }),
    count("page-link-density", "share of the page's words inside links", "%", PERCENT, |m, _| {
        m.link_share(0)
    }),
    count("page-full-stops", "full stops in a hundred words of the page", "%", PARTS, |m, _| {
        let sums = m.text(0);
        share(sums.full_stops, sums.words)
    }),
    count("page-long-leaves", "leaves of long text", "leaves", DOUBLING, |m, _| m.page_kind().long_leaves),
    count("page-longest", "words of the longest text", "words", DOUBLING, |m, _| {
        m.similarity().longest.map_or(0, |v| m.words_of(v))
    }),
    count("page-articles", "article elements", "elements", DOUBLING, |m, _| m.page_kind().articles),
    flag("page-has-main", "whether the page has a main element", |m, _| m.page_kind().has_main.into()),
    count("page-h1", "h1 elements", "elements", DOUBLING, |m, _| m.page_kind().h1),
    count("page-inputs", "fields and buttons", "elements", DOUBLING, |m, _| m.all_elements().inputs),
    count("page-images", "images and videos", "elements", DOUBLING, |m, _| m.all_elements().images),
    count("page-tables", "tables", "elements", DOUBLING, |m, _| m.page_kind().tables),
    count("page-pre", "pre elements", "elements", DOUBLING, |m, _| m.page_kind().pre),
    count("page-digits", "share of characters that are digits", "%", PERCENT, |m, _| {
        let sums = m.text(0);
        share(sums.digits, sums.characters)
    }),
    count("page-title-match", "how well a leaf repeats the title", "%", DOUBLING, |m, _| {
        m.similarity().title_match
    }),
    count("page-description", "words of the page's description", "words", DOUBLING, |m, _| {
        m.similarity().description
    }),
    count("page-linked-data", "words of texts in its JSON-LD", "words", DOUBLING, |m, _| {
        m.similarity().linked_data
    }),
    category("page-open-graph", "what og:type calls the page", OPEN_GRAPH, |m, _| {
        m.page_kind().open_graph.into()
    }),
    category("page-schema", "what its JSON-LD is about", LINKED_DATA, |m, _| {
        m.page_kind().linked_data.into()
    }),
];

/// Facts of a page.
#[derive(Debug, Default)]
pub(super) struct PageKind {
    long_leaves: u32,
    articles: u32,
    has_main: bool,
    h1: u32,
    tables: u32,
    pre: u32,
    /// An index of [`OPEN_GRAPH`].
    open_graph: u8,
    /// An index of [`LINKED_DATA`].
    linked_data: u8,
}

impl PageKind {
    pub fn new(m: &Measures<'_>) -> Self {
        let dom = m.page.dom();
        let mut kind = PageKind {
            long_leaves: m.leaves().iter().filter(|&v| m.is_long(v)).count() as u32,
            ..Self::default()
        };
        for id in dom.ids() {
            match dom.tag(id) {
                Tag::ARTICLE => kind.articles += 1,
                Tag::MAIN => kind.has_main = true,
                Tag::H1 => kind.h1 += 1,
                Tag::TABLE => kind.tables += 1,
                Tag::PRE => kind.pre += 1,
                Tag::META if dom.attribute(id, "property") == Some("og:type") => {
                    let content = dom.attribute(id, "content").unwrap_or_default().to_ascii_lowercase();
                    kind.open_graph = match &*content {
                        "article" => 1,
                        "website" => 2,
                        other if other.contains("product") => 3,
                        _ => 4,
                    };
                }
                Tag::SCRIPT if kind.linked_data == 0 && is_linked_data(dom, id) => {
                    kind.linked_data =
                        dom.children(id).map(|child| subject(dom.text(child))).find(|&s| s > 0).unwrap_or(0);
                }
                _ => {}
            }
            kind.has_main |= dom.attribute(id, "role") == Some("main");
        }
        kind
    }
}

/// What a JSON-LD script is about: the first of these types that it names.
fn subject(json: &str) -> u8 {
    const TYPES: &[(&str, u8)] = &[
        ("\"Article\"", 1),
        ("NewsArticle", 1),
        ("BlogPosting", 1),
        ("\"Product\"", 2),
        ("DiscussionForum", 3),
        ("QAPage", 3),
        ("Service", 4),
        ("ItemList", 5),
        ("CollectionPage", 5),
        ("FAQPage", 6),
    ];
    TYPES
        .iter()
        .find(|(name, _)| memchr::memmem::find(json.as_bytes(), name.as_bytes()).is_some())
        .map_or(0, |t| t.1)
}
