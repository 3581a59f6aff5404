//! `Snapshot`, what `DOMSnapshot.captureSnapshot` answers: the tree, boxes and computed styles of a shown page.

use std::time::Duration;

use serde::de::{Deserializer, Error as _, Visitor};
use serde::{Deserialize, de};

use super::align;
use super::devtools::Fault;
use crate::dom::Dom;
use crate::error::PageProblem;
use crate::index::NodeId;
use crate::layout::{EngineId, Layout, LayoutBuilder, Property, Rect};

/// The least share of a page's elements that must be found in the browser's tree.
const MIN_MATCHED: f64 = 0.9;

/// The types of nodes, as the DOM standard numbers them.
const ELEMENT: u8 = 1;
/// The type of a document node.
const DOCUMENT: u8 = 9;
/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A page as the browser shows it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Snapshot {
    /// That of the page itself comes first, those of frames follow.
    documents: Vec<Document>,
    strings: Vec<Words>,
}

#[derive(Debug, Clone, Deserialize)]
struct Document {
    nodes: Nodes,
    layout: Boxes,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Nodes {
    parent_index: Vec<i64>,
    node_type: Vec<u8>,
    node_name: Vec<i64>,
    #[serde(default)]
    pseudo_type: Marked,
}

/// The nodes that have something.
#[derive(Debug, Clone, Default, Deserialize)]
struct Marked {
    index: Vec<u32>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Boxes {
    node_index: Vec<i64>,
    /// Indices in the strings, in the order of `PROPERTIES`; none for text.
    styles: Vec<Vec<i64>>,
    bounds: Vec<Vec<f64>>,
}

/// A string that may hold half of a surrogate pair, as scripts can make.
#[derive(Debug, Clone)]
pub(super) struct Words(pub String);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lossy;
        impl Visitor<'_> for Lossy {
            type Value = Words;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }
            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Words, E> {
                Ok(Words(String::from_utf8_lossy(bytes).into_owned()))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Words, E> {
                Ok(Words(text.to_owned()))
            }
        }
        deserializer.deserialize_bytes(Lossy).map_err(|error| D::Error::custom(error.to_string()))
    }
}

/// Why there is no layout in a snapshot.
#[derive(Debug)]
pub(super) enum Unfit {
    /// Only this share of our elements is in the browser's tree.
    OtherTree(f64),
    /// Anything else.
    Fault(Fault),
}

impl From<Fault> for Unfit {
    fn from(fault: Fault) -> Self {
        Unfit::Fault(fault)
    }
}

impl Unfit {
    /// What is said of the page.
    pub(super) fn problem(self) -> PageProblem {
        match self {
            Unfit::OtherTree(share) => PageProblem::Failed(format!(
                "only {:.0} % of the page's elements are in the tree that Chromium made of it",
                (share * 100.0).floor()
            )),
            Unfit::Fault(fault) => fault.problem(Duration::ZERO),
        }
    }
}

/// The elements of the browser's tree, linked: those that a page's bytes make, not those that styles do.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    first_child: Vec<u32>,
    next_sibling: Vec<u32>,
    names: Vec<&'a str>,
}

impl<'a> Tree<'a> {
    /// The element children of a node in order.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let some = |node: u32| (node != NONE).then_some(node);
        std::iter::successors(some(self.first_child[node as usize]), move |&child| {
            some(self.next_sibling[child as usize])
        })
    }

    /// The name of an element; that of an HTML element is in capitals.
    pub(super) fn name(&self, node: u32) -> &'a str {
        self.names[node as usize]
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}

impl Snapshot {
    fn string(&self, index: i64) -> &str {
        // -1 stands for the empty string.
        usize::try_from(index).ok().and_then(|index| self.strings.get(index)).map_or("", |words| &words.0)
    }

    fn page(&self) -> Result<&Document, Fault> {
        let page = self.documents.first().ok_or_else(|| Fault::other("a snapshot without a page"))?;
        let (nodes, boxes) = (&page.nodes, &page.layout);
        let count = nodes.parent_index.len();
        if count == 0 || nodes.node_type.len() != count || nodes.node_name.len() != count {
            return Err(Fault::other("a snapshot with lists of nodes of different length"));
        }
        if boxes.styles.len() != boxes.node_index.len() || boxes.bounds.len() != boxes.node_index.len() {
            return Err(Fault::other("a snapshot with lists of boxes of different length"));
        }
        Ok(page)
    }

    /// The tree of elements. What stands in pseudo-elements, shadow roots and frames is not in it.
    fn tree(&self) -> Result<Tree<'_>, Fault> {
        let nodes = &self.page()?.nodes;
        let count = nodes.parent_index.len();
        let mut pseudo = vec![false; count];
        for &index in &nodes.pseudo_type.index {
            if let Some(node) = pseudo.get_mut(index as usize) {
                *node = true;
            }
        }
        let mut tree =
            Tree { first_child: vec![NONE; count], next_sibling: vec![NONE; count], names: vec![""; count] };
        let mut last_child = vec![NONE; count];
        for node in 0..count {
            let parent = nodes.parent_index[node];
            if node == 0 || nodes.node_type[node] != ELEMENT || pseudo[node] {
                continue;
            }
            let parent = usize::try_from(parent).ok().filter(|&parent| parent < node);
            let parent = parent.ok_or_else(|| Fault::other("a snapshot that is not in document order"))?;
            // A shadow root's children hang on a node that is linked nowhere, and so are never met.
            if pseudo[parent] || !matches!(nodes.node_type[parent], ELEMENT | DOCUMENT) {
                continue;
            }
            tree.names[node] = self.string(nodes.node_name[node]);
            match last_child[parent] {
                NONE => tree.first_child[parent] = node as u32,
                last => tree.next_sibling[last as usize] = node as u32,
            }
            last_child[parent] = node as u32;
        }
        Ok(tree)
    }

    /// Boxes and styles for the nodes of our tree of the same page.
    ///
    /// # Errors
    /// If the browser's answer cannot be used, or its tree is another than ours.
    pub(super) fn layout(&self, dom: &Dom, engine: &EngineId) -> Result<Layout, Unfit> {
        let ours_of = align::align(dom, &self.tree()?);
        let share = align::matched(dom, &ours_of);
        if share < MIN_MATCHED {
            return Err(Unfit::OtherTree(share));
        }
        let mut builder = LayoutBuilder::new(engine.clone(), dom.len());
        let mut rects: Vec<Option<Rect>> = vec![None; dom.len()];
        let boxes = &self.page()?.layout;
        for ((&node, style), bounds) in boxes.node_index.iter().zip(&boxes.styles).zip(&boxes.bounds) {
            let ours = usize::try_from(node).ok().and_then(|node| ours_of.get(node).copied().flatten());
            let (Some(id), &[x, y, width, height]) = (ours, &**bounds) else { continue };
            let part = Rect { x: x as f32, y: y as f32, width: width as f32, height: height as f32 };
            match &mut rects[id.index()] {
                Some(whole) => *whole = union(*whole, part),
                none => {
                    *none = Some(part);
                    if style.len() == Property::COUNT {
                        builder.set_style(id, std::array::from_fn(|i| self.string(style[i])));
                    }
                }
            }
        }
        for (index, rect) in rects.into_iter().enumerate() {
            if let Some(rect) = rect {
                builder.set_rect(NodeId::from_index(index), rect);
            }
        }
        Ok(builder.finish())
    }
}

/// The least box around two.
fn union(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let (right, bottom) = ((a.x + a.width).max(b.x + b.width), (a.y + a.height).max(b.y + b.height));
    Rect { x, y, width: right - x, height: bottom - y }
}
