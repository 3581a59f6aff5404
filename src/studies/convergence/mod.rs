//! How soon the sampler is where it should be: distance from the exact marginals, and agreement of chains, by number of
//! sweeps, kernel and size of the page.
//!
//! A model is trained on the training pages of the experiment's first part, and run on its first test pages.

mod agreement;
mod distance;

use std::sync::atomic::Ordering;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::harness::config::{Experiment, ModelChoice};
use crate::harness::journal::{Entry, Journal, key_of};
use crate::inference::gibbs::{GibbsConfig, Kernel, ParameterUse};
use crate::inference::upward_downward::upward_downward;
use crate::model::{Model, Observation};
use crate::page::Page;
use crate::progress::Silent;
use crate::studies::study::{Context, Study};
use crate::training::{Trainer, TrainingPage, TrainingSettings};

pub use agreement::{AGREE_AT, Agreement};
pub use distance::Distance;

/// What the study is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Convergence {
    /// The models, by preset or in full, with their names.
    pub models: Vec<NamedModel>,
    /// The kernels.
    pub kernels: Vec<NamedKernel>,
    /// Test pages. Default 40.
    #[serde(default = "forty")]
    pub pages: usize,
    /// Numbers of sweeps, ascending; of each the last third is averaged, as in the thesis. Default 30 to 3,000.
    #[serde(default = "sweep_numbers")]
    pub sweeps: Vec<u32>,
    /// Chains that are compared. Default 4.
    #[serde(default = "four")]
    pub chains: u32,
    /// Sweeps up to which chains are compared. Default 1,000.
    #[serde(default = "thousand")]
    pub compared_sweeps: u32,
    /// Bounds between small and larger pages, ascending, in nodes of the model's view. Default 300 and 1,000.
    #[serde(default = "page_sizes")]
    pub page_sizes: Vec<usize>,
}

/// A model of the study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NamedModel {
    /// The name in tables.
    pub id: String,
    /// The configuration.
    pub model: ModelChoice,
}

/// A kernel of the study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NamedKernel {
    /// The name in tables.
    pub id: String,
    /// How states are updated.
    pub kernel: Kernel,
    /// What becomes of the parameters.
    pub parameters: ParameterUse,
    /// Whether the labels of all siblings are sampled with. There is no exact answer then, and models that do not have
    /// them are left out. Default no.
    #[serde(default)]
    pub sibling_types: bool,
}

fn forty() -> usize {
    40
}
fn sweep_numbers() -> Vec<u32> {
    vec![30, 100, 300, 1000, 3000]
}
fn four() -> u32 {
    4
}
fn thousand() -> u32 {
    1000
}
fn page_sizes() -> Vec<usize> {
    vec![300, 1000]
}

impl Convergence {
    /// Checks names and ranges.
    fn check_ranges(&self) -> Result<()> {
        let refuse = |what: &str, remedy: &str| Err(Error::usage(format!("convergence.{what}"), remedy));
        if self.models.is_empty() || self.kernels.is_empty() || self.pages == 0 {
            return refuse(
                "models, kernels and pages",
                "give one of each or more; the default of pages is 40",
            );
        }
        self.models.iter().try_for_each(|model| model.model.resolve().map(drop))?;
        let ascending = |numbers: &[u32]| numbers.is_sorted_by(|a, b| a < b);
        if self.sweeps.first().is_none_or(|&sweeps| sweeps < 3) || !ascending(&self.sweeps) {
            return refuse(
                "sweeps",
                "give ascending numbers from 3 up; the default is 30, 100, 300, 1000, 3000",
            );
        }
        if self.chains < 2 || self.compared_sweeps < AGREE_AT[0] {
            return refuse(
                "chains and convergence.compared-sweeps",
                "2 chains or more can be compared, after 10 sweeps or more; the default is 4 and 1000",
            );
        }
        if !self.page_sizes.is_sorted_by(|a, b| a < b) {
            return refuse("page-sizes", "give ascending numbers of nodes; the default is 300, 1000");
        }
        Ok(())
    }

    /// The number of the group of sizes that a page of so many nodes is in.
    fn size(&self, nodes: usize) -> usize {
        self.page_sizes.partition_point(|&bound| bound <= nodes)
    }

    /// The name of a group of sizes.
    pub fn size_name(&self, size: usize) -> String {
        match (size.checked_sub(1).map(|below| self.page_sizes[below]), self.page_sizes.get(size)) {
            (None, None) => "all".to_owned(),
            (None, Some(above)) => format!("below {above}"),
            (Some(least), Some(above)) => format!("{least}-{}", above - 1),
            (Some(least), None) => format!("{least} and more"),
        }
    }
}

/// What one page, model and kernel gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageConvergence {
    /// The model's name.
    pub model: String,
    /// The kernel's name.
    pub kernel: String,
    /// The page's id.
    pub page: String,
    /// Nodes of the page in the model's view.
    pub nodes: usize,
    /// The group of sizes that it is in, from 0.
    pub size: usize,
    /// Distance from the exact marginals, for each number of sweeps; empty with the labels of all siblings.
    pub distances: Vec<Distance>,
    /// Agreement of chains at each of the numbers of sweeps of [`AGREE_AT`] up to the last.
    pub agreements: Vec<Agreement>,
}

struct Task<'a> {
    model: &'a Model,
    model_id: &'a str,
    kernel: &'a NamedKernel,
    page: &'a Page,
    observation: &'a Observation,
    exact: &'a [f64],
}

impl PageConvergence {
    /// The key of a page's study under a model and kernel.
    pub fn key_of(model: &str, kernel: &str, page: &str) -> String {
        key_of(&[model, kernel, page])
    }
}

impl Entry for PageConvergence {
    fn key(&self) -> String {
        PageConvergence::key_of(&self.model, &self.kernel, &self.page)
    }
}

impl Study for Convergence {
    const KEY: &'static str = "convergence";
    const RESULTS: &'static str = "convergence";
    type Results = Vec<PageConvergence>;

    fn check(&self, _: &Experiment) -> Result<()> {
        self.check_ranges()
    }

    /// Takes the first test pages of the experiment's first part, with models trained on its training pages. What the
    /// study's journal has is not done again.
    fn run(&self, context: &Context<'_>) -> Result<Vec<PageConvergence>> {
        let Context { corpora, parts, stop, progress, .. } = *context;
        let (config, part, seed) = (self, &parts[0], context.experiment.seed);
        let journal: Journal<PageConvergence> = context.journal("convergence")?;
        let tested = &corpora[&part.dataset].pages;
        let pages: Vec<&Page> =
            part.tests.iter().take(config.pages).map(|&page| &tested[page].page).collect();
        let mut results = Vec::new();
        progress.stage("convergence", config.models.len() * config.kernels.len() * pages.len());
        for NamedModel { id, model } in &config.models {
            let trainer = Trainer::new(model.resolve()?, TrainingSettings::default())?;
            let training = part.training.iter();
            let training = training
                .flat_map(|(dataset, trains)| TrainingPage::from_pages(&corpora[dataset], trains, &Silent).0);
            let model = trainer.train(training.collect(), &[], &Silent)?.model;
            let parameters = model.parameters();
            let observe =
                |page: &&Page| model.observation(page).map_err(|problem| Error::page(page.id(), problem));
            let observations: Vec<Observation> = pages.par_iter().map(observe).collect::<Result<_>>()?;
            let marginals = |observation: &Observation| {
                let ln_emission = model.ln_emission(&parameters, observation);
                upward_downward(&observation.view.tree, &ln_emission, &parameters.transition).posterior
            };
            let exact: Vec<Vec<f64>> = observations.par_iter().map(marginals).collect();
            // Long and short tasks side by side: the longest is one page under one kernel.
            let tasks: Vec<Task<'_>> = config
                .kernels
                .iter()
                .filter(|kernel| !kernel.sibling_types || model.config().sibling_types)
                .flat_map(|kernel| (0..pages.len()).map(move |page| (kernel, page)))
                .map(|(kernel, page)| Task {
                    model: &model,
                    model_id: id,
                    kernel,
                    page: pages[page],
                    observation: &observations[page],
                    exact: &exact[page],
                })
                .collect();
            let done: Result<Vec<PageConvergence>> = tasks
                .par_iter()
                .map(|task| {
                    if stop.load(Ordering::Relaxed) {
                        return Err(Error::Interrupted);
                    }
                    let key = PageConvergence::key_of(task.model_id, &task.kernel.id, task.page.id());
                    let result = match journal.find(&key) {
                        Some(known) => known.clone(),
                        None => {
                            let result = task.run(config, seed)?;
                            journal.append(&result)?;
                            result
                        }
                    };
                    progress.step();
                    Ok(result)
                })
                .collect();
            results.extend(done?);
        }
        journal.remove()?;
        Ok(results)
    }
}

impl Task<'_> {
    fn run(&self, config: &Convergence, seed: u64) -> Result<PageConvergence> {
        let nodes = self.observation.view.tree.len();
        let NamedKernel { kernel, parameters, sibling_types, .. } = *self.kernel;
        let settings = GibbsConfig {
            sweeps: *config.sweeps.last().expect("checked"),
            burn_in: 0,
            kernel,
            parameters,
            sibling_types,
            child_types: false,
            seed,
            ..GibbsConfig::default()
        };
        let distances = match settings.uses_sibling_types(self.model.config()) {
            true => Vec::new(),
            false => distance::by_sweeps(self, &settings, &config.sweeps)?,
        };
        Ok(PageConvergence {
            model: self.model_id.to_owned(),
            kernel: self.kernel.id.clone(),
            page: self.page.id().to_owned(),
            nodes,
            size: config.size(nodes),
            distances,
            agreements: agreement::by_sweeps(self, &settings, config)?,
        })
    }
}
