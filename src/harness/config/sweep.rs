//! `[[sweeps]]`: one extractor at several values of one parameter.

use serde::{Deserialize, Serialize};

use super::System;
use crate::error::{Error, Result};
use crate::scoring::ScoreName;

/// One or more systems at several values of a parameter: a line each in one figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sweep {
    /// The sweep's name in files and tables, unique in the experiment.
    pub id: String,
    /// The figure's title.
    pub title: String,
    /// The parameter, as `duramen extractors` names it; or `max-pages-of-site`: how many pages of each site the
    /// extractors are given, the first by id; or `training-pages`: how many of the training pages, drawn at random, the
    /// models are trained on, all of a smaller number being among those of a larger.
    pub parameter: String,
    /// Its values.
    pub values: Vec<toml::Value>,
    /// The score on the vertical axis, such as `bigrams/text/f1`. Default: the one that stands for a split in tables of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreName>,
    /// The systems, by their ids in `[[systems]]`. One without such a parameter is the same at every value.
    pub systems: Vec<String>,
}

/// A parameter of the harness's own: how many pages of each site extractors are given.
pub const MAX_PAGES_OF_SITE: &str = "max-pages-of-site";
/// Another: how many pages models are trained on.
const TRAINING_PAGES: &str = "training-pages";

impl Sweep {
    /// The name in results of a system at a value.
    pub fn system_id(&self, system: &str, value: &toml::Value) -> String {
        format!("{system}@{}={}", self.parameter, text(value))
    }

    /// The systems of the sweep at each value, made of those of the experiment: `(value, system)`.
    pub fn variants<'a>(&'a self, systems: &'a [System]) -> impl Iterator<Item = (&'a toml::Value, System)> {
        let named = systems.iter().filter(|system| self.systems.contains(&system.id));
        named.flat_map(move |system| {
            self.values.iter().map(move |value| {
                let mut variant = system.clone();
                variant.id = self.system_id(&system.id, value);
                let number = || value.as_integer().and_then(|n| usize::try_from(n).ok());
                match self.parameter.as_str() {
                    MAX_PAGES_OF_SITE => variant.max_pages_of_site = number(),
                    TRAINING_PAGES => variant.training_pages = number(),
                    name if system.takes(name) => {
                        variant.parameters.insert(name.to_owned(), value.clone());
                    }
                    _ => {}
                }
                (value, variant)
            })
        })
    }

    pub(super) fn check(&self, systems: &[System]) -> Result<()> {
        let wrong = |what: String, remedy: &str| {
            Err(Error::usage(format!("sweep '{}': {what}", self.id), remedy.to_owned()))
        };
        if self.values.is_empty() {
            return wrong("no values".to_owned(), "give one or more, such as values = [1, 2, 5]");
        }
        if let Some(unknown) = self.systems.iter().find(|id| !systems.iter().any(|system| system.id == **id))
        {
            return wrong(format!("no system '{unknown}'"), "name systems of [[systems]] by their id");
        }
        let own = [MAX_PAGES_OF_SITE, TRAINING_PAGES].contains(&self.parameter.as_str());
        if own && self.values.iter().any(|value| value.as_integer().is_none_or(|n| n < 1)) {
            return wrong(format!("{} takes whole numbers", self.parameter), "1 and up");
        }
        let is_trained = |id: &String| {
            systems.iter().any(|system| system.id == *id && crate::harness::systems::is_trained(system))
        };
        if self.parameter == TRAINING_PAGES && !self.systems.iter().all(is_trained) {
            return wrong("a system is not trained here".to_owned(), "name systems with a model to train");
        }
        let takes =
            |id: &String| systems.iter().any(|system| system.id == *id && system.takes(&self.parameter));
        if !own && !self.systems.iter().any(takes) {
            return wrong(
                format!("none of its systems has a parameter '{}'", self.parameter),
                "see `duramen extractors` for the parameters of each",
            );
        }
        self.variants(systems).try_for_each(|(_, system)| crate::harness::systems::check(&system))
    }
}

/// A value as it stands in a name: a text without its quotes.
pub fn text(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
