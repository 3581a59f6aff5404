//! Tables and figures over several splits: all systems on all corpora, sweeps, published numbers.

use super::of_split::OfSplit;
use super::output::Output;
use super::tables::{DECIMALS, mark_highest};
use super::{by_page_type, confidence, faults};
use crate::error::Result;
use crate::harness::config::{Published, Sweep, text};
use crate::report::figures::{
    BandPoint, BandSeries, BoxGrid, LinesWithBand, ScoreDistribution, SystemScores,
};
use crate::report::{Best, Cell, Table};
use crate::scoring::ScoreName;

/// From so many splits on their mean says something.
const SEVERAL: usize = 3;

/// One table of all systems on all splits, and their distributions side by side.
pub(super) fn write(splits: &[OfSplit<'_>], output: &mut Output<'_>) -> Result<()> {
    let scored: Vec<_> = splits.iter().filter_map(|split| Some((split, split.main_score()?))).collect();
    let Some((first, _)) = scored.first() else { return Ok(()) };
    let mut scores: Vec<String> = scored.iter().map(|(_, score)| score.describe()).collect();
    scores.dedup();
    let title = format!("{}; mean over pages with 95 % interval over {}", scores.join("; "), first.unit());
    output.section("All splits", "All systems on all splits, by one score.");
    let columns = scored.iter().map(|(split, _)| split.split.id().to_owned());
    let mut table = Table::new(title, std::iter::once("system".to_owned()).chain(columns));
    for system in first.systems() {
        let mut row = vec![Cell::text(system)];
        for (split, score) in &scored {
            row.push(match split.mean(system, *score)? {
                Some(estimate) => Cell::score(&estimate, DECIMALS),
                None => Cell::missing("n/a"),
            });
        }
        table.push(row);
    }
    mark_highest(&mut table);
    output.table("all-splits", table)?;
    if scored.len() >= SEVERAL {
        output.table("macro-mean", macro_means(&scored)?)?;
        if let Some(table) = differences(&scored)? {
            output.table("differences", table)?;
        }
        let systems: Vec<_> = first.systems().map(|id| (id.to_owned(), id.to_owned())).collect();
        let title = "By type of page, on all splits whose corpus states it: mean over pages".to_owned();
        if let Some(table) = by_page_type::table(&scored, &systems, title)? {
            output.table("page-types", table)?;
        }
        let splits: Vec<&OfSplit<'_>> = scored.iter().map(|(split, _)| *split).collect();
        if let Some(table) = confidence::kept_table(&splits)? {
            output.table("kept-by-confidence", table)?;
        }
        if let Some(table) = faults::table(&splits) {
            output.table("faults", table)?;
        }
    }
    let columns = scored.iter().map(|(split, score)| {
        let of_system = |system: &str| SystemScores {
            name: system.to_owned(),
            values: split.per_page(system, *score).into_iter().map(|(_, value)| value).collect(),
        };
        let systems = split.systems().map(of_system).filter(|scores| !scores.values.is_empty());
        (split.split.id().to_owned(), systems.collect())
    });
    let measures: std::collections::BTreeSet<&str> =
        scored.iter().map(|(_, score)| score.metric().name()).collect();
    let figure = BoxGrid {
        title: "Distribution of F1 over pages".to_owned(),
        subtitle: format!(
            "{}; box: quartiles with median, whiskers: 5 % to 95 %, diamond and number: mean",
            measures.into_iter().collect::<Vec<_>>().join(", ")
        ),
        measure: "F1".to_owned(),
        systems: first.systems().map(str::to_owned).collect(),
        columns: columns.collect(),
    };
    output.figure("all-splits", &figure, "All systems on all splits.")
}

/// The mean over splits of each system, each split with equal weight, and its place among the systems.
fn macro_means(scored: &[(&OfSplit<'_>, ScoreName)]) -> Result<Table> {
    let systems: Vec<&str> = scored[0].0.systems().collect();
    // [system][split].
    let means: Vec<Vec<Option<f64>>> = systems
        .iter()
        .map(|system| {
            let mean = |(split, score): &(&OfSplit<'_>, ScoreName)| {
                Ok(split.mean(system, *score)?.map(|estimate| estimate.value))
            };
            scored.iter().map(mean).collect()
        })
        .collect::<Result<_>>()?;
    let title = format!("Mean over the {} splits, each with equal weight", scored.len());
    let mut table = Table::new(title, ["system", "mean of means", "mean rank", "first on splits"]);
    for (system, own) in systems.iter().zip(&means) {
        let Some(values) = own.iter().copied().collect::<Option<Vec<f64>>>() else {
            let rest = [(); 3].map(|()| Cell::missing("n/a"));
            table.push(std::iter::once(Cell::text(*system)).chain(rest));
            continue;
        };
        let rank = |(split, value): (usize, &f64)| {
            1 + means.iter().filter(|other| other[split].is_some_and(|other| other > *value)).count()
        };
        let ranks: Vec<usize> = values.iter().enumerate().map(rank).collect();
        let n = scored.len() as f64;
        table.push([
            Cell::text(*system),
            Cell::number(values.iter().sum::<f64>() / n, DECIMALS),
            Cell::number(ranks.iter().sum::<usize>() as f64 / n, 1),
            Cell::Count(ranks.iter().filter(|rank| **rank == 1).count() as u64),
        ]);
    }
    let best = [Best::Highest, Best::Lowest, Best::Highest];
    best.into_iter().enumerate().for_each(|(i, best)| table.mark_best(i + 1, best));
    Ok(table)
}

/// What the first system is ahead of each other, page by page, and on how many splits the interval is above or below zero;
/// nothing of a system alone.
fn differences(scored: &[(&OfSplit<'_>, ScoreName)]) -> Result<Option<Table>> {
    let mut systems = scored[0].0.systems();
    let Some(first) = systems.next() else { return Ok(None) };
    let splits = scored.iter().map(|(split, _)| split.split.id().to_owned());
    let columns = std::iter::once("system".to_owned()).chain(splits);
    let mut table = Table::new(
        format!(
            "{first} minus each other system: mean of the differences on the same pages with 95 % interval over hosts; \
             splits where the interval is above zero, and below"
        ),
        columns.chain(["ahead", "behind"].map(str::to_owned)),
    );
    for system in systems {
        let mut row = vec![Cell::text(system)];
        let (mut ahead, mut behind) = (0, 0);
        for (split, score) in scored {
            row.push(match split.difference(first, system, *score)? {
                Some(difference) => {
                    let interval = difference.interval;
                    ahead += u64::from(interval.is_some_and(|interval| interval.low > 0.0));
                    behind += u64::from(interval.is_some_and(|interval| interval.high < 0.0));
                    Cell::score(&difference, DECIMALS)
                }
                None => Cell::missing("no page with scores of both"),
            });
        }
        table.push(row.into_iter().chain([ahead, behind].map(Cell::Count)));
    }
    Ok((!table.rows().is_empty()).then_some(table))
}

/// The table of a paper's numbers beside ours.
pub(super) fn published(published: &Published, splits: &[OfSplit<'_>]) -> Result<Table> {
    let columns = ["row", "published", "ours, 95 % interval over hosts", "system", "split", "score"];
    let mut table = Table::new(published.source.clone(), columns);
    for row in &published.rows {
        let split = match &row.split {
            Some(id) => splits.iter().find(|split| split.split.id() == id),
            None => splits.first(),
        };
        let mut cells = vec![Cell::text(&row.name), Cell::number(row.published, DECIMALS)];
        match (&row.system, row.score, split) {
            (Some(system), Some(score), Some(split)) => {
                cells.push(match split.mean(system, score)? {
                    Some(estimate) => Cell::score(&estimate, DECIMALS),
                    None => Cell::missing("n/a"),
                });
                cells.extend([system, split.split.id(), &score.to_string()].map(Cell::text));
            }
            _ => {
                cells.push(Cell::missing("no counterpart"));
                cells.extend(["", "", ""].map(Cell::text));
            }
        }
        table.push(cells);
    }
    Ok(table)
}

/// The table and figure of a sweep on each split where its score is measured.
pub(super) fn write_sweep(sweep: &Sweep, splits: &[OfSplit<'_>], output: &mut Output<'_>) -> Result<()> {
    output.section(&sweep.title, &format!("By {}.", sweep.parameter));
    for split in splits {
        let score = sweep.score.or_else(|| split.main_score()).filter(|&score| split.has(score));
        let Some(score) = score else { continue };
        let mut table = Table::new(
            format!("{}: {}", split.split.id(), score.describe()),
            [sweep.parameter.as_str(), "system", "mean over pages, 95 % interval over hosts", "pages"],
        );
        let mut series: Vec<BandSeries> = Vec::new();
        for system in &sweep.systems {
            let mut points = Vec::new();
            for (i, value) in sweep.values.iter().enumerate() {
                let estimate = split.mean(&sweep.system_id(system, value), score)?;
                let start = [Cell::text(text(value)), Cell::text(system)];
                table.push(start.into_iter().chain(match &estimate {
                    Some(estimate) => {
                        [Cell::score(estimate, DECIMALS), Cell::Count(estimate.documents as u64)]
                    }
                    None => [Cell::missing("n/a"), Cell::Count(0)],
                }));
                if let Some(estimate) = estimate {
                    // Values that are no numbers stand in their order.
                    let x = number(value).unwrap_or((i + 1) as f64);
                    let band = estimate.interval.map(|interval| (interval.low, interval.high));
                    points.push(BandPoint { x, y: estimate.value, band });
                }
            }
            if !points.is_empty() {
                series.push(BandSeries { name: system.clone(), points });
            }
        }
        let name = format!("{}-{}", split.split.id(), sweep.id);
        output.table(&name, table)?;
        for system in &sweep.systems {
            let of_value = |value| (text(value), sweep.system_id(system, value));
            let values: Vec<_> = sweep.values.iter().map(of_value).collect();
            let title = format!("{system} by type of page and {}: {}", sweep.parameter, score.describe());
            if let Some(table) = by_page_type::table(&[(split, score)], &values, title)? {
                output.table(&format!("{name}-{system}-page-types"), table)?;
            }
        }
        if series.is_empty() {
            continue;
        }
        let subtitle = format!("{}, {}", split.dataset(), score.describe());
        if sweep.values.iter().all(|value| number(value).is_some()) {
            let figure = LinesWithBand {
                title: sweep.title.clone(),
                subtitle: format!("{subtitle}; bands: 95 % interval over hosts"),
                x_label: sweep.parameter.clone(),
                log_x: false,
                diagonal: false,
                y_label: "F1".to_owned(),
                log_y: false,
                series,
            };
            output.figure(&name, &figure, &sweep.title)?;
        } else {
            let figure = ScoreDistribution {
                title: sweep.title.clone(),
                subtitle,
                measure: "F1".to_owned(),
                systems: variants(sweep, split, score),
            };
            output.figure(&name, &figure, &sweep.title)?;
        }
    }
    Ok(())
}

/// The scores of each system of a sweep at each of its values.
fn variants(sweep: &Sweep, split: &OfSplit<'_>, score: ScoreName) -> Vec<SystemScores> {
    let of = |system: &String, value: &toml::Value| SystemScores {
        name: format!("{system}, {}", text(value)),
        values: split
            .per_page(&sweep.system_id(system, value), score)
            .into_iter()
            .map(|(_, score)| score)
            .collect(),
    };
    let systems = sweep.systems.iter();
    let all = systems.flat_map(|system| sweep.values.iter().map(move |value| of(system, value)));
    all.filter(|scores| !scores.values.is_empty()).collect()
}

fn number(value: &toml::Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64))
}
