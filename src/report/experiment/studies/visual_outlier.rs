//! The study of visual outliers beside what its paper published: tables 1 and 2, figures 2 and 3.

use crate::error::Result;
use crate::extract::visual_outlier::CurvePoint;
use crate::harness::record::RunResults;
use crate::report::experiment::output::Output;
use crate::report::figures::{BandPoint, BandSeries, LinesWithBand};
use crate::report::{Cell, Table};
use crate::studies::results_of;
use crate::studies::visual_outlier::{
    DetectorResult, PageSet, ScoreBin, SetResult, VisualOutlierResults, VisualOutlierStudy,
};

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    let Some(found) = results_of::<VisualOutlierStudy>(run)? else { return Ok(()) };
    output.section("Visual outliers", INTRODUCTION);
    for (name, table) in tables(&found) {
        output.table(&name, table)?;
    }
    for (name, figure, caption) in figures(&found) {
        output.figure(&name, &figure, &caption)?;
    }
    Ok(())
}

/// Decimals of scores: the paper's.
const DECIMALS: usize = 4;
/// The detector of figure 2, and those of figure 3.
const FIGURE_2: &str = "200-NN";
const FIGURE_3: [&str; 3] = ["200-NN", "500-NN", "HBOS"];
/// What stands for no detector.
const NO_FILTER: &str = "none";

/// What stands above the tables.
const INTRODUCTION: &str = "Nodes that an extractor found are deleted in the order of their visual anomaly scores \
    (Potvin & Villemaire 2018). Tables 1 and 2 stop where the mean F1 at the assumed recalls is highest, which takes gold; \
    table 3 stops where F1 at the measured recall is highest, and at stated shares of the nodes, which takes none. \
    Precision and recall are of bytes of text.";

/// The tables of the study with the names of their files: for each set 1 (scores), 2 (increase), 3 (measured recall and
/// stated shares); then the sets.
pub fn tables(results: &VisualOutlierResults) -> Vec<(String, Table)> {
    let mut tables = Vec::new();
    for set in sets(results) {
        let name = set[0].set.name();
        tables.push((format!("visual-outlier-table-1-{name}"), scores(results, &set)));
        tables.push((format!("visual-outlier-table-2-{name}"), increase(results, &set)));
        tables.push((format!("visual-outlier-table-3-{name}"), stops(results, &set)));
    }
    tables.push(("visual-outlier-sets".to_owned(), overview(results)));
    tables
}

/// The figures with the names of their files and captions: for each set and extractor 2 (distribution of scores) and 3 (F1
/// by nodes deleted) at the lowest and highest assumed recall and at the measured one.
pub fn figures(results: &VisualOutlierResults) -> Vec<(String, LinesWithBand, String)> {
    let mut figures = Vec::new();
    for result in &results.sets {
        let name = format!("{}-{}", result.set.name(), result.extractor);
        if let Some(detector) = result.detectors.iter().find(|detector| detector.name == FIGURE_2) {
            let caption = "The paper's figure 2, nodes by anomaly score: the share of true and of false positives that score at \
                           least so much."
                .to_owned();
            figures.push((
                format!("visual-outlier-figure-2-{name}"),
                distribution(result, detector),
                caption,
            ));
        }
        let recalls = &results.study.recalls;
        let ends = [recalls.first(), recalls.last()].into_iter().flatten();
        let assumed = ends.map(|&recall| (format!("{:.0}", recall * 100.0), recall, "assumed"));
        for (part, recall, kind) in assumed.chain([("measured".to_owned(), result.recall, "measured")]) {
            let caption = "The paper's figure 3: F1 while nodes are deleted.".to_owned();
            let figure = course(result, recall, kind);
            if !figure.series.is_empty() {
                figures.push((format!("visual-outlier-figure-3-{part}-{name}"), figure, caption));
            }
        }
    }
    figures
}

/// The results of each set, its extractors together.
fn sets(results: &VisualOutlierResults) -> Vec<Vec<&SetResult>> {
    let of = |set: &PageSet| results.sets.iter().filter(|result| result.set == *set).collect::<Vec<_>>();
    results.study.sets.iter().map(of).filter(|set| !set.is_empty()).collect()
}

fn describe(set: &SetResult) -> String {
    let groups = match set.groups {
        1 => "together".to_owned(),
        n => format!("of {n} sites, each by itself"),
    };
    format!("{}, {} pages {groups}", set.set.dataset, set.pages)
}

/// The rows of a set: each extractor before deletion, then at the best stop of each detector.
fn rows<'a>(set: &[&'a SetResult]) -> Vec<(&'a SetResult, &'a str, CurvePoint)> {
    let of = |result: &'a SetResult| {
        let detectors = result.detectors.iter().map(move |d| (result, d.name.as_str(), d.best));
        std::iter::once((result, NO_FILTER, result.start)).chain(detectors)
    };
    set.iter().copied().flat_map(of).collect()
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn published(value: Option<f64>, decimals: usize) -> Cell {
    value.map_or_else(|| Cell::missing("not in the paper"), |value| Cell::number(value, decimals))
}

fn scores(results: &VisualOutlierResults, set: &[&SetResult]) -> Table {
    let mut columns: Vec<String> = ["extractor", "detector", "P", "P, paper"].map(String::from).into();
    for recall in &results.study.recalls {
        columns.extend([
            format!("R of {recall}"),
            format!("F1 of {recall}"),
            format!("F1 of {recall}, paper"),
        ]);
    }
    columns.extend(["R, measured", "F1, measured"].map(String::from));
    columns.extend(
        ["nodes deleted (%)", "paper (nodes)", "bytes deleted (%)", "paper (bytes)"].map(String::from),
    );
    let title = format!("Table 1: F1 at the best stop; {}", describe(set[0]));
    let mut table = Table::new(title, columns);
    let tables = results.study.published.as_ref();
    let at_recall = |recall: f64, f1: Option<&[f64]>| tables?.at_recall(recall, f1?);
    for (result, detector, point) in rows(set) {
        let paper = tables.and_then(|tables| tables.scores(&result.extractor, detector));
        let mut row = vec![Cell::text(&result.extractor), Cell::text(detector)];
        row.push(Cell::number(point.precision, DECIMALS));
        row.push(published(paper.map(|paper| paper.precision), DECIMALS));
        for &recall in &results.study.recalls {
            row.push(Cell::number(point.recall(recall), DECIMALS));
            row.push(Cell::number(point.f1(recall), DECIMALS));
            row.push(published(at_recall(recall, paper.map(|paper| &*paper.f1)), DECIMALS));
        }
        row.push(Cell::number(point.recall(result.recall), DECIMALS));
        row.push(Cell::number(point.f1(result.recall), DECIMALS));
        row.push(Cell::number(percent(point.nodes, result.nodes), 2));
        row.push(published(paper.map(|paper| paper.nodes_deleted), 2));
        row.push(Cell::number(percent(point.bytes, result.bytes), 2));
        row.push(published(paper.map(|paper| paper.bytes_deleted), 2));
        table.push(row);
    }
    table
}

fn increase(results: &VisualOutlierResults, set: &[&SetResult]) -> Table {
    let mut columns: Vec<String> =
        ["extractor", "detector", "P", "P, paper", "R", "R, paper"].map(String::from).into();
    for recall in &results.study.recalls {
        columns.extend([format!("F1 of {recall}"), format!("F1 of {recall}, paper")]);
    }
    columns.push("F1, measured".to_owned());
    let title = format!("Table 2: increase in % at the best stop; {}", describe(set[0]));
    let mut table = Table::new(title, columns);
    let change = |after: f64, before: f64| match before > 0.0 {
        true => Cell::number(100.0 * (after / before - 1.0), 2),
        false => Cell::missing("0 before"),
    };
    let tables = results.study.published.as_ref();
    let at_recall = |recall: f64, f1: Option<&[f64]>| tables?.at_recall(recall, f1?);
    for (result, detector, point) in rows(set).into_iter().filter(|(_, detector, _)| *detector != NO_FILTER) {
        let paper = tables.and_then(|tables| tables.increase(&result.extractor, detector));
        let start = &result.start;
        let mut row = vec![Cell::text(&result.extractor), Cell::text(detector)];
        row.push(change(point.precision, start.precision));
        row.push(published(paper.map(|paper| paper.precision), 2));
        row.push(change(point.kept, start.kept));
        row.push(published(paper.map(|paper| paper.recall), 2));
        for &recall in &results.study.recalls {
            row.push(change(point.f1(recall), start.f1(recall)));
            row.push(published(at_recall(recall, paper.map(|paper| &*paper.f1)), 2));
        }
        row.push(change(point.f1(result.recall), start.f1(result.recall)));
        table.push(row);
    }
    table
}

fn stops(results: &VisualOutlierResults, set: &[&SetResult]) -> Table {
    let columns = ["extractor", "detector", "stop", "P", "R", "F1", "nodes deleted (%)", "bytes deleted (%)"];
    let title = format!("Table 3: measured recall, best stop and stated shares; {}", describe(set[0]));
    let mut table = Table::new(title, columns);
    let mut push = |result: &SetResult, detector: &str, stop: String, point: &CurvePoint| {
        table.push([
            Cell::text(&result.extractor),
            Cell::text(detector),
            Cell::text(stop),
            Cell::number(point.precision, DECIMALS),
            Cell::number(point.recall(result.recall), DECIMALS),
            Cell::number(point.f1(result.recall), DECIMALS),
            Cell::number(percent(point.nodes, result.nodes), 2),
            Cell::number(percent(point.bytes, result.bytes), 2),
        ]);
    };
    for result in set {
        push(result, NO_FILTER, "nothing deleted".to_owned(), &result.start);
        for detector in &result.detectors {
            push(result, &detector.name, "best F1 (gold)".to_owned(), &detector.best_measured);
            for (share, point) in results.study.contaminations.iter().zip(&detector.stated) {
                push(result, &detector.name, format!("share {share}"), point);
            }
        }
    }
    table
}

fn overview(results: &VisualOutlierResults) -> Table {
    let columns = [
        "set",
        "extractor",
        "pages",
        "groups",
        "without layout",
        "refused",
        "nodes",
        "of these content",
        "bytes",
        "nodes without style",
        "unknown values",
        "P",
        "R",
    ];
    let mut table = Table::new("The nodes that are ranked", columns);
    for result in &results.sets {
        let mut row = vec![Cell::text(result.set.name()), Cell::text(&result.extractor)];
        row.extend(
            [
                result.pages,
                result.groups,
                result.without_layout,
                result.refused,
                result.nodes,
                result.content_nodes,
                result.bytes,
                result.without_style,
                result.unknown_values,
            ]
            .map(Cell::Count),
        );
        row.push(Cell::number(result.start.precision, DECIMALS));
        row.push(Cell::number(result.recall, DECIMALS));
        table.push(row);
    }
    table
}

/// The share of true and of false positives by the least score. Most nodes look like many others and score next to
/// nothing, so that their numbers by score, as the paper draws them, would show one peak.
fn distribution(result: &SetResult, detector: &DetectorResult) -> LinesWithBand {
    let line = |name: &str, count: fn(&ScoreBin) -> u64| {
        let total: u64 = detector.scores.iter().map(count).sum();
        let from = |bin: usize| detector.scores[bin..].iter().map(count).sum::<u64>();
        let point =
            |bin: usize| BandPoint { x: detector.scores[bin].from, y: percent(from(bin), total), band: None };
        BandSeries { name: name.to_owned(), points: (1..detector.scores.len()).map(point).collect() }
    };
    LinesWithBand {
        title: format!("Extracted nodes by anomaly score: {}", detector.name),
        subtitle: format!("{}, {}", result.extractor, describe(result)),
        x_label: "anomaly score".to_owned(),
        log_x: false,
        diagonal: false,
        y_label: "nodes with this score or more [%]".to_owned(),
        log_y: false,
        series: vec![line("true positives", |bin| bin.content), line("false positives", |bin| bin.other)],
    }
}

fn course(result: &SetResult, recall: f64, kind: &str) -> LinesWithBand {
    let point = |point: &CurvePoint| BandPoint {
        x: percent(point.nodes, result.nodes),
        y: point.f1(recall),
        band: None,
    };
    let drawn = result.detectors.iter().filter(|detector| FIGURE_3.contains(&&*detector.name));
    let line = |detector: &DetectorResult| {
        // A step may delete nothing where there are fewer nodes than steps.
        let mut points: Vec<BandPoint> = detector.curve.iter().map(point).collect();
        points.dedup_by(|next, kept| next.x == kept.x);
        BandSeries { name: detector.name.clone(), points }
    };
    LinesWithBand {
        title: "F1 while visual outliers are deleted".to_owned(),
        subtitle: format!("{}, {}; recall {recall:.3} ({kind}) before", result.extractor, describe(result)),
        x_label: "nodes deleted [%]".to_owned(),
        log_x: false,
        diagonal: false,
        y_label: "F1".to_owned(),
        log_y: false,
        series: drawn.map(line).collect(),
    }
}
