//! The histogram of one column: bins of equal width as in numpy, their number as PyOD chooses it, and bins of equal count.

/// Bins side by side and the score of each.
#[derive(Debug)]
pub(super) struct Histogram {
    /// The edges, ascending: one more than bins.
    edges: Vec<f64>,
    scores: Vec<f64>,
    /// The greatest score.
    greatest: f64,
    /// The share of a bin's width by which a value may stand outside and still belong to the outermost bin.
    tolerance: f64,
    /// Whether an edge belongs to the bin below it: PyOD finds the bin of a value so, though numpy counts otherwise.
    edge_below: bool,
}

impl Histogram {
    fn new(edges: Vec<f64>, scores: Vec<f64>, tolerance: f64, edge_below: bool) -> Histogram {
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Histogram { edges, scores, greatest, tolerance, edge_below }
    }

    /// One bin that tells no value from another.
    fn one_bin(values: &[(f64, u64)]) -> Histogram {
        let (first, last) = range(values);
        Histogram::new(vec![first, last], vec![0.0], 0.0, true)
    }

    /// Bins of equal width over the range of the values, scored -log2(density + alpha).
    ///
    /// A column whose values are too near each other for so many edges between them (PyOD refuses it) tells nothing.
    pub fn with_equal_widths(values: &[(f64, u64)], bins: usize, alpha: f64, tolerance: f64) -> Histogram {
        let Some(edges) = edges(values, bins) else { return Histogram::one_bin(values) };
        let counts = counts(values, &edges);
        let all: u64 = counts.iter().sum();
        let density = |(bin, count): (usize, &u64)| *count as f64 / width(&edges, bin) / all as f64;
        let scores =
            counts.iter().enumerate().map(density).map(|density| -(density + alpha).log2()).collect();
        Histogram::new(edges, scores, tolerance, true)
    }

    /// Bins of equal counts, scored log10(height of the highest bin / height).
    ///
    /// Each bin goes from its first value to the first of the next. It takes values until it holds the N / `bins` (rounded
    /// down) that are its share. Equal values are never split, so that a bin may hold more; a value that alone is more
    /// than the share begins a bin of its own. The last bin ends at the largest value; if that is its only one it is as
    /// wide as the bin before it.
    pub fn with_equal_counts(values: &[(f64, u64)], bins: usize) -> Histogram {
        let all: u64 = values.iter().map(|&(_, count)| count).sum();
        let share = (all / bins as u64).max(1);
        // The first value and the number of values of each bin.
        let mut parts: Vec<(f64, u64)> = Vec::new();
        for &(value, count) in values {
            match parts.last_mut() {
                Some((_, held)) if *held < share && count <= share => *held += count,
                _ => parts.push((value, count)),
            }
        }
        if parts.len() < 2 {
            return Histogram::one_bin(values);
        }
        let (before, start) = (parts[parts.len() - 2].0, parts[parts.len() - 1].0);
        let last = values.last().map_or(0.0, |&(value, _)| value);
        let end = if start < last { last } else { last + (last - before) };
        let edges: Vec<f64> = parts.iter().map(|&(start, _)| start).chain([end]).collect();
        let heights: Vec<f64> =
            parts.iter().enumerate().map(|(bin, &(_, held))| held as f64 / width(&edges, bin)).collect();
        let highest = heights.iter().copied().fold(0.0, f64::max);
        let scores = heights.iter().map(|height| (highest / height).log10()).collect();
        Histogram::new(edges, scores, 0.0, false)
    }

    /// The score of a value. One that is further outside than the tolerance gets that of the rarest bin.
    pub fn score(&self, value: f64) -> f64 {
        let bins = self.scores.len();
        let (low, high) = (self.edges[0], self.edges[bins]);
        if value <= low {
            let is_near = low - value <= (self.edges[1] - low) * self.tolerance;
            return if is_near { self.scores[0] } else { self.greatest };
        }
        if value > high {
            let is_near = value - high <= (high - self.edges[bins - 1]) * self.tolerance;
            return if is_near { self.scores[bins - 1] } else { self.greatest };
        }
        let edges_before = match self.edge_below {
            true => self.edges.partition_point(|&edge| edge < value),
            false => self.edges.partition_point(|&edge| edge <= value),
        };
        self.scores[edges_before.clamp(1, bins) - 1]
    }
}

/// The width of a bin, wide enough to divide by.
fn width(edges: &[f64], bin: usize) -> f64 {
    (edges[bin + 1] - edges[bin]).max(1e-280)
}

/// The range of values, widened by a half on both sides if it is a single value.
fn range(values: &[(f64, u64)]) -> (f64, f64) {
    let first = values.first().map_or(0.0, |&(value, _)| value);
    let last = values.last().map_or(0.0, |&(value, _)| value);
    if first == last { (first - 0.5, last + 0.5) } else { (first, last) }
}

/// The edges of bins of equal width as numpy computes them; none if they are too near each other to be told apart.
fn edges(values: &[(f64, u64)], bins: usize) -> Option<Vec<f64>> {
    let (first, last) = range(values);
    let step = (last - first) / bins as f64;
    let mut edges: Vec<f64> = (0..=bins).map(|i| i as f64 * step + first).collect();
    edges[bins] = last;
    edges.is_sorted_by(|a, b| a < b).then_some(edges)
}

/// The number of values in each bin of equal width: an edge belongs to the bin above it, the last to the last bin.
fn counts(values: &[(f64, u64)], edges: &[f64]) -> Vec<u64> {
    let bins = edges.len() - 1;
    let mut counts = vec![0; bins];
    let mut bin = 0;
    for &(value, count) in values {
        while bin + 1 < bins && value >= edges[bin + 1] {
            bin += 1;
        }
        counts[bin] += count;
    }
    counts
}

/// The number of bins of equal width by Birgé & Rozenholc (2006) as PyOD computes it: the b below the square root of N with the
/// greatest sum over bins of n ln(1 + b n / N) - (b - 1 + (ln b)^2.5), n being the bin's count.
///
/// PyOD takes the penalty once for each bin, where the paper takes it once, and 1 is added in the logarithm; so fewer bins
/// are chosen than by the paper. Below four values, where PyOD fails, it is 1.
pub(super) fn best_bins(values: &[(f64, u64)]) -> usize {
    let all: u64 = values.iter().map(|&(_, count)| count).sum();
    let most = all.isqrt() as usize;
    let mut best = (1, f64::NEG_INFINITY);
    for bins in 1..most {
        let Some(edges) = edges(values, bins) else { break };
        let b = bins as f64;
        let penalty = b - 1.0 + b.ln().powf(2.5);
        let term = |&count: &u64| count as f64 * (b * count as f64 / all as f64 + 1.0).ln() - penalty;
        let likelihood: f64 = counts(values, &edges).iter().map(term).sum();
        if likelihood > best.1 {
            best = (bins, likelihood);
        }
    }
    best.0
}
