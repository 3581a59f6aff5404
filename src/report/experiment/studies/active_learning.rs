//! The study of which pages to label: F1 by number of labelled pages, for each order.

use std::collections::BTreeMap;

use crate::annotation::Order;
use crate::error::Result;
use crate::harness::record::RunResults;
use crate::report::experiment::output::Output;
use crate::report::figures::{BandPoint, BandSeries, LinesWithBand};
use crate::report::{Cell, Table};
use crate::studies::active_learning::{ActiveLearning, LabelledSoFar};
use crate::studies::{config_of, results_of};

/// What stands above the tables.
const INTRODUCTION: &str = "Every order begins with the same pages, drawn at random. After each step a model is trained on what is \
    labelled so far, from nothing else, and tested on the part's test pages; by what it says of the other pages the order chooses the \
    next. Labels are those of the corpus. Bands are the mean of the parts and its \
    standard error. How many pages reach the F1 of random pages is found by linear interpolation between steps.";

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    let Some(config) = config_of::<ActiveLearning>(&run.record.experiment)? else { return Ok(()) };
    let found = results_of::<ActiveLearning>(run)?.unwrap_or_default();
    let mut splits: BTreeMap<(&str, &str), Vec<&LabelledSoFar>> = BTreeMap::new();
    for row in &found {
        splits.entry((&row.dataset, &row.split)).or_default().push(row);
    }
    output.section("Which pages to label", INTRODUCTION);
    let columns =
        ["corpus", "order", "labelled pages", "F1", "standard error", "better than random", "sites", "parts"];
    let mut table = Table::new("F1 by labelled pages and order", columns);
    let columns = ["corpus", "order", "F1 of random pages", "random pages", "pages that reach it"];
    let mut reached = Table::new("Pages that reach the F1 of random pages", columns);
    for ((dataset, split), rows) in &splits {
        let random = curve(&config, rows, Order::Random);
        let mut series = Vec::new();
        for &order in &config.orders {
            let points = curve(&config, rows, order);
            for point in &points {
                let better = random.iter().find(|other| other.pages == point.pages);
                let better = better.filter(|_| order != Order::Random).map(|other| paired(point, other));
                table.push([
                    Cell::text(*dataset),
                    Cell::text(name(order)),
                    Cell::Count(point.pages as u64),
                    Cell::number(point.mean(), 4),
                    Cell::number(point.error(), 4),
                    better.map_or(Cell::text(""), Cell::text),
                    Cell::number(point.sites, 1),
                    Cell::Count(point.f1.len() as u64),
                ]);
            }
            if let Some(most) = random.last()
                && order != Order::Random
            {
                let pages = pages_to_reach(&points, most.mean());
                reached.push([
                    Cell::text(*dataset),
                    Cell::text(name(order)),
                    Cell::number(most.mean(), 4),
                    Cell::Count(most.pages as u64),
                    pages.map_or(Cell::text("not reached"), |pages| Cell::number(pages, 0)),
                ]);
            }
            let points = points.iter().map(|point| BandPoint {
                x: point.pages as f64,
                y: point.mean(),
                band: Some((point.mean() - point.error(), point.mean() + point.error())),
            });
            series.push(BandSeries { name: name(order), points: points.collect() });
        }
        series.retain(|series| !series.points.is_empty());
        if series.is_empty() {
            continue;
        }
        let figure = LinesWithBand {
            title: format!("Labelled pages and F1: {dataset}"),
            subtitle: "F1 of words on pages of other sites, mean of the parts and its standard error"
                .to_owned(),
            x_label: "labelled pages".to_owned(),
            log_x: false,
            diagonal: false,
            y_label: "F1".to_owned(),
            log_y: false,
            series,
        };
        let caption = format!("F1 by number of labelled pages, {dataset}.");
        output.figure(&format!("active-learning-{split}"), &figure, &caption)?;
    }
    output.table("active-learning", table)?;
    output.table("active-learning-pages", reached)
}

/// What the parts came to in one order with so many pages.
struct Point {
    pages: usize,
    /// Of each part, by its number.
    f1: BTreeMap<usize, f64>,
    /// Mean number of sites.
    sites: f64,
}

impl Point {
    fn mean(&self) -> f64 {
        mean(self.f1.values().copied())
    }

    fn error(&self) -> f64 {
        error(&self.f1.values().copied().collect::<Vec<_>>())
    }
}

/// The points of an order, by ascending pages.
fn curve(config: &ActiveLearning, rows: &[&LabelledSoFar], order: Order) -> Vec<Point> {
    let at = |&pages: &usize| {
        let rows: Vec<&&LabelledSoFar> =
            rows.iter().filter(|row| row.order == order && row.pages == pages).collect();
        let f1: BTreeMap<usize, f64> = rows.iter().map(|row| (row.part, row.f1)).collect();
        (!f1.is_empty()).then(|| Point { pages, f1, sites: mean(rows.iter().map(|row| row.sites as f64)) })
    };
    config.pages.iter().filter_map(at).collect()
}

/// The paired difference over parts with its standard error.
fn paired(point: &Point, random: &Point) -> String {
    let both = point.f1.iter().filter_map(|(part, f1)| Some(f1 - random.f1.get(part)?));
    let differences: Vec<f64> = both.collect();
    format!("{:+.4} ± {:.4}", mean(differences.iter().copied()), error(&differences))
}

/// With how many pages an order first reaches an F1, by linear interpolation.
fn pages_to_reach(points: &[Point], f1: f64) -> Option<f64> {
    let first = points.first().filter(|first| first.mean() >= f1).map(|first| first.pages as f64);
    first.or_else(|| {
        points.windows(2).find(|pair| pair[1].mean() >= f1).map(|pair| {
            let (low, high) = (pair[0].mean(), pair[1].mean());
            let share = (f1 - low) / (high - low);
            pair[0].pages as f64 + share * (pair[1].pages - pair[0].pages) as f64
        })
    })
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count().max(1) as f64
}

/// The standard error of the mean; 0 of a single value.
fn error(values: &[f64]) -> f64 {
    let (n, mean) = (values.len() as f64, mean(values.iter().copied()));
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    if values.len() < 2 { 0.0 } else { (squares / (n - 1.0) / n).sqrt() }
}

fn name(order: Order) -> String {
    match order {
        Order::Uncertain => "least confidence",
        Order::Entropy => "entropy of words",
        Order::Diverse => "diverse",
        Order::Name => "by name",
        Order::Random => "random",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(pages: usize, f1: &[f64]) -> Point {
        Point { pages, f1: f1.iter().copied().enumerate().collect(), sites: 1.0 }
    }

    #[test]
    fn the_pages_that_reach_an_f1_are_between_two_steps() {
        let points = [point(20, &[0.6, 0.8]), point(40, &[0.8, 0.8]), point(80, &[0.9, 0.9])];
        for (f1, pages) in
            [(0.65, Some(20.0)), (0.75, Some(30.0)), (0.8, Some(40.0)), (0.85, Some(60.0)), (0.95, None)]
        {
            let found = pages_to_reach(&points, f1);
            assert!(found.zip(pages).is_none_or(|(a, b)| (a - b).abs() < 1e-9), "{f1}: {found:?}");
            assert_eq!(found.is_some(), pages.is_some(), "{f1}");
        }
        assert!((points[0].error() - 0.1).abs() < 1e-9);
        assert_eq!(paired(&points[1], &points[0]), "+0.1000 ± 0.1000");
    }
}
