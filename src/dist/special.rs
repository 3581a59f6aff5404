//! Sums of exponentials without overflow.

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
}
