//! Files of a diagnosis: tables as CSV, figures as SVG, and a report of all in one HTML file.

use std::collections::BTreeMap;
use std::path::Path;

use super::criteria::Verdict;
use super::exchanged::Exchanged;
use super::parameters::{Diagnosis, Parameter, shown_ess, shown_rhat};
use super::predictive::PredictiveResults;
use crate::diagnostics::Chains;
use crate::draws::InferenceData;
use crate::error::Result;
use crate::files::write_whole;
use crate::report::figures::{Autocorrelation, PredictiveIntervals, RankBars, RunningMean, Trace};
use crate::report::{Figure, Report, Section};

/// How many of the worst parameters have figures.
const DRAWN: usize = 4;
/// How many rows a table of the report has at most; the CSV files have all.
const ROWS: usize = 100;
/// The last lag of figures.
const MAX_LAG: usize = 100;

/// Writes `diagnostics.csv`, `predictive-check.csv` if there is one, `figures/` of the worst parameters and `lp`, and
/// `report.html` into `folder`.
///
/// # Errors
/// [`crate::Error::Io`]; as [`Diagnosis::chains`].
pub fn write(
    data: &InferenceData,
    diagnosis: &Diagnosis,
    predictive: Option<&PredictiveResults>,
    folder: &Path,
) -> Result<()> {
    let all = diagnosis.parameters.len();
    write_whole(&folder.join("diagnostics.csv"), diagnosis.table(all).to_csv()?.as_bytes())?;
    let mut report = Report::new("Diagnosis of draws");
    let figures = folder.join("figures");
    let drawn = drawn(diagnosis);
    report.lead().text(sentence(diagnosis));
    let first = most_telling(diagnosis);
    if let Some(first) = first {
        let stem =
            drawn.iter().find(|(_, p)| p.name == first.name).map_or("of-pages", |(stem, _)| stem.as_str());
        draw_chains(report.lead(), data, first, &figures, stem)?;
    }
    let of_pages =
        diagnosis.parameters.iter().filter(|p| p.is_of_pages() && p.verdict != Verdict::PriorOnly).count();
    if of_pages > 1 {
        report.lead().table(diagnosis.short_table(of_pages));
    }
    introduce(report.section("The draws"), data, diagnosis);
    judge(report.section("Convergence of each parameter"), diagnosis);
    let constant: Vec<&Parameter> = diagnosis.constant().collect();
    if !constant.is_empty() {
        list_constant(report.section("Parameters that never move"), &constant);
    }
    if diagnosis.prior_only().next().is_some() {
        fold_prior_only(report.section("Parameters of the prior alone"), diagnosis);
    }
    for (stem, parameter) in &drawn {
        let section = report.section(format!("Chains of {}", parameter.name));
        if first.is_some_and(|first| first.name == parameter.name) {
            section.text("Trace and ranks stand at the beginning.");
        } else {
            draw_chains(section, data, parameter, &figures, stem)?;
        }
        draw_course(section, data, parameter, &figures, stem)?;
    }
    if let Some(results) = predictive {
        let path = folder.join("predictive-check.csv");
        write_whole(&path, results.table(results.rows.len()).to_csv()?.as_bytes())?;
        let section = report.section("Posterior predictive check");
        section.text(results.caveat());
        let figure = PredictiveIntervals::new(results);
        if !figure.rows.is_empty() {
            figure.save_svg(&figures.join("predictive-check"))?;
            section.figure(&figure, "")?;
        }
        section.table(results.table(ROWS));
    }
    write_whole(&folder.join("report.html"), report.to_html().as_bytes())
}

/// The parameters with figures, each with the beginning of their names: `lp`, and the worst others that move.
fn drawn(diagnosis: &Diagnosis) -> Vec<(String, &Parameter)> {
    let worst = diagnosis.worst().into_iter().filter(|p| p.name != super::parameters::LP);
    let moving = worst.filter(|p| p.summary.constant().is_none() && p.summary.mean.is_ok());
    let worst = moving.take(DRAWN).enumerate().map(|(i, parameter)| (format!("worst-{}", i + 1), parameter));
    diagnosis.lp().map(|lp| ("lp".to_owned(), lp)).into_iter().chain(worst).collect()
}

/// The parameter to look at first: the worst quantity of the pages, unless those are fine and some parameter of the model is not.
fn most_telling(diagnosis: &Diagnosis) -> Option<&Parameter> {
    let worst = diagnosis.worst();
    let of_pages = worst.iter().copied().find(|parameter| parameter.is_of_pages());
    match (of_pages, worst.first().copied()) {
        (Some(of_pages), Some(worst)) if of_pages.verdict.is_fine() && !worst.verdict.is_fine() => {
            Some(worst)
        }
        (of_pages, worst) => of_pages.or(worst),
    }
}

/// Whether the chains can be relied on, what is worst, and what to do.
fn sentence(diagnosis: &Diagnosis) -> String {
    let judged = diagnosis.parameters.len() - diagnosis.prior_only().count();
    let worst = diagnosis.worst();
    let failed: Vec<&Parameter> =
        worst.iter().copied().filter(|parameter| !parameter.verdict.is_fine()).collect();
    let numbers = |p: &Parameter| {
        format!("{} (R-hat {}, ESS {})", p.name, shown_rhat(&p.summary), shown_ess(&p.summary))
    };
    let Some(first) = failed.first() else {
        let nearest =
            worst.first().map_or_else(String::new, |p| format!("; nearest to the limits is {}", numbers(p)));
        return format!("The chains have converged, in all {judged} parameters{nearest}.");
    };
    let pages = match failed.iter().find(|parameter| parameter.is_of_pages()) {
        Some(worst) if worst.name == first.name => String::new(),
        Some(worst) => format!(" Of the quantities of the pages the worst is {}.", numbers(worst)),
        None if worst.iter().any(|parameter| parameter.is_of_pages()) => {
            " All quantities of the pages have converged.".to_owned()
        }
        None => String::new(),
    };
    format!(
        "The chains have not converged: {} of {judged} parameters miss their limits, the worst is {}.{pages} What to do: {}.",
        failed.len(),
        numbers(first),
        diagnosis.remedy(&failed)
    )
}

fn introduce(section: &mut Section, data: &InferenceData, diagnosis: &Diagnosis) {
    section.text(format!(
        "{} chains of {} draws each, {} parameters. R-hat must be below {}, bulk and tail effective sample size at least \
         {}.",
        diagnosis.chains,
        diagnosis.draws,
        diagnosis.parameters.len(),
        diagnosis.criteria.max_rhat,
        diagnosis.criteria.min_ess,
    ));
    // Texts and numbers alone: lists of pages may be long.
    let known = data.attributes().iter().filter(|(_, value)| value.is_number() || value.is_string());
    let known: Vec<String> = known.map(|(name, value)| format!("- {name}: {}", plain(value))).collect();
    if !known.is_empty() {
        section.text(known.join("\n"));
    }
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn judge(section: &mut Section, diagnosis: &Diagnosis) {
    let all = diagnosis.parameters.len() - diagnosis.prior_only().count();
    let failed = diagnosis.failed().count();
    section.text(match failed {
        0 => format!("All of {all} parameters have converged."),
        _ => format!("{failed} of {all} parameters have NOT converged."),
    });
    if let Some(Exchanged { labels, rhat, rhat_renamed }) = &diagnosis.exchanged {
        section.text(format!(
            "Chains have exchanged the labels {}: what one chain has in one of these states another has in another. The \
             largest R-hat of the shares of states is {rhat:.3}, and {rhat_renamed:.3} with the states of each chain renamed \
             to those of the first that have most nodes in common. More sweeps will not help.",
            labels.join(", ")
        ));
    }
    section.text(
        "- r_hat: do the chains agree, in bulk and in spread (rank-normalized split R-hat)\n\
         - ess_bulk, ess_tail: how many independent draws they are worth, for the center and for the 5 % and 95 % points\n\
         - mcse: standard error of the mean from drawing\n\
         - geweke_z: beginning of a chain less its end, in standard errors; of all chains the farthest from 0\n\
         - verdict: what misses its limit",
    );
    section.table(diagnosis.short_table(ROWS));
    let more = diagnosis.parameters.len().saturating_sub(ROWS.min(all));
    let more = if more > 0 { format!("{more} more parameters, and ") } else { String::new() };
    section.text(format!("diagnostics.csv has {more}median, 5 % and 95 % points and mcse_sd of each."));
}

/// How many parameters of each array are of the prior alone.
fn fold_prior_only(section: &mut Section, diagnosis: &Diagnosis) {
    let mut arrays: BTreeMap<&str, usize> = BTreeMap::new();
    for parameter in diagnosis.prior_only() {
        *arrays.entry(parameter.array()).or_default() += 1;
    }
    section.text(
        "Neither a node counted in training nor one of these pages, in any draw, is in their state: their draws are of the prior, \
         one independent of the other, and they are not judged.",
    );
    let arrays = arrays.iter().map(|(array, n)| {
        let all = diagnosis.parameters.iter().filter(|parameter| parameter.array() == *array).count();
        format!("- {array}: {n} of {all}")
    });
    section.text(arrays.collect::<Vec<_>>().join("\n"));
}

fn list_constant(section: &mut Section, constant: &[&Parameter]) {
    let named = constant.iter().take(ROWS).map(|p| {
        let value = p.summary.constant().unwrap_or(f64::NAN);
        format!("- {}: every draw of every chain is {value}", p.name)
    });
    section.text(named.collect::<Vec<_>>().join("\n"));
    if constant.len() > ROWS {
        section.text(format!("{} more are in diagnostics.csv.", constant.len() - ROWS));
    }
}

/// Whether the draws of a parameter can be drawn.
fn can_be_drawn(chains: &Chains<'_>) -> bool {
    chains.values().iter().all(|value| value.is_finite()) && chains.draws() >= 4
}

/// The array that a parameter is a number of.
fn quantity(parameter: &Parameter) -> String {
    parameter.name.split('[').next().unwrap_or(&parameter.name).to_owned()
}

/// Trace and ranks of a parameter, saved as `stem-trace` and `stem-ranks`.
fn draw_chains(
    section: &mut Section,
    data: &InferenceData,
    parameter: &Parameter,
    folder: &Path,
    stem: &str,
) -> Result<()> {
    let chains = &Diagnosis::chains(data, parameter)?;
    let name = &parameter.name;
    if !can_be_drawn(chains) {
        section.text(format!("{name} cannot be drawn: {}.", parameter.verdict));
        return Ok(());
    }
    let subtitle = subtitle(parameter, chains);
    let title = format!("Trace of {name}");
    let trace = Trace { title, subtitle: subtitle.clone(), quantity: quantity(parameter), chains };
    trace.save_svg(&folder.join(format!("{stem}-trace")))?;
    section.figure(&trace, "Chains that have converged lie on each other and do not drift.")?;
    let ranks = RankBars { title: format!("Ranks of {name}"), subtitle, chains };
    ranks.save_svg(&folder.join(format!("{stem}-ranks")))?;
    section.figure(&ranks, "Dashed: all chains together. Band: 95 % of bins, were draws independent.")?;
    Ok(())
}

/// Autocorrelation and running mean of a parameter, saved as `stem-autocorrelation` and `stem-running-mean`.
fn draw_course(
    section: &mut Section,
    data: &InferenceData,
    parameter: &Parameter,
    folder: &Path,
    stem: &str,
) -> Result<()> {
    let chains = &Diagnosis::chains(data, parameter)?;
    if !can_be_drawn(chains) {
        return Ok(());
    }
    let (name, subtitle) = (&parameter.name, subtitle(parameter, chains));
    let lags = Autocorrelation {
        title: format!("Autocorrelation of {name}"),
        subtitle: subtitle.clone(),
        max_lag: MAX_LAG.min(chains.draws() - 1),
        chains,
    };
    lags.save_svg(&folder.join(format!("{stem}-autocorrelation")))?;
    section.figure(&lags, "Band: 95 % of independent draws.")?;
    let title = format!("Running mean of {name}");
    let mean = RunningMean { title, subtitle, quantity: quantity(parameter), chains };
    mean.save_svg(&folder.join(format!("{stem}-running-mean")))?;
    section.figure(&mean, "Dashed: mean of all draws. Band: two standard errors.")?;
    Ok(())
}

fn subtitle(parameter: &Parameter, chains: &Chains<'_>) -> String {
    format!(
        "R-hat {}, least ESS {}; {} chains of {} draws",
        shown_rhat(&parameter.summary),
        shown_ess(&parameter.summary),
        chains.chains(),
        chains.draws()
    )
}
