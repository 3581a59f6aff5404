//! The extracted text nodes of pages and how they look: what is ranked.

use ndarray::ArrayView2;

use super::normalize::{append_row, columns};
use crate::index::NodeId;
use crate::label::Label;
use crate::layout::Layout;
use crate::page::Page;

/// A text node that an extractor gave as content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entity {
    /// The index of its page among those given.
    pub page: usize,
    /// The node.
    pub node: NodeId,
}

/// Extracted text nodes, page by page in document order, and the row of each one's style.
///
/// The style of a text node is its parent's: text has none of its own.
#[derive(Debug, Clone, Default)]
pub struct Entities {
    /// The nodes that have a style.
    pub nodes: Vec<Entity>,
    /// Nodes whose parent the engine gave no style, as Chromium gives none to what is not displayed. Nothing is known of how
    /// they look, so they are not ranked.
    pub without_style: u64,
    /// Values that the specification does not know, over all rows.
    pub unknown_values: u64,
    rows: Vec<f64>,
}

impl Entities {
    /// Adds the content text nodes of a page for which `is_wanted`: shown ones whose label is not "not content".
    pub fn add(
        &mut self,
        number: usize,
        page: &Page,
        layout: &Layout,
        label: impl Fn(NodeId) -> Label,
        is_wanted: impl Fn(NodeId) -> bool,
    ) {
        let dom = page.dom();
        for node in dom.shown_texts().filter(|&id| label(id) != Label::NotContent && is_wanted(id)) {
            let styled = dom.parent(node).and_then(|parent| Some((parent, layout.style_number(parent)?)));
            let Some((parent, style)) = styled else {
                self.without_style += 1;
                continue;
            };
            let width = layout.rect(parent).map(|rect| rect.width);
            let unknown = append_row(&layout.style_values(style), width, &mut self.rows);
            self.unknown_values += u64::from(unknown);
            self.nodes.push(Entity { page: number, node });
        }
    }

    /// The rows of the nodes. Shape: nodes x [`columns`].
    pub fn matrix(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape((self.nodes.len(), columns().len()), &self.rows)
            .expect("a whole row for each node")
    }
}

/// The indices of scores in the order in which what they belong to is deleted: descending scores, equal ones in order.
pub fn deletion_order(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order
}
