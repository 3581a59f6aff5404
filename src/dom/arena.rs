//! `Dom`, the frozen tree of a page: 32-byte nodes in preorder, one shared text buffer.

use html5ever::interface::QuirksMode;

use super::tag::Tag;
use crate::index::NodeId;

/// No node: the parent of the document, the sibling of an only child.
pub(super) const NONE: u32 = u32::MAX;

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum NodeKind {
    /// The document node, id 0.
    Document,
    /// An element.
    Element,
    /// A text node, possibly of white space only.
    Text,
}

/// One node: 32 bytes, so two share a cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub parent: u32,
    pub previous_sibling: u32,
    pub next_sibling: u32,
    /// One past the last descendant.
    pub end: u32,
    /// Text: byte range in `text`. Element: range in `attributes`.
    pub payload: u32,
    pub payload_len: u32,
    /// Element: index in `names`, where its name is not in the vocabulary of [`Tag`].
    pub name: u32,
    pub tag: Tag,
    pub kind: NodeKind,
    /// Text: not only white space. Element: in the HTML namespace.
    pub flag: bool,
}

const _: () = assert!(std::mem::size_of::<Node>() == 32);

#[derive(Debug, Clone, Copy)]
pub(super) struct Attribute {
    pub name: u32,
    pub value: u32,
    pub value_len: u32,
}

/// The frozen tree of a page.
///
/// Elements and text nodes are kept in document order, with the document node as id 0; comments, doctypes and
/// processing instructions are not (a text node split by a comment stays two nodes, as in XPath). The contents
/// of a `<template>` stand below it. Made by [`Dom::parse`]; it is `Send + Sync` and never changes.
#[derive(Debug, Clone)]
pub struct Dom {
    pub(super) nodes: Vec<Node>,
    pub(super) attributes: Vec<Attribute>,
    /// Attribute names and element names outside the vocabulary.
    pub(super) names: Vec<Box<str>>,
    pub(super) text: String,
    pub(super) quirks: QuirksMode,
    pub(super) encoding: &'static encoding_rs::Encoding,
    pub(super) notes: Vec<&'static str>,
}

impl Dom {
    /// The number of nodes, the document node included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing below the document node.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// All ids in document order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// What the node is.
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// The node's tag; [`Tag::TEXT`] for text.
    pub fn tag(&self, id: NodeId) -> Tag {
        self.node(id).tag
    }

    /// The element's local name as parsed, also outside the vocabulary of [`Tag`]; the tag's name otherwise.
    pub fn name(&self, id: NodeId) -> &str {
        let node = self.node(id);
        match node.name {
            NONE => node.tag.name(),
            name => &self.names[name as usize],
        }
    }

    /// The text of a text node; empty for any other node.
    pub fn text(&self, id: NodeId) -> &str {
        let node = self.node(id);
        match node.kind {
            NodeKind::Text => self.slice(node.payload, node.payload_len),
            _ => "",
        }
    }

    /// Whether the node is a text node that is not only white space.
    pub fn is_visible_text(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.kind == NodeKind::Text && node.flag
    }

    /// Whether the element is an HTML element (and not one of SVG or MathML).
    pub fn is_html_element(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.kind == NodeKind::Element && node.flag
    }

    /// The value of an attribute, by its lower-case local name.
    pub fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        self.attributes(id).find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    /// The element's attributes (name, value) in source order.
    pub fn attributes(&self, id: NodeId) -> impl Iterator<Item = (&str, &str)> {
        self.attributes_of(id)
            .iter()
            .map(|a| (&*self.names[a.name as usize], self.slice(a.value, a.value_len)))
    }

    /// The names of attributes (and of elements outside the vocabulary), by number.
    pub(crate) fn attribute_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// As [`Dom::attributes`], with the number of the name in [`Dom::attribute_names`].
    pub(crate) fn numbered_attributes(&self, id: NodeId) -> impl Iterator<Item = (u32, &str)> {
        self.attributes_of(id).iter().map(|a| (a.name, self.slice(a.value, a.value_len)))
    }

    fn attributes_of(&self, id: NodeId) -> &[Attribute] {
        let node = self.node(id);
        match node.kind {
            NodeKind::Element => &self.attributes[node.payload as usize..][..node.payload_len as usize],
            _ => &[],
        }
    }

    /// The quirks mode that the doctype asks for.
    pub fn quirks(&self) -> QuirksMode {
        self.quirks
    }

    /// The encoding that the bytes were decoded with.
    pub fn encoding(&self) -> &'static str {
        self.encoding.name()
    }

    /// What had to be repaired or bounded while parsing, in plain words; empty for most pages.
    pub fn notes(&self) -> &[&'static str] {
        &self.notes
    }

    /// Keeps the text of those text nodes alone that `is_kept` names, and gives back the memory of the others, which are empty from
    /// then on. Nodes and attributes stay as they are; the [digest](Dom::digest) does not. Linear in the page.
    pub(crate) fn retain_texts(&mut self, is_kept: impl Fn(&Dom, NodeId) -> bool) {
        let kept: Vec<bool> = self.ids().map(|id| is_kept(self, id)).collect();
        let old = std::mem::take(&mut self.text);
        let mut text = String::with_capacity(old.len());
        let mut copy = |start: &mut u32, len: u32| {
            let value = &old[*start as usize..(*start + len) as usize];
            *start = text.len() as u32;
            text.push_str(value);
        };
        for (node, kept) in self.nodes.iter_mut().zip(kept) {
            if node.kind == NodeKind::Text {
                node.payload_len = if kept { node.payload_len } else { 0 };
                copy(&mut node.payload, node.payload_len);
            }
        }
        self.attributes.iter_mut().for_each(|attribute| copy(&mut attribute.value, attribute.value_len));
        text.shrink_to_fit();
        self.text = text;
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    fn slice(&self, start: u32, len: u32) -> &str {
        &self.text[start as usize..(start + len) as usize]
    }
}
