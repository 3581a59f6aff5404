//! `Bins`: each feature cut into at most 256 bins, and the bin of each row.

use rayon::prelude::*;

use super::columns::Columns;

/// The rows of a training set with every value replaced by the number of its bin.
pub(super) struct Bins {
    pub features: Vec<FeatureBins>,
    pub rows: usize,
}

/// A feature's cuts and bins.
pub(super) struct FeatureBins {
    /// The cuts, ascending: bin b holds the values above cut b - 1 that are not above cut b. The last bin has no upper end.
    pub cuts: Vec<u32>,
    /// The bin of each row.
    pub of_row: Vec<u8>,
}

impl Bins {
    /// Cuts each column at quantiles of its values, at most `max_cuts` (255 at most) times. A column is asked for once, and
    /// only a few are there at a time.
    pub fn new(columns: &dyn Columns, rows: usize, max_cuts: usize) -> Bins {
        let feature = |column: usize| {
            let column = columns.values(column);
            let cuts = cuts(&column, max_cuts);
            let bin = |x: u32| cuts.partition_point(|&cut| cut < x) as u8;
            let of_row = match largest_if_small(&column) {
                Some(largest) => {
                    let bins: Vec<u8> = (0..=largest).map(bin).collect();
                    column.iter().map(|&x| bins[x as usize]).collect()
                }
                None => column.iter().map(|&x| bin(x)).collect(),
            };
            FeatureBins { cuts, of_row }
        };
        Bins { features: (0..columns.count()).into_par_iter().map(feature).collect(), rows }
    }
}

/// The largest value, if a table of all values up to it is small beside the column, or small at all.
fn largest_if_small(column: &[u32]) -> Option<u32> {
    let largest = column.iter().copied().max()?;
    (largest < 1 << 12 || (largest as usize) < column.len()).then_some(largest)
}

/// The values of a column with how many rows have each, ascending.
fn counted(column: &[u32]) -> Vec<(u32, usize)> {
    match largest_if_small(column) {
        Some(largest) => {
            let mut counts = vec![0usize; largest as usize + 1];
            column.iter().for_each(|&x| counts[x as usize] += 1);
            (0..).zip(counts).filter(|&(_, count)| count > 0).collect()
        }
        None => {
            let mut sorted = column.to_vec();
            sorted.sort_unstable();
            sorted.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect()
        }
    }
}

/// At most `most` cuts of a column.
///
/// Each distinct value has its own bin if there are enough bins. Otherwise a bin takes values until it holds its share
/// of the rows that are left; a value that alone is more than a share of all rows has a bin of its own. A cut is halfway
/// between the values on its sides, rounded down.
fn cuts(column: &[u32], most: usize) -> Vec<u32> {
    let values = counted(column);
    let share = column.len() as f64 / (most + 1) as f64;
    let is_alone = |count: usize| values.len() <= most + 1 || count as f64 >= share;
    let alone = values.iter().filter(|&&(_, count)| is_alone(count)).count();
    // Rows and bins that are left for values that are not alone.
    let mut rows: usize =
        values.iter().filter(|&&(_, count)| !is_alone(count)).map(|&(_, count)| count).sum();
    let mut bins = (most + 1).saturating_sub(alone).max(1);
    let mut cuts = Vec::new();
    let mut held = 0;
    for pair in values.windows(2) {
        let ((value, count), (next, next_count)) = (pair[0], pair[1]);
        held += count;
        let is_full = held as f64 >= rows as f64 / bins as f64;
        if cuts.len() < most && (is_alone(count) || is_alone(next_count) || is_full) {
            if !is_alone(count) {
                rows -= held;
                bins = (bins - 1).max(1);
            }
            cuts.push(value + (next - value) / 2);
            held = 0;
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of rows in each bin.
    fn sizes(column: &[u32], most: usize) -> Vec<usize> {
        let bins = Bins::new(&vec![column], column.len(), most);
        let mut sizes = vec![0; bins.features[0].cuts.len() + 1];
        for &bin in &bins.features[0].of_row {
            sizes[bin as usize] += 1;
        }
        sizes
    }

    #[test]
    fn few_values_have_a_bin_each_and_are_cut_halfway() {
        assert_eq!(cuts(&[7, 0, 1, 7, 4, u32::MAX], 4), [0, 2, 5, 7 + (u32::MAX - 7) / 2]);
        assert_eq!(sizes(&[7, 0, 1, 7, 4, u32::MAX], 4), [1, 1, 1, 2, 1]);
        assert!(cuts(&[3, 3, 3], 63).is_empty());
    }

    #[test]
    fn values_are_counted_alike_whatever_their_size() {
        let small: Vec<u32> = (0..1000).map(|i| i * i % 613).collect();
        let large: Vec<u32> = small.iter().map(|x| x * 1_000_003).collect();
        let expected: Vec<(u32, usize)> = counted(&small).iter().map(|&(x, n)| (x * 1_000_003, n)).collect();
        assert_eq!(counted(&large), expected);
        assert_eq!(sizes(&large, 20), sizes(&small, 20));
        assert!(largest_if_small(&small).is_some() && largest_if_small(&large).is_none());
    }

    #[test]
    fn many_values_share_bins_of_nearly_equal_size() {
        let column: Vec<u32> = (0..1000).map(|i| i * 7919 % 1000).collect();
        let sizes = sizes(&column, 9);
        assert_eq!(sizes, [100; 10]);
    }

    #[test]
    fn a_frequent_value_has_its_own_bin() {
        let column: Vec<u32> = (0..1000).map(|i| if i < 600 { 50 } else { i % 100 }).collect();
        let cuts = cuts(&column, 15);
        assert!(cuts.contains(&49) && cuts.contains(&50), "{cuts:?}");
        assert!(cuts.len() <= 15 && sizes(&column, 15).iter().all(|&size| size > 0 && size <= 604));
    }

    #[test]
    fn cuts_are_never_more_than_asked_for() {
        for most in 1..=255 {
            let column: Vec<u32> = (0..3000u32).map(|i| (i * i) % (1 + i % 700)).collect();
            let cuts = cuts(&column, most);
            assert!(cuts.len() <= most && cuts.is_sorted_by(|a, b| a < b));
        }
    }
}
