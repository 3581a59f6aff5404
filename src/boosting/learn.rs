//! Learning: tree after tree, each from the derivatives of the loss at the scores that the trees before it give.

use rayon::prelude::*;

use super::bins::Bins;
use super::columns::Columns;
use super::ensemble::BoostedTrees;
use super::grow::{Grower, Split};
use super::loss::Loss;
use super::sample::{RowDraws, draw};
use super::settings::BoostingSettings;
use super::sums::{Entry, Rule, Units};
use super::tree::{Tree, pass};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::rng::stream;

/// The largest magnitude of targets and weights: sums of products of such numbers, and leaves that fit them, are finite.
const LARGEST: f32 = 1e15;
/// Rows whose scores are updated together.
const ROWS: usize = 32;

/// What boosted trees are learned from.
#[derive(Clone, Copy)]
pub struct TrainingRows<'a> {
    /// The values of each feature, one for each row. Categories are taken as ordered by their numbers.
    pub columns: &'a dyn Columns,
    /// The target of each row: 0 to 1 for [`Loss::Logistic`], else -1e15 to 1e15.
    pub target: &'a [f32],
    /// The weight of each row, 0 to 1e15: that of a row that is there so often. A row of weight 0 still counts as one row of
    /// its leaf.
    pub weights: &'a [f32],
    /// The group of each row (such as its page), if rows are to be drawn by group; any numbers.
    pub groups: Option<&'a [u32]>,
}

impl TrainingRows<'_> {
    fn check(&self, loss: Loss) -> Result<()> {
        let rows = self.target.len();
        let error = |problem: String, remedy: &str| Err(Error::data("rows to boost from", problem, remedy));
        if self.columns.count() == 0 {
            return error("there are no features".to_owned(), "give one or more");
        }
        if rows == 0 || rows > Units::MOST_ROWS {
            return error(format!("there are {rows}"), &format!("give 1 to {}", Units::MOST_ROWS));
        }
        let columns = (0..self.columns.count()).map(|i| (format!("feature {i}"), self.columns.rows(i)));
        let others = [
            ("weights".to_owned(), self.weights.len()),
            ("groups".to_owned(), self.groups.map_or(rows, <[u32]>::len)),
        ];
        if let Some((what, length)) = columns.chain(others).find(|&(_, length)| length != rows) {
            return error(format!("{what}: {length} values, and {rows} targets"), "give one for each row");
        }
        let targets = match loss {
            Loss::Logistic => 0.0..=1.0,
            Loss::Squared => -LARGEST..=LARGEST,
        };
        if let Some(row) = self.target.iter().position(|target| !targets.contains(target)) {
            let range = format!("give numbers from {} to {}", targets.start(), targets.end());
            return error(format!("the target of row {row} is {}", self.target[row]), &range);
        }
        if let Some(row) = self.weights.iter().position(|weight| !(0.0..=LARGEST).contains(weight)) {
            let range = format!("give numbers from 0 to {LARGEST}");
            return error(format!("the weight of row {row} is {}", self.weights[row]), &range);
        }
        if self.weights.iter().all(|&weight| weight == 0.0) {
            return error("all weights are 0".to_owned(), "give rows a weight of 1 if in doubt");
        }
        Ok(())
    }

    /// The weighted mean of the target.
    fn mean(&self) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (&target, &weight) in self.target.iter().zip(self.weights) {
            sum += f64::from(target) * f64::from(weight);
            weights += f64::from(weight);
        }
        sum / weights
    }
}

impl BoostedTrees {
    /// Learns from rows; each tree is a step of the stage that the caller began.
    ///
    /// # Errors
    /// [`Error::Usage`] if a setting is out of its range; [`Error::Data`] if there are no features, no rows or more than 16
    /// million, if lengths differ, if a target or weight is out of its range or no number, or if all weights are 0.
    ///
    /// # Examples
    /// ```
    /// use duramen::boosting::{BoostedTrees, BoostingSettings, Loss, TrainingRows};
    /// use duramen::progress::Silent;
    /// let words: Vec<u32> = (0..200).collect();
    /// let target: Vec<f32> = words.iter().map(|&x| if x > 120 { 1.0 } else { 0.0 }).collect();
    /// let rows = TrainingRows { columns: &vec![words], target: &target, weights: &[1.0; 200], groups: None };
    /// let settings = BoostingSettings { min_rows: 5, ..Default::default() };
    /// let trees = BoostedTrees::learn(&rows, Loss::Logistic, &settings, &Silent)?;
    /// let ln_odds = trees.score_all(&[&[10, 1000]])?;
    /// assert!(ln_odds[0] < -2.0 && ln_odds[1] > 2.0);
    /// # Ok::<(), duramen::Error>(())
    /// ```
    pub fn learn(
        rows: &TrainingRows<'_>,
        loss: Loss,
        settings: &BoostingSettings,
        progress: &dyn Progress,
    ) -> Result<BoostedTrees> {
        settings.check()?;
        rows.check(loss)?;
        let bins = Bins::new(rows.columns, rows.target.len(), settings.max_cuts);
        let is_cut = |&feature: &u32| !bins.features[feature as usize].cuts.is_empty();
        let pool: Vec<u32> = (0..bins.features.len() as u32).filter(is_cut).collect();
        let draws = RowDraws::new(bins.rows, rows.groups, settings.row_share);

        let base = loss.constant(rows.mean());
        let mut scores = vec![base; bins.rows];
        let mut gains = vec![0.0; bins.features.len()];
        let mut trees = Vec::new();
        for number in 0..settings.trees {
            let stream = |purpose| stream(settings.seed, purpose, &[number as u64]);
            let drawn = draws.draw(&mut stream("boosting rows"));
            let features: Vec<u32> =
                draw(pool.len(), settings.feature_share, &mut stream("boosting features"))
                    .into_iter()
                    .map(|i| pool[i as usize])
                    .collect();
            let (mut entries, units) = entries(rows, loss, &drawn, &scores);
            let rule = Rule { units, min_rows: settings.min_rows as u64, l2: settings.l2 };
            let (splits, leaves) = Grower::new(&bins, &features, rule).grow(&mut entries, settings.leaves);
            if !splits.is_empty() {
                let value = |&sums| (rule.constant(sums) * settings.learning_rate) as f32;
                let values: Vec<f32> = leaves.iter().map(value).collect();
                update(&mut scores, &bins, &splits, &values);
                splits.iter().for_each(|split| gains[split.feature as usize] += split.gain);
                trees.push(tree(&bins, &splits, values));
            }
            progress.step();
        }
        Ok(BoostedTrees::new(loss, base, gains, trees))
    }
}

/// The rows drawn with their derivatives, and the units of these.
fn entries(rows: &TrainingRows<'_>, loss: Loss, drawn: &[u32], scores: &[f64]) -> (Vec<Entry>, Units) {
    let derivatives = |&row: &u32| {
        let i = row as usize;
        let weight = f64::from(rows.weights[i]);
        let (gradient, hessian) = loss.derivatives(scores[i], f64::from(rows.target[i]));
        (row, weight * gradient, weight * hessian)
    };
    let derivatives: Vec<(u32, f64, f64)> = drawn.par_iter().map(derivatives).collect();
    let (largest_gradient, largest_hessian) = derivatives
        .iter()
        .fold((0.0_f64, 0.0_f64), |(g, h), &(_, gradient, hessian)| (g.max(gradient.abs()), h.max(hessian)));
    let units = Units::new(drawn.len(), largest_gradient, largest_hessian);
    (derivatives.iter().map(|&(row, g, h)| units.entry(row, g, h)).collect(), units)
}

/// Adds to the score of every row, drawn or not, the value of its leaf.
fn update(scores: &mut [f64], bins: &Bins, splits: &[Split], values: &[f32]) {
    scores.par_chunks_mut(ROWS).with_min_len(256).enumerate().for_each(|(chunk, scores)| {
        let rows = chunk * ROWS..chunk * ROWS + scores.len();
        // A tree has at most 256 leaves.
        let mut leaves = [0u8; ROWS];
        for (new, split) in (1..=u8::MAX).zip(splits) {
            let mut of_row = [0; ROWS];
            of_row[..scores.len()]
                .copy_from_slice(&bins.features[split.feature as usize].of_row[rows.clone()]);
            pass(&mut leaves, &of_row, split.leaf as u8, split.bin, new);
        }
        for (score, leaf) in scores.iter_mut().zip(leaves) {
            *score += f64::from(values[leaf as usize]);
        }
    });
}

/// The tree with values for bins.
fn tree(bins: &Bins, splits: &[Split], value: Vec<f32>) -> Tree {
    let cut = |split: &Split| bins.features[split.feature as usize].cuts[usize::from(split.bin)];
    Tree {
        leaf: splits.iter().map(|split| split.leaf).collect(),
        feature: splits.iter().map(|split| split.feature).collect(),
        cut: splits.iter().map(cut).collect(),
        value,
    }
}
