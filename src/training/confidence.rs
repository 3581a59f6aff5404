//! What a model expects of its training pages, beside what it gets there.

use rayon::prelude::*;

use super::page::TrainingPage;
use crate::dataset::labelled::GoldText;
use crate::error::Result;
use crate::extract::hmt::{self, Hmt, Inference};
use crate::model::{Model, Observation, PageConfidence};
use crate::scoring::{Metric, score};

/// Learns how far the F1 that the model expects of a page can be believed; nothing from too few pages.
///
/// Of pages that trained, the scores in observations must come from trees that have not seen the page's site. Counts and
/// weights have seen it, and flatter it a little.
///
/// # Errors
/// As [`Hmt::new`].
pub(super) fn learn(
    model: &Model,
    pages: &[(&TrainingPage<'_>, &Observation)],
) -> Result<Option<PageConfidence>> {
    let hmt = Hmt::new(hmt::ID, model.clone(), Inference::Exact)?;
    let of_page = |&(page, observation): &(&TrainingPage<'_>, &Observation)| {
        let extraction = hmt.extraction_of(&page.labelled.page, observation).ok()?;
        let scores = score(page.labelled, Some(&extraction), &[Metric::WordsAndCharacters]);
        let text = [GoldText::Text, GoldText::Article].iter().find_map(|gold| scores.texts.get(gold));
        Some((scores.confidence?, text?.words_and_characters?.f1))
    };
    let of_pages: Vec<(f64, f64)> = pages.par_iter().filter_map(of_page).collect();
    Ok(PageConfidence::learn(&of_pages))
}
