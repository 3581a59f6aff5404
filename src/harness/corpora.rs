//! The labelled pages that an experiment is on, laid out by the engines that it needs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::config::{Experiment, SYNTH};
use super::systems;
use crate::dataset;
use crate::dataset::labelled::LabelledCorpus;
use crate::error::Result;
use crate::extract::registry;
use crate::layout::Engines;
use crate::progress::Progress;

/// The labelled pages of each corpus of an experiment, by its name there.
pub type Corpora = BTreeMap<String, LabelledCorpus>;

/// The labelled pages that an experiment is on, laid out by the engines that it needs and by those of `layouts`.
///
/// # Errors
/// [`Error::Data`](crate::Error::Data) if a corpus is not there; as [`Engines::open`].
pub fn read_pages(
    experiment: &Experiment,
    layouts: &BTreeSet<String>,
    data_dir: &Path,
    engines: &Engines,
    progress: &dyn Progress,
) -> Result<Corpora> {
    let systems = experiment.all_systems();
    let opened: Result<Vec<_>> =
        engines_of(experiment)?.union(layouts).map(|name| engines.open(name)).collect();
    let engines = opened?;
    // An engine with a parser of its own takes the bytes.
    let keep_sources = !engines.is_empty()
        || systems.iter().any(|system| registry::info(&system.extractor).is_ok_and(|info| info.reads_source));
    // All are looked for before any is read: a missing one is heard of at once.
    let mut opened = Vec::new();
    for name in experiment.datasets() {
        let corpus =
            if name == SYNTH { None } else { Some(dataset::open_from(&experiment.folder, name, data_dir)?) };
        opened.push((name, corpus));
    }
    let mut corpora = Corpora::new();
    for (name, corpus) in opened {
        let mut labelled = match corpus {
            None => {
                progress.stage("making pages", 0);
                let config = experiment.synth.clone().unwrap_or_default();
                LabelledCorpus::synthetic(&config, experiment.max_pages, keep_sources)?
            }
            Some(corpus) => LabelledCorpus::read(&corpus, experiment.max_pages, keep_sources, progress)?,
        };
        engines.iter().for_each(|engine| labelled.lay_out(&**engine, progress));
        corpora.insert(name.to_owned(), labelled);
    }
    Ok(corpora)
}

/// The engines that an experiment names itself or needs for one of its systems.
///
/// # Errors
/// What resolving a model's configuration or loading a model file gives.
pub fn engines_of(experiment: &Experiment) -> Result<BTreeSet<String>> {
    let mut engines: BTreeSet<String> = experiment.layout.iter().cloned().collect();
    for system in experiment.all_systems() {
        match systems::model_config(&system)? {
            Some(config) => engines.extend(config.layout),
            None => {
                let extractor = systems::build(&system, None, experiment.seed)?;
                engines.extend(extractor.layout_engines().into_iter().map(str::to_owned));
            }
        }
    }
    Ok(engines)
}
