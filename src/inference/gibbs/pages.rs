//! The pages that the sampler runs over, as it reads them.

use std::borrow::Cow;

use crate::features::{Column, FeatureMatrix, FeatureSpec};
use crate::model::parameters::category;
use crate::model::{Family, Model, ModelConfig, PermittedStates};
use crate::view::Tree;

/// A page to sample: its tree, features and what is known of its states.
pub struct SampledPage<'a> {
    /// The page's tree.
    pub tree: &'a Tree,
    /// Its features.
    pub features: &'a FeatureMatrix,
    /// The states that each node may have.
    pub permitted: PermittedStates,
    /// The page's number in random streams, see [`crate::dom::digest::ParseDigest::as_u64`].
    pub digest: u64,
    /// The words of each leaf, 0 for inner nodes: of them the share that is kept is written down. Empty if they are not known.
    pub words: Vec<u32>,
}

impl<'a> SampledPage<'a> {
    /// A page without labels.
    pub fn unlabelled(model: &Model, tree: &'a Tree, features: &'a FeatureMatrix, digest: u64) -> Self {
        let permitted = PermittedStates::all(tree, model.config().states);
        SampledPage { tree, features, permitted, digest, words: Vec::new() }
    }
}

/// A page as the kernels read it.
pub(super) struct PageData<'a> {
    pub tree: &'a Tree,
    pub features: &'a FeatureMatrix,
    pub permitted: &'a PermittedStates,
    pub digest: u64,
    /// The words of each node, or none.
    pub words: &'a [u32],
    /// How many pages before this one have the same digest: their streams must differ.
    pub occurrence: u64,
    /// The first table column of each node.
    pub offsets: Vec<u8>,
    /// The values of each feature in the form that tables are looked up by: counts that are binned as their bins.
    pub values: Vec<Cow<'a, Column>>,
}

impl<'a> PageData<'a> {
    pub fn new(
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        page: &'a SampledPage<'a>,
        occurrence: u64,
    ) -> Self {
        let values = page.features.columns.iter().zip(specs).zip(&config.features).map(
            |((column, spec), used)| match (column.values(), used.family) {
                (Some(values), family @ Family::DirichletCategorical) => Cow::Owned(Column::Values(
                    values.iter().map(|&x| category(&spec.kind, family, x) as u32).collect(),
                )),
                _ => Cow::Borrowed(column),
            },
        );
        let offset = |v| config.emission_offset(page.tree.is_leaf(v)) as u8;
        PageData {
            tree: page.tree,
            features: page.features,
            permitted: &page.permitted,
            digest: page.digest,
            words: &page.words,
            occurrence,
            offsets: (0..page.tree.len() as u32).map(offset).collect(),
            values: values.collect(),
        }
    }

    /// The table column of a node in a state.
    pub fn column(&self, v: u32, state: usize) -> usize {
        usize::from(self.offsets[v as usize]) + state
    }
}
