//! A model against pages of a corpus with another convention.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::confidence;
use super::held_out::{self, HeldOut};
use super::page::TrainingPage;
use crate::alignment::TRUSTED_SHARE;
use crate::dataset::labelled::LabelledPage;
use crate::error::{Error, Result};
use crate::eval::Calibration;
use crate::extract::hmt::{self, Hmt, Inference};
use crate::index::NodeId;
use crate::label::LabelSet;
use crate::model::layers::recalibration::KnownText;
use crate::model::{Model, Observation, Recalibration};
use crate::progress::Progress;

/// A recalibrated model, and what that changed on the pages that it was learned from.
#[derive(Debug, Clone)]
pub struct Recalibrated {
    /// The model.
    pub model: Model,
    /// Its P(article) of the pages' tokens before.
    pub before: Calibration,
    /// And after.
    pub after: Calibration,
}

/// Learns from pages how much of what the model knows belongs to the article there; what the model had learned of that
/// before is replaced. What it expects of a page's F1 is learned anew if the pages are enough, and else stays.
///
/// Pages whose gold was not found are left out, and told of.
///
/// # Errors
/// As [`Hmt::new`]; [`Error::Data`] for no pages.
///
/// # Cost
/// Inference of each page, twice.
pub fn recalibrate(
    model: &Model,
    pages: &[TrainingPage<'_>],
    progress: &dyn Progress,
) -> Result<Recalibrated> {
    recalibrate_seen(model, &see_all(model, pages, progress)?)
}

/// The pages as the model sees them before any recalibration; those whose gold was not found are left out, and told of.
fn see_all<'a>(
    model: &Model,
    pages: &'a [TrainingPage<'a>],
    progress: &dyn Progress,
) -> Result<Vec<Seen<'a>>> {
    let hmt = Hmt::new(hmt::ID, model.clone().without_layer::<Recalibration>(), Inference::Exact)?;
    progress.stage("recalibrating", pages.len());
    let see = |page| {
        let seen = seen(&hmt, page);
        progress.step();
        seen
    };
    let results: Vec<Result<Seen<'_>, String>> = pages.par_iter().map(see).collect();
    let tell = |reason: &String| progress.note(&format!("not learned from {reason}"));
    let seen: Vec<Seen<'_>> = results.into_iter().filter_map(|seen| seen.inspect_err(tell).ok()).collect();
    if seen.is_empty() {
        return Err(Error::data(
            "the pages to recalibrate on",
            "the reference of none was found on it",
            "give a corpus with labels or a reference text",
        ));
    }
    Ok(seen)
}

fn recalibrate_seen(model: &Model, seen: &[Seen<'_>]) -> Result<Recalibrated> {
    let plain = model.clone().without_layer::<Recalibration>();
    let mut sources = BTreeMap::new();
    for Seen { page, .. } in seen {
        *sources.entry(page.source.clone()).or_default() += 1;
    }
    let texts: Vec<&[KnownText]> = seen.iter().map(|seen| seen.texts.as_slice()).collect();
    let learned = Recalibration::learn(&texts, sources);
    let before = calibration(&texts, |probability| probability)?;
    let after = calibration(&texts, |probability| learned.probability(probability))?;
    let recalibrated = plain.with_layer(learned)?;
    let observed: Vec<_> = seen.iter().map(|seen| (seen.page, &seen.observation)).collect();
    let learned = confidence::learn(&recalibrated, &observed)?;
    let learned = learned.or_else(|| model.layers().page_confidence.clone());
    let model = learned.into_iter().try_fold(recalibrated, Model::with_layer)?;
    Ok(Recalibrated { model, before, after })
}

/// Recalibrates a model where that makes its text better: where the gold of [`LEAST_PAGES`](super::LEAST_PAGES) pages is
/// known, these are held out in turn, and the model is kept as it is unless the recalibrated one is better on them. What they say is
/// beside the model; nothing, and the model recalibrated, if they are too few.
///
/// # Errors
/// As [`recalibrate`].
///
/// # Cost
/// Inference of each page, four times.
pub fn recalibrate_if_better(
    model: &Model,
    pages: &[TrainingPage<'_>],
    progress: &dyn Progress,
) -> Result<(Recalibrated, Option<HeldOut>)> {
    let seen = see_all(model, pages, progress)?;
    let mut recalibrated = recalibrate_seen(model, &seen)?;
    let as_it_is = Hmt::new(hmt::ID, model.clone(), Inference::Exact)?;
    let plain = model.clone().without_layer::<Recalibration>();
    let f1 = |hmt: &Hmt, index: usize| {
        let Seen { page, observation, .. } = &seen[index];
        let page = page.labelled;
        held_out::word_f1(page, hmt.extraction_of(&page.page, observation).ok().as_ref())
    };
    let learn = |left_out: &[usize]| {
        let others = seen.iter().enumerate().filter(|(index, _)| !left_out.contains(index));
        let texts: Vec<&[KnownText]> = others.map(|(_, seen)| seen.texts.as_slice()).collect();
        let changed = plain.clone().with_layer(Recalibration::learn(&texts, BTreeMap::new()))?;
        Hmt::new(hmt::ID, changed, Inference::Exact)
    };
    let known: Vec<(usize, &LabelledPage)> =
        seen.iter().enumerate().map(|(index, seen)| (index, seen.page.labelled)).collect();
    let before = |index: usize| f1(&as_it_is, index);
    let after = |changed: &Hmt, index: usize| f1(changed, index).map(|f1| vec![f1]);
    let held_out = held_out::hold_out(&known, before, learn, after, progress)?;
    match &held_out {
        Some(HeldOut { taken: None, .. }) => recalibrated.model = model.clone(),
        Some(_) => {}
        None => held_out::tell_too_few(known.len(), progress),
    }
    Ok((recalibrated, held_out))
}

/// A page as a model sees it.
struct Seen<'a> {
    page: &'a TrainingPage<'a>,
    observation: Observation,
    texts: Vec<KnownText>,
}

/// A page as the model sees it; the page and the reason of one whose gold was not found, without text, or without the
/// layout that the model needs.
fn seen<'a>(hmt: &Hmt, page: &'a TrainingPage<'a>) -> Result<Seen<'a>, String> {
    let of = &page.labelled.page;
    if !page.reference.is_trusted() {
        return Err(format!(
            "{}: less than {TRUSTED_SHARE} of the words of its reference are on the page",
            of.id()
        ));
    }
    let observation = hmt.model().observation(of).map_err(|problem| format!("{}: {problem}", of.id()))?;
    let extraction = hmt.extraction_of(of, &observation).map_err(|error| format!("{}: {error}", of.id()))?;
    let posteriors = extraction.posteriors.expect("a tree gives posteriors");
    let text = |id: NodeId| {
        let (inside, all) =
            page.reference.counts(id, LabelSet::ARTICLE).expect("every gold tells the article");
        let probability = LabelSet::ARTICLE.probability(&posteriors[id]).clamp(0.0, 1.0);
        KnownText { probability, inside, outside: all - inside }
    };
    let texts = of.dom().shown_texts().map(text).collect();
    Ok(Seen { page, observation, texts })
}

fn calibration(pages: &[&[KnownText]], changed: impl Fn(f64) -> f64) -> Result<Calibration> {
    let mut calibration = Calibration::default();
    for text in pages.iter().copied().flatten() {
        let probability = changed(text.probability);
        calibration.add(probability, true, text.inside.into())?;
        calibration.add(probability, false, text.outside.into())?;
    }
    Ok(calibration)
}
