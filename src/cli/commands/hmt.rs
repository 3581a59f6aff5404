//! Options of the hidden Markov tree, shared by the commands that use a trained model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::error::Result;
use crate::extract::hmt::{self, Hmt, Inference};
use crate::inference::GibbsConfig;
use crate::model::Model;

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
    /// Model file made by `duramen train` [default: the bundled model]
    #[arg(long, short, value_name = "FILE")]
    pub model: Option<PathBuf>,
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
    /// The model that was named, or the bundled one.
    pub fn load(&self) -> Result<Model> {
        self.model.as_ref().map_or_else(Model::bundled, |path| Model::load(path))
    }

    /// The extractor that was asked for.
    pub fn build(&self) -> Result<Hmt> {
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
        Hmt::new(hmt::ID, self.load()?, inference)
    }
}
