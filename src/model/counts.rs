//! `Counts`, everything learned from pages: exact `u64` sufficient statistics that add up.

use crate::dist::GeometricStatistic;
use crate::error::{Error, Result};
use crate::features::{FeatureMatrix, FeatureSpec};
use crate::view::{NONE, Tree};

use super::config::{Family, ModelConfig, TransitionKind};
use super::feature_tally::CountedNodes;
use super::parameters::category;
use super::states::TargetStates;

/// The finest unit of counts, 2^-24: that of expected counts, see [`crate::inference::expected_counts`].
pub const FRACTION_BITS: u32 = 24;

/// The sufficient statistics of a model. Sums are exact, so any order and partitioning gives the same bits.
///
/// Pages whose states are not known give expected counts, which are no whole numbers: they are kept as multiples of
/// 2^-[`fraction_bits`](Self::fraction_bits), so that they add up as exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// The number of states, K.
    pub states: usize,
    /// Nodes counted: a whole number whatever the unit.
    pub nodes: u64,
    /// All numbers below are multiples of 2^-`fraction_bits`; 0 where every state was known.
    pub fraction_bits: u32,
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
            fraction_bits: 0,
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
        let one = self.one();
        let nodes = CountedNodes {
            tree,
            width: config.emission_width(),
            columns: |v: u32| {
                let column = config.emission_offset(tree.is_leaf(v)) + usize::from(z[v as usize]);
                std::iter::once((column, one))
            },
        };
        for (((counts, column), used), spec) in
            self.features.iter_mut().zip(&features.columns).zip(&config.features).zip(specs)
        {
            nodes.add_to(counts, column, |x| category(&spec.kind, used.family, x));
        }
    }

    fn observe_structure(&mut self, config: &ModelConfig, tree: &Tree, z: &[u8]) {
        let (k, one) = (self.states, self.one());
        self.nodes += tree.len() as u64;
        for v in 0..tree.len() as u32 {
            let row = transition_row(config.transition, tree, z, k, v);
            self.transitions[row + z[v as usize] as usize] += one;
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
                        self.siblings[a * k + b] += children_in_state[a] * others * one;
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

    /// A whole node in the counts' unit.
    fn one(&self) -> u64 {
        1 << self.fraction_bits
    }

    /// The unit of the numbers, 2^-`fraction_bits`: a count is a number times this.
    pub fn unit(&self) -> f64 {
        1.0 / self.one() as f64
    }

    /// Adds the counts of another model of the same configuration. The sum has the finer of both units.
    ///
    /// # Errors
    /// [`Error::Usage`] if a sum is larger than 2^64 units, and then nothing is changed.
    pub fn merge(&mut self, other: &Counts) -> Result<()> {
        *self = self.combined(other, u64::checked_add).ok_or_else(|| {
            Error::usage(
                "the counts together are larger than a model can hold (2^64, less the bits of fractions)",
                "merge fewer models",
            )
        })?;
        Ok(())
    }

    /// Takes away counts that were added before.
    ///
    /// # Errors
    /// [`Error::Usage`] if `other` was not part of these counts, and then nothing is changed.
    pub fn subtract(&mut self, other: &Counts) -> Result<()> {
        *self = self.combined(other, u64::checked_sub).ok_or_else(|| {
            Error::usage(
                "the model to subtract holds counts that the other does not",
                "subtract only what was merged or trained in",
            )
        })?;
        Ok(())
    }

    /// Both, number by number; none if a number is out of range.
    fn combined(&self, other: &Counts, with: impl Fn(u64, u64) -> Option<u64>) -> Option<Counts> {
        let (mut mine, mut theirs) = (self.clone(), other.clone());
        let bits = mine.fraction_bits.max(theirs.fraction_bits);
        mine.refine(bits)?;
        theirs.refine(bits)?;
        mine.nodes = with(mine.nodes, theirs.nodes)?;
        let mut length = 0;
        let theirs: Vec<u64> = theirs.numbers_mut().map(|number| *number).collect();
        for (mine, their) in mine.numbers_mut().zip(&theirs) {
            *mine = with(*mine, *their)?;
            length += 1;
        }
        assert_eq!(length, theirs.len(), "counts of models of one configuration have one shape");
        mine.reduce();
        Some(mine)
    }

    /// Goes over to a unit of 2^-`bits` if that is finer than it is; none if a number would be out of range.
    #[must_use]
    pub(crate) fn refine(&mut self, bits: u32) -> Option<()> {
        let finer = bits.saturating_sub(self.fraction_bits);
        if finer > 0 {
            for number in self.numbers_mut() {
                *number = number.checked_mul(1 << finer)?;
            }
            self.fraction_bits = bits;
        }
        Some(())
    }

    /// Goes over to the coarsest unit that holds all numbers, so that equal counts are the same numbers.
    pub(crate) fn reduce(&mut self) {
        if self.fraction_bits == 0 {
            return;
        }
        let all = self.numbers_mut().fold(0, |bits, number| bits | *number);
        let coarser = all.trailing_zeros().min(self.fraction_bits);
        self.numbers_mut().for_each(|number| *number >>= coarser);
        self.fraction_bits -= coarser;
    }

    /// The largest number, in the counts' unit.
    pub(crate) fn largest(&self) -> u64 {
        let of_feature = |feature: &FeatureCounts| match feature {
            FeatureCounts::Geometric(statistics) => statistics.iter().map(|s| s.n.max(s.sum)).max(),
            FeatureCounts::Categorical(counts) => counts.iter().copied().max(),
        };
        let structure = self.transitions.iter().chain(&self.siblings).copied();
        structure.chain(self.features.iter().filter_map(of_feature)).max().unwrap_or(0)
    }

    /// Every number that is in the counts' unit, in a fixed order.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        let features = self.features.iter_mut().flat_map(|feature| match feature {
            FeatureCounts::Categorical(counts) => counts.iter_mut().collect::<Vec<_>>(),
            FeatureCounts::Geometric(statistics) => {
                statistics.iter_mut().flat_map(|s| [&mut s.n, &mut s.sum]).collect()
            }
        });
        self.transitions.iter_mut().chain(&mut self.siblings).chain(features)
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
