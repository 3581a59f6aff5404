//! Replicated pages of a chain: features that the model makes for the drawn states and parameters, as the statistics of
//! [`predictive_check`](crate::inference::predictive_check).
//!
//! Of several pages a statistic is its mean over the pages that have it.

use super::chain::Sampler;
use super::settings::ParameterUse;
use crate::features::FeatureMatrix;
use crate::inference::predictive_check::{replicate, statistics};
use crate::model::{Parameters, TargetStates};
use crate::rng::Rng;

/// Of every how many draws pages are replicated: posterior predictive p-values need hundreds of replicates and no more.
pub const REPLICATED: usize = 10;

/// The statistics of the pages as they are: their features and names, and the values.
pub(super) struct PageStatistics {
    /// (feature, statistic)
    pub names: Vec<(&'static str, &'static str)>,
    pub observed: Vec<f64>,
}

impl PageStatistics {
    pub fn new(sampler: &Sampler<'_>) -> Self {
        let features: Vec<&FeatureMatrix> = sampler.page_data().map(|page| page.features).collect();
        let first =
            sampler.page_data().next().map(|page| statistics(sampler.model(), page.tree, page.features));
        let names = first.unwrap_or_default().iter().map(|s| (s.feature, s.name)).collect();
        PageStatistics { names, observed: compute_statistics(sampler, &features) }
    }
}

/// The statistics of all pages with these features.
fn compute_statistics(sampler: &Sampler<'_>, features: &[&FeatureMatrix]) -> Vec<f64> {
    let pages: Vec<Vec<f64>> = sampler
        .page_data()
        .zip(features)
        .map(|(page, features)| {
            statistics(sampler.model(), page.tree, features).iter().map(|s| s.value).collect()
        })
        .collect();
    let width = pages.first().map_or(0, Vec::len);
    let mean = |at: usize| {
        let values = pages.iter().map(|page| page[at]).filter(|value| value.is_finite());
        let (n, sum) = values.fold((0u32, 0.0), |(n, sum), value| (n + 1, sum + value));
        sum / f64::from(n)
    };
    (0..width).map(mean).collect()
}

/// Statistics of pages made by the model, given the states of all pages.
pub(super) fn replicated(sampler: &Sampler<'_>, states: &[&[u8]], rng: &mut Rng) -> Vec<f64> {
    let model = sampler.model();
    let parameters = match sampler.settings().parameters {
        ParameterUse::Fixed => model.generative_parameters(),
        // Of all categories, also those that are on no page: the model may put them there.
        _ => {
            let mut counts = model.counts().clone();
            for (page, states) in sampler.page_data().zip(states) {
                let states = TargetStates::new(page.tree, model.config().states, states.to_vec());
                counts.observe(model.config(), model.specs(), page.tree, page.features, &states);
            }
            Parameters::draw(model.config(), &counts, rng)
        }
    };
    made_statistics(sampler, &parameters, states, rng)
}

/// Statistics of pages made of these parameters, given the states of all pages.
pub(super) fn made_statistics(
    sampler: &Sampler<'_>,
    parameters: &Parameters,
    states: &[&[u8]],
    rng: &mut Rng,
) -> Vec<f64> {
    let pages = sampler.page_data().zip(states);
    let made: Vec<FeatureMatrix> =
        pages.map(|(page, states)| replicate(sampler.model(), parameters, page.tree, states, rng)).collect();
    compute_statistics(sampler, &made.iter().collect::<Vec<_>>())
}
