//! The study of reliability: what hostile pages cost, what kills left behind, how a long run went.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::harness::record::RunResults;
use crate::report::experiment::output::Output;
use crate::report::figures::{BandPoint, BandSeries, LinesWithBand};
use crate::report::{Cell, Table};
use crate::studies::reliability::Reliability;
use crate::studies::reliability::hostile::Cost;
use crate::studies::reliability::kills::Killed;
use crate::studies::reliability::load::Load;
use crate::studies::{config_of, results_of};

/// What opens the section of the report.
const INTRODUCTION: &str = "The program ran as a user runs it. Seconds are of one processor and hold the start of the program; memory \
    is the most that it had. They are those of the machine that made them.";

/// Families that the figure shows: those that take longest.
const SHOWN: usize = 8;

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    if config_of::<Reliability>(&run.record.experiment)?.is_none() {
        return Ok(());
    }
    let found = results_of::<Reliability>(run)?.unwrap_or_default();
    output.section("Reliability", INTRODUCTION);
    if !found.costs.is_empty() {
        output.table("reliability-hostile-pages", costs(&found.costs))?;
        let caption = "A line that is as steep as the diagonal is linear.";
        output.figure("reliability-hostile-pages", &slowest(&found.costs), caption)?;
    }
    if !found.kills.is_empty() {
        output.table("reliability-kills", kills(&found.kills))?;
    }
    if !found.loads.is_empty() {
        output.table("reliability-load", loads(&found.loads))?;
        output.table("reliability-load-course", course(&found.loads))?;
    }
    Ok(())
}

/// Costs by family and format, ascending in size, in the order of the study.
fn by_family(costs: &[Cost]) -> Vec<&[Cost]> {
    costs.chunk_by(|a, b| (&a.family, &a.format) == (&b.family, &b.format)).collect()
}

const MEGABYTE: f64 = 1e6;

fn costs(costs: &[Cost]) -> Table {
    let sizes: Vec<usize> =
        by_family(costs).first().map_or(Vec::new(), |row| row.iter().map(|cost| cost.bytes).collect());
    let name = |size: &usize, unit: &str| format!("{unit}, {} MB", *size as f64 / MEGABYTE);
    let mut columns = vec!["family".to_owned(), "format".to_owned()];
    columns.extend(sizes.iter().map(|size| name(size, "s")));
    columns.extend(sizes.iter().map(|size| name(size, "memory in MB")));
    columns.push("what came out of the largest".to_owned());
    let mut table = Table::new("Hostile pages: seconds and memory by size", columns);
    for row in by_family(costs) {
        let mut cells = vec![Cell::text(&row[0].family), Cell::text(&row[0].format)];
        cells.extend(row.iter().map(|cost| Cell::number(cost.seconds, 2)));
        cells.extend(row.iter().map(|cost| Cell::number(cost.memory as f64 / MEGABYTE, 0)));
        let largest = row.last().expect("a size at least");
        cells.push(Cell::text(match largest.code {
            Some(0) => "text".to_owned(),
            Some(1) => largest.problem.clone(),
            Some(code) => format!("exit code {code}: {}", largest.problem),
            None => "ended by a signal".to_owned(),
        }));
        table.push(cells);
    }
    table
}

fn slowest(costs: &[Cost]) -> LinesWithBand {
    // The format that takes longest stands for its family.
    let mut slowest: BTreeMap<&str, (f64, &[Cost])> = BTreeMap::new();
    for row in by_family(costs) {
        let seconds = row.iter().map(|cost| cost.seconds).fold(0.0, f64::max);
        let known = slowest.entry(&row[0].family).or_insert((seconds, row));
        if seconds > known.0 {
            *known = (seconds, row);
        }
    }
    let mut rows: Vec<(f64, &[Cost])> = slowest.into_values().collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let series = |(_, row): &(f64, &[Cost])| BandSeries {
        name: format!("{}, {}", row[0].family, row[0].format),
        // The clock of the system has hundredths of a second.
        points: row
            .iter()
            .map(|cost| BandPoint { x: cost.bytes as f64 / MEGABYTE, y: cost.seconds.max(0.01), band: None })
            .collect(),
    };
    LinesWithBand {
        title: "Hostile pages that take longest".to_owned(),
        subtitle: "a page that is too large in nodes is refused, and takes less than a smaller one"
            .to_owned(),
        x_label: "size of the page in MB".to_owned(),
        log_x: true,
        diagonal: false,
        y_label: "seconds".to_owned(),
        log_y: true,
        series: rows.iter().take(SHOWN).map(series).collect(),
    }
}

fn kills(kills: &[Killed]) -> Table {
    let columns = ["command", "kills", "runs to the end", "files", "runs that left something else"];
    let mut table = Table::new("Commands killed at random moments and started again", columns);
    for killed in kills {
        table.push([
            Cell::text(&killed.case),
            Cell::Count(killed.kills.into()),
            Cell::Count(killed.ends.into()),
            Cell::Count(killed.files as u64),
            match killed.found.first() {
                None => Cell::Count(0),
                Some(first) => Cell::text(format!("{}; {first}", killed.found.len())),
            },
        ]);
    }
    table
}

/// The name of an archive in tables.
fn archive(load: &Load) -> &'static str {
    if load.damaged > 0 { "one record of a hundred damaged" } else { "whole" }
}

fn loads(loads: &[Load]) -> Table {
    let columns =
        ["archive", "pages", "damaged", "rows", "with text", "exit code", "what the program said at its end"];
    let mut table = Table::new("A long run: is every record accounted for?", columns);
    for load in loads {
        table.push([
            Cell::text(archive(load)),
            Cell::Count(load.pages),
            Cell::Count(load.damaged),
            Cell::Count(load.rows),
            Cell::Count(load.ok),
            load.code.map_or(Cell::missing("ended by a signal"), |code| Cell::number(code.into(), 0)),
            Cell::text(&load.said),
        ]);
    }
    table
}

fn course(loads: &[Load]) -> Table {
    let columns = ["archive", "pages out", "pages a second", "memory in MB"];
    let mut table = Table::new("A long run in tenths: rate and memory", columns);
    for load in loads {
        for tenth in &load.course {
            table.push([
                Cell::text(archive(load)),
                Cell::Count(tenth.pages),
                Cell::number(tenth.rate, 0),
                Cell::number(tenth.memory as f64 / MEGABYTE, 0),
            ]);
        }
    }
    table
}
