//! The results of one split: its tables and figures.

use std::collections::{BTreeMap, BTreeSet};

use super::output::Output;
use super::{cut_units, faults};
use crate::dataset::labelled::GoldText;
use crate::error::Result;
use crate::eval::{Bootstrap, Confusion, Estimate, EvaluationView, LEAST_HOSTS};
use crate::harness::config::{Plot, Split};
use crate::harness::record::{PageResult, RunResults};
use crate::report::Table;
use crate::scoring::{Measure, Metric, ScoreName};

/// The views of the thesis's chapter 4, and the one that Boilerpipe's benchmark scores.
pub(super) const VIEWS: [EvaluationView; 4] =
    [EvaluationView::Complete, EvaluationView::MainText, EvaluationView::Content, EvaluationView::Article];

/// The metrics that count labels of units.
pub(super) const LEVELS: [Metric; 3] = [Metric::Tokens, Metric::Nodes, Metric::Bytes];

/// The results of one split.
pub(super) struct OfSplit<'a> {
    pub run: &'a RunResults,
    pub split: &'a Split,
    results: BTreeMap<&'a str, Vec<&'a PageResult>>,
    pub bootstrap: Bootstrap,
    /// Whether pages are drawn again and not hosts, of which there are too few.
    by_page: bool,
}

impl<'a> OfSplit<'a> {
    pub(super) fn new(run: &'a RunResults, split: &'a Split, bootstrap: Bootstrap) -> Self {
        let mut results: BTreeMap<&str, Vec<&PageResult>> = BTreeMap::new();
        for result in run.results.iter().filter(|result| result.split == split.id()) {
            results.entry(&result.system).or_default().push(result);
        }
        // An experiment of several splits has one unit for all, so that its tables can be compared.
        let splits = &run.record.experiment.splits;
        let is_alone = splits.len() == 1 && matches!(split, Split::AllPages { .. });
        let hosts: BTreeSet<&str> = results.values().flatten().map(|result| result.host.as_str()).collect();
        OfSplit { run, split, results, bootstrap, by_page: is_alone && hosts.len() < LEAST_HOSTS }
    }

    /// What intervals are over.
    pub(super) fn unit(&self) -> &'static str {
        if self.by_page { "pages, as there are fewer than five hosts" } else { "hosts" }
    }

    /// What a result is drawn again with.
    pub(super) fn cluster(&self, result: &'a PageResult) -> &'a str {
        if self.by_page { &result.page } else { &result.host }
    }

    /// The corpus that is tested.
    pub(super) fn dataset(&self) -> &'a str {
        self.run.record.experiment.dataset_of(self.split)
    }

    /// The systems in the experiment's order, without those that sweeps add.
    pub(super) fn systems(&self) -> impl DoubleEndedIterator<Item = &'a str> {
        self.run.record.experiment.systems.iter().map(|system| system.id.as_str())
    }

    pub(super) fn results_of(&self, system: &str) -> impl Iterator<Item = &'a PageResult> {
        self.results.get(system).into_iter().flatten().copied()
    }

    /// (host or page, score) of each page that has the score, the mean over its tests where a page is tested more than once.
    pub(super) fn per_page(&self, system: &str, score: ScoreName) -> Vec<(&'a str, f64)> {
        self.scored_pages(system, score).into_values().collect()
    }

    /// The same by the page's id.
    fn scored_pages(&self, system: &str, score: ScoreName) -> BTreeMap<&'a str, (&'a str, f64)> {
        let mut pages: BTreeMap<&str, (&str, f64, f64)> = BTreeMap::new();
        for result in self.results_of(system) {
            if let Some(value) = score.of(&result.scores) {
                let entry = pages.entry(&result.page).or_insert((self.cluster(result), 0.0, 0.0));
                entry.1 += value;
                entry.2 += 1.0;
            }
        }
        pages.into_iter().map(|(page, (host, sum, n))| (page, (host, sum / n))).collect()
    }

    /// The same of the pages of each type, where the corpus states it.
    pub(super) fn per_page_by_type(
        &self,
        system: &str,
        score: ScoreName,
    ) -> BTreeMap<&'a str, Vec<(&'a str, f64)>> {
        let type_of = |result: &'a PageResult| Some((result.page.as_str(), result.page_type.as_deref()?));
        let types: BTreeMap<&str, &str> = self.results_of(system).filter_map(type_of).collect();
        let mut by_type: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
        for (page, scored) in self.scored_pages(system, score) {
            if let Some(page_type) = types.get(page) {
                by_type.entry(page_type).or_default().push(scored);
            }
        }
        by_type
    }

    /// The mean over pages; nothing for a system that has this score on none of them.
    pub(super) fn mean(&self, system: &str, score: ScoreName) -> Result<Option<Estimate>> {
        let pages = self.per_page(system, score);
        if pages.is_empty() { Ok(None) } else { self.bootstrap.mean(pages).map(Some) }
    }

    /// The mean of the first system minus the second over the pages that both have the score of; nothing without such pages.
    pub(super) fn difference(&self, first: &str, second: &str, score: ScoreName) -> Result<Option<Estimate>> {
        let of_second = self.scored_pages(second, score);
        let pairs: Vec<(&str, f64, f64)> = self
            .scored_pages(first, score)
            .into_iter()
            .filter_map(|(page, (cluster, value))| Some((cluster, value, of_second.get(page)?.1)))
            .collect();
        if pairs.is_empty() { Ok(None) } else { self.bootstrap.paired_difference(pairs).map(Some) }
    }

    /// Host or page and counts of each result with labels.
    pub(super) fn counts(&self, system: &str, level: Metric) -> Vec<(&'a str, &'a Confusion)> {
        let counts = |result: &'a PageResult| {
            let scores = &result.scores;
            let counts = match level {
                Metric::Tokens => &scores.tokens,
                Metric::Nodes => &scores.nodes,
                _ => &scores.bytes,
            };
            counts.as_ref().map(|counts| (self.cluster(result), counts))
        };
        self.results_of(system).filter_map(counts).collect()
    }

    /// Whether any system has this score on any page.
    pub(super) fn has(&self, score: ScoreName) -> bool {
        self.results.values().flatten().any(|result| score.of(&result.scores).is_some())
    }

    /// The levels that were measured.
    pub(super) fn levels(&self) -> Vec<Metric> {
        let measured =
            |level: &Metric| self.has(ScoreName::from_labels(*level, EvaluationView::Content, Measure::F1));
        LEVELS.into_iter().filter(measured).collect()
    }

    /// The gold texts that were measured against.
    pub(super) fn gold_texts(&self) -> Vec<GoldText> {
        let mut known: Vec<GoldText> =
            self.results.values().flatten().flat_map(|result| result.scores.texts.keys().copied()).collect();
        known.sort_unstable();
        known.dedup();
        known
    }

    /// The one number that stands for the split in a table of several: F1 of the first text metric that the
    /// experiment asks for, else of main text at the first level.
    pub(super) fn main_score(&self) -> Option<ScoreName> {
        let metrics = &self.run.record.experiment.metrics;
        let texts = self.gold_texts();
        let of_text = metrics
            .iter()
            .filter(|metric| !metric.is_of_labels())
            .flat_map(|&metric| texts.iter().map(move |&gold| ScoreName::main_of_text(metric, gold)));
        let of_labels =
            metrics.iter().map(|&level| ScoreName::from_labels(level, EvaluationView::MainText, Measure::F1));
        of_text.chain(of_labels).find(|&score| self.has(score))
    }

    /// What calibration is of: a reference text does not tell other content from the rest.
    pub(super) fn event(&self) -> &'static str {
        if self.levels().contains(&Metric::Tokens) { "content" } else { "article" }
    }

    /// The tables that say how good the systems are, the first thing to look at.
    pub(super) fn main_tables(&self) -> Result<Vec<Table>> {
        let levels = self.levels();
        let of_labels = levels.iter().map(|&level| self.scores_table(level));
        let of_text = self.text_tables()?.into_iter().map(|(_, table)| Ok(table));
        of_labels
            .chain(of_text)
            .chain(faults::table(&[self]).map(Ok))
            .chain(cut_units::table(self).map(Ok))
            .collect()
    }

    /// The scores of text against each gold text that was measured against.
    fn text_tables(&self) -> Result<Vec<(GoldText, Table)>> {
        let of_gold = |gold: GoldText| Ok((gold, self.text_table(gold)?));
        let mut tables: Vec<_> = self.gold_texts().into_iter().map(of_gold).collect::<Result<_>>()?;
        tables.retain(|(_, table)| table.columns().len() > 1);
        Ok(tables)
    }

    pub(super) fn write(&self, output: &mut Output<'_>) -> Result<()> {
        let id = self.split.id();
        let plots = &self.run.record.experiment.plots;
        let heading = if self.is_alone() { "Scores".to_owned() } else { format!("Split '{id}'") };
        output.section(&heading, &format!("{}: {}.", self.dataset(), self.split.describe()));
        for level in self.levels() {
            let unit = level.name().trim_end_matches('s');
            output.table(&format!("{id}-{unit}"), self.scores_table(level)?)?;
            let name = format!("{id}-{unit}-precision-recall");
            output.table(&name, self.precision_recall_table(level)?)?;
            output.table(&format!("{id}-{unit}-pooled"), self.pooled_table(level)?)?;
        }
        for (gold, table) in self.text_tables()? {
            output.table(&format!("{id}-text-{}", gold.name()), table)?;
        }
        if self.has(ScoreName::region_accuracy()) {
            output.table(&format!("{id}-region-accuracy"), self.region_accuracy_table()?)?;
        }
        self.write_losses(output)?;
        if plots.contains(&Plot::Distribution) {
            self.part(output, "Pages");
            self.write_distributions(output)?;
        }
        if self.levels().contains(&Metric::Tokens) {
            self.part(output, "Labels");
            output.table(&format!("{id}-token-labels"), self.labels_table(Metric::Tokens)?)?;
            self.write_label_figures(output)?;
        }
        self.write_calibration(output)
    }

    /// Whether the experiment has no other split, so that its parts are sections of their own.
    fn is_alone(&self) -> bool {
        self.run.record.experiment.splits.len() == 1
    }

    /// Begins a section for a part of the split, if it is alone.
    pub(super) fn part(&self, output: &mut Output<'_>, heading: &str) {
        if self.is_alone() {
            output.section(heading, "");
        }
    }

    /// Where systems lose.
    fn write_losses(&self, output: &mut Output<'_>) -> Result<()> {
        let id = self.split.id();
        let tables = [
            ("worst", self.worst_table()),
            ("faults", faults::table(&[self])),
            ("cut-units", cut_units::table(self)),
        ];
        if tables.iter().any(|(_, table)| table.is_some()) {
            self.part(output, "What is lost, and where");
        }
        for (name, table) in tables {
            if let Some(table) = table {
                output.table(&format!("{id}-{name}"), table)?;
            }
        }
        Ok(())
    }

    fn write_distributions(&self, output: &mut Output<'_>) -> Result<()> {
        let id = self.split.id();
        if self.levels().contains(&Metric::Tokens) {
            let score = ScoreName::from_labels(Metric::Tokens, EvaluationView::MainText, Measure::F1);
            let caption = "Distribution of F1 over pages: token level, main text.";
            output.figure(&format!("{id}-distribution"), &self.distribution(score), caption)?;
        }
        for gold in self.gold_texts().into_iter().take(1) {
            for metric in [Metric::Words, Metric::WordsAndCharacters, Metric::Bigrams] {
                let score = ScoreName::from_text(metric, gold, Measure::F1);
                if self.has(score) {
                    let name = format!("{id}-{}-f1", metric.name());
                    let caption = format!("F1 of each page: {}.", score.describe());
                    output.figure(&name, &self.distribution(score), &caption)?;
                }
            }
            if Metric::OF_MARKDOWN.iter().any(|&metric| self.has(ScoreName::main_of_text(metric, gold))) {
                let caption = "How near the Markdown is to the reference, of each page: its text, code, formulas and tables.";
                output.figure(&format!("{id}-markdown"), &self.markdown_grid(gold), caption)?;
            }
        }
        Ok(())
    }

    fn write_label_figures(&self, output: &mut Output<'_>) -> Result<()> {
        let id = self.split.id();
        let plots = &self.run.record.experiment.plots;
        if plots.contains(&Plot::Ranked) {
            for level in self.levels().into_iter().filter(|&level| level != Metric::Bytes) {
                let unit = level.name().trim_end_matches('s');
                for view in &VIEWS[..3] {
                    let name = format!("{id}-{unit}-{}-f1", view.name());
                    let caption = format!("F1 of each page, ordered by F1: {unit} level, {}.", view.name());
                    let score = ScoreName::from_labels(level, *view, Measure::F1);
                    output.figure(&name, &self.ranked(score, "F1"), &caption)?;
                }
            }
            for (measure, title) in [(Measure::Recall, "Recall"), (Measure::Precision, "Precision")] {
                let name = format!("{id}-token-content-{}", measure.name());
                let caption = format!("{title} of each page, ordered: token level, content.");
                let score = ScoreName::from_labels(Metric::Tokens, EvaluationView::Content, measure);
                output.figure(&name, &self.ranked(score, title), &caption)?;
            }
        }
        if plots.contains(&Plot::Labels) {
            let caption = "Precision, recall and F1 of each label: token level, pooled.";
            output.figure(&format!("{id}-labels"), &self.label_bars(), caption)?;
        }
        Ok(())
    }

    /// How far what systems say of text and of pages can be believed.
    fn write_calibration(&self, output: &mut Output<'_>) -> Result<()> {
        let id = self.split.id();
        let plots = &self.run.record.experiment.plots;
        let (reliability, confidence) = (self.reliability(), self.confidence_table()?);
        if reliability.is_some() || confidence.is_some() {
            self.part(output, "How far systems can be believed");
        }
        if let Some(figure) = reliability {
            if plots.contains(&Plot::Reliability) {
                let caption = "How often tokens are content where a system says so: probabilities to be believed \
                               lie on the diagonal.";
                output.figure(&format!("{id}-reliability"), &figure, caption)?;
            }
            output.table(&format!("{id}-calibration"), self.calibration_table()?)?;
        }
        if let Some(table) = confidence {
            output.table(&format!("{id}-confidence"), table)?;
        }
        if plots.contains(&Plot::Reliability) {
            for (name, figure, caption) in self.confidence_figures()? {
                output.figure(&format!("{id}-{name}"), &figure, caption)?;
            }
        }
        Ok(())
    }
}
