//! Extractors: every system answers the same question in the same type.
//!
//! An [`Extractor`] takes the pages of one site and gives an [`Extraction`] for each: a label for every node, and,
//! where the system has them, scores or posteriors. Text comes out of labels in one place, `render`, for every
//! extractor.

mod address;
pub mod hmt;
pub mod metadata;
pub mod registry;
pub mod render;
pub mod trivial;

use crate::error::{PageProblem, Result};
use crate::index::NodeMap;
use crate::label::Label;
use crate::page::Page;

/// A system that finds the content of pages.
pub trait Extractor: Send + Sync {
    /// The stable kebab-case name used on the command line and in results, such as `hmt`.
    fn id(&self) -> &str;

    /// Extracts the pages of one site, given together since some systems need several pages of a site.
    ///
    /// The result has one entry for each page, in order; a page that fails does not touch the others.
    fn extract_site(&self, pages: &[Page]) -> Vec<Result<Extraction, ExtractError>>;
}

/// A system that looks at one page at a time. Every such system is an [`Extractor`].
pub trait PageExtractor: Send + Sync {
    /// See [`Extractor::id`].
    fn id(&self) -> &str;

    /// Labels the nodes of one page.
    ///
    /// # Errors
    /// See [`ExtractError`].
    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError>;
}

impl<T: PageExtractor> Extractor for T {
    fn id(&self) -> &str {
        PageExtractor::id(self)
    }

    fn extract_site(&self, pages: &[Page]) -> Vec<Result<Extraction, ExtractError>> {
        pages.iter().map(|page| self.extract_page(page)).collect()
    }
}

/// Why a system gave no extraction for a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The system needs something that this page comes without, such as a layout or a feed: n/a in a table,
    /// never an empty text.
    #[error("not applicable: the extractor needs {0}")]
    MissingInput(&'static str),
    /// The page itself cannot be processed.
    #[error(transparent)]
    Page(#[from] PageProblem),
}

/// What the scores of an extraction mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreKind {
    /// Probabilities under a model, to be believed as far as its calibration shows.
    Posterior,
    /// An order of the nodes and nothing more.
    Uncalibrated,
}

/// What a system found on one page.
#[derive(Debug, Clone, PartialEq)]
pub struct Extraction {
    /// The label of every node. Rendering and evaluation read those of text nodes; elements carry what the
    /// system says of them as a whole.
    pub labels: NodeMap<Label>,
    /// For every node, how strongly the system holds it for content, if it says so.
    pub scores: Option<NodeMap<f64>>,
    /// What the scores mean.
    pub score_kind: ScoreKind,
    /// For every node, the probability of each label, if the system is a probability model. Sums to 1.
    pub posteriors: Option<NodeMap<[f64; Label::COUNT]>>,
}

impl Extraction {
    /// An extraction of labels alone.
    pub fn of_labels(labels: NodeMap<Label>) -> Self {
        Extraction { labels, scores: None, score_kind: ScoreKind::Uncalibrated, posteriors: None }
    }

    /// An extraction of posteriors: each node gets its most probable label (the first of equals), and
    /// 1 - P(not content) as score.
    pub fn of_posteriors(posteriors: NodeMap<[f64; Label::COUNT]>) -> Self {
        let labels = posteriors
            .values()
            .iter()
            .map(|p| {
                let best = (0..Label::COUNT).rev().max_by(|&a, &b| p[a].total_cmp(&p[b]));
                best.and_then(Label::from_index).unwrap_or(Label::NotContent)
            })
            .collect();
        let scores = posteriors.values().iter().map(|p| 1.0 - p[Label::NotContent.index()]).collect();
        Extraction {
            labels,
            scores: Some(scores),
            score_kind: ScoreKind::Posterior,
            posteriors: Some(posteriors),
        }
    }
}
