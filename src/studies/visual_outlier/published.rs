//! What the paper on visual outliers published: the table `[visual-outlier-study]` of a `published.toml`.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::extract::registry;

/// The paper's tables 1 and 2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedTables {
    /// The extractor whose nodes were deleted.
    pub extractor: String,
    /// The recalls that the paper assumes, each with an F1 in every row.
    pub recalls: Vec<f64>,
    /// Table 1: scores.
    pub table_1: Vec<PublishedScores>,
    /// Table 2: increase.
    pub table_2: Vec<PublishedIncrease>,
}

/// A row of table 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedScores {
    /// The detector, such as `200-NN`; `none` before anything is deleted.
    pub detector: String,
    /// Precision, from 0 to 1.
    pub precision: f64,
    /// F1 at each recall, from 0 to 1.
    pub f1: Vec<f64>,
    /// Deleted nodes in percent.
    pub nodes_deleted: f64,
    /// Deleted bytes in percent.
    pub bytes_deleted: f64,
}

/// A row of table 2, in percent of what there was before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedIncrease {
    /// The detector.
    pub detector: String,
    /// Increase of precision.
    pub precision: f64,
    /// Increase of recall.
    pub recall: f64,
    /// Increase of F1 at each recall.
    pub f1: Vec<f64>,
}

impl PublishedTables {
    /// Whether the numbers can be of such tables.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the row and what it may hold.
    pub(super) fn check(&self) -> Result<()> {
        registry::info(&self.extractor)?;
        let is_share = |x: &f64| (0.0..=1.0).contains(x);
        let is_percent = |x: &f64| (0.0..=100.0).contains(x);
        for row in &self.table_1 {
            if !(is_share(&row.precision)
                && row.f1.iter().all(is_share)
                && [row.nodes_deleted, row.bytes_deleted].iter().all(is_percent))
            {
                return Err(Error::usage(
                    format!("published visual-outlier-study.table-1 '{}'", row.detector),
                    "write precision and f1 from 0 to 1, and what is deleted in percent",
                ));
            }
        }
        for row in &self.table_2 {
            if ![row.precision, row.recall].iter().chain(&row.f1).all(|x| x.is_finite()) {
                return Err(Error::usage(
                    format!("published visual-outlier-study.table-2 '{}'", row.detector),
                    "write the increase in percent",
                ));
            }
        }
        let f1 = self.table_1.iter().map(|row| &row.f1).chain(self.table_2.iter().map(|row| &row.f1));
        if f1.into_iter().any(|f1| f1.len() != self.recalls.len()) {
            return Err(Error::usage(
                "published visual-outlier-study: a row with more or fewer f1 than recalls",
                format!("give {} numbers", self.recalls.len()),
            ));
        }
        Ok(())
    }

    /// What table 1 says of an extractor and a detector, if anything.
    pub fn scores(&self, extractor: &str, detector: &str) -> Option<&PublishedScores> {
        self.table_1.iter().find(|row| self.extractor == extractor && row.detector == detector)
    }

    /// What table 2 says of an extractor and a detector, if anything.
    pub fn increase(&self, extractor: &str, detector: &str) -> Option<&PublishedIncrease> {
        self.table_2.iter().find(|row| self.extractor == extractor && row.detector == detector)
    }

    /// Of numbers at the paper's recalls the one at this recall, if that is one of them.
    pub fn at_recall(&self, recall: f64, f1: &[f64]) -> Option<f64> {
        f1.get(self.recalls.iter().position(|known| (known - recall).abs() < 1e-9)?).copied()
    }
}
