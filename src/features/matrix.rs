//! `FeatureMatrix`: the chosen features of all nodes of a page, a column each.

use std::sync::Arc;

use ndarray::Array2;

use super::column::{Column, TagHistograms};
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

    /// The same with other learned scores: those of the measures now.
    pub(crate) fn with_scores(&self, measures: &Measures<'_>, features: &[&'static FeatureSpec]) -> Self {
        let is_score: Vec<&'static FeatureSpec> =
            features.iter().copied().filter(|feature| feature.needs_score).collect();
        let mut scores = measures.columns(&is_score, &measures.all_nodes()).into_iter();
        let column = |(feature, column): (&&FeatureSpec, &Column)| match feature.needs_score {
            true => Column::Values(scores.next().expect("a column for each score")),
            false => column.clone(),
        };
        FeatureMatrix { columns: features.iter().zip(&self.columns).map(column).collect() }
    }

    /// As [`FeatureMatrix::new`], of what is counted on the page already.
    pub fn from_measures(measures: &Measures<'_>, features: &[&'static FeatureSpec]) -> Self {
        let is_single = |feature: &&&FeatureSpec| !feature.kind.has_many_values();
        let single: Vec<&'static FeatureSpec> = features.iter().filter(is_single).copied().collect();
        let mut values = measures.columns(&single, &measures.all_nodes()).into_iter();
        let mut histograms: Option<Arc<TagHistograms>> = None;
        let mut shared = || histograms.get_or_insert_with(|| Arc::new(tag_histograms(measures))).clone();
        let column = |feature: &&FeatureSpec| match feature.kind {
            Kind::ChildTags => Column::ChildTags(shared()),
            Kind::SiblingTags => Column::SiblingTags(shared()),
            _ => Column::Values(values.next().expect("a column for each feature with one value")),
        };
        FeatureMatrix { columns: features.iter().map(column).collect() }
    }
}

fn tag_histograms(measures: &Measures<'_>) -> TagHistograms {
    let tree = &measures.view().tree;
    TagHistograms::new(tree, (0..tree.len() as u32).map(|v| measures.base.tag(v)).collect())
}
