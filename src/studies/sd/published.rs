//! What the SD paper published: the table `[sd-study]` of a `published.toml`.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::extract::sd::SdPageType;

/// The paper's tables 1 and 2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedTables {
    /// Table 1: sets of pages.
    pub table_1: Vec<PublishedSet>,
    /// Table 2: scores by set and class.
    pub table_2: Vec<PublishedScores>,
}

/// A row of table 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedSet {
    /// The set's name.
    pub name: String,
    /// Number of domains.
    pub domains: u64,
    /// Number of pages, if stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// Diversity in percent, as printed, if stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diversity: Option<f64>,
}

/// What table 2 says of a class of pages in one set. All numbers are from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedScores {
    /// The set's name.
    pub set: String,
    /// The class; none for the three classes together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<SdPageType>,
    /// Precision.
    pub precision: f64,
    /// Recall, if stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    /// Region accuracy.
    pub region_accuracy: f64,
}

impl PublishedTables {
    /// Whether the numbers can be of such tables.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the row and what it may hold.
    pub(super) fn check(&self) -> Result<()> {
        for set in &self.table_1 {
            if set.diversity.is_some_and(|percent| !(0.0..=100.0).contains(&percent)) {
                return Err(Error::usage(
                    format!("published sd-study.table-1 '{}': diversity", set.name),
                    "write percent, from 0 to 100",
                ));
            }
        }
        for (i, row) in self.table_2.iter().enumerate() {
            let name = format!("published sd-study.table-2 '{}'", row.set);
            let shares = [Some(row.precision), row.recall, Some(row.region_accuracy)];
            if !shares.into_iter().flatten().all(|share| (0.0..=1.0).contains(&share)) {
                return Err(Error::usage(name, "write precision, recall and region-accuracy from 0 to 1"));
            }
            if self.table_2[..i].iter().any(|other| (&other.set, other.class) == (&row.set, row.class)) {
                return Err(Error::usage(format!("{name}: a class twice"), "give each class of a set once"));
            }
        }
        Ok(())
    }

    /// The sets of table 2, in its order.
    pub fn sets(&self) -> Vec<&str> {
        let mut sets: Vec<&str> = Vec::new();
        for row in &self.table_2 {
            if !sets.contains(&&*row.set) {
                sets.push(&row.set);
            }
        }
        sets
    }

    /// What table 2 says of a class in a set, if anything.
    pub fn scores(&self, set: &str, class: Option<SdPageType>) -> Option<&PublishedScores> {
        self.table_2.iter().find(|row| row.set == set && row.class == class)
    }
}
