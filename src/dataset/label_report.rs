//! How much of an annotated corpus's labels found their node on the original pages.

use rayon::prelude::*;

use super::corpus::Corpus;
use super::document::Gold;
use super::transfer::transfer_labels;
use crate::dom::{Dom, Limits};
use crate::error::{Error, PageProblem, Result};
use crate::label::Label;
use crate::progress::Progress;

/// Pages of which fewer tokens than this found their node are listed, each with its reason.
pub const LISTED_BELOW: f64 = 0.97;

/// The labels of a corpus, moved to its original pages.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelReport {
    /// For each label how many tokens are annotated, and how many of them found their node.
    pub by_label: [(u64, u64); Label::COUNT],
    /// Tokens of the originals without a counterpart, which are not content.
    pub unannotated_tokens: u64,
    /// Pages read.
    pub pages: usize,
    /// Pages below [`LISTED_BELOW`]: id, share, and the reason that the manifest lists, if it does.
    pub listed: Vec<(String, f64, Option<String>)>,
}

impl LabelReport {
    /// Moves the labels of every page of a corpus, the bad ones included if the corpus has them.
    ///
    /// # Errors
    /// [`Error::Usage`] if the corpus is not annotated; what a page that cannot be read gives.
    pub fn new(corpus: &Corpus, progress: &dyn Progress) -> Result<Self> {
        progress.stage("moving labels", corpus.len());
        let transfers: Result<Vec<_>> = (0..corpus.len())
            .into_par_iter()
            .map(|index| {
                let document = corpus.read(index)?;
                let Gold::Annotated(annotated) = &document.gold else {
                    return Err(Error::usage(
                        format!("{}: its reference is not an annotated page", corpus.label()),
                        "only corpora in the layout of l3s-gn1 have labels to move; see `duramen data check` for others",
                    ));
                };
                let named = |problem: PageProblem| Error::page(&document.id, problem);
                let dom = Dom::parse(&document.html, None, &Limits::default()).map_err(named)?;
                let transfer = transfer_labels(&dom, annotated).map_err(named)?;
                progress.step();
                Ok((document.id, transfer))
            })
            .collect();
        let mut report = LabelReport {
            by_label: [(0, 0); Label::COUNT],
            unannotated_tokens: 0,
            pages: 0,
            listed: Vec::new(),
        };
        for (id, transfer) in transfers? {
            report.pages += 1;
            report.unannotated_tokens += transfer.unannotated_tokens;
            for (sum, (annotated, matched)) in report.by_label.iter_mut().zip(transfer.by_label) {
                sum.0 += annotated;
                sum.1 += matched;
            }
            if transfer.share() < LISTED_BELOW {
                let reason = corpus.manifest().partial_labels.iter().find(|page| page.id == id);
                report.listed.push((id, transfer.share(), reason.map(|page| page.reason.clone())));
            }
        }
        Ok(report)
    }

    /// Annotated tokens, and how many of them found their node.
    pub fn all(&self) -> (u64, u64) {
        self.by_label.iter().fold((0, 0), |sum, label| (sum.0 + label.0, sum.1 + label.1))
    }

    /// The share of all annotated tokens that found their node.
    pub fn share(&self) -> f64 {
        let (annotated, matched) = self.all();
        matched as f64 / annotated.max(1) as f64
    }
}
