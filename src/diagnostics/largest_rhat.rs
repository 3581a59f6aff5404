//! The largest R-hat of many scalars, for stopping rules.

use rayon::prelude::*;

use super::rank::NormalScores;
use super::rhat::{checked_halves, compare_halves};
use super::{Chains, Undefined};

/// The largest R-hat of many series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LargestRhat {
    /// The value.
    pub value: f64,
    /// The series that has it; the first if several do.
    pub series: usize,
    /// How many series were left out because they never move.
    pub constant: usize,
}

/// The largest [`rhat`](super::rhat) of `series` scalars, each of `chains` chains of `draws` draws, where
/// `at(series, chain, draw)` is a draw. Those that never move are left out.
///
/// In parallel; the result does not depend on the number of threads.
///
/// # Errors
/// [`Undefined`] of the first series without an R-hat for another reason than being constant;
/// [`Undefined::Constant`] if all are, and [`Undefined::TooFewDraws`] if there are no series.
///
/// # Cost
/// Two sorts of chains times draws numbers a series: about 0.6 ms for 4 chains of 1000 draws.
///
/// # Examples
/// ```
/// use duramen::diagnostics::largest_rhat;
///
/// let draws = [[0.1, 0.9, 0.3, 0.4], [0.2, 0.4, 0.8, 0.3]];
/// let largest = largest_rhat(2, 2, 4, |series, chain, draw| draws[chain][draw] * series as f64)?;
/// assert_eq!((largest.series, largest.constant), (1, 1));
/// # Ok::<(), duramen::diagnostics::Undefined>(())
/// ```
pub fn largest_rhat(
    series: usize,
    chains: usize,
    draws: usize,
    at: impl Fn(usize, usize, usize) -> f64 + Sync,
) -> Result<LargestRhat, Undefined> {
    let scores = NormalScores::new(2 * chains * (draws / 2));
    let at = &at;
    let values: Vec<Result<f64, Undefined>> = (0..series)
        .into_par_iter()
        .map(|s| {
            let values: Vec<f64> =
                (0..chains).flat_map(|chain| (0..draws).map(move |draw| at(s, chain, draw))).collect();
            let halves = checked_halves(&Chains::new(values, chains))?;
            Ok(compare_halves(&halves, &scores))
        })
        .collect();
    let mut largest: Option<LargestRhat> = None;
    let mut constant = 0;
    let mut first_constant = Undefined::TooFewDraws { draws: 0, needed: super::undefined::MIN_DRAWS };
    for (s, value) in values.into_iter().enumerate() {
        match value {
            Ok(value) if largest.is_none_or(|largest| value > largest.value) => {
                largest = Some(LargestRhat { value, series: s, constant: 0 });
            }
            Ok(_) => {}
            Err(reason @ Undefined::Constant { .. }) => {
                constant += 1;
                first_constant = reason;
            }
            Err(reason) => return Err(reason),
        }
    }
    largest.map(|largest| LargestRhat { constant, ..largest }).ok_or(first_constant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::rhat;

    fn made_up(series: usize, chain: usize, draw: usize) -> f64 {
        let wave = ((draw * 31 + chain * 17 + series * 7) % 23) as f64;
        if series == 2 { 5.0 } else { wave + (series * chain) as f64 }
    }

    #[test]
    fn the_largest_is_that_of_the_series_one_by_one_without_the_constant_ones() {
        let largest = largest_rhat(5, 3, 40, made_up).unwrap();
        let alone: Vec<f64> = [0, 1, 3, 4]
            .map(|s| {
                let values: Vec<f64> = (0..3).flat_map(|c| (0..40).map(move |d| made_up(s, c, d))).collect();
                rhat(&Chains::new(values, 3)).unwrap()
            })
            .into();
        assert_eq!(largest.value, alone.into_iter().fold(0.0, f64::max));
        assert_eq!((largest.series, largest.constant), (4, 1));
    }

    #[test]
    fn a_series_with_no_number_stops_everything_and_nothing_but_constants_is_said_so() {
        let holed = |s, c, d| if (s, c, d) == (1, 2, 3) { f64::NAN } else { made_up(s, c, d) };
        assert_eq!(largest_rhat(5, 3, 40, holed), Err(Undefined::NonFinite { chain: 2, draw: 3 }));
        assert_eq!(largest_rhat(3, 2, 9, |_, _, _| 4.0), Err(Undefined::Constant { value: 4.0 }));
        assert!(largest_rhat(0, 2, 9, made_up).is_err());
        assert_eq!(largest_rhat(1, 2, 3, made_up), Err(Undefined::TooFewDraws { draws: 3, needed: 4 }));
    }
}
