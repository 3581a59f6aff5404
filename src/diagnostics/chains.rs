//! `Chains`, the draws of one scalar.

use std::borrow::Cow;

use ndarray::ArrayView2;

/// The draws of one scalar: a row for each chain, all of the same length.
///
/// # Examples
/// ```
/// use duramen::{Chains, rhat};
///
/// let draws = [0.1, 0.5, 0.2, 0.4, 0.3, 0.2, 0.4, 0.1];
/// let chains = Chains::new(&draws, 2);
/// assert_eq!((chains.chains(), chains.draws()), (2, 4));
/// assert!(rhat(&chains)? > 0.5);
/// # Ok::<(), duramen::Undefined>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Chains<'a> {
    values: Cow<'a, [f64]>,
    chains: usize,
}

impl<'a> Chains<'a> {
    /// `chains` rows of equal length, one after the other, as in an array of dimensions (chain, draw).
    ///
    /// # Panics
    /// If the values do not come out even, which is a fault of the caller.
    pub fn new(values: impl Into<Cow<'a, [f64]>>, chains: usize) -> Self {
        let values = values.into();
        assert!(
            values.is_empty() || chains > 0 && values.len().is_multiple_of(chains),
            "{} draws are not {chains} chains of equal length",
            values.len()
        );
        Chains { values, chains }
    }

    /// How many chains there are.
    pub fn chains(&self) -> usize {
        self.chains
    }

    /// How many draws each chain has.
    pub fn draws(&self) -> usize {
        self.values.len().checked_div(self.chains).unwrap_or(0)
    }

    /// All draws, chain by chain.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The chains.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.draws().max(1))
    }

    /// All draws in ascending order.
    pub fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    }

    /// The value of every draw, if they are all the same.
    pub fn constant(&self) -> Option<f64> {
        let (first, rest) = self.values.split_first()?;
        rest.iter().all(|value| value == first).then_some(*first)
    }

    /// The mean of all draws; NaN without any.
    pub fn mean(&self) -> f64 {
        mean(&self.values)
    }

    /// The variance of all draws, the divisor one less than their number; NaN with fewer than two.
    pub fn variance(&self) -> f64 {
        variance(&self.values)
    }

    /// Each half of each chain as a chain; the middle draw of an odd number is left out.
    pub(super) fn split(&self) -> Chains<'static> {
        let half = self.draws() / 2;
        let first = self.rows().map(|row| &row[..half]);
        let second = self.rows().map(|row| &row[row.len() - half..]);
        Chains { values: first.chain(second).flatten().copied().collect(), chains: 2 * self.chains }
    }

    pub(super) fn map(&self, f: impl Fn(f64) -> f64) -> Chains<'static> {
        Chains { values: self.values.iter().map(|&value| f(value)).collect(), chains: self.chains }
    }
}

/// Of an array of shape chains x draws; without a copy where it stands row after row.
impl<'a> From<ArrayView2<'a, f64>> for Chains<'a> {
    fn from(draws: ArrayView2<'a, f64>) -> Self {
        let values = draws.to_slice().map_or_else(|| draws.iter().copied().collect(), Cow::Borrowed);
        Chains { values, chains: draws.nrows() }
    }
}

/// About the first value, so that the mean of a constant is that constant, and numbers far from 0 lose no digits.
pub(super) fn mean(values: &[f64]) -> f64 {
    let Some(first) = values.first() else { return f64::NAN };
    first + values.iter().map(|value| value - first).sum::<f64>() / values.len() as f64
}

/// With the divisor n - 1.
pub(super) fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_chain_is_split_without_its_middle() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];
        let halves = Chains::new(&values, 2).split();
        assert_eq!(halves.rows().collect::<Vec<_>>(), [[1.0, 2.0], [6.0, 7.0], [4.0, 5.0], [9.0, 10.0]]);
    }

    #[test]
    fn mean_and_variance_are_those_of_the_pool() {
        let values = [1.0, 2.0, 3.0, 6.0];
        let chains = Chains::new(&values, 2);
        assert_eq!(chains.mean(), 3.0);
        assert_eq!(chains.variance(), 14.0 / 3.0);
        assert_eq!(chains.constant(), None);
        assert_eq!((mean(&[0.1; 7]), variance(&[0.1; 7])), (0.1, 0.0));
        assert!(Chains::new(&[], 2).mean().is_nan());
        assert_eq!(Chains::new(&[], 0).rows().len(), 0);
    }

    #[test]
    fn an_array_has_a_chain_in_each_row_however_it_lies() {
        let draws = ndarray::array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        assert_eq!(Chains::from(draws.view()), Chains::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2));
        assert_eq!(Chains::from(draws.t()), Chains::new(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0], 3));
    }

    #[test]
    #[should_panic(expected = "not 2 chains of equal length")]
    fn rows_of_unequal_length_are_a_fault_of_the_program() {
        Chains::new(&[1.0, 2.0, 3.0], 2);
    }
}
