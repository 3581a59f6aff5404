//! One value for each node.

use std::ops::Range;

use super::kind::{ColumnKind, Lookup, Tally};
use crate::view::Tree;

/// A count or a category of each node.
pub(super) struct Values<'a>(pub &'a [u32]);

impl<'a> ColumnKind<'a> for Values<'a> {
    #[inline]
    fn for_each(&self, _: &Tree, v: u32, mut each: impl FnMut(u32, u32)) {
        each(self.0[v as usize], 1);
    }

    fn for_each_possible(&self, each: impl FnMut(u32)) {
        self.0.iter().copied().for_each(each);
    }

    fn tally(&self, _: &Tree, tally: &mut impl Tally) {
        for (v, &x) in (0u32..).zip(self.0) {
            tally.node(v, x, 1);
        }
    }

    #[inline]
    fn look_up(&self, _: &Tree, nodes: Range<usize>, lookup: &mut impl Lookup) {
        for (v, &x) in nodes.clone().zip(&self.0[nodes]) {
            lookup.node(v, x, 1.0);
        }
    }
}
