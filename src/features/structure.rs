//! Features of a node's place in the tree.

use super::measures::Measures;
use crate::dom::{NodeKind, Tag};
use crate::view::NONE;

/// The names of tags, by number.
pub(super) const TAGS: &[&str] = Tag::names();

pub(super) fn tag(m: &Measures<'_>, v: u32) -> u32 {
    m.page.dom().tag(m.view.nodes[v as usize].node).index() as u32
}

pub(super) fn parent_tag(m: &Measures<'_>, v: u32) -> u32 {
    match m.view.tree.parent(v) {
        NONE => Tag::DOCUMENT.index() as u32,
        parent => tag(m, parent),
    }
}

pub(super) fn children(m: &Measures<'_>, v: u32) -> u32 {
    m.children[v as usize]
}

pub(super) fn siblings(m: &Measures<'_>, v: u32) -> u32 {
    match m.view.tree.parent(v) {
        NONE => 0,
        parent => m.children[parent as usize] - 1,
    }
}

/// The tag of the element around the first text node of a leaf, where it is an inline one (`<b>`, `<a>`, `<font>`,
/// `<span>`) that holds all of the leaf's text; of the node itself otherwise.
pub(super) fn inline_tag(m: &Measures<'_>, v: u32) -> u32 {
    let dom = m.page.dom();
    let node = &m.view.nodes[v as usize];
    if !m.view.tree.is_leaf(v) || node.texts.is_empty() {
        return tag(m, v);
    }
    let first = m.view.texts[node.texts.start as usize];
    let last = m.view.texts[node.texts.end as usize - 1];
    let around = dom.ancestors(first).find(|&id| dom.is_in_subtree(last, id));
    around.map_or(tag(m, v), |id| dom.tag(id).index() as u32)
}

/// The values of [`main_relation`]: where a node stands to the main node, and how many levels above the main node
/// their lowest common ancestor is.
pub(super) const RELATIONS: &[&str] = &[
    "inside",
    "around, 1 level",
    "around, 2 levels",
    "around, 3+ levels",
    "before, 1 level",
    "before, 2 levels",
    "before, 3 levels",
    "before, 4+ levels",
    "after, 1 level",
    "after, 2 levels",
    "after, 3 levels",
    "after, 4+ levels",
];

/// Whether the node stands inside the main node, around it, before or after it, and how far.
///
/// One feature and not two: side and levels say much the same, and naive Bayes would count it twice.
pub(super) fn main_relation(m: &Measures<'_>, v: u32) -> u32 {
    let levels = main_levels(m, v);
    if is_below(m, v, m.main) {
        0
    } else if is_below(m, m.main, v) {
        levels.clamp(1, 3)
    } else if v < m.main {
        3 + levels.clamp(1, 4)
    } else {
        7 + levels.clamp(1, 4)
    }
}

/// Levels from the main node up to its lowest common ancestor with the node: 0 inside the main node.
fn main_levels(m: &Measures<'_>, v: u32) -> u32 {
    m.levels_up_to(m.main, v)
}

impl Measures<'_> {
    /// Levels from `from` up to its lowest common ancestor with `v`.
    pub(super) fn levels_up_to(&self, from: u32, v: u32) -> u32 {
        self.depth[from as usize] - self.depth[self.common_ancestor(from, v) as usize]
    }

    /// Levels from the lowest common ancestor of `from` and `v` down to `v`.
    pub(super) fn levels_down_to(&self, from: u32, v: u32) -> u32 {
        self.depth[v as usize] - self.depth[self.common_ancestor(from, v) as usize]
    }

    fn common_ancestor(&self, mut a: u32, mut b: u32) -> u32 {
        let tree = &self.view.tree;
        while a != b {
            // In preorder a parent's number is smaller, so the larger of two different nodes is never the ancestor.
            if a > b {
                a = tree.parent(a);
            } else {
                b = tree.parent(b);
            }
        }
        a
    }

    /// The ancestor so many levels up, or the root.
    pub(super) fn above(&self, v: u32, levels: u32) -> u32 {
        (0..levels).fold(v, |node, _| match self.view.tree.parent(node) {
            NONE => node,
            parent => parent,
        })
    }
}

fn is_below(m: &Measures<'_>, v: u32, ancestor: u32) -> bool {
    let mut node = v;
    while node != NONE && node > ancestor {
        node = m.view.tree.parent(node);
    }
    node == ancestor
}

/// The values of [`region`].
pub(super) const REGIONS: &[&str] = &[
    "none", "article", "main", "header", "footer", "nav", "aside", "form", "figure", "list", "table",
    "heading",
];

/// The nearest element at or above the node that names a part of a page.
pub(super) fn region(m: &Measures<'_>, v: u32) -> u32 {
    let dom = m.page.dom();
    let node = m.view.nodes[v as usize].node;
    let named = std::iter::once(node).chain(dom.ancestors(node)).find_map(|id| {
        if dom.kind(id) != NodeKind::Element {
            return None;
        }
        Some(match dom.tag(id) {
            Tag::ARTICLE => "article",
            Tag::MAIN => "main",
            Tag::HEADER => "header",
            Tag::FOOTER => "footer",
            Tag::NAV => "nav",
            Tag::ASIDE => "aside",
            Tag::FORM => "form",
            Tag::FIGURE | Tag::FIGCAPTION => "figure",
            Tag::UL | Tag::OL | Tag::DL | Tag::MENU => "list",
            Tag::TABLE => "table",
            tag if tag.heading_level().is_some() => "heading",
            _ => return None,
        })
    });
    let name = named.unwrap_or("none");
    REGIONS.iter().position(|&region| region == name).expect("every region is listed") as u32
}

#[cfg(test)]
mod tests {
    use super::super::measures::Measures;
    use super::*;
    use crate::dom::Limits;
    use crate::page::Page;
    use crate::view::{PageView, View};

    #[test]
    fn places_are_seen_from_the_main_node() {
        let long = "words ".repeat(40);
        let html = format!(
            "<h1>head</h1><div><p>before</p><div><p>{long}</p><p>in</p></div><p>after</p></div><footer>f</footer>"
        );
        let page = Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let m = Measures::new(&page, &view, None);
        let all = |feature: fn(&Measures<'_>, u32) -> u32| -> Vec<u32> {
            (0..view.tree.len() as u32).map(|v| feature(&m, v)).collect()
        };
        // body, h1, div, before, div, long (the main node), in, after, footer
        assert_eq!(m.main, 5);
        assert_eq!(all(main_levels), [3, 3, 2, 2, 1, 0, 1, 2, 3]);
        let relations: Vec<&str> = all(main_relation).into_iter().map(|r| RELATIONS[r as usize]).collect();
        assert_eq!(
            relations[..4],
            ["around, 3+ levels", "before, 3 levels", "around, 2 levels", "before, 2 levels"]
        );
        assert_eq!(relations[5..], ["inside", "after, 1 level", "after, 2 levels", "after, 3 levels"]);
        assert_eq!(all(siblings), [0, 2, 2, 2, 2, 1, 1, 2, 2]);
        assert_eq!(REGIONS[region(&m, 1) as usize], "heading");
        assert_eq!(REGIONS[region(&m, 8) as usize], "footer");
    }

    #[test]
    fn the_inline_element_around_a_whole_leaf_is_named() {
        let html = "<p><b>all <i>bold</i> text</b></p><p>half <b>bold</b></p>";
        let page = Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let m = Measures::new(&page, &view, None);
        assert_eq!([inline_tag(&m, 1), inline_tag(&m, 2)], [Tag::B.index() as u32, Tag::P.index() as u32]);
    }
}
