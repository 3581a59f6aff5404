//! The pages that the sampler runs over, as it reads them.

use crate::features::matrix::TagHistograms;
use crate::features::{Column, FeatureMatrix, FeatureSpec};
use crate::model::parameters::category;
use crate::model::{Family, Model, ModelConfig, PermittedStates};
use crate::view::{NONE, Tree};

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
}

impl<'a> SampledPage<'a> {
    /// A page without labels.
    pub fn unlabelled(model: &Model, tree: &'a Tree, features: &'a FeatureMatrix, digest: u64) -> Self {
        let permitted = PermittedStates::all(tree, model.config().states);
        SampledPage { tree, features, permitted, digest }
    }
}

/// The values of one feature of a page in the form that tables are looked up by.
pub(super) enum Values<'a> {
    /// The category of each node.
    Categories(Vec<u32>),
    /// The count of each node.
    Counts(&'a [u32]),
    /// The tags of each node's children.
    ChildTags(&'a TagHistograms),
    /// The tags of each node's siblings.
    SiblingTags(&'a TagHistograms),
}

/// A page as the kernels read it.
pub(super) struct PageData<'a> {
    pub tree: &'a Tree,
    pub features: &'a FeatureMatrix,
    pub permitted: &'a PermittedStates,
    pub digest: u64,
    /// How many pages before this one have the same digest: their streams must differ.
    pub occurrence: u64,
    /// The first table column of each node.
    pub offsets: Vec<u8>,
    pub values: Vec<Values<'a>>,
}

impl<'a> PageData<'a> {
    pub fn new(
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        page: &'a SampledPage<'a>,
        occurrence: u64,
    ) -> Self {
        let values = page.features.columns.iter().zip(specs).zip(&config.features).map(
            |((column, spec), used)| match (column, used.family) {
                (Column::Values(values), Family::BetaGeometric) => Values::Counts(values),
                (Column::Values(values), family) => Values::Categories(
                    values.iter().map(|&x| category(&spec.kind, family, x) as u32).collect(),
                ),
                (Column::ChildTags(histograms), _) => Values::ChildTags(histograms),
                (Column::SiblingTags(histograms), _) => Values::SiblingTags(histograms),
            },
        );
        let offset = |v| config.emission_offset(page.tree.is_leaf(v)) as u8;
        PageData {
            tree: page.tree,
            features: page.features,
            permitted: &page.permitted,
            digest: page.digest,
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

impl Values<'_> {
    /// The categories that occur on the page, in `seen` by number.
    pub fn mark_seen(&self, seen: &mut [bool]) {
        match self {
            Values::Categories(values) => values.iter().for_each(|&x| seen[x as usize] = true),
            Values::Counts(_) => {}
            Values::ChildTags(histograms) | Values::SiblingTags(histograms) => {
                for v in 0..histograms.len() as u32 {
                    for &(tag, _) in histograms.children(v) {
                        seen[tag as usize] = true;
                    }
                }
            }
        }
    }
}

/// (tag, number) of the siblings of a node: those of its parent's children less itself.
pub(super) fn sibling_tags<'h>(
    histograms: &'h TagHistograms,
    tree: &Tree,
    v: u32,
) -> impl Iterator<Item = (u32, u32)> + Clone + 'h {
    let parent = tree.parent(v);
    let all = if parent == NONE { &[] } else { histograms.children(parent) };
    let own = histograms.own(v);
    all.iter().map(move |&(tag, n)| (tag, n - u32::from(tag == own))).filter(|&(_, n)| n > 0)
}
