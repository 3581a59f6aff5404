//! The work of a run: train by adding counts up, extract every test page, score, journal.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use sha2::{Digest, Sha256};

use super::config::{Experiment, System};
use super::corpora::Corpora;
use super::journal::Journal;
use super::models::Models;
use super::plan::{self, Part};
use super::record::{PageResult, RunRecord, RunResults, StudyResults};
use super::systems;
use super::times::Times;
use super::work::Work;
use crate::dataset::labelled::LabelledCorpus;
use crate::dom::digest::hex;
use crate::error::Result;
use crate::extract::{Extractor, hmt};
use crate::model::Model;
use crate::progress::Progress;

/// A run whose extractions are done.
pub struct Run {
    /// What came out, without studies.
    pub results: RunResults,
    /// How long each system took.
    pub times: Times,
    /// Which pages trained and tested.
    pub parts: Vec<Part>,
    /// The digest of all that the results depend on.
    pub digest: String,
    /// The journal, to be removed when nothing more is to be done.
    pub journal: Journal<PageResult>,
}

/// Runs an experiment on its pages, without its studies.
///
/// Finished pages are written to `journal` as they come, and taken from it if it is of the same run. `stop` ends
/// the run early with [`Error::Interrupted`](crate::Error::Interrupted); the journal keeps what is done. `command` is the command that made
/// the run, for its record.
///
/// The results depend on experiment, data and versions alone, not on threads, order or interruptions; how long each
/// system took is told apart.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) on the journal, [`Error::Data`](crate::Error::Data) if there are too few hosts for the folds.
pub fn run(
    experiment: &Experiment,
    corpora: &Corpora,
    command: &str,
    journal: &Path,
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Result<Run> {
    let parts = plan::parts(experiment, corpora)?;
    let systems = experiment.all_systems();
    let versions = versions(&systems)?;
    for (system, version) in versions.iter().filter(|(_, version)| version.starts_with("unknown")) {
        progress.note(&format!("'{system}' may not work: its version is {version}"));
    }
    let digest = run_digest(experiment, corpora, &versions);
    let journal = Journal::open(journal, &digest)?;
    if !journal.is_empty() {
        progress.note(&format!("going on with a run that had finished {} extractions", journal.len()));
    }
    for system in systems.iter().filter(|system| system.extractor == hmt::ID && !systems::is_trained(system))
    {
        warn_of_training_pages(system, corpora, progress)?;
    }
    let mut models = Models::new(corpora);
    for (dataset, _) in parts.iter().flat_map(|part| &part.training) {
        for system in &systems {
            models.count_ahead(system, dataset, progress)?;
        }
    }
    let tests: usize = parts.iter().map(|part| part.tests.len()).sum();
    progress.stage("extracting", tests * systems.len());
    let mut results = Vec::with_capacity(tests * systems.len());
    let times = Times::from_systems(&systems);
    for part in &parts {
        for system in &systems {
            let (journal, times) = (&journal, &times);
            let work = Work { experiment, corpora, part, system, journal, times, stop, progress };
            if let Some(finished) = work.finished() {
                results.extend(finished);
                continue;
            }
            let drawn = system.training_pages.map(|most| part.with_training_pages(most, experiment.seed));
            let model = models.train(system, drawn.as_ref().unwrap_or(part), progress)?;
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
    let record = RunRecord::new(experiment, corpora, command, versions, &results);
    let results = RunResults { record, results, studies: StudyResults::default() };
    Ok(Run { results, times, parts, digest, journal })
}

/// Says so if a model file was trained on pages that it is now tested on.
fn warn_of_training_pages(system: &System, corpora: &Corpora, progress: &dyn Progress) -> Result<()> {
    let model = Model::by_name(system.parameters["model"].as_str().unwrap_or_default())?;
    let has_seen = |corpus: &LabelledCorpus| {
        let source = corpus.source();
        model.sources().contains_key(&source)
            || model.layers().recalibration.as_ref().is_some_and(|line| line.sources().contains_key(&source))
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
