//! `Paths`, what the elements around each node of a DOM say: the parts of a page that they name, and whether they hide it.

use crate::dom::{Dom, NodeKind, Tag};
use crate::features::place::place;
use crate::index::NodeId;

/// Parts of a page, by bit of a set.
const PARTS: &[&str] = &[
    "header", "footer", "nav", "aside", "form", "control", "table", "list", "pre", "figure", "quote",
    "article", "main", "dialog",
];
/// The bit of a part in a set; in a function by [`part`], otherwise each call looks the name up.
pub const fn bit(part: &str) -> u16 {
    1 << place(PARTS, part)
}

/// [`bit`] of a literal, found as the program is compiled.
macro_rules! part {
    ($name:literal) => {
        const { $crate::features::counts::paths::bit($name) }
    };
}
pub(in crate::features) use part;

/// Parts outside which the page's main content stands.
pub const OUTSIDE_CONTENT: u16 = bit("footer") | bit("nav") | bit("aside") | bit("control") | bit("dialog");

/// What is around each node of the DOM.
pub struct Paths {
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
        // What the name of an attribute says, by the name's number.
        let says: Vec<Option<Says>> = dom.attribute_names().map(Says::of).collect();
        for id in dom.ids().skip(1) {
            let above = dom.parent(id).map_or(0, NodeId::index);
            let (mut own, mut hides) = match dom.kind(id) {
                NodeKind::Element => (part_of(dom.tag(id)), if dom.tag(id) == Tag::NOSCRIPT { 2 } else { 0 }),
                _ => (0, 0),
            };
            for (name, value) in dom.numbered_attributes(id) {
                match says[name as usize] {
                    None => {}
                    Some(Says::Role) => own |= part_of_role(value),
                    Some(Says::Modal) => own |= part!("dialog"),
                    Some(Says::Hidden) => hides |= 1,
                    Some(Says::AriaHidden) => hides |= u8::from(value == "true"),
                    Some(Says::Style) => hides |= u8::from(hides_by_style(value)),
                }
            }
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

    pub fn nearest(&self, id: NodeId) -> u32 {
        self.nearest[id.index()].into()
    }

    pub fn hidden(&self, id: NodeId) -> u32 {
        self.hidden[id.index()].into()
    }
}

/// An attribute that names a part or hides.
#[derive(Clone, Copy)]
enum Says {
    Role,
    Modal,
    Hidden,
    AriaHidden,
    Style,
}

impl Says {
    fn of(name: &str) -> Option<Says> {
        match name {
            "role" => Some(Says::Role),
            "aria-modal" => Some(Says::Modal),
            "hidden" => Some(Says::Hidden),
            "aria-hidden" => Some(Says::AriaHidden),
            "style" => Some(Says::Style),
            _ => None,
        }
    }
}

/// The part that an element names by its tag.
fn part_of(tag: Tag) -> u16 {
    match tag {
        Tag::HEADER => part!("header"),
        Tag::FOOTER => part!("footer"),
        Tag::NAV => part!("nav"),
        Tag::ASIDE => part!("aside"),
        Tag::FORM => part!("form"),
        Tag::BUTTON | Tag::SELECT | Tag::LABEL => part!("control"),
        Tag::TABLE => part!("table"),
        Tag::UL | Tag::OL | Tag::DL => part!("list"),
        Tag::PRE | Tag::CODE => part!("pre"),
        Tag::FIGURE | Tag::FIGCAPTION => part!("figure"),
        Tag::BLOCKQUOTE => part!("quote"),
        Tag::ARTICLE => part!("article"),
        Tag::MAIN => part!("main"),
        Tag::DIALOG => part!("dialog"),
        _ => 0,
    }
}

/// The part that an ARIA role names.
fn part_of_role(role: &str) -> u16 {
    match role {
        "banner" => part!("header"),
        "contentinfo" => part!("footer"),
        "navigation" | "menu" | "menubar" | "tablist" => part!("nav"),
        "complementary" => part!("aside"),
        "search" | "form" => part!("form"),
        "button" => part!("control"),
        "article" => part!("article"),
        "main" => part!("main"),
        "dialog" | "alertdialog" | "alert" => part!("dialog"),
        _ => 0,
    }
}

/// Whether an inline style says `display: none` or `visibility: hidden`.
fn hides_by_style(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let is = |text: &str, wanted: &str| text.trim().eq_ignore_ascii_case(wanted);
        let value = value.split('!').next().unwrap_or_default();
        is(property, "display") && is(value, "none") || is(property, "visibility") && is(value, "hidden")
    })
}
