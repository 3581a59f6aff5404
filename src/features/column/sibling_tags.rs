//! The tags of each node's siblings: those of the parent's children, less the node's own.
//!
//! Written out for each node they would take room and time quadratic in the number of siblings; so what all children of
//! a parent have is added up, or looked up, once for all of them.

use std::ops::Range;

use super::kind::{ColumnKind, Lookup, Tally};
use super::tag_histograms::TagHistograms;
use crate::view::{NONE, Tree};

/// The histograms of the children, and each node's own tag.
pub(super) struct SiblingTags<'a>(pub &'a TagHistograms);

impl<'a> ColumnKind<'a> for SiblingTags<'a> {
    #[inline]
    fn for_each(&self, tree: &Tree, v: u32, mut each: impl FnMut(u32, u32)) {
        let parent = tree.parent(v);
        if parent == NONE {
            return;
        }
        let own = self.0.own(v);
        for &(tag, n) in self.0.children(parent) {
            let others = n - u32::from(tag == own);
            if others > 0 {
                each(tag, others);
            }
        }
    }

    fn for_each_possible(&self, each: impl FnMut(u32)) {
        self.0.tags().for_each(each);
    }

    fn tally(&self, tree: &Tree, tally: &mut impl Tally) {
        for parent in (0..tree.len() as u32).filter(|&v| !tree.is_leaf(v)) {
            for child in tree.children(parent) {
                tally.node(child, self.0.own(child), -1);
            }
            tally.children(parent, self.0.children(parent));
        }
    }

    #[inline]
    fn look_up(&self, tree: &Tree, nodes: Range<usize>, lookup: &mut impl Lookup) {
        for v in nodes {
            let parent = tree.parent(v as u32);
            if parent != NONE {
                lookup.children(v, parent);
                lookup.node(v, self.0.own(v as u32), -1.0);
            }
        }
    }

    fn children_histograms(&self) -> Option<&'a TagHistograms> {
        Some(self.0)
    }
}
