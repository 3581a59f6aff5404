//! Chains of the Gibbs sampler.

use std::path::Path;

use duramen::diagnostics::{LargestRhat, Undefined};
use duramen::inference::gibbs::{
    self, Chain, GibbsConfig, Kernel, ParameterUse, RunConfig, SampledPage, SampledStates, Sampler, Start,
    SweepObserver,
};
use duramen::model::{Model, NodeLabels, Observation};
use duramen::progress::Progress;
use duramen::{Error, Page, PageProblem, Result};

use super::labels::Given;
use super::work::Work;

/// How chains run, as Python asks for it.
pub struct Chains {
    pub chains: u32,
    pub sweeps: u32,
    pub burn_in: u32,
    pub thin: u32,
    pub seed: u64,
    pub kernel: Option<String>,
    pub parameters: Option<String>,
    pub start: String,
    pub keep_states: bool,
    pub until_rhat: Option<f64>,
    pub max_sweeps: Option<u32>,
}

/// A name as the value that serde knows by it.
fn named<T: serde::de::DeserializeOwned>(what: &str, name: &str, known: &str) -> Result<T> {
    serde_json::from_value(serde_json::Value::String(name.to_owned()))
        .map_err(|_| Error::usage(format!("{what} is '{name}'"), format!("it is {known}")))
}

impl Chains {
    fn settings(&self, model: &Model) -> Result<GibbsConfig> {
        let (kernel, parameters) = GibbsConfig::usual(model.config(), true);
        let kernel: Kernel = match &self.kernel {
            None => kernel,
            Some(name) => named("kernel", name, "single-site or blocked")?,
        };
        let all = "fixed, after-sweep, uncollapsed or collapsed";
        let parameters: ParameterUse = match &self.parameters {
            None => parameters,
            Some(name) => named("parameters", name, all)?,
        };
        let start: Start = named("start", &self.start, "uniform or dispersed")?;
        let settings = GibbsConfig {
            sweeps: self.sweeps,
            burn_in: self.burn_in,
            thin: self.thin,
            chains: self.chains,
            kernel,
            parameters,
            start,
            seed: self.seed,
            ..GibbsConfig::default()
        };
        settings.check_for(model.config())?;
        Ok(settings)
    }

    /// Runs the chains and writes what they drew as a zarr store.
    pub fn run(
        &self,
        model: &Model,
        given: &Given,
        labels: Option<&str>,
        store: &Path,
        work: &Work,
    ) -> Result<()> {
        let settings = self.settings(model)?;
        let config = RunConfig {
            until_rhat: self.until_rhat,
            max_sweeps: self.max_sweeps,
            keep_states: self.keep_states,
        };
        config.check(&settings)?;
        let space = model.config().states;
        let labels = labels.map(|text| NodeLabels::parse(text, "labels", space)).transpose()?;
        let observe = |(page, _): (Page, _)| {
            let observation = model.observation(&page).map_err(|problem| Error::page(page.id(), problem))?;
            match observation.view.texts.is_empty() {
                true => Err(Error::page(page.id(), PageProblem::Empty)),
                false => Ok((page, observation)),
            }
        };
        let observed: Vec<(Page, Observation)> =
            given.parse(work)?.into_iter().map(observe).collect::<Result<_>>()?;
        let states = SampledStates::Counted.set(model, labels.as_ref())?;
        let mut pages = Vec::new();
        for (page, observation) in &observed {
            let digest = page.dom().digest().as_u64();
            let mut sampled =
                SampledPage::unlabelled(model, &observation.view.tree, &observation.features, digest);
            if let Some(labels) = &labels {
                (sampled.permitted, _) = labels.permitted(page, &observation.view, space)?;
            }
            pages.push(sampled.within(model, states)?);
        }
        let sampler = Sampler::new(model, &pages, &settings)?;
        work.stage("sweeps", settings.sweeps as usize * settings.chains as usize);
        let run = gibbs::run(&sampler, &config, None, work.stop_flag(), &Sweeps { work })?;
        let names: Vec<String> = observed.iter().map(|(page, _)| page.id().to_owned()).collect();
        let name = |page: &Page, id| match observed.len() {
            1 => page.dom().xpath(id),
            _ => format!("{} {}", page.id(), page.dom().xpath(id)),
        };
        let nodes: Vec<String> = observed
            .iter()
            .flat_map(|(page, observation)| observation.view.nodes.iter().map(|node| name(page, node.node)))
            .collect();
        run.inference_data(&sampler, &config, &names, &nodes, true)?.write_zarr(store)
    }
}

/// Sweeps as steps of the work.
struct Sweeps<'a> {
    work: &'a Work,
}

impl SweepObserver for Sweeps<'_> {
    fn swept(&self, _: &Chain<'_, '_>) {
        // Not `step`: a run ends by itself when it is told to.
        self.work.count();
    }

    fn resumed(&self, _: u32) {}

    fn checked(&self, _: u32, _: std::result::Result<LargestRhat, Undefined>, _: u32) {}
}
