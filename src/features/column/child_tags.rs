//! The tags of each node's children.

use std::ops::Range;

use super::kind::{ColumnKind, Lookup, Tally};
use super::tag_histograms::TagHistograms;
use crate::view::Tree;

/// The histograms as they are.
pub(super) struct ChildTags<'a>(pub &'a TagHistograms);

impl<'a> ColumnKind<'a> for ChildTags<'a> {
    #[inline]
    fn for_each(&self, _: &Tree, v: u32, mut each: impl FnMut(u32, u32)) {
        self.0.children(v).iter().for_each(|&(tag, n)| each(tag, n));
    }

    fn for_each_possible(&self, each: impl FnMut(u32)) {
        self.0.tags().for_each(each);
    }

    fn tally(&self, tree: &Tree, tally: &mut impl Tally) {
        for v in 0..tree.len() as u32 {
            for &(tag, n) in self.0.children(v) {
                tally.node(v, tag, n as i32);
            }
        }
    }

    #[inline]
    fn look_up(&self, _: &Tree, nodes: Range<usize>, lookup: &mut impl Lookup) {
        for v in nodes {
            for &(tag, n) in self.0.children(v as u32) {
                lookup.node(v, tag, n.into());
            }
        }
    }
}
