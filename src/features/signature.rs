//! The signature of an element: its tag and classes.

use super::hash;
use crate::dom::{Dom, NodeKind};
use crate::index::NodeId;

/// Of the classes of an element, so many make its signature.
const CLASSES: usize = 4;

/// The node itself, or the element that a text stands in.
pub(crate) fn element_of(dom: &Dom, node: NodeId) -> NodeId {
    if dom.kind(node) == NodeKind::Text { dom.parent(node).unwrap_or(node) } else { node }
}

/// Tag and first classes, in order of name, of an element.
pub(crate) fn signature(dom: &Dom, element: NodeId) -> u64 {
    let mut key = dom.tag(element).index() as u64;
    let mut classes: Vec<&str> = dom
        .attribute(element, "class")
        .map(|value| value.split_ascii_whitespace().collect())
        .unwrap_or_default();
    classes.sort_unstable();
    for class in classes.iter().take(CLASSES) {
        key = hash::pair(key, hash::hash_word(class));
    }
    key
}
