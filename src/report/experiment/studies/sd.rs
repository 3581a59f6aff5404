//! The study of the SD algorithm beside what its paper published: tables 1 and 2, figures 3 to 5.

use crate::error::Result;
use crate::extract::sd::SdPageType;
use crate::harness::record::RunResults;
use crate::report::experiment::output::Output;
use crate::report::figures::{BandPoint, BandSeries, LinesWithBand};
use crate::report::{Cell, Table};
use crate::studies::results_of;
use crate::studies::sd::{Curve, PublishedTables, SdStudy, SdStudyResults, Setting};

/// What stands above the tables.
const INTRODUCTION: &str = "Precision and recall of the type of a page, region accuracy of what was found, and how they depend on \
    the number of pages and on the two thresholds (Pappas et al. 2012, section 5).";

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    let Some(found) = results_of::<SdStudy>(run)? else { return Ok(()) };
    output.section("The SD algorithm's types of pages", INTRODUCTION);
    for (name, table) in tables(&found) {
        output.table(name, table)?;
    }
    for (name, figure, caption) in figures(&found) {
        output.figure(name, &figure, &caption)?;
    }
    Ok(())
}

/// Decimals of our scores; the paper has two.
const DECIMALS: usize = 3;

/// The tables of the study with the names of their files: table 2, table 1, and what pages were taken for.
pub fn tables(results: &SdStudyResults) -> Vec<(&'static str, Table)> {
    vec![
        ("sd-table-2", classification(results)),
        ("sd-table-1", diversity(results)),
        ("sd-confusion", confusion(results)),
    ]
}

/// The figures of the study with the names of their files and captions: 3 (learning rate), 4 (T1), 5 (T2).
pub fn figures(results: &SdStudyResults) -> Vec<(&'static str, LinesWithBand, String)> {
    let runs = results.study.runs;
    let [a, ac, m] = results.best_t1;
    let sample = 100.0 / results.study.folds as f64;
    let line = |title: &str, subtitle: String, x_label: &str, curves: &[Curve], guess: bool| LinesWithBand {
        title: title.to_owned(),
        subtitle: format!("{subtitle}; mean and range of {runs} random selections"),
        x_label: x_label.to_owned(),
        log_x: false,
        diagonal: false,
        y_label: "precision".to_owned(),
        log_y: false,
        series: series(curves, guess.then_some(results.random_guess)),
    };
    let of_sample = format!("{sample:.0} % of each class");
    vec![
        (
            "sd-figure-3",
            line(
                "Learning rate of the SD algorithm",
                "T2 = 20, T1 = 100 for multiple areas and 0 for the others".to_owned(),
                "pages",
                &results.by_size,
                false,
            ),
            "The paper's figure 3: precision by the number of pages. There it is stable from 40 pages on.".to_owned(),
        ),
        (
            "sd-figure-4",
            line("Precision by T1", format!("T2 = 20, {of_sample}"), "T1 [%]", &results.by_t1, true),
            "The paper's figure 4. There low values (0 to 40) favor articles with and without comments, high ones (60 to \
             100) multiple areas, and in between all three are alike."
                .to_owned(),
        ),
        (
            "sd-figure-5",
            line(
                "Precision by T2",
                format!("T1 = {a} (articles), {ac} (with comments), {m} (multiple areas), {of_sample}"),
                "T2 [characters]",
                &results.by_t2,
                true,
            ),
            "The paper's figure 5. There 0 to 100 is best for all, and above 200 precision falls but for multiple areas, \
             which pages without regions count as."
                .to_owned(),
        ),
    ]
}

fn series(curves: &[Curve], guess: Option<f64>) -> Vec<BandSeries> {
    let of_class = |curve: &Curve| BandSeries {
        name: curve.page_type.name().to_owned(),
        points: curve
            .points
            .iter()
            .map(|point| BandPoint { x: point.x as f64, y: point.mean, band: Some((point.low, point.high)) })
            .collect(),
    };
    let mut series: Vec<BandSeries> = curves.iter().map(of_class).collect();
    let xs = curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.x));
    if let (Some(y), Some(low), Some(high)) = (guess, xs.clone().min(), xs.max()) {
        let points = [low, high].map(|x| BandPoint { x: x as f64, y, band: None }).into();
        series.push(BandSeries { name: "Random guess".to_owned(), points });
    }
    series
}

fn classification(results: &SdStudyResults) -> Table {
    let folds = results.study.folds;
    let title = format!(
        "Classification and extraction of regions: ours, {folds} folds of which one trains, and the paper's table 2"
    );
    let published = results.study.published.as_ref();
    let sets = published.map(PublishedTables::sets).unwrap_or_default();
    let mut columns: Vec<String> =
        ["class", "precision", "recall", "RA", "T1 learned"].map(String::from).into();
    for set in &sets {
        columns.extend(["precision", "recall", "RA"].map(|score| format!("{set}: {score}")));
    }
    let mut table = Table::new(title, columns);
    for setting in &results.settings {
        let mut row = vec![
            Cell::text(setting.page_type.map_or("A vs. AC vs. M", SdPageType::name)),
            Cell::number(setting.precision, DECIMALS),
            Cell::number(setting.recall, DECIMALS),
            Cell::number(setting.region_accuracy, DECIMALS),
            Cell::text(learned(setting)),
        ];
        for set in &sets {
            let scores = published.and_then(|published| published.scores(set, setting.page_type));
            let numbers = scores.map_or([None; 3], |scores| {
                [Some(scores.precision), scores.recall, Some(scores.region_accuracy)]
            });
            row.extend(numbers.map(|number| match number {
                Some(number) => Cell::number(number, 2),
                None => Cell::missing("not in the paper"),
            }));
        }
        table.push(row);
    }
    table
}

/// The T1 of each fold.
fn learned(setting: &Setting) -> String {
    setting.thresholds.iter().map(|learned| format!("{:.0}", learned.t1)).collect::<Vec<_>>().join(", ")
}

fn diversity(results: &SdStudyResults) -> Table {
    let mut table = Table::new(
        "Diversity of the sets used here and of those in the paper's table 1",
        ["set", "domains", "pages", "diversity (%)"],
    );
    for set in &results.sets {
        table.push([
            Cell::text(format!("ours: {}", set.page_type.map_or("all", SdPageType::name))),
            Cell::Count(set.domains as u64),
            Cell::Count(set.pages as u64),
            Cell::number(set.diversity * 100.0, DECIMALS),
        ]);
    }
    for set in results.study.published.iter().flat_map(|published| &published.table_1) {
        let missing = || Cell::missing("not in the paper");
        table.push([
            Cell::text(&set.name),
            Cell::Count(set.domains),
            set.pages.map_or_else(missing, Cell::Count),
            set.diversity.map_or_else(missing, |diversity| Cell::number(diversity, DECIMALS)),
        ]);
    }
    table
}

fn confusion(results: &SdStudyResults) -> Table {
    let title = "What test pages of three classes were taken for, in percent of their class, all folds";
    let columns = std::iter::once("true class").chain(SdPageType::ALL.map(SdPageType::name)).chain(["tests"]);
    let mut table = Table::new(title, columns);
    for (page_type, given) in SdPageType::ALL.into_iter().zip(results.confusion) {
        let all: u64 = given.iter().sum();
        let mut row = vec![Cell::text(page_type.name())];
        row.extend(given.map(|n| Cell::number(n as f64 * 100.0 / all as f64, 1)));
        row.push(Cell::Count(all));
        table.push(row);
    }
    table
}
