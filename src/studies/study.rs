//! `Study`, what every study is to the experiments that ask for it.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::harness::config::Experiment;
use crate::harness::corpora::Corpora;
use crate::harness::journal::{Entry, Journal};
use crate::harness::plan::Part;
use crate::harness::record::RunResults;
use crate::layout::Engines;
use crate::progress::Progress;

/// A study: the value of its key in `experiment.toml`, with what can be done with it.
pub trait Study: Serialize + DeserializeOwned {
    /// Its key in `experiment.toml`.
    const KEY: &'static str;
    /// The name of its results in `pages/studies.json`.
    const RESULTS: &'static str;
    /// What it finds.
    type Results: Serialize + DeserializeOwned;

    /// Whether the study can be made.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the key, its range and its default.
    fn check(&self, experiment: &Experiment) -> Result<()>;

    /// The layout engines whose layouts it reads.
    fn layouts(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the value asks for the study; a table does.
    fn is_asked(&self) -> bool {
        true
    }

    /// The value of experiments that leave the key out, if it is to stand in the resolved experiment.
    fn left_out() -> Option<Self> {
        None
    }

    /// The study with its paper's numbers, which the text of a `published.toml` has under the study's key; none if it has a
    /// place for none.
    ///
    /// # Errors
    /// For what is not TOML, and other keys and values than the study knows.
    fn with_published(self, _text: &str) -> Result<Option<Self>, toml::de::Error> {
        Ok(None)
    }

    /// Makes the study.
    ///
    /// # Errors
    /// [`Error::Interrupted`], and what the study's pages and journal give.
    fn run(&self, context: &Context<'_>) -> Result<Self::Results>;
}

/// What the machine has for studies.
#[derive(Debug, Clone, Copy)]
pub struct Resources<'a> {
    /// The folder of fetched corpora.
    pub data_dir: &'a Path,
    /// The layout engines.
    pub engines: &'a Engines,
}

/// What a study works on: the experiment and its pages.
pub struct Context<'a> {
    /// The experiment that asks for it.
    pub experiment: &'a Experiment,
    /// The pages of the experiment's corpora, laid out.
    pub corpora: &'a Corpora,
    /// Which of them train and test.
    pub parts: &'a [Part],
    /// What a study may use that reads pages of its own.
    pub resources: Resources<'a>,
    /// The journal of the run; those of studies lie beside it.
    pub journal: &'a Path,
    /// The digest of all that the run's results depend on.
    pub digest: &'a str,
    /// Ends the work early.
    pub stop: &'a AtomicBool,
    /// Hears how far the work is.
    pub progress: &'a dyn Progress,
}

impl Context<'_> {
    /// The journal of a study of this name.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn journal<T: Entry>(&self, name: &str) -> Result<Journal<T>> {
        Journal::open(&self.journal.with_extension(format!("{name}.jsonl")), self.digest)
    }
}

/// What an experiment asks of a study; none if it does not ask for it.
///
/// # Errors
/// [`Error::Data`] for a record of another version.
pub fn config_of<S: Study>(experiment: &Experiment) -> Result<Option<S>> {
    let Some(setting) = experiment.studies.get(S::KEY) else { return Ok(None) };
    let study: S = setting.read().map_err(|error| {
        Error::data(S::KEY, format!("not what this version reads: {error}"), "run the experiment again")
    })?;
    Ok(Some(study).filter(S::is_asked))
}

/// What a study found in a run; none if it was not made.
///
/// # Errors
/// [`Error::Data`] for results of another version.
pub fn results_of<S: Study>(run: &RunResults) -> Result<Option<S::Results>> {
    run.studies.get(S::RESULTS)
}
