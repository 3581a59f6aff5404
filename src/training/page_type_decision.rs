//! What decision does best on the training pages of each type.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::page::TrainingPage;
use super::page_types;
use crate::error::Result;
use crate::extract::hmt::units::Units;
use crate::extract::hmt::{self, Hmt, Inference};
use crate::label::LabelSet;
use crate::model::decision::Decision;
use crate::model::layers::page_type_decision::{DecidedPage, PageTypeDecision};
use crate::model::{Model, Observation};

/// The model with the decision for each type of page, if it tells types and decides by expected F.
///
/// # Errors
/// As [`Hmt::new`].
pub(super) fn learn(
    model: Model,
    pages: &[TrainingPage<'_>],
    observations: &[Option<Observation>],
    folds: &[usize],
) -> Result<Model> {
    if !matches!(model.config().decision, Decision::ExpectedF { .. }) {
        return Ok(model);
    }
    let hmt = Hmt::new(hmt::ID, model.clone(), Inference::Exact)?;
    let weights = page_types::corpus_weights(pages);
    let mut folds_of: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (page, &fold) in pages.iter().zip(folds) {
        folds_of.entry(&page.source).or_default().insert(fold);
    }
    let of_page = |(page, observation): (&TrainingPage<'_>, &Option<Observation>)| {
        let observation = observation.as_ref()?;
        let page_type = observation.page_type.filter(|_| page.reference.is_trusted())?;
        let extraction = hmt.extraction_of(&page.labelled.page, observation).ok()?;
        let posteriors = extraction.posteriors.as_ref()?;
        let (mut words, mut chances, mut content) = (Vec::new(), Vec::new(), Vec::new());
        for node in observation.view.text_leaves() {
            let texts = observation.view.texts_of(node);
            let counts = texts.iter().filter_map(|&id| page.reference.counts(id, LabelSet::ARTICLE));
            let (inside, all) = counts.fold((0, 0), |sum, of_text| (sum.0 + of_text.0, sum.1 + of_text.1));
            words.push(f64::from(all));
            chances.push(LabelSet::ARTICLE.probability(&posteriors[texts[0]]));
            content.push(f64::from(inside));
        }
        let units = Units::of(page.labelled.page.dom(), &observation.view);
        let leaves = units.chances(&words, &chances);
        let content = units.sums(&content);
        let weight = weights[&page.source].into();
        let is_of_other_corpus = folds_of[page.source.as_str()].len() == 1;
        let by_type = units.by_type(&words, &extraction.article_by_type(&observation.view));
        Some(DecidedPage { page_type, weight, is_of_other_corpus, leaves, by_type, content })
    };
    let decided: Vec<DecidedPage> = pages.par_iter().zip(observations).filter_map(of_page).collect();
    PageTypeDecision::learn(&decided).into_iter().try_fold(model, Model::with_layer)
}
