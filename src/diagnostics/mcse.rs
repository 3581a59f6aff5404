//! Monte Carlo standard errors: how far an estimate from these draws may be from that of endless ones.

use statrs::function::beta::inv_beta_reg;

use super::ess::{ess_mean, estimate_squares, quantile_given_sorted};
use super::undefined::{MIN_DRAWS, check_moving};
use super::{Chains, Diagnostic};

/// The standard error of the mean: standard deviation over the root of [`ess_mean`].
///
/// # Errors
/// As [`ess_mean`].
pub fn mcse_mean(chains: &Chains<'_>) -> Diagnostic {
    Ok((chains.variance() / ess_mean(chains)?).sqrt())
}

/// The standard error of the standard deviation, from that of the mean square by the delta method (Kenney & Keeping
/// 1951, "Mathematics of Statistics", part 2, page 141).
///
/// # Errors
/// As [`ess_mean`].
pub fn mcse_sd(chains: &Chains<'_>) -> Diagnostic {
    check_moving(chains, MIN_DRAWS)?;
    let mean = chains.mean();
    let squares = chains.map(|value| (value - mean).powi(2));
    let variance = squares.mean();
    let of_variance =
        (squares.map(|square| square * square).mean() - variance * variance) / estimate_squares(chains);
    Ok((of_variance / variance / 4.0).sqrt())
}

/// The standard error of the quantile at `p` (above 0, below 1): half the distance of the draws that stand at the 16 %
/// and 84 % points of the quantile's place, which is a Beta of the effective sample size.
///
/// # Errors
/// As [`ess_mean`].
pub fn mcse_quantile(chains: &Chains<'_>, p: f64) -> Diagnostic {
    check_moving(chains, MIN_DRAWS)?;
    let sorted = chains.sorted();
    let ess = quantile_given_sorted(chains, &sorted, p);
    // The standard normal distribution at -1 and 1, in the digits that the other packages use.
    let [low, high] = [0.1586553, 0.8413447].map(|at| inv_beta_reg(ess * p + 1.0, ess * (1.0 - p) + 1.0, at));
    let last = sorted.len() as f64 - 1.0;
    let low = (low * sorted.len() as f64 - 1.0).max(0.0).floor();
    let high = (high * sorted.len() as f64 - 1.0).min(last).ceil();
    Ok((sorted[high as usize] - sorted[low as usize]) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Undefined;
    use crate::rng;
    use rand::RngExt;

    #[test]
    fn errors_of_independent_uniform_draws_are_those_of_theory() {
        let mut random = rng::stream(2, "test", &[]);
        let n = 40_000;
        let values: Vec<f64> = (0..n).map(|_| random.random()).collect();
        let chains = Chains::new(values, 4);
        let root = f64::from(n).sqrt();
        let theory = [1.0 / 12f64.sqrt(), (1.0f64 / 180.0 * 12.0 / 4.0).sqrt(), 0.5];
        let found = [mcse_mean(&chains), mcse_sd(&chains), mcse_quantile(&chains, 0.5)];
        for (found, theory) in found.into_iter().zip(theory) {
            let ratio = found.unwrap() * root / theory;
            // The error of the median is the noisiest: it hangs on 200 draws about it.
            assert!((ratio - 1.0).abs() < 0.3, "{ratio}");
        }
    }

    #[test]
    fn constant_chains_have_no_errors_to_speak_of() {
        let chains = Chains::new(&[1.0; 8], 2);
        let constant = Err(Undefined::Constant { value: 1.0 });
        assert_eq!(mcse_mean(&chains), constant);
        assert_eq!(mcse_sd(&chains), constant);
        assert_eq!(mcse_quantile(&chains, 0.5), constant);
    }
}
