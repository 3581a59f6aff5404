//! A finished run as files: `run.json`, tables (CSV and Markdown), figures (SVG, and PNG where asked), a one-file report.
//!
//! Everything is made of [`RunResults`] alone, so that the same results give the same bytes.

mod across;
mod by_page_type;
mod confidence;
mod cut_units;
mod faults;
mod figures;
mod lead;
mod of_split;
mod output;
mod paired;
pub mod store;
pub mod studies;
mod tables;

use std::path::Path;

use super::{Report, Table};
use crate::error::Result;
use crate::eval::Bootstrap;
use crate::files::write_whole;
use crate::harness::provenance::Provenance;
use crate::harness::record::RunResults;
use lead::Lead;
use of_split::OfSplit;
use output::{Output, write_table};

/// Writes everything into `folder`: `run.json`, `experiment.toml` as resolved, `tables/`, `figures/`, `report.html`,
/// and each page's results in `pages/` ([`store`]). Figures are SVG; those named in `png`, such as `all-splits`, are
/// written as PNG too.
///
/// # Errors
/// [`crate::Error::Io`]; [`crate::Error::Usage`] if the run has no figure of a name in `png`, once all else is written.
pub fn write(run: &RunResults, provenance: &Provenance, folder: &Path, png: &[String]) -> Result<()> {
    store::save(run, provenance, folder)?;
    render(run, provenance, folder, png)
}

/// Writes tables, figures and report alone.
///
/// # Errors
/// As [`write()`].
pub fn render(run: &RunResults, provenance: &Provenance, folder: &Path, png: &[String]) -> Result<()> {
    let report = Report::new(&run.record.experiment.title);
    let mut output = Output { folder, report, png, figures: Vec::new(), lead_figure: None };
    let splits = group_by_split(run);
    let lead = Lead::new(&splits)?;
    if let Some(lead) = &lead {
        lead::begin(lead, &mut output)?;
    }
    introduce(&mut output.report, run);
    if !run.record.experiment.published.is_empty() {
        output.section("Published and measured", "What the paper's tables say beside what this run gives.");
        for (i, published) in run.record.experiment.published.iter().enumerate() {
            output.last().text(format!("{}: {}", published.source, published.difference));
            output.table(&format!("published-{}", i + 1), across::published(published, &splits)?)?;
        }
    }
    if splits.len() > 1 {
        across::write(&splits, &mut output)?;
    }
    for split in &splits {
        split.write(&mut output)?;
        by_page_type::write(split, &mut output)?;
    }
    for sweep in &run.record.experiment.sweeps {
        across::write_sweep(sweep, &splits, &mut output)?;
    }
    // Times are another in each run, and so no part of the report.
    write_table(folder, "time", &tables::times(provenance))?;
    studies::write(run, &mut output)?;
    conclude(&mut output.report, run);
    if let Some(lead) = &lead {
        lead::finish(lead, &mut output)?;
    }
    write_whole(&folder.join("report.html"), output.report.to_html().as_bytes())?;
    output.check_png()
}

/// The tables of scores of a run, without writing anything.
///
/// # Errors
/// If there are no results.
pub fn score_tables(run: &RunResults) -> Result<Vec<Table>> {
    let tables: Result<Vec<Vec<Table>>> = group_by_split(run).iter().map(OfSplit::main_tables).collect();
    Ok(tables?.into_iter().flatten().collect())
}

/// What the first system of each split is ahead of the others on the same pages; nothing of a system alone.
///
/// # Errors
/// If a score is not finite.
pub fn difference_tables(run: &RunResults) -> Result<Vec<Table>> {
    let tables: Result<Vec<Option<Table>>> =
        group_by_split(run).iter().map(OfSplit::difference_table).collect();
    Ok(tables?.into_iter().flatten().collect())
}

/// The tables that set what the experiment's paper published beside what the run gives.
///
/// # Errors
/// If there are no results.
pub fn published_tables(run: &RunResults) -> Result<Vec<Table>> {
    let splits = group_by_split(run);
    run.record.experiment.published.iter().map(|published| across::published(published, &splits)).collect()
}

fn group_by_split(run: &RunResults) -> Vec<OfSplit<'_>> {
    let bootstrap = Bootstrap { seed: run.record.seed, ..Bootstrap::default() };
    let split = |split| OfSplit::new(run, split, bootstrap);
    run.record.experiment.splits.iter().map(split).collect()
}

fn introduce(report: &mut Report, run: &RunResults) {
    let record = &run.record;
    let section = report.section("The run");
    section.text(&record.experiment.question);
    section
        .text(format!("Seed {}. Made by `{}` of version {}.", record.seed, record.command, record.version));
    section.table(tables::corpora(&record.corpora));
    section.table(tables::systems(record));
}

/// What failed and what was left out: for reference, after the results.
fn conclude(report: &mut Report, run: &RunResults) {
    let record = &run.record;
    let left_out = tables::left_out(&record.corpora);
    if record.failures.is_empty() && left_out.rows().is_empty() {
        return;
    }
    let section = report.section("Failures and pages left out");
    if !record.failures.is_empty() {
        section.table(tables::failures(&record.failures));
    }
    if !left_out.rows().is_empty() {
        section.table(left_out);
    }
}
