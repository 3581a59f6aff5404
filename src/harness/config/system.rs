//! `[[systems]]`: an extractor with its settings.

use serde::{Deserialize, Deserializer, Serialize};

use crate::error::Result;
use crate::extract::registry;
use crate::inference::GibbsConfig;
use crate::model::{Decision, ModelConfig};
use crate::training::Learning;

/// How a model is adapted to a site: by its test pages without their gold, and by the pages that the split gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Adapt {
    /// Of the pages given, so many are given with their gold, the others without. Default 0.
    pub labelled_pages: usize,
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
    /// For `hmt`: how the model is learned beyond counting; default counting alone, and all of it for a model with a
    /// boosted score. An empty table takes all defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learning: Option<Learning>,
    /// For `hmt`: how labels are chosen. Default what the model's configuration says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// For `hmt`: how states are inferred. Default exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inference: Option<InferenceChoice>,
    /// For `hmt`: that the model is adapted to each site of the test pages. An empty table takes all defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapt: Option<Adapt>,
    /// For `hmt`: a corpus that recalibrates it, by its pages of hosts that are not tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recalibrate: Option<String>,
    /// For `hmt`: what is included: `article` (default), `everything`, that of a corpus by its name, or `tested`: that of the
    /// corpus that is tested. See [`Convention`](crate::convention::Convention).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convention: Option<String>,
    /// For `hmt` with `inference = "gibbs"`: the sampler's settings. Default: the thesis's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gibbs: Option<GibbsConfig>,
    /// For other extractors: their parameters.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub parameters: toml::Table,
    /// The extractor is given only the first so many pages of each site, and the others are not tested. Set by sweeps
    /// alone.
    #[serde(skip)]
    pub max_pages_of_site: Option<usize>,
    /// The model is trained on so many of the training pages, drawn at random. Set by sweeps alone.
    #[serde(skip)]
    pub training_pages: Option<usize>,
}

impl System {
    /// Whether the extractor has a parameter of this name in its table.
    pub fn takes(&self, parameter: &str) -> bool {
        registry::info(&self.extractor)
            .is_ok_and(|info| info.parameters.iter().any(|known| known.name == parameter))
    }

    /// An extractor with its default parameters, under its own name.
    pub fn from_extractor(id: &str) -> System {
        System {
            id: id.to_owned(),
            extractor: id.to_owned(),
            model: None,
            learning: None,
            decision: None,
            inference: None,
            adapt: None,
            recalibrate: None,
            convention: None,
            gibbs: None,
            parameters: toml::Table::new(),
            max_pages_of_site: None,
            training_pages: None,
        }
    }
}

/// A preset less families of features: what an ablation leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reduced {
    /// The preset's name.
    pub preset: String,
    /// The families, see [`ModelConfig::without_families`].
    pub without: Vec<String>,
}

/// A model's configuration by name or in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ModelChoice {
    /// A preset: `thesis`, `blocks` or `boosted`.
    Preset(String),
    /// A preset less some of its features: `{ preset = "boosted", without = ["repetition"] }`.
    Reduced(Reduced),
    /// In full.
    Config(Box<ModelConfig>),
}

/// By hand, since serde's own reading of such a choice does not name a key that is unknown.
impl<'de> Deserialize<'de> for ModelChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let choice = match value {
            serde_json::Value::String(name) => return Ok(ModelChoice::Preset(name)),
            table if table.get("preset").is_some() => serde_json::from_value(table).map(ModelChoice::Reduced),
            table => serde_json::from_value(table).map(|config| ModelChoice::Config(Box::new(config))),
        };
        choice.map_err(serde::de::Error::custom)
    }
}

impl ModelChoice {
    /// The configuration.
    ///
    /// # Errors
    /// As [`ModelConfig::preset`] and [`ModelConfig::check`].
    pub fn resolve(&self) -> Result<ModelConfig> {
        let config = match self {
            ModelChoice::Preset(name) => ModelConfig::preset(name)?,
            ModelChoice::Reduced(Reduced { preset, without }) => {
                ModelConfig::preset(preset)?.without_families(without)?
            }
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
