//! Where nodes of a tree stand to each other: ancestors, levels between them, siblings.

use super::base::BaseCounts;
use crate::view::NONE;

impl BaseCounts<'_> {
    /// Of each node the lowest ancestor that it shares with the node `of`, itself included.
    pub fn common_ancestors(&self, of: u32) -> Vec<u32> {
        let tree = &self.view.tree;
        let mut common = vec![NONE; tree.len()];
        let mut above = of;
        while above != NONE && !tree.is_empty() {
            common[above as usize] = above;
            above = tree.parent(above);
        }
        for v in 1..tree.len() {
            if common[v] == NONE {
                common[v] = common[tree.parent(v as u32) as usize];
            }
        }
        common
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
