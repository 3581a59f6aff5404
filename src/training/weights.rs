//! The weights of a counted model: learned once for each fold that is held out, and averaged.

use rayon::prelude::*;

use super::page::TrainingPage;
use super::settings::TrainingSettings;
use super::trainer::Counted;
use super::{confidence, page_type_decision};
use crate::error::Result;
use crate::inference::weight_learning::{self, WeightPage};
use crate::model::{Model, Weights};
use crate::progress::Progress;

/// The model with learned weights, and with how far its confidence of a page can be believed.
pub(super) fn learn(
    counted: Counted,
    pages: &[TrainingPage<'_>],
    settings: &TrainingSettings,
    text_as_labels: bool,
    progress: &dyn Progress,
) -> Result<Model> {
    let Counted { model, partial, observations, folds: all_folds } = counted;
    // Counted they have been, and they are many.
    drop(partial);
    let by = settings.weights.unwrap_or_default();
    let (mut known, mut folds) = (Vec::new(), Vec::new());
    for ((page, observation), &fold) in pages.iter().zip(&observations).zip(&all_folds) {
        let Some(observation) = observation else { continue };
        if page.reference.is_trusted() && !observation.view.tree.is_empty() {
            let space = model.config().states;
            let permitted = page.permitted(observation, space, &settings.text_gold, text_as_labels)?;
            known.push(WeightPage::new(&page.labelled.page, observation.clone(), permitted, &page.source)?);
            folds.push(fold);
        }
    }
    let mut held_out: Vec<usize> = folds.clone();
    held_out.sort_unstable();
    held_out.dedup();
    held_out.truncate(settings.held_out_folds);
    let epochs = (by.exponent_epochs + by.refinement_epochs) as usize;
    progress.stage("learning weights", held_out.len() * epochs);
    let learn = |held_out: usize| {
        let held_out: Vec<bool> = folds.iter().map(|&fold| fold == held_out).collect();
        Ok(weight_learning::learn(&model, &known, &held_out, &by, progress)?.weights)
    };
    // Each works on its pages in parallel, and waits for the longest of a batch: together they keep all threads busy.
    let weights: Vec<Weights> = held_out.into_par_iter().map(learn).collect::<Result<_>>()?;
    let model = model.with_layer(weight_learning::mean(&weights)?)?;
    let model = page_type_decision::learn(model, pages, &observations, &all_folds)?;
    let observed = pages.iter().zip(&observations);
    let observed: Vec<_> = observed.filter_map(|(page, seen)| Some((page, seen.as_ref()?))).collect();
    confidence::learn(&model, &observed)?.into_iter().try_fold(model, Model::with_layer)
}
