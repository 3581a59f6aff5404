//! `LabelledPage`: a parsed original with its gold.

use super::gold_text::GoldText;
use crate::dataset::TextGold;
use crate::dataset::same::{self, Mark};
use crate::dataset::transfer::{GoldTokens, gold_texts, labelled_text, place_labels, transfer_labels};
use crate::dataset::{Document, Gold};
use crate::dom::Limits;
use crate::error::{Error, PageProblem, Result};
use crate::host;
use crate::page::{Page, Source};

/// Why a page without reference is left out.
pub(super) const NO_REFERENCE: &str = "the corpus has no reference for it";

/// A page with its gold and the host it came from.
#[derive(Debug)]
pub struct LabelledPage {
    /// The original page.
    pub page: Page,
    /// Its registered domain: what folds are grouped by.
    pub host: String,
    /// The pages of one site may share a template, and are given together to an extractor that reads sites.
    pub site: String,
    /// The type of page, such as `article` or `forum`, where the corpus states one.
    pub page_type: Option<String>,
    /// What of it is content.
    pub gold: PageGold,
    /// The texts that text metrics take for gold.
    pub gold_texts: Vec<(GoldText, String)>,
}

impl LabelledPage {
    /// By what another page is told to be the same as this one: the words that it shows, its address.
    pub fn marks(&self) -> Vec<Mark> {
        same::of_page(self.page.dom(), self.page.url())
    }

    /// A document's original, parsed, with its labels or text. With `keep_source` the page keeps its bytes,
    /// for what reads them.
    ///
    /// # Errors
    /// [`Error::Page`] for a page that cannot be parsed or has no gold of its text, or whose gold does not fit.
    pub fn read(document: Document, limits: &Limits, keep_source: bool) -> Result<Self> {
        let Document { id, url, host, site, page_type, html, gold, .. } = document;
        let mut page = Page::parse(id, url, &html, None, limits)?;
        let of_annotation = |problem| Error::page(format!("annotation of {}", page.id()), problem);
        let (gold, gold_texts) = match gold {
            Gold::Annotated(annotated) => {
                let transfer = transfer_labels(page.dom(), &annotated).map_err(of_annotation)?;
                let texts = gold_texts(&annotated, GoldText::OF_LABELS.map(GoldText::labels))
                    .map_err(of_annotation)?;
                let texts = GoldText::OF_LABELS.into_iter().zip(texts).collect();
                (PageGold::Tokens(transfer.gold), texts)
            }
            Gold::Text(text) => {
                let texts = vec![(GoldText::Text, text.text.clone())];
                (PageGold::Text(text), texts)
            }
            Gold::Nodes(labels) => {
                let placed = place_labels(page.dom(), &labels);
                if let Some(problem) = placed.objection(labels.unlabelled) {
                    return Err(Error::page(page.id(), PageProblem::Failed(problem)));
                }
                let texts =
                    GoldText::OF_LABELS.map(|gold| (gold, labelled_text(&page, &placed.gold, gold.labels())));
                (PageGold::Tokens(placed.gold), texts.into())
            }
            Gold::Images(_) => {
                let problem = "the corpus labels its pictures and not its text".to_owned();
                return Err(Error::page(page.id(), PageProblem::Failed(problem)));
            }
            Gold::Missing => {
                return Err(Error::page(page.id(), PageProblem::Failed(NO_REFERENCE.to_owned())));
            }
        };
        if keep_source {
            page = page.with_source(Source { bytes: html, http_charset: None });
        }
        Ok(LabelledPage { page, host, site, page_type, gold, gold_texts })
    }

    /// A page with the labels of its tokens.
    pub fn from_tokens(page: Page, gold: GoldTokens) -> Self {
        let texts = GoldText::OF_LABELS.map(|text| (text, labelled_text(&page, &gold, text.labels())));
        LabelledPage {
            gold: PageGold::Tokens(gold),
            gold_texts: texts.into(),
            ..LabelledPage::from_text(page, String::new())
        }
    }

    /// A page with its text.
    pub fn from_text(page: Page, text: String) -> Self {
        let host = page.url().and_then(host::registered_domain).unwrap_or_else(|| host::UNKNOWN.to_owned());
        let gold_texts = vec![(GoldText::Text, text.clone())];
        let gold = PageGold::Text(TextGold { text, ..TextGold::default() });
        LabelledPage { page, site: host.clone(), host, page_type: None, gold, gold_texts }
    }
}

/// The gold of a page, on the nodes of the original.
#[derive(Debug)]
pub enum PageGold {
    /// How many tokens of each label stand in each text node.
    Tokens(GoldTokens),
    /// The content as text, with what else the corpus tells.
    Text(TextGold),
}
