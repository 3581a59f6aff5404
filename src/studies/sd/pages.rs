//! The pages of the SD study: their true type, their real densities, and what the algorithm makes of them.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::SdStudy;
use crate::dataset::transfer::{GoldTokens, place_labels, transfer_labels};
use crate::dataset::{self, Document, Gold};
use crate::dom::{Dom, Limits, NodeKind};
use crate::error::{Error, PageProblem, Result};
use crate::eval::region_accuracy::Densities;
use crate::extract::sd::{Outcome, SdPageType, SdTree, Sweep, Thresholds, characters};
use crate::label::Label;
use crate::page::Page;
use crate::progress::Progress;

/// A page of known type.
#[derive(Debug, Clone)]
pub struct SdPage {
    /// The page's id.
    pub id: String,
    /// Its registered domain.
    pub host: String,
    /// Its true type.
    pub page_type: SdPageType,
    /// Characters of its real regions: the article; article and comments; or all areas as one.
    pub real: Vec<u64>,
    /// What the algorithm makes of it at each pair of thresholds.
    pub sweep: Sweep,
}

impl SdPage {
    /// The densities of the regions that the page really has, as detected and as annotated.
    ///
    /// A region counts as detected where one of its kind was: comments of a page taken for an article without are
    /// not, nor is the article of a page taken for multiple areas. The areas of a page are all text that was found,
    /// as the gold does not separate them either.
    pub(super) fn densities(&self, outcome: &Outcome) -> Vec<Densities> {
        let detected = match self.page_type {
            SdPageType::Article => vec![outcome.article],
            SdPageType::ArticleWithComments => vec![outcome.article, outcome.comments],
            SdPageType::Multiple => vec![outcome.article + outcome.comments + outcome.areas],
        };
        detected.into_iter().zip(&self.real).map(|(detected, &real)| Densities { detected, real }).collect()
    }
}

/// The pages of a study and what could not be used.
#[derive(Debug, Clone, Default)]
pub struct SdPages {
    /// The pages, in the order of the corpora and of their ids.
    pub pages: Vec<SdPage>,
    /// Pages of a type asked for that cannot be used, with the reason.
    pub left_out: Vec<(String, String)>,
}

impl SdPages {
    /// Reads the corpora of a study; manifests and folders are relative to `base`.
    ///
    /// # Errors
    /// [`Error::Data`] if a corpus is not there.
    pub fn read(study: &SdStudy, base: &Path, data_dir: &Path, progress: &dyn Progress) -> Result<SdPages> {
        let mut all = SdPages::default();
        for name in &study.datasets {
            let corpus = dataset::open_from(base, name, data_dir)?;
            progress.stage(&format!("reading {}", corpus.label()), corpus.len());
            let found: Vec<_> = (0..corpus.len())
                .into_par_iter()
                .map(|index| {
                    let page = corpus.read(index).and_then(|document| study_page(study, document));
                    progress.step();
                    page
                })
                .collect();
            all.add(found, corpus.ids());
        }
        Ok(all)
    }

    /// The pages of documents at hand.
    pub fn from_documents(study: &SdStudy, documents: Vec<Document>) -> SdPages {
        let ids: Vec<String> = documents.iter().map(|document| document.id.clone()).collect();
        let found = documents.into_par_iter().map(|document| study_page(study, document)).collect();
        let mut all = SdPages::default();
        all.add(found, ids.iter().map(String::as_str));
        all
    }

    fn add<'a>(&mut self, found: Vec<Result<Option<SdPage>>>, ids: impl Iterator<Item = &'a str>) {
        for (page, id) in found.into_iter().zip(ids) {
            match page {
                Ok(page) => self.pages.extend(page),
                Err(error) => self.left_out.push((id.to_owned(), error.to_string())),
            }
        }
    }
}

/// The page of a document, if it is of one of the three types: by its labels, or by the type that its corpus states.
fn study_page(study: &SdStudy, document: Document) -> Result<Option<SdPage>> {
    let Document { id, url, host, page_type, html, gold, .. } = document;
    let is_asked = page_type.is_some_and(|name| study.multiple_types.contains(&name));
    let page = match &gold {
        Gold::Text(_) if !is_asked => return Ok(None),
        Gold::Images(_) | Gold::Missing => return Ok(None),
        _ => Page::parse(id, url, &html, None, &Limits::default())?,
    };
    let unusable = |why: &str| Err(Error::page(page.id(), PageProblem::Failed(why.to_owned())));
    let (page_type, real) = match gold {
        Gold::Annotated(annotated) => {
            let transfer = transfer_labels(page.dom(), &annotated)
                .map_err(|problem| Error::page(format!("annotation of {}", page.id()), problem))?;
            type_by_labels(&page, &transfer.gold)?
        }
        Gold::Nodes(labels) => {
            let placed = place_labels(page.dom(), &labels);
            match placed.objection(labels.unlabelled) {
                Some(problem) => return unusable(&problem),
                None => type_by_labels(&page, &placed.gold)?,
            }
        }
        Gold::Text(text) => match characters(&text.text) {
            0 => return unusable("its reference is empty"),
            areas => (SdPageType::Multiple, vec![areas]),
        },
        Gold::Images(_) | Gold::Missing => return Ok(None),
    };
    let t2: BTreeSet<u64> = study.t2.iter().copied().chain([Thresholds::default().t2]).collect();
    let sweep = Sweep::new(&SdTree::new(&page), &Vec::from_iter(t2));
    Ok(Some(SdPage { id: page.id().to_owned(), host, page_type, real, sweep }))
}

/// The type of a page by its labels, with the characters of its areas.
fn type_by_labels(page: &Page, gold: &GoldTokens) -> Result<(SdPageType, Vec<u64>)> {
    let of = |label| labelled_characters(page.dom(), gold, label);
    match (of(Label::FullText), of(Label::Comments)) {
        (0, _) => Err(Error::page(page.id(), PageProblem::Failed("no full text is annotated".to_owned()))),
        (article, 0) => Ok((SdPageType::Article, vec![article])),
        (article, comments) => Ok((SdPageType::ArticleWithComments, vec![article, comments])),
    }
}

/// The density of the text nodes of which most tokens have the label, as the algorithm counts it.
fn labelled_characters(dom: &Dom, gold: &GoldTokens, label: Label) -> u64 {
    let is_part = |&id: &_| {
        dom.kind(id) == NodeKind::Text && (!dom.is_visible_text(id) || gold.label(id) == Some(label))
    };
    characters(&dom.ids().filter(is_part).map(|id| dom.text(id)).collect::<String>())
}
