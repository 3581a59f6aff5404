//! The work of a run: train by adding counts up, extract every test page, score, journal.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::config::{Experiment, System};
use super::convergence;
use super::corpus::{LabelledCorpus, LabelledPage, PageGold};
use super::distributions;
use super::journal::Journal;
use super::plan::{self, Part};
use super::record::{PageResult, RunRecord, RunResults};
use super::score::score;
use super::systems;
use crate::dataset;
use crate::dom::digest::hex;
use crate::error::{Error, Result};
use crate::extract::{ExtractError, Extractor};
use crate::model::{Model, ModelConfig};

/// Hears how far a run is.
pub trait Observer: Sync {
    /// A stage begins, with its number of steps.
    fn stage(&self, name: &str, steps: usize);
    /// A step of the stage is done.
    fn step(&self);
    /// Something a reader of the log should know.
    fn note(&self, text: &str);
}

/// An observer that does not care.
pub struct Silent;

impl Observer for Silent {
    fn stage(&self, _name: &str, _steps: usize) {}
    fn step(&self) {}
    fn note(&self, _text: &str) {}
}

/// The labelled pages that an experiment is on.
///
/// # Errors
/// [`Error::Data`] if the corpus is not there.
pub fn read_pages(
    experiment: &Experiment,
    data_dir: &Path,
    observer: &dyn Observer,
) -> Result<LabelledCorpus> {
    if let Some(config) = &experiment.synth {
        observer.stage("making pages", 0);
        return LabelledCorpus::synthetic(config, experiment.max_pages);
    }
    let corpus = dataset::open(&experiment.dataset, data_dir)?;
    observer.stage("reading pages", experiment.max_pages.unwrap_or(corpus.len()).min(corpus.len()));
    LabelledCorpus::read(&corpus, experiment.max_pages, || observer.step())
}

/// Runs an experiment on its pages.
///
/// Finished pages are written to `journal` as they come, and taken from it if it is of the same run. `stop` ends
/// the run early with [`Error::Interrupted`]; the journal keeps what is done. `command` is the command that made
/// the run, for its record.
///
/// The results depend on experiment, data and version alone, not on threads, order or interruptions.
///
/// # Errors
/// [`Error::Io`] on the journal, [`Error::Data`] if there are too few hosts for the folds.
pub fn run(
    experiment: &Experiment,
    corpus: &LabelledCorpus,
    command: &str,
    journal: &Path,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<RunResults> {
    let hosts: Vec<String> = corpus.pages.iter().map(|page| page.host.clone()).collect();
    let parts = plan::parts(&experiment.splits, &hosts, experiment.seed)?;
    let journal = Journal::open(journal, &run_digest(experiment, corpus))?;
    if !journal.is_empty() {
        observer.note(&format!("going on with a run that had finished {} extractions", journal.len()));
    }
    let models = count_pages(experiment, corpus, observer)?;
    let tests: usize = parts.iter().map(|part| part.test_pages().count()).sum();
    observer.stage("extracting", tests * experiment.systems.len());
    let mut results = Vec::with_capacity(tests * experiment.systems.len());
    for part in &parts {
        for (system, page_models) in experiment.systems.iter().zip(&models) {
            let work = Work { experiment, corpus, part, system, journal: &journal, stop, observer };
            results.extend(work.run(page_models.as_deref())?);
        }
    }
    let convergence = match &experiment.convergence {
        Some(config) => convergence::compare(config, corpus, &parts[0], experiment.seed, stop, observer)?,
        None => Vec::new(),
    };
    let distributions =
        if experiment.feature_figures { distributions::of_corpus(corpus)? } else { Vec::new() };
    let record = RunRecord::new(experiment, corpus, command, &results);
    journal.remove()?;
    Ok(RunResults { record, results, convergence, distributions })
}

/// For each system that is trained, a model of each page alone: those of a training set add up.
fn count_pages(
    experiment: &Experiment,
    corpus: &LabelledCorpus,
    observer: &dyn Observer,
) -> Result<Vec<Option<std::sync::Arc<Vec<Model>>>>> {
    let mut known: Vec<(ModelConfig, std::sync::Arc<Vec<Model>>)> = Vec::new();
    let mut models = Vec::new();
    for system in &experiment.systems {
        let Some(config) = systems::model_config(system)? else {
            models.push(None);
            continue;
        };
        if let Some((_, counted)) = known.iter().find(|(other, _)| *other == config) {
            models.push(Some(counted.clone()));
            continue;
        }
        observer.stage("counting", corpus.pages.len());
        let source = corpus.source();
        let counted: Result<Vec<Model>> = corpus
            .pages
            .par_iter()
            .map(|page| {
                let mut model = Model::new(config.clone())?;
                observe(&mut model, page, &source)?;
                observer.step();
                Ok(model)
            })
            .collect();
        let counted = std::sync::Arc::new(counted?);
        known.push((config, counted.clone()));
        models.push(Some(counted));
    }
    Ok(models)
}

/// Lets a model learn from a labelled page.
///
/// # Errors
/// [`Error::Usage`] if the page's gold is text: moving it to nodes is not built yet.
pub fn observe(model: &mut Model, page: &LabelledPage, source: &str) -> Result<()> {
    match &page.gold {
        PageGold::Tokens(gold) => {
            model.observe(&page.page, |id| gold.counts(id), source);
            Ok(())
        }
        PageGold::Text(_) => Err(Error::usage(
            format!("{}: its gold is text and not labels of nodes", page.page.id()),
            "train on a corpus with labels, such as l3s-gn1 or synth",
        )),
    }
}

struct Work<'a> {
    experiment: &'a Experiment,
    corpus: &'a LabelledCorpus,
    part: &'a Part,
    system: &'a System,
    journal: &'a Journal,
    stop: &'a AtomicBool,
    observer: &'a dyn Observer,
}

impl Work<'_> {
    /// The results of one system on the test pages of one part, in the pages' order.
    fn run(&self, page_models: Option<&Vec<Model>>) -> Result<Vec<PageResult>> {
        let model = match page_models {
            Some(models) => {
                let mut sum = Model::new(models[0].config().clone())?;
                for (model, &trains) in models.iter().zip(&self.part.trains) {
                    if trains {
                        sum.merge(model)?;
                    }
                }
                Some(sum)
            }
            None => None,
        };
        let extractor = systems::build(self.system, model, self.experiment.seed)?;
        let pages: Vec<usize> = self.part.test_pages().collect();
        pages.into_par_iter().map(|page| self.page(&*extractor, &self.corpus.pages[page])).collect()
    }

    fn page(&self, extractor: &dyn Extractor, page: &LabelledPage) -> Result<PageResult> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let Part { split, number, .. } = self.part;
        let known = self.journal.find(split, *number, &self.system.id, page.page.id());
        let (status, scores) = match known {
            Some(known) => known.clone(),
            None => extract_and_score(extractor, page),
        };
        let result = PageResult {
            split: split.clone(),
            part: *number,
            system: self.system.id.clone(),
            page: page.page.id().to_owned(),
            host: page.host.clone(),
            status,
            scores,
        };
        if known.is_none() {
            self.journal.append(&result)?;
        }
        self.observer.step();
        Ok(result)
    }
}

/// The status and scores of one page; a failure is a status and scores as an empty extraction.
pub fn extract_and_score(
    extractor: &dyn Extractor,
    page: &LabelledPage,
) -> (String, super::record::PageScores) {
    let mut extractions = extractor.extract_site(std::slice::from_ref(&page.page));
    match extractions.pop() {
        Some(Ok(extraction)) => ("ok".to_owned(), score(page, Some(&extraction))),
        Some(Err(ExtractError::Page(problem))) => (problem.status().to_owned(), score(page, None)),
        Some(Err(ExtractError::MissingInput(_))) => ("n/a".to_owned(), score(page, None)),
        None => ("error".to_owned(), score(page, None)),
    }
}

/// A digest of all that the results depend on.
fn run_digest(experiment: &Experiment, corpus: &LabelledCorpus) -> String {
    let mut hash = Sha256::new();
    for part in [
        env!("CARGO_PKG_VERSION"),
        &serde_json::to_string(experiment).expect("an experiment has no keys that are not strings"),
        &corpus.label,
        &corpus.checksum,
    ] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}
