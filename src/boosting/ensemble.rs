//! `BoostedTrees`: the learned function, a sum of trees, evaluated on many rows at once.

use serde::{Deserialize, Serialize};

use super::loss::Loss;
use super::tree::{Tree, pass};
use crate::error::{Error, Result};

/// Rows that pass the trees together: their values of 150 features fit the first cache.
const ROWS: usize = 32;

/// A sum of regression trees over features that are whole numbers, [learned](BoostedTrees::learn) by boosting.
///
/// It is written and read by serde without loss of a bit. What is read is checked: each split parts a leaf that is there by
/// a feature that is there, and all numbers are finite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct BoostedTrees {
    parts: Parts,
    /// The features that splits use, ascending.
    used: Vec<u32>,
    /// The splits of all trees, one tree after another.
    steps: Vec<Step>,
}

/// What is written of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    loss: Loss,
    /// The score without trees.
    base: f64,
    /// The gain of each feature.
    gains: Vec<f64>,
    trees: Vec<Tree>,
}

/// A split made ready for rows to pass.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    leaf: u32,
    /// The feature's place among those used.
    place: u32,
    cut: i32,
}

/// A number as a signed one in the same order, which vector registers compare faster.
fn signed(x: u32) -> i32 {
    (x ^ (1 << 31)).cast_signed()
}

impl From<BoostedTrees> for Parts {
    fn from(trees: BoostedTrees) -> Parts {
        trees.parts
    }
}

impl TryFrom<Parts> for BoostedTrees {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<BoostedTrees> {
        let error = |problem| Err(Error::model("boosted trees", problem, "learn them again"));
        if parts.gains.is_empty()
            || !parts.base.is_finite()
            || !parts.gains.iter().all(|gain| gain.is_finite())
        {
            return error("no gains, or a number that is not finite".to_owned());
        }
        let fault = |(i, tree): (usize, &Tree)| Some(format!("tree {i}: {}", tree.fault(parts.gains.len())?));
        match parts.trees.iter().enumerate().find_map(fault) {
            Some(fault) => error(fault),
            None => Ok(BoostedTrees::new(parts.loss, parts.base, parts.gains, parts.trees)),
        }
    }
}

impl BoostedTrees {
    pub(super) fn new(loss: Loss, base: f64, gains: Vec<f64>, trees: Vec<Tree>) -> BoostedTrees {
        let mut used: Vec<u32> = trees.iter().flat_map(|tree| &tree.feature).copied().collect();
        used.sort_unstable();
        used.dedup();
        let steps = trees
            .iter()
            .flat_map(|tree| tree.leaf.iter().zip(&tree.feature).zip(&tree.cut))
            .map(|((&leaf, &feature), &cut)| Step {
                leaf,
                place: used.partition_point(|&known| known < feature) as u32,
                cut: signed(cut),
            })
            .collect();
        BoostedTrees { parts: Parts { loss, base, gains, trees }, used, steps }
    }

    /// The number of trees.
    pub fn len(&self) -> usize {
        self.parts.trees.len()
    }

    /// Whether there is no tree.
    pub fn is_empty(&self) -> bool {
        self.parts.trees.is_empty()
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.parts.gains.len()
    }

    /// The loss that it was learned with.
    pub fn loss(&self) -> Loss {
        self.parts.loss
    }

    /// The sum of the gains of the splits by each feature: how much it matters, in twice the loss over the rows learned from.
    pub fn gains(&self) -> &[f64] {
        &self.parts.gains
    }

    /// The score of each row, given the values of each feature: logarithm of odds for [`Loss::Logistic`], mean for
    /// [`Loss::Squared`]. A row's score does not depend on the other rows. Values never seen belong to the nearest bin.
    ///
    /// # Errors
    /// [`Error::Data`] if there are not as many columns as features, or if columns are not of the same length.
    pub fn score_all(&self, columns: &[&[u32]]) -> Result<Vec<f64>> {
        let error = |problem: String, remedy: &str| Err(Error::data("rows to score", problem, remedy));
        if columns.len() != self.features() {
            let problem = format!("{} features, learned from {}", columns.len(), self.features());
            return error(problem, "give the features that the trees were learned from");
        }
        let rows = columns[0].len();
        if let Some(i) = columns.iter().position(|column| column.len() != rows) {
            let problem = format!("feature {i}: {} values, and {rows} of feature 0", columns[i].len());
            return error(problem, "give one value for each row");
        }
        let mut scores = vec![self.parts.base; rows];
        pulp::Arch::new().dispatch(Score { trees: self, columns, scores: &mut scores });
        Ok(scores)
    }
}

/// The work of [`BoostedTrees::score_all`], compiled for the widest vector registers too: all rows pass every split of a
/// tree, which for 32 rows at once is faster than to follow each row's path.
struct Score<'a> {
    trees: &'a BoostedTrees,
    columns: &'a [&'a [u32]],
    scores: &'a mut [f64],
}

impl pulp::NullaryFnOnce for Score<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let mut values = vec![[0; ROWS]; self.trees.used.len()];
        for (chunk, scores) in self.scores.chunks_mut(ROWS).enumerate() {
            for (values, &feature) in values.iter_mut().zip(&self.trees.used) {
                let column = &self.columns[feature as usize][chunk * ROWS..][..scores.len()];
                for (value, &x) in values.iter_mut().zip(column) {
                    *value = signed(x);
                }
            }
            let mut sums = [0.0; ROWS];
            sums[..scores.len()].copy_from_slice(scores);
            let mut steps = self.trees.steps.as_slice();
            for tree in &self.trees.parts.trees {
                let (own, rest) = steps.split_at(tree.leaf.len());
                steps = rest;
                let mut leaves = [0; ROWS];
                for (step, new) in own.iter().zip(1..) {
                    pass(&mut leaves, &values[step.place as usize], step.leaf, step.cut, new);
                }
                for (sum, leaf) in sums.iter_mut().zip(leaves) {
                    *sum += f64::from(tree.value[leaf as usize]);
                }
            }
            scores.copy_from_slice(&sums[..scores.len()]);
        }
    }
}
