//! `Parameters`, the log tables that inference reads: posterior means of the counts, or a draw from the posterior.

use rand::Rng;

use crate::dist::{BetaGeometric, GeometricStatistic};
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
    /// ln P(state of a child | state), K K; empty unless the types of children are an emission.
    pub ln_child: Vec<f64>,
    pub(crate) features: Vec<FeatureParameters>,
}

/// The parameters of one feature.
#[derive(Debug, Clone)]
pub(crate) enum FeatureParameters {
    /// p integrated out: for each column the posterior of p.
    GeometricPredictive(Vec<BetaGeometric>),
    /// p drawn, or its mean: for each column ln p and ln (1 - p).
    GeometricDrawn(Vec<(f64, f64)>),
    /// ln p \[category\]\[column\].
    Categorical(Vec<f64>),
}

/// How parameters come out of the posterior.
enum Take<'a, R: Rng> {
    Predictive,
    Mean,
    Draw(&'a mut R),
}

impl Parameters {
    /// The predictive probabilities under the posterior: parameters integrated out, node by node.
    pub fn predictive(config: &ModelConfig, counts: &Counts) -> Self {
        Self::take(config, counts, Take::<crate::rng::Rng>::Predictive)
    }

    /// The means of the parameters under the posterior. Those of categories and transitions are the predictive
    /// probabilities; a geometric feature has p at its mean, and so lighter tails than the predictive, which
    /// integrates p out. What learning by EM goes over.
    pub fn mean(config: &ModelConfig, counts: &Counts) -> Self {
        Self::take(config, counts, Take::<crate::rng::Rng>::Mean)
    }

    /// A draw from the posterior: p of every geometric from its Beta, every row from its Dirichlet.
    pub fn draw<R: Rng>(config: &ModelConfig, counts: &Counts, rng: &mut R) -> Self {
        Self::take(config, counts, Take::Draw(rng))
    }

    fn take<R: Rng>(config: &ModelConfig, counts: &Counts, mut take: Take<'_, R>) -> Self {
        let (k, width, unit) = (counts.states, config.emission_width(), counts.unit());
        let pseudo = move |number: &u64| *number as f64 * unit;
        let mut rows = |counts: &[u64]| -> Vec<f64> {
            let prior = config.priors.transition;
            counts
                .chunks(k)
                .flat_map(|row| match &mut take {
                    Take::Predictive | Take::Mean => prior.ln_predictive(row.iter().map(pseudo)).collect(),
                    Take::Draw(rng) => prior.ln_draw(row.iter().map(pseudo), *rng),
                })
                .collect()
        };
        let transition = Transition { kind: config.transition, states: k, ln: rows(&counts.transitions) };
        let ln_sibling = rows(&counts.siblings);
        let ln_child = if config.child_types { rows(&counts.child_types()) } else { Vec::new() };
        let features = counts
            .features
            .iter()
            .map(|feature| match feature {
                FeatureCounts::Geometric(statistics) => {
                    let prior = config.priors.geometric;
                    let posteriors = statistics.iter().map(|s| prior.posterior(pseudo(&s.n), pseudo(&s.sum)));
                    match &mut take {
                        Take::Predictive => FeatureParameters::GeometricPredictive(posteriors.collect()),
                        Take::Mean => FeatureParameters::GeometricDrawn(
                            posteriors.map(|posterior| given(posterior.mean())).collect(),
                        ),
                        Take::Draw(rng) => FeatureParameters::GeometricDrawn(
                            posteriors.map(|posterior| given(posterior.draw(*rng))).collect(),
                        ),
                    }
                }
                FeatureCounts::Categorical(counts) => {
                    let mut ln = vec![0.0; counts.len()];
                    for first in 0..width {
                        let column = counts.iter().skip(first).step_by(width).map(pseudo);
                        let prior = config.priors.categorical;
                        let values: Vec<f64> = match &mut take {
                            Take::Predictive | Take::Mean => prior.ln_predictive(column).collect(),
                            Take::Draw(rng) => prior.ln_draw(column, *rng),
                        };
                        for (category, value) in values.into_iter().enumerate() {
                            ln[category * width + first] = value;
                        }
                    }
                    FeatureParameters::Categorical(ln)
                }
            })
            .collect();
        Parameters { transition, ln_sibling, ln_child, features }
    }

    /// ln of the priors' densities over these parameters and of the probability of what was counted: the sum of
    /// (gamma + c) ln p over all rows and of (alpha + n) ln p + (beta + sum) ln (1 - p) over all geometric columns,
    /// without the densities' constants. What [mean](Self::mean) parameters maximize, see `inference::em`. The types of
    /// all siblings are left out; predictive geometric parameters have p at its mean.
    pub fn ln_density(&self, config: &ModelConfig, counts: &Counts) -> f64 {
        let unit = counts.unit();
        let of_rows = |ln: &[f64], counts: &[u64], gamma: f64| -> f64 {
            ln.iter().zip(counts).map(|(ln, &count)| (gamma + count as f64 * unit) * ln).sum()
        };
        let of_features = self.features.iter().zip(&counts.features).map(|(feature, counts)| {
            let (given, statistics): (Vec<_>, _) = match (feature, counts) {
                (FeatureParameters::Categorical(ln), FeatureCounts::Categorical(counts)) => {
                    return of_rows(ln, counts, config.priors.categorical.gamma);
                }
                (FeatureParameters::GeometricDrawn(given), FeatureCounts::Geometric(s)) => (given.clone(), s),
                (FeatureParameters::GeometricPredictive(posteriors), FeatureCounts::Geometric(s)) => {
                    (posteriors.iter().map(|posterior| given(posterior.mean())).collect(), s)
                }
                _ => unreachable!("parameters and counts are of one configuration"),
            };
            let term = |((ln_p, ln_q), s): (&(f64, f64), &GeometricStatistic)| {
                let posterior = config.priors.geometric.posterior(s.n as f64 * unit, s.sum as f64 * unit);
                posterior.alpha * ln_p + posterior.beta * ln_q
            };
            given.iter().zip(statistics).map(term).sum()
        });
        of_rows(&self.transition.ln, &counts.transitions, config.priors.transition.gamma)
            + of_features.sum::<f64>()
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
        let width = config.emission_width();
        let offset = |v: usize| config.emission_offset(tree.is_leaf(v as u32));
        let nodes = ln.chunks_exact_mut(k).enumerate();
        match (&self.features[feature], &features.columns[feature]) {
            (FeatureParameters::Categorical(table), Column::Values(values)) => {
                let family = config.features[feature].family;
                for ((v, node), &x) in nodes.zip(values) {
                    let start = category(&specs[feature].kind, family, x) * width + offset(v);
                    add(node, &table[start..start + k]);
                }
            }
            (FeatureParameters::GeometricPredictive(posteriors), Column::Values(values)) => {
                // Most counts are small: those share a table.
                let small = values.iter().copied().max().unwrap_or(0).min(255) as usize + 1;
                let tables: Vec<Vec<f64>> = posteriors.iter().map(|p| p.ln_predictive_table(small)).collect();
                for ((v, node), &x) in nodes.zip(values) {
                    let offset = offset(v);
                    for (state, value) in node.iter_mut().enumerate() {
                        *value += match tables[offset + state].get(x as usize) {
                            Some(ln_p) => *ln_p,
                            None => posteriors[offset + state].ln_predictive(u64::from(x)),
                        };
                    }
                }
            }
            (FeatureParameters::GeometricDrawn(drawn), Column::Values(values)) => {
                for ((v, node), &x) in nodes.zip(values) {
                    for (value, (ln_p, ln_q)) in node.iter_mut().zip(&drawn[offset(v)..]) {
                        *value += ln_p + f64::from(x) * ln_q;
                    }
                }
            }
            (FeatureParameters::Categorical(table), Column::ChildTags(histograms)) => {
                for (v, node) in nodes {
                    for &(tag, n) in histograms.children(v as u32) {
                        add_times(node, f64::from(n), &table[tag as usize * width + offset(v)..]);
                    }
                }
            }
            (FeatureParameters::Categorical(table), Column::SiblingTags(histograms)) => {
                // The sum over all children of a parent, made once for all of them.
                let mut of_children = vec![0.0; tree.len() * width];
                for (v, sum) in of_children.chunks_exact_mut(width).enumerate() {
                    for &(tag, n) in histograms.children(v as u32) {
                        add_times(sum, f64::from(n), &table[tag as usize * width..]);
                    }
                }
                for (v, node) in nodes {
                    let parent = tree.parent(v as u32);
                    if parent != NONE {
                        add(node, &of_children[parent as usize * width + offset(v)..]);
                        let own = histograms.own(v as u32) as usize;
                        add_times(node, -1.0, &table[own * width + offset(v)..]);
                    }
                }
            }
            _ => unreachable!("only counts are geometric, see ModelConfig::check"),
        }
    }
}

/// ln p and ln (1 - p).
fn given(p: f64) -> (f64, f64) {
    (p.ln(), (-p).ln_1p())
}

/// Adds the first entries of `row` to a node's, one for each state.
fn add(node: &mut [f64], row: &[f64]) {
    node.iter_mut().zip(row).for_each(|(value, ln_p)| *value += ln_p);
}

fn add_times(node: &mut [f64], n: f64, row: &[f64]) {
    node.iter_mut().zip(row).for_each(|(value, ln_p)| *value += n * ln_p);
}

/// The category of a value: its bin where it is a count.
pub(crate) fn category(kind: &Kind, family: Family, x: u32) -> usize {
    debug_assert!(family == Family::DirichletCategorical);
    match kind {
        Kind::Count { bins, .. } => bins.bin(x) as usize,
        _ => x as usize,
    }
}
