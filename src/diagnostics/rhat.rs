//! R-hat: do the chains agree?

use super::chains::{mean, variance};
use super::rank::{NormalScores, rank_normalized};
use super::undefined::{MIN_DRAWS, check_moving};
use super::{Chains, Diagnostic, Undefined};

/// Rank-normalized split R-hat: the larger of [`rhat_bulk`] and [`rhat_folded`] (Vehtari et al. 2021).
///
/// About 1 where the chains agree; below 1.01 is wanted. Infinite where every half of a chain keeps to one value of
/// its own. With an odd number of draws the middle one is left out, also of the median that is folded at, as in
/// `arviz.rhat` (R's `posterior` folds at the median of all draws).
///
/// # Errors
/// [`Undefined`]: fewer than two chains or four draws, a draw that is not finite, all draws equal.
pub fn rhat(chains: &Chains<'_>) -> Diagnostic {
    let halves = checked_halves(chains)?;
    Ok(compare_halves(&halves, &NormalScores::new(halves.values().len())))
}

/// Split R-hat of the normal scores of the ranks: do the chains agree where they are?
///
/// # Errors
/// As [`rhat`].
pub fn rhat_bulk(chains: &Chains<'_>) -> Diagnostic {
    let halves = checked_halves(chains)?;
    Ok(ratio(&rank_normalized(&halves)))
}

/// Split R-hat of the normal scores of the ranks of distances from the median: do the chains agree in spread?
///
/// # Errors
/// As [`rhat`]; also where all draws have the same distance from the median.
pub fn rhat_folded(chains: &Chains<'_>) -> Diagnostic {
    let folded = folded(&checked_halves(chains)?);
    match folded.constant() {
        Some(value) => Err(Undefined::Constant { value }),
        None => Ok(ratio(&rank_normalized(&folded))),
    }
}

/// The halves of chains that have an R-hat.
pub(super) fn checked_halves(chains: &Chains<'_>) -> Result<Chains<'static>, Undefined> {
    if chains.chains() < 2 {
        return Err(Undefined::TooFewChains { chains: chains.chains(), needed: 2 });
    }
    check_moving(chains, MIN_DRAWS)?;
    let halves = chains.split();
    // All that moved may have been the draw in the middle.
    check_moving(&halves, 2)?;
    Ok(halves)
}

/// The larger of the two R-hats. Where all draws are as far from the median, there is but one.
pub(super) fn compare_halves(halves: &Chains<'_>, scores: &NormalScores) -> f64 {
    let bulk = ratio(&scores.rank_normalized(halves));
    let folded = ratio(&scores.rank_normalized(&folded(halves)));
    if folded > bulk { folded } else { bulk }
}

fn folded(halves: &Chains<'_>) -> Chains<'static> {
    let sorted = halves.sorted();
    // Halves of the sum, and so as far from both in the middle to the last bit: their ranks are tied.
    let median = (sorted[sorted.len() / 2 - 1] + sorted[sorted.len() / 2]) / 2.0;
    halves.map(|value| (value - median).abs())
}

/// The square root of pooled by within-chain variance (Vehtari et al. 2021, equations 1 to 4).
fn ratio(chains: &Chains<'_>) -> f64 {
    let n = chains.draws() as f64;
    let means: Vec<f64> = chains.rows().map(mean).collect();
    let variances: Vec<f64> = chains.rows().map(variance).collect();
    let (between, within) = (n * variance(&means), mean(&variances));
    ((between / within + n - 1.0) / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_that_keep_to_a_value_each_have_an_infinite_rhat() {
        let values = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0];
        assert_eq!(rhat(&Chains::new(&values, 2)), Ok(f64::INFINITY));
    }

    #[test]
    fn a_shift_is_seen_in_the_bulk_and_a_scale_in_the_fold() {
        let wave = |i: usize| ((i * 7919) % 101) as f64 - 50.0;
        let shifted: Vec<f64> = (0..400).map(|i| wave(i) + if i < 200 { 0.0 } else { 80.0 }).collect();
        let scaled: Vec<f64> = (0..400).map(|i| wave(i) * if i < 200 { 1.0 } else { 10.0 }).collect();
        let (shifted, scaled) = (Chains::new(shifted, 2), Chains::new(scaled, 2));
        assert!(rhat_bulk(&shifted).unwrap() > 1.3 && rhat_bulk(&scaled).unwrap() < 1.02);
        assert!(rhat_folded(&scaled).unwrap() > 1.3);
        assert_eq!(rhat(&scaled), rhat_folded(&scaled));
    }

    #[test]
    fn what_moves_in_the_middle_only_is_constant_in_halves() {
        let values = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(rhat(&Chains::new(&values, 2)), Err(Undefined::Constant { value: 0.0 }));
    }

    #[test]
    fn one_chain_is_too_few_to_compare() {
        let values = [0.0, 1.0, 2.0, 3.0];
        assert_eq!(rhat(&Chains::new(&values, 1)), Err(Undefined::TooFewChains { chains: 1, needed: 2 }));
    }

    #[test]
    fn two_values_as_often_have_a_bulk_but_no_fold() {
        let values = [0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0];
        let chains = Chains::new(&values, 2);
        assert!(rhat_folded(&chains).is_err());
        assert_eq!(rhat(&chains), rhat_bulk(&chains));
    }
}
