//! Categories 0 .. n as Categorical(q), with q ~ Dirichlet(gamma, ..., gamma) (the thesis's equations 3.4-3.6).

use rand::Rng;
use rand_distr::{Distribution, Gamma};
use serde::{Deserialize, Serialize};
use statrs::function::gamma::ln_gamma;

/// The symmetric conjugate prior of a categorical distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DirichletCategorical {
    /// Pseudo-count of each category. Range (0, inf), default 1.
    pub gamma: f64,
}

impl Default for DirichletCategorical {
    /// gamma = 1: every q equally likely, the thesis's "uninformed prior".
    fn default() -> Self {
        DirichletCategorical { gamma: 1.0 }
    }
}

impl DirichletCategorical {
    /// ln of the predictive probability of each category after `counts`: ln (gamma + c_i) - ln (n gamma + sum c).
    /// Counts may be expected ones, and then are no whole numbers.
    pub fn ln_predictive(&self, counts: impl Iterator<Item = f64> + Clone) -> impl Iterator<Item = f64> {
        let (n, total) = counts.clone().fold((0u64, 0.0), |(n, total), count| (n + 1, total + count));
        let ln_total = (n as f64 * self.gamma + total).ln();
        let gamma = self.gamma;
        counts.map(move |count| (gamma + count).ln() - ln_total)
    }

    /// ln P(sample) with q integrated out, of a sample with these counts, which may be expected ones, in a given order.
    pub fn ln_evidence(&self, counts: &[f64]) -> f64 {
        let n = counts.len() as f64;
        let total: f64 = counts.iter().sum();
        let seen = counts.iter().filter(|count| **count > 0.0);
        let terms: f64 = seen.map(|&count| ln_gamma(self.gamma + count) - ln_gamma(self.gamma)).sum();
        ln_gamma(n * self.gamma) - ln_gamma(n * self.gamma + total) + terms
    }

    /// ln of a draw of q from the posterior after `counts`, by normalized Gamma draws.
    pub fn ln_draw<R: Rng + ?Sized>(&self, counts: impl Iterator<Item = f64>, rng: &mut R) -> Vec<f64> {
        let mut ln_q: Vec<f64> = counts.map(|count| draw_gamma(self.gamma + count, rng).ln()).collect();
        let ln_total = super::special::ln_sum_exp(&ln_q);
        for value in &mut ln_q {
            *value -= ln_total;
        }
        ln_q
    }
}

/// A draw from Gamma(shape, 1), of which normalized ones make a draw from a Dirichlet.
pub(super) fn draw_gamma<R: Rng + ?Sized>(shape: f64, rng: &mut R) -> f64 {
    let gamma = Gamma::new(shape, 1.0).expect("priors are checked to be positive and counts are");
    let draw: f64 = gamma.sample(rng);
    // A Gamma of tiny shape underflows to 0, which would forbid the category for good.
    draw.max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_predictive_is_the_ratio_of_evidences() {
        let prior = DirichletCategorical { gamma: 0.3 };
        let counts = [4.0, 0.0, 9.0];
        for (i, ln_p) in prior.ln_predictive(counts.into_iter()).enumerate() {
            let mut more = counts;
            more[i] += 1.0;
            let expected = prior.ln_evidence(&more) - prior.ln_evidence(&counts);
            assert!((ln_p - expected).abs() < 1e-12, "{i}");
        }
    }

    #[test]
    fn draws_have_the_posterior_mean_and_sum_to_one() {
        let mut rng = crate::rng::stream(1, "test", &[]);
        let prior = DirichletCategorical { gamma: 0.5 };
        let counts = [3.0, 0.0, 1.0];
        let n = 20_000;
        let mut mean = [0.0; 3];
        for _ in 0..n {
            let q = prior.ln_draw(counts.into_iter(), &mut rng);
            assert!((q.iter().map(|ln| ln.exp()).sum::<f64>() - 1.0).abs() < 1e-12);
            for (sum, ln) in mean.iter_mut().zip(&q) {
                *sum += ln.exp() / f64::from(n);
            }
        }
        for (mean, ln_p) in mean.iter().zip(prior.ln_predictive(counts.into_iter())) {
            // sd of each component is below .2; five standard errors.
            assert!((mean - ln_p.exp()).abs() < 5.0 * 0.2 / f64::from(n).sqrt(), "{mean}");
        }
    }
}
