//! A finished run as files: `run.json`, tables (CSV and Markdown), figures (SVG and PNG), a one-file report.
//!
//! Everything is made of [`RunResults`] alone, so that the same results give the same bytes.

mod figures;
pub mod sd_study;
mod tables;

use std::path::Path;

use super::{Figure, Report, Table};
use crate::error::Result;
use crate::eval::{Bootstrap, View};
use crate::files::write_whole;
use crate::harness::config::Split;
use crate::harness::record::{PageResult, RunResults};

/// Tokens or nodes: what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Token,
    Node,
}

impl Level {
    const ALL: [Level; 2] = [Level::Token, Level::Node];

    fn name(self) -> &'static str {
        match self {
            Level::Token => "token",
            Level::Node => "node",
        }
    }

    fn counts(self, result: &PageResult) -> &crate::eval::Confusion {
        match self {
            Level::Token => &result.scores.tokens,
            Level::Node => &result.scores.nodes,
        }
    }
}

/// The views of the thesis's chapter 4, and the one that Boilerpipe's benchmark scores.
const VIEWS: [View; 4] = [View::Complete, View::MainText, View::Content, View::Article];

/// Writes everything into `folder`: `run.json`, `tables/`, `figures/`, `report.html`, and each page's results in
/// `pages/results.jsonl`.
///
/// # Errors
/// [`crate::Error::Io`].
pub fn write(run: &RunResults, folder: &Path) -> Result<()> {
    let json = serde_json::to_string_pretty(&run.record).expect("a record has no keys that are not strings");
    write_whole(&folder.join("run.json"), (json + "\n").as_bytes())?;
    let mut pages = String::new();
    for result in &run.results {
        pages += &serde_json::to_string(result).expect("a result has no keys that are not strings");
        pages.push('\n');
    }
    write_whole(&folder.join("pages/results.jsonl"), pages.as_bytes())?;
    let mut report = Report::new(&run.record.experiment.title);
    introduce(&mut report, run);
    let mut output = Output { folder, report };
    let bootstrap = Bootstrap { seed: run.record.seed, ..Bootstrap::default() };
    for split in &run.record.experiment.splits {
        let results: Vec<&PageResult> =
            run.results.iter().filter(|result| result.split == split.id()).collect();
        let of_split = OfSplit { run, split, results, bootstrap };
        of_split.write(&mut output)?;
    }
    if !run.convergence.is_empty() {
        output.section("Sampler and exact posterior", CONVERGENCE);
        output.table("convergence", tables::convergence(&run.convergence))?;
        output.figure(
            "convergence",
            &figures::convergence(&run.convergence),
            "Distance by number of sweeps.",
        )?;
    }
    if !run.distributions.is_empty() {
        output.section(
            "Features by label",
            "As the thesis's figures 3.1 to 3.10, over the DOM tree of all pages.",
        );
        for histogram in &run.distributions {
            let figure = figures::feature(histogram);
            let name = format!("feature-{}-{}", histogram.figure, histogram.id);
            output.figure(&name, &figure, &format!("The thesis's figure {}.", histogram.figure))?;
        }
    }
    write_whole(&folder.join("report.html"), output.report.to_html().as_bytes())
}

/// The tables of scores of a run, without writing anything.
///
/// # Errors
/// If there are no results.
pub fn score_tables(run: &RunResults) -> Result<Vec<Table>> {
    let bootstrap = Bootstrap { seed: run.record.seed, ..Bootstrap::default() };
    let mut tables = Vec::new();
    for split in &run.record.experiment.splits {
        let results: Vec<&PageResult> =
            run.results.iter().filter(|result| result.split == split.id()).collect();
        let of_split = OfSplit { run, split, results, bootstrap };
        if of_split.has_text_gold() {
            tables.push(of_split.word_f1_table()?);
        } else {
            for level in Level::ALL {
                tables.push(of_split.scores_table(level)?);
            }
        }
    }
    Ok(tables)
}

const CONVERGENCE: &str = "Each number of sweeps is run from a random start and its last third averaged, as in the \
    thesis (30 sweeps, the last 10). The distance is the total variation between that average and the exact \
    marginals of the same model, mean over nodes; 'independent draws' is the distance that as many independent draws \
    from the exact marginals would have.";

/// A folder of files and the report that shows them.
struct Output<'a> {
    folder: &'a Path,
    report: Report,
}

impl Output<'_> {
    fn section(&mut self, heading: &str, text: &str) {
        self.report.section(heading).text(text);
    }

    fn last(&mut self) -> &mut super::Section {
        self.report.last_section().expect("a section was begun")
    }

    fn table(&mut self, name: &str, table: Table) -> Result<()> {
        let stem = self.folder.join("tables").join(name);
        write_whole(&stem.with_extension("csv"), table.to_csv()?.as_bytes())?;
        write_whole(&stem.with_extension("md"), table.to_markdown().as_bytes())?;
        self.last().table(table);
        Ok(())
    }

    fn figure(&mut self, name: &str, figure: &impl Figure, caption: &str) -> Result<()> {
        figure.save(&self.folder.join("figures").join(name))?;
        self.last().figure(figure, caption)?;
        Ok(())
    }
}

fn introduce(report: &mut Report, run: &RunResults) {
    let record = &run.record;
    let section = report.section("The run");
    section.text(&record.experiment.question);
    section.text(format!(
        "Data: {}, {} pages of {} hosts, {} left out; checksum {}. Seed {}. Made by `{}` of version {}.",
        record.dataset,
        record.pages,
        record.hosts,
        record.left_out.len(),
        record.data_checksum,
        record.seed,
        record.command,
        record.version,
    ));
    section.table(tables::systems(&record.experiment));
    if !record.failures.is_empty() {
        section.table(tables::failures(&record.failures));
    }
    if !record.left_out.is_empty() {
        section.table(tables::left_out(&record.left_out));
    }
}

/// The results of one split.
struct OfSplit<'a> {
    run: &'a RunResults,
    split: &'a Split,
    results: Vec<&'a PageResult>,
    bootstrap: Bootstrap,
}

impl OfSplit<'_> {
    fn write(&self, output: &mut Output<'_>) -> Result<()> {
        let id = self.split.id();
        output.section(&format!("Split '{id}'"), &format!("{}.", self.split.describe()));
        if self.has_text_gold() {
            output.table(&format!("{id}-word-f1"), self.word_f1_table()?)?;
            return output.figure(&format!("{id}-word-f1"), &self.word_f1_figure(), "Word F1 of each page.");
        }
        for level in Level::ALL {
            output.table(&format!("{id}-{}", level.name()), self.scores_table(level)?)?;
            let name = format!("{id}-{}-precision-recall", level.name());
            output.table(&name, self.precision_recall_table(level)?)?;
            output.table(&format!("{id}-{}-pooled", level.name()), self.pooled_table(level)?)?;
        }
        output.table(&format!("{id}-token-labels"), self.labels_table(Level::Token))?;
        for level in Level::ALL {
            for view in [View::Complete, View::MainText, View::Content] {
                let name = format!("{id}-{}-{}-f1", level.name(), view.name());
                let caption =
                    format!("F1 of each page, ordered by F1: {} level, {}.", level.name(), view.name());
                output.figure(&name, &self.ranked(level, view, Measure::F1), &caption)?;
            }
        }
        for measure in [Measure::Recall, Measure::Precision] {
            let name = format!("{id}-token-content-{}", measure.name().to_lowercase());
            let caption = format!("{} of each page, ordered: token level, content.", measure.name());
            output.figure(&name, &self.ranked(Level::Token, View::Content, measure), &caption)?;
        }
        let caption = "Distribution of F1 over pages: token level, main text.";
        output.figure(&format!("{id}-distribution"), &self.distribution(View::MainText), caption)?;
        let caption = "Precision, recall and F1 of each label: token level, pooled.";
        output.figure(&format!("{id}-labels"), &self.label_bars(), caption)?;
        if let Some(figure) = self.reliability() {
            let caption = "How often tokens are content where a system says so: probabilities to be believed lie on \
                           the diagonal.";
            output.figure(&format!("{id}-reliability"), &figure, caption)?;
            output.table(&format!("{id}-calibration"), self.calibration_table()?)?;
        }
        Ok(())
    }

    fn has_text_gold(&self) -> bool {
        self.results.iter().any(|result| result.scores.text.is_some())
    }

    /// The systems in the experiment's order.
    fn systems(&self) -> impl Iterator<Item = &str> {
        self.run.record.experiment.systems.iter().map(|system| system.id.as_str())
    }

    fn of_system<'a>(&'a self, system: &'a str) -> impl Iterator<Item = &'a PageResult> {
        self.results.iter().copied().filter(move |result| result.system == system)
    }

    /// (host, score) of each page, the mean over its tests where a page is tested more than once.
    fn per_page<'a>(&'a self, system: &'a str, score: impl Fn(&PageResult) -> f64) -> Vec<(&'a str, f64)> {
        let mut pages: std::collections::BTreeMap<&str, (&str, f64, f64)> = std::collections::BTreeMap::new();
        for result in self.of_system(system) {
            let entry = pages.entry(&result.page).or_insert((&result.host, 0.0, 0.0));
            entry.1 += score(result);
            entry.2 += 1.0;
        }
        pages.into_values().map(|(host, sum, n)| (host, sum / n)).collect()
    }
}

/// What of a score is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Precision,
    Recall,
    F1,
}

impl Measure {
    fn name(self) -> &'static str {
        match self {
            Measure::Precision => "Precision",
            Measure::Recall => "Recall",
            Measure::F1 => "F1",
        }
    }

    fn of(self, scores: &crate::eval::Scores) -> f64 {
        match self {
            Measure::Precision => scores.precision,
            Measure::Recall => scores.recall,
            Measure::F1 => scores.f1,
        }
    }
}
