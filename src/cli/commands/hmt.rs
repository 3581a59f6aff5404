//! Options of the hidden Markov tree, shared by the commands that use a trained model.

use clap::{Args, ValueEnum};

use super::layouts::LayoutOptions;
#[cfg(feature = "experiments")]
use crate::error::Error;
use crate::error::Result;
use crate::extract::hmt::{self, Hmt, Inference};
#[cfg(feature = "experiments")]
use crate::extract::registry;
use crate::inference::GibbsConfig;
#[cfg(feature = "experiments")]
use crate::model::known::KNOWN;
use crate::model::{Decision, Model};

/// How states are inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InferenceName {
    /// Exact marginals
    Exact,
    /// The most probable states of the whole page
    Viterbi,
    /// The thesis's sampler
    Gibbs,
}

/// The model and how it is used.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Hidden Markov tree")]
pub struct HmtOptions {
    /// Model: web, or another of `duramen model list`, or a file made by `duramen train` [default: web]
    #[arg(long, short, value_name = "NAME|FILE")]
    pub model: Option<String>,
    /// Leave the model's learned weights out: the counts alone
    #[arg(long)]
    generative: bool,
    /// Rather leave content out than keep what is none: the largest expected F0.5
    #[arg(long, conflicts_with_all = ["recall", "beta"])]
    precision: bool,
    /// Rather keep what is no content than leave some out: the largest expected F2
    #[arg(long, conflicts_with = "beta")]
    recall: bool,
    /// Keep what has the largest expected F-beta: recall weighs beta times as much as precision
    #[arg(long, value_name = "BETA")]
    beta: Option<f64>,
    /// How states are inferred
    #[arg(long, value_enum, default_value = "exact")]
    inference: InferenceName,
    /// Sweeps of the Gibbs sampler
    #[arg(long, value_name = "N", default_value_t = GibbsConfig::default().sweeps)]
    sweeps: u32,
    /// Sweeps that are not averaged
    #[arg(long, value_name = "N", default_value_t = GibbsConfig::default().burn_in)]
    burn_in: u32,
    /// Chains that are averaged together
    #[arg(long, value_name = "N", default_value_t = GibbsConfig::default().chains)]
    chains: u32,
    /// Seed of the sampler
    #[arg(long, value_name = "N", default_value_t = GibbsConfig::default().seed)]
    seed: u64,
}

impl HmtOptions {
    /// The model that was named, or the default.
    pub fn load(&self) -> Result<Model> {
        let model = self.model.as_ref().map_or_else(Model::bundled, |name| Model::by_name(name))?;
        Ok(if self.generative { model.without_weights() } else { model })
    }

    /// The decision that was asked for, if not the model's own.
    fn decision(&self) -> Option<Decision> {
        let beta = match (self.precision, self.recall) {
            (true, _) => Some(0.5),
            (_, true) => Some(2.0),
            _ => self.beta,
        };
        beta.map(|beta| Decision::ExpectedF { beta })
    }

    /// The same as parameters of the extractor `hmt`.
    #[cfg(feature = "experiments")]
    pub fn parameters(&self) -> Result<registry::Parameters> {
        let model = self.model.as_deref().unwrap_or(KNOWN[0].name);
        let inference = match self.inference {
            InferenceName::Exact => "exact",
            InferenceName::Viterbi => "viterbi",
            InferenceName::Gibbs => "gibbs",
        };
        let mut table = registry::Parameters::new();
        for (name, value) in [("model", model), ("inference", inference)] {
            table.insert(name.to_owned(), value.into());
        }
        for (name, value) in [("sweeps", self.sweeps), ("burn-in", self.burn_in), ("chains", self.chains)] {
            table.insert(name.to_owned(), i64::from(value).into());
        }
        let seed = i64::try_from(self.seed);
        let seed =
            seed.map_err(|_| Error::usage(format!("--seed {}", self.seed), "at most 9223372036854775807"))?;
        table.insert("seed".to_owned(), seed.into());
        table.insert("generative".to_owned(), self.generative.into());
        if let Some(Decision::ExpectedF { beta }) = self.decision() {
            table.insert("decision".to_owned(), "expected-f".into());
            table.insert("beta".to_owned(), beta.into());
        }
        Ok(table)
    }

    /// The extractor that was asked for.
    pub fn build(&self, layout: &LayoutOptions) -> Result<Hmt> {
        let inference = match self.inference {
            InferenceName::Exact => Inference::Exact,
            InferenceName::Viterbi => Inference::Viterbi,
            InferenceName::Gibbs => Inference::Gibbs(GibbsConfig {
                sweeps: self.sweeps,
                burn_in: self.burn_in,
                chains: self.chains,
                seed: self.seed,
                ..GibbsConfig::default()
            }),
        };
        let mut model = self.load()?;
        layout.tell(&mut model)?;
        let hmt = Hmt::new(hmt::ID, model, inference)?;
        let decision = self.decision().unwrap_or(hmt.decision());
        hmt.with_decision(decision)
    }
}
