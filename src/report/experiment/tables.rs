//! The tables of a run.

use std::collections::BTreeMap;

use super::super::{Cell, Table};
use super::{Level, Measure, OfSplit, VIEWS};
use crate::error::Result;
use crate::eval::{Calibration, Confusion, View};
use crate::harness::config::{Experiment, ModelChoice, System};
use crate::harness::convergence::ConvergenceRow;
use crate::label::Label;

/// Decimals of scores.
const DECIMALS: usize = 3;

impl OfSplit<'_> {
    /// Mean F1 over pages with intervals, for each system and view.
    pub(super) fn scores_table(&self, level: Level) -> Result<Table> {
        let title =
            format!("{} level, F1, mean over pages with 95 % interval over hosts", capitalized(level));
        let columns =
            std::iter::once("system").chain(VIEWS.map(|view| view.name())).chain(["exact-type accuracy"]);
        let mut table = Table::new(title, columns);
        for system in self.systems() {
            let mean = |score: &dyn Fn(&Confusion) -> f64| {
                self.bootstrap.mean(self.per_page(system, |result| score(level.counts(result))))
            };
            let mut row = vec![Cell::text(system)];
            for view in VIEWS {
                row.push(Cell::score(&mean(&|counts| counts.scores(view).f1)?, DECIMALS));
            }
            row.push(Cell::score(&mean(&Confusion::accuracy)?, DECIMALS));
            table.push(row);
        }
        Ok(table)
    }

    /// Mean precision and recall over pages, for each system and view.
    pub(super) fn precision_recall_table(&self, level: Level) -> Result<Table> {
        let title = format!("{} level, precision and recall, mean over pages", capitalized(level));
        let of_view = |view: View| [Measure::Precision, Measure::Recall].map(|measure| (view, measure));
        let pairs: Vec<(View, Measure)> = VIEWS.into_iter().flat_map(of_view).collect();
        let names = pairs.iter().map(|(view, measure)| format!("{view} {}", measure.name().to_lowercase()));
        let mut table = Table::new(title, std::iter::once("system".to_owned()).chain(names));
        for system in self.systems() {
            let mut row = vec![Cell::text(system)];
            for &(view, measure) in &pairs {
                let pages = self.per_page(system, |result| measure.of(&level.counts(result).scores(view)));
                row.push(Cell::number(self.bootstrap.mean(pages)?.value, DECIMALS));
            }
            table.push(row);
        }
        Ok(table)
    }

    /// Pooled F1, where every token or node counts the same.
    pub(super) fn pooled_table(&self, level: Level) -> Result<Table> {
        let title =
            format!("{} level, pooled over all tests, F1 with 95 % interval over hosts", capitalized(level));
        let columns =
            std::iter::once("system").chain(VIEWS.map(|view| view.name())).chain(["exact-type accuracy"]);
        let mut table = Table::new(title, columns);
        for system in self.systems() {
            let counts = || self.of_system(system).map(|result| (result.host.as_str(), level.counts(result)));
            let mut row = vec![Cell::text(system)];
            for view in VIEWS {
                let estimate = self.bootstrap.pooled(counts(), |counts| counts.scores(view).f1)?;
                row.push(Cell::score(&estimate, DECIMALS));
            }
            row.push(Cell::score(&self.bootstrap.pooled(counts(), Confusion::accuracy)?, DECIMALS));
            table.push(row);
        }
        Ok(table)
    }

    /// Precision, recall and F1 of each label, pooled.
    pub(super) fn labels_table(&self, level: Level) -> Table {
        let title = format!("{} level, each label, pooled over all tests", capitalized(level));
        let mut table = Table::new(title, ["system", "label", "P", "R", "F1", "gold", "predicted"]);
        for system in self.systems() {
            let counts: Confusion = self.of_system(system).map(|result| *level.counts(result)).sum();
            for label in Label::ALL {
                let scores = counts.label_scores(label);
                table.push([
                    Cell::text(system),
                    Cell::text(label.name()),
                    Cell::number(scores.precision, DECIMALS),
                    Cell::number(scores.recall, DECIMALS),
                    Cell::number(scores.f1, DECIMALS),
                    Cell::Count(scores.support),
                    Cell::Count(scores.predicted),
                ]);
            }
        }
        table
    }

    /// Word F1 where the gold is text.
    pub(super) fn word_f1_table(&self) -> Result<Table> {
        let mut table =
            Table::new("Word F1, mean over pages with 95 % interval over hosts", ["system", "P", "R", "F1"]);
        for system in self.systems() {
            let mean = |of: fn(&crate::eval::TextScores) -> f64| {
                let score = |result: &crate::harness::PageResult| result.scores.text.as_ref().map_or(0.0, of);
                self.bootstrap.mean(self.per_page(system, score))
            };
            table.push([
                Cell::text(system),
                Cell::number(mean(|scores| scores.precision)?.value, DECIMALS),
                Cell::number(mean(|scores| scores.recall)?.value, DECIMALS),
                Cell::score(&mean(|scores| scores.f1)?, DECIMALS),
            ]);
        }
        Ok(table)
    }

    /// ECE and Brier score of P(content), of the systems that give one.
    pub(super) fn calibration_table(&self) -> Result<Table> {
        let title = "Calibration of P(content), tokens pooled over all tests";
        let mut table = Table::new(title, ["system", "ECE", "Brier score", "tokens"]);
        for system in self.systems() {
            match self.calibration(system) {
                Some(calibration) => table.push([
                    Cell::text(system),
                    number_or_missing(calibration.expected_error()),
                    number_or_missing(calibration.brier()),
                    Cell::Count(calibration.weight()),
                ]),
                None => {
                    let missing = || Cell::missing("no probabilities");
                    table.push([Cell::text(system), missing(), missing(), missing()]);
                }
            }
        }
        Ok(table)
    }

    pub(super) fn calibration(&self, system: &str) -> Option<Calibration> {
        let mut of_pages = self.of_system(system).filter_map(|result| result.scores.calibration.as_ref());
        let first = of_pages.next()?.clone();
        Some(of_pages.fold(first, |mut sum, calibration| {
            sum += calibration;
            sum
        }))
    }
}

fn number_or_missing(value: Option<f64>) -> Cell {
    value.map_or_else(|| Cell::missing("no tokens"), |value| Cell::number(value, DECIMALS))
}

fn capitalized(level: Level) -> &'static str {
    match level {
        Level::Token => "Token",
        Level::Node => "Node",
    }
}

/// What each system is.
pub(super) fn systems(experiment: &Experiment) -> Table {
    let mut table = Table::new("Systems", ["system", "extractor", "settings"]);
    for system in &experiment.systems {
        table.push([Cell::text(&system.id), Cell::text(&system.extractor), Cell::text(settings(system))]);
    }
    table
}

fn settings(system: &System) -> String {
    let mut words = Vec::new();
    match &system.model {
        Some(ModelChoice::Preset(name)) => words.push(format!("model {name}")),
        Some(ModelChoice::Config(config)) => {
            let features: Vec<&str> = config.features.iter().map(|feature| feature.id.as_str()).collect();
            words.push(format!(
                "model over {:?}, {:?}, {:?}, sibling types {}, features {}",
                config.view,
                config.states,
                config.transition,
                if config.sibling_types { "yes" } else { "no" },
                features.join(" ")
            ));
        }
        None => {}
    }
    if let Some(inference) = &system.inference {
        words.push(format!("inference {inference:?}").to_lowercase());
    }
    if let Some(gibbs) = &system.gibbs {
        words.push(format!(
            "{} sweeps, burn-in {}, {} chain(s), page counts {}",
            gibbs.sweeps, gibbs.burn_in, gibbs.chains, gibbs.page_counts
        ));
    }
    words.extend(system.parameters.iter().map(|(name, value)| format!("{name} {value}")));
    words.join(", ")
}

/// Extractions that failed.
pub(super) fn failures(failures: &BTreeMap<String, BTreeMap<String, u64>>) -> Table {
    let mut table = Table::new("Failed extractions, scored as empty", ["system", "status", "extractions"]);
    for (system, by_status) in failures {
        for (status, &n) in by_status {
            table.push([Cell::text(system), Cell::text(status), Cell::Count(n)]);
        }
    }
    table
}

/// Pages left out.
pub(super) fn left_out(pages: &[(String, String)]) -> Table {
    let mut table = Table::new("Pages left out", ["page", "reason"]);
    for (page, reason) in pages {
        table.push([Cell::text(page), Cell::text(reason)]);
    }
    table
}

/// Sampler against exact posterior.
pub(super) fn convergence(rows: &[ConvergenceRow]) -> Table {
    let columns = [
        "sweeps",
        "page's own counts",
        "total variation",
        "of independent draws",
        "nodes whose best state differs",
        "pages",
        "nodes",
    ];
    let mut table = Table::new("Distance of Gibbs averages from the exact marginals", columns);
    for row in rows {
        table.push([
            Cell::Count(u64::from(row.sweeps)),
            Cell::text(if row.page_counts { "yes" } else { "no" }),
            Cell::number(row.total_variation, 4),
            Cell::number(row.independent, 4),
            Cell::number(row.argmax_differs, 4),
            Cell::Count(row.pages as u64),
            Cell::Count(row.nodes as u64),
        ]);
    }
    table
}
