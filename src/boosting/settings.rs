//! `BoostingSettings`: how many trees are learned, how large, from which rows and features.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How boosted trees are learned.
///
/// # Examples
/// ```
/// use duramen::boosting::BoostingSettings;
/// assert!(BoostingSettings::default().check().is_ok());
/// let error = BoostingSettings { leaves: 1, ..Default::default() }.check().unwrap_err();
/// assert_eq!(error.to_string(), "leaves is 1; 2 to 256, default 31");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BoostingSettings {
    /// The number of trees, 1 to 10,000, default 150. A tree whose rows and features allow no split is left out.
    pub trees: usize,
    /// What each leaf's value is multiplied by, above 0 and at most 1, default 0.08.
    pub learning_rate: f64,
    /// The most leaves of a tree, 2 to 256, default 31.
    pub leaves: usize,
    /// The fewest rows of a leaf, whatever their weights, 1 and up, default 100.
    pub min_rows: usize,
    /// The most cuts of a feature's values, 1 to 255, default 63.
    pub max_cuts: usize,
    /// Added to the sum of second derivatives of a leaf: draws the values of leaves to 0; 0 to 1e9, default 5.
    pub l2: f64,
    /// The share of the features tried for each tree, above 0 and at most 1, default 0.5; at least one is.
    /// Constant features do not count.
    pub feature_share: f64,
    /// The share of the rows (of the groups of rows, if there are groups) that each tree is learned from, above 0 and at
    /// most 1, default 0.7; at least one is.
    pub row_share: f64,
    /// Seed of the draws of features and rows; default 1.
    pub seed: u64,
}

impl Default for BoostingSettings {
    fn default() -> Self {
        BoostingSettings {
            trees: 150,
            learning_rate: 0.08,
            leaves: 31,
            min_rows: 100,
            max_cuts: 63,
            l2: 5.0,
            feature_share: 0.5,
            row_share: 0.7,
            seed: 1,
        }
    }
}

impl BoostingSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the first field that is out of its range.
    pub fn check(&self) -> Result<()> {
        let share = |value: f64| value > 0.0 && value <= 1.0;
        let checks: [(&str, String, bool, &str); 8] = [
            ("trees", self.trees.to_string(), (1..=10_000).contains(&self.trees), "1 to 10000, default 150"),
            (
                "learning-rate",
                self.learning_rate.to_string(),
                share(self.learning_rate),
                "above 0 and at most 1, default 0.08",
            ),
            ("leaves", self.leaves.to_string(), (2..=256).contains(&self.leaves), "2 to 256, default 31"),
            ("min-rows", self.min_rows.to_string(), self.min_rows >= 1, "1 and up, default 100"),
            (
                "max-cuts",
                self.max_cuts.to_string(),
                (1..=255).contains(&self.max_cuts),
                "1 to 255, default 63",
            ),
            ("l2", self.l2.to_string(), (0.0..=1e9).contains(&self.l2), "0 to 1e9, default 5"),
            (
                "feature-share",
                self.feature_share.to_string(),
                share(self.feature_share),
                "above 0 and at most 1, default 0.5",
            ),
            (
                "row-share",
                self.row_share.to_string(),
                share(self.row_share),
                "above 0 and at most 1, default 0.7",
            ),
        ];
        match checks.into_iter().find(|(_, _, is_right, _)| !is_right) {
            Some((field, value, _, range)) => Err(Error::usage(format!("{field} is {value}"), range)),
            None => Ok(()),
        }
    }
}
