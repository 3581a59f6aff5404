//! The systems of an experiment: which need training, and the extractor for a part of a split.

use crate::dataset::{resolve_convention, state_convention};
use crate::error::{Error, Result};
use crate::extract::hmt::{Hmt, Inference};
use crate::extract::site_hmt::SiteHmt;
use crate::extract::{Extractor, hmt, registry};
use crate::inference::GibbsConfig;
use crate::model::{Model, ModelConfig};

use super::config::{InferenceChoice, System};
use crate::training::Learning;

/// The convention of the corpus that is tested, as a system's `convention`.
pub const TESTED: &str = "tested";

/// Checks a system without its data: names, ranges, which settings go together.
///
/// # Errors
/// [`Error::Usage`] that names the system.
pub fn check(system: &System) -> Result<()> {
    let named = |error: Error| match error {
        Error::Usage { what, remedy } => Error::usage(format!("system '{}': {what}", system.id), remedy),
        other => other,
    };
    if is_trained(system) {
        learning(system).map_err(named)?;
        let inference = inference(system, 1).map_err(named)?;
        if system.adapt.is_some() {
            SiteHmt::check(&inference).map_err(named)?;
        }
        if let Some(name) = system.convention.as_ref().filter(|name| *name != TESTED) {
            resolve_convention(name).map_err(named)?;
        }
        if let Some(decision) = system.decision {
            hmt::check_decision(&inference).and_then(|()| decision.check()).map_err(named)?;
        }
        if let Some(name) = system.parameters.keys().next() {
            return Err(named(Error::usage(
                format!("parameter '{name}' without a parameter 'model'"),
                "settings of a tree that the run trains are model, inference and gibbs; parameters go with a model \
                 file, such as parameters = { model = \"web\" }",
            )));
        }
        return Ok(());
    }
    if system.model.is_some()
        || system.learning.is_some()
        || system.decision.is_some()
        || system.inference.is_some()
        || system.adapt.is_some()
        || system.recalibrate.is_some()
        || system.convention.is_some()
        || system.gibbs.is_some()
    {
        return Err(named(Error::usage(
            "model, learning, decision, inference, adapt, recalibrate, convention and gibbs are settings of a tree that the \
             run trains",
            "remove them, or write extractor = \"hmt\" without a model among its parameters",
        )));
    }
    build(system, None, 1).map(|_| ()).map_err(named)
}

/// Whether the run trains the system: a hidden Markov tree without a model of its own
/// (`parameters = { model = "FILE" }`).
pub fn is_trained(system: &System) -> bool {
    system.extractor == hmt::ID && !system.parameters.contains_key("model")
}

/// The model's configuration of an `hmt` system; default `blocks`. `None` for other systems, which are not trained.
///
/// # Errors
/// As [`super::config::ModelChoice::resolve`].
pub fn model_config(system: &System) -> Result<Option<ModelConfig>> {
    if !is_trained(system) {
        return Ok(None);
    }
    system.model.as_ref().map_or_else(|| Ok(ModelConfig::blocks()), |model| model.resolve()).map(Some)
}

/// How a system's model is learned, if more is to be done than counting.
///
/// # Errors
/// As [`Learning::check`].
pub fn learning(system: &System) -> Result<Option<Learning>> {
    let Some(config) = model_config(system)? else { return Ok(None) };
    let learning = match &system.learning {
        None => config.boosted.is_some().then(Learning::default),
        some => some.clone(),
    };
    if let Some(learning) = &learning {
        learning.check()?;
    }
    Ok(learning)
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

/// The tree of an `hmt` system with its trained model.
fn tree(system: &System, model: Model, seed: u64) -> Result<Hmt> {
    let tree = Hmt::new(&system.id, model, inference(system, seed)?)?;
    match system.decision {
        Some(decision) => tree.with_decision(decision),
        None => Ok(tree),
    }
}

/// The tree of a system that is adapted to sites, with its trained model.
///
/// # Errors
/// As [`check`].
pub fn build_adapted(system: &System, model: Model, seed: u64) -> Result<SiteHmt<'static>> {
    SiteHmt::new(tree(system, model, seed)?)
}

/// The extractor of a system; `model` is the trained model of an `hmt` system.
///
/// # Errors
/// As [`check`].
pub fn build(system: &System, model: Option<Model>, seed: u64) -> Result<Box<dyn Extractor>> {
    match model {
        Some(model) => Ok(Box::new(tree(system, model, seed)?)),
        None => registry::build(&system.extractor, &state_convention(system.parameters.clone())?),
    }
}
