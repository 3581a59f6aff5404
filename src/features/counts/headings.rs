//! `Headings`, the heading that each node of a page stands under.

use super::base::BaseCounts;
use crate::dom::{NodeKind, Tag};
use crate::view::NONE;

/// The headings of a page.
pub struct Headings {
    /// The first leaf in an `<h1>`.
    pub first_h1: Option<u32>,
    /// For each node the heading that it is, or the last leaf before it that is one.
    last: Vec<u32>,
    /// The level of that heading, 0 for none.
    level: Vec<u8>,
}

impl Headings {
    pub fn new(base: &BaseCounts<'_>) -> Self {
        let dom = base.page.dom();
        let n = base.view.tree.len();
        let mut headings =
            Headings { first_h1: None, last: Vec::with_capacity(n), level: Vec::with_capacity(n) };
        let (mut last, mut level) = (NONE, 0);
        for (v, node) in base.view.nodes.iter().enumerate() {
            if base.view.tree.is_leaf(v as u32) {
                // A heading may hold its text in an inline element or two.
                let around = std::iter::once(node.node).chain(dom.ancestors(node.node).take(3));
                let found = around
                    .filter(|&id| dom.kind(id) == NodeKind::Element)
                    .find_map(|id| dom.tag(id).heading_level().map(|level| (level, dom.tag(id))));
                if let Some((own, tag)) = found {
                    (last, level) = (v as u32, own);
                    if tag == Tag::H1 && headings.first_h1.is_none() {
                        headings.first_h1 = Some(last);
                    }
                }
            }
            headings.last.push(last);
            headings.level.push(level);
        }
        headings
    }

    pub fn level(&self, v: u32) -> u32 {
        self.level[v as usize].into()
    }

    /// The heading before the node, or the node itself.
    pub fn last(&self, v: u32) -> Option<u32> {
        Some(self.last[v as usize]).filter(|&last| last != NONE)
    }
}
