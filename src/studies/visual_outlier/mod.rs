//! The study of visual outliers as its paper has it: tables 1 and 2, figures 2 and 3, on corpora that can be had.
//!
//! Potvin & Villemaire (2018), section 5. Their 300 pages are not to be had, so nodes are those that an extractor finds on the
//! pages of other corpora, ranked together as in the paper (a corpus as one set) or site by site. A node is a true
//! positive if most of its tokens are content by the gold, whatever the label; with gold that is a text, if at least half of
//! its tokens are found in it. Nodes without a token count nowhere. Sizes are bytes of trimmed text.
//!
//! Sites are joined into one order of deletion by the share of a site's nodes that are deleted with a node: the first tenth
//! of the order is the first tenth of every site.

mod pages;
mod published;
mod ranking;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, did_you_mean};
use crate::extract::registry::{self, Parameters};
use crate::extract::visual_outlier::CurvePoint;
use crate::harness::config::{Experiment, table_of};
use crate::harness::corpora::Corpora;
use crate::progress::Progress;
use crate::studies::study::{Context, Study};
use pages::StudyPages;
pub use published::{PublishedIncrease, PublishedScores, PublishedTables};

/// The table `[visual-outlier-study]` of an experiment.
///
/// | field | range | default |
/// |---|---|---|
/// | `layout` | a layout engine | `blitz` |
/// | `sets` | corpora of the experiment's splits | none |
/// | `extractors` | of the registry, with their defaults | `boilerpipe-article`, `hmt` |
/// | `k` | 1 and up each | 10, 50, 100, 200, 500 |
/// | `recalls` | above 0, up to 1 | 0.65, 0.75, 0.85, 0.95 |
/// | `contaminations` | 0 to 1 | 0.05, 0.1, 0.2, 0.3 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct VisualOutlierStudy {
    /// The layout engine whose computed styles are read.
    pub layout: String,
    /// The pages.
    pub sets: Vec<PageSet>,
    /// The extractors whose nodes are ranked.
    pub extractors: Vec<String>,
    /// Numbers of neighbors of k-NN.
    pub k: Vec<usize>,
    /// Recalls assumed of the extractor, as the paper knows no gold of what was not extracted.
    pub recalls: Vec<f64>,
    /// Stated shares of nodes that are deleted, without a look at gold.
    pub contaminations: Vec<f64>,
    /// What the paper published, to stand beside: from `published.toml` in the experiment's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedTables>,
}

impl Default for VisualOutlierStudy {
    fn default() -> Self {
        VisualOutlierStudy {
            layout: "blitz".to_owned(),
            sets: Vec::new(),
            extractors: ["boilerpipe-article", "hmt"].map(String::from).into(),
            k: vec![10, 50, 100, 200, 500],
            recalls: vec![0.65, 0.75, 0.85, 0.95],
            contaminations: vec![0.05, 0.1, 0.2, 0.3],
            published: None,
        }
    }
}

/// Pages of a corpus, and which of them are compared with each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PageSet {
    /// The corpus, one of the experiment's splits.
    pub dataset: String,
    /// What is ranked together.
    pub together: Together,
    /// The types of pages, as the corpus states them, that are used. Default: all.
    #[serde(default)]
    pub page_types: Vec<String>,
}

/// What is ranked together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Together {
    /// All pages, as in the paper.
    Corpus,
    /// The pages of each site that has two or more.
    Site,
}

impl PageSet {
    /// A name for tables and files: `l3s-gn1-corpus`.
    pub fn name(&self) -> String {
        let together = match self.together {
            Together::Corpus => "corpus",
            Together::Site => "site",
        };
        format!("{}-{together}", self.dataset.replace('/', "-"))
    }
}

impl VisualOutlierStudy {
    /// Whether the study can be made of these corpora.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the key, its range and its default.
    pub fn check_on(&self, datasets: &[&str]) -> Result<()> {
        let is_share = |x: &f64| (0.0..=1.0).contains(x);
        let faults = [
            (self.sets.is_empty(), "sets is empty", "name one or more, with dataset and together"),
            (
                self.extractors.is_empty(),
                "extractors is empty",
                "name one or more, such as \"boilerpipe-article\"",
            ),
            (self.k.is_empty() || self.k.contains(&0), "k", "give one or more, each 1 and up"),
            (!self.recalls.iter().all(|r| is_share(r) && *r > 0.0), "recalls", "each is above 0 and up to 1"),
            (!self.contaminations.iter().all(is_share), "contaminations", "each is from 0 to 1"),
        ];
        if let Some((_, what, remedy)) = faults.into_iter().find(|(is_fault, ..)| *is_fault) {
            return Err(Error::usage(format!("visual-outlier-study.{what}"), remedy));
        }
        for extractor in &self.extractors {
            registry::info(extractor)?;
        }
        self.published.as_ref().map_or(Ok(()), PublishedTables::check)?;
        match self.sets.iter().find(|set| !datasets.contains(&&*set.dataset)) {
            Some(set) => Err(Error::usage(
                format!("visual-outlier-study: no split reads '{}'", set.dataset),
                did_you_mean(&set.dataset, datasets.iter().copied()),
            )),
            None => Ok(()),
        }
    }
}

impl Study for VisualOutlierStudy {
    const KEY: &'static str = "visual-outlier-study";
    const RESULTS: &'static str = "visual_outlier_study";
    type Results = VisualOutlierResults;

    fn check(&self, experiment: &Experiment) -> Result<()> {
        self.check_on(&experiment.datasets())
    }

    fn layouts(&self) -> Vec<String> {
        vec![self.layout.clone()]
    }

    fn with_published(self, text: &str) -> Result<Option<Self>, toml::de::Error> {
        Ok(Some(VisualOutlierStudy { published: table_of(text, Self::KEY)?, ..self }))
    }

    fn run(&self, context: &Context<'_>) -> Result<VisualOutlierResults> {
        run(self, context.corpora, context.progress)
    }
}

/// What the study found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VisualOutlierResults {
    /// What was asked.
    pub study: VisualOutlierStudy,
    /// Each set with each extractor.
    pub sets: Vec<SetResult>,
}

/// One extractor's nodes on one set of pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetResult {
    /// The set.
    pub set: PageSet,
    /// The extractor.
    pub extractor: String,
    /// Pages whose nodes are ranked.
    pub pages: u64,
    /// Sites, or 1.
    pub groups: u64,
    /// Pages that came without a layout: nothing is known of them.
    pub without_layout: u64,
    /// Pages that the extractor refused.
    pub refused: u64,
    /// Extracted nodes without a style: not ranked.
    pub without_style: u64,
    /// Values of styles that the specification does not know.
    pub unknown_values: u64,
    /// Nodes that are ranked.
    pub nodes: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Of these nodes, those that are content.
    pub content_nodes: u64,
    /// The share of the content's bytes on the pages that was extracted and is ranked.
    pub recall: f64,
    /// Before anything is deleted.
    pub start: CurvePoint,
    /// The detectors, k-NN in the order of k, then HBOS.
    pub detectors: Vec<DetectorResult>,
}

/// What one detector made of the nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DetectorResult {
    /// `200-NN`, `HBOS`, `HBOS, 10 bins`.
    pub name: String,
    /// The stop of the highest mean F1 at the assumed recalls.
    pub best: CurvePoint,
    /// The stop of the highest F1 at the measured recall.
    pub best_measured: CurvePoint,
    /// The stop at each stated contamination.
    pub stated: Vec<CurvePoint>,
    /// The course of deletion, in steps of a hundredth of the nodes.
    pub curve: Vec<CurvePoint>,
    /// How many nodes have which anomaly score.
    pub scores: Vec<ScoreBin>,
}

/// Nodes whose anomaly score is in a range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScoreBin {
    /// From this score on.
    pub from: f64,
    /// To below this score; the last bin holds its end.
    pub to: f64,
    /// Nodes that are content: true positives.
    pub content: u64,
    /// False positives.
    pub other: u64,
}

/// Makes the study of pages that were read with their layouts. Pages without one are left out and counted.
///
/// # Errors
/// As the check of its table; [`Error::Data`] if no page of a set has a layout or nothing was extracted; whatever building
/// an extractor may give.
pub fn run(
    study: &VisualOutlierStudy,
    corpora: &Corpora,
    progress: &dyn Progress,
) -> Result<VisualOutlierResults> {
    study.check_on(&corpora.keys().map(String::as_str).collect::<Vec<_>>())?;
    progress.stage("visual outliers", study.sets.len() * study.extractors.len());
    let mut sets = Vec::new();
    for set in &study.sets {
        let pages = StudyPages::select(&corpora[&set.dataset], set, &study.layout)?;
        for name in &study.extractors {
            let extractor = registry::build(name, &Parameters::new())?;
            let extracted = pages.extract(&*extractor, &study.layout);
            sets.push(ranking::rank(study, set, name, extracted)?);
            progress.step();
        }
    }
    Ok(VisualOutlierResults { study: study.clone(), sets })
}
