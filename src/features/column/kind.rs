//! `ColumnKind`, what a kind of column answers, and the two ways in which tables and columns meet.

use std::ops::Range;

use super::tag_histograms::TagHistograms;
use crate::view::Tree;

/// A kind of column, over the values of one page.
pub(super) trait ColumnKind<'a> {
    /// Gives `each` the values of a node, with how often it has them.
    fn for_each(&self, tree: &Tree, v: u32, each: impl FnMut(u32, u32));

    /// Gives `each` every value that a node may have; one may come more than once.
    fn for_each_possible(&self, each: impl FnMut(u32));

    /// Adds the nodes up by their values.
    fn tally(&self, tree: &Tree, tally: &mut impl Tally);

    /// Looks the values of some nodes up, in order.
    fn look_up(&self, tree: &Tree, nodes: Range<usize>, lookup: &mut impl Lookup);

    /// What the children of each node have together, where [`Lookup::children`] is used.
    fn children_histograms(&self) -> Option<&'a TagHistograms> {
        None
    }
}

/// What nodes are added to by their values: counts, or derivatives of a table.
pub(crate) trait Tally {
    /// Node `v` has a value so many times. Where it is less than none, a parent's children have the value as often more,
    /// before or after.
    fn node(&mut self, v: u32, value: u32, times: i32);

    /// Every child of `parent` has all of these (value, number).
    fn children(&mut self, parent: u32, values: &[(u32, u32)]);
}

/// What the values of nodes are looked up in: a table of logarithms.
pub(crate) trait Lookup {
    /// Node `v` has a value so many times.
    fn node(&mut self, v: usize, value: u32, times: f64);

    /// Node `v` has what all children of `parent` have together.
    fn children(&mut self, v: usize, parent: u32);
}
