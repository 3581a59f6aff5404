//! Autocovariance and autocorrelation of a chain.

use super::Undefined;
use super::chains::mean;

/// A chain's deviations from its mean, from which its autocovariance is had lag by lag.
pub(super) struct Deviations(Vec<f64>);

impl Deviations {
    pub(super) fn new(chain: &[f64]) -> Self {
        let mean = mean(chain);
        Deviations(chain.iter().map(|value| value - mean).collect())
    }

    /// The sum of products of deviations that are `lag` apart, over the number of all draws: the biased estimate,
    /// whose sequence is positive definite.
    ///
    /// Sums, not a Fourier transform: few lags are asked for where a chain mixes, and sums are the same to the last
    /// bit on every machine.
    pub(super) fn autocovariance(&self, lag: usize) -> f64 {
        let (a, b) = (&self.0[..self.0.len() - lag], &self.0[lag..]);
        // Lanes of their own let the compiler add several at once.
        let mut lanes = [0.0; 8];
        let (a_blocks, b_blocks) = (a.chunks_exact(8), b.chunks_exact(8));
        let rest: f64 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(x, y)| x * y).sum();
        for (x, y) in a_blocks.zip(b_blocks) {
            for lane in 0..8 {
                lanes[lane] += x[lane] * y[lane];
            }
        }
        (lanes.iter().sum::<f64>() + rest) / self.0.len() as f64
    }
}

/// The autocorrelation of one chain at lags 0 to `max_lag`, or to the last there is. The first is 1.
///
/// # Errors
/// [`Undefined`]: no draws, a draw that is not finite, all draws equal.
///
/// # Cost
/// O(draws lags).
///
/// # Examples
/// ```
/// use duramen::diagnostics::autocorrelation;
///
/// let back_and_forth = [1.0, -1.0, 1.0, -1.0];
/// assert_eq!(autocorrelation(&back_and_forth, 2)?, [1.0, -0.75, 0.5]);
/// # Ok::<(), duramen::diagnostics::Undefined>(())
/// ```
pub fn autocorrelation(chain: &[f64], max_lag: usize) -> Result<Vec<f64>, Undefined> {
    super::undefined::check_moving(&super::Chains::new(chain, 1), 1)?;
    let deviations = Deviations::new(chain);
    let variance = deviations.autocovariance(0);
    let lags = 0..=max_lag.min(chain.len() - 1);
    Ok(lags.map(|lag| deviations.autocovariance(lag) / variance).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lanes_add_up_to_the_plain_sum() {
        let chain: Vec<f64> = (0..37).map(|i| ((i * i) % 11) as f64).collect();
        let deviations = Deviations::new(&chain);
        for lag in 0..37 {
            let plain: f64 = (0..37 - lag).map(|i| deviations.0[i] * deviations.0[i + lag]).sum();
            assert!((deviations.autocovariance(lag) - plain / 37.0).abs() < 1e-12, "{lag}");
        }
    }

    #[test]
    fn lags_end_with_the_chain_and_a_constant_chain_has_none() {
        assert_eq!(autocorrelation(&[1.0, 2.0, 4.0], 10).unwrap().len(), 3);
        assert_eq!(autocorrelation(&[2.0, 2.0], 1), Err(Undefined::Constant { value: 2.0 }));
        assert!(autocorrelation(&[], 1).is_err());
    }
}
