//! Visual outliers: of what another extractor found, the text that looks least like the rest is taken out.
//!
//! B. Potvin and R. Villemaire, "When Different is Wrong: Visual Unsupervised Validation for Web Information Extraction", 2018.
//! Extracted nodes become rows of numbers by their computed styles (section 4.2, [`append_row`]), a detector scores how far each
//! is from the rest, and nodes are deleted in descending order of scores (section 4, step 3).
//!
//! Choices, where the paper is silent:
//! - An entity is a text node that the inner extractor labels as content; its style is that of its parent element. The paper
//!   has "DOM nodes" of Boilerpipe's blocks.
//! - The paper ranks all nodes of a corpus of three sites together; here those of one site, or of one page
//!   ([`Scope`]). With fewer nodes than k neighbors all others are neighbors.
//! - The paper stops where F1 is highest, which takes gold ([`best_stop`]). Here a stated share of the ranked nodes is deleted
//!   ([`VisualOutlier::contamination`]), rounded down, so that few nodes are left alone.
//! - Equal scores are deleted in the order of pages and nodes.
//! - A node without a style is not ranked and stays: nothing is known of how it looks.
//! - What the inner extractor says besides labels (posteriors, its own text, a wrapper) is dropped: it is not of
//!   what is left. An element is then content if all its shown text is.

mod css_colors;
mod css_value;
mod curve;
mod detector;
mod entities;
mod normalize;

pub use curve::{CurvePoint, RankedNode, best_stop, deletion_curve};
pub use detector::Detector;
pub use entities::{Entities, Entity, deletion_order};
pub use normalize::{append_row, columns, keywords};

use super::registry::{self, ExtractorInfo, OnlyWith, Parameter, Parameters, Range, Values};
use super::{ExtractError, Extraction, Extractor, NEEDS_LAYOUT};
use crate::error::{Error, PageProblem, Result};
use crate::index::{NodeId, NodeMap};
use crate::label::Label;
use crate::outlier::{Bins, Distance};
use crate::page::Page;

/// The extractor's name on the command line and in experiments.
pub const ID: &str = "visual-outlier";

pub(super) const ENTRIES: &[ExtractorInfo] = &[ExtractorInfo {
    id: ID,
    summary: "of what another extractor found, takes out the text that looks least like the rest",
    reference: "Potvin and Villemaire, When Different is Wrong: Visual Unsupervised Validation for Web Information \
                Extraction, 2018",
    needs: &[NEEDS_LAYOUT],
    parameters: &[
        Parameter::new(
            "extractor",
            Range::Text { default: "boilerpipe-article" },
            "the extractor whose text is looked at, with its own defaults",
        ),
        Parameter::new(
            "layout",
            Range::Choice { options: &["blitz", "chromium"], default: "blitz" },
            "the layout engine whose computed styles are read",
        ),
        Parameter::new(
            "detector",
            Range::Choice { options: &["knn", "knn-kth", "hbos", "hbos-dynamic"], default: "knn" },
            "mean distance to the k nearest, distance to the k-th, or histograms with bins of equal width or count",
        ),
        Parameter {
            name: "k",
            range: Range::Integer { min: 1, max: 1_000_000, default: 200 },
            what: "number of neighbors (knn, knn-kth); the paper gains little beyond 200",
            only_with: Some(OnlyWith { parameter: "detector", values: &["knn", "knn-kth"], implied: false }),
        },
        Parameter {
            name: "bins",
            range: Range::Integer { min: 0, max: 1_000_000, default: 0 },
            what: "number of bins (hbos, hbos-dynamic); 0 is 10, and for hbos-dynamic the square root of the number of nodes",
            only_with: Some(OnlyWith {
                parameter: "detector",
                values: &["hbos", "hbos-dynamic"],
                implied: false,
            }),
        },
        Parameter::new(
            "contamination",
            Range::Number { min: 0.0, max: 1.0, default: 0.1 },
            "the share of the nodes that is deleted",
        ),
        Parameter::new(
            "scope",
            Range::Choice { options: &["site", "page"], default: "site" },
            "whose nodes are compared: those of all pages of a site given together, or of each page alone",
        ),
    ],
    reads_source: false,
    build,
}];

fn build(values: &Values<'_>) -> Result<Box<dyn Extractor>> {
    let inner = registry::info(values.text("extractor"))?;
    if inner.id == ID || inner.reads_source {
        return Err(Error::usage(
            format!("parameter 'extractor' of extractor '{ID}' cannot be '{}'", inner.id),
            "name one that works on the page's tree, such as boilerpipe-article or hmt",
        ));
    }
    let bins = values.small("bins") as usize;
    let knn = |distance| Detector::Knn { k: values.small("k") as usize, distance };
    Ok(Box::new(VisualOutlier {
        inner: registry::build(inner.id, &Parameters::new())?,
        engine: values.text("layout").to_owned(),
        detector: match values.text("detector") {
            "knn" => knn(Distance::Mean),
            "knn-kth" => knn(Distance::Kth),
            "hbos" => Detector::Hbos(Bins::Static(if bins == 0 { 10 } else { bins })),
            _ => Detector::Hbos(Bins::Dynamic((bins > 0).then_some(bins))),
        },
        contamination: values.get("contamination").as_float().expect("checked against a range of numbers"),
        scope: if values.text("scope") == "page" { Scope::Page } else { Scope::Site },
    }))
}

/// Whose nodes are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Those of all pages given together.
    Site,
    /// Those of each page alone.
    Page,
}

/// A filter over any extractor.
pub struct VisualOutlier {
    /// What finds the content.
    pub inner: Box<dyn Extractor>,
    /// The name of the layout engine whose styles are read.
    pub engine: String,
    /// What scores the nodes.
    pub detector: Detector,
    /// The share of the nodes that is deleted, 0 to 1. The registry's default is 0.1, which is PyOD's, and cautious: the
    /// paper's best detector deletes half of the nodes with gold at hand, and what is deleted without need is lost.
    pub contamination: f64,
    /// Whose nodes are compared.
    pub scope: Scope,
}

impl Extractor for VisualOutlier {
    fn id(&self) -> &str {
        ID
    }

    fn reads_feed(&self) -> bool {
        self.inner.reads_feed()
    }

    fn extract_site(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>> {
        let inner = if pages.iter().any(|page| page.layout(&self.engine).is_some()) {
            self.inner.extract_site(pages)
        } else {
            // Not one page can be looked at.
            pages.iter().map(|_| Err(ExtractError::MissingInput(NEEDS_LAYOUT))).collect()
        };
        let mut labels: Vec<Result<NodeMap<Label>, ExtractError>> = inner
            .into_iter()
            .zip(pages)
            .map(|(inner, page)| match page.layout(&self.engine) {
                Some(_) => inner.map(|extraction| extraction.labels),
                None => Err(ExtractError::MissingInput(NEEDS_LAYOUT)),
            })
            .collect();
        let groups: Vec<Vec<usize>> = match self.scope {
            Scope::Site => vec![(0..pages.len()).collect()],
            Scope::Page => (0..pages.len()).map(|page| vec![page]).collect(),
        };
        let mut scores: Vec<NodeMap<f64>> =
            pages.iter().map(|page| NodeMap::filled(page.dom().len(), 0.0)).collect();
        for group in groups {
            if let Err(error) = self.filter(pages, &group, &mut labels, &mut scores) {
                for page in group {
                    labels[page] = Err(PageProblem::Failed(error.to_string()).into());
                }
            }
        }
        let extraction = |((labels, scores), page): ((_, NodeMap<f64>), &&Page)| {
            let labels: Result<NodeMap<Label>, ExtractError> = labels;
            let mut extraction = Extraction::from_text_labels(page.dom(), labels?);
            extraction.scores = Some(scores);
            Ok(extraction)
        };
        labels.into_iter().zip(scores).zip(pages).map(extraction).collect()
    }

    fn reads_whole_sites(&self) -> bool {
        self.scope == Scope::Site || self.inner.reads_whole_sites()
    }

    fn layout_engines(&self) -> Vec<&str> {
        let mut engines = self.inner.layout_engines();
        engines.push(&self.engine);
        engines
    }

    fn version(&self) -> String {
        self.inner.version()
    }
}

impl VisualOutlier {
    /// Deletes the outliers of some pages, and gives what was ranked its score: the share of the ranked nodes that look no
    /// more like the rest than it does, so that the last to be deleted has 1.
    fn filter(
        &self,
        pages: &[&Page],
        group: &[usize],
        labels: &mut [Result<NodeMap<Label>, ExtractError>],
        scores: &mut [NodeMap<f64>],
    ) -> Result<()> {
        let mut entities = Entities::default();
        for &page in group {
            if let (Ok(labels), Some(layout)) = (&labels[page], pages[page].layout(&self.engine)) {
                entities.add(page, pages[page], layout, |id: NodeId| labels[id], |_| true);
            }
        }
        let ranked = deletion_order(&self.detector.scores(entities.matrix())?);
        let deleted = (self.contamination * ranked.len() as f64).floor() as usize;
        for (rank, &i) in ranked.iter().enumerate() {
            let Entity { page, node } = entities.nodes[i];
            scores[page][node] = (rank + 1) as f64 / ranked.len() as f64;
            if rank < deleted
                && let Ok(labels) = &mut labels[page]
            {
                labels[node] = Label::NotContent;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
