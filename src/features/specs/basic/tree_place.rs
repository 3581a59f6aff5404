//! Values of features of a node's place in the tree: what is around it, and where the main node is.

use crate::dom::Tag;
use crate::features::counts::base::BaseCounts;
use crate::view::NONE;

/// The tag of the parent.
pub fn parent_tag(base: &BaseCounts<'_>, v: u32) -> u32 {
    match base.view.tree.parent(v) {
        NONE => Tag::DOCUMENT.index() as u32,
        parent => base.tag(parent),
    }
}

/// The tag of the element around the first text node of a leaf, where it is an inline one (`<b>`, `<a>`, `<font>`,
/// `<span>`) that holds all of the leaf's text; of the node itself otherwise.
pub fn inline_tag(base: &BaseCounts<'_>, v: u32) -> u32 {
    let dom = base.page.dom();
    let node = &base.view.nodes[v as usize];
    if !base.view.tree.is_leaf(v) || node.texts.is_empty() {
        return base.tag(v);
    }
    let first = base.view.texts[node.texts.start as usize];
    let last = base.view.texts[node.texts.end as usize - 1];
    let around = dom.ancestors(first).find(|&id| dom.is_in_subtree(last, id));
    around.map_or_else(|| base.tag(v), |id| dom.tag(id).index() as u32)
}

/// The values of [`main_relation`]: where a node stands to the main node, and how many levels above the main node
/// their lowest common ancestor is.
pub const RELATIONS: &[&str] = &[
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
/// `common` is the lowest ancestor that the two share.
pub fn main_relation(base: &BaseCounts<'_>, common: u32, v: u32) -> u32 {
    let levels = base.depth[base.main as usize] - base.depth[common as usize];
    if common == base.main {
        0
    } else if common == v {
        levels.clamp(1, 3)
    } else if v < base.main {
        3 + levels.clamp(1, 4)
    } else {
        7 + levels.clamp(1, 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;
    use crate::features::counts::paths::REGIONS;
    use crate::features::measures::Measures;
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
        let base = &m.base;
        let common = base.common_ancestors(base.main);
        let all =
            |feature: &dyn Fn(u32) -> u32| (0..view.tree.len() as u32).map(feature).collect::<Vec<u32>>();
        // body, h1, div, before, div, long (the main node), in, after, footer
        assert_eq!(base.main, 5);
        assert_eq!(
            all(&|v| base.depth[5] - base.depth[common[v as usize] as usize]),
            [3, 3, 2, 2, 1, 0, 1, 2, 3]
        );
        let relations = all(&|v| main_relation(base, common[v as usize], v));
        let relations: Vec<&str> = relations.into_iter().map(|r| RELATIONS[r as usize]).collect();
        assert_eq!(
            relations[..4],
            ["around, 3+ levels", "before, 3 levels", "around, 2 levels", "before, 2 levels"]
        );
        assert_eq!(relations[5..], ["inside", "after, 1 level", "after, 2 levels", "after, 3 levels"]);
        assert_eq!(all(&|v| base.siblings(v)), [0, 2, 2, 2, 2, 1, 1, 2, 2]);
        let region = |v: usize| REGIONS[m.walk.around[view.nodes[v].node.index()].region as usize];
        assert_eq!([region(1), region(8)], ["heading", "footer"]);
    }

    #[test]
    fn the_inline_element_around_a_whole_leaf_is_named() {
        let html = "<p><b>all <i>bold</i> text</b></p><p>half <b>bold</b></p>";
        let page = Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let m = Measures::new(&page, &view, None);
        let base = &m.base;
        assert_eq!(
            [inline_tag(base, 1), inline_tag(base, 2)],
            [Tag::B.index() as u32, Tag::P.index() as u32]
        );
    }
}
