//! The layouts of an experiment's pages: which engines it needs, and each page laid out once by each.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::config::Experiment;
use super::corpus::LabelledCorpus;
use super::runner::Observer;
use super::systems;
use crate::error::{PageProblem, Result};
use crate::layout::{EngineId, LayoutEngine};

/// How the pages of a corpus were laid out by one engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutRecord {
    /// The engine.
    pub engine: EngineId,
    /// The pages that have a layout.
    pub pages: usize,
    /// The pages that could not be laid out, with the reason. To a system that needs the layout they are not applicable.
    pub failures: Vec<(String, String)>,
}

/// The engines that an experiment names itself or needs for one of its systems.
///
/// # Errors
/// What resolving a model's configuration or loading a model file gives.
pub fn engines_of(experiment: &Experiment) -> Result<BTreeSet<String>> {
    let mut engines: BTreeSet<String> = experiment.layout.iter().cloned().collect();
    engines.extend(experiment.engine_study.iter().flat_map(|study| study.engines()).map(str::to_owned));
    engines.extend(experiment.visual_outlier_study.iter().map(|study| study.layout.clone()));
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

impl LabelledCorpus {
    /// Lays out every page in parallel and keeps how that went; pages that cannot be laid out stay as they are, and are
    /// told of.
    pub fn lay_out(&mut self, engine: &dyn LayoutEngine, observer: &dyn Observer) {
        observer.stage(&format!("laying out {} by {}", self.label, engine.id().name), self.pages.len());
        let failed: Vec<Option<PageProblem>> = self
            .pages
            .par_iter_mut()
            .map(|page| {
                let problem = page.page.lay_out(engine).err();
                observer.step();
                problem
            })
            .collect();
        let failures: Vec<(String, String)> = self
            .pages
            .iter()
            .zip(failed)
            .filter_map(|(page, problem)| Some((page.page.id().to_owned(), problem?.to_string())))
            .collect();
        for (page, problem) in &failures {
            observer.note(&format!("{page}: not laid out by {}: {problem}", engine.id().name));
        }
        let pages = self.pages.len() - failures.len();
        self.layouts.push(LayoutRecord { engine: engine.id().clone(), pages, failures });
    }
}
