//! Learning from pages that are partly labelled or not at all, without sampling: EM by exact inference.
//!
//! theta are the rows of the transitions, those of the categorical features, and p of the geometric ones. One iteration
//! takes the [expected counts](ExpectedCounts) of the pages under theta (E-step), adds the counts of the labelled pages,
//! which are known, and goes over to the posterior mean of theta given both (M-step, [`Parameters::mean`]).
//!
//! **Objective.** No iteration makes this smaller:
//!
//! F(theta) = sum over rows of gamma ln theta_i + sum over geometric columns of (alpha ln p + beta ln (1 - p))
//!   + ln P(labelled pages and their states | theta) + sum over the other pages of ln P(x, z in the label | theta)
//!
//! For the posterior mean (gamma + c_i) / (K gamma + sum c) is what maximizes sum (gamma + c_i) ln theta_i, and the mean
//! of Beta(alpha + n, beta + s) likewise. So this is EM for a mode of the posterior (Dempster, Laird & Rubin 1977):
//! with the model's own priors Dirichlet(gamma) and Beta(alpha, beta), as densities over ln theta (the softmax basis of
//! MacKay 1998), or, over theta itself, with Dirichlet(gamma + 1) and Beta(alpha + 1, beta + 1). The mode so defined
//! always exists, and of pages whose states are all known it gives the model that counting gives. The constants of
//! the densities are left out of F. Rounding of the expected counts moves an M-step by some 1e-8 of its size.
//!
//! A geometric feature has p plugged in here (P(x | p) = (1 - p)^x p); inference with the model that comes out
//! integrates p over its posterior, as with any model.
//!
//! **Start.** States are told apart by the parameters of the first E-step alone: from counts of no page all states of
//! one label set are alike and stay so. So a start without pages is refused.
//!
//! References: Dempster, Laird & Rubin 1977 (EM); Crouse, Nowak & Baraniuk 1998 (for hidden Markov trees);
//! MacKay 1998, "Choice of basis for Laplace approximation", Machine Learning 33(1).

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::model::counts::FRACTION_BITS;
use crate::model::format::MAX_FRACTIONS;
use crate::model::{Counts, Model, ModelConfig, Parameters, TargetStates};
use crate::progress::Progress;

use super::expected_counts::{ExpectedCounts, PartialPage, check_tree};

/// When EM ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmConfig {
    /// The most iterations. Range 1 to 10000, default 20.
    pub iterations: u32,
    /// Iterations end when the objective gains less than this share of its size. Range 0 (only when it gains nothing)
    /// to below 1, default 1e-6.
    pub tolerance: f64,
}

impl Default for EmConfig {
    fn default() -> Self {
        EmConfig { iterations: 20, tolerance: 1e-6 }
    }
}

impl EmConfig {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the parameter, its range and its default.
    pub fn check(&self) -> Result<()> {
        if !(1..=10_000).contains(&self.iterations) {
            return Err(Error::usage(
                format!("the number of iterations of EM is {}", self.iterations),
                "it must be from 1 to 10000; the default is 20",
            ));
        }
        if !(0.0..1.0).contains(&self.tolerance) {
            return Err(Error::usage(
                format!("the tolerance of EM is {}", self.tolerance),
                "it must be at least 0 and below 1; the default is 0.000001",
            ));
        }
        Ok(())
    }
}

/// One iteration of EM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmIteration {
    /// Its number, from 1.
    pub number: u32,
    /// F of the parameters that its E-step was made with, in nats: those of the iteration before.
    pub objective: f64,
    /// What F gained through the iteration before, as a share of its size; none in the first.
    pub gain: Option<f64>,
}

/// What EM ended with.
#[derive(Debug, Clone, PartialEq)]
pub struct Em {
    /// The labelled pages' counts with the expected ones of the last E-step.
    pub model: Model,
    /// All iterations.
    pub iterations: Vec<EmIteration>,
    /// Whether the gain fell below the tolerance, and not the iterations ran out.
    pub converged: bool,
}

/// Learns from `pages`, with the counts of `labelled` in every M-step and the mean parameters of `start` in the first
/// E-step. `start` may be `labelled` itself, or a model trained elsewhere: of that one no count stays. Configurations
/// must be equal.
///
/// With one iteration, models of parts of the pages, learned from the same start, merge to the model of all.
/// Each iteration is a step of the stage that the caller began. The result is the same at any number of threads and order of pages.
///
/// # Errors
/// [`Error::Usage`] for settings out of range, configurations that differ or have the labels of all siblings, no page to
/// learn from, a start that has seen no page, and pages too large for the counts.
///
/// # Cost
/// Each iteration that of [`ExpectedCounts::observe`] for every page, in parallel.
pub fn learn(
    labelled: &Model,
    start: &Model,
    pages: &[PartialPage],
    config: &EmConfig,
    progress: &dyn Progress,
) -> Result<Em> {
    config.check()?;
    check(labelled, start, pages)?;
    let mut parameters = Parameters::mean(start.config(), start.counts());
    let mut iterations: Vec<EmIteration> = Vec::new();
    loop {
        let expected = expect(labelled, &parameters, pages)?;
        let of_labelled = parameters.ln_density(labelled.config(), labelled.counts());
        let objective = of_labelled + expected.ln_evidence();
        let gain = iterations.last().map(|last| (objective - last.objective) / objective.abs());
        let iteration = EmIteration { number: iterations.len() as u32 + 1, objective, gain };
        progress.step();
        iterations.push(iteration);
        let mut counts = labelled.counts().clone();
        counts.merge(expected.counts())?;
        let converged = gain.is_some_and(|gain| gain < config.tolerance);
        if converged || iteration.number == config.iterations {
            let mut sources = labelled.sources().clone();
            for page in pages {
                *sources.entry(page.source.clone()).or_default() += 1;
            }
            let model = labelled.with_counts(counts, sources);
            return Ok(Em { model, iterations, converged });
        }
        parameters = Parameters::mean(labelled.config(), &counts);
    }
}

/// The expected counts of all pages: integers, so that the order of the sum is of no matter.
fn expect(model: &Model, parameters: &Parameters, pages: &[PartialPage]) -> Result<ExpectedCounts> {
    let none = || ExpectedCounts::new(model.config()).expect("the configuration was checked");
    let add = |mut sum: ExpectedCounts, page| {
        sum.observe(model, parameters, page);
        sum
    };
    let merge = |mut a: ExpectedCounts, b: ExpectedCounts| {
        a.merge(&b)?;
        Ok(a)
    };
    pages.par_iter().fold(none, add).map(Ok).try_reduce(none, merge)
}

/// Whether EM can learn a model of this configuration, from a start of that one if it is given.
///
/// # Errors
/// [`Error::Usage`] for the labels of all siblings and for configurations that differ.
pub fn check_config(config: &ModelConfig, start: Option<&ModelConfig>) -> Result<()> {
    check_tree(config)?;
    if start.is_some_and(|start| start != config) {
        return Err(Error::usage(
            "the model to start from has another configuration",
            "start from a model with the same view, states, features and priors (see `duramen model show`)",
        ));
    }
    Ok(())
}

fn check(labelled: &Model, start: &Model, pages: &[PartialPage]) -> Result<()> {
    check_config(labelled.config(), Some(start.config()))?;
    if pages.is_empty() {
        return Err(Error::usage(
            "EM has no page to learn from: all pages are labelled",
            "add pages with a reference text or without labels, or leave EM out: labelled pages are only counted",
        ));
    }
    if start.counts().nodes == 0 {
        return Err(Error::usage(
            "EM starts from a model that has seen no page, to which all states are alike",
            "add labelled pages, or start from a trained model",
        ));
    }
    check_room(labelled, pages)
}

/// Whether the counts stay in range: no count can be larger than if all nodes were in one state.
fn check_room(labelled: &Model, pages: &[PartialPage]) -> Result<()> {
    let config = labelled.config();
    let mut most = Counts::empty(config)?;
    for page in pages {
        let states = TargetStates::new(&page.tree, config.states, vec![0; page.tree.len()]);
        most.observe(config, labelled.specs(), &page.tree, &page.features, &states);
    }
    let limit = MAX_FRACTIONS >> FRACTION_BITS;
    let of_labelled = labelled.counts().largest() >> labelled.counts().fraction_bits;
    let all = most.largest().saturating_add(of_labelled);
    if all >= limit {
        return Err(Error::usage(
            format!("a count of the pages may be {all}, the limit of EM is {limit}"),
            "learn from fewer pages, or leave out the feature sibling-tags, which counts pairs",
        ));
    }
    Ok(())
}
