//! The study of layout engines: how far two agree on boxes, reading order and computed styles.

use crate::error::Result;
use crate::eval::Bootstrap;
use crate::harness::record::RunResults;
use crate::layout::PROPERTIES;
use crate::report::experiment::output::Output;
use crate::report::figures::{BandPoint, BandSeries, LinesWithBand};
use crate::report::{Cell, Table};
use crate::studies::engines::{Agreement, EngineStudy, PageAgreement};
use crate::studies::{config_of, results_of};

/// What opens the section of the report.
const INTRODUCTION: &str = "Geometry is of elements that hold text themselves and that both engines show. Shares are \
    means over pages, with 95 % intervals by the bootstrap over hosts.";

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    let Some(study) = config_of::<EngineStudy>(&run.record.experiment)? else { return Ok(()) };
    let found = results_of::<EngineStudy>(run)?.unwrap_or_default();
    output.section("Layout engines", INTRODUCTION);
    for (name, table) in tables(&study, &found, run.record.seed)? {
        output.table(name, table)?;
    }
    for (name, figure, caption) in figures(&study, &found) {
        output.figure(&name, &figure, &caption)?;
    }
    Ok(())
}

/// A measure of agreement: its name, and its value on a page.
type Measure = (&'static str, fn(&Agreement) -> Option<f64>);

const MEASURES: [Measure; 6] = [
    ("shown by both", |of| (of.shown > 0).then(|| of.shown_by_both as f64 / of.shown as f64)),
    ("width within 5 px", |of| of.width),
    ("x within 5 px", |of| of.x),
    ("height within 5 px", |of| of.height),
    ("y within 10 % of the page", |of| of.y),
    ("Spearman of y", |of| of.spearman_y),
];

/// What is summed over pages.
type Count = (&'static str, fn(&Agreement) -> u64);

const COUNTS: [Count; 2] = [("pages", |_| 1), ("elements with text shown", |of| of.shown)];

/// The corpora in order.
fn corpora(pages: &[PageAgreement]) -> Vec<&str> {
    let mut names: Vec<&str> = pages.iter().map(|page| page.corpus.as_str()).collect();
    names.dedup();
    names
}

/// The tables with the names of their files.
///
/// # Errors
/// If a corpus has no page that both engines laid out.
pub fn tables(study: &EngineStudy, pages: &[PageAgreement], seed: u64) -> Result<Vec<(&'static str, Table)>> {
    let names = corpora(pages);
    let columns: Vec<&str> = std::iter::once("measure").chain(names.iter().copied()).collect();
    let title = format!("{} against {}", study.engine, study.reference);
    let bootstrap = Bootstrap { seed, ..Bootstrap::default() };
    let mean = |corpus: &str, value: &dyn Fn(&Agreement) -> Option<f64>| -> Result<Cell> {
        let values = pages.iter().filter(|page| page.corpus == corpus);
        let values: Vec<(&str, f64)> =
            values.filter_map(|page| Some((page.host.as_str(), value(&page.of)?))).collect();
        if values.is_empty() {
            return Ok(Cell::missing("no page that both laid out"));
        }
        Ok(Cell::score(&bootstrap.mean(values)?, 3))
    };
    let mut geometry = Table::new(format!("{title}: boxes"), columns.clone());
    for (name, count) in COUNTS {
        let cells = names.iter().map(|&corpus| {
            let of_corpus = pages.iter().filter(|page| page.corpus == corpus);
            Cell::Count(of_corpus.map(|page| count(&page.of)).sum())
        });
        geometry.push(std::iter::once(Cell::text(name)).chain(cells));
    }
    for (name, value) in MEASURES {
        let cells: Result<Vec<Cell>> = names.iter().map(|corpus| mean(corpus, &value)).collect();
        geometry.push(std::iter::once(Cell::text(name)).chain(cells?));
    }
    let mut styles = Table::new(format!("{title}: elements with the same computed value"), columns);
    for (index, property) in PROPERTIES.iter().enumerate() {
        let value = |of: &Agreement| of.styles.as_ref().map(|styles| styles[index]);
        let cells: Result<Vec<Cell>> = names.iter().map(|corpus| mean(corpus, &value)).collect();
        styles.push(std::iter::once(Cell::text(*property)).chain(cells?));
    }
    Ok(vec![("engines-boxes", geometry), ("engines-styles", styles)])
}

/// The figures with the names of their files: of each corpus, the pages ordered by each measure.
pub fn figures(study: &EngineStudy, pages: &[PageAgreement]) -> Vec<(String, LinesWithBand, String)> {
    let figure = |corpus: &str| {
        let series = MEASURES.iter().map(|(name, value)| {
            let of_corpus = pages.iter().filter(|page| page.corpus == corpus);
            let mut values: Vec<f64> = of_corpus.filter_map(|page| value(&page.of)).collect();
            values.sort_by(f64::total_cmp);
            let n = values.len() as f64;
            let points = values.iter().enumerate();
            let points = points.map(|(i, &y)| BandPoint { x: (i as f64 + 0.5) / n, y, band: None }).collect();
            BandSeries { name: (*name).to_owned(), points }
        });
        let figure = LinesWithBand {
            title: format!("{} against {} on {corpus}", study.engine, study.reference),
            subtitle: "pages ordered by each measure".to_owned(),
            x_label: "share of pages".to_owned(),
            log_x: false,
            diagonal: false,
            y_label: "agreement".to_owned(),
            log_y: false,
            series: series.filter(|series: &BandSeries| !series.points.is_empty()).collect(),
        };
        let name = format!("engines-{}", corpus.replace('/', "-"));
        (name, figure, "Where a line is low, the engines differ on that share of the pages.".to_owned())
    };
    corpora(pages).into_iter().map(figure).collect()
}
