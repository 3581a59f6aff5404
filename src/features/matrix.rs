//! `FeatureMatrix`: the chosen features of all nodes of a page, a column each.

use std::sync::Arc;

use ndarray::{Array2, ArrayView1, aview1};

use super::measures::Measures;
use super::spec::{FeatureSpec, Kind};
use crate::layout::Layout;
use crate::page::Page;
use crate::view::PageView;

/// The values of the chosen features for every node of a view.
#[derive(Debug, Clone)]
pub struct FeatureMatrix {
    /// One column for each feature asked for, in that order.
    pub columns: Vec<Column>,
}

/// The values of one feature, by node.
#[derive(Debug, Clone)]
pub enum Column {
    /// A count or a category of each node.
    Values(Vec<u32>),
    /// The tags of each node's children; or those of its siblings, where they are drawn for each node on its own.
    ChildTags(Arc<TagHistograms>),
    /// The tags of each node's siblings: those of the parent's children less the node's own.
    SiblingTags(Arc<TagHistograms>),
}

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
    fn new(measures: &Measures<'_>) -> Self {
        let tree = &measures.view().tree;
        let own: Vec<u32> = (0..tree.len() as u32).map(|v| measures.base.tag(v)).collect();
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

    /// (tag, number) of the node's children.
    pub fn children(&self, v: u32) -> &[(u32, u32)] {
        &self.entries[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }
}

impl Column {
    /// The values, unless the feature has several for a node. Shape: nodes.
    pub fn view(&self) -> Option<ArrayView1<'_, u32>> {
        match self {
            Column::Values(values) => Some(aview1(values)),
            Column::ChildTags(_) | Column::SiblingTags(_) => None,
        }
    }
}

impl FeatureMatrix {
    /// The features with one value for each node, copied from the columns in their order. Shape: nodes x features.
    ///
    /// # Examples
    /// ```
    /// use duramen::features::{Column, FeatureMatrix};
    /// let columns = vec![Column::Values(vec![1, 2, 3]), Column::Values(vec![7, 8, 9])];
    /// assert_eq!(FeatureMatrix { columns }.to_array(), ndarray::array![[1, 7], [2, 8], [3, 9]]);
    /// ```
    pub fn to_array(&self) -> Array2<u32> {
        let columns: Vec<_> = self.columns.iter().filter_map(Column::view).collect();
        let nodes = columns.first().map_or(0, |column| column.len());
        Array2::from_shape_fn((nodes, columns.len()), |(node, column)| columns[column][node])
    }

    /// Computes `features` for all nodes of a view of a page. Linear in nodes times features (and, for
    /// `main-relation`, the depth of the tree).
    ///
    /// # Panics
    /// If a feature needs a layout and none is given.
    pub fn new(
        page: &Page,
        view: &PageView,
        features: &[&'static FeatureSpec],
        layout: Option<&Layout>,
    ) -> Self {
        Self::from_measures(&Measures::new(page, view, layout), features)
    }

    /// As [`FeatureMatrix::new`], of what is counted on the page already.
    pub fn from_measures(measures: &Measures<'_>, features: &[&'static FeatureSpec]) -> Self {
        let nodes = 0..measures.view().tree.len() as u32;
        let mut histograms: Option<Arc<TagHistograms>> = None;
        let mut shared = || histograms.get_or_insert_with(|| Arc::new(TagHistograms::new(measures))).clone();
        let columns = features
            .iter()
            .map(|feature| match feature.kind {
                Kind::Count { value, .. } | Kind::Category { value, .. } => {
                    Column::Values(nodes.clone().map(|v| value(measures, v)).collect())
                }
                Kind::ChildTags => Column::ChildTags(shared()),
                Kind::SiblingTags => Column::SiblingTags(shared()),
            })
            .collect();
        FeatureMatrix { columns }
    }
}
