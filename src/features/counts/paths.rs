//! What elements say by tag, role and style: the parts and regions of a page that they name, and whether they hide it.

use crate::dom::Tag;
use crate::features::place::place;

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
pub(crate) use part;

/// Parts outside which the page's main content stands.
pub const OUTSIDE_CONTENT: u16 = bit("footer") | bit("nav") | bit("aside") | bit("control") | bit("dialog");

/// The part that an element names by its tag.
pub fn part_of(tag: Tag) -> u16 {
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
pub fn part_of_role(role: &str) -> u16 {
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

/// The regions of a page; 0 for none.
pub const REGIONS: &[&str] = &[
    "none", "article", "main", "header", "footer", "nav", "aside", "form", "figure", "list", "table",
    "heading",
];

/// The region that an element names by its tag.
pub fn region_of(tag: Tag) -> Option<u8> {
    /// The number of a region by its name, found as the program is compiled.
    macro_rules! number {
        ($name:literal) => {
            const { place(REGIONS, $name) as u8 }
        };
    }
    Some(match tag {
        Tag::ARTICLE => number!("article"),
        Tag::MAIN => number!("main"),
        Tag::HEADER => number!("header"),
        Tag::FOOTER => number!("footer"),
        Tag::NAV => number!("nav"),
        Tag::ASIDE => number!("aside"),
        Tag::FORM => number!("form"),
        Tag::FIGURE | Tag::FIGCAPTION => number!("figure"),
        Tag::UL | Tag::OL | Tag::DL | Tag::MENU => number!("list"),
        Tag::TABLE => number!("table"),
        tag if tag.heading_level().is_some() => number!("heading"),
        _ => return None,
    })
}

/// Whether an inline style says `display: none` or `visibility: hidden`.
pub fn hides_by_style(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        let is = |text: &str, wanted: &str| text.trim().eq_ignore_ascii_case(wanted);
        let value = value.split('!').next().unwrap_or_default();
        is(property, "display") && is(value, "none") || is(property, "visibility") && is(value, "hidden")
    })
}
