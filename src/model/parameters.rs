//! `Parameters`, the log tables that inference reads: posterior means of the counts, or a draw from the posterior.

use rand::Rng;

use crate::dist::BetaGeometric;
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
    pub(super) features: Vec<FeatureParameters>,
}

/// The parameters of one feature.
#[derive(Debug, Clone)]
pub(super) enum FeatureParameters {
    /// p integrated out: for each column the posterior of p.
    GeometricPredictive(Vec<BetaGeometric>),
    /// p drawn: for each column ln p and ln (1 - p).
    GeometricDrawn(Vec<(f64, f64)>),
    /// ln p \[category\]\[column\].
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
        let (k, width) = (counts.states, config.emission_width());
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
                    for first in 0..width {
                        let column = counts.iter().skip(first).step_by(width).copied();
                        let prior = config.priors.categorical;
                        let values: Vec<f64> = match &mut take {
                            Take::Predictive => prior.ln_predictive(column).collect(),
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
        Parameters { transition, ln_sibling, features }
    }
}

/// The category of a value: its bin where it is a count.
pub(super) fn category(kind: &Kind, family: Family, x: u32) -> usize {
    debug_assert!(family == Family::DirichletCategorical);
    kind.category(x)
}
