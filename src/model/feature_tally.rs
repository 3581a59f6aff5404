//! Adding the nodes of a page to the counts of a feature, each to some columns of its table with a weight.

use super::counts::FeatureCounts;
use crate::dist::GeometricStatistic;
use crate::features::Column;
use crate::features::column::Tally;
use crate::view::Tree;

/// The nodes of a page as counts are added to.
pub(crate) struct CountedNodes<'a, W> {
    /// The page's tree.
    pub tree: &'a Tree,
    /// The columns of an emission table.
    pub width: usize,
    /// (column, weight) of a node, in the counts' unit.
    pub columns: W,
}

impl<W: Fn(u32) -> I, I: Iterator<Item = (usize, u64)>> CountedNodes<'_, W> {
    /// Adds all nodes to the counts of a feature by their values; `category` gives the category of a value.
    ///
    /// # Panics
    /// If counts and values are not of one configuration.
    pub fn add_to(&self, counts: &mut FeatureCounts, values: &Column, category: impl Fn(u32) -> usize) {
        match counts {
            FeatureCounts::Geometric(statistics) => {
                values.tally(self.tree, &mut Geometric { nodes: self, statistics });
            }
            FeatureCounts::Categorical(counts) => {
                values.tally(self.tree, &mut Categorical { nodes: self, counts, category });
            }
        }
    }
}

struct Geometric<'a, 'n, W> {
    nodes: &'a CountedNodes<'n, W>,
    statistics: &'a mut [GeometricStatistic],
}

impl<W: Fn(u32) -> I, I: Iterator<Item = (usize, u64)>> Tally for Geometric<'_, '_, W> {
    fn node(&mut self, v: u32, value: u32, _: i32) {
        for (column, weight) in (self.nodes.columns)(v) {
            self.statistics[column].n += weight;
            self.statistics[column].sum += weight * u64::from(value);
        }
    }

    fn children(&mut self, _: u32, _: &[(u32, u32)]) {
        unreachable!("only counts are geometric, see ModelConfig::check")
    }
}

struct Categorical<'a, 'n, W, C> {
    nodes: &'a CountedNodes<'n, W>,
    /// \[category\]\[column\].
    counts: &'a mut [u64],
    category: C,
}

impl<W, I, C> Tally for Categorical<'_, '_, W, C>
where
    W: Fn(u32) -> I,
    I: Iterator<Item = (usize, u64)>,
    C: Fn(u32) -> usize,
{
    fn node(&mut self, v: u32, value: u32, times: i32) {
        let start = (self.category)(value) * self.nodes.width;
        for (column, weight) in (self.nodes.columns)(v) {
            let count = &mut self.counts[start + column];
            // What is taken away may be added later: only the sum of both is in range.
            *count = match u64::try_from(times) {
                Ok(times) => count.wrapping_add(weight * times),
                Err(_) => count.wrapping_sub(weight * u64::from(times.unsigned_abs())),
            };
        }
    }

    fn children(&mut self, parent: u32, values: &[(u32, u32)]) {
        let mut children_histograms = vec![0u64; self.nodes.width];
        for child in self.nodes.tree.children(parent) {
            (self.nodes.columns)(child).for_each(|(column, weight)| children_histograms[column] += weight);
        }
        for &(value, n) in values {
            let row =
                &mut self.counts[(self.category)(value) * self.nodes.width..][..children_histograms.len()];
            for (count, &weight) in row.iter_mut().zip(&children_histograms) {
                *count = count.wrapping_add(weight * u64::from(n));
            }
        }
    }
}
