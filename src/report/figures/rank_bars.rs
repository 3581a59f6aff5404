//! Rank plots: does every chain visit every part of the distribution as often as the others?

use super::axes::{self, Axis, Plane};
use super::chain_parts::{self as parts, WIDTH};
use crate::diagnostics::{Chains, ranks};
use crate::error::Result;
use crate::report::canvas::{Anchor, Canvas};
use crate::report::figure::Figure;
use crate::report::style::{self, GRAY, INK};

/// For each chain a histogram of the ranks of its draws among those of all chains (Vehtari et al. 2021, section 5).
///
/// Chains that have converged fill all bins alike: the dashed line is the share of each bin in all chains together, the
/// band where 95 % of bins would be were draws independent.
#[derive(Debug, Clone, PartialEq)]
pub struct RankBars<'a> {
    /// The title.
    pub title: String,
    /// A line below the title. May be empty.
    pub subtitle: String,
    /// The draws, at least 4 a chain.
    pub chains: &'a Chains<'a>,
}

const ROW: f64 = 74.0;
const GAP: f64 = 10.0;
const LEFT: f64 = 100.0;

impl Figure for RankBars<'_> {
    fn title(&self) -> &str {
        &self.title
    }

    fn size(&self) -> (u32, u32) {
        let heading = axes::heading_height(WIDTH, &self.title, &self.subtitle);
        (WIDTH, (heading + 6.0 + (ROW + GAP) * self.chains.chains() as f64 + 56.0) as u32)
    }

    fn check(&self) -> Result<()> {
        parts::check(&self.title, self.chains, 4)
    }

    fn draw(&self, canvas: &mut Canvas) {
        let top = axes::heading(canvas, WIDTH, &self.title, &self.subtitle) + 6.0;
        let counts = counts(self.chains);
        let (chains, bins) = (counts.len() as f64, counts[0].len());
        let pooled: Vec<f64> =
            (0..bins).map(|bin| counts.iter().map(|counts| counts[bin]).sum::<f64>() / chains).collect();
        let bands: Vec<(f64, f64)> = pooled.iter().map(|&mean| band(mean, self.chains)).collect();
        let highest = counts.iter().flatten().chain(bands.iter().map(|(_, high)| high));
        let highest = 1.05 * highest.fold(0.0, |a: f64, &b| a.max(b));
        let right = f64::from(WIDTH) - axes::MARGIN;
        let width = (right - LEFT) / bins as f64;
        for (index, counts) in counts.iter().enumerate() {
            let look = parts::chain(index);
            let base = top + (ROW + GAP) * index as f64 + ROW;
            let height = |count: f64| base - count / highest * ROW;
            for (bin, &count) in counts.iter().enumerate() {
                let from = LEFT + width * bin as f64;
                canvas.rect(
                    (from + 1.0, height(count)),
                    (from + width - 1.0, base),
                    style::faint(look.color, 0.85),
                );
            }
            for (bin, (&mean, &(low, high))) in pooled.iter().zip(&bands).enumerate() {
                let (from, to) = (LEFT + width * bin as f64, LEFT + width * (bin + 1) as f64);
                canvas.rect((from, height(low)), (to, height(high)), style::faint(GRAY, 0.22));
                canvas.line(&[(from, height(mean)), (to, height(mean))], INK, 1.2, &[4.0, 3.0]);
            }
            canvas.line(&[(LEFT, base), (right, base)], INK, 1.2, &[]);
            let middle = base - ROW / 2.0;
            canvas.text(&format!("chain {index}"), (LEFT - 12.0, middle), Anchor::End, axes::NAME.bold());
        }
        self.draw_ranks(canvas, top + (ROW + GAP) * chains - GAP, right);
    }
}

impl RankBars<'_> {
    fn draw_ranks(&self, canvas: &mut Canvas, bottom: f64, right: f64) {
        let plane = Plane {
            left: LEFT,
            // Without height there are labels of ticks and no grid.
            top: bottom,
            right,
            bottom,
            x: Axis::linear("Rank among the draws of all chains", 0.0, self.chains.values().len() as f64),
            y: Axis::with_ticks("", 0.0, 1.0, Vec::new()),
        };
        plane.draw(canvas);
    }
}

/// How many draws of each chain have a rank in each bin; bins hold five draws of a chain or more, and are at most 20.
fn counts(chains: &Chains<'_>) -> Vec<Vec<f64>> {
    let bins = (chains.draws() / 5).clamp(2, 20);
    let ranks = ranks(chains.values());
    let total = ranks.len() as f64;
    ranks
        .chunks_exact(chains.draws())
        .map(|ranks| {
            let mut counts = vec![0.0; bins];
            // Ranks are from 1, and those of equal draws may be halves.
            ranks.iter().for_each(|rank| counts[((rank - 0.5) / total * bins as f64) as usize] += 1.0);
            counts
        })
        .collect()
}

/// Where the count of a bin is in 95 % of cases, if each of its draws were as likely to be of any chain: about normal,
/// with the variance of drawing without replacement.
fn band(mean: f64, chains: &Chains<'_>) -> (f64, f64) {
    let (m, total) = (chains.chains() as f64, chains.values().len() as f64);
    let variance = mean * (1.0 - 1.0 / m) * (total - m * mean) / (total - 1.0);
    let half = 1.96 * variance.sqrt();
    ((mean - half).max(0.0), mean + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_is_always_above_fills_the_upper_bins() {
        let values: Vec<f64> = (0..80).map(f64::from).collect();
        let found = counts(&Chains::new(&values, 2));
        assert_eq!(found[0], [10.0, 10.0, 10.0, 10.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(found[1], [0.0, 0.0, 0.0, 0.0, 10.0, 10.0, 10.0, 10.0]);
    }

    #[test]
    fn draws_that_are_all_equal_fall_into_the_middle() {
        let found = counts(&Chains::new(&[1.0; 20], 2));
        assert_eq!(found, [[0.0, 10.0], [0.0, 10.0]]);
    }

    #[test]
    fn the_band_holds_as_many_bins_as_it_says() {
        use crate::rng;
        use rand::RngExt;
        let mut random = rng::stream(5, "test", &[]);
        let (mut inside, mut all) = (0, 0);
        for _ in 0..50 {
            let values: Vec<f64> = (0..2000).map(|_| random.random()).collect();
            let chains = Chains::new(values, 4);
            let (low, high) = band(25.0, &chains);
            for &count in counts(&chains).iter().flatten() {
                inside += u32::from((low..=high).contains(&count));
                all += 1;
            }
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((share - 0.95).abs() < 0.02, "{share}");
    }
}
