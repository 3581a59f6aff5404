//! `BoostedTrees`: the learned function, a sum of trees, evaluated on many rows at once.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::loss::Loss;
use super::tree::{Tree, pass};
use crate::error::{Error, Result};

/// Rows that pass the trees together: their values of 150 features fit the first cache.
const ROWS: usize = 64;
/// So many or fewer rows that are left over pass them together for less.
const HALF: usize = ROWS / 2;
/// So few rows pass the trees one by one, which is then faster.
const FEW: usize = 3;

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
    steps: Steps,
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
struct Step<T> {
    leaf: T,
    /// The feature's place among those used.
    place: u32,
    cut: T,
}

/// The splits of all trees, one tree after another, in the narrowest numbers that hold their cuts: of narrow ones a vector
/// register holds more.
#[derive(Debug, Clone, PartialEq)]
enum Steps {
    Narrow(Vec<Step<i16>>),
    Wide(Vec<Step<i32>>),
}

/// A number in which values are compared with cuts, and leaves with each other.
trait Number: Copy + PartialOrd + Default {
    /// A value, in the order of values; those above all cuts may be one.
    fn of_value(value: u32) -> Self;
    /// The number of a leaf.
    fn of_leaf(leaf: u32) -> Self;
    fn leaf(self) -> usize;
}

impl Number for i16 {
    fn of_value(value: u32) -> Self {
        value.min(i16::MAX as u32) as i16
    }

    fn of_leaf(leaf: u32) -> Self {
        leaf as i16
    }

    fn leaf(self) -> usize {
        self as usize
    }
}

impl Number for i32 {
    /// Signed, which vector registers compare faster.
    fn of_value(value: u32) -> Self {
        (value ^ (1 << 31)).cast_signed()
    }

    fn of_leaf(leaf: u32) -> Self {
        leaf as i32
    }

    fn leaf(self) -> usize {
        self as usize
    }
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
        let mut is_used = vec![false; gains.len()];
        trees.iter().flat_map(|tree| &tree.feature).for_each(|&feature| is_used[feature as usize] = true);
        let used: Vec<u32> = (0..gains.len() as u32).filter(|&feature| is_used[feature as usize]).collect();
        // Of each feature its place among those used.
        let mut places = vec![0; gains.len()];
        used.iter().zip(0..).for_each(|(&feature, place)| places[feature as usize] = place);
        fn steps<T: Number>(trees: &[Tree], places: &[u32]) -> Vec<Step<T>> {
            let splits = trees.iter().flat_map(|tree| tree.leaf.iter().zip(&tree.feature).zip(&tree.cut));
            let step = |((&leaf, &feature), &cut): ((&u32, &u32), &u32)| Step {
                leaf: T::of_leaf(leaf),
                place: places[feature as usize],
                cut: T::of_value(cut),
            };
            splits.map(step).collect()
        }
        let mut cuts = trees.iter().flat_map(|tree| &tree.cut);
        let steps = match cuts.all(|&cut| cut < i16::MAX as u32) {
            true => Steps::Narrow(steps(&trees, &places)),
            false => Steps::Wide(steps(&trees, &places)),
        };
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
        let arch = pulp::Arch::new();
        match &self.steps {
            Steps::Narrow(steps) => arch.dispatch(Score { trees: self, steps, columns, scores: &mut scores }),
            Steps::Wide(steps) => arch.dispatch(Score { trees: self, steps, columns, scores: &mut scores }),
        }
        Ok(scores)
    }
}

/// The work of [`BoostedTrees::score_all`], compiled for the widest vector registers too: all rows pass every split of a
/// tree, which for many rows at once is faster than to follow each row's path.
struct Score<'a, T> {
    trees: &'a BoostedTrees,
    steps: &'a [Step<T>],
    columns: &'a [&'a [u32]],
    scores: &'a mut [f64],
}

impl<T: Number> pulp::NullaryFnOnce for Score<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        let rows = self.scores.len();
        let whole = rows - rows % ROWS;
        match rows - whole {
            0..=FEW => {
                self.pass_together::<ROWS>(0..whole);
                self.pass_together::<1>(whole..rows);
            }
            _ if rows - whole <= HALF => {
                self.pass_together::<ROWS>(0..whole);
                self.pass_together::<HALF>(whole..rows);
            }
            _ => self.pass_together::<ROWS>(0..rows),
        }
    }
}

impl<T: Number> Score<'_, T> {
    /// Rows pass the trees, so many of them together.
    #[inline(always)]
    fn pass_together<const ROWS: usize>(&mut self, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let mut values = vec![[T::default(); ROWS]; self.trees.used.len()];
        for (chunk, scores) in self.scores[rows.clone()].chunks_mut(ROWS).enumerate() {
            for (values, &feature) in values.iter_mut().zip(&self.trees.used) {
                let column = &self.columns[feature as usize][rows.start + chunk * ROWS..][..scores.len()];
                for (value, &x) in values.iter_mut().zip(column) {
                    *value = T::of_value(x);
                }
            }
            let mut steps = self.steps;
            for tree in &self.trees.parts.trees {
                let (own, rest) = steps.split_at(tree.leaf.len());
                steps = rest;
                let mut leaves = [T::of_leaf(0); ROWS];
                for (step, new) in own.iter().zip(1..) {
                    let values = &values[step.place as usize];
                    pass(&mut leaves, values, step.leaf, step.cut, T::of_leaf(new));
                }
                for (sum, leaf) in scores.iter_mut().zip(leaves) {
                    *sum += f64::from(tree.value[leaf.leaf()]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_numbers_tell_the_same_as_wide_ones() {
        let tree = |cuts: [u32; 2], value: [f32; 3]| Tree {
            leaf: vec![0, 1],
            feature: vec![0, 0],
            cut: cuts.to_vec(),
            value: value.to_vec(),
        };
        let learned = |trees: Vec<Tree>| BoostedTrees::new(Loss::Squared, 0.5, vec![1.0], trees);
        let own = vec![tree([3, 40], [1.0, 2.0, 4.0]), tree([0, i16::MAX as u32 - 1], [8.0, 16.0, 32.0])];
        let narrow = learned(own.clone());
        // A cut that no narrow number holds, and that says nothing.
        let wide = learned([&own[..], &[tree([70_000, 80_000], [0.0; 3])]].concat());
        assert!(matches!((&narrow.steps, &wide.steps), (Steps::Narrow(_), Steps::Wide(_))));
        let values = [0, 1, 3, 4, 40, 41, 32_766, 32_767, 32_768, 65_536, 70_001, u32::MAX];
        let scores = [&narrow, &wide].map(|trees| trees.score_all(&[&values]).unwrap());
        assert_eq!(scores[0], scores[1]);
        let rows: Vec<f64> = values.iter().map(|&value| narrow.score_all(&[&[value]]).unwrap()[0]).collect();
        assert_eq!(scores[0], rows);
        let expected = [9.5, 17.5, 17.5, 18.5, 18.5, 20.5, 20.5, 36.5, 36.5, 36.5, 36.5, 36.5];
        assert_eq!(scores[0], expected);
    }
}
