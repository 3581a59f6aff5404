//! All that a table says of one scalar.

use super::ess::tail_given_sorted;
use super::undefined::{MIN_DRAWS, check_finite, check_moving};
use super::{Chains, Diagnostic, Undefined, ess_bulk, geweke, mcse_mean, mcse_sd, quantile_of_sorted, rhat};

/// Estimates from the pooled draws of one scalar, and how far to trust them.
///
/// # Examples
/// ```
/// use duramen::{Chains, Summary, Undefined};
///
/// let summary = Summary::new(&Chains::new(&[2.0; 8], 2));
/// assert_eq!(summary.mean, Ok(2.0));
/// assert_eq!(summary.r_hat, Err(Undefined::Constant { value: 2.0 }));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The mean.
    pub mean: Diagnostic,
    /// The standard deviation.
    pub sd: Diagnostic,
    /// The median.
    pub median: Diagnostic,
    /// The 5 % point.
    pub q5: Diagnostic,
    /// The 95 % point.
    pub q95: Diagnostic,
    /// The standard error of the mean.
    pub mcse_mean: Diagnostic,
    /// The standard error of the standard deviation.
    pub mcse_sd: Diagnostic,
    /// The effective sample size for the bulk.
    pub ess_bulk: Diagnostic,
    /// The effective sample size for the tails.
    pub ess_tail: Diagnostic,
    /// Rank-normalized split R-hat.
    pub r_hat: Diagnostic,
    /// Of the chains' values of Geweke's z, the one farthest from 0; a chain that never moves has none and is passed
    /// over. Of four chains in order, one is beyond 2.5 in 5 % of cases.
    pub geweke_z: Diagnostic,
}

impl Summary {
    /// The summary of `chains`.
    pub fn new(chains: &Chains<'_>) -> Summary {
        let finite = check_finite(chains, 1);
        let sorted = chains.sorted();
        let of_sorted = |p: f64| finite.map(|()| quantile_of_sorted(&sorted, p));
        Summary {
            mean: finite.map(|()| chains.mean()),
            sd: finite.and_then(|()| sd(chains)),
            median: of_sorted(0.5),
            q5: of_sorted(0.05),
            q95: of_sorted(0.95),
            mcse_mean: mcse_mean(chains),
            mcse_sd: mcse_sd(chains),
            ess_bulk: ess_bulk(chains),
            ess_tail: check_moving(chains, MIN_DRAWS).map(|()| tail_given_sorted(chains, &sorted)),
            r_hat: rhat(chains),
            geweke_z: farthest_geweke(chains),
        }
    }

    /// The value of every draw, if nothing ever moves.
    pub fn constant(&self) -> Option<f64> {
        self.mean.ok().filter(|_| self.sd == Ok(0.0))
    }
}

fn sd(chains: &Chains<'_>) -> Diagnostic {
    match chains.values().len() {
        1 => Err(Undefined::TooFewDraws { draws: 1, needed: 2 }),
        _ => Ok(chains.variance().sqrt()),
    }
}

fn farthest_geweke(chains: &Chains<'_>) -> Diagnostic {
    check_moving(chains, 1)?;
    let mut farthest = Err(Undefined::TooFewDraws { draws: 0, needed: MIN_DRAWS });
    for (number, chain) in chains.rows().enumerate() {
        match (geweke(chain), farthest) {
            (Ok(z), Ok(other)) if z.abs() <= f64::abs(other) => {}
            (Ok(z), _) => farthest = Ok(z),
            (Err(Undefined::Constant { .. }), Ok(_)) => {}
            (Err(reason @ Undefined::Constant { .. }), Err(_)) => farthest = Err(reason),
            (Err(Undefined::NonFinite { draw, .. }), _) => {
                return Err(Undefined::NonFinite { chain: number, draw });
            }
            (Err(reason), _) => return Err(reason),
        }
    }
    farthest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_stands_still_is_passed_over_by_geweke_only() {
        let moving = |i: usize| ((i * 37) % 101) as f64;
        let values: Vec<f64> = (0..200).map(|i| if i < 100 { 50.0 } else { moving(i) }).collect();
        let summary = Summary::new(&Chains::new(&values, 2));
        assert_eq!(summary.geweke_z, geweke(&values[100..]));
        assert!(summary.r_hat.unwrap() > 1.05);
        assert_eq!(summary.constant(), None);
    }

    #[test]
    fn a_draw_that_is_no_number_is_named_by_every_entry() {
        let mut values = vec![0.0; 120];
        values[77] = f64::NEG_INFINITY;
        let summary = Summary::new(&Chains::new(&values, 2));
        let reason = Err(Undefined::NonFinite { chain: 1, draw: 17 });
        for entry in
            [summary.mean, summary.sd, summary.median, summary.r_hat, summary.ess_tail, summary.geweke_z]
        {
            assert_eq!(entry, reason);
        }
    }

    #[test]
    fn no_draws_are_no_panic() {
        for chains in [0, 1, 4] {
            assert!(Summary::new(&Chains::new(&[], chains)).mean.is_err());
        }
    }
}
