//! Where nodes of a tree stand to each other: ancestors, levels between them, siblings.

use super::base::BaseCounts;
use crate::view::NONE;

impl BaseCounts<'_> {
    /// Levels from `from` up to its lowest common ancestor with `v`.
    pub fn levels_up_to(&self, from: u32, v: u32) -> u32 {
        self.depth[from as usize] - self.depth[self.common_ancestor(from, v) as usize]
    }

    /// Levels from the lowest common ancestor of `from` and `v` down to `v`.
    pub fn levels_down_to(&self, from: u32, v: u32) -> u32 {
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

    /// Whether the node is the ancestor or stands below it.
    pub fn is_below(&self, v: u32, ancestor: u32) -> bool {
        let mut node = v;
        while node != NONE && node > ancestor {
            node = self.view.tree.parent(node);
        }
        node == ancestor
    }

    /// The tag of the node, by its number.
    pub fn tag(&self, v: u32) -> u32 {
        self.page.dom().tag(self.view.nodes[v as usize].node).index() as u32
    }

    /// The node's siblings, itself left out.
    pub fn siblings(&self, v: u32) -> u32 {
        match self.view.tree.parent(v) {
            NONE => 0,
            parent => self.children[parent as usize] - 1,
        }
    }
}
