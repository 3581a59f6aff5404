//! The parameters of the extractor `hmt`, and the tree that values of them describe.

use super::{Hmt, ID, Inference};
use crate::error::{Error, Result};
use crate::extract::Extractor;
use crate::extract::registry::{self, ExtractorInfo, OnlyWith, Parameter, Range, Values};
use crate::extract::site_hmt::SiteHmt;
use crate::inference::gibbs::GibbsConfig;
use crate::model::decision::Decision;
use crate::model::{Model, Weights};

/// A parameter of the hidden Markov tree's sampler.
const fn sampler(name: &'static str, min: i64, default: i64, what: &'static str) -> Parameter {
    Parameter {
        name,
        range: Range::Integer { min, max: 1_000_000_000, default },
        what,
        only_with: Some(OnlyWith { parameter: "inference", values: &["gibbs"], implied: false }),
    }
}

pub(crate) const ENTRIES: &[ExtractorInfo] = &[ExtractorInfo {
    id: ID,
    summary: "the Bayesian hidden Markov tree, with a probability for every node",
    reference: "Langkilde 2015; docs/MODEL.md",
    needs: &[],
    parameters: &[
        Parameter::new(
            "model",
            Range::Text { default: "web" },
            "web, or another of `duramen model list`, or a file made by `duramen train`",
        ),
        Parameter::new(
            "inference",
            Range::Choice { options: &["exact", "viterbi", "gibbs"], default: "exact" },
            "how states are inferred",
        ),
        Parameter::new(
            "layout",
            Range::Choice { options: &["model", "blitz", "chromium"], default: "model" },
            "engine whose layouts a model with features of the page's look reads; another than the one it was \
                   trained with must be asked for here",
        ),
        Parameter::new(
            "convention",
            Range::Text { default: "article" },
            "what counts as content: article, everything, or the convention of a corpus, by its name",
        ),
        Parameter::new("generative", Range::Flag { default: false }, "leave the model's learned weights out"),
        Parameter::new(
            "decision",
            Range::Choice {
                options: &["model", "most-probable", "expected-f", "threshold"],
                default: "model",
            },
            "how labels are chosen from posteriors; model is what the model says",
        ),
        Parameter {
            name: "beta",
            range: Range::Number { min: 0.01, max: 100.0, default: 1.0 },
            what: "weight of recall against precision",
            only_with: Some(OnlyWith { parameter: "decision", values: &["expected-f"], implied: true }),
        },
        Parameter {
            name: "probability",
            range: Range::Number { min: 0.0, max: 1.0, default: 0.5 },
            what: "least probability of content that is kept",
            only_with: Some(OnlyWith { parameter: "decision", values: &["threshold"], implied: true }),
        },
        Parameter::new(
            "adapt",
            Range::Flag { default: false },
            "adapt the model to each site by what its pages agree on",
        ),
        sampler("sweeps", 1, 30, "sweeps of the Gibbs sampler"),
        sampler("burn-in", 0, 20, "sweeps at the beginning that are not averaged"),
        sampler("chains", 1, 1, "chains that are averaged together"),
        sampler("seed", 0, 1, "seed of the sampler"),
    ],
    reads_source: false,
    build,
}];

fn build(values: &Values<'_>) -> Result<Box<dyn Extractor>> {
    let hmt = from_values(values)?;
    Ok(if values.flag("adapt") { Box::new(SiteHmt::new(hmt)?) } else { Box::new(hmt) })
}

/// The tree that `parameters` of the extractor [`ID`] describe, for who needs more of it than an extractor has; `adapt`
/// is not looked at.
///
/// # Errors
/// As [`registry::build`].
pub fn from_parameters(parameters: &registry::Parameters) -> Result<Hmt> {
    from_values(&checked(parameters)?)
}

/// The tree of a model that is no file, under the other parameters of the extractor [`ID`]; `adapt` is not looked at.
///
/// # Errors
/// As [`registry::build`]; [`Error::Usage`] for the parameter `model`, which would have no effect.
pub fn from_model(model: Model, parameters: &registry::Parameters) -> Result<Hmt> {
    if parameters.contains_key("model") {
        return Err(Error::usage("parameter 'model' has no effect beside a model", "leave it out"));
    }
    of_model(model, "this", &checked(parameters)?)
}

fn checked(parameters: &registry::Parameters) -> Result<Values<'_>> {
    Values::check(ID, ENTRIES[0].parameters, parameters).map_err(registry::Refused::into_error)
}

fn from_values(values: &Values<'_>) -> Result<Hmt> {
    let name = values.text("model");
    of_model(Model::by_name(name)?, name, values)
}

/// The tree of a model; `name` is what errors call it.
fn of_model(mut model: Model, name: &str, values: &Values<'_>) -> Result<Hmt> {
    let no_effect = |what: String, remedy: &str| Err(Error::usage(format!("{what} has no effect"), remedy));
    if values.flag("generative") {
        if model.layers().weights.is_none() {
            return no_effect(
                format!("generative with model '{name}', which has no learned weights,"),
                "leave generative out: the model is its counts alone",
            );
        }
        model = model.without_layer::<Weights>();
    }
    if let engine @ ("blitz" | "chromium") = values.text("layout") {
        if model.config().layout.is_none() {
            return no_effect(
                format!("layout '{engine}' with model '{name}', which has no feature of the layout,"),
                "leave layout out, or name a model that was trained with a layout",
            );
        }
        model.read_layouts_of(engine)?;
    }
    // That of the article is the model's own, and every model has it.
    let convention = values.text("convention");
    if convention != "article" {
        model = model.with_convention(convention.parse()?)?;
    }
    let inference = match values.text("inference") {
        "exact" => Inference::Exact,
        "viterbi" => Inference::Viterbi,
        _ => Inference::Gibbs(GibbsConfig {
            sweeps: values.small("sweeps"),
            burn_in: values.small("burn-in"),
            chains: values.small("chains"),
            seed: values.small("seed").into(),
            ..GibbsConfig::default()
        }),
    };
    let hmt = Hmt::new(ID, model, inference)?;
    let decision = match values.text("decision") {
        "most-probable" => Decision::MostProbable,
        "expected-f" => Decision::ExpectedF { beta: values.number("beta") },
        "threshold" => Decision::Threshold { probability: values.number("probability") },
        _ => return Ok(hmt),
    };
    check_decision(&inference)?;
    hmt.with_decision(decision)
}

/// Whether there is anything to decide of states that are inferred so.
///
/// # Errors
/// [`Error::Usage`] if not: where each probability is 0 or 1, every decision keeps the same text.
pub fn check_decision(inference: &Inference) -> Result<()> {
    match inference {
        Inference::Viterbi => Err(Error::usage(
            "a decision with inference viterbi has no effect, since its probabilities are 0 or 1",
            "leave the decision out, or infer exactly",
        )),
        _ => Ok(()),
    }
}
