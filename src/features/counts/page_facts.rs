//! `PageFacts`, numbers of elements of the whole page, and what its metadata calls it.

use super::base::BaseCounts;
use super::leaves::Leaves;
use super::linked_data::is_linked_data;
use crate::dom::Tag;

/// What `og:type` may call a page.
pub const OPEN_GRAPH: &[&str] = &["none", "article", "website", "product", "other"];
/// What JSON-LD may be about.
pub const LINKED_DATA: &[&str] =
    &["none", "article", "product", "discussion", "service", "list", "questions"];

/// Facts of a page.
#[derive(Debug, Default)]
pub struct PageFacts {
    pub long_leaves: u32,
    pub articles: u32,
    pub has_main: bool,
    pub h1: u32,
    pub tables: u32,
    pub pre: u32,
    /// An index of [`OPEN_GRAPH`].
    pub open_graph: u8,
    /// An index of [`LINKED_DATA`].
    pub linked_data: u8,
}

impl PageFacts {
    /// Reads a page.
    pub fn new(base: &BaseCounts<'_>, leaves: &Leaves) -> Self {
        let dom = base.page.dom();
        let mut facts = PageFacts {
            long_leaves: leaves.iter().filter(|&v| base.is_long(v)).count() as u32,
            ..Self::default()
        };
        // The number of the name of the attribute, where any element has it.
        let role = dom.attribute_names().position(|name| name == "role").map(|number| number as u32);
        for id in dom.ids() {
            match dom.tag(id) {
                Tag::ARTICLE => facts.articles += 1,
                Tag::MAIN => facts.has_main = true,
                Tag::H1 => facts.h1 += 1,
                Tag::TABLE => facts.tables += 1,
                Tag::PRE => facts.pre += 1,
                Tag::META if dom.attribute(id, "property") == Some("og:type") => {
                    let content = dom.attribute(id, "content").unwrap_or_default().to_ascii_lowercase();
                    facts.open_graph = match &*content {
                        "article" => 1,
                        "website" => 2,
                        other if other.contains("product") => 3,
                        _ => 4,
                    };
                }
                Tag::SCRIPT if facts.linked_data == 0 && is_linked_data(dom, id) => {
                    facts.linked_data =
                        dom.children(id).map(|child| subject(dom.text(child))).find(|&s| s > 0).unwrap_or(0);
                }
                _ => {}
            }
            if !facts.has_main && role.is_some() {
                facts.has_main =
                    dom.numbered_attributes(id).any(|(name, value)| Some(name) == role && value == "main");
            }
        }
        facts
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
