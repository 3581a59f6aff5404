//! `published.toml` beside an experiment: what a paper's tables say, to be shown beside what the run gives.

use serde::{Deserialize, Serialize};

use crate::scoring::ScoreName;

/// A table of a paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Published {
    /// Where it stands, such as `Oita & Senellart 2012, table 1`.
    pub source: String,
    /// Why ours need not be the same: other data, another definition.
    pub difference: String,
    /// The numbers.
    pub rows: Vec<PublishedRow>,
}

/// A number of a paper and where ours is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedRow {
    /// The row and column in the paper's words.
    pub name: String,
    /// The published number, in the unit of our score (0 to 1).
    pub published: f64,
    /// Our system; none where there is no counterpart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The split. Default: the experiment's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Our score, such as `tokens/main-text/f1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreName>,
}
