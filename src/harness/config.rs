//! `experiment.toml`: what an experiment asks, its data, splits and systems.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::dataset::synth::SynthConfig;
use crate::error::{Error, Result, did_you_mean};
use crate::extract::hmt;
use crate::inference::GibbsConfig;
use crate::model::ModelConfig;

/// An experiment. Unknown keys are refused with the nearest name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// One line.
    pub title: String,
    /// What the experiment is to find out.
    pub question: String,
    /// The seed of splits, samplers and bootstrap. Default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// A corpus by name, `corpus/part`, or `synth` for pages of our own.
    pub dataset: String,
    /// The size of the synthetic corpus, for `dataset = "synth"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synth: Option<SynthConfig>,
    /// Use only the first so many pages. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_pages: Option<usize>,
    /// Which pages train and which test.
    pub splits: Vec<Split>,
    /// The systems compared.
    pub systems: Vec<System>,
    /// How far the sampler is from the exact posterior, if asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convergence: Option<Convergence>,
    /// Whether to plot the distributions of the thesis's features per label (its figures 3.1-3.11). Default no.
    #[serde(default)]
    pub feature_figures: bool,
}

/// How pages are divided into training and test pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "kebab-case")]
pub enum Split {
    /// Each page is tested once, by what was trained on the other folds; no host is in two folds.
    #[serde(rename_all = "kebab-case")]
    FoldsByHost {
        /// The split's name in tables.
        id: String,
        /// Number of folds. Range 2 and up, default 5.
        #[serde(default = "five")]
        folds: usize,
    },
    /// Pages are divided at random, again and again, as in the thesis; pages of one host may be on both sides.
    #[serde(rename_all = "kebab-case")]
    Random {
        /// The split's name in tables.
        id: String,
        /// Share of the pages that train. Range above 0 to below 1, default 0.5.
        #[serde(default = "half")]
        train_share: f64,
        /// Number of divisions. Range 1 and up, default 10.
        #[serde(default = "ten")]
        repeats: usize,
    },
    /// Every page is tested once and none trains: for extractors that are not trained here.
    AllPages {
        /// The split's name in tables.
        id: String,
    },
}

impl Split {
    /// The split's name in tables.
    pub fn id(&self) -> &str {
        match self {
            Split::FoldsByHost { id, .. } | Split::Random { id, .. } | Split::AllPages { id } => id,
        }
    }

    /// The split in words.
    pub fn describe(&self) -> String {
        match self {
            Split::FoldsByHost { folds, .. } => {
                format!("{folds} folds grouped by host, each page tested once")
            }
            Split::Random { train_share, repeats, .. } => {
                format!("{repeats} random divisions, {:.0} % of the pages train", train_share * 100.0)
            }
            Split::AllPages { .. } => "every page tested once, none trains".to_owned(),
        }
    }
}

/// A system: an extractor with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct System {
    /// The name in tables, unique in the experiment.
    pub id: String,
    /// The extractor's id; `hmt` for the hidden Markov tree.
    pub extractor: String,
    /// For `hmt`: the model's configuration, a preset by name or a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelChoice>,
    /// For `hmt`: how states are inferred. Default exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inference: Option<InferenceChoice>,
    /// For `hmt` with `inference = "gibbs"`: the sampler's settings. Default: the thesis's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gibbs: Option<GibbsConfig>,
    /// For other extractors: their parameters.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub parameters: toml::Table,
}

impl System {
    /// An extractor with its default parameters, under its own name.
    pub fn of_extractor(id: &str) -> System {
        System {
            id: id.to_owned(),
            extractor: id.to_owned(),
            model: None,
            inference: None,
            gibbs: None,
            parameters: toml::Table::new(),
        }
    }
}

/// A model's configuration by name or in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ModelChoice {
    /// A preset: `thesis` or `blocks`.
    Preset(String),
    /// In full.
    Config(Box<ModelConfig>),
}

impl ModelChoice {
    /// The configuration.
    ///
    /// # Errors
    /// As [`ModelConfig::preset`] and [`ModelConfig::check`].
    pub fn resolve(&self) -> Result<ModelConfig> {
        let config = match self {
            ModelChoice::Preset(name) => ModelConfig::preset(name)?,
            ModelChoice::Config(config) => (**config).clone(),
        };
        config.check()?;
        Ok(config)
    }
}

/// How the states of an `hmt` system are inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InferenceChoice {
    /// Exact marginals.
    Exact,
    /// The most probable states of the whole page.
    Viterbi,
    /// The thesis's sampler.
    Gibbs,
}

/// A comparison of Gibbs averages with the exact marginals of the same tree model and parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Convergence {
    /// The model, by preset or in full; the types of all siblings are left out, since they have no exact answer.
    pub model: ModelChoice,
    /// Test pages, the first of the first part of the first split. Default 40.
    #[serde(default = "forty")]
    pub pages: usize,
    /// Numbers of sweeps; of each the last third is averaged, as in the thesis. Default 30 to 3,000.
    #[serde(default = "sweep_numbers")]
    pub sweeps: Vec<u32>,
}

fn one() -> u64 {
    1
}
fn five() -> usize {
    5
}
fn half() -> f64 {
    0.5
}
fn ten() -> usize {
    10
}
fn forty() -> usize {
    40
}
fn sweep_numbers() -> Vec<u32> {
    vec![30, 100, 300, 1000, 3000]
}

impl Experiment {
    /// Reads `experiment.toml` in a folder, or the file itself.
    ///
    /// # Errors
    /// [`Error::Io`] and as [`Experiment::parse`].
    pub fn load(path: &Path) -> Result<Experiment> {
        let file = if path.is_dir() { path.join("experiment.toml") } else { path.to_owned() };
        let text = std::fs::read_to_string(&file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::usage(
                format!("no experiment at {}", path.display()),
                "name a folder that holds an experiment.toml, such as experiments/quickstart",
            ),
            _ => Error::io(&file, error),
        })?;
        Experiment::parse(&text, &file.display().to_string())
    }

    /// Parses and checks an experiment; `subject` names it in errors.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the line, key or value and says what to write.
    pub fn parse(text: &str, subject: &str) -> Result<Experiment> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| toml_error(subject, &error))?;
        experiment.check().map_err(|error| match error {
            Error::Usage { what, remedy } => Error::usage(format!("{subject}: {what}"), remedy),
            other => other,
        })?;
        Ok(experiment)
    }

    fn check(&self) -> Result<()> {
        if self.splits.is_empty() {
            return Err(Error::usage("no [[splits]]", "add one with kind = \"folds-by-host\" or \"random\""));
        }
        if self.systems.is_empty() {
            return Err(Error::usage("no [[systems]]", "add one with id and extractor"));
        }
        unique("split", self.splits.iter().map(Split::id))?;
        unique("system", self.systems.iter().map(|system| system.id.as_str()))?;
        for split in &self.splits {
            match split {
                Split::FoldsByHost { id, folds } if *folds < 2 => {
                    return Err(Error::usage(
                        format!("split '{id}': folds is {folds}"),
                        "2 and up; the default is 5",
                    ));
                }
                Split::Random { id, train_share, .. } if !(*train_share > 0.0 && *train_share < 1.0) => {
                    return Err(Error::usage(
                        format!("split '{id}': train-share is {train_share}"),
                        "above 0 and below 1; the default is 0.5",
                    ));
                }
                Split::Random { id, repeats: 0, .. } => {
                    return Err(Error::usage(
                        format!("split '{id}': repeats is 0"),
                        "1 and up; the default is 10",
                    ));
                }
                _ => {}
            }
        }
        for system in &self.systems {
            super::systems::check(system)?;
            if system.extractor == hmt::ID
                && let Some(split) = self.splits.iter().find(|split| matches!(split, Split::AllPages { .. }))
            {
                return Err(Error::usage(
                    format!(
                        "system '{}' is trained, and in split '{}' no page trains",
                        system.id,
                        split.id()
                    ),
                    "use kind = \"folds-by-host\" or \"random\"",
                ));
            }
        }
        if self.synth.is_some() != (self.dataset == "synth") {
            return Err(Error::usage(
                "[synth] goes with dataset = \"synth\" and only with it",
                "add or remove the table [synth]",
            ));
        }
        if let Some(convergence) = &self.convergence {
            convergence.model.resolve()?;
            if convergence.sweeps.iter().any(|&sweeps| sweeps < 3) || convergence.sweeps.is_empty() {
                return Err(Error::usage("convergence.sweeps", "give one number or more, each 3 and up"));
            }
        }
        Ok(())
    }
}

fn unique<'a>(what: &str, ids: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut known: Vec<&str> = Vec::new();
    for id in ids {
        let is_name = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if !is_name {
            return Err(Error::usage(format!("{what} id '{id}'"), "use letters, digits, '-', '_' and '.'"));
        }
        if known.contains(&id) {
            return Err(Error::usage(
                format!("two {what}s have the id '{id}'"),
                "give each an id of its own",
            ));
        }
        known.push(id);
    }
    Ok(())
}

/// The error of a TOML text; an unknown key is answered with the nearest that is known.
fn toml_error(subject: &str, error: &toml::de::Error) -> Error {
    let message = error.message();
    let mut quoted = message.split('`').skip(1).step_by(2);
    let remedy = match message.starts_with("unknown ") {
        true => {
            let given = quoted.next().unwrap_or_default().to_owned();
            let known: Vec<&str> = quoted.collect();
            did_you_mean(&given, known.iter().copied())
        }
        false => "see experiments/quickstart/experiment.toml for an example".to_owned(),
    };
    Error::usage(format!("{subject}: {}", error.to_string().trim_end()), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMAL: &str = r#"
        title = "t"
        question = "q"
        dataset = "l3s-gn1"
        [[splits]]
        kind = "folds-by-host"
        id = "folds"
        [[systems]]
        id = "all"
        extractor = "everything"
    "#;

    fn error(text: &str) -> String {
        Experiment::parse(text, "test.toml").unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let experiment = Experiment::parse(MINIMAL, "test.toml").unwrap();
        assert_eq!(experiment.seed, 1);
        assert_eq!(experiment.splits, [Split::FoldsByHost { id: "folds".into(), folds: 5 }]);
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest() {
        let message = error(&MINIMAL.replace("question", "qestion"));
        assert!(message.contains("did you mean 'question'?"), "{message}");
        let message = error(&MINIMAL.replace("extractor = \"everything\"", "extractor = \"everythink\""));
        assert!(message.contains("did you mean 'everything'?"), "{message}");
    }

    #[test]
    fn values_out_of_range_are_refused_with_range_and_default() {
        let random = MINIMAL.replace("folds-by-host\"", "random\"\n train-share = 1.5");
        assert!(error(&random).contains("above 0 and below 1"));
        let twice = format!("{MINIMAL}\n[[systems]]\nid = \"all\"\nextractor = \"nothing\"");
        assert!(error(&twice).contains("two systems have the id 'all'"));
        let folds = MINIMAL.replace("id = \"folds\"", "id = \"folds\"\n folds = 1");
        assert!(error(&folds).contains("folds is 1"));
    }
}
