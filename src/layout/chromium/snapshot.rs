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

/// The type of an element, as the DOM standard numbers them.
const ELEMENT: u8 = 1;
/// No node.
const NONE: u32 = u32::MAX;

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
    /// The nodes that stand in a shadow tree, and the kind of its root.
    #[serde(default)]
    shadow_root_type: Marked,
}

/// The nodes that have something, and what.
#[derive(Debug, Clone, Default, Deserialize)]
struct Marked {
    index: Vec<u32>,
    #[serde(default)]
    value: Vec<i64>,
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

/// Where a node of the snapshot stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the page's own tree.
    Page,
    /// In a shadow tree that the page made.
    Shadow,
    /// In one that the browser made, or it is a pseudo-element.
    Hidden,
}

/// The elements of the browser's tree, linked. Node 0 is the document.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    first_child: Vec<u32>,
    last_child: Vec<u32>,
    next_sibling: Vec<u32>,
    names: Vec<&'a str>,
}

impl<'a> Tree<'a> {
    /// A new node; its number.
    pub(super) fn add(&mut self, name: &'a str) -> u32 {
        for links in [&mut self.first_child, &mut self.last_child, &mut self.next_sibling] {
            links.push(NONE);
        }
        self.names.push(name);
        (self.names.len() - 1) as u32
    }

    /// Makes a node the last child of another.
    pub(super) fn append(&mut self, parent: u32, child: u32) {
        match self.last_child[parent as usize] {
            NONE => self.first_child[parent as usize] = child,
            last => self.next_sibling[last as usize] = child,
        }
        self.last_child[parent as usize] = child;
    }

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

    /// The tree of elements, as the page is written.
    ///
    /// The snapshot is of the tree as it is shown: what a shadow tree holds stands below its host, and the host's own
    /// children below the slots. Here the children come back to their hosts, and the shadow tree hangs on a `TEMPLATE` of
    /// its own, as it does where the page declares it. Pseudo-elements and what browsers make by themselves are left out.
    fn tree(&self) -> Result<Tree<'_>, Fault> {
        let nodes = &self.page()?.nodes;
        let count = nodes.parent_index.len();
        let mut place = vec![Place::Page; count];
        for (&node, &kind) in nodes.shadow_root_type.index.iter().zip(&nodes.shadow_root_type.value) {
            let kind = if self.string(kind) == "user-agent" { Place::Hidden } else { Place::Shadow };
            place.get_mut(node as usize).into_iter().for_each(|place| *place = kind);
        }
        for &node in &nodes.pseudo_type.index {
            place.get_mut(node as usize).into_iter().for_each(|place| *place = Place::Hidden);
        }
        let mut tree = Tree::default();
        (0..count).for_each(|_| _ = tree.add(""));
        // The nearest node above, the node itself included, that is of the page and no shadow tree.
        let mut host = vec![0u32; count];
        // What a shadow tree's outermost nodes hang on, by host.
        let mut root_of = vec![NONE; count];
        for node in 1..count {
            let parent = usize::try_from(nodes.parent_index[node]).ok().filter(|&parent| parent < node);
            let parent = parent.ok_or_else(|| Fault::other("a snapshot that is not in document order"))?;
            host[node] = if place[node] == Place::Page { node as u32 } else { host[parent] };
            if nodes.node_type[node] != ELEMENT {
                continue;
            }
            let above = match (place[node], place[parent]) {
                (Place::Hidden, _) | (Place::Shadow, Place::Hidden) => continue,
                (Place::Page, _) => host[parent],
                (Place::Shadow, Place::Shadow) => parent as u32,
                (Place::Shadow, Place::Page) => {
                    if root_of[parent] == NONE {
                        root_of[parent] = tree.add("TEMPLATE");
                        tree.append(parent as u32, root_of[parent]);
                    }
                    root_of[parent]
                }
            };
            tree.names[node] = self.string(nodes.node_name[node]);
            tree.append(above, node as u32);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    /// The layout of `<p>x` that a snapshot with these nodes and boxes gives.
    fn layout(nodes: &str, layout: &str) -> Result<Layout, Unfit> {
        let json = format!(
            r##"{{"documents": [{{"nodes": {nodes}, "layout": {layout}}}], "strings": ["HTML", "P", "open", "\ud800", "HEAD", "BODY"]}}"##
        );
        let snapshot: Snapshot =
            serde_json::from_str(&json).map_err(|error| Fault::other(error.to_string()))?;
        let dom = Dom::parse(b"<p>x", None, &Limits::default()).unwrap();
        let layout =
            snapshot.layout(&dom, &EngineId { name: "chromium".to_owned(), version: "1".to_owned() })?;
        layout.check(&dom).unwrap();
        Ok(layout)
    }

    /// The document, `<html>`, `<head>`, `<body>`, `<p>`.
    const NODES: &str =
        r#"{"parentIndex": [-1, 0, 1, 1, 3], "nodeType": [9, 1, 1, 1, 1], "nodeName": [-1, 0, 4, 5, 1]}"#;
    const BOXES: &str =
        r#"{"nodeIndex": [4, 4], "styles": [[], []], "bounds": [[1, 2, 3, 4], [1, 6, 3, 4]]}"#;

    #[test]
    fn an_element_with_two_boxes_gets_the_box_around_both() {
        let rect = layout(NODES, BOXES).unwrap().rect(NodeId(4));
        assert_eq!(rect, Some(Rect { x: 1.0, y: 2.0, width: 3.0, height: 8.0 }));
    }

    #[test]
    fn a_tree_that_a_browser_cannot_mean_is_an_error() {
        let later = NODES.replace("[-1, 0, 1, 1, 3]", "[-1, 0, 9, 1, 3]");
        assert!(matches!(layout(&later, BOXES), Err(Unfit::Fault(_))), "a parent that comes later");
        let short = NODES.replace("[9, 1, 1, 1, 1]", "[9]");
        assert!(matches!(layout(&short, BOXES), Err(Unfit::Fault(_))), "lists of different length");
        let none = r#"{"parentIndex": [], "nodeType": [], "nodeName": []}"#;
        assert!(matches!(layout(none, BOXES), Err(Unfit::Fault(_))), "no document");
        assert!(matches!(layout("{}", BOXES), Err(Unfit::Fault(_))), "no lists");
        let nameless = NODES.replace("-1, 0, 4, 5, 1", "-1, 0, -9, 99, 1");
        assert!(matches!(layout(&nameless, BOXES), Err(Unfit::OtherTree(_))), "names that are not there");
    }

    #[test]
    fn marks_and_boxes_of_nodes_that_are_not_there_are_passed_over() {
        let marks = r#", "pseudoType": {"index": [99]}, "shadowRootType": {"index": [98, 3], "value": [7]}}"#;
        let nodes = NODES.replace('}', marks);
        let boxes = r#"{"nodeIndex": [-1, 99, 4, 3], "styles": [[], [], [9], [0]], "bounds": [[], [1], [1, 2], [1, 2, 3, 4]]}"#;
        let layout = layout(&nodes, boxes).unwrap();
        assert_eq!((layout.rect(NodeId(4)), layout.style_number(NodeId(4))), (None, None));
        assert_eq!((layout.rect(NodeId(3)).unwrap().height, layout.style_number(NodeId(3))), (4.0, None));
        let short = r#"{"nodeIndex": [4], "styles": [], "bounds": []}"#;
        assert!(matches!(super::tests::layout(NODES, short), Err(Unfit::Fault(_))));
    }
}
