//! Extractors: every system answers the same question in the same type.
//!
//! An [`Extractor`] takes the pages of one site and gives an [`Extraction`] for each: a label for every node, and,
//! where the system has them, scores or posteriors. Text comes out of labels in one place, `render`, for every
//! extractor.

mod address;
#[cfg(feature = "article-images")]
pub mod article_images;
pub mod boilerpipe;
mod command;
#[cfg(feature = "forest")]
pub mod feed;
#[cfg(feature = "forest")]
pub mod forest;
pub mod hmt;
pub mod items;
pub mod metadata;
pub mod page_faults;
pub mod pictures;
pub mod registry;
pub mod render;
pub mod repeats;
pub mod sd;
pub mod site;
pub mod site_hmt;
pub mod trivial;
pub mod visual_outlier;
pub mod xpath;

use crate::dom::{Dom, NodeKind};
use crate::error::{Error, PageProblem, Result};
use crate::index::{NodeId, NodeMap};
use crate::label::{Label, LabelSet};
use crate::model::{ByType, PageConfidence, PageTypeProbabilities};
use crate::page::Page;
use crate::view::PageView;
use pictures::Picture;

/// A system that finds the content of pages.
pub trait Extractor: Send + Sync {
    /// The stable kebab-case name used on the command line and in results, such as `hmt`.
    fn id(&self) -> &str;

    /// Extracts the pages of one site, given together since some systems need several pages of a site.
    ///
    /// The result has one entry for each page, in order; a page that fails does not touch the others.
    fn extract_site(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>>;

    /// Whether the result of a page depends on the other pages of its site. If not, pages may be given one by one,
    /// in any order and on any thread. Default true.
    fn reads_whole_sites(&self) -> bool {
        true
    }

    /// The engines by whose layouts it sees pages; a page without them is not applicable. Default none.
    fn layout_engines(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Whether it reads what a feed says of a page ([`Page::feed_item`]). Default no.
    fn reads_feed(&self) -> bool {
        false
    }

    /// Whether its extractions have posteriors strictly between 0 and 1, so that a probability can be asked for.
    /// Default no.
    fn gives_probabilities(&self) -> bool {
        false
    }

    /// Whether it labels what readers wrote as comments. Default no.
    fn tells_comments(&self) -> bool {
        false
    }

    /// The version of what does the work, for the record of a run: this program's, or that of the program it calls.
    fn version(&self) -> String {
        format!("duramen {}", env!("CARGO_PKG_VERSION"))
    }
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

    /// See [`Extractor::layout_engines`].
    fn layout_engines(&self) -> Vec<&str> {
        Vec::new()
    }

    /// See [`Extractor::reads_feed`].
    fn reads_feed(&self) -> bool {
        false
    }

    /// See [`Extractor::gives_probabilities`].
    fn gives_probabilities(&self) -> bool {
        false
    }

    /// See [`Extractor::tells_comments`].
    fn tells_comments(&self) -> bool {
        false
    }

    /// See [`Extractor::version`].
    fn version(&self) -> String {
        format!("duramen {}", env!("CARGO_PKG_VERSION"))
    }
}

impl<T: PageExtractor> Extractor for T {
    fn id(&self) -> &str {
        PageExtractor::id(self)
    }

    fn extract_site(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>> {
        pages.iter().map(|page| self.extract_page(page)).collect()
    }

    fn reads_whole_sites(&self) -> bool {
        false
    }

    fn layout_engines(&self) -> Vec<&str> {
        PageExtractor::layout_engines(self)
    }

    fn reads_feed(&self) -> bool {
        PageExtractor::reads_feed(self)
    }

    fn gives_probabilities(&self) -> bool {
        PageExtractor::gives_probabilities(self)
    }

    fn tells_comments(&self) -> bool {
        PageExtractor::tells_comments(self)
    }

    fn version(&self) -> String {
        PageExtractor::version(self)
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
    Page(PageProblem),
}

/// What an extractor misses when a page was not laid out by the engine that it reads.
pub const NEEDS_LAYOUT: &str = "a layout";

impl From<PageProblem> for ExtractError {
    fn from(problem: PageProblem) -> Self {
        match problem {
            PageProblem::NoLayout { .. } => ExtractError::MissingInput(NEEDS_LAYOUT),
            other => ExtractError::Page(other),
        }
    }
}

impl ExtractError {
    /// The same where an extraction is needed: an error that names the page.
    pub fn on(self, page: &Page) -> Error {
        match self {
            ExtractError::Page(problem) => Error::page(page.id(), problem),
            missing => Error::page(page.id(), PageProblem::Failed(missing.to_string())),
        }
    }
}

impl From<Error> for ExtractError {
    fn from(error: Error) -> Self {
        match error {
            Error::Page { problem, .. } => problem.into(),
            other => PageProblem::Failed(other.to_string()).into(),
        }
    }
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
    /// For every node, the probability of each label, if the system is a probability model. As
    /// [a matrix](NodeMap::view) its shape is nodes x labels; rows sum to 1.
    ///
    /// ```
    /// use duramen::{Hmt, Inference, Label, Limits, Model, Page, PageExtractor};
    /// use ndarray::ArrayView2;
    ///
    /// let html = b"<h1>Oak falls</h1><p>It fell in the night, and nobody heard it.";
    /// let page = Page::parse("a.html", None, html, None, &Limits::default())?;
    /// let hmt = Hmt::new("web", Model::by_name("web")?, Inference::Exact)?;
    /// let posteriors = hmt.extract_page(&page).unwrap().posteriors.unwrap();
    /// let matrix: ArrayView2<f64> = posteriors.view();
    /// assert_eq!(matrix.dim(), (page.dom().len(), Label::COUNT));
    /// assert!(matrix.outer_iter().all(|row| (row.sum() - 1.0).abs() < 1e-9));
    /// # Ok::<(), duramen::Error>(())
    /// ```
    pub posteriors: Option<NodeMap<[f64; Label::COUNT]>>,
    /// The text in the system's own words, of systems that give a text and no nodes, such as another program. Plain
    /// text and text metrics take it as it is; the labels are then those of the nodes where it was found.
    pub text: Option<String>,
    /// The XPath that gives the content of this page and of others made from the same template, of systems that
    /// induce a wrapper.
    pub wrapper: Option<String>,
    /// How far the F1 that the posteriors expect of the article can be believed, if the system has learned that.
    pub page_confidence: Option<PageConfidence>,
    /// P(type) of the page in the order of [`PageType::ALL`](crate::model::PageType), of systems that tell types.
    pub page_type: Option<PageTypeProbabilities>,
    /// The posteriors given each type that the page may well be of, with its probability: what `posteriors` are the mean of. None
    /// of a page that can be of one alone.
    pub by_type: ByType<NodeMap<[f64; Label::COUNT]>>,
    /// The least P(article) among the text that the decision kept, of systems that decide for a page as a whole; of code, a table, a quotation
    /// or a figure the mean over its words. Text below that is kept all the same repeats the page's title, or belongs to what is kept whole.
    pub cutoff: Option<f64>,
    /// The images of the article, of systems that tell them from others, or of an
    /// [`ImageModel`](pictures::ImageModel).
    pub images: Option<PageImages>,
}

/// The images that belong to a page's article.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageImages {
    /// Those of the article, in document order.
    pub images: Vec<ArticleImage>,
    /// The one that stands for the page, if there is one.
    pub lead: Option<LeadImage>,
}

/// The image that stands for a page.
#[derive(Debug, Clone, PartialEq)]
pub struct LeadImage {
    /// Its address.
    pub url: String,
    /// The picture's element, if it stands on the page.
    pub node: Option<NodeId>,
    /// How probable the choice is, if the system is a probability model.
    pub probability: Option<f64>,
}

/// An image that a system holds for part of the article.
#[derive(Debug, Clone, PartialEq)]
pub struct ArticleImage {
    /// The picture.
    pub picture: Picture,
    /// How probable it is that the image belongs to the article, if the system is a probability model.
    pub probability: Option<f64>,
}

impl Extraction {
    /// An extraction of labels alone.
    pub fn from_labels(labels: NodeMap<Label>) -> Self {
        Extraction {
            labels,
            scores: None,
            score_kind: ScoreKind::Uncalibrated,
            posteriors: None,
            text: None,
            wrapper: None,
            page_confidence: None,
            page_type: None,
            by_type: Vec::new(),
            cutoff: None,
            images: None,
        }
    }

    /// P(article) of each text leaf of a view given each type of the page: [`Extraction::by_type`] as a decision takes it.
    pub fn article_by_type(&self, view: &PageView) -> ByType<Vec<f64>> {
        let of_leaves = |posteriors: &NodeMap<[f64; Label::COUNT]>| -> Vec<f64> {
            let leaf = |node| LabelSet::ARTICLE.probability(&posteriors[view.texts_of(node)[0]]);
            view.text_leaves().map(leaf).collect()
        };
        self.by_type.iter().map(|(p, posteriors)| (*p, of_leaves(posteriors))).collect()
    }

    /// An extraction of text nodes alone: full text for the given ones and for every element whose shown text is
    /// among them throughout, not content for all others.
    pub fn from_full_text(dom: &Dom, texts: impl Iterator<Item = NodeId>) -> Self {
        let mut labels = NodeMap::filled(dom.len(), Label::NotContent);
        for id in texts {
            labels[id] = Label::FullText;
        }
        Extraction::from_text_labels(dom, labels)
    }

    /// An extraction of labels of text nodes: an element whose shown text all has one label gets that, any other
    /// element is not content.
    pub fn from_text_labels(dom: &Dom, mut labels: NodeMap<Label>) -> Self {
        // Of the shown text below each node: nothing yet, one label, or several.
        let mut below: NodeMap<Option<Option<Label>>> = NodeMap::filled(dom.len(), None);
        for id in dom.shown_texts() {
            below[id] = Some(Some(labels[id]));
        }
        for id in dom.ids().rev() {
            let own = below[id];
            if dom.kind(id) != NodeKind::Text {
                labels[id] = own.flatten().unwrap_or(Label::NotContent);
            }
            if let (Some(own), Some(parent)) = (own, dom.parent(id)) {
                below[parent] = Some(match below[parent] {
                    None => own,
                    Some(other) if other == own => own,
                    Some(_) => None,
                });
            }
        }
        Extraction::from_labels(labels)
    }

    /// An extraction of posteriors: each node gets its most probable label (the first of equals), and
    /// 1 - P(not content) as score.
    pub fn from_posteriors(posteriors: NodeMap<[f64; Label::COUNT]>) -> Self {
        let labels = posteriors
            .values()
            .iter()
            .map(|p| {
                Label::ALL
                    .into_iter()
                    .reduce(|best, label| if p[label.index()] > p[best.index()] { label } else { best })
                    .unwrap_or(Label::NotContent)
            })
            .collect();
        let scores = posteriors.values().iter().map(|p| 1.0 - p[Label::NotContent.index()]).collect();
        Extraction {
            scores: Some(scores),
            score_kind: ScoreKind::Posterior,
            posteriors: Some(posteriors),
            ..Extraction::from_labels(labels)
        }
    }
}
