//! Draws that know nothing of the pages but their trees and labels: parameters from what training says, states and features from these.

use rayon::prelude::*;

use super::chain::Sampler;
use super::monitor::Monitor;
use super::replicates::made_statistics;
use crate::inference::simulate::simulate_states;
use crate::model::Parameters;
use crate::rng;

/// How many draws there are of the prior.
pub const PRIOR_DRAWS: usize = 500;

/// What was drawn, a row for each draw.
pub(super) struct Prior {
    /// What the [`Monitor`] writes of states and parameters.
    pub rows: Vec<f64>,
    /// The statistics of replicated pages.
    pub replicates: Vec<f64>,
}

impl Prior {
    /// theta ~ p(theta | training), z ~ P(z | theta) over the permitted states, x ~ P(x | z, theta).
    pub fn draw(sampler: &Sampler<'_>, monitor: &Monitor) -> Self {
        let (model, seed) = (sampler.model(), sampler.settings().seed);
        let draw = |number: usize| {
            let mut rng = rng::stream(seed, "gibbs-prior", &[number as u64]);
            let parameters = Parameters::draw(model.config(), model.counts(), &mut rng);
            let states: Vec<Vec<u8>> = sampler
                .page_data()
                .map(|page| simulate_states(&parameters.transition, page.tree, page.permitted, &mut rng))
                .collect();
            let states: Vec<&[u8]> = states.iter().map(Vec::as_slice).collect();
            let mut row = Vec::new();
            monitor.write_draw(sampler, &states, &parameters, &mut row);
            (row, made_statistics(sampler, &parameters, &states, &mut rng))
        };
        let drawn: Vec<(Vec<f64>, Vec<f64>)> = (0..PRIOR_DRAWS).into_par_iter().map(draw).collect();
        let (rows, replicates): (Vec<_>, Vec<_>) = drawn.into_iter().unzip();
        Prior { rows: rows.concat(), replicates: replicates.concat() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::gibbs::{GibbsConfig, Kernel, ParameterUse, SampledPage, Variable, VariableGroup};
    use crate::model::{Model, ModelConfig};
    use crate::page::Page;

    #[test]
    fn draws_of_the_prior_have_the_means_that_training_says() {
        let mut model = Model::new(ModelConfig::blocks()).unwrap();
        let parse = |html: &str| Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
        for _ in 0..20 {
            model.observe(&parse("<h1>a</h1><p>b c</p>"), |id| [id.0 % 2, 0, 1, 0, 0, 0], "made").unwrap();
        }
        let seen = model.observation(&parse("<ul><li>d</li><li>e f g. h i</li></ul>")).unwrap();
        let pages = [SampledPage::unlabelled(&model, &seen.view.tree, &seen.features, 1)];
        let settings = GibbsConfig {
            kernel: Kernel::Blocked,
            parameters: ParameterUse::Uncollapsed,
            ..GibbsConfig::default()
        };
        let sampler = Sampler::new(&model, &pages, &settings).unwrap();
        let monitor = Monitor::new(&sampler);
        let rows = Prior::draw(&sampler, &monitor).rows;
        let of_posterior: Vec<&Variable> =
            monitor.variables().iter().filter(|v| v.group == VariableGroup::Posterior).collect();
        let width: usize = of_posterior.iter().map(|variable| variable.len()).sum();
        assert_eq!(rows.len(), PRIOR_DRAWS * width);
        let before = of_posterior.iter().take_while(|variable| variable.name != "root");
        let start: usize = before.map(|variable| variable.len()).sum();
        let (k, n) = (model.config().states.len(), PRIOR_DRAWS as f64);
        for (state, ln) in model.generative_parameters().transition.row(k, k).iter().enumerate() {
            let drawn: Vec<f64> = rows.chunks_exact(width).map(|row| row[start + state]).collect();
            let mean = drawn.iter().sum::<f64>() / n;
            let variance = drawn.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (n - 1.0);
            // Five standard errors: a false alarm for one seed in two hundred thousand.
            assert!((mean - ln.exp()).abs() < 5.0 * (variance / n).sqrt(), "{state}: {mean} {}", ln.exp());
        }
    }
}
