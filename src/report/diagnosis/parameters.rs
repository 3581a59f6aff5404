//! `Diagnosis`, every parameter of a store of draws with its summary and verdict.

use rayon::prelude::*;

use super::criteria::{Criteria, Verdict, least_ess};
use super::exchanged::Exchanged;
use crate::diagnostics::{Chains, Summary, Undefined};
use crate::draws::{Group, InferenceData, Series, Values};
use crate::error::{Error, Remedy, Result, Setting, did_you_mean};
use crate::inference::gibbs::PRIOR_ONLY;

/// The group of parameters.
const POSTERIOR: &str = "posterior";
/// The group of statistics of the sampler, of which [`LP`] is diagnosed without being named.
const SAMPLE_STATS: &str = "sample_stats";
/// ln of the joint density, up to a constant: the one number that all others enter.
pub(super) const LP: &str = "lp";
/// The share of nodes in each state, and that of words that are kept.
const SHARES: [&str; 2] = ["state_share", "kept_words"];

/// One number with its draws.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// As ArviZ names it: `transition[full-text, start, comments]`.
    pub name: String,
    /// What the draws say, and how far to trust them.
    pub summary: Summary,
    /// Whether it has converged.
    pub verdict: Verdict,
    array: String,
    place: usize,
}

/// Every parameter of a store of draws, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// `lp` and shares, then the parameters; of each those farthest past the limits first, equal ones by name;
    /// then those of the prior alone, and constants last.
    pub parameters: Vec<Parameter>,
    /// What they were judged by.
    pub criteria: Criteria,
    /// How many chains there are.
    pub chains: usize,
    /// How many draws each has.
    pub draws: usize,
    /// Labels that chains have exchanged, if some parameter has missed its R-hat.
    pub exchanged: Option<Exchanged>,
}

impl Parameter {
    /// Whether it is a quantity of the pages, and no single parameter of the model: `lp`, a share of states or that of the words
    /// that are kept.
    pub fn is_of_pages(&self) -> bool {
        self.array == LP || SHARES.contains(&&*self.array)
    }

    /// The array that it is a number of.
    pub fn array(&self) -> &str {
        &self.array
    }
}

impl Diagnosis {
    /// Judges the parameters of group `posterior` and `lp` of group `sample_stats`, or those that `variables` names: arrays
    /// of either group, or single numbers as `theta[a, b]`.
    ///
    /// Arrays of states, which are names and no numbers, are left out unless they are named.
    ///
    /// # Errors
    /// [`Error::Usage`] for criteria out of range or a variable that is not there, with the nearest; [`Error::Data`] where
    /// there are no draws of parameters.
    pub fn new(data: &InferenceData, criteria: Criteria, variables: &[String]) -> Result<Diagnosis> {
        criteria.check()?;
        let mut parameters = Vec::new();
        for (group, array) in chosen_arrays(data, variables)? {
            let series = group.series(array)?;
            let prior_only = data.group(PRIOR_ONLY).and_then(|group| group.array(array));
            let prior_only = prior_only.filter(|cells| cells.values().len() == series.len());
            let prior_only: Vec<f64> =
                prior_only.map_or(Vec::new(), |cells| cells.to_f64().iter().copied().collect());
            let of_array = series.par_iter().enumerate().map(|(place, series)| {
                let summary = Summary::new(&chains_of(series));
                let verdict = match criteria.judge(&summary) {
                    Verdict::Converged | Verdict::Missed { .. } if prior_only.get(place) == Some(&1.0) => {
                        Verdict::PriorOnly
                    }
                    verdict => verdict,
                };
                Parameter { name: series.label.clone(), summary, verdict, array: array.to_owned(), place }
            });
            parameters.extend(of_array.collect::<Vec<_>>());
        }
        if !variables.is_empty() {
            parameters.retain(|p| variables.iter().any(|v| *v == p.array || *v == p.name));
        }
        if parameters.is_empty() {
            return Err(no_draws());
        }
        let block = |p: &Parameter| match p.verdict {
            Verdict::Constant => 3,
            Verdict::PriorOnly => 2,
            _ => u8::from(!p.is_of_pages()),
        };
        let strain = |p: &Parameter| criteria.strain(&p.summary);
        parameters.sort_by(|a, b| {
            let farther = strain(b).total_cmp(&strain(a));
            block(a).cmp(&block(b)).then(farther).then_with(|| a.name.cmp(&b.name))
        });
        let apart = |p: &Parameter| matches!(p.verdict, Verdict::Missed { rhat: true, .. });
        let exchanged = parameters.iter().any(apart).then(|| Exchanged::find(data)).flatten();
        let shape = find(data, &parameters[0].array).map(|(_, array)| array.shape());
        let (chains, draws) = shape.map_or((0, 0), |shape| (shape[0], shape[1]));
        Ok(Diagnosis { parameters, criteria, chains, draws, exchanged })
    }

    /// The draws of one of the parameters of `data`.
    ///
    /// # Errors
    /// [`Error::Usage`] if `data` are other draws than were diagnosed.
    pub fn chains(data: &InferenceData, parameter: &Parameter) -> Result<Chains<'static>> {
        let (group, _) = find(data, &parameter.array).ok_or_else(no_draws)?;
        let series = group.series(&parameter.array)?;
        series.get(parameter.place).map(chains_of).ok_or_else(no_draws)
    }

    /// The parameters that are judged, which are all but constants and those of the prior alone: those farthest past the
    /// limits first.
    pub fn worst(&self) -> Vec<&Parameter> {
        let is_judged = |p: &&Parameter| !matches!(p.verdict, Verdict::Constant | Verdict::PriorOnly);
        let mut worst: Vec<&Parameter> = self.parameters.iter().filter(is_judged).collect();
        let strain = |p: &Parameter| self.criteria.strain(&p.summary);
        worst.sort_by(|a, b| strain(b).total_cmp(&strain(a)));
        worst
    }

    /// The parameters that have not converged.
    pub fn failed(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| !parameter.verdict.is_fine())
    }

    /// The parameters that never move.
    pub fn constant(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.verdict == Verdict::Constant)
    }

    /// The parameters of which neither training nor any draw of the states says anything.
    pub fn prior_only(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.verdict == Verdict::PriorOnly)
    }

    /// The parameter `lp`, if it is among them.
    pub fn lp(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == LP)
    }

    /// Nothing if all have converged; else [`Error::NotConverged`] that names the worst and what to do. `subject` is where
    /// the draws are.
    ///
    /// # Errors
    /// [`Error::NotConverged`].
    pub fn require_convergence(&self, subject: &str) -> Result<()> {
        let judged = self.worst();
        let failed: Vec<&Parameter> =
            judged.iter().copied().filter(|parameter| !parameter.verdict.is_fine()).collect();
        let Some(worst) = failed.first() else { return Ok(()) };
        let reason = match worst.verdict {
            Verdict::Undefined(reason) => reason.to_string(),
            _ => format!("R-hat {}, ESS {}", shown_rhat(&worst.summary), shown_ess(&worst.summary)),
        };
        let Criteria { max_rhat, min_ess } = self.criteria;
        Err(Error::NotConverged {
            subject: subject.to_owned(),
            problem: format!(
                "{} of {} parameters have not converged (R-hat must be below {max_rhat}, ESS at least {min_ess}); \
                 the worst is {}: {reason}",
                failed.len(),
                judged.len() + self.constant().count(),
                worst.name,
            ),
            remedy: self.remedy(&failed),
        })
    }

    /// What to do about those that have not converged.
    pub(super) fn remedy(&self, failed: &[&Parameter]) -> Remedy {
        let any = |wanted: fn(&Undefined) -> bool| {
            failed.iter().any(|p| matches!(p.verdict, Verdict::Undefined(reason) if wanted(&reason)))
        };
        if any(|reason| matches!(reason, Undefined::NonFinite { .. })) {
            return "a draw that is not a number is a fault of the sampler: report it".into();
        }
        if any(|reason| matches!(reason, Undefined::TooFewChains { .. })) {
            return Remedy::by("sample again with four chains", Setting::Chains)
                .then(", so that chains can be compared");
        }
        if let Some(Exchanged { labels, .. }) = &self.exchanged {
            let exchanged = format!("chains have exchanged the labels {}: ", labels.join(", "));
            return Remedy::from(exchanged + "more sweeps will not help; ")
                .set("sample with fewer states", Setting::States)
                .set(", or with parameters fixed", Setting::Parameters);
        }
        let least = failed.iter().filter_map(|p| least_ess(&p.summary).ok()).fold(f64::INFINITY, f64::min);
        let apart = failed.iter().any(|p| matches!(p.verdict, Verdict::Missed { rhat: true, .. }));
        let times = (self.criteria.min_ess / least).ceil();
        let more = match times {
            2.0..=1000.0 => format!("sample again with about {times} times the sweeps"),
            _ => "sample again with more sweeps".to_owned(),
        };
        let remedy = match apart {
            true => Remedy::from(more).set(" and a longer burn-in", Setting::Sweeps),
            false => more.into(),
        };
        remedy.set(", or with another kernel or treatment of the parameters", Setting::Kernel)
    }
}

pub(super) fn shown_rhat(summary: &Summary) -> String {
    summary.r_hat.map_or_else(|_| "undefined".to_owned(), |value| format!("{value:.3}"))
}

pub(super) fn shown_ess(summary: &Summary) -> String {
    least_ess(summary).map_or_else(|_| "undefined".to_owned(), |value| format!("{value:.0}"))
}

fn chains_of(series: &Series) -> Chains<'static> {
    Chains::new(series.chains.iter().copied().collect::<Vec<f64>>(), series.chains.nrows())
}

fn no_draws() -> Error {
    Error::data("the store", "holds no draws of parameters", "draw some with `duramen sample`")
}

fn find<'a>(data: &'a InferenceData, array: &str) -> Option<(&'a Group, &'a crate::draws::Array)> {
    let groups = [POSTERIOR, SAMPLE_STATS].into_iter().filter_map(|name| data.group(name));
    groups.filter_map(|group| Some((group, group.array(array)?))).next()
}

/// The arrays to judge, each with its group, by name.
fn chosen_arrays<'a>(data: &'a InferenceData, variables: &'a [String]) -> Result<Vec<(&'a Group, &'a str)>> {
    let posterior = data.group(POSTERIOR).ok_or_else(no_draws)?;
    if variables.is_empty() {
        let is_number = |values: &Values| !matches!(values, Values::U8(_));
        let numbers = posterior.arrays().iter().filter(|(_, array)| is_number(array.values()));
        let mut chosen: Vec<_> = numbers.map(|(name, _)| (posterior, name.as_str())).collect();
        chosen.extend(find(data, LP).map(|(group, _)| (group, LP)));
        return Ok(chosen);
    }
    let mut chosen: Vec<(&Group, &str)> = Vec::new();
    for variable in variables {
        let array = variable.split('[').next().unwrap_or_default();
        let (group, _) = find(data, array).ok_or_else(|| {
            let groups = [POSTERIOR, SAMPLE_STATS].into_iter().filter_map(|name| data.group(name));
            let known: Vec<&str> =
                groups.flat_map(|group| group.arrays().keys().map(String::as_str)).collect();
            Error::usage(format!("there are no draws of '{variable}'"), did_you_mean(array, known))
        })?;
        if array != variable {
            let labels: Vec<String> = group.series(array)?.into_iter().map(|series| series.label).collect();
            if !labels.contains(variable) {
                let known = did_you_mean(variable, labels.iter().map(String::as_str).take(50));
                return Err(Error::usage(format!("there are no draws of '{variable}'"), known));
            }
        }
        if !chosen.iter().any(|(_, other)| *other == array) {
            chosen.push((group, array));
        }
    }
    Ok(chosen)
}
