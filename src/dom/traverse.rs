//! Walks over the frozen tree; none of them recurses.

use super::arena::{Dom, NONE, NodeKind};
use crate::index::NodeId;

impl Dom {
    /// The parent; none for the document node.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).parent)
    }

    /// The sibling before, elements and text nodes alike.
    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).previous_sibling)
    }

    /// The sibling after.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).next_sibling)
    }

    /// The first child: in preorder the next node, if the subtree holds more than the node itself.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        (self.node(id).end > id.0 + 1).then_some(NodeId(id.0 + 1))
    }

    /// The children in document order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(id), |&child| self.next_sibling(child))
    }

    /// The words of an element's class.
    pub fn classes(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.attribute(id, "class").unwrap_or_default().split_ascii_whitespace()
    }

    /// The parent, its parent, and so on up to the document node.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |&ancestor| self.parent(ancestor))
    }

    /// The node and all its descendants in document order: a contiguous range.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).end).map(NodeId)
    }

    /// One past the last id of the node's subtree.
    pub fn subtree_end(&self, id: NodeId) -> NodeId {
        NodeId(self.node(id).end)
    }

    /// Whether `ancestor` is `id` itself or stands above it.
    pub fn is_in_subtree(&self, id: NodeId, ancestor: NodeId) -> bool {
        ancestor <= id && id.0 < self.node(ancestor).end
    }

    /// Tells of nodes that are asked for in document order whether they stand in the subtree of one of `roots`, which
    /// come in document order too and may stand in each other. Linear over all questions.
    pub fn covers<'a>(&'a self, roots: impl Iterator<Item = NodeId> + 'a) -> impl FnMut(NodeId) -> bool + 'a {
        let mut roots = roots.peekable();
        let mut end = NodeId::ROOT;
        move |id| {
            while let Some(root) = roots.next_if(|&root| root <= id) {
                end = end.max(self.subtree_end(root));
            }
            id < end
        }
    }

    /// The concatenated text of the subtree, scripts and styles included, white space as it stands.
    pub fn text_content(&self, id: NodeId) -> String {
        self.subtree(id).map(|node| self.text(node)).collect()
    }

    /// The text nodes that a reader could see: not blank, and not inside `<head>`, scripts, styles, form options
    /// or embedded content. In document order.
    pub fn shown_texts(&self) -> impl Iterator<Item = NodeId> {
        let mut next = 0u32;
        std::iter::from_fn(move || {
            while (next as usize) < self.len() {
                let id = NodeId(next);
                let node = self.node(id);
                if node.kind == NodeKind::Element && node.tag.hides_text() {
                    next = node.end;
                    continue;
                }
                next += 1;
                if self.is_visible_text(id) {
                    return Some(id);
                }
            }
            None
        })
    }
}

fn some(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}
