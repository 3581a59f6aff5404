//! Counts 0, 1, 2, ... as Geometric(p), with p ~ Beta(alpha, beta).
//!
//! The thesis (equations 3.1-3.3) writes the density for counts from 1 and uses it for counts that may be 0; here
//! the support is {0, 1, ...}: P(x | p) = (1 - p)^x p, so that p | x_1..n ~ Beta(alpha + n, beta + sum x_i), as in
//! its equation 3.2.

use rand::Rng;
use rand_distr::{Beta, Distribution};
use serde::{Deserialize, Serialize};
use statrs::function::beta::ln_beta;

use super::exponential::ln;

/// The conjugate prior of a geometric distribution, or a posterior: they are the same family.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BetaGeometric {
    /// Pseudo-count of observations. Range (0, inf), default 1.
    pub alpha: f64,
    /// Pseudo-sum of their values. Range (0, inf), default 1.
    pub beta: f64,
}

impl Default for BetaGeometric {
    /// Beta(1, 1): p uniform, the thesis's "uninformed prior".
    fn default() -> Self {
        BetaGeometric { alpha: 1.0, beta: 1.0 }
    }
}

/// What a sample of counts says of p: how many there were and their sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GeometricStatistic {
    /// Number of observations.
    pub n: u64,
    /// Sum of their values.
    pub sum: u64,
}

impl BetaGeometric {
    /// The posterior after observing `n` counts of this sum. Both may be expected ones, and then are no whole
    /// numbers.
    pub fn posterior(&self, n: f64, sum: f64) -> BetaGeometric {
        BetaGeometric { alpha: self.alpha + n, beta: self.beta + sum }
    }

    /// The mean of p: alpha / (alpha + beta).
    pub fn mean(&self) -> f64 {
        self.alpha / (self.alpha + self.beta)
    }

    /// ln P(x) with p integrated out: ln B(alpha + 1, beta + x) - ln B(alpha, beta).
    pub fn ln_predictive(&self, x: u64) -> f64 {
        if x == 0 {
            return self.mean().ln();
        }
        ln_beta(self.alpha + 1.0, self.beta + x as f64) - ln_beta(self.alpha, self.beta)
    }

    /// [`BetaGeometric::ln_predictive`] by a product of `x` factors instead of logarithms of Gamma functions, which is
    /// faster for small counts: P(x) = alpha / (alpha + beta + x) times (beta + i) / (alpha + beta + i), i from 0 to
    /// x - 1. Counts above 32 go the other way.
    pub fn ln_predictive_by_product(&self, x: u32) -> f64 {
        if x > 32 {
            return self.ln_predictive(x.into());
        }
        let BetaGeometric { alpha, beta } = *self;
        let (mut above, mut below) = (alpha, alpha + beta + f64::from(x));
        for i in 0..x {
            above *= beta + f64::from(i);
            below *= alpha + beta + f64::from(i);
            if below > 1e250 {
                above /= below;
                below = 1.0;
            }
        }
        if above < 1e-250 {
            return self.ln_predictive(x.into());
        }
        (above / below).ln()
    }

    /// [`BetaGeometric::ln_predictive`] of 0 .. `len`, by the recurrence P(x) = P(x-1) (beta+x-1)/(alpha+beta+x).
    pub fn ln_predictive_table(&self, len: usize) -> Vec<f64> {
        /// Logarithms that are taken together.
        const AT_ONCE: usize = 8;
        let mut table = Vec::with_capacity(len + AT_ONCE);
        let mut ln_p = 0.0;
        while table.len() < len {
            let first = table.len();
            let ratios: [f64; AT_ONCE] = std::array::from_fn(|i| {
                let x = (first + i) as f64;
                let of_before = if first + i == 0 { self.alpha } else { self.beta + x - 1.0 };
                of_before / (self.alpha + self.beta + x)
            });
            table.extend(ln(ratios).into_iter().map(|ln_ratio| {
                ln_p += ln_ratio;
                ln_p
            }));
        }
        table.truncate(len);
        table
    }

    /// ln P(sample) with p integrated out: ln B(alpha + n, beta + sum) - ln B(alpha, beta).
    pub fn ln_evidence(&self, statistic: GeometricStatistic) -> f64 {
        let posterior = self.posterior(statistic.n as f64, statistic.sum as f64);
        ln_beta(posterior.alpha, posterior.beta) - ln_beta(self.alpha, self.beta)
    }

    /// Draws p.
    ///
    /// With rand_distr, not statrs: the latter's Beta gave NaN in 22 % of the draws at (0.001, 0.001).
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let beta = Beta::new(self.alpha, self.beta).expect("alpha and beta are checked to be positive");
        // p = 0 would make every count impossible; the open interval is the distribution's support.
        beta.sample(rng).clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_predictive_is_the_ratio_of_evidences() {
        let prior = BetaGeometric { alpha: 0.7, beta: 2.5 };
        let before = GeometricStatistic { n: 3, sum: 11 };
        for x in [0, 1, 2, 50, 3000] {
            let after = GeometricStatistic { n: 4, sum: 11 + x };
            let expected = prior.ln_evidence(after) - prior.ln_evidence(before);
            assert!((prior.posterior(3.0, 11.0).ln_predictive(x) - expected).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn the_table_equals_the_formula_and_sums_to_one() {
        let prior = BetaGeometric { alpha: 30.0, beta: 60.0 };
        let table = prior.ln_predictive_table(2000);
        for x in [0usize, 1, 7, 1999] {
            assert!((table[x] - prior.ln_predictive(x as u64)).abs() < 1e-9, "{x}");
        }
        let total: f64 = table.iter().map(|ln_p| ln_p.exp()).sum();
        assert!((total - 1.0).abs() < 1e-9, "{total}");
    }

    #[test]
    fn the_product_equals_the_formula_for_all_sizes_of_posterior() {
        for (alpha, beta) in [(0.7, 2.5), (1e-3, 1e-3), (3e6, 8e7), (40.0, 1e-9)] {
            let prior = BetaGeometric { alpha, beta };
            for x in [0, 1, 2, 31, 32, 33, 5000] {
                let (product, formula) = (prior.ln_predictive_by_product(x), prior.ln_predictive(x.into()));
                // Differences of logarithms of Gamma functions lose digits where these are large.
                let bound = 1e-9 + 1e-14 * beta.max(alpha) * beta.max(alpha).ln().abs();
                assert!((product - formula).abs() < bound, "{alpha} {beta} {x}: {product} {formula}");
            }
        }
    }

    #[test]
    fn draws_have_the_mean_of_the_beta() {
        let mut rng = crate::rng::stream(1, "test", &[]);
        let prior = BetaGeometric { alpha: 2.0, beta: 6.0 };
        let n = 20_000;
        let mean = (0..n).map(|_| prior.draw(&mut rng)).sum::<f64>() / f64::from(n);
        // sd of Beta(2, 6) is .144; five standard errors: false alarm once in 1.7 million seeds.
        assert!((mean - 0.25).abs() < 5.0 * 0.1443 / f64::from(n).sqrt(), "{mean}");
    }
}
