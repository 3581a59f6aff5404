//! `Work`, what an annotator did with a page: a line of the journal.

use serde::{Deserialize, Serialize};

use crate::label::Label;
use crate::model::PageType;

/// A label for blocks that follow each other, numbered from 1; without one they are as if they had never been marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The first block.
    pub from: usize,
    /// The last block.
    pub to: usize,
    /// The label.
    pub label: Option<Label>,
    /// Whether it came from another page of the site, and not from who looked at this one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_copied: bool,
}

/// How far a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Not accepted yet.
    #[default]
    Open,
    /// All its labels were accepted.
    Accepted,
    /// Passed over, with a reason in its note.
    Skipped,
}

/// What an annotator did with a page: a line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The page.
    pub page: String,
    /// Who did it.
    pub annotator: String,
    /// How far it is.
    pub status: Status,
    /// The marks in their order: a later one stands over an earlier one.
    pub marks: Vec<Mark>,
    /// The kind of the page, if it was said.
    #[serde(default)]
    pub kind: Option<PageType>,
    /// What is worth saying; of a page that is skipped why.
    #[serde(default)]
    pub note: String,
    /// Seconds that the page was looked at, all in all.
    #[serde(default)]
    pub seconds: f64,
    /// Of an accepted page the letter of each block's label.
    #[serde(default)]
    pub labels: Option<String>,
    /// Of an accepted page the F1 of the article's words that the model had before it saw a mark of the page: as it is, and with what it
    /// knew of the site.
    #[serde(default)]
    pub before: Option<[f64; 2]>,
}

impl Work {
    /// A page with which nothing was done.
    pub fn new(page: &str) -> Self {
        Work {
            page: page.to_owned(),
            annotator: String::new(),
            status: Status::Open,
            marks: Vec::new(),
            kind: None,
            note: String::new(),
            seconds: 0.0,
            labels: None,
            before: None,
        }
    }
}
