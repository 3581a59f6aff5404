//! `Column`, the values of one feature by node, and what every kind of column is asked for.
//!
//! A kind of column is a file that implements `ColumnKind`, and a line in `ask`; who reads columns asks a `Column` and
//! does not look at its kind.

mod child_tags;
mod kind;
mod sibling_tags;
mod tag_histograms;
mod values;

use std::ops::Range;
use std::sync::Arc;

pub(crate) use kind::{Lookup, Tally};
pub use tag_histograms::TagHistograms;

use ndarray::{ArrayView1, aview1};

use child_tags::ChildTags;
use kind::ColumnKind;
use sibling_tags::SiblingTags;
use values::Values;

use crate::view::Tree;

/// The values of one feature, by node.
#[derive(Debug, Clone)]
pub enum Column {
    /// A count or a category of each node.
    Values(Vec<u32>),
    /// The tags of each node's children; or those of its siblings, where they are drawn for each node on its own.
    ChildTags(Arc<TagHistograms>),
    /// The tags of each node's siblings: those of the parent's children less the node's own.
    SiblingTags(Arc<TagHistograms>),
}

/// Asks a column what its kind answers.
macro_rules! ask {
    ($column:expr, $kind:ident => $answer:expr) => {
        match $column {
            Column::Values(values) => {
                let $kind = Values(values);
                $answer
            }
            Column::ChildTags(histograms) => {
                let $kind = ChildTags(histograms);
                $answer
            }
            Column::SiblingTags(histograms) => {
                let $kind = SiblingTags(histograms);
                $answer
            }
        }
    };
}

impl Column {
    /// The value of each node, where each has just one.
    pub fn values(&self) -> Option<&[u32]> {
        match self {
            Column::Values(values) => Some(values),
            _ => None,
        }
    }

    /// The same as an array, unless the feature has several values for a node. Shape: nodes.
    pub fn view(&self) -> Option<ArrayView1<'_, u32>> {
        self.values().map(aview1)
    }

    /// [`Column::values`] for good.
    pub(crate) fn into_values(self) -> Option<Vec<u32>> {
        match self {
            Column::Values(values) => Some(values),
            _ => None,
        }
    }

    /// Gives `each` the values of a node, with how often it has them.
    pub(crate) fn for_each(&self, tree: &Tree, v: u32, each: impl FnMut(u32, u32)) {
        ask!(self, kind => kind.for_each(tree, v, each))
    }

    /// (value, number) of a node.
    pub(crate) fn tags_at(&self, tree: &Tree, v: u32) -> Vec<(u32, u32)> {
        let mut values = Vec::new();
        self.for_each(tree, v, |value, times| values.push((value, times)));
        values
    }

    /// Gives `each` every value that a node of the page may have; one may come more than once.
    pub(crate) fn for_each_possible(&self, each: impl FnMut(u32)) {
        ask!(self, kind => kind.for_each_possible(each))
    }

    /// Adds the nodes of a page up by their values.
    pub(crate) fn tally(&self, tree: &Tree, tally: &mut impl Tally) {
        ask!(self, kind => kind.tally(tree, tally))
    }

    /// Looks the values of some nodes up.
    #[inline]
    pub(crate) fn look_up(&self, tree: &Tree, nodes: Range<usize>, lookup: &mut impl Lookup) {
        ask!(self, kind => kind.look_up(tree, nodes, lookup))
    }

    /// What the children of each node have together, where that is looked up as one: see [`Lookup::children`].
    pub(crate) fn children_histograms(&self) -> Option<&TagHistograms> {
        ask!(self, kind => kind.children_histograms())
    }
}

#[cfg(test)]
mod tests;
