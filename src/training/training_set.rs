//! `TrainingSet`, what a model is learned from: labelled pages as counts, the others as far as they are known.

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::counting::observe;
use crate::dataset::TextGold;
use crate::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
use crate::dataset::transfer::{Found, find_headline, find_text};
use crate::dom::Dom;
use crate::dom::digest::hex;
use crate::error::{Error, PageProblem, Result};
use crate::index::NodeId;
use crate::inference::PartialPage;
use crate::model::{Model, ModelConfig, PermittedStates, StateSpace, TextGoldLabels};
use crate::page::Page;
use crate::progress::Progress;
use crate::view::PageView;

/// Pages to learn from.
#[derive(Debug)]
pub struct TrainingSet {
    /// The counts of the labelled pages.
    pub labelled: Model,
    /// The others, for [`crate::inference::em::learn`].
    pub partial: Vec<PartialPage>,
}

/// How a corpus with a gold of text was taken in.
#[derive(Debug, Default)]
pub struct TextGoldReport {
    /// Tokens of all golds, and how many of them were found on their pages.
    pub tokens: (u64, u64),
    /// The pages below [`TRUSTED_SHARE`](crate::dataset::transfer::TRUSTED_SHARE) with their share, none for a gold without tokens.
    pub listed: Vec<(String, Option<f64>)>,
    /// The pages that could not be aligned, with the reason.
    pub left_out: Vec<(String, String)>,
}

impl TrainingSet {
    /// No pages yet.
    ///
    /// # Errors
    /// As [`ModelConfig::check`].
    pub fn new(config: ModelConfig) -> Result<Self> {
        Ok(TrainingSet { labelled: Model::new(config)?, partial: Vec::new() })
    }

    /// Adds the pages of a corpus: those with labels are counted, those with a gold of text permit what `text_gold`
    /// says. A step for each page.
    ///
    /// # Errors
    /// [`Error::Usage`] for a gold of text if `text_gold` is none, as [`observe`], and for wrong `text_gold`.
    pub fn add_corpus(
        &mut self,
        corpus: &LabelledCorpus,
        text_gold: Option<&TextGoldLabels>,
        progress: &dyn Progress,
    ) -> Result<TextGoldReport> {
        let source = corpus.source();
        let config = self.labelled.config();
        if let Some(labels) = text_gold {
            labels.check()?;
        }
        // Counts add up exactly, so pages may be counted in any order.
        let learn = |page: &LabelledPage| -> Result<Learned> {
            let mut counted = Model::new(config.clone())?;
            let learned = match (&page.gold, text_gold) {
                (PageGold::Text(gold), Some(labels)) => {
                    Learned::Partial(of_text_gold(&counted, page, gold, labels, &source))
                }
                _ => {
                    observe(&mut counted, page, &source)?;
                    Learned::Counted(Box::new(counted))
                }
            };
            progress.step();
            Ok(learned)
        };
        let learned: Vec<Learned> = corpus.pages.par_iter().map(learn).collect::<Result<_>>()?;
        let mut report = TextGoldReport::default();
        for (learned, page) in learned.into_iter().zip(&corpus.pages) {
            let id = || page.page.id().to_owned();
            match learned {
                Learned::Counted(model) => self.labelled.merge(&model)?,
                Learned::Partial(Err(error)) => report.left_out.push((id(), error.to_string())),
                Learned::Partial(Ok((partial, text))) => {
                    let (found, all) = text.of_text();
                    report.tokens.0 += found;
                    report.tokens.1 += all;
                    if !text.is_trusted() {
                        report.listed.push((id(), text.share()));
                    }
                    self.partial.push(partial);
                }
            }
        }
        Ok(report)
    }

    /// Adds pages of which nothing is known. The model names their source `unlabelled@` and a checksum over their
    /// parsed trees, in any order.
    ///
    /// # Errors
    /// None: a page without text has no nodes and is one.
    pub fn add_unlabelled(&mut self, pages: &[Page]) -> Result<()> {
        let mut digests: Vec<String> = pages.par_iter().map(|page| page.dom().digest().to_string()).collect();
        digests.sort_unstable();
        let source = format!("unlabelled@{}", hex(&Sha256::digest(digests.join("\n"))));
        let partial = pages.par_iter().map(|page| {
            let observation =
                self.labelled.observation(page).map_err(|problem| Error::page(page.id(), problem))?;
            let permitted = PermittedStates::all(&observation.view.tree, self.labelled.config().states);
            PartialPage::new(observation, permitted, &source)
        });
        let partial: Vec<PartialPage> = partial.collect::<Result<_>>()?;
        self.partial.extend(partial);
        Ok(())
    }
}

/// What one page gave.
enum Learned {
    Counted(Box<Model>),
    Partial(Result<(PartialPage, Found)>),
}

/// What a gold of text permits on a page where it was found so far: anything where it was not.
///
/// # Errors
/// As [`PermittedStates::of_text_gold`].
pub fn permitted(
    view: &PageView,
    space: StateSpace,
    labels: &TextGoldLabels,
    found: &Found,
) -> Result<PermittedStates> {
    match found.is_trusted() {
        true => PermittedStates::of_text_gold(view, space, labels, |id| found.counts(id)),
        false => Ok(PermittedStates::all(&view.tree, space)),
    }
}

/// Where the article of a gold stands on a page: its text, and wherever that stands the headline, whose text nodes are
/// given besides.
///
/// # Errors
/// As [`find_text`].
pub fn find_article(dom: &Dom, gold: &TextGold) -> Result<(Found, Vec<NodeId>), PageProblem> {
    let headline = gold.title.as_deref().map(|title| find_headline(dom, title)).unwrap_or_default();
    Ok((find_text(dom, &gold.text)?.including(&headline), headline))
}

/// A page with what its gold of text permits, and where that was found.
fn of_text_gold(
    model: &Model,
    page: &LabelledPage,
    gold: &TextGold,
    labels: &TextGoldLabels,
    source: &str,
) -> Result<(PartialPage, Found)> {
    let named = |problem| Error::page(page.page.id(), problem);
    let (article, _) = find_article(page.page.dom(), gold).map_err(named)?;
    let observation = model.observation(&page.page).map_err(named)?;
    let permitted = permitted(&observation.view, model.config().states, labels, &article)?;
    Ok((PartialPage::new(observation, permitted, source)?, article))
}
