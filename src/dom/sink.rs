//! The html5ever sink: grows a linked tree while parsing, then freezes it into a [`Dom`].

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::HashMap;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};

use super::arena::{self, Dom, NONE, NodeKind};
use super::tag::Tag;
use super::tokenizer::MAX_ATTRIBUTES;

pub(super) struct Sink {
    /// The size of the source.
    bytes: usize,
    nodes: RefCell<Vec<GrowingNode>>,
    quirks: Cell<QuirksMode>,
    /// Depth of the node appended last, for the guard.
    pub(super) last_depth: Cell<u32>,
}

struct GrowingNode {
    parent: u32,
    previous: u32,
    next: u32,
    first_child: u32,
    last_child: u32,
    depth: u32,
    data: Data,
}

enum Data {
    Document,
    Element {
        name: QualName,
        attributes: Vec<Attribute>,
    },
    Text(StrTendril),
    /// Comments, doctypes and processing instructions: in the tree while it grows, since they part text nodes.
    Skipped,
}

impl Sink {
    /// An empty document; `bytes` is the size of the source, to reserve room.
    pub(super) fn new(bytes: usize) -> Self {
        let mut nodes = Vec::with_capacity(bytes / 40 + 16);
        nodes.push(GrowingNode::new(Data::Document));
        Sink {
            bytes,
            nodes: RefCell::new(nodes),
            quirks: Cell::new(QuirksMode::NoQuirks),
            last_depth: Cell::new(0),
        }
    }

    /// The number of nodes made so far, detached ones included.
    pub(super) fn len(&self) -> usize {
        self.nodes.borrow().len()
    }

    fn push(&self, data: Data) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(GrowingNode::new(data));
        (nodes.len() - 1) as u32
    }

    /// Appends to `parent`, or inserts before `before`, joining text with a text node on its left.
    fn insert(&self, parent: u32, before: u32, child: NodeOrText<u32>) {
        let mut nodes = self.nodes.borrow_mut();
        let previous =
            if before == NONE { nodes[parent as usize].last_child } else { nodes[before as usize].previous };
        let child = match child {
            NodeOrText::AppendNode(child) => {
                detach(&mut nodes, child);
                child
            }
            NodeOrText::AppendText(text) => {
                if previous != NONE
                    && let Data::Text(existing) = &mut nodes[previous as usize].data
                {
                    existing.push_tendril(&text);
                    return;
                }
                nodes.push(GrowingNode::new(Data::Text(text)));
                (nodes.len() - 1) as u32
            }
        };
        // Detaching the child may have changed what stands on the left.
        let previous =
            if before == NONE { nodes[parent as usize].last_child } else { nodes[before as usize].previous };
        let depth = nodes[parent as usize].depth + 1;
        let node = &mut nodes[child as usize];
        (node.parent, node.previous, node.next, node.depth) = (parent, previous, before, depth);
        if matches!(node.data, Data::Element { .. }) {
            self.last_depth.set(depth);
        }
        match previous {
            NONE => nodes[parent as usize].first_child = child,
            _ => nodes[previous as usize].next = child,
        }
        match before {
            NONE => nodes[parent as usize].last_child = child,
            _ => nodes[before as usize].previous = child,
        }
    }

    /// Freezes the tree into preorder; the growing nodes are dropped as they are copied.
    pub(super) fn freeze(self, encoding: &'static encoding_rs::Encoding, notes: Vec<&'static str>) -> Dom {
        let growing = self.nodes.into_inner();
        let mut dom = Dom {
            nodes: Vec::with_capacity(growing.len()),
            attributes: Vec::new(),
            names: Vec::new(),
            text: String::with_capacity(self.bytes),
            quirks: self.quirks.get(),
            encoding,
            notes,
        };
        let mut known = Interned::default();
        // The chain of open ancestors as (growing id, frozen id, last frozen child).
        let mut open: Vec<(u32, u32, u32)> = Vec::new();
        let mut current = 0u32;
        loop {
            let node = &growing[current as usize];
            if !matches!(node.data, Data::Skipped) {
                let id = dom.nodes.len() as u32;
                let (parent, previous) =
                    open.last().map_or((NONE, NONE), |&(_, parent, last)| (parent, last));
                if previous != NONE {
                    dom.nodes[previous as usize].next_sibling = id;
                }
                if let Some(top) = open.last_mut() {
                    top.2 = id;
                }
                push_frozen(&mut dom, &mut known, &node.data, parent, previous);
                if node.first_child != NONE {
                    open.push((current, id, NONE));
                    current = node.first_child;
                    continue;
                }
            }
            let mut next = node.next;
            while next == NONE {
                let Some((growing_id, frozen_id, _)) = open.pop() else {
                    dom.attributes.shrink_to_fit();
                    dom.text.shrink_to_fit();
                    return dom;
                };
                dom.nodes[frozen_id as usize].end = dom.nodes.len() as u32;
                next = growing[growing_id as usize].next;
            }
            current = next;
        }
    }
}

/// The numbers of names met so far.
#[derive(Default)]
struct Interned {
    all: HashMap<LocalName, u32>,
    /// By a few bits of their hashes those met last, before the slower map that withstands hostile names.
    recent: [Option<(LocalName, u32)>; 32],
}

impl Interned {
    /// The number of `name` in `names`, where it is put if it is new.
    fn number(&mut self, name: &LocalName, names: &mut Vec<Box<str>>) -> u32 {
        let slot = &mut self.recent[name.get_hash() as usize % 32];
        if let Some((recent, number)) = slot
            && recent == name
        {
            return *number;
        }
        let number = *self.all.entry(name.clone()).or_insert_with(|| {
            names.push(Box::from(&**name));
            names.len() as u32 - 1
        });
        *slot = Some((name.clone(), number));
        number
    }
}

fn push_frozen(dom: &mut Dom, known: &mut Interned, data: &Data, parent: u32, previous_sibling: u32) {
    let end = dom.nodes.len() as u32 + 1;
    let mut node = arena::Node {
        parent,
        previous_sibling,
        next_sibling: NONE,
        end,
        payload: 0,
        payload_len: 0,
        name: NONE,
        tag: Tag::DOCUMENT,
        kind: NodeKind::Document,
        flag: false,
    };
    let Dom { nodes, attributes, names, text, .. } = dom;
    let mut intern = |name: &LocalName| known.number(name, names);
    let mut store = |value: &str| {
        let start = text.len() as u32;
        text.push_str(value);
        (start, value.len() as u32)
    };
    match data {
        Data::Document | Data::Skipped => {}
        Data::Text(value) => {
            node.kind = NodeKind::Text;
            node.tag = Tag::TEXT;
            node.flag = !value.chars().all(char::is_whitespace);
            (node.payload, node.payload_len) = store(value);
        }
        Data::Element { name, attributes: own } => {
            node.kind = NodeKind::Element;
            node.flag = name.ns == ns!(html);
            // `<title>` or `<a>` inside SVG are not the HTML elements of that name.
            let in_vocabulary = Tag::from_name(&name.local);
            node.tag = if node.flag || matches!(in_vocabulary, Tag::SVG | Tag::MATH) {
                in_vocabulary
            } else {
                Tag::OTHER
            };
            if node.tag == Tag::OTHER {
                node.name = intern(&name.local);
            }
            node.payload = attributes.len() as u32;
            node.payload_len = own.len() as u32;
            for attribute in own {
                let name = intern(&attribute.name.local);
                let (value, value_len) = store(&attribute.value);
                attributes.push(arena::Attribute { name, value, value_len });
            }
        }
    }
    nodes.push(node);
}

fn detach(nodes: &mut [GrowingNode], child: u32) {
    let GrowingNode { parent, previous, next, .. } = nodes[child as usize];
    if parent == NONE {
        return;
    }
    match previous {
        NONE => nodes[parent as usize].first_child = next,
        _ => nodes[previous as usize].next = next,
    }
    match next {
        NONE => nodes[parent as usize].last_child = previous,
        _ => nodes[next as usize].previous = previous,
    }
    let node = &mut nodes[child as usize];
    (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
}

impl GrowingNode {
    fn new(data: Data) -> Self {
        GrowingNode {
            parent: NONE,
            previous: NONE,
            next: NONE,
            first_child: NONE,
            last_child: NONE,
            depth: 0,
            data,
        }
    }
}

impl TreeSink for Sink {
    type Handle = u32;
    type Output = Self;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> Ref<'a, QualName> {
        Ref::map(self.nodes.borrow(), |nodes| match &nodes[*target as usize].data {
            Data::Element { name, .. } => name,
            _ => panic!("the tree builder asked for the name of a node that is no element"),
        })
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _flags: ElementFlags) -> u32 {
        self.push(Data::Element { name, attributes })
    }

    fn create_comment(&self, _text: StrTendril) -> u32 {
        self.push(Data::Skipped)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> u32 {
        self.push(Data::Skipped)
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.insert(*parent, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &u32, previous: &u32, child: NodeOrText<u32>) {
        if self.nodes.borrow()[*element as usize].parent != NONE {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &u32) -> u32 {
        *target
    }

    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn append_before_sibling(&self, sibling: &u32, child: NodeOrText<u32>) {
        let parent = self.nodes.borrow()[*sibling as usize].parent;
        if parent != NONE {
            self.insert(parent, *sibling, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &u32, new: Vec<Attribute>) {
        if let Data::Element { attributes, .. } = &mut self.nodes.borrow_mut()[*target as usize].data {
            for attribute in new {
                // Repeated `<body>` tags could pile up any number, at quadratic cost.
                if attributes.len() >= MAX_ATTRIBUTES {
                    break;
                }
                if attributes.iter().all(|known| known.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &u32) {
        detach(&mut self.nodes.borrow_mut(), *target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        let mut child = self.nodes.borrow()[*node as usize].first_child;
        while child != NONE {
            let next = self.nodes.borrow()[child as usize].next;
            self.insert(*new_parent, NONE, NodeOrText::AppendNode(child));
            child = next;
        }
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &u32) -> bool {
        false
    }
}
