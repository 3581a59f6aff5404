//! `Tree`: the splits of one regression tree in the order in which it grew, and how rows find their leaves.

use serde::{Deserialize, Serialize};

/// The most leaves of a tree.
pub(super) const MOST_LEAVES: usize = 256;

/// A regression tree.
///
/// It grows from one leaf, number 0. Split i parts the leaf `leaf[i]`: rows whose feature is above the cut move to a new
/// leaf, number i + 1, the others stay. So a tree cannot be built wrong, and rows find their leaves without a branch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tree {
    /// The leaf that each split divides.
    pub leaf: Vec<u32>,
    /// The feature of each split.
    pub feature: Vec<u32>,
    /// The largest value that stays, of each split.
    pub cut: Vec<u32>,
    /// The value of each leaf: one more than splits.
    pub value: Vec<f32>,
}

impl Tree {
    /// What is wrong with a tree that was read, over so many features; none if it is whole.
    pub fn fault(&self, features: usize) -> Option<String> {
        let splits = self.leaf.len();
        if self.feature.len() != splits || self.cut.len() != splits || self.value.len() != splits + 1 {
            return Some(format!(
                "{splits} leaves split, {} features, {} cuts and {} values are no tree",
                self.feature.len(),
                self.cut.len(),
                self.value.len()
            ));
        }
        if self.value.len() > MOST_LEAVES {
            return Some(format!("{} leaves, the most are {MOST_LEAVES}", self.value.len()));
        }
        if let Some((i, leaf)) = self.leaf.iter().enumerate().find(|&(i, &leaf)| leaf as usize > i) {
            return Some(format!("split {i} splits leaf {leaf}, which is not there yet"));
        }
        if let Some(feature) = self.feature.iter().find(|&&feature| feature as usize >= features) {
            return Some(format!("a split by feature {feature}, and there are {features}"));
        }
        self.value.iter().find(|value| !value.is_finite()).map(|value| format!("a leaf's value is {value}"))
    }
}

/// Lets rows that are in the leaves `leaves` pass a split, all at once: those in the leaf `split` whose value is above
/// the cut move to the leaf `new`. Fastest where leaves and values are as wide, and narrow.
#[inline(always)]
pub(super) fn pass<L: Copy + PartialEq, T: Copy + PartialOrd, const ROWS: usize>(
    leaves: &mut [L; ROWS],
    values: &[T; ROWS],
    split: L,
    cut: T,
    new: L,
) {
    for (leaf, &value) in leaves.iter_mut().zip(values) {
        *leaf = if (*leaf == split) & (value > cut) { new } else { *leaf };
    }
}
