//! How far probabilities can be trusted: reliability curve, expected calibration error, Brier score.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Probabilities are kept as whole multiples of 2^-32, so that sums are exact whatever their order.
const ONE: u64 = 1 << 32;

/// Accumulated (probability, outcome, weight) triples in equal-width bins.
///
/// All sums are integers: calibrations of parts of the data add up to that of the whole, bit for bit, in any
/// order.
///
/// # Examples
/// ```
/// let mut calibration = duramen::Calibration::default();
/// calibration.add(0.75, true, 3)?;
/// calibration.add(0.75, false, 1)?;
/// assert_eq!(calibration.expected_error(), Some(0.0));
/// assert_eq!(calibration.brier(), Some((3.0 * 0.0625 + 0.5625) / 4.0));
/// # Ok::<(), duramen::Error>(())
/// ```
///
/// References: Naeini, Cooper & Hauskrecht 2015, "Obtaining well calibrated probabilities using Bayesian
/// binning" (ECE); Brier 1950, "Verification of forecasts expressed in terms of probability".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calibration {
    bins: Vec<Sums>,
    /// Sum of weight times squared error, in units of 2^-64.
    squared_error: u128,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
    weight: u64,
    positive: u64,
    /// Sum of weight times probability, in units of 2^-32.
    probability: u128,
}

/// One point of the reliability curve: a bin that holds anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReliabilityBin {
    /// The bin's lower bound, inclusive.
    pub low: f64,
    /// The bin's upper bound, exclusive but for the last bin.
    pub high: f64,
    /// The weighted mean of the probabilities in the bin.
    pub mean_probability: f64,
    /// The share of the bin's weight whose outcome was true.
    pub frequency: f64,
    /// The bin's weight.
    pub weight: u64,
}

impl Default for Calibration {
    /// Fifteen bins, as in most of the literature.
    fn default() -> Self {
        Calibration { bins: vec![Sums::default(); 15], squared_error: 0 }
    }
}

impl Calibration {
    /// An empty calibration with `bins` equal-width bins (1 to 1000).
    ///
    /// # Errors
    /// [`Error::Usage`] for a number of bins out of range.
    pub fn new(bins: usize) -> Result<Calibration> {
        if !(1..=1000).contains(&bins) {
            return Err(Error::usage(
                format!("{bins} calibration bins"),
                "give 1 to 1000, the default is 15",
            ));
        }
        Ok(Calibration { bins: vec![Sums::default(); bins], squared_error: 0 })
    }

    /// Adds `weight` items to which `probability` was given and whose outcome is `outcome`.
    ///
    /// # Errors
    /// [`Error::Usage`] for a probability outside 0 to 1 (beyond rounding, 1e-9) or not a number.
    pub fn add(&mut self, probability: f64, outcome: bool, weight: u64) -> Result<()> {
        if !(-1e-9..=1.0 + 1e-9).contains(&probability) {
            return Err(Error::usage(
                format!("{probability} is not a probability"),
                "give calibration values from 0 to 1; a score must be mapped first",
            ));
        }
        let probability = probability.clamp(0.0, 1.0);
        let n = self.bins.len();
        let bin = &mut self.bins[((probability * n as f64) as usize).min(n - 1)];
        let units = (probability * ONE as f64).round() as u64;
        bin.weight += weight;
        bin.positive += if outcome { weight } else { 0 };
        bin.probability += u128::from(units) * u128::from(weight);
        let error = u128::from(if outcome { ONE - units } else { units });
        self.squared_error += error * error * u128::from(weight);
        Ok(())
    }

    /// The total weight added.
    pub fn weight(&self) -> u64 {
        self.bins.iter().map(|bin| bin.weight).sum()
    }

    /// The bins that hold anything, from low to high probability.
    pub fn curve(&self) -> Vec<ReliabilityBin> {
        let n = self.bins.len() as f64;
        let filled = self.bins.iter().enumerate().filter(|(_, bin)| bin.weight > 0);
        filled
            .map(|(k, bin)| ReliabilityBin {
                low: k as f64 / n,
                high: (k + 1) as f64 / n,
                mean_probability: bin.probability as f64 / (bin.weight as f64 * ONE as f64),
                frequency: bin.positive as f64 / bin.weight as f64,
                weight: bin.weight,
            })
            .collect()
    }

    /// Expected calibration error: the mean over all weight of |mean probability - frequency| of its bin
    /// (0 to 1, 0 is best); nothing where nothing was added.
    pub fn expected_error(&self) -> Option<f64> {
        let total = self.weight();
        (total > 0).then(|| {
            let gaps = self
                .bins
                .iter()
                .map(|bin| bin.probability.abs_diff(u128::from(bin.positive) * u128::from(ONE)));
            gaps.sum::<u128>() as f64 / (total as f64 * ONE as f64)
        })
    }

    /// Brier score: the mean squared difference of probability and outcome (0 to 1, 0 is best); nothing where
    /// nothing was added. Binning does not enter.
    pub fn brier(&self) -> Option<f64> {
        let total = self.weight();
        (total > 0).then(|| self.squared_error as f64 / (total as f64 * ONE as f64 * ONE as f64))
    }
}

impl AddAssign<&Calibration> for Calibration {
    /// Adds the other's sums.
    ///
    /// # Panics
    /// If the numbers of bins differ.
    fn add_assign(&mut self, other: &Calibration) {
        assert_eq!(self.bins.len(), other.bins.len(), "calibrations with different bins do not add up");
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.weight += more.weight;
            bin.positive += more.positive;
            bin.probability += more.probability;
        }
        self.squared_error += other.squared_error;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ece_and_brier_equal_the_values_worked_out_by_hand() {
        let mut c = Calibration::new(2).unwrap();
        c.add(0.25, false, 2).unwrap();
        c.add(0.25, true, 2).unwrap();
        c.add(0.875, true, 4).unwrap();
        // Bin 0: mean .25, frequency .5, weight 4; bin 1: mean .875, frequency 1, weight 4.
        assert_eq!(c.expected_error(), Some(0.5 * 0.25 + 0.5 * 0.125));
        assert_eq!(c.brier(), Some((2.0 * 0.0625 + 2.0 * 0.5625 + 4.0 * 0.015625) / 8.0));
        let low = ReliabilityBin { low: 0.0, high: 0.5, mean_probability: 0.25, frequency: 0.5, weight: 4 };
        assert_eq!(c.curve()[0], low);
        assert_eq!(c.curve().len(), 2);
    }

    #[test]
    fn sure_and_right_is_perfect_and_sure_and_wrong_is_the_worst() {
        let mut right = Calibration::default();
        right.add(1.0, true, 5).unwrap();
        right.add(0.0, false, 5).unwrap();
        assert_eq!((right.expected_error(), right.brier()), (Some(0.0), Some(0.0)));
        let mut wrong = Calibration::default();
        wrong.add(1.0, false, 5).unwrap();
        wrong.add(0.0, true, 5).unwrap();
        assert_eq!((wrong.expected_error(), wrong.brier()), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn an_empty_calibration_has_no_error_to_report() {
        assert_eq!(Calibration::default().expected_error(), None);
        assert_eq!(Calibration::default().brier(), None);
        assert!(Calibration::default().curve().is_empty());
    }

    #[test]
    fn what_is_no_probability_is_refused_and_rounding_is_forgiven() {
        let mut c = Calibration::default();
        assert!(c.add(f64::NAN, true, 1).is_err());
        assert!(c.add(1.5, true, 1).unwrap_err().to_string().contains("1.5 is not a probability"));
        assert!(c.add(1.0 + 1e-12, true, 1).is_ok());
        assert!(Calibration::new(0).is_err());
    }

    proptest! {
        #[test]
        fn parts_in_any_order_add_up_to_the_whole_bit_for_bit(
            items in prop::collection::vec((0.0..=1.0f64, any::<bool>(), 0u64..1000), 0..40), cut in 0usize..40,
        ) {
            let of = |items: &[(f64, bool, u64)]| {
                let mut c = Calibration::default();
                items.iter().for_each(|&(p, y, w)| c.add(p, y, w).unwrap());
                c
            };
            let (first, second) = items.split_at(cut.min(items.len()));
            let mut sum = of(second);
            sum += &of(first);
            prop_assert_eq!(sum, of(&items));
        }

        #[test]
        fn the_calibration_error_is_at_most_the_root_of_the_brier_score(
            items in prop::collection::vec((0.0..=1.0f64, any::<bool>(), 1u64..9), 1..40),
        ) {
            let mut c = Calibration::default();
            items.iter().for_each(|&(p, y, w)| c.add(p, y, w).unwrap());
            prop_assert!(c.expected_error().unwrap() <= c.brier().unwrap().sqrt() + 1e-9);
        }
    }
}
