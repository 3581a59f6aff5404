//! `Parameters`, the log tables that inference reads: posterior means of the counts, or a draw from the posterior.

use rand::Rng;

use crate::dist::BetaGeometric;
use crate::features::matrix::TagHistograms;
use crate::features::{Column, FeatureMatrix, FeatureSpec, Kind};
use crate::view::{NONE, Tree};

use super::config::{Family, ModelConfig, TransitionKind};
use super::counts::{Counts, FeatureCounts};

/// Log probabilities of transitions.
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// What a node's state depends on.
    pub kind: TransitionKind,
    /// The number of states, K.
    pub states: usize,
    /// ln A\[parent or root\]\[previous sibling or start\]\[state\], each row of K summing to 1 as probabilities.
    pub ln: Vec<f64>,
}

impl Transition {
    /// The row of K log probabilities under a parent (K: the root has none) and a previous sibling (K: none).
    pub fn row(&self, parent: usize, previous: usize) -> &[f64] {
        let k = self.states;
        let start = (parent * (k + 1) + previous) * k;
        &self.ln[start..start + k]
    }

    /// The previous sibling as far as the kind of transition looks at it: `K` stands for none.
    pub fn previous(&self, state: usize) -> usize {
        match self.kind {
            TransitionKind::Parent => self.states,
            TransitionKind::ParentAndPreviousSibling => state,
        }
    }
}

/// All parameters of a model in the form that inference reads.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Of the transitions.
    pub transition: Transition,
    /// ln P(state of a sibling | state), K K; empty without the thesis's sibling types.
    pub ln_sibling: Vec<f64>,
    features: Vec<FeatureParameters>,
}

#[derive(Debug, Clone)]
enum FeatureParameters {
    /// p integrated out: for each state the posterior of p.
    GeometricPredictive(Vec<BetaGeometric>),
    /// p drawn: for each state ln p and ln (1 - p).
    GeometricDrawn(Vec<(f64, f64)>),
    /// ln p \[category\]\[state\].
    Categorical(Vec<f64>),
}

/// How parameters come out of the posterior.
enum Take<'a, R: Rng> {
    Predictive,
    Draw(&'a mut R),
}

impl Parameters {
    /// The predictive probabilities under the posterior: parameters integrated out, node by node.
    pub fn predictive(config: &ModelConfig, counts: &Counts) -> Self {
        Self::take(config, counts, Take::<crate::rng::Rng>::Predictive)
    }

    /// A draw from the posterior: p of every geometric from its Beta, every row from its Dirichlet.
    pub fn draw<R: Rng>(config: &ModelConfig, counts: &Counts, rng: &mut R) -> Self {
        Self::take(config, counts, Take::Draw(rng))
    }

    fn take<R: Rng>(config: &ModelConfig, counts: &Counts, mut take: Take<'_, R>) -> Self {
        let k = counts.states;
        let mut rows = |counts: &[u64]| -> Vec<f64> {
            let prior = config.priors.transition;
            counts
                .chunks(k)
                .flat_map(|row| match &mut take {
                    Take::Predictive => prior.ln_predictive(row.iter().copied()).collect(),
                    Take::Draw(rng) => prior.ln_draw(row.iter().copied(), *rng),
                })
                .collect()
        };
        let transition = Transition { kind: config.transition, states: k, ln: rows(&counts.transitions) };
        let ln_sibling = rows(&counts.siblings);
        let features = counts
            .features
            .iter()
            .map(|feature| match feature {
                FeatureCounts::Geometric(statistics) => {
                    let posteriors = statistics.iter().map(|&s| config.priors.geometric.posterior(s));
                    match &mut take {
                        Take::Predictive => FeatureParameters::GeometricPredictive(posteriors.collect()),
                        Take::Draw(rng) => FeatureParameters::GeometricDrawn(
                            posteriors
                                .map(|posterior| {
                                    let p = posterior.draw(*rng);
                                    (p.ln(), (-p).ln_1p())
                                })
                                .collect(),
                        ),
                    }
                }
                FeatureCounts::Categorical(counts) => {
                    let mut ln = vec![0.0; counts.len()];
                    for state in 0..k {
                        let column = counts.iter().skip(state).step_by(k).copied();
                        let prior = config.priors.categorical;
                        let values: Vec<f64> = match &mut take {
                            Take::Predictive => prior.ln_predictive(column).collect(),
                            Take::Draw(rng) => prior.ln_draw(column, *rng),
                        };
                        for (category, value) in values.into_iter().enumerate() {
                            ln[category * k + state] = value;
                        }
                    }
                    FeatureParameters::Categorical(ln)
                }
            })
            .collect();
        Parameters { transition, ln_sibling, features }
    }

    /// ln p(x_v | state) of all features together, \[node\]\[state\]; states that a node may not have are at minus
    /// infinity.
    pub fn ln_emission(
        &self,
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        tree: &Tree,
        features: &FeatureMatrix,
    ) -> Vec<f64> {
        let k = self.transition.states;
        let mut ln = vec![0.0; tree.len() * k];
        for feature in 0..self.features.len() {
            self.add_feature(config, specs, tree, features, feature, &mut ln);
        }
        for v in 0..tree.len() as u32 {
            let permitted = config.states.permitted(tree.is_leaf(v));
            ln[v as usize * k + permitted..(v as usize + 1) * k].fill(f64::NEG_INFINITY);
        }
        ln
    }

    /// Adds ln p_f(x_vf | state) of one feature to `ln`, \[node\]\[state\].
    pub fn add_feature(
        &self,
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        tree: &Tree,
        features: &FeatureMatrix,
        feature: usize,
        ln: &mut [f64],
    ) {
        let k = self.transition.states;
        let nodes = ln.chunks_exact_mut(k);
        match (&self.features[feature], &features.columns[feature]) {
            (FeatureParameters::Categorical(table), Column::Values(values)) => {
                let family = config.features[feature].family;
                for (node, &x) in nodes.zip(values) {
                    add(node, row(table, category(&specs[feature].kind, family, x), k));
                }
            }
            (FeatureParameters::GeometricPredictive(posteriors), Column::Values(values)) => {
                // Most counts are small: those share a table.
                let small = values.iter().copied().max().unwrap_or(0).min(255) as usize + 1;
                let tables: Vec<Vec<f64>> = posteriors.iter().map(|p| p.ln_predictive_table(small)).collect();
                for (node, &x) in nodes.zip(values) {
                    for (state, value) in node.iter_mut().enumerate() {
                        *value += match tables[state].get(x as usize) {
                            Some(ln_p) => *ln_p,
                            None => posteriors[state].ln_predictive(u64::from(x)),
                        };
                    }
                }
            }
            (FeatureParameters::GeometricDrawn(drawn), Column::Values(values)) => {
                for (node, &x) in nodes.zip(values) {
                    for (value, (ln_p, ln_q)) in node.iter_mut().zip(drawn) {
                        *value += ln_p + f64::from(x) * ln_q;
                    }
                }
            }
            (FeatureParameters::Categorical(table), Column::ChildTags(histograms)) => {
                for (v, node) in nodes.enumerate() {
                    add_bag(node, table, histograms.children(v as u32), k);
                }
            }
            (FeatureParameters::Categorical(table), Column::SiblingTags(histograms)) => {
                add_sibling_tags(nodes, table, histograms, tree, k);
            }
            _ => unreachable!("only counts are geometric, see ModelConfig::check"),
        }
    }
}

fn add_sibling_tags<'a>(
    nodes: impl Iterator<Item = &'a mut [f64]>,
    table: &[f64],
    histograms: &TagHistograms,
    tree: &Tree,
    k: usize,
) {
    // The sum over all children of a parent, made once for all of them.
    let mut of_children = vec![0.0; tree.len() * k];
    for (v, sum) in of_children.chunks_exact_mut(k).enumerate() {
        add_bag(sum, table, histograms.children(v as u32), k);
    }
    for (v, node) in nodes.enumerate() {
        let parent = tree.parent(v as u32);
        if parent != NONE {
            add(node, row(&of_children, parent as usize, k));
            let own = row(table, histograms.own(v as u32) as usize, k);
            node.iter_mut().zip(own).for_each(|(value, own)| *value -= own);
        }
    }
}

fn row(table: &[f64], index: usize, k: usize) -> &[f64] {
    &table[index * k..(index + 1) * k]
}

fn add(node: &mut [f64], row: &[f64]) {
    node.iter_mut().zip(row).for_each(|(value, ln_p)| *value += ln_p);
}

fn add_bag(node: &mut [f64], table: &[f64], bag: &[(u32, u32)], k: usize) {
    for &(tag, n) in bag {
        for (value, ln_p) in node.iter_mut().zip(row(table, tag as usize, k)) {
            *value += f64::from(n) * ln_p;
        }
    }
}

/// The category of a value: its bin where it is a count.
pub(super) fn category(kind: &Kind, family: Family, x: u32) -> usize {
    debug_assert!(family == Family::DirichletCategorical);
    match kind {
        Kind::Count { bins, .. } => bins.bin(x) as usize,
        _ => x as usize,
    }
}
