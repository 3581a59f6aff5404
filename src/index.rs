//! `NodeId`, the preorder index of a node of a frozen page, and `NodeMap`, one value for each node.

use ndarray::{ArrayView2, aview2};
use serde::{Deserialize, Serialize};

/// The preorder index of a node in a frozen [`Dom`](crate::dom::Dom): 0 is the document node.
///
/// Because ids are in document order, `a < b` means that `a` starts before `b`, and the subtree of a node is
/// the contiguous range from it to its subtree's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The document node.
    pub const ROOT: NodeId = NodeId(0);

    /// The id as an array index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id of an array index. Pages are limited to fewer than 2^32 nodes.
    pub fn from_index(index: usize) -> Self {
        NodeId(index as u32)
    }
}

impl std::fmt::Display for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// One value for every node of a page, indexed by [`NodeId`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeMap<T>(Vec<T>);

impl<T> NodeMap<T> {
    /// A map of `len` nodes that all hold `value`.
    pub fn filled(len: usize, value: T) -> Self
    where
        T: Clone,
    {
        NodeMap(vec![value; len])
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Ids and values in document order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (NodeId, &T)> + ExactSizeIterator {
        self.0.iter().enumerate().map(|(i, value)| (NodeId::from_index(i), value))
    }

    /// The values in document order.
    pub fn values(&self) -> &[T] {
        &self.0
    }
}

impl<T, const N: usize> NodeMap<[T; N]> {
    /// The values as a matrix. Shape: nodes x N, nodes in document order.
    pub fn view(&self) -> ArrayView2<'_, T> {
        aview2(&self.0)
    }
}

impl<T> FromIterator<T> for NodeMap<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        NodeMap(values.into_iter().collect())
    }
}

impl<T> std::ops::Index<NodeId> for NodeMap<T> {
    type Output = T;
    fn index(&self, id: NodeId) -> &T {
        &self.0[id.index()]
    }
}

impl<T> std::ops::IndexMut<NodeId> for NodeMap<T> {
    fn index_mut(&mut self, id: NodeId) -> &mut T {
        &mut self.0[id.index()]
    }
}
