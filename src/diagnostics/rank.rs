//! Ranks, and the normal scores that stand for them.

use std::f64::consts::SQRT_2;

use statrs::function::erf::erfc_inv;

use super::Chains;

/// The rank of every value among all, from 1; equal values share the mean of theirs.
///
/// Values must not be NaN.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    for_each_tie(values, |first, tied| {
        let rank = first as f64 + (tied.len() as f64 + 1.0) / 2.0;
        tied.iter().for_each(|&at| ranks[at as usize] = rank);
    });
    ranks
}

/// Calls `visit` for every group of equal values, in ascending order, with how many are smaller and where they are.
fn for_each_tie(values: &[f64], mut visit: impl FnMut(usize, &[u32])) {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
    let mut first = 0;
    for tied in order.chunk_by(|&a, &b| values[a as usize] == values[b as usize]) {
        visit(first, tied);
        first += tied.len();
    }
}

/// The normal scores of the ranks of samples of one size.
pub(super) struct NormalScores {
    of_rank: Vec<f64>,
}

impl NormalScores {
    pub(super) fn new(size: usize) -> Self {
        NormalScores { of_rank: (1..=size).map(|rank| normal_score(rank as f64, size)).collect() }
    }

    /// Every draw replaced by the normal score of its rank among all draws of all chains
    /// (Vehtari et al. 2021, equation 14).
    pub(super) fn rank_normalized(&self, chains: &Chains<'_>) -> Chains<'static> {
        let values = chains.values();
        let size = values.len();
        debug_assert_eq!(size, self.of_rank.len());
        let mut scores = vec![0.0; size];
        for_each_tie(values, |first, tied| {
            let score = match tied.len() {
                1 => self.of_rank[first],
                n => normal_score(first as f64 + (n as f64 + 1.0) / 2.0, size),
            };
            tied.iter().for_each(|&at| scores[at as usize] = score);
        });
        Chains::new(scores, chains.chains())
    }
}

/// [`NormalScores::rank_normalized`] for a single use.
pub(super) fn rank_normalized(chains: &Chains<'_>) -> Chains<'static> {
    NormalScores::new(chains.values().len()).rank_normalized(chains)
}

/// The standard normal quantile at Blom's plotting position of a rank.
fn normal_score(rank: f64, size: usize) -> f64 {
    let p = (rank - 0.375) / (size as f64 + 0.25);
    -SQRT_2 * erfc_inv(2.0 * p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, -0.0, 0.0, 9.0]), [4.5, 3.0, 4.5, 1.5, 1.5, 6.0]);
        assert!(ranks(&[]).is_empty());
    }

    #[test]
    fn scores_are_symmetric_and_the_middle_one_is_zero() {
        let values = [5.0, 4.0, 3.0, 2.0, 1.0, 2.0];
        let scores = rank_normalized(&Chains::new(&values[..5], 1));
        let s = scores.values();
        assert!(s[2].abs() < 1e-15 && (s[0] + s[4]).abs() < 1e-15);
        // The standard normal quantile at 4.625 / 5.25.
        assert!((s[0] - 1.179_761_117_611_261).abs() < 1e-12, "{}", s[0]);
        let tied = rank_normalized(&Chains::new(&values, 2));
        assert_eq!(tied.values()[3], tied.values()[5]);
    }
}
