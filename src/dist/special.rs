//! Sums of exponentials without overflow, and rising factorials.

use statrs::function::gamma::ln_gamma;

/// ln(sum of exp(x)), shifted by the largest term; minus infinity for no terms.
///
/// # Examples
/// ```
/// let sum = duramen::dist::special::ln_sum_exp(&[-1000.0, -1000.0]);
/// assert!((sum - (-1000.0 + 2f64.ln())).abs() < 1e-12);
/// ```
pub fn ln_sum_exp(terms: &[f64]) -> f64 {
    let max = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if max == f64::NEG_INFINITY {
        return max;
    }
    max + terms.iter().map(|x| (x - max).exp()).sum::<f64>().ln()
}

/// Turns log weights into probabilities that sum to 1 and returns ln of the sum of the weights.
///
/// All terms at minus infinity (nothing is possible) is a fault of the caller.
pub fn normalize_ln(weights: &mut [f64]) -> f64 {
    let max = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    debug_assert!(max > f64::NEG_INFINITY, "at least one state must be possible");
    let mut sum = 0.0;
    for weight in weights.iter_mut() {
        *weight = (*weight - max).exp();
        sum += *weight;
    }
    for weight in weights.iter_mut() {
        *weight /= sum;
    }
    max + sum.ln()
}

/// ln of the rising factorial x (x + 1) ... (x + n - 1), for x above 0; of numbers `n` that are no whole ones
/// ln Gamma(x + n) - ln Gamma(x).
///
/// # Examples
/// ```
/// let ln = duramen::dist::special::ln_rising(0.5, 3.0);
/// assert!((ln - (0.5f64 * 1.5 * 2.5).ln()).abs() < 1e-15);
/// ```
pub fn ln_rising(x: f64, n: f64) -> f64 {
    if n <= 16.0 && n.fract() == 0.0 {
        let mut product = 1.0;
        let mut i = 0.0;
        while i < n {
            product *= x + i;
            i += 1.0;
        }
        return product.ln();
    }
    ln_gamma(x + n) - ln_gamma(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_far_below_the_smallest_number_are_right() {
        assert_eq!(ln_sum_exp(&[]), f64::NEG_INFINITY);
        assert_eq!(ln_sum_exp(&[f64::NEG_INFINITY, -5.0]), -5.0);
        let mut weights = [-10_000.0, -10_001.0];
        let total = normalize_ln(&mut weights);
        assert!((weights[0] - 1.0 / (1.0 + (-1f64).exp())).abs() < 1e-12);
        assert!((total - ln_sum_exp(&[-10_000.0, -10_001.0])).abs() < 1e-9);
    }

    #[test]
    fn rising_factorials_by_products_and_by_gammas_are_the_same() {
        assert_eq!(ln_rising(2.0, 0.0), 0.0);
        for x in [0.01, 1.0, 7.25, 1e6] {
            for n in [1.0, 2.5, 16.0, 17.0, 300.0] {
                let expected = ln_gamma(x + n) - ln_gamma(x);
                // At a million ln Gamma is 1.3e7, and its last place 2e-9.
                assert!((ln_rising(x, n) - expected).abs() < 1e-8, "{x} {n}");
            }
        }
    }
}
