//! `Replayed`, a page in the engine, laid out.

use blitz_dom::{BaseDocument, NodeId};

/// A page in the engine, laid out.
pub(crate) struct Replayed {
    pub(crate) document: BaseDocument,
    /// Blitz's node of each node of the tree.
    pub(crate) ids: Vec<NodeId>,
    pub(crate) notes: Vec<String>,
}
