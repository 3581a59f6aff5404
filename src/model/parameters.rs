//! `Parameters`, the log tables that inference reads: posterior means of the counts, or a draw from the posterior.

use rand::Rng;

use crate::dist::{BetaGeometric, GeometricStatistic};
use crate::features::Kind;

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
    /// ln P(state of a child | state), K K; empty unless the labels of children are an emission.
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
}

/// ln p and ln (1 - p).
fn given(p: f64) -> (f64, f64) {
    (p.ln(), (-p).ln_1p())
}

/// The category of a value: its bin where it is a count.
pub(crate) fn category(kind: &Kind, family: Family, x: u32) -> usize {
    debug_assert!(family == Family::DirichletCategorical);
    kind.category(x)
}
