//! Effective sample sizes: how many independent draws the chains are worth.

use super::autocorrelation::Deviations;
use super::chains::{mean, variance};
use super::rank::rank_normalized;
use super::undefined::{MIN_DRAWS, check_moving};
use super::{Chains, Diagnostic, Undefined, quantile_of_sorted};

/// The effective sample size for the bulk of the distribution: of the normal scores of the ranks, in halves of chains.
///
/// Range 0 to n log10 n for n draws in all (more than n where draws repel each other).
///
/// # Errors
/// [`Undefined`]: fewer than four draws, a draw that is not finite, all draws equal.
pub fn ess_bulk(chains: &Chains<'_>) -> Diagnostic {
    Ok(estimate_halves(&rank_normalized(&moving_halves(chains)?)))
}

/// The effective sample size for the tails: the smaller of those for the 5 % and the 95 % point.
///
/// # Errors
/// As [`ess_bulk`].
pub fn ess_tail(chains: &Chains<'_>) -> Diagnostic {
    check_moving(chains, MIN_DRAWS)?;
    Ok(tail_given_sorted(chains, &chains.sorted()))
}

/// The effective sample size for the mean.
///
/// # Errors
/// As [`ess_bulk`].
pub fn ess_mean(chains: &Chains<'_>) -> Diagnostic {
    Ok(estimate_halves(&moving_halves(chains)?))
}

/// The effective sample size for the standard deviation: of squared distances from the mean.
///
/// # Errors
/// As [`ess_bulk`].
pub fn ess_sd(chains: &Chains<'_>) -> Diagnostic {
    check_moving(chains, MIN_DRAWS)?;
    Ok(estimate_squares(chains))
}

/// [`ess_sd`] of checked chains.
pub(super) fn estimate_squares(chains: &Chains<'_>) -> f64 {
    let mean = chains.mean();
    estimate_halves(&chains.map(|value| (value - mean).powi(2)).split())
}

/// The effective sample size for the quantile at `p` (0 to 1): of whether a draw is at most the quantile.
///
/// Where the largest value is the quantile, as may be with whole numbers, every draw is, and it is the number of draws,
/// as in ArviZ.
///
/// # Errors
/// As [`ess_bulk`].
pub fn ess_quantile(chains: &Chains<'_>, p: f64) -> Diagnostic {
    check_moving(chains, MIN_DRAWS)?;
    Ok(quantile_given_sorted(chains, &chains.sorted(), p))
}

/// [`ess_tail`] of checked chains whose draws are also given sorted.
pub(super) fn tail_given_sorted(chains: &Chains<'_>, sorted: &[f64]) -> f64 {
    quantile_given_sorted(chains, sorted, 0.05).min(quantile_given_sorted(chains, sorted, 0.95))
}

/// [`ess_quantile`] of checked chains whose draws are also given sorted.
pub(super) fn quantile_given_sorted(chains: &Chains<'_>, sorted: &[f64], p: f64) -> f64 {
    let quantile = quantile_of_sorted(sorted, p);
    estimate_halves(&chains.map(|value| f64::from(u8::from(value <= quantile))).split())
}

/// The halves of chains, unless all that moved was the draw in the middle.
fn moving_halves(chains: &Chains<'_>) -> Result<Chains<'static>, Undefined> {
    check_moving(chains, MIN_DRAWS)?;
    let halves = chains.split();
    check_moving(&halves, 2)?;
    Ok(halves)
}

/// The effective sample size of chains that are halves already (Vehtari et al. 2021, equation 10, with Geyer's initial
/// monotone sequence of paired autocorrelations, as in Stan and ArviZ). What is constant, such as "every draw is at most
/// the quantile", is known as well as independent draws could tell it.
fn estimate_halves(chains: &Chains<'_>) -> f64 {
    if chains.constant().is_some() {
        return chains.values().len() as f64;
    }
    let n = chains.draws();
    let deviations: Vec<Deviations> = chains.rows().map(Deviations::new).collect();
    let autocovariance = |lag: usize| {
        deviations.iter().map(|chain| chain.autocovariance(lag)).sum::<f64>() / deviations.len() as f64
    };
    let biased = autocovariance(0);
    let within = biased * n as f64 / (n as f64 - 1.0);
    let means: Vec<f64> = chains.rows().map(mean).collect();
    let pooled = biased + if means.len() > 1 { variance(&means) } else { 0.0 };
    let correlation = |lag: usize| 1.0 - (within - autocovariance(lag)) / pooled;

    // Pairs of lags (0, 1), (2, 3), ... while their sums are positive.
    let mut pairs = vec![(1.0, correlation(1))];
    let mut last = pairs[0];
    while 2 * pairs.len() < n - 2 && last.0 + last.1 > 0.0 {
        let lag = 2 * pairs.len();
        last = (correlation(lag), correlation(lag + 1));
        pairs.push(last);
    }
    // The last pair is not summed, but for its even half where that is positive, or the pair was cut short by the end.
    pairs.pop();
    let remainder = if last.0 > 0.0 || last.0 + last.1 >= 0.0 { last.0 } else { 0.0 };
    // A pair that is larger than the one before is that much noise.
    for i in 1..pairs.len() {
        let before = pairs[i - 1].0 + pairs[i - 1].1;
        if pairs[i].0 + pairs[i].1 > before {
            pairs[i] = (before / 2.0, before / 2.0);
        }
    }
    let draws = chains.values().len() as f64;
    let time = -1.0 + 2.0 * pairs.iter().map(|pair| pair.0 + pair.1).sum::<f64>() + remainder;
    draws / time.max(1.0 / draws.log10())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;
    use rand::RngExt;

    #[test]
    fn independent_draws_are_worth_themselves_and_correlated_ones_as_theory_says() {
        let mut random = rng::stream(1, "test", &[]);
        let (chains, draws) = (4, 4_000);
        for rho in [0.0f64, 0.9] {
            let mut values = Vec::new();
            for _ in 0..chains {
                let mut x = 0.0;
                for _ in 0..draws {
                    // A sum of twelve uniforms is close enough to a normal.
                    let noise = (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
                    x = rho * x + (1.0 - rho * rho).sqrt() * noise;
                    values.push(x);
                }
            }
            let theory = (chains * draws) as f64 * (1.0 - rho) / (1.0 + rho);
            let found = ess_mean(&Chains::new(values, chains)).unwrap();
            assert!((found / theory - 1.0).abs() < 0.25, "{rho}: {found} {theory}");
        }
    }

    #[test]
    fn draws_that_repel_each_other_are_worth_more_but_boundedly_so() {
        let values: Vec<f64> = (0..1000).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let found = ess_mean(&Chains::new(values, 2)).unwrap();
        assert_eq!(found, 1000.0 * 1000f64.log10());
    }

    #[test]
    fn where_all_draws_are_at_most_the_quantile_it_is_as_good_as_the_draws() {
        let values = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        // The median is 0, which all but one reach; the 95 % point lies between 0 and 1.
        let chains = Chains::new(&values, 2);
        assert!(ess_quantile(&chains, 0.5).is_ok());
        assert_eq!(ess_quantile(&chains, 1.0), Ok(8.0));
    }
}
