//! `TagHistograms`, the tags of the children of each node.

use crate::view::Tree;

/// For each node, how many of its children have which tag; and its own tag.
///
/// Sibling tags are kept as the parent's histogram less one, since written out they take room quadratic in the
/// number of siblings.
#[derive(Debug, Clone)]
pub struct TagHistograms {
    own: Vec<u32>,
    offsets: Vec<u32>,
    /// (tag, number of children) of all nodes, sorted by tag within each.
    entries: Vec<(u32, u32)>,
}

impl TagHistograms {
    /// Those of a tree whose nodes have these tags.
    pub(crate) fn new(tree: &Tree, own: Vec<u32>) -> Self {
        let mut offsets = vec![0];
        let mut entries: Vec<(u32, u32)> = Vec::new();
        let mut tags = Vec::new();
        for v in 0..tree.len() as u32 {
            tags.clear();
            tags.extend(tree.children(v).map(|child| own[child as usize]));
            tags.sort_unstable();
            entries.extend(tags.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)));
            offsets.push(entries.len() as u32);
        }
        TagHistograms { own, offsets, entries }
    }

    /// Tags that are drawn for each node on its own, (tag, number) sorted by tag. No node has a tag of its own.
    pub(crate) fn drawn(rows: impl Iterator<Item = Vec<(u32, u32)>>) -> Self {
        let (mut offsets, mut entries) = (vec![0], Vec::new());
        for row in rows {
            entries.extend(row);
            offsets.push(entries.len() as u32);
        }
        TagHistograms { own: Vec::new(), offsets, entries }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node's own tag.
    ///
    /// # Panics
    /// If the tags were drawn, see [`crate::model::Parameters::draw_features`].
    pub fn own(&self, v: u32) -> u32 {
        self.own[v as usize]
    }

    /// The tags that children have, once for each node that has such children.
    pub(crate) fn tags(&self) -> impl Iterator<Item = u32> {
        self.entries.iter().map(|&(tag, _)| tag)
    }

    /// (tag, number) of the node's children.
    pub fn children(&self, v: u32) -> &[(u32, u32)] {
        &self.entries[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }
}
