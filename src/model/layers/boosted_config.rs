//! `BoostedConfig`, what boosted scores look at and how their trees are grown.

use serde::{Deserialize, Serialize};

use crate::boosting::BoostingSettings;
use crate::error::{Error, Result, did_you_mean};
use crate::features::{FeatureSpec, catalogue};

/// What boosted scores are made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BoostedConfig {
    /// The features that the trees look at: categories and counts of the [catalogue].
    pub inputs: Vec<String>,
    /// Whether they look at the words of classes and text as well, by their counts. Default yes.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub words: bool,
    /// Whether they look at the probabilities of the types of pages as well, where corpora of training state
    /// them. Default yes.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub page_types: bool,
    /// Whether they look at what references include as well, where corpora of training differ in it: see
    /// [`Convention`](crate::convention::Convention).
    /// Default yes.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub conventions: bool,
    /// How the trees are grown.
    pub settings: BoostingSettings,
    /// How many of them for the score of a single label. Range as that of the settings, default 40.
    pub label_trees: usize,
    /// Their learning rate: few trees take longer steps. Range as that of the settings, default 0.2.
    pub label_learning_rate: f64,
    /// The least rows of their leaves: labels are rare. Range as that of the settings, default 20.
    pub label_min_rows: usize,
}

impl Default for BoostedConfig {
    /// All features of the page but those that need a layout or are the thesis's tags of many nodes.
    fn default() -> Self {
        let inputs = catalogue::all().filter(|feature| is_input(feature));
        BoostedConfig {
            inputs: inputs.map(|feature| feature.id.to_owned()).collect(),
            words: true,
            page_types: true,
            conventions: true,
            settings: BoostingSettings::default(),
            label_trees: 40,
            label_learning_rate: 0.2,
            label_min_rows: 20,
        }
    }
}

fn is_input(feature: &FeatureSpec) -> bool {
    !feature.needs_layout && !feature.needs_score && !feature.kind.has_many_values()
}

impl BoostedConfig {
    /// Checks names and ranges; gives the catalogue entries of the inputs, in order.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the field, its value and what to write.
    pub fn check(&self) -> Result<Vec<&'static FeatureSpec>> {
        self.settings.check()?;
        self.settings_of(1).check()?;
        let inputs = catalogue::all().filter(|feature| is_input(feature)).map(|feature| feature.id);
        let find = |id: &String| match catalogue::find(id).filter(|feature| is_input(feature)) {
            Some(feature) => Ok(feature),
            None => Err(Error::usage(
                format!("boosted.inputs: '{id}' is no feature that trees can look at"),
                did_you_mean(id, inputs.clone()),
            )),
        };
        self.inputs.iter().map(find).collect()
    }

    /// How the trees of a [score](catalogue::SCORES) are grown.
    pub fn settings_of(&self, score: usize) -> BoostingSettings {
        match catalogue::SCORES[score].1 {
            [_] => {
                let (trees, min_rows) = (self.label_trees, self.label_min_rows);
                BoostingSettings { trees, min_rows, learning_rate: self.label_learning_rate, ..self.settings }
            }
            _ => self.settings,
        }
    }
}
