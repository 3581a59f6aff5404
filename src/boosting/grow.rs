//! Growth of one tree: the leaf whose best split gains most is split, until there are enough leaves or none gains.

use std::ops::Range;

use rayon::prelude::*;

use super::bins::{Bins, FeatureBins};
use super::sums::{Cut, Entry, Rule, Sums};

/// Features whose histograms are counted in one walk over the rows.
const TOGETHER: usize = 4;

/// A split as grown: of which leaf, by which feature, after which bin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    pub leaf: u32,
    pub feature: u32,
    pub bin: u8,
    pub gain: f64,
}

/// A leaf that may still be split.
struct Leaf {
    entries: Range<usize>,
    sums: Sums,
    /// The histograms of all features, one after another; empty if the leaf has too few rows to be split.
    histograms: Vec<Sums>,
    /// The best split: the feature's place among those tried, and its cut.
    best: Option<(usize, Cut)>,
}

/// Where a tree grows.
pub(super) struct Grower<'a> {
    bins: &'a Bins,
    /// The features tried, ascending.
    features: &'a [u32],
    rule: Rule,
    /// The most bins of a feature tried: the length of a histogram.
    stride: usize,
}

impl<'a> Grower<'a> {
    pub fn new(bins: &'a Bins, features: &'a [u32], rule: Rule) -> Grower<'a> {
        let stride = features.iter().map(|&f| bins.features[f as usize].cuts.len() + 1).max().unwrap_or(1);
        Grower { bins, features, rule, stride }
    }

    /// The splits of a tree of at most so many leaves, and the sums of each leaf. The entries are left in the order of the
    /// leaves that hold them.
    pub fn grow(&self, entries: &mut [Entry], most_leaves: usize) -> (Vec<Split>, Vec<Sums>) {
        let mut sums = Sums::default();
        entries.iter().for_each(|&entry| sums += self.rule.units.sums(entry));
        let mut root = Leaf { entries: 0..entries.len(), sums, histograms: Vec::new(), best: None };
        if self.may_be_split(sums) {
            root.histograms = self.count(entries);
            root.best = self.best(&root);
        }
        let mut leaves = vec![root];
        let mut splits = Vec::new();
        let mut spare = vec![Entry::default(); entries.len()];
        while leaves.len() < most_leaves {
            let Some((number, place, cut)) = most_gain(&leaves) else { break };
            let feature = self.features[place];
            splits.push(Split { leaf: number as u32, feature, bin: cut.bin, gain: cut.gain });

            let leaf = &mut leaves[number];
            let (start, end) = (leaf.entries.start, leaf.entries.end);
            let of_row = &self.bins.features[feature as usize].of_row;
            let middle = start + part(&mut entries[start..end], &mut spare, of_row, cut.bin);
            let of_both = std::mem::take(&mut leaf.histograms);
            let sums = leaf.sums - cut.left;
            *leaf = Leaf { entries: start..middle, sums: cut.left, histograms: Vec::new(), best: None };
            leaves.push(Leaf { entries: middle..end, sums, histograms: Vec::new(), best: None });
            if leaves.len() < most_leaves {
                let [left, right] = leaves.get_disjoint_mut([number, splits.len()]).expect("two leaves");
                let (small, large) =
                    if middle - start <= end - middle { (left, right) } else { (right, left) };
                self.measure(entries, of_both, small, large);
            }
        }
        (splits, leaves.iter().map(|leaf| leaf.sums).collect())
    }

    /// The histograms and best splits of two leaves that were one: the smaller is counted, the larger is the difference.
    fn measure(&self, entries: &[Entry], of_both: Vec<Sums>, small: &mut Leaf, large: &mut Leaf) {
        if !self.may_be_split(large.sums) {
            return;
        }
        small.histograms = self.count(&entries[small.entries.clone()]);
        large.histograms = of_both;
        for (sums, &less) in large.histograms.iter_mut().zip(&small.histograms) {
            *sums -= less;
        }
        large.best = self.best(large);
        if self.may_be_split(small.sums) {
            small.best = self.best(small);
        }
    }

    /// Whether a leaf has rows enough for two.
    fn may_be_split(&self, sums: Sums) -> bool {
        self.rule.units.count(sums) >= self.rule.min_rows.saturating_mul(2)
    }

    /// The split of a leaf that gains most; of equal ones that by the smallest feature.
    fn best(&self, leaf: &Leaf) -> Option<(usize, Cut)> {
        let mut best: Option<(usize, Cut)> = None;
        for (place, histogram) in leaf.histograms.chunks_exact(self.stride).enumerate() {
            let bins = self.feature(place).cuts.len() + 1;
            if let Some(cut) = self.rule.best_cut(&histogram[..bins], leaf.sums)
                && best.is_none_or(|(_, best)| cut.gain > best.gain)
            {
                best = Some((place, cut));
            }
        }
        best
    }

    fn feature(&self, place: usize) -> &FeatureBins {
        &self.bins.features[self.features[place] as usize]
    }

    /// The histograms of all features over some rows.
    fn count(&self, entries: &[Entry]) -> Vec<Sums> {
        let mut histograms = vec![Sums::default(); self.features.len() * self.stride];
        histograms.par_chunks_mut(TOGETHER * self.stride).enumerate().for_each(|(task, histograms)| {
            let first = task * TOGETHER;
            let places = first..(first + TOGETHER).min(self.features.len());
            match places.len() {
                TOGETHER => self.count_some::<TOGETHER>(entries, first, histograms),
                _ => places.zip(histograms.chunks_mut(self.stride)).for_each(|(place, histogram)| {
                    self.count_some::<1>(entries, place, histogram);
                }),
            }
        });
        histograms
    }

    /// The histograms of N features from place `first` on.
    fn count_some<const N: usize>(&self, entries: &[Entry], first: usize, histograms: &mut [Sums]) {
        let columns: [&[u8]; N] = std::array::from_fn(|i| &self.feature(first + i).of_row[..self.bins.rows]);
        // As long as the numbers that a byte can name, so that no index is out of bounds.
        let mut sums = [[Sums::default(); 256]; N];
        for &entry in entries {
            let one = self.rule.units.sums(entry);
            for (sums, column) in sums.iter_mut().zip(columns) {
                sums[usize::from(column[entry.row as usize])] += one;
            }
        }
        for (histogram, sums) in histograms.chunks_exact_mut(self.stride).zip(&sums) {
            histogram.copy_from_slice(&sums[..self.stride]);
        }
    }
}

/// The leaf whose best split gains most (of equal ones the first), the feature's place, and the cut.
fn most_gain(leaves: &[Leaf]) -> Option<(usize, usize, Cut)> {
    let mut most: Option<(usize, usize, Cut)> = None;
    for (number, leaf) in leaves.iter().enumerate() {
        if let Some((place, cut)) = leaf.best
            && most.is_none_or(|(_, _, most)| cut.gain > most.gain)
        {
            most = Some((number, place, cut));
        }
    }
    most
}

/// Moves the entries whose bin is above `last` behind the others, both in the order they had; returns the number of the others.
fn part(entries: &mut [Entry], spare: &mut [Entry], of_row: &[u8], last: u8) -> usize {
    let (mut kept, mut moved) = (0, 0);
    for i in 0..entries.len() {
        let entry = entries[i];
        let stays = of_row[entry.row as usize] <= last;
        // Written to both sides, of which one is written over: no branch that could be foretold wrong.
        entries[kept] = entry;
        spare[moved] = entry;
        kept += usize::from(stays);
        moved += usize::from(!stays);
    }
    entries[kept..].copy_from_slice(&spare[..moved]);
    kept
}
