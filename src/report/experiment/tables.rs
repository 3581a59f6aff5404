//! The tables of a run.

use std::collections::BTreeMap;

use super::faults;
use super::of_split::{OfSplit, VIEWS};
use crate::dataset::labelled::GoldText;
use crate::error::Result;
use crate::eval::{Calibration, Confusion, EvaluationView, Scores, ShingleSums};
use crate::harness::config::{ModelChoice, Reduced, System};
use crate::harness::provenance::Provenance;
use crate::harness::record::{CorpusRecord, PageResult, RunRecord};
use crate::label::Label;
use crate::model::Decision;
use crate::report::{Best, Cell, Table};
use crate::scoring::{Measure, Metric, ScoreName};

/// Decimals of scores.
pub(super) const DECIMALS: usize = 3;

/// The pages listed where a system does worst.
const WORST: usize = 20;

fn not_applicable() -> Cell {
    Cell::missing("n/a")
}

impl OfSplit<'_> {
    fn mean_cell(&self, system: &str, score: ScoreName) -> Result<Cell> {
        Ok(match self.mean(system, score)? {
            Some(estimate) => Cell::score(&estimate, DECIMALS),
            None => not_applicable(),
        })
    }

    /// Mean F1 over pages with intervals, for each system and view.
    pub(super) fn scores_table(&self, level: Metric) -> Result<Table> {
        let title = format!(
            "{} level, F1, mean over pages with 95 % interval over {}",
            capitalized(level),
            self.unit()
        );
        let columns =
            std::iter::once("system").chain(VIEWS.map(|view| view.name())).chain(["exact-type accuracy"]);
        let mut table = Table::new(title, columns);
        for system in self.systems() {
            let mut row = vec![Cell::text(system)];
            for view in VIEWS {
                row.push(self.mean_cell(system, ScoreName::from_labels(level, view, Measure::F1))?);
            }
            let accuracy = ScoreName::from_labels(level, EvaluationView::Complete, Measure::Accuracy);
            row.push(self.mean_cell(system, accuracy)?);
            table.push(row);
        }
        mark_highest(&mut table);
        Ok(table)
    }

    /// Mean precision and recall over pages, for each system and view.
    pub(super) fn precision_recall_table(&self, level: Metric) -> Result<Table> {
        let title = format!(
            "{} level, precision and recall, mean over pages with 95 % interval over {}",
            capitalized(level),
            self.unit()
        );
        let of_view =
            |view: EvaluationView| [Measure::Precision, Measure::Recall].map(|measure| (view, measure));
        let pairs: Vec<(EvaluationView, Measure)> = VIEWS.into_iter().flat_map(of_view).collect();
        let names = pairs.iter().map(|(view, measure)| format!("{view} {}", measure.name()));
        let mut table = Table::new(title, std::iter::once("system".to_owned()).chain(names));
        for system in self.systems() {
            let mut row = vec![Cell::text(system)];
            for &(view, measure) in &pairs {
                row.push(self.mean_cell(system, ScoreName::from_labels(level, view, measure))?);
            }
            table.push(row);
        }
        mark_highest(&mut table);
        Ok(table)
    }

    /// Pooled F1, where every token, node or byte counts the same.
    pub(super) fn pooled_table(&self, level: Metric) -> Result<Table> {
        let title = format!(
            "{} level, pooled over all tests, F1 with 95 % interval over {}",
            capitalized(level),
            self.unit()
        );
        let columns =
            std::iter::once("system").chain(VIEWS.map(|view| view.name())).chain(["exact-type accuracy"]);
        let mut table = Table::new(title, columns);
        for system in self.systems() {
            let counts = self.counts(system, level);
            let pooled = |score: &dyn Fn(&Confusion) -> f64| {
                if counts.is_empty() {
                    return Ok(not_applicable());
                }
                let estimate = self.bootstrap.pooled(counts.iter().copied(), score)?;
                Ok::<_, crate::Error>(Cell::score(&estimate, DECIMALS))
            };
            let mut row = vec![Cell::text(system)];
            for view in VIEWS {
                row.push(pooled(&|counts| counts.scores(view).f1)?);
            }
            row.push(pooled(&Confusion::accuracy)?);
            table.push(row);
        }
        mark_highest(&mut table);
        Ok(table)
    }

    /// Precision, recall and F1 of each label, pooled.
    pub(super) fn labels_table(&self, level: Metric) -> Result<Table> {
        let title = format!(
            "{} level, each label, pooled over all tests, with 95 % interval over {}",
            capitalized(level),
            self.unit()
        );
        let mut table = Table::new(title, ["system", "label", "P", "R", "F1", "gold", "predicted"]);
        for system in self.systems() {
            let counts = self.counts(system, level);
            if counts.is_empty() {
                continue;
            }
            let all: Confusion = counts.iter().map(|(_, counts)| **counts).sum();
            for label in Label::ALL {
                let measures: [fn(&Scores) -> f64; 3] = [|s| s.precision, |s| s.recall, |s| s.f1];
                let mut row = vec![Cell::text(system), Cell::text(label.name())];
                for of in measures {
                    let score = |counts: &Confusion| of(&counts.label_scores(label));
                    let estimate = self.bootstrap.pooled(counts.iter().copied(), score)?;
                    row.push(Cell::score(&estimate, DECIMALS));
                }
                let scores = all.label_scores(label);
                row.extend([Cell::Count(scores.support), Cell::Count(scores.predicted)]);
                table.push(row);
            }
        }
        Ok(table)
    }

    /// Scores of the extracted text against one gold text.
    pub(super) fn text_table(&self, gold: GoldText) -> Result<Table> {
        let title =
            format!("Text, gold: {}, mean over pages with 95 % interval over {}", gold.name(), self.unit());
        let score = |metric, measure| ScoreName::from_text(metric, gold, measure);
        let has = |metric: Metric| {
            let measures = [Measure::F1, Measure::Recall, Measure::Similarity];
            measures.iter().any(|&measure| self.has(score(metric, measure)))
        };
        let mut columns = vec!["system"];
        for (metric, names) in [
            (Metric::Words, &["words P", "words R", "words F1"][..]),
            (
                Metric::WordsAndCharacters,
                &["words and characters P", "words and characters R", "words and characters F1"],
            ),
            (Metric::Bigrams, &["bigrams P", "bigrams R", "bigrams F1"]),
            (Metric::Shingles, &["shingles F1 (of mean P and R)"]),
            (Metric::RougeLsum, &["ROUGE-LSum F1"]),
            (Metric::Snippets, &["snippets found", "unwanted snippets absent"]),
            (Metric::TextEdit, &["text edit"]),
            (Metric::CodeEdit, &["code edit"]),
            (Metric::FormulaEdit, &["formula edit"]),
            (Metric::TableEdit, &["table edit"]),
            (Metric::Teds, &["TEDS"]),
        ] {
            if has(metric) {
                columns.extend(names);
            }
        }
        let mut table = Table::new(title, columns);
        for system in self.systems() {
            let mut row = vec![Cell::text(system)];
            for metric in [Metric::Words, Metric::WordsAndCharacters, Metric::Bigrams] {
                if has(metric) {
                    for measure in [Measure::Precision, Measure::Recall, Measure::F1] {
                        row.push(self.mean_cell(system, score(metric, measure))?);
                    }
                }
            }
            if has(Metric::Shingles) {
                row.push(self.shingles_cell(system, gold)?);
            }
            if has(Metric::RougeLsum) {
                row.push(self.mean_cell(system, score(Metric::RougeLsum, Measure::F1))?);
            }
            if has(Metric::Snippets) {
                row.push(self.mean_cell(system, score(Metric::Snippets, Measure::Recall))?);
                row.push(self.mean_cell(system, score(Metric::Snippets, Measure::Precision))?);
            }
            for metric in Metric::OF_MARKDOWN.into_iter().filter(|&metric| has(metric)) {
                row.push(self.mean_cell(system, score(metric, Measure::Similarity))?);
            }
            table.push(row);
        }
        mark_highest(&mut table);
        Ok(table)
    }

    /// The benchmark's own number: F1 of mean precision and mean recall.
    fn shingles_cell(&self, system: &str, gold: GoldText) -> Result<Cell> {
        let sums =
            |result: &PageResult| Some(ShingleSums::from(result.scores.texts.get(&gold)?.shingles.as_ref()?));
        let pages: Vec<(&str, ShingleSums)> = self
            .results_of(system)
            .filter_map(|result| Some((self.cluster(result), sums(result)?)))
            .collect();
        let mut all = ShingleSums::default();
        pages.iter().for_each(|(_, page)| all += page);
        if all.summary().is_none() {
            return Ok(not_applicable());
        }
        let f1 = |sums: &ShingleSums| sums.summary().map_or(0.0, |of| of.f1);
        let estimate = self.bootstrap.pooled(pages.iter().map(|(host, page)| (*host, page)), f1)?;
        Ok(Cell::score(&estimate, DECIMALS))
    }

    /// Region accuracy.
    pub(super) fn region_accuracy_table(&self) -> Result<Table> {
        let title = "Region accuracy (Pappas et al. 2012, equation 4) of full text and comments";
        let mut table = Table::new(
            title,
            ["system".to_owned(), format!("RA, mean over pages with 95 % interval over {}", self.unit())],
        );
        for system in self.systems() {
            table.push([Cell::text(system), self.mean_cell(system, ScoreName::region_accuracy())?]);
        }
        mark_highest(&mut table);
        Ok(table)
    }

    /// The pages where the last probability model of the experiment does worst, or without one the best system, by the
    /// split's main score, with what was expected there.
    pub(super) fn worst_table(&self) -> Option<Table> {
        let score = self.main_score()?;
        let mean = |system: &str| {
            let pages = self.per_page(system, score);
            pages.iter().map(|page| page.1).sum::<f64>() / pages.len().max(1) as f64
        };
        let expects = |system: &&str| self.results_of(system).any(|page| page.scores.confidence.is_some());
        // The first of equals.
        let best = || self.systems().rev().max_by(|a, b| mean(a).total_cmp(&mean(b)));
        let system = self.systems().rev().find(expects).or_else(best)?;
        let mut pages: Vec<(&PageResult, f64)> =
            self.results_of(system).filter_map(|page| Some((page, score.of(&page.scores)?))).collect();
        pages.sort_by(|a, b| a.1.total_cmp(&b.1));
        let title = format!("The pages where {system} does worst: {}", score.describe());
        // The similarity of Markdown has neither precision nor recall, and no system expects it.
        let is_f1 = score.measure() == Measure::F1;
        let columns = match is_f1 {
            true => &["page", "host", "status", "P", "R", "F1", "expected"][..],
            false => &["page", "host", "status", score.measure().name()],
        };
        let has_faults = pages.iter().any(|(page, _)| faults::of_page(page).is_some());
        let more = has_faults.then_some("main fault");
        let mut table = Table::new(title, columns.iter().copied().chain(more));
        let number = |value: Option<f64>| match value {
            Some(value) => Cell::Number { value, decimals: DECIMALS },
            None => not_applicable(),
        };
        for (page, value) in pages.into_iter().take(WORST) {
            let of = |measure| number(score.with(measure).of(&page.scores));
            let mut row = vec![Cell::text(&page.page), Cell::text(&page.host), Cell::text(&page.status)];
            if is_f1 {
                row.extend([of(Measure::Precision), of(Measure::Recall)]);
            }
            row.push(number(Some(value)));
            if is_f1 {
                row.push(number(page.scores.confidence));
            }
            let fault = faults::of_page(page).map(faults::main_fault).unwrap_or_default();
            table.push(row.into_iter().chain(more.map(|_| Cell::text(fault))));
        }
        Some(table)
    }

    /// ECE and Brier score of P(content), of the systems that give one.
    pub(super) fn calibration_table(&self) -> Result<Table> {
        let title = format!(
            "Calibration of P({}), tokens pooled over all tests, with 95 % interval over {}",
            self.event(),
            self.unit()
        );
        let mut table = Table::new(title, ["system", "ECE", "Brier score", "tokens"]);
        for system in self.systems() {
            let of_pages: Vec<(&str, &Calibration)> = self
                .results_of(system)
                .filter_map(|result| Some((self.cluster(result), result.scores.calibration.as_ref()?)))
                .collect();
            let mut row = vec![Cell::text(system)];
            match self.calibration(system) {
                Some(all) if all.weight() > 0 => {
                    for of in [Calibration::expected_error, Calibration::brier] {
                        let score = |sum: &Calibration| of(sum).unwrap_or(0.0);
                        let estimate = self.bootstrap.pooled(of_pages.iter().copied(), score)?;
                        row.push(Cell::score(&estimate, DECIMALS));
                    }
                    row.push(Cell::Count(all.weight()));
                }
                _ => row.extend([(); 3].map(|()| Cell::missing("no probabilities"))),
            }
            table.push(row);
        }
        [1, 2].iter().for_each(|&column| table.mark_best(column, Best::Lowest));
        Ok(table)
    }

    pub(super) fn calibration(&self, system: &str) -> Option<Calibration> {
        let mut of_pages = self.results_of(system).filter_map(|result| result.scores.calibration.as_ref());
        let first = of_pages.next()?.clone();
        Some(of_pages.fold(first, |mut sum, calibration| {
            sum += calibration;
            sum
        }))
    }
}

/// Marks the highest score of each column but the first, which names the systems.
pub(super) fn mark_highest(table: &mut Table) {
    (1..table.columns().len()).for_each(|column| table.mark_best(column, Best::Highest));
}

fn capitalized(level: Metric) -> &'static str {
    match level {
        Metric::Nodes => "Node",
        Metric::Bytes => "Byte",
        _ => "Token",
    }
}

/// What each system is.
pub(super) fn systems(record: &RunRecord) -> Table {
    let mut table = Table::new("Systems", ["system", "extractor", "version", "settings"]);
    for system in &record.experiment.systems {
        let version = record.versions.get(&system.id).map_or("", String::as_str);
        table.push([&system.id, &system.extractor, version, &settings(system)].map(Cell::text));
    }
    table
}

/// The corpora.
pub(super) fn corpora(corpora: &BTreeMap<String, CorpusRecord>) -> Table {
    let mut table = Table::new("Corpora", ["corpus", "pages", "hosts", "left out", "checksum"]);
    for corpus in corpora.values() {
        table.push([
            Cell::text(&corpus.dataset),
            Cell::Count(corpus.pages as u64),
            Cell::Count(corpus.hosts as u64),
            Cell::Count(corpus.left_out.len() as u64),
            Cell::text(&corpus.checksum),
        ]);
    }
    table
}

/// How long each system took.
pub(super) fn times(provenance: &Provenance) -> Table {
    let title = "Time of extraction alone, without parsing and scoring, summed over threads";
    let mut table = Table::new(title, ["system", "pages extracted in this run", "seconds", "ms a page"]);
    for (system, pages, seconds) in &provenance.systems {
        table.push([
            Cell::text(system),
            Cell::Count(*pages),
            Cell::number(*seconds, 2),
            if *pages == 0 {
                Cell::missing("taken from an earlier run")
            } else {
                Cell::number(seconds * 1e3 / *pages as f64, 3)
            },
        ]);
    }
    table
}

fn settings(system: &System) -> String {
    let mut words = Vec::new();
    match &system.model {
        Some(ModelChoice::Preset(name)) => words.push(format!("model {name}")),
        Some(ModelChoice::Reduced(Reduced { preset, without })) => {
            words.push(format!("model {preset} without {}", without.join(", ")));
        }
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
    if let Some(learning) = &system.learning {
        words.push(if learning.weights { "learned weights" } else { "no weights" }.to_owned());
    }
    match system.decision {
        Some(Decision::MostProbable) => words.push("most probable labels".to_owned()),
        Some(Decision::Threshold { probability }) => words.push(format!("threshold {probability}")),
        Some(Decision::ExpectedF { beta }) => words.push(format!("largest expected F{beta}")),
        None => {}
    }
    if let Some(adapt) = &system.adapt {
        words.push(format!("adapted to sites, {} pages labelled", adapt.labelled_pages));
    }
    if let Some(inference) = &system.inference {
        words.push(format!("inference {inference:?}").to_lowercase());
    }
    if let Some(gibbs) = &system.gibbs {
        words.push(format!(
            "{} sweeps, burn-in {}, {} chain(s), kernel {:?}, parameters {:?}",
            gibbs.sweeps, gibbs.burn_in, gibbs.chains, gibbs.kernel, gibbs.parameters
        ));
    }
    words.extend(system.parameters.iter().map(|(name, value)| format!("{name} {value}")));
    words.join(", ")
}

/// Extractions that failed or did not apply.
pub(super) fn failures(failures: &BTreeMap<String, BTreeMap<String, BTreeMap<String, u64>>>) -> Table {
    let title = "Failed extractions, scored as empty; n/a: not applicable, in no mean";
    let mut table = Table::new(title, ["split", "system", "status", "extractions"]);
    for (split, by_system) in failures {
        for (system, by_status) in by_system {
            for (status, &n) in by_status {
                table.push([Cell::text(split), Cell::text(system), Cell::text(status), Cell::Count(n)]);
            }
        }
    }
    table
}

/// Pages left out.
pub(super) fn left_out(corpora: &BTreeMap<String, CorpusRecord>) -> Table {
    let mut table = Table::new("Pages left out", ["corpus", "page", "reason"]);
    for corpus in corpora.values() {
        for (page, reason) in &corpus.left_out {
            table.push([&corpus.dataset, page, reason].map(Cell::text));
        }
    }
    table
}
