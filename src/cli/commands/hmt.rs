//! Options of the hidden Markov tree, shared by the commands that use a trained model.

use clap::{Args, ValueEnum};

use super::settings::{Setting, parameters_of};
use crate::cli::progress::Printer;
use crate::dataset::state_convention;
use crate::error::Result;
use crate::extract::hmt::{self, Hmt};

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

impl InferenceName {
    fn name(self) -> &'static str {
        match self {
            InferenceName::Exact => "exact",
            InferenceName::Viterbi => "viterbi",
            InferenceName::Gibbs => "gibbs",
        }
    }
}

/// The model and how it is used: parameters of the extractor `hmt`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Hidden Markov tree")]
pub struct HmtOptions {
    /// Model: web, or another of `duramen model list`, or a model file [default: web]
    // Several are for `evaluate`; elsewhere the second is refused as any other setting that is given twice.
    #[arg(long, short, value_name = "NAME|FILE")]
    model: Vec<String>,
    /// What counts as content: article, everything, or the convention of a corpus, by its name [default: article]
    #[arg(long, value_name = "NAME")]
    convention: Option<String>,
    /// Leave the model's learned weights out: the counts alone
    #[arg(long)]
    generative: bool,
    /// Prefer precision: leave text out rather than keep boilerplate (--beta 0.5)
    #[arg(long, conflicts_with_all = ["recall", "beta"])]
    precision: bool,
    /// Prefer recall: keep boilerplate rather than leave text out (--beta 2)
    #[arg(long, conflicts_with = "beta")]
    recall: bool,
    /// Keep the text with the largest expected F-beta: recall weighs BETA times as much as precision
    #[arg(long, value_name = "BETA")]
    beta: Option<f64>,
    /// How states are inferred [default: exact]
    #[arg(long, value_enum, value_name = "METHOD")]
    inference: Option<InferenceName>,
    #[arg(long, value_name = "N", help = SWEEPS, long_help = sampler_help(SWEEPS, "30"))]
    sweeps: Option<u32>,
    #[arg(long, value_name = "N", help = BURN_IN, long_help = sampler_help(BURN_IN, "20"))]
    burn_in: Option<u32>,
    #[arg(long, value_name = "N", help = CHAINS, long_help = sampler_help(CHAINS, "1"))]
    chains: Option<u32>,
    #[arg(long, value_name = "N", help = SEED, long_help = sampler_help(SEED, "1"))]
    seed: Option<u32>,
}

/// What the options of samplers mean, in every command that has them.
pub const SWEEPS: &str = "Sweeps of each chain";
pub const BURN_IN: &str = "Sweeps at the beginning of each chain that are left out";
pub const CHAINS: &str = "Chains of the sampler";
pub const SEED: &str = "Seed of all random numbers";

fn sampler_help(help: &str, default: &str) -> String {
    format!("{help}; with --inference gibbs [default: {default}]")
}

impl HmtOptions {
    /// What was asked for, as parameters of the extractor.
    pub fn settings(&self) -> Vec<Setting> {
        let models = self.model.iter().map(|model| Setting::of_option("model", model));
        models.chain(self.settings_beside_model()).collect()
    }

    /// The models that were asked for.
    pub fn models(&self) -> &[String] {
        &self.model
    }

    /// The same without the model.
    pub fn settings_beside_model(&self) -> Vec<Setting> {
        let mut settings = Vec::new();
        if let Some(convention) = &self.convention {
            settings.push(Setting::of_option("convention", convention));
        }
        if self.generative {
            settings.push(Setting::new("--generative", "generative", true));
        }
        let shorthands = [("--precision", self.precision, 0.5), ("--recall", self.recall, 2.0)];
        for (option, _, beta) in shorthands.into_iter().filter(|&(_, given, _)| given) {
            settings.push(Setting::new(option, "beta", beta));
        }
        if let Some(beta) = self.beta {
            settings.push(Setting::new(format!("--beta {beta}"), "beta", beta));
        }
        if let Some(inference) = self.inference.map(InferenceName::name) {
            settings.push(Setting::new(format!("--inference {inference}"), "inference", inference));
        }
        let sampler = [
            ("sweeps", self.sweeps),
            ("burn-in", self.burn_in),
            ("chains", self.chains),
            ("seed", self.seed),
        ];
        for (name, value) in sampler {
            if let Some(value) = value {
                settings.push(Setting::new(format!("--{name} {value}"), name, i64::from(value)));
            }
        }
        settings
    }

    /// The tree itself, with `more` besides.
    ///
    /// # Errors
    /// As [`parameters_of`], [`state_convention`] and [`hmt::from_parameters`].
    pub fn build(&self, more: Option<Setting>, printer: &Printer) -> Result<Hmt> {
        let settings: Vec<Setting> = self.settings().into_iter().chain(more).collect();
        let mut tables = parameters_of(&[hmt::ID], &settings, printer)?;
        hmt::from_parameters(&state_convention(tables.remove(0))?)
    }
}
