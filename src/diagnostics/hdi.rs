//! The highest density interval of the pooled draws.

use super::undefined::check_finite;
use super::{Chains, Undefined};

/// The shortest interval between two draws that holds the share `mass` (above 0, below 1) of all draws; the first of
/// several. For one mode: of two, it spans both and the gap.
///
/// # Errors
/// [`Undefined`]: no draws, too few of them for an interval, or one that is not finite.
///
/// # Examples
/// ```
/// use duramen::diagnostics::{Chains, hdi};
///
/// let draws = [0.0, 5.0, 5.5, 6.0, 9.0];
/// assert_eq!(hdi(&Chains::new(&draws, 1), 0.5)?, (5.0, 6.0));
/// # Ok::<(), duramen::diagnostics::Undefined>(())
/// ```
pub fn hdi(chains: &Chains<'_>, mass: f64) -> Result<(f64, f64), Undefined> {
    check_finite(chains, 1)?;
    let sorted = chains.sorted();
    let steps = (mass * sorted.len() as f64).floor() as usize;
    let mut shortest: Option<(f64, f64)> = None;
    for (&low, &high) in sorted.iter().zip(sorted.iter().skip(steps)) {
        if shortest.is_none_or(|(from, to)| high - low < to - from) {
            shortest = Some((low, high));
        }
    }
    shortest.ok_or(Undefined::TooFewDraws { draws: chains.draws(), needed: chains.draws() + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_where_draws_are_dense_and_the_first_of_equals() {
        let values: Vec<f64> = (0..100).map(|i| f64::from(i * i)).collect();
        assert_eq!(hdi(&Chains::new(&values, 4), 0.5), Ok((0.0, 2500.0)));
        assert_eq!(hdi(&Chains::new(&[1.0, 2.0, 3.0, 4.0], 2), 0.5), Ok((1.0, 3.0)));
    }

    #[test]
    fn all_of_the_mass_asks_for_one_draw_more_than_there_are() {
        assert!(hdi(&Chains::new(&[1.0, 2.0], 1), 1.0).is_err());
        assert!(hdi(&Chains::new(&[], 1), 0.5).is_err());
    }
}
