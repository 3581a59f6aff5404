//! The work of a run: train by adding counts up, extract every test page, score, journal.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::config::{Experiment, System};
use super::convergence::Study;
use super::corpora::Corpora;
use super::distributions;
use super::journal::Journal;
use super::plan::{self, Part};
use super::record::{PageResult, RunRecord, RunResults};
use super::sd_study::{self, SdPages, SdStudyResults};
use super::systems;
use super::visual_outlier_study::{self, VisualOutlierResults};
use crate::dataset::host;
use crate::dataset::labelled::{LabelledCorpus, LabelledPage};
use crate::dom::digest::hex;
use crate::error::{Error, Result};
use crate::extract::site_hmt::SiteHmt;
use crate::extract::{ExtractError, Extractor, hmt};
use crate::inference::site_adaptation::SitePage;
use crate::model::{Model, ModelConfig};
use crate::page::Page;
use crate::progress::Progress;
use crate::scoring::{Metric, PageScores, score};
use crate::training::{self, Learning, TrainingPage, observe};

/// Runs an experiment on its pages.
///
/// Finished pages are written to `journal` as they come, and taken from it if it is of the same run. `stop` ends
/// the run early with [`Error::Interrupted`]; the journal keeps what is done. `command` is the command that made
/// the run, for its record.
///
/// The results depend on experiment, data and versions alone, not on threads, order or interruptions; how long each
/// system took is told apart.
///
/// # Errors
/// [`Error::Io`] on the journal, [`Error::Data`] if there are too few hosts for the folds.
pub fn run(
    experiment: &Experiment,
    corpora: &Corpora,
    command: &str,
    journal: &Path,
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Result<(RunResults, Times)> {
    let parts = plan::parts(experiment, corpora)?;
    let systems = experiment.all_systems();
    let versions = versions(&systems)?;
    for (system, version) in versions.iter().filter(|(_, version)| version.starts_with("unknown")) {
        progress.note(&format!("'{system}' may not work: its version is {version}"));
    }
    let digest = run_digest(experiment, corpora, &versions);
    let of_study = journal.with_extension("convergence.jsonl");
    let journal = Journal::open(journal, &digest)?;
    if !journal.is_empty() {
        progress.note(&format!("going on with a run that had finished {} extractions", journal.len()));
    }
    for system in systems.iter().filter(|system| system.extractor == hmt::ID && !systems::is_trained(system))
    {
        warn_of_training_pages(system, corpora, progress)?;
    }
    let mut models = PageModels::default();
    for (dataset, _) in parts.iter().flat_map(|part| &part.training) {
        for system in &systems {
            models.count(system, dataset, corpora, progress)?;
        }
    }
    let tests: usize = parts.iter().map(|part| part.tests.len()).sum();
    progress.stage("extracting", tests * systems.len());
    let mut results = Vec::with_capacity(tests * systems.len());
    let times = Times::of(&systems);
    // Systems that differ in their decision or in having weights share what was learned, and so do parts in a row with the
    // same training pages.
    let mut learned: Vec<(ModelConfig, Learning, Model)> = Vec::new();
    let mut trained_on = None;
    for part in &parts {
        if trained_on != Some(&part.training) {
            learned.clear();
            trained_on = Some(&part.training);
        }
        for system in &systems {
            let (journal, times) = (&journal, &times);
            let work = Work { experiment, corpora, part, system, journal, times, stop, progress };
            if let Some(finished) = work.finished() {
                results.extend(finished);
                continue;
            }
            let model = match systems::learning(system)? {
                Some(learning) => learn(system, learning, part, corpora, &mut learned, progress)?,
                None => models.sum(system, part)?,
            };
            let model = match (&system.recalibrate, model) {
                (Some(dataset), Some(model)) => {
                    Some(recalibrate(&model, system, dataset, part, corpora, progress)?)
                }
                (_, model) => model,
            };
            let mut adapted = None;
            let extractor: Box<dyn Extractor> = match model {
                Some(model) if system.adapt.is_some() => {
                    let tree = systems::build_adapted(system, model, experiment.seed)?;
                    Box::new(adapted.insert(tree).clone())
                }
                model => systems::build(system, model, experiment.seed)?,
            };
            results.extend(work.run(&*extractor, adapted.as_ref())?);
        }
    }
    let convergence = match &experiment.convergence {
        Some(config) => {
            let journal = Journal::open(&of_study, &digest)?;
            let study = Study { config, corpora, part: &parts[0], seed: experiment.seed };
            let rows = study.run(&journal, stop, progress)?;
            journal.remove()?;
            rows
        }
        None => Vec::new(),
    };
    let distributions = match experiment.feature_figures {
        true => distributions::of_corpus(&corpora[&parts[0].dataset], experiment.layout.as_deref()),
        false => Vec::new(),
    };
    let engine_study = experiment.engine_study.as_ref().map(|study| study.run(corpora)).unwrap_or_default();
    let record = RunRecord::new(experiment, corpora, command, versions, &results);
    journal.remove()?;
    let results = RunResults {
        record,
        results,
        convergence,
        distributions,
        sd_study: None,
        engine_study,
        visual_outlier_study: None,
    };
    Ok((results, times))
}

/// The study of the SD algorithm, if the experiment asks for it. It reads its corpora itself, by types of pages.
///
/// # Errors
/// As [`SdPages::read`] and [`sd_study::run`].
pub fn study(
    experiment: &Experiment,
    data_dir: &Path,
    progress: &dyn Progress,
) -> Result<Option<SdStudyResults>> {
    let Some(study) = &experiment.sd_study else { return Ok(None) };
    let pages = SdPages::read(study, data_dir, progress)?;
    sd_study::run(study, &pages, experiment.seed, progress).map(Some)
}

/// The study of visual outliers, if the experiment asks for it, on pages that were read with their layouts.
///
/// # Errors
/// As [`visual_outlier_study::run`].
pub fn visual_outlier_study(
    experiment: &Experiment,
    corpora: &Corpora,
    progress: &dyn Progress,
) -> Result<Option<VisualOutlierResults>> {
    let study = experiment.visual_outlier_study.as_ref();
    study.map(|study| visual_outlier_study::run(study, corpora, progress)).transpose()
}

/// Says so if a model file was trained on pages that it is now tested on.
fn warn_of_training_pages(system: &System, corpora: &Corpora, progress: &dyn Progress) -> Result<()> {
    let model = Model::by_name(system.parameters["model"].as_str().unwrap_or_default())?;
    let has_seen = |corpus: &LabelledCorpus| {
        let source = corpus.source();
        model.sources().contains_key(&source)
            || model.recalibration().is_some_and(|line| line.sources().contains_key(&source))
    };
    for corpus in corpora.values().filter(|corpus| has_seen(corpus)) {
        progress.note(&format!(
            "the model of '{}' was trained on the very pages of {}: its figures there are flattered",
            system.id, corpus.label
        ));
    }
    Ok(())
}

/// The version of each system.
fn versions(systems: &[System]) -> Result<BTreeMap<String, String>> {
    let version = |system: &System| {
        let extractor = match systems::model_config(system)? {
            Some(config) => systems::build(system, Some(Model::new(config)?), 0)?,
            None => systems::build(system, None, 0)?,
        };
        Ok((system.id.clone(), extractor.version()))
    };
    systems.iter().map(version).collect()
}

/// How long the extractions of each system took: the only thing of a run that is another each time.
#[derive(Debug)]
pub struct Times {
    /// System, pages extracted in this run, nanoseconds.
    systems: Vec<(String, AtomicU64, AtomicU64)>,
}

impl Times {
    fn of(systems: &[System]) -> Times {
        let time = |system: &System| (system.id.clone(), AtomicU64::new(0), AtomicU64::new(0));
        Times { systems: systems.iter().map(time).collect() }
    }

    fn add(&self, system: &str, pages: usize, time: Duration) {
        if let Some((_, n, sum)) = self.systems.iter().find(|(id, ..)| id == system) {
            n.fetch_add(pages as u64, Ordering::Relaxed);
            sum.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
        }
    }

    /// For each system its id, the pages that it extracted in this run (those taken from a journal are not among
    /// them) and the seconds that took on all threads together.
    pub fn seconds(&self) -> Vec<(String, u64, f64)> {
        let seconds = |(id, n, sum): &(String, AtomicU64, AtomicU64)| {
            (id.clone(), n.load(Ordering::Relaxed), sum.load(Ordering::Relaxed) as f64 / 1e9)
        };
        self.systems.iter().map(seconds).collect()
    }
}

/// For each configuration and corpus a model of each page alone: those of a training set add up.
#[derive(Default)]
struct PageModels {
    known: Vec<(ModelConfig, String, Vec<Model>)>,
}

impl PageModels {
    fn find(&self, config: &ModelConfig, dataset: &str) -> Option<&[Model]> {
        let mut known = self.known.iter();
        known.find(|(of, name, _)| of == config && name == dataset).map(|(_, _, models)| models.as_slice())
    }

    fn count(
        &mut self,
        system: &System,
        dataset: &str,
        corpora: &Corpora,
        progress: &dyn Progress,
    ) -> Result<()> {
        if systems::learning(system)?.is_some() {
            return Ok(());
        }
        let Some(config) = systems::model_config(system)? else { return Ok(()) };
        if self.find(&config, dataset).is_some() {
            return Ok(());
        }
        let corpus = &corpora[dataset];
        progress.stage("counting", corpus.pages.len());
        let source = corpus.source();
        let count = |page: &LabelledPage| {
            let mut model = Model::new(config.clone())?;
            observe(&mut model, page, &source)?;
            progress.step();
            Ok(model)
        };
        let models = corpus.pages.par_iter().map(count).collect::<Result<_>>()?;
        self.known.push((config, dataset.to_owned(), models));
        Ok(())
    }

    /// The model of the part's training pages, of a system that is trained.
    fn sum(&self, system: &System, part: &Part) -> Result<Option<Model>> {
        let Some(config) = systems::model_config(system)? else { return Ok(None) };
        let mut sum = Model::new(config)?;
        for (dataset, trains) in &part.training {
            if let Some(models) = self.find(sum.config(), dataset) {
                trains.iter().try_for_each(|&page| sum.merge(&models[page]))?;
            }
        }
        Ok(Some(sum))
    }
}

/// The model of a part's training pages, of a system that learns more than counts: one of `learned`, which it is put
/// into otherwise.
fn learn(
    system: &System,
    learning: Learning,
    part: &Part,
    corpora: &Corpora,
    learned: &mut Vec<(ModelConfig, Learning, Model)>,
    progress: &dyn Progress,
) -> Result<Option<Model>> {
    let Some(config) = systems::model_config(system)? else { return Ok(None) };
    // A model without weights is one with them less these.
    let with_weights = Learning { weights: true, ..learning.clone() };
    for (_, by, model) in learned.iter().filter(|(of, ..)| *of == config) {
        if *by == learning {
            return Ok(Some(model.clone()));
        }
        if *by == with_weights {
            return Ok(Some(model.clone().without_weights()));
        }
    }
    let aligned =
        part.training.iter().flat_map(|(dataset, trains)| align(&corpora[dataset], trains, progress));
    let pages: Vec<TrainingPage<'_>> = aligned.collect();
    let model = training::learn(&config, &pages, &learning, progress)?;
    progress.stage(&format!("extracting with {}", system.id), part.tests.len());
    learned.push((config, learning, model.clone()));
    Ok(Some(model))
}

/// Pages of a corpus to learn from, less those that cannot be aligned.
fn align<'a>(corpus: &'a LabelledCorpus, pages: &[usize], progress: &dyn Progress) -> Vec<TrainingPage<'a>> {
    progress.stage("aligning", pages.len());
    let (aligned, left_out) = TrainingPage::of_pages(corpus, pages, progress);
    for (page, problem) in left_out {
        progress.note(&format!("not learned from {page}: {problem}"));
    }
    aligned
}

/// The model of a system that is recalibrated, on the pages of a corpus that the part does not test.
fn recalibrate(
    model: &Model,
    system: &System,
    dataset: &str,
    part: &Part,
    corpora: &Corpora,
    progress: &dyn Progress,
) -> Result<Model> {
    let pages = align(&corpora[dataset], &part.apart(dataset, corpora), progress);
    let recalibrated = training::recalibrate(model, &pages, progress)?;
    progress.stage(&format!("extracting with {}", system.id), part.tests.len());
    Ok(recalibrated.model)
}

struct Work<'a> {
    experiment: &'a Experiment,
    corpora: &'a Corpora,
    part: &'a Part,
    system: &'a System,
    journal: &'a Journal<PageResult>,
    times: &'a Times,
    stop: &'a AtomicBool,
    progress: &'a dyn Progress,
}

impl Work<'_> {
    /// The results of one system on the test pages of one part, in the pages' order. `adapted` is the extractor, of a
    /// system that is adapted to sites.
    fn run(&self, extractor: &dyn Extractor, adapted: Option<&SiteHmt<'static>>) -> Result<Vec<PageResult>> {
        let pages = &self.corpora[&self.part.dataset].pages;
        let sites = self.sites(pages, extractor.reads_whole_sites());
        let done: Result<Vec<Vec<(usize, PageResult)>>> =
            sites.into_par_iter().map(|site| self.site(extractor, adapted, pages, &site)).collect();
        let mut results: Vec<(usize, PageResult)> = done?.into_iter().flatten().collect();
        results.sort_by_key(|&(page, _)| page);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// The same, if an earlier run had come to all of them: then nothing need be learned.
    fn finished(&self) -> Option<Vec<PageResult>> {
        let pages = &self.corpora[&self.part.dataset].pages;
        let mut tests = self.sites(pages, true).concat();
        tests.sort_unstable();
        let found: Option<Vec<_>> = tests.iter().map(|&page| self.known(&pages[page]).cloned()).collect();
        found.inspect(|found| found.iter().for_each(|_| self.progress.step()))
    }

    /// The result of a page, if an earlier run had come to it.
    fn known(&self, page: &LabelledPage) -> Option<&PageResult> {
        let Part { split, number, .. } = self.part;
        self.journal.find(&PageResult::key_of(split, *number, &self.system.id, page.page.id()))
    }

    /// The test pages in groups to be extracted together: the pages of a site for an extractor that reads whole
    /// sites, at most as many as the sweep allows, and otherwise each page alone.
    fn sites(&self, pages: &[LabelledPage], whole: bool) -> Vec<Vec<usize>> {
        let limit = self.system.max_pages_of_site.unwrap_or(usize::MAX);
        // Pages without an address are no site together: each is one by itself.
        let mut sites: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
        for &page in &self.part.tests {
            let own = if pages[page].host == host::UNKNOWN { page } else { 0 };
            let site = sites.entry((&pages[page].site, own)).or_default();
            if site.len() < limit {
                site.push(page);
            }
        }
        let alone = |page: usize| vec![page];
        match whole {
            true => sites.into_values().collect(),
            false => sites.into_values().flatten().map(alone).collect(),
        }
    }

    fn site(
        &self,
        extractor: &dyn Extractor,
        adapted: Option<&SiteHmt<'static>>,
        pages: &[LabelledPage],
        site: &[usize],
    ) -> Result<Vec<(usize, PageResult)>> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let Part { split, number, .. } = self.part;
        let known: Vec<_> = site.iter().map(|&page| self.known(&pages[page])).collect();
        // A site is extracted as a whole, if only for one of its pages.
        let scored = match known.iter().copied().collect::<Option<Vec<_>>>() {
            Some(all) => all.into_iter().map(|known| (known.status.clone(), known.scores.clone())).collect(),
            None => {
                let site: Vec<&LabelledPage> = site.iter().map(|&page| &pages[page]).collect();
                let metrics = &self.experiment.metrics;
                let (scored, time) = match adapted {
                    None => extract_and_score(extractor, &site, metrics),
                    Some(adapted) => {
                        let given = self.given(adapted.hmt().model(), pages, &site[0].site)?;
                        extract_and_score(&adapted.given(given), &site, metrics)
                    }
                };
                self.times.add(&self.system.id, site.len(), time);
                scored
            }
        };
        let mut results = Vec::with_capacity(site.len());
        for ((&page, known), (status, scores)) in site.iter().zip(known).zip(scored) {
            let result = PageResult {
                split: split.clone(),
                part: *number,
                system: self.system.id.clone(),
                page: pages[page].page.id().to_owned(),
                host: pages[page].host.clone(),
                status,
                scores,
            };
            if known.is_none() {
                self.journal.append(&result)?;
            }
            self.progress.step();
            results.push((page, result));
        }
        Ok(results)
    }
}

impl<'a> Work<'a> {
    /// The pages of a site that the split gives, the first of them with their gold.
    fn given(&self, model: &Model, pages: &'a [LabelledPage], site: &str) -> Result<Vec<SitePage<'a>>> {
        let labelled = self.system.adapt.unwrap_or_default().labelled_pages;
        let of_site = self.part.given.iter().map(|&page| &pages[page]).filter(|page| page.site == site);
        let seen = of_site.enumerate().map(|(place, page)| {
            let named = |problem| Error::page(page.page.id(), problem);
            let observation = model.observation(&page.page).map_err(named)?;
            let permitted = match place < labelled {
                true => Some(training::permitted_states(page, &observation, model)?),
                false => None,
            };
            Ok(SitePage { page: &page.page, observation, permitted })
        });
        seen.collect()
    }
}

/// The status of a page to which an extractor does not apply: it has no scores, and is in no mean.
pub const NOT_APPLICABLE: &str = "n/a";

/// The status and scores of each page of a site, and how long the extraction took. A failure, a panic of the
/// extractor too, is a status and scores as an empty extraction; a missing input is [`NOT_APPLICABLE`].
pub fn extract_and_score(
    extractor: &dyn Extractor,
    site: &[&LabelledPage],
    metrics: &[Metric],
) -> (Vec<(String, PageScores)>, Duration) {
    let pages: Vec<&Page> = site.iter().map(|page| &page.page).collect();
    let start = Instant::now();
    // An extractor is only read; what a panic leaves behind is dropped with its result.
    let extracted = std::panic::catch_unwind(AssertUnwindSafe(|| extractor.extract_site(&pages)));
    let time = start.elapsed();
    let mut extractions = extracted.unwrap_or_default().into_iter();
    let scored = site.iter().map(|page| match extractions.next() {
        Some(Ok(extraction)) => ("ok".to_owned(), score(page, Some(&extraction), metrics)),
        Some(Err(ExtractError::MissingInput(_))) => (NOT_APPLICABLE.to_owned(), PageScores::default()),
        Some(Err(ExtractError::Page(problem))) => (problem.status().to_owned(), score(page, None, metrics)),
        None => ("panic".to_owned(), score(page, None, metrics)),
    });
    (scored.collect(), time)
}

/// A digest of all that the results depend on.
fn run_digest(experiment: &Experiment, corpora: &Corpora, versions: &BTreeMap<String, String>) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(env!("CARGO_PKG_VERSION"));
    add(&serde_json::to_string(experiment).expect("an experiment has no keys that are not strings"));
    for corpus in corpora.values() {
        add(&corpus.label);
        add(&corpus.checksum);
        corpus.layouts.iter().for_each(|layout| add(&layout.engine.to_string()));
    }
    for (system, version) in versions {
        add(system);
        add(version);
    }
    hex(&hash.finalize())
}
