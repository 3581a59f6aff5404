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
    let tag = dom.tag(element).index() as u64;
    let add = |key: u64, class: &str| hash::pair(key, hash::hash_word(class));
    let mut classes = dom.classes(element);
    let Some(first) = classes.next() else { return tag };
    // A single class needs no order.
    let Some(second) = classes.next() else { return add(tag, first) };
    let mut classes: Vec<&str> = [first, second].into_iter().chain(classes).collect();
    classes.sort_unstable();
    classes.into_iter().take(CLASSES).fold(tag, add)
}
