//! Border boxes in page coordinates.

use std::collections::HashMap;

use blitz_dom::{BaseDocument, NodeId};
use parley::PositionedLayoutItem;

use crate::replay::Replayed;

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
pub(crate) fn boxes(replayed: &Replayed) -> Vec<Option<[f32; 4]>> {
    let document = &replayed.document;
    let mut origins = Origins { document, known: HashMap::new() };
    let inline = inline_extents(document, &mut origins);
    let extent_of = |&id: &NodeId| {
        let node = document.get_node(id)?;
        let styles = node.primary_styles()?;
        if !node.is_element() || styles.clone_display().is_none() {
            return None;
        }
        if node.is_non_atomic_inline() || styles.clone_display().is_contents() {
            return inline.get(&id).copied();
        }
        let (left, top) = origins.of(id)?;
        let size = node.unrounded_layout().size;
        Some(Extent { left, top, right: left + size.width, bottom: top + size.height })
    };
    let extents: Vec<Option<Extent>> = replayed.ids.iter().map(extent_of).collect();
    let to_box = |e: Extent| [e.left, e.top, e.right - e.left, e.bottom - e.top];
    extents.into_iter().map(|extent| extent.map(to_box).filter(|b| b.iter().all(|x| x.is_finite()))).collect()
}

/// The top left corners of border boxes, each found once.
struct Origins<'a> {
    document: &'a BaseDocument,
    known: HashMap<NodeId, Option<(f32, f32)>>,
}

impl Origins<'_> {
    /// None if the node is not in the layout.
    fn of(&mut self, id: NodeId) -> Option<(f32, f32)> {
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
        let Some(text) = root.element_data().and_then(|data| data.inline_layout_data.as_ref()) else { continue };
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
                        let extent = Extent { left, top, right: left + inner.width, bottom: top + inner.height };
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
