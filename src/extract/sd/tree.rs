//! `SdTree`, the style-density tree: the visible nodes of a page with their densities, and where they merge.

use crate::dom::{Dom, NodeKind, Tag};
use crate::index::{NodeId, NodeMap};
use crate::page::Page;
use crate::page_work::check_time;

/// Words that comments are recognized by, in text, class or id (footnote 2).
pub(super) const COMMENT_KEYWORDS: [&str; 6] = ["comment", "reply", "response", "user", "wrote:", "said:"];

/// The level of the children of `<body>`, where `<html>` has level 0.
const BRANCH_LEVEL: u32 = 2;

/// The style-density tree of a page (section 3.2): what the steps after the first need, without the page.
///
/// It depends on no threshold, so one tree serves every pair of them.
#[derive(Debug, Clone)]
pub struct SdTree {
    /// The nodes with text of their own, in the order of that text.
    pub(super) nodes: Vec<SdNode>,
    /// The strong elements that nodes merge into, in the order of their first node.
    pub(super) roots: Vec<SdRoot>,
}

/// An element with text of its own.
#[derive(Debug, Clone)]
pub(super) struct SdNode {
    /// Characters of its own text.
    pub density: u64,
    /// Index of the strong element it merges into.
    pub root: u32,
    /// Its visible text nodes, in document order.
    pub texts: Vec<NodeId>,
    /// The ancestor title of its text, seen from its root.
    pub title: Option<AncestorTitle>,
    /// Whether its text, or the class or id of a weak element from it up to its root, holds a keyword of comments.
    pub keyword: bool,
}

/// The title in an ancestor of a region (section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AncestorTitle {
    /// The heading.
    pub heading: NodeId,
    /// The level of the ancestor in which it was detected: the nearest that holds both heading and region.
    pub level: u32,
}

/// A strong element.
#[derive(Debug, Clone)]
pub(super) struct SdRoot {
    pub element: NodeId,
    pub parent: Option<NodeId>,
    /// Its ancestor-or-self that is a child of `<body>`.
    pub branch: Option<NodeId>,
    /// Number of ancestors up to `<html>`, which has level 0.
    pub level: u32,
    /// Number of child elements.
    pub cardinality: u32,
    /// Its class attribute, white space folded; empty without one.
    pub class: String,
    /// Whether its class or id holds a keyword of comments.
    pub keyword: bool,
}

impl SdTree {
    /// Steps 1 and the invisible part of step 2: densities of the visible nodes. Linear in the page, times the depth
    /// for ancestor titles.
    pub fn new(page: &Page) -> SdTree {
        Builder::new(page.dom()).build()
    }
}

/// Where an element stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    level: u32,
    /// The nearest element-or-self that is not inline: its text is theirs.
    block: NodeId,
    /// The nearest strong element-or-self.
    strong: NodeId,
    branch: Option<NodeId>,
    heading: Option<NodeId>,
    /// Whether a class or id from here up to the strong element holds a keyword.
    keyword: bool,
}

struct Builder<'a> {
    dom: &'a Dom,
    places: NodeMap<Place>,
    /// For each element the number of its node, if it has one yet.
    node_of: NodeMap<Option<u32>>,
    root_of: NodeMap<Option<u32>>,
    /// The last heading with text so far.
    heading: Option<NodeId>,
    texts: Vec<String>,
    tree: SdTree,
}

impl<'a> Builder<'a> {
    fn new(dom: &'a Dom) -> Self {
        let outside = Place {
            level: 0,
            block: NodeId::ROOT,
            strong: NodeId::ROOT,
            branch: None,
            heading: None,
            keyword: false,
        };
        Builder {
            dom,
            places: NodeMap::filled(dom.len(), outside),
            node_of: NodeMap::filled(dom.len(), None),
            root_of: NodeMap::filled(dom.len(), None),
            heading: None,
            texts: Vec::new(),
            tree: SdTree { nodes: Vec::new(), roots: Vec::new() },
        }
    }

    fn build(mut self) -> SdTree {
        let mut next = NodeId(1);
        while next.index() < self.dom.len() {
            check_time();
            let id = next;
            next = NodeId(id.0 + 1);
            match self.dom.kind(id) {
                NodeKind::Element if is_invisible(self.dom, id) => next = self.dom.subtree_end(id),
                NodeKind::Element => self.places[id] = self.place(id),
                NodeKind::Text => self.text(id),
                NodeKind::Document => {}
            }
        }
        for (node, text) in self.tree.nodes.iter_mut().zip(&self.texts) {
            node.density = characters(text);
            node.keyword |= has_keyword(text);
        }
        self.tree
    }

    fn place(&self, id: NodeId) -> Place {
        let tag = self.dom.tag(id);
        let parent = self.dom.parent(id).filter(|&parent| parent != NodeId::ROOT);
        let mut place = self.places[parent.unwrap_or(NodeId::ROOT)];
        place.level += u32::from(parent.is_some());
        if place.level == BRANCH_LEVEL {
            place.branch = Some(id);
        }
        if tag.heading_level().is_some() {
            place.heading = Some(id);
        }
        if tag.is_block() {
            place.block = id;
            let named = ["class", "id"].into_iter().filter_map(|name| self.dom.attribute(id, name));
            place.keyword |= named.into_iter().any(has_keyword);
        }
        if is_strong(tag) || place.level == 0 {
            place.block = id;
            place.strong = id;
            place.keyword = false;
        }
        place
    }

    fn text(&mut self, id: NodeId) {
        let place = self.places[self.dom.parent(id).unwrap_or(NodeId::ROOT)];
        let visible = self.dom.is_visible_text(id);
        if visible {
            // Headings of some text only: an image is no title that could be read.
            self.heading = self.heading.max(place.heading);
        }
        let number = match self.node_of[place.block] {
            Some(number) => number as usize,
            None if visible => self.begin_node(place),
            None => return,
        };
        self.texts[number].push_str(self.dom.text(id));
        if visible {
            self.tree.nodes[number].texts.push(id);
        }
    }

    fn begin_node(&mut self, place: Place) -> usize {
        let root = self.root(place.strong);
        let title = self.heading.map(|heading| {
            let around = std::iter::once(place.strong).chain(self.dom.ancestors(place.strong));
            // The heading stands before the text, so an ancestor that begins before the heading holds it.
            let nearest = around.into_iter().find(|&ancestor| ancestor <= heading).unwrap_or(NodeId::ROOT);
            AncestorTitle { heading, level: self.places[nearest].level }
        });
        let number = self.tree.nodes.len();
        self.tree.nodes.push(SdNode { density: 0, root, texts: Vec::new(), title, keyword: place.keyword });
        self.texts.push(String::new());
        self.node_of[place.block] = Some(number as u32);
        number
    }

    fn root(&mut self, element: NodeId) -> u32 {
        if let Some(root) = self.root_of[element] {
            return root;
        }
        let dom = self.dom;
        let elements = dom.children(element).filter(|&child| dom.kind(child) == NodeKind::Element);
        let root = self.tree.roots.len() as u32;
        self.tree.roots.push(SdRoot {
            element,
            parent: dom.parent(element),
            branch: self.places[element].branch,
            level: self.places[element].level,
            cardinality: elements.count() as u32,
            class: folded(dom.attribute(element, "class").unwrap_or_default()),
            keyword: ["class", "id"].iter().any(|name| dom.attribute(element, name).is_some_and(has_keyword)),
        });
        self.root_of[element] = Some(root);
        root
    }
}

/// Whether a tag divides or organizes the page (section 3.1 names table, tr, div, ul, tbody, "etc.").
pub(super) fn is_strong(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::HTML
            | Tag::BODY
            | Tag::TABLE
            | Tag::THEAD
            | Tag::TBODY
            | Tag::TFOOT
            | Tag::TR
            | Tag::DIV
            | Tag::UL
            | Tag::OL
            | Tag::DL
            | Tag::MENU
            | Tag::DIR
            | Tag::FORM
            | Tag::FIELDSET
            | Tag::ARTICLE
            | Tag::ASIDE
            | Tag::DETAILS
            | Tag::DIALOG
            | Tag::FOOTER
            | Tag::HEADER
            | Tag::MAIN
            | Tag::NAV
            | Tag::SEARCH
            | Tag::SECTION
    )
}

/// Whether nothing in the element is seen: scripts and the like, and elements that their own attributes hide.
fn is_invisible(dom: &Dom, id: NodeId) -> bool {
    dom.tag(id).hides_text()
        || dom.attributes(id).any(|(name, value)| name == "hidden" || name == "style" && hides(value))
}

/// Whether an inline style says `display: none` or `visibility: hidden`.
fn hides(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let value = value.split('!').next().unwrap_or_default().trim();
        let is = |name: &str, hidden: &str| {
            property.trim().eq_ignore_ascii_case(name) && value.eq_ignore_ascii_case(hidden)
        };
        is("display", "none") || is("visibility", "hidden")
    })
}

fn has_keyword(text: &str) -> bool {
    let text = text.to_lowercase();
    COMMENT_KEYWORDS.iter().any(|keyword| text.contains(keyword))
}

fn folded(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// The density of a text: its characters (Unicode scalar values), each run of white space within as one, none at
/// the ends.
///
/// # Examples
/// ```
/// assert_eq!(duramen::extract::sd::characters("  The oak\n\ttree "), 12);
/// ```
pub fn characters(text: &str) -> u64 {
    let words = text.split_whitespace();
    let (letters, n) = words.fold((0, 0), |(letters, n), word| (letters + word.chars().count(), n + 1u64));
    letters as u64 + n.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    fn page(html: &str) -> Page {
        Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap()
    }

    fn densities(html: &str) -> Vec<u64> {
        SdTree::new(&page(html)).nodes.iter().map(|node| node.density).collect()
    }

    /// The names of the strong elements that the nodes merge into.
    fn roots(html: &str) -> Vec<String> {
        let page = page(html);
        let tree = SdTree::new(&page);
        tree.nodes
            .iter()
            .map(|node| page.dom().name(tree.roots[node.root as usize].element).to_owned())
            .collect()
    }

    #[test]
    fn a_node_counts_its_own_characters_and_not_those_of_nodes_inside_it() {
        assert_eq!(densities("<div>four<p>seventy</p> more </div>"), [9, 7]);
    }

    #[test]
    fn an_inline_element_is_part_of_its_node() {
        assert_eq!(densities("<p>The <b>old</b> <a href=x><span>oak</span></a></p>"), [11]);
    }

    #[test]
    fn invisible_nodes_are_left_out_with_everything_inside() {
        for hidden in [
            "<div style='display:none'><p>x</p></div>",
            "<div style='color:red; Visibility : HIDDEN !important'>x</div>",
            "<div hidden>x</div>",
            "<script>x</script>",
        ] {
            assert_eq!(densities(&format!("{hidden}<p>seen")), [4], "{hidden}");
        }
        assert_eq!(densities("<div style='display:block; visibility: visible'>x</div>"), [1]);
    }

    #[test]
    fn a_weak_node_merges_into_the_nearest_strong_element() {
        assert_eq!(roots("<div><blockquote><p>x"), ["div"]);
        assert_eq!(roots("<table><tr><td><p>x</p><td><div>y"), ["tr", "div"]);
        assert_eq!(roots("<ul><li>x<li>y"), ["ul", "ul"]);
        assert_eq!(roots("<p>x"), ["body"]);
        assert_eq!(roots("<section>x</section><x-card><p>y"), ["section", "body"]);
    }

    #[test]
    fn the_title_is_the_last_heading_before_the_text_and_its_level_that_of_what_holds_both() {
        let page =
            page("<div id=a><h2>t</h2><div id=b><div id=c>text</div></div></div><h3></h3><div>last</div>");
        let tree = SdTree::new(&page);
        let titles: Vec<_> =
            tree.nodes.iter().map(|n| n.title.map(|t| (page.dom().name(t.heading), t.level))).collect();
        // The heading itself, in #a at level 2; "text" in #c under #a; "last" shares only the body with it.
        assert_eq!(titles, [Some(("h2", 2)), Some(("h2", 2)), Some(("h2", 1))]);
        assert_eq!(tree.roots.iter().map(|root| root.level).collect::<Vec<_>>(), [2, 4, 2]);
    }

    #[test]
    fn a_text_without_heading_before_it_has_no_title() {
        assert_eq!(SdTree::new(&page("<div>x</div><h1>late</h1>")).nodes[0].title, None);
    }

    #[test]
    fn keywords_are_found_in_text_and_in_class_and_id_up_to_the_strong_element() {
        let keywords = |html: &str| {
            let tree = SdTree::new(&page(html));
            tree.nodes.iter().map(|n| n.keyword || tree.roots[n.root as usize].keyword).collect::<Vec<_>>()
        };
        assert_eq!(keywords("<div><p>Ann <b>Wrote</b>: no</p></div><p>oak"), [true, false]);
        assert_eq!(keywords("<ol><li class='Comment odd'><p>oak</ol>"), [true]);
        assert_eq!(keywords("<div id=replies><p>oak</p></div><div id=reply-2><p>oak"), [false, true]);
        // The class of an outer strong element is that of another region.
        assert_eq!(keywords("<div class=comments><div>oak"), [false]);
    }

    #[test]
    fn white_space_counts_once_and_not_at_the_ends() {
        assert_eq!(characters(" \n"), 0);
        assert_eq!(characters("\u{e9}\u{a0} \u{6771}"), 3);
    }
}
