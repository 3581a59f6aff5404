//! Border boxes in page coordinates.

use std::collections::HashMap;

use blitz_dom::{BaseDocument, Node, NodeId};
use parley::PositionedLayoutItem;
use style::values::computed::{BorderSideWidth, BorderStyle, NonNegativeLengthPercentage};
use style::values::specified::box_::DisplayInside;

use crate::css::attribute;
use crate::replayed::Replayed;
use crate::tree::{Content, Tree};

/// The corners of a box.
#[derive(Debug, Clone, Copy)]
struct Extent {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Extent {
    fn union(self, other: Extent) -> Extent {
        Extent {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// The border boxes of the tree's elements.
pub(crate) fn boxes(replayed: &Replayed, tree: &Tree) -> Vec<Option<[f32; 4]>> {
    let document = &replayed.document;
    let mut origins = Origins::new(document);
    let inline = inline_extents(document, &mut origins);
    let mut extents: Vec<Option<Extent>> = Vec::with_capacity(tree.nodes.len());
    // Whether each node is displayed, and not within a list that drops down.
    let mut shown: Vec<bool> = Vec::with_capacity(tree.nodes.len());
    let mut empty: Vec<usize> = Vec::new();
    for (i, (node, id)) in tree.nodes.iter().zip(&replayed.ids).enumerate() {
        let parent = node.parent as usize;
        let hidden = i > 0 && (!shown[parent] || has_no_boxes(&tree.nodes[parent].content));
        let blitz = document.get_node(*id).filter(|_| !hidden);
        let display = blitz.and_then(|node| Some(node.primary_styles()?.clone_display()));
        shown.push(!hidden && display.is_none_or(|display| !display.is_none()));
        let (Some(blitz), Some(display), true) = (blitz, display, shown[i]) else {
            extents.push(None);
            continue;
        };
        extents.push(if !blitz.is_element() {
            None
        } else if blitz.is_non_atomic_inline() {
            let extent = inline.get(id).copied();
            if extent.is_none() {
                empty.push(i);
            }
            extent.map(|extent| with_edges(extent, blitz))
        } else if display.is_contents() || is_row(display.inside()) {
            None
        } else {
            origins.of(*id).map(|(left, top)| {
                let size = blitz.unrounded_layout().size;
                Extent { left, top, right: left + size.width, bottom: top + size.height }
            })
        });
    }
    join_cells(replayed, tree, &shown, &mut extents);
    place_empty(tree, &empty, &mut extents);
    let to_box = |e: Extent| [e.left, e.top, e.right - e.left, e.bottom - e.top];
    extents.into_iter().map(|extent| extent.map(to_box).filter(|b| b.iter().all(|x| x.is_finite()))).collect()
}

/// Whether what is within an element has no boxes: in a `<select>` that shows one option, and in a drawing.
fn has_no_boxes(content: &Content) -> bool {
    let Content::Element { name, html: true, .. } = content else {
        return matches!(content, Content::Element { .. });
    };
    let rows = || attribute(content, "size").and_then(|size| size.trim().parse::<u32>().ok()).unwrap_or(1);
    name == "select" && attribute(content, "multiple").is_none() && rows() <= 1
}

/// Whether a box has no place of its own in Blitz: a row or a group of rows.
fn is_row(inside: DisplayInside) -> bool {
    use DisplayInside::{TableFooterGroup, TableHeaderGroup, TableRow, TableRowGroup};
    matches!(inside, TableRow | TableRowGroup | TableHeaderGroup | TableFooterGroup)
}

/// An inline element's box is wider than its content by padding and borders, which Blitz leaves out there.
fn with_edges(extent: Extent, node: &Node) -> Extent {
    let Some(styles) = node.primary_styles() else { return extent };
    let (border, padding) = (styles.get_border(), styles.get_padding());
    let length =
        |padding: &NonNegativeLengthPercentage| padding.0.to_length().map_or(0.0, |length| length.px());
    let edge = |style: BorderStyle, width: f32, inner: f32| {
        if style.none_or_hidden() { inner } else { width + inner }
    };
    let px = |width: &BorderSideWidth| width.0.to_f32_px();
    Extent {
        left: extent.left
            - edge(border.border_left_style, px(&border.border_left_width), length(&padding.padding_left)),
        top: extent.top
            - edge(border.border_top_style, px(&border.border_top_width), length(&padding.padding_top)),
        right: extent.right
            + edge(border.border_right_style, px(&border.border_right_width), length(&padding.padding_right)),
        bottom: extent.bottom
            + edge(
                border.border_bottom_style,
                px(&border.border_bottom_width),
                length(&padding.padding_bottom),
            ),
    }
}

/// Rows and groups of rows cover their cells. Children stand after their parents, so this goes backwards.
fn join_cells(replayed: &Replayed, tree: &Tree, shown: &[bool], extents: &mut [Option<Extent>]) {
    for i in (1..tree.nodes.len()).rev() {
        let parent = tree.nodes[i].parent as usize;
        let Some(extent) = extents[i].filter(|_| shown[i]) else { continue };
        let node = replayed.document.get_node(replayed.ids[parent]);
        let display = node.and_then(|node| Some(node.primary_styles()?.clone_display()));
        if display.is_some_and(|display| is_row(display.inside())) {
            extents[parent] = Some(extents[parent].map_or(extent, |known| known.union(extent)));
        }
    }
}

/// Inline elements without content are points where the element before them ends, or their parent begins.
fn place_empty(tree: &Tree, empty: &[usize], extents: &mut [Option<Extent>]) {
    if empty.is_empty() {
        return;
    }
    let mut before: Vec<Option<usize>> = vec![None; tree.nodes.len()];
    let mut last: Vec<Option<usize>> = vec![None; tree.nodes.len()];
    for i in 1..tree.nodes.len() {
        if matches!(tree.nodes[i].content, Content::Element { .. }) {
            before[i] = last[tree.nodes[i].parent as usize].replace(i);
        }
    }
    for &i in empty {
        let sibling = before[i].and_then(|before| extents[before]);
        let point = match sibling {
            Some(sibling) => Some((sibling.right, sibling.top)),
            None => extents[tree.nodes[i].parent as usize].map(|parent| (parent.left, parent.top)),
        };
        extents[i] = point.map(|(x, y)| Extent { left: x, top: y, right: x, bottom: y });
    }
}

/// The top left corners of border boxes, each found once.
pub(crate) struct Origins<'a> {
    document: &'a BaseDocument,
    known: HashMap<NodeId, Option<(f32, f32)>>,
}

impl<'a> Origins<'a> {
    pub(crate) fn new(document: &'a BaseDocument) -> Self {
        Origins { document, known: HashMap::new() }
    }

    /// None if the node is not in the layout.
    pub(crate) fn of(&mut self, id: NodeId) -> Option<(f32, f32)> {
        // Up to an ancestor that is known or to the root element, which has no containing block that is laid out.
        let mut path = Vec::new();
        let mut current = id;
        let root = self.document.try_root_element().map(|root| root.id);
        let mut origin = loop {
            if let Some(&known) = self.known.get(&current) {
                break known;
            }
            path.push(current);
            if Some(current) == root {
                break Some((0.0, 0.0));
            }
            match self.document.get_node(current).and_then(|node| node.containing_block()) {
                Some(parent) if parent != self.document.root_node().id => current = parent,
                Some(_) => break Some((0.0, 0.0)),
                None => break None,
            }
        };
        while let Some(id) = path.pop() {
            origin = origin.zip(self.document.get_node(id)).map(|((x, y), node)| {
                let location = node.unrounded_layout().location;
                (x + location.x, y + location.y)
            });
            self.known.insert(id, origin);
        }
        origin
    }
}

/// What the glyphs and the boxes within each inline element cover.
fn inline_extents(document: &BaseDocument, origins: &mut Origins<'_>) -> HashMap<NodeId, Extent> {
    let mut extents: HashMap<NodeId, Extent> = HashMap::new();
    for (root_id, root) in document.tree().iter() {
        let Some(text) = root.element_data().and_then(|data| data.inline_layout_data.as_ref()) else {
            continue;
        };
        if !root.flags.is_inline_root() {
            continue;
        }
        let Some((x, y)) = origins.of(root_id) else { continue };
        let layout = root.unrounded_layout();
        let x = x + layout.padding.left + layout.border.left;
        let y = y + layout.padding.top + layout.border.top + text.block_offset;
        for line in text.layout.lines() {
            for item in line.items() {
                let (id, extent) = match item {
                    PositionedLayoutItem::GlyphRun(run) => {
                        let metrics = run.run().font_metrics();
                        let (left, baseline) = (x + run.offset(), y + run.baseline());
                        let (top, bottom) = (baseline - metrics.ascent, baseline + metrics.descent);
                        (run.style().brush.id, Extent { left, top, right: left + run.advance(), bottom })
                    }
                    PositionedLayoutItem::InlineBox(inner) => {
                        let (left, top) = (x + inner.x, y + inner.y);
                        let extent =
                            Extent { left, top, right: left + inner.width, bottom: top + inner.height };
                        let id = NodeId::from_u64(inner.id);
                        // The box itself has its own layout; it counts for the inline elements around it.
                        match document.get_node(id).and_then(|node| node.parent) {
                            Some(parent) => (parent, extent),
                            None => continue,
                        }
                    }
                };
                let mut current = Some(id);
                while let Some(id) = current.filter(|&id| id != root_id) {
                    extents.entry(id).and_modify(|known| *known = known.union(extent)).or_insert(extent);
                    current = document.get_node(id).and_then(|node| node.parent);
                }
            }
        }
    }
    extents
}
