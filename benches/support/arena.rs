//! The baseline: html5ever into a plain arena, a `Vec` of linked nodes that keeps what the parser gives it.

#![allow(dead_code, reason = "most of what it keeps nobody reads here")]

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use encoding_rs::Encoding;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, parse_document};

/// A parsed page; node 0 is the document.
pub struct Arena {
    pub nodes: Vec<Node>,
    pub quirks: QuirksMode,
}

pub struct Node {
    pub parent: Option<usize>,
    previous: Option<usize>,
    pub next: Option<usize>,
    pub first_child: Option<usize>,
    last_child: Option<usize>,
    pub data: Data,
}

pub enum Data {
    Document,
    Doctype { name: StrTendril, public: StrTendril, system: StrTendril },
    Element { name: QualName, attributes: Vec<Attribute> },
    Text(StrTendril),
    Comment(StrTendril),
    Instruction { target: StrTendril, data: StrTendril },
}

/// Decodes and parses a page whose encoding is known, scripting off. No fallback, guess, limit or index.
pub fn parse(bytes: &[u8], encoding: &'static Encoding) -> Arena {
    let (html, _, _) = encoding.decode(bytes);
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    parse_document(Sink::default(), options).one(StrTendril::from(&*html))
}

struct Sink {
    nodes: RefCell<Vec<Node>>,
    quirks: Cell<QuirksMode>,
}

impl Default for Sink {
    fn default() -> Self {
        Sink { nodes: RefCell::new(vec![Node::new(Data::Document)]), quirks: Cell::new(QuirksMode::NoQuirks) }
    }
}

impl Node {
    fn new(data: Data) -> Self {
        Node { parent: None, previous: None, next: None, first_child: None, last_child: None, data }
    }
}

impl Sink {
    fn push(&self, data: Data) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node::new(data));
        nodes.len() - 1
    }

    /// Appends to `parent`, or inserts before `before`, joining text with a text node on its left.
    fn insert(&self, parent: usize, before: Option<usize>, child: NodeOrText<usize>) {
        let mut nodes = self.nodes.borrow_mut();
        let child = match child {
            NodeOrText::AppendNode(child) => {
                detach(&mut nodes, child);
                child
            }
            NodeOrText::AppendText(text) => {
                let left = before.map_or(nodes[parent].last_child, |before| nodes[before].previous);
                if let Some(left) = left
                    && let Data::Text(existing) = &mut nodes[left].data
                {
                    existing.push_tendril(&text);
                    return;
                }
                nodes.push(Node::new(Data::Text(text)));
                nodes.len() - 1
            }
        };
        let previous = before.map_or(nodes[parent].last_child, |before| nodes[before].previous);
        let node = &mut nodes[child];
        (node.parent, node.previous, node.next) = (Some(parent), previous, before);
        match previous {
            None => nodes[parent].first_child = Some(child),
            Some(previous) => nodes[previous].next = Some(child),
        }
        match before {
            None => nodes[parent].last_child = Some(child),
            Some(before) => nodes[before].previous = Some(child),
        }
    }
}

fn detach(nodes: &mut [Node], child: usize) {
    let node = &mut nodes[child];
    let (previous, next) = (node.previous.take(), node.next.take());
    let Some(parent) = node.parent.take() else { return };
    match previous {
        None => nodes[parent].first_child = next,
        Some(previous) => nodes[previous].next = next,
    }
    match next {
        None => nodes[parent].last_child = previous,
        Some(next) => nodes[next].previous = previous,
    }
}

impl TreeSink for Sink {
    type Handle = usize;
    type Output = Arena;
    type ElemName<'a> = std::cell::Ref<'a, QualName>;

    fn finish(self) -> Arena {
        Arena { nodes: self.nodes.into_inner(), quirks: self.quirks.get() }
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Self::ElemName<'a> {
        std::cell::Ref::map(self.nodes.borrow(), |nodes| match &nodes[*target].data {
            Data::Element { name, .. } => name,
            _ => panic!("the tree builder asked for the name of a node that is no element"),
        })
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _flags: ElementFlags) -> usize {
        self.push(Data::Element { name, attributes })
    }

    fn create_comment(&self, text: StrTendril) -> usize {
        self.push(Data::Comment(text))
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> usize {
        self.push(Data::Instruction { target, data })
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, None, child);
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        if self.nodes.borrow()[*element].parent.is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        let doctype = self.push(Data::Doctype { name, public, system });
        self.insert(0, None, NodeOrText::AppendNode(doctype));
    }

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        let parent = self.nodes.borrow()[*sibling].parent;
        if let Some(parent) = parent {
            self.insert(parent, Some(*sibling), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &usize, new: Vec<Attribute>) {
        if let Data::Element { attributes, .. } = &mut self.nodes.borrow_mut()[*target].data {
            for attribute in new {
                if attributes.iter().all(|known| known.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        detach(&mut self.nodes.borrow_mut(), *target);
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        loop {
            let first = self.nodes.borrow()[*node].first_child;
            let Some(child) = first else { return };
            self.insert(*new_parent, None, NodeOrText::AppendNode(child));
        }
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &usize) -> bool {
        false
    }
}
