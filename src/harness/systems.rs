//! The systems of an experiment: which need training, and the extractor for a part of a split.

use crate::error::{Error, Result, did_you_mean};
use crate::extract::hmt::{Hmt, Inference};
use crate::extract::{Extractor, hmt, registry};
use crate::inference::GibbsConfig;
use crate::model::{Model, ModelConfig};

use super::config::{InferenceChoice, System};

/// Checks a system without its data: names, ranges, which settings go together.
///
/// # Errors
/// [`Error::Usage`] that names the system.
pub fn check(system: &System) -> Result<()> {
    let named = |error: Error| match error {
        Error::Usage { what, remedy } => Error::usage(format!("system '{}': {what}", system.id), remedy),
        other => other,
    };
    if system.extractor == hmt::ID {
        model_config(system).map_err(named)?;
        inference(system, 1).map_err(named)?;
        if let Some(name) = system.parameters.keys().next() {
            return Err(named(Error::usage(
                format!("unknown parameter '{name}'"),
                did_you_mean(name, ["model", "inference", "gibbs"]),
            )));
        }
        return Ok(());
    }
    if system.model.is_some() || system.inference.is_some() || system.gibbs.is_some() {
        return Err(named(Error::usage(
            "model, inference and gibbs are settings of extractor 'hmt'",
            "remove them, or write extractor = \"hmt\"",
        )));
    }
    registry::build(&system.extractor, &system.parameters).map(|_| ()).map_err(named)
}

/// The model's configuration of an `hmt` system; default `blocks`. `None` for other systems, which are not trained.
///
/// # Errors
/// As [`super::config::ModelChoice::resolve`].
pub fn model_config(system: &System) -> Result<Option<ModelConfig>> {
    if system.extractor != hmt::ID {
        return Ok(None);
    }
    system.model.as_ref().map_or_else(|| Ok(ModelConfig::blocks()), |model| model.resolve()).map(Some)
}

fn inference(system: &System, seed: u64) -> Result<Inference> {
    let choice = system.inference.unwrap_or(InferenceChoice::Exact);
    if system.gibbs.is_some() && choice != InferenceChoice::Gibbs {
        return Err(Error::usage(
            "settings of the sampler without inference = \"gibbs\"",
            "write inference = \"gibbs\", or remove them",
        ));
    }
    Ok(match choice {
        InferenceChoice::Exact => Inference::Exact,
        InferenceChoice::Viterbi => Inference::Viterbi,
        InferenceChoice::Gibbs => {
            let config = system.gibbs.unwrap_or(GibbsConfig { seed, ..GibbsConfig::default() });
            config.check()?;
            Inference::Gibbs(config)
        }
    })
}

/// The extractor of a system; `model` is the trained model of an `hmt` system.
///
/// # Errors
/// As [`check`].
pub fn build(system: &System, model: Option<Model>, seed: u64) -> Result<Box<dyn Extractor>> {
    match model {
        Some(model) => Ok(Box::new(Hmt::new(&system.id, model, inference(system, seed)?)?)),
        None => registry::build(&system.extractor, &system.parameters),
    }
}
