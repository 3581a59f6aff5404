//! `Counts`, everything learned from labelled pages: exact `u64` sufficient statistics that add up.

use crate::dist::GeometricStatistic;
use crate::error::{Error, Result};
use crate::features::matrix::TagHistograms;
use crate::features::{Column, FeatureMatrix, FeatureSpec};
use crate::view::{NONE, Tree};

use super::config::{Family, ModelConfig, TransitionKind};
use super::parameters::category;
use super::states::TargetStates;

/// The sufficient statistics of a model. Sums are exact, so any order and partitioning gives the same bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// The number of states, K.
    pub states: usize,
    /// Nodes counted.
    pub nodes: u64,
    /// Transitions \[parent or root\]\[previous sibling or start\]\[state\], (K + 1)(K + 1) K of them; without the
    /// previous sibling all are under "start".
    pub transitions: Vec<u64>,
    /// Ordered pairs of siblings \[state\]\[state of the other\], K K; empty without the thesis's sibling types.
    pub siblings: Vec<u64>,
    /// The statistic of each feature.
    pub features: Vec<FeatureCounts>,
}

/// The statistic of one feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureCounts {
    /// Of a geometric feature, for each column: the states, then those of inner nodes if they have their own.
    Geometric(Vec<GeometricStatistic>),
    /// Of a categorical feature, \[category\]\[column\].
    Categorical(Vec<u64>),
}

impl Counts {
    /// No pages yet.
    ///
    /// # Errors
    /// As [`ModelConfig::check`].
    pub fn empty(config: &ModelConfig) -> Result<Self> {
        let k = config.states.len();
        let width = config.emission_width();
        let features = config
            .check()?
            .iter()
            .zip(&config.features)
            .map(|(spec, used)| match used.family {
                Family::BetaGeometric => FeatureCounts::Geometric(vec![GeometricStatistic::default(); width]),
                Family::DirichletCategorical => {
                    FeatureCounts::Categorical(vec![0; spec.kind.categories() * width])
                }
            })
            .collect();
        Ok(Counts {
            states: k,
            nodes: 0,
            transitions: vec![0; (k + 1) * (k + 1) * k],
            siblings: if config.sibling_types { vec![0; k * k] } else { Vec::new() },
            features,
        })
    }

    /// Adds one page whose states are known. Linear in nodes times features.
    pub fn observe(
        &mut self,
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        tree: &Tree,
        features: &FeatureMatrix,
        states: &TargetStates,
    ) {
        let z = states.as_slice();
        self.observe_structure(config, tree, z);
        let emitting = Emitting {
            tree,
            columns: z
                .iter()
                .enumerate()
                .map(|(v, &state)| config.emission_offset(tree.is_leaf(v as u32)) + usize::from(state))
                .collect(),
            width: config.emission_width(),
        };
        for (((counts, column), used), spec) in
            self.features.iter_mut().zip(&features.columns).zip(&config.features).zip(specs)
        {
            counts.observe(column, used.family, spec, &emitting);
        }
    }

    fn observe_structure(&mut self, config: &ModelConfig, tree: &Tree, z: &[u8]) {
        let k = self.states;
        self.nodes += tree.len() as u64;
        for v in 0..tree.len() as u32 {
            let row = transition_row(config.transition, tree, z, k, v);
            self.transitions[row + z[v as usize] as usize] += 1;
        }
        if config.sibling_types {
            let mut children_in_state = vec![0u64; k];
            for parent in 0..tree.len() as u32 {
                children_in_state.fill(0);
                for child in tree.children(parent) {
                    children_in_state[z[child as usize] as usize] += 1;
                }
                for a in 0..k {
                    for b in 0..k {
                        let others = children_in_state[b] - u64::from(a == b && children_in_state[b] > 0);
                        self.siblings[a * k + b] += children_in_state[a] * others;
                    }
                }
            }
        }
    }

    /// How many children in each state the nodes of each state have, \[state\]\[state of the child\]: the
    /// transitions whatever the previous sibling.
    pub fn child_types(&self) -> Vec<u64> {
        let k = self.states;
        let mut pairs = vec![0; k * k];
        for (row, counts) in self.transitions.chunks_exact(k).enumerate().take(k * (k + 1)) {
            let parent = row / (k + 1);
            pairs[parent * k..(parent + 1) * k].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        pairs
    }

    /// Adds the counts of another model of the same configuration.
    pub fn merge(&mut self, other: &Counts) {
        self.combine(other, |a, b| *a += b);
    }

    /// Takes away counts that were added before.
    ///
    /// # Errors
    /// [`Error::Usage`] if `other` was not part of these counts, and then nothing is changed.
    pub fn subtract(&mut self, other: &Counts) -> Result<()> {
        let mut underflow = false;
        let mut result = self.clone();
        result.combine(other, |a, b| {
            underflow |= *a < b;
            *a = a.wrapping_sub(b);
        });
        if underflow {
            return Err(Error::usage(
                "the model to subtract holds counts that the other does not",
                "subtract only what was merged or trained in",
            ));
        }
        *self = result;
        Ok(())
    }

    fn combine(&mut self, other: &Counts, mut with: impl FnMut(&mut u64, u64)) {
        let theirs: Vec<u64> = other.clone().numbers_mut().map(|number| *number).collect();
        let mut length = 0;
        for (mine, their) in self.numbers_mut().zip(&theirs) {
            with(mine, *their);
            length += 1;
        }
        assert_eq!(length, theirs.len(), "counts of models of one configuration have one shape");
    }

    /// Every number, in a fixed order.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        let features = self.features.iter_mut().flat_map(|feature| match feature {
            FeatureCounts::Categorical(counts) => counts.iter_mut().collect::<Vec<_>>(),
            FeatureCounts::Geometric(statistics) => {
                statistics.iter_mut().flat_map(|s| [&mut s.n, &mut s.sum]).collect()
            }
        });
        std::iter::once(&mut self.nodes)
            .chain(&mut self.transitions)
            .chain(&mut self.siblings)
            .chain(features)
    }
}

/// The start of the row of transitions that leads to node `v`.
pub(crate) fn transition_row(kind: TransitionKind, tree: &Tree, z: &[u8], k: usize, v: u32) -> usize {
    let state_or = |node: u32| if node == NONE { k } else { z[node as usize] as usize };
    let previous = match kind {
        TransitionKind::Parent => k,
        TransitionKind::ParentAndPreviousSibling => state_or(tree.previous_sibling(v)),
    };
    (state_or(tree.parent(v)) * (k + 1) + previous) * k
}

/// The table column that each node of a page is counted in.
struct Emitting<'a> {
    tree: &'a Tree,
    columns: Vec<usize>,
    width: usize,
}

impl FeatureCounts {
    fn observe(&mut self, column: &Column, family: Family, spec: &FeatureSpec, emitting: &Emitting<'_>) {
        let Emitting { columns, width, .. } = emitting;
        match (self, column) {
            (FeatureCounts::Geometric(statistics), Column::Values(values)) => {
                for (&x, &column) in values.iter().zip(columns) {
                    let statistic = &mut statistics[column];
                    statistic.n += 1;
                    statistic.sum += u64::from(x);
                }
            }
            (FeatureCounts::Categorical(counts), Column::Values(values)) => {
                for (&x, &column) in values.iter().zip(columns) {
                    counts[category(&spec.kind, family, x) * width + column] += 1;
                }
            }
            (FeatureCounts::Categorical(counts), Column::ChildTags(histograms)) => {
                for (v, &column) in columns.iter().enumerate() {
                    for &(tag, n) in histograms.children(v as u32) {
                        counts[tag as usize * width + column] += u64::from(n);
                    }
                }
            }
            (FeatureCounts::Categorical(counts), Column::SiblingTags(histograms)) => {
                observe_sibling_tags(counts, histograms, emitting);
            }
            (FeatureCounts::Geometric(_), _) => {
                unreachable!("only counts are geometric, see ModelConfig::check")
            }
        }
    }
}

/// For each parent, every pair of a child's column and another child's tag.
fn observe_sibling_tags(counts: &mut [u64], histograms: &TagHistograms, emitting: &Emitting<'_>) {
    let Emitting { tree, columns, width } = emitting;
    let mut children_in_column = vec![0u64; *width];
    for parent in 0..tree.len() as u32 {
        if tree.is_leaf(parent) {
            continue;
        }
        children_in_column.fill(0);
        for child in tree.children(parent) {
            children_in_column[columns[child as usize]] += 1;
        }
        for &(tag, n) in histograms.children(parent) {
            for (column, &children) in children_in_column.iter().enumerate() {
                counts[tag as usize * width + column] += children * u64::from(n);
            }
        }
        for child in tree.children(parent) {
            counts[histograms.own(child) as usize * width + columns[child as usize]] -= 1;
        }
    }
}
