//! Chains of the Gibbs sampler.

use std::path::Path;

use duramen::diagnostics::{LargestRhat, Undefined};
use duramen::document::sample::{ObservedPage, PagesToSample};
use duramen::inference::gibbs::{
    self, Chain, GibbsConfig, Kernel, ParameterUse, RunConfig, SampledStates, Sampler, Start, SweepObserver,
};
use duramen::model::{Model, NodeLabels};
use duramen::progress::Progress;
use duramen::{Error, Result};

use super::labels::GivenPages;
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
    /// Labels that text may have; by default those that the model has counts of.
    pub states: Option<Vec<String>>,
    pub all_states: bool,
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
        let usual = GibbsConfig::of_pages(model.config(), true);
        let kernel: Kernel = match &self.kernel {
            None => usual.kernel,
            Some(name) => named("kernel", name, "single-site or blocked")?,
        };
        let all = "fixed, after-sweep, uncollapsed or collapsed";
        let parameters: ParameterUse = match &self.parameters {
            None => usual.parameters,
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
            ..usual
        };
        settings.check_for(model.config())?;
        Ok(settings)
    }

    /// Runs the chains and writes what they drew as a zarr store.
    pub fn run(
        &self,
        model: &Model,
        given: &GivenPages,
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
        let states = match &self.states {
            Some(_) if self.all_states => {
                return Err(Error::usage("states and all_states are both given", "leave one of them out"));
            }
            Some(names) => SampledStates::Labels(names.clone()),
            None if self.all_states => SampledStates::All,
            None => SampledStates::Counted,
        };
        let labels =
            labels.map(|text| NodeLabels::parse(text, "labels", model.config().states)).transpose()?;
        let observed: Vec<ObservedPage> = given
            .parse(work)?
            .into_iter()
            .map(|(page, _)| ObservedPage::new(model, page))
            .collect::<Result<_>>()?;
        let pages = PagesToSample::new(model, &observed, labels.as_ref(), &states)?;
        pages.tell_left_out("all_states=True").iter().for_each(|told| work.note(told));
        let sampler = Sampler::new(model, &pages.pages, &settings)?;
        work.stage("sweeps", settings.sweeps as usize * settings.chains as usize);
        let sweeps = Sweeps { work, chains: settings.chains };
        let run = gibbs::run(&sampler, &config, None, work.stop_flag(), &sweeps)?;
        run.inference_data(&sampler, &config, &pages.names, &pages.nodes, true)?.write_zarr(store)
    }
}

/// Sweeps as steps of the work.
struct Sweeps<'a> {
    work: &'a Work,
    chains: u32,
}

impl SweepObserver for Sweeps<'_> {
    fn swept(&self, _: &Chain<'_, '_>) {
        // Not `step`: a run ends by itself when it is told to.
        self.work.count();
    }

    fn resumed(&self, _: u32) {}

    fn checked(&self, sweeps: u32, _: std::result::Result<LargestRhat, Undefined>, more: u32) {
        if more > 0 {
            self.work.stage("sweeps", (sweeps + more) as usize * self.chains as usize);
            self.work.done(u64::from(sweeps) * u64::from(self.chains));
        }
    }
}
