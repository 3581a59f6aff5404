//! Structural context: the elements around a node that name a part of a page, and whether it is hidden.

use super::schema::{FeatureSpec, category, flag};
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// Parts of a page, by bit of a set.
const PARTS: &[&str] = &[
    "header", "footer", "nav", "aside", "form", "control", "table", "list", "pre", "figure", "quote",
    "article", "main", "dialog",
];
/// The values of `nearest-part`.
const NEAREST: &[&str] = &[
    "none", "header", "footer", "nav", "aside", "form", "control", "table", "list", "pre", "figure", "quote",
    "article", "main", "dialog",
];
const HIDDEN: &[&str] = &["shown", "hidden", "in noscript", "hidden in noscript"];

const fn bit(part: &str) -> u16 {
    let mut i = 0;
    while i < PARTS.len() {
        if equal(PARTS[i].as_bytes(), part.as_bytes()) {
            return 1 << i;
        }
        i += 1;
    }
    panic!("no such part")
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Parts outside which the page's main content stands.
pub(super) const FURNITURE: u16 = bit("footer") | bit("nav") | bit("aside") | bit("control") | bit("dialog");

macro_rules! inside {
    ($($id:literal $part:literal $name:literal,)*) => {
        &[
            $(flag($id, $name, |m, v| u32::from(m.paths().parts(m.view.nodes[v as usize].node) & bit($part) != 0)),)*
            category("nearest-part", "nearest element around that names a part of a page, by tag or role", NEAREST,
                |m, v| m.paths().nearest(m.view.nodes[v as usize].node)),
            category("hidden", "whether attributes hide the node, or it is for browsers without scripts", HIDDEN,
                |m, v| m.paths().hidden(m.view.nodes[v as usize].node)),
        ]
    };
}

pub(super) const FEATURES: &[FeatureSpec] = inside![
    "in-header" "header" "inside a header",
    "in-footer" "footer" "inside a footer",
    "in-nav" "nav" "inside navigation",
    "in-aside" "aside" "inside an aside",
    "in-form" "form" "inside a form",
    "in-control" "control" "inside a button, label or selection",
    "in-table" "table" "inside a table",
    "in-list" "list" "inside a list",
    "in-pre" "pre" "inside code or preformatted text",
    "in-figure" "figure" "inside a figure",
    "in-quote" "quote" "inside a block quotation",
    "in-article" "article" "inside an article element",
    "in-main" "main" "inside the main element",
    "in-dialog" "dialog" "inside a dialog",
];

/// What is around each node of the DOM.
pub(super) struct Paths {
    parts: Vec<u16>,
    nearest: Vec<u8>,
    hidden: Vec<u8>,
    depth: Vec<u16>,
}

impl Paths {
    /// One pass, since a parent comes before its children.
    pub fn new(dom: &Dom) -> Self {
        let n = dom.len();
        let mut paths =
            Paths { parts: vec![0; n], nearest: vec![0; n], hidden: vec![0; n], depth: vec![0; n] };
        for id in dom.ids().skip(1) {
            let above = dom.parent(id).map_or(0, NodeId::index);
            let (own, hides) = match dom.kind(id) {
                NodeKind::Element => (parts_of(dom, id), hides(dom, id)),
                _ => (0, 0),
            };
            let i = id.index();
            paths.parts[i] = paths.parts[above] | own;
            paths.nearest[i] = if own == 0 { paths.nearest[above] } else { own.trailing_zeros() as u8 + 1 };
            paths.hidden[i] = paths.hidden[above] | hides;
            paths.depth[i] = paths.depth[above].saturating_add(1);
        }
        paths
    }

    /// The parts that the node is or is inside of.
    pub fn parts(&self, id: NodeId) -> u16 {
        self.parts[id.index()]
    }

    /// Elements around the node.
    pub fn depth(&self, id: NodeId) -> u32 {
        self.depth[id.index()].into()
    }

    fn nearest(&self, id: NodeId) -> u32 {
        self.nearest[id.index()].into()
    }

    fn hidden(&self, id: NodeId) -> u32 {
        self.hidden[id.index()].into()
    }
}

/// The parts that an element names, by its tag or its ARIA role.
fn parts_of(dom: &Dom, id: NodeId) -> u16 {
    let by_tag = match dom.tag(id) {
        Tag::HEADER => bit("header"),
        Tag::FOOTER => bit("footer"),
        Tag::NAV => bit("nav"),
        Tag::ASIDE => bit("aside"),
        Tag::FORM => bit("form"),
        Tag::BUTTON | Tag::SELECT | Tag::LABEL => bit("control"),
        Tag::TABLE => bit("table"),
        Tag::UL | Tag::OL | Tag::DL => bit("list"),
        Tag::PRE | Tag::CODE => bit("pre"),
        Tag::FIGURE | Tag::FIGCAPTION => bit("figure"),
        Tag::BLOCKQUOTE => bit("quote"),
        Tag::ARTICLE => bit("article"),
        Tag::MAIN => bit("main"),
        Tag::DIALOG => bit("dialog"),
        _ => 0,
    };
    let mut parts = by_tag;
    for (name, value) in dom.attributes(id) {
        parts |= match (name, value) {
            ("role", "banner") => bit("header"),
            ("role", "contentinfo") => bit("footer"),
            ("role", "navigation" | "menu" | "menubar" | "tablist") => bit("nav"),
            ("role", "complementary") => bit("aside"),
            ("role", "search" | "form") => bit("form"),
            ("role", "button") => bit("control"),
            ("role", "article") => bit("article"),
            ("role", "main") => bit("main"),
            ("role", "dialog" | "alertdialog" | "alert") | ("aria-modal", _) => bit("dialog"),
            _ => 0,
        };
    }
    parts
}

/// Whether an element hides what is inside: bit 0 by its attributes, bit 1 from browsers with scripts.
fn hides(dom: &Dom, id: NodeId) -> u8 {
    let by_attribute = dom.attributes(id).any(|(name, value)| match name {
        "hidden" => true,
        "aria-hidden" => value == "true",
        "style" => hides_by_style(value),
        _ => false,
    });
    u8::from(by_attribute) | if dom.tag(id) == Tag::NOSCRIPT { 2 } else { 0 }
}

/// Whether an inline style says `display: none` or `visibility: hidden`.
fn hides_by_style(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let is = |text: &str, wanted: &str| text.trim().eq_ignore_ascii_case(wanted);
        let value = value.split('!').next().unwrap_or_default();
        is(property, "display") && is(value, "none") || is(property, "visibility") && is(value, "hidden")
    })
}
