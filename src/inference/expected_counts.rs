//! `ExpectedCounts`, the sufficient statistics of pages whose states are not or not wholly known, by exact inference.
//!
//! The expectation of [`Counts`] under P(z | x, labels, theta): every node counts in every state by its posterior, and
//! in every transition by the joint posterior of its state with those it depends on. A float in a sum depends on the
//! order of the terms, so sums are in fixed point: what a node adds is rounded once to multiples of
//! 2^-[`FRACTION_BITS`] and added as `u64`. Any partitioning and order of the pages then gives the same bytes.
//!
//! **Rounding.** The joint posterior of a node, over (state, parent's state, previous sibling's state), is laid out in
//! one row with the node's own state outermost, and the *running sum* of the row is rounded, not its entries. So
//! - a node adds up to exactly one: totals stay whole, and a node whose state is known adds what
//!   [`Counts::observe`] would add;
//! - every entry, every run of entries and so the node's posterior of each state is off by less than one unit;
//! - what is impossible (exactly 0) adds exactly 0;
//! - transitions and emissions are counted with the same numbers: both say the same of how many nodes have a state.
//!
//! **Error.** One unit is 6e-8 of a node. Over n nodes an entry is off by less than 6e-8 n, if all err to one side:
//! .06 of a node for a million nodes, against a prior that counts as one. Statistics that weigh a node with a number
//! (words, tags of siblings) are off by as much times that number.
//!
//! **Range.** A number holds 2^64 units, 2^40 nodes; [`super::em::learn`] checks beforehand that pages stay below 2^38,
//! what a model file holds.
//!
//! Reference: Crouse, Nowak & Baraniuk 1998 (the upward-downward algorithm as the E-step of EM).

use crate::error::{Error, Result};
use crate::features::FeatureMatrix;
use crate::model::counts::FRACTION_BITS;
use crate::model::feature_tally::CountedNodes;
use crate::model::parameters::category;
use crate::model::{Counts, Model, ModelConfig, Observation, Parameters, PermittedStates};
use crate::view::Tree;

use super::upward_downward::transition_marginals;

/// One node in units.
const ONE: u64 = 1 << FRACTION_BITS;

/// A page to learn from: what is observed of it and what is known of its states.
#[derive(Debug, Clone)]
pub struct PartialPage {
    /// Its tree.
    pub tree: Tree,
    /// Its features.
    pub features: FeatureMatrix,
    /// The states that its nodes may have.
    pub permitted: PermittedStates,
    /// Where it came from, for the model's record.
    pub source: String,
}

impl PartialPage {
    /// A page of which nothing is known but `permitted`.
    ///
    /// # Errors
    /// [`Error::Usage`] if `permitted` is not of this page's nodes.
    pub fn new(observation: Observation, permitted: PermittedStates, source: &str) -> Result<Self> {
        let tree = observation.view.tree;
        if permitted.len() != tree.len() {
            return Err(Error::usage(
                format!("{} label sets for {} nodes", permitted.len(), tree.len()),
                "give one set for each node of the model's view",
            ));
        }
        Ok(PartialPage { tree, features: observation.features, permitted, source: source.to_owned() })
    }
}

/// Expected counts of pages and the evidence of the pages, both in fixed point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedCounts {
    counts: Counts,
    /// The sum of ln P(x, labels | theta), in units; each page's is rounded once.
    ln_evidence: i128,
}

impl ExpectedCounts {
    /// No pages yet.
    ///
    /// # Errors
    /// [`Error::Usage`] for a configuration with the labels of all siblings, and as [`ModelConfig::check`].
    pub fn new(config: &ModelConfig) -> Result<Self> {
        check_tree(config)?;
        let mut counts = Counts::empty(config)?;
        counts.refine(FRACTION_BITS).expect("zeros have room for fractions");
        Ok(ExpectedCounts { counts, ln_evidence: 0 })
    }

    /// Adds what a page is expected to count under `parameters`, which are of a model of `model`'s configuration.
    ///
    /// Cost: that of exact inference, O(n K^2), with the previous sibling O(n K^3), and O(n K) for each feature.
    ///
    /// # Panics
    /// If the page's features are not those of the model.
    pub fn observe(&mut self, model: &Model, parameters: &Parameters, page: &PartialPage) {
        let (config, tree) = (model.config(), &page.tree);
        let mut ln_emission = parameters.ln_emission(config, model.specs(), tree, &page.features);
        page.permitted.restrict(&mut ln_emission);
        let k = self.counts.states;
        let mut weights = vec![0; tree.len() * k];
        let mut joint = NodeJoint::new(k);
        let transitions = &mut self.counts.transitions;
        let marginals =
            transition_marginals(tree, &ln_emission, &parameters.transition, |v, parent, previous, p| {
                if joint.node != v {
                    joint.count(transitions, &mut weights);
                    joint.node = v;
                }
                joint.add(parent, previous, p);
            });
        joint.count(transitions, &mut weights);
        self.counts.nodes += tree.len() as u64;
        self.ln_evidence += (marginals.ln_evidence * ONE as f64).round() as i128;
        let nodes = CountedNodes {
            tree,
            width: config.emission_width(),
            columns: |v: u32| {
                let offset = config.emission_offset(tree.is_leaf(v));
                let weights = weights[v as usize * k..][..k].iter().enumerate();
                weights.filter(|(_, weight)| **weight > 0).map(move |(z, &weight)| (offset + z, weight))
            },
        };
        let features = self.counts.features.iter_mut().zip(&page.features.columns).enumerate();
        for (index, (counts, column)) in features {
            let category = |x| category(&model.specs()[index].kind, config.features[index].family, x);
            nodes.add_to(counts, column, category);
        }
    }

    /// Adds the counts of other pages under the same parameters.
    ///
    /// # Errors
    /// As [`Counts::merge`].
    pub fn merge(&mut self, other: &ExpectedCounts) -> Result<()> {
        self.counts.merge(&other.counts)?;
        self.counts.refine(FRACTION_BITS).expect("a sum has room for the fractions that its terms had");
        self.ln_evidence += other.ln_evidence;
        Ok(())
    }

    /// The counts, in units of 2^-[`FRACTION_BITS`].
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The sum of ln P(x, labels | theta) over the pages, in nats.
    pub fn ln_evidence(&self) -> f64 {
        self.ln_evidence as f64 / ONE as f64
    }
}

/// Refuses a configuration that exact inference would leave a part out of.
pub(super) fn check_tree(config: &ModelConfig) -> Result<()> {
    let term = match config {
        ModelConfig { sibling_types: true, .. } => "sibling-types",
        ModelConfig { child_types: true, .. } => "child-types",
        _ => return Ok(()),
    };
    Err(Error::usage(
        format!("the configuration has {term} = true, which exact inference leaves out and cannot count"),
        format!(
            "write {term} = false in a configuration file (docs/MODEL.md has an example), or learn by sampling"
        ),
    ))
}

/// The joint posterior of one node's state with those of its parent and previous sibling.
struct NodeJoint {
    node: u32,
    states: usize,
    /// \[parent\]\[previous sibling\]\[state\], as transitions are counted.
    p: Vec<f64>,
    /// The starts of the rows that are not all 0, as they came.
    rows: Vec<usize>,
}

impl NodeJoint {
    fn new(states: usize) -> Self {
        let p = vec![0.0; (states + 1) * (states + 1) * states];
        NodeJoint { node: 0, states, p, rows: Vec::new() }
    }

    fn add(&mut self, parent: usize, previous: usize, p: &[f64]) {
        let start = (parent * (self.states + 1) + previous) * self.states;
        if !self.rows.contains(&start) {
            self.rows.push(start);
        }
        self.p[start..start + self.states].iter_mut().zip(p).for_each(|(sum, p)| *sum += p);
    }

    /// Adds the node to the transitions and, by its state, to `weights` (\[node\]\[state\]); then it is empty.
    fn count(&mut self, transitions: &mut [u64], weights: &mut [u64]) {
        let k = self.states;
        let order = |rows: &[usize]| (0..k).flat_map(|z| rows.iter().map(move |row| (z, row + z))).collect();
        let cells: Vec<(usize, usize)> = order(&self.rows);
        // In the order of the running sum, so that both end in the same bits.
        let total = cells.iter().fold(0.0, |total, &(_, cell)| total + self.p[cell]);
        let (mut sum, mut given) = (0.0, 0);
        for (z, cell) in cells {
            sum += std::mem::take(&mut self.p[cell]);
            let rounded = (sum / total * ONE as f64).round() as u64;
            transitions[cell] += rounded - given;
            weights[self.node as usize * k + z] += rounded - given;
            given = rounded;
        }
        self.rows.clear();
    }
}
