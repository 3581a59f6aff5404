//! What is kept of a run: one result for each system and test page, and where it all came from.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::config::Experiment;
use super::convergence::ConvergenceRow;
use super::corpus::{LabelledCorpus, PageGold};
use crate::eval::{Calibration, Confusion, TextScores};
use crate::label::Label;

/// The scores of one extraction.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageScores {
    /// Tokens by gold and predicted label.
    pub tokens: Confusion,
    /// Text nodes by gold and predicted label.
    pub nodes: Confusion,
    /// P(content) against content, by tokens; of probability models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// Word F1, where the gold is text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TextScores>,
}

/// The result of one system on one test page of one part of a split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageResult {
    /// The split's id.
    pub split: String,
    /// The part's number in the split.
    pub part: usize,
    /// The system's id.
    pub system: String,
    /// The page's id.
    pub page: String,
    /// The page's host.
    pub host: String,
    /// `ok`, or why there was no extraction; that counts as an empty one.
    pub status: String,
    /// The scores.
    pub scores: PageScores,
}

/// Where a run's numbers came from. Nothing in it depends on the clock or on the number of threads, so that the
/// same run gives the same file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The command that makes it again.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// The seed.
    pub seed: u64,
    /// The corpus.
    pub dataset: String,
    /// The checksum over its pages and gold.
    pub data_checksum: String,
    /// Pages used.
    pub pages: usize,
    /// Hosts among them.
    pub hosts: usize,
    /// Gold tokens of each label.
    pub gold_tokens: BTreeMap<String, u64>,
    /// Pages left out, with the reason.
    pub left_out: Vec<(String, String)>,
    /// Extractions that failed, by system and status.
    pub failures: BTreeMap<String, BTreeMap<String, u64>>,
    /// The experiment as resolved.
    pub experiment: Experiment,
}

impl RunRecord {
    /// The record of a finished run.
    pub fn new(
        experiment: &Experiment,
        corpus: &LabelledCorpus,
        command: &str,
        results: &[PageResult],
    ) -> Self {
        let mut failures: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        for result in results.iter().filter(|result| result.status != "ok") {
            *failures.entry(result.system.clone()).or_default().entry(result.status.clone()).or_default() +=
                1;
        }
        let mut gold_tokens = BTreeMap::new();
        for page in &corpus.pages {
            if let PageGold::Tokens(gold) = &page.gold {
                for (label, tokens) in Label::ALL.into_iter().zip(gold.total()) {
                    *gold_tokens.entry(label.name().to_owned()).or_default() += tokens;
                }
            }
        }
        RunRecord {
            command: command.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: experiment.seed,
            dataset: corpus.label.clone(),
            data_checksum: corpus.checksum.clone(),
            pages: corpus.pages.len(),
            hosts: corpus.pages.iter().map(|page| &page.host).collect::<BTreeSet<_>>().len(),
            gold_tokens,
            left_out: corpus.left_out.clone(),
            failures,
            experiment: experiment.clone(),
        }
    }
}

/// Everything that tables and figures are made of.
#[derive(Debug, Clone)]
pub struct RunResults {
    /// Where it came from.
    pub record: RunRecord,
    /// The results, sorted by split, part, system and page as the experiment lists them.
    pub results: Vec<PageResult>,
    /// The comparison of sampler and exact posterior, if asked.
    pub convergence: Vec<ConvergenceRow>,
    /// The distributions of features, if asked.
    pub distributions: Vec<super::distributions::LabelHistogram>,
}
