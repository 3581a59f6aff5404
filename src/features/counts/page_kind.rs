//! What the metadata of a page calls it.

use crate::dom::{Dom, Tag};
use crate::index::NodeId;

/// What `og:type` may call a page.
pub const OPEN_GRAPH: &[&str] = &["none", "article", "website", "product", "other"];
/// What JSON-LD may be about.
pub const LINKED_DATA: &[&str] =
    &["none", "article", "product", "discussion", "service", "list", "questions"];

/// What og:type calls the page, an index of [`OPEN_GRAPH`], and what its JSON-LD is about, of [`LINKED_DATA`], by the
/// [head](super::walk::DomWalk::head) of the page.
pub fn page_kind(dom: &Dom, head: &[NodeId]) -> [u32; 2] {
    let (mut open_graph, mut linked_data) = (0, 0);
    for &id in head {
        match dom.tag(id) {
            Tag::META if dom.attribute(id, "property") == Some("og:type") => {
                let content = dom.attribute(id, "content").unwrap_or_default().to_ascii_lowercase();
                open_graph = match &*content {
                    "article" => 1,
                    "website" => 2,
                    other if other.contains("product") => 3,
                    _ => 4,
                };
            }
            Tag::SCRIPT if linked_data == 0 => {
                let mut subjects = dom.children(id).map(|child| subject(dom.text(child)));
                linked_data = subjects.find(|&subject| subject > 0).unwrap_or(0);
            }
            _ => {}
        }
    }
    [open_graph, linked_data.into()]
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
