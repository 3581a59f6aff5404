//! `TrainingSettings`, how a model is trained, and `Learning`, the same as a table of `experiment.toml`.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::inference::EmConfig;
use crate::inference::weight_learning::WeightLearning;
use crate::model::TextGoldLabels;

/// How a model is trained. By default labelled pages are counted and nothing else is done.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingSettings {
    /// Expectation and maximisation over the pages that are not labelled. Default none: pages whose gold is text are then
    /// refused.
    pub em: Option<EmConfig>,
    /// What a reference text permits.
    pub text_gold: TextGoldLabels,
    /// Whether the priors of transitions and categories are those that make the counts most probable
    /// ([`crate::model::empirical_priors`]). Default no: those of the configuration.
    pub empirical_priors: bool,
    /// How weights over the counted tables are learned. Default none: the model is generative.
    pub weights: Option<WeightLearning>,
    /// Parts of the sites, each scored by trees grown on the others. Range 2 to 100, default 3; at most one a site.
    pub folds: usize,
    /// How many of the folds are held out in turn to end the learning of weights; the weights are the mean over them.
    /// Range 1 to 100, default 3; at most as many as folds.
    pub held_out_folds: usize,
    /// The seed of the folds. Default 1.
    pub seed: u64,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        TrainingSettings {
            em: None,
            text_gold: TextGoldLabels::default(),
            empirical_priors: false,
            weights: None,
            folds: 3,
            held_out_folds: 3,
            seed: 1,
        }
    }
}

impl TrainingSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the setting, its range and its default.
    pub fn check(&self) -> Result<()> {
        for (name, value, low) in [("folds", self.folds, 2), ("held-out-folds", self.held_out_folds, 1)] {
            if !(low..=100).contains(&value) {
                return Err(Error::usage(
                    format!("learning.{name} is {value}"),
                    format!("it must be from {low} to 100; the default is 3"),
                ));
            }
        }
        self.em.map_or(Ok(()), |em| em.check())?;
        self.text_gold.check()?;
        self.weights.map_or(Ok(()), |weights| weights.check())
    }
}

/// How a model is learned beyond counting: the table `learning` of a system in `experiment.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Learning {
    /// As [`TrainingSettings::folds`].
    pub folds: usize,
    /// The most iterations of EM over pages with a reference text. Range 1 to 10000, default 10.
    pub em_iterations: u32,
    /// As [`TrainingSettings::text_gold`].
    pub text_gold: TextGoldLabels,
    /// As [`TrainingSettings::empirical_priors`].
    pub empirical_priors: bool,
    /// Whether exponents and changes of the tables are learned; else the model is generative. Default yes.
    pub weights: bool,
    /// How they are.
    pub weight_learning: WeightLearning,
    /// As [`TrainingSettings::held_out_folds`]: one leaves much to chance far from the pages of training.
    pub held_out_folds: usize,
    /// As [`TrainingSettings::seed`].
    pub seed: u64,
}

impl Default for Learning {
    fn default() -> Self {
        let TrainingSettings { text_gold, empirical_priors, folds, held_out_folds, seed, .. } =
            TrainingSettings::default();
        let weight_learning = WeightLearning::default();
        Learning {
            folds,
            em_iterations: 10,
            text_gold,
            empirical_priors,
            weights: true,
            weight_learning,
            held_out_folds,
            seed,
        }
    }
}

impl Learning {
    /// What the trainer takes.
    pub fn settings(&self) -> TrainingSettings {
        TrainingSettings {
            em: Some(EmConfig { iterations: self.em_iterations, ..EmConfig::default() }),
            text_gold: self.text_gold,
            empirical_priors: self.empirical_priors,
            weights: self.weights.then_some(self.weight_learning),
            folds: self.folds,
            held_out_folds: self.held_out_folds,
            seed: self.seed,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the setting, its range and its default.
    pub fn check(&self) -> Result<()> {
        self.weight_learning.check()?;
        self.settings().check()
    }
}
