//! What is kept of a run: one result for each system and test page, and where it all came from.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::{DeserializeOwned, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::config::Experiment;
use super::corpora::Corpora;
use crate::dataset::labelled::{LabelledCorpus, LayoutRecord, PageGold};
use crate::error::{Error, Result};
use crate::label::Label;
use crate::scoring::PageScores;

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
    /// Its type, such as `forum`, where the corpus states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_type: Option<String>,
    /// `ok`, or why there was no extraction. A failure counts as an empty extraction, `n/a` not at all.
    pub status: String,
    /// The scores.
    pub scores: PageScores,
}

/// A corpus of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CorpusRecord {
    /// The corpus and its part.
    pub dataset: String,
    /// The checksum over its pages and gold.
    pub checksum: String,
    /// Pages used.
    pub pages: usize,
    /// Hosts among them.
    pub hosts: usize,
    /// Gold tokens of each label, where the gold is labels.
    pub gold_tokens: BTreeMap<String, u64>,
    /// Pages left out, with the reason.
    pub left_out: Vec<(String, String)>,
    /// The engines that laid its pages out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<LayoutRecord>,
}

impl CorpusRecord {
    fn from_corpus(corpus: &LabelledCorpus) -> Self {
        let mut gold_tokens = BTreeMap::new();
        for page in &corpus.pages {
            if let PageGold::Tokens(gold) = &page.gold {
                for (label, tokens) in Label::ALL.into_iter().zip(gold.total()) {
                    *gold_tokens.entry(label.name().to_owned()).or_default() += tokens;
                }
            }
        }
        CorpusRecord {
            dataset: corpus.label.clone(),
            checksum: corpus.checksum.clone(),
            pages: corpus.pages.len(),
            hosts: corpus.pages.iter().map(|page| &page.host).collect::<BTreeSet<_>>().len(),
            gold_tokens,
            left_out: corpus.left_out.clone(),
            layouts: corpus.layouts.clone(),
        }
    }
}

/// Where a run's numbers came from. Nothing in it depends on the clock or on the number of threads, so that the
/// same run gives the same record; what does is apart ([`Provenance`](super::provenance::Provenance)).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The command that makes it again.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// The seed.
    pub seed: u64,
    /// The corpora, by their name in the experiment.
    pub corpora: BTreeMap<String, CorpusRecord>,
    /// The version of each system.
    pub versions: BTreeMap<String, String>,
    /// Extractions that failed or did not apply, by split, system and status.
    pub failures: BTreeMap<String, BTreeMap<String, BTreeMap<String, u64>>>,
    /// The experiment as resolved.
    pub experiment: Experiment,
}

impl RunRecord {
    /// The record of a finished run.
    pub fn new(
        experiment: &Experiment,
        corpora: &Corpora,
        command: &str,
        versions: BTreeMap<String, String>,
        results: &[PageResult],
    ) -> Self {
        let mut failures: BTreeMap<String, BTreeMap<String, BTreeMap<String, u64>>> = BTreeMap::new();
        for result in results.iter().filter(|result| result.status != "ok") {
            let of_split = failures.entry(result.split.clone()).or_default();
            let of_system = of_split.entry(result.system.clone()).or_default();
            *of_system.entry(result.status.clone()).or_default() += 1;
        }
        let corpora =
            corpora.iter().map(|(name, corpus)| (name.clone(), CorpusRecord::from_corpus(corpus))).collect();
        RunRecord {
            command: command.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: experiment.seed,
            corpora,
            versions,
            failures,
            experiment: experiment.clone(),
        }
    }
}

/// Everything that tables and figures are made of.
#[derive(Debug, Clone, PartialEq)]
pub struct RunResults {
    /// Where it came from.
    pub record: RunRecord,
    /// The results, sorted by split, part, system and page as the experiment lists them.
    pub results: Vec<PageResult>,
    /// What its studies found.
    pub studies: StudyResults,
}

/// What studies found, by their names, as JSON: rooms that know a study read it.
#[derive(Debug, Clone, Default)]
pub struct StudyResults(Vec<(String, Box<RawValue>)>);

impl StudyResults {
    /// Adds what a study found.
    pub fn insert(&mut self, name: &str, results: Box<RawValue>) {
        self.0.push((name.to_owned(), results));
    }

    /// What a study of this name found; none if it was not made.
    ///
    /// # Errors
    /// [`Error::Data`] for results of another version.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let Some((_, results)) = self.0.iter().find(|(known, _)| known == name) else { return Ok(None) };
        serde_json::from_str(results.get()).map_err(|error| {
            let problem = format!("not what this version writes: {error}");
            Error::data(format!("results of the study '{name}'"), problem, "run the experiment again")
        })
    }
}

impl PartialEq for StudyResults {
    fn eq(&self, other: &Self) -> bool {
        let texts = |(name, results): &(String, Box<RawValue>)| (name.clone(), results.get().to_owned());
        self.0.iter().map(texts).eq(other.0.iter().map(texts))
    }
}

impl Serialize for StudyResults {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, results)| (name, results)))
    }
}

impl<'de> Deserialize<'de> for StudyResults {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let by_name = BTreeMap::<String, Box<RawValue>>::deserialize(deserializer)?;
        Ok(StudyResults(by_name.into_iter().collect()))
    }
}
