//! What a run found, before all else: a sentence, the most telling figure and a table, made of its main score.

use super::of_split::OfSplit;
use super::output::Output;
use super::tables::DECIMALS;
use crate::error::Result;
use crate::eval::{Estimate, Interval};
use crate::harness::config::Plot;
use crate::report::{Best, Cell, Mark, Table};
use crate::scoring::{Measure, Metric, ScoreName};

/// So many systems at most are named in a sentence.
const NAMED: usize = 4;

/// The systems with the main score on all splits that have one, the best first.
pub(super) struct Lead<'a> {
    splits: Vec<(&'a OfSplit<'a>, ScoreName)>,
    /// \[system\]: id and the mean of its means, each split with equal weight.
    ranked: Vec<(&'a str, f64)>,
    /// \[system but the best\]\[split\]: the best minus the system on the same pages.
    differences: Vec<Vec<Option<Estimate>>>,
}

impl<'a> Lead<'a> {
    /// Compares the systems; nothing if no system has a main score.
    pub(super) fn new(splits: &'a [OfSplit<'a>]) -> Result<Option<Lead<'a>>> {
        let splits: Vec<_> = splits.iter().filter_map(|split| Some((split, split.main_score()?))).collect();
        let Some((first, _)) = splits.first() else { return Ok(None) };
        let mut ranked = Vec::new();
        for system in first.systems() {
            let means = splits.iter().map(|(split, score)| split.mean(system, *score));
            let means: Option<Vec<Estimate>> = means.collect::<Result<Vec<_>>>()?.into_iter().collect();
            if let Some(means) = means {
                let sum: f64 = means.iter().map(|estimate| estimate.value).sum();
                ranked.push((system, sum / means.len() as f64));
            }
        }
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        let Some(&(best, _)) = ranked.first() else { return Ok(None) };
        let of_system = |&(system, _): &(&str, f64)| {
            splits.iter().map(|(split, score)| split.difference(best, system, *score)).collect()
        };
        let differences = ranked[1..].iter().map(of_system).collect::<Result<_>>()?;
        Ok(Some(Lead { splits, ranked, differences }))
    }

    /// The name of the figure that shows most: all splits, the distribution of the main score, or else the first sweep.
    pub(super) fn figure(&self) -> Option<String> {
        let (split, score) = self.splits.first()?;
        let experiment = &split.run.record.experiment;
        if experiment.splits.len() > 1 {
            return Some("all-splits".to_owned());
        }
        let id = split.split.id();
        let sweep = experiment.sweeps.first().map(|sweep| format!("{id}-{}", sweep.id));
        if !experiment.plots.contains(&Plot::Distribution) || self.ranked.len() < 2 && sweep.is_some() {
            return sweep;
        }
        Some(match score.metric() {
            Metric::Tokens => format!("{id}-distribution"),
            metric if score.measure() == Measure::F1 => format!("{id}-{}-f1", metric.name()),
            _ => format!("{id}-markdown"),
        })
    }

    /// What came out, in words.
    pub(super) fn sentence(&self) -> Result<String> {
        let (best, mean) = self.ranked[0];
        let (split, score) = self.splits[0];
        let n = self.splits.len();
        let place = match n {
            1 => format!("on {}", split.dataset()),
            _ => format!("over the {n} splits, each with equal weight"),
        };
        let pages: usize = match n {
            1 => split.mean(best, score)?.map_or(0, |estimate| estimate.documents),
            _ => 0,
        };
        let of_pages = if n == 1 { format!(", the mean over {pages} pages") } else { String::new() };
        let what = if n == 1 { score.describe() } else { "main score".to_owned() };
        let Some(&(next, next_mean)) = self.ranked.get(1) else {
            return Ok(format!(
                "{best} reaches {mean:.DECIMALS$} {place} ({what}{of_pages}); there is no other system to compare it with."
            ));
        };
        let last = self.ranked[self.ranked.len() - 1].1;
        if mean - last < 0.5 * 10f64.powi(-(DECIMALS as i32)) {
            return Ok(format!(
                "Nothing differs: all {} systems reach {mean:.DECIMALS$} {place} ({what}{of_pages}).",
                self.ranked.len()
            ));
        }
        let is = if n == 1 { "is the best" } else { "has the highest mean" };
        let head = format!(
            "{best} {is} of {} systems {place}, with {mean:.DECIMALS$} ({what}{of_pages}): {:.DECIMALS$} ahead of the \
             next, {next}",
            self.ranked.len(),
            mean - next_mean
        );
        let tail = match n {
            1 => match self.differences[0][0].as_ref().and_then(|difference| difference.interval) {
                Some(interval @ Interval { low, .. }) if low > 0.0 => {
                    format!("; the 95 % interval of the difference, {}, excludes zero", shown(interval))
                }
                Some(interval) => format!(
                    ", but the 95 % interval of the difference, {}, holds zero: these pages do not tell the two apart",
                    shown(interval)
                ),
                None => ", with too few hosts for an interval of the difference".to_owned(),
            },
            _ => match self.told_apart(0) {
                (0, 0) => ", but on none of them does the 95 % interval of the difference exclude zero: this run does not \
                           tell the two apart"
                    .to_owned(),
                (ahead, behind) if behind >= ahead => format!(
                    "; the 95 % interval of the difference is above zero on {ahead} of them and below on {behind}: neither is \
                     better throughout"
                ),
                (ahead, behind) => format!(
                    "; the 95 % interval of the difference is above zero on {ahead} of them and below on {behind}"
                ),
            },
        };
        let level: Vec<&str> = (1..self.ranked.len())
            .filter(|&system| self.is_level(system))
            .map(|system| self.ranked[system].0)
            .filter(|&system| system != next)
            .collect();
        let more = match level.len() {
            0 => String::new(),
            n if n > NAMED => format!(" Nor are {n} other systems told apart from it."),
            _ => format!(" Nor is it told apart from {}.", level.join(", ")),
        };
        Ok(format!("{head}{tail}.{more}"))
    }

    /// On how many splits the interval of the best minus a system, by its place after the best, is above zero, and below.
    fn told_apart(&self, system: usize) -> (usize, usize) {
        let intervals =
            || self.differences[system].iter().flatten().filter_map(|difference| difference.interval);
        (
            intervals().filter(|interval| interval.low > 0.0).count(),
            intervals().filter(|interval| interval.high < 0.0).count(),
        )
    }

    /// Whether the system of this rank, from 1, is told apart from the best on no split.
    fn is_level(&self, rank: usize) -> bool {
        self.told_apart(rank - 1).0 == 0
    }

    /// The systems from the best to the worst, with what they lie behind it.
    pub(super) fn table(&self) -> Result<Table> {
        let mut table = match self.splits.as_slice() {
            [(split, score)] => self.table_of_split(split, *score)?,
            _ => self.table_of_splits(),
        };
        // The first mark of a cell counts: of equal scores one is the best, and the others are level with it.
        for rank in (1..self.ranked.len()).filter(|&rank| self.is_level(rank)) {
            table.mark(rank, 1, Mark::Level);
        }
        table.mark_best(1, Best::Highest);
        Ok(table)
    }

    fn table_of_split(&self, split: &OfSplit<'_>, score: ScoreName) -> Result<Table> {
        let measures = [Measure::Precision, Measure::Recall];
        let parts: Vec<ScoreName> = match score.measure() {
            Measure::F1 => measures.into_iter().map(|measure| score.with(measure)).collect(),
            _ => Vec::new(),
        };
        let parts: Vec<ScoreName> = parts.into_iter().filter(|&part| split.has(part)).collect();
        let name = if score.measure() == Measure::F1 { "F1" } else { score.measure().name() };
        let columns = ["system", name, "behind the best by"].into_iter();
        let columns = columns.chain(parts.iter().map(|part| part.measure().name())).chain(["pages"]);
        let title = format!("{}, mean over pages; 95 % intervals over {}", score.describe(), split.unit());
        let mut table = Table::new(title, columns);
        for (rank, (system, _)) in self.ranked.iter().enumerate() {
            let Some(estimate) = split.mean(system, score)? else { continue };
            let behind = match rank.checked_sub(1).and_then(|rank| self.differences[rank][0].as_ref()) {
                Some(difference) => Cell::score(difference, DECIMALS),
                None => Cell::number(0.0, DECIMALS),
            };
            let mut row = vec![Cell::text(*system), Cell::score(&estimate, DECIMALS), behind];
            for &part in &parts {
                row.push(match split.mean(system, part)? {
                    Some(estimate) => Cell::number(estimate.value, DECIMALS),
                    None => Cell::missing("not measured"),
                });
            }
            row.push(Cell::Count(estimate.documents as u64));
            table.push(row);
        }
        Ok(table)
    }

    fn table_of_splits(&self) -> Table {
        let n = self.splits.len();
        let title = format!("Main score, mean over the {n} splits, each with equal weight");
        let mut table =
            Table::new(title, ["system", "mean", "behind the best by", "best ahead on", "best behind on"]);
        for (rank, (system, mean)) in self.ranked.iter().enumerate() {
            let start = [Cell::text(*system), Cell::number(*mean, DECIMALS)];
            let rest = match rank.checked_sub(1) {
                None => [Cell::number(0.0, DECIMALS), Cell::Count(0), Cell::Count(0)],
                Some(place) => {
                    let (ahead, behind) = self.told_apart(place);
                    let counts = [ahead, behind].map(|count| Cell::Count(count as u64));
                    let [ahead, behind] = counts;
                    [Cell::number(self.ranked[0].1 - mean, DECIMALS), ahead, behind]
                }
            };
            table.push(start.into_iter().chain(rest));
        }
        table
    }
}

fn shown(interval: Interval) -> String {
    format!("{:.DECIMALS$} to {:.DECIMALS$}", interval.low + 0.0, interval.high + 0.0)
}

/// Begins the report with what came out; the table follows the figure, at the end ([`finish`]).
pub(super) fn begin(lead: &Lead<'_>, output: &mut Output<'_>) -> Result<()> {
    output.report.lead().text(lead.sentence()?);
    output.lead_figure = lead.figure();
    Ok(())
}

/// Ends the lead with its table.
pub(super) fn finish(lead: &Lead<'_>, output: &mut Output<'_>) -> Result<()> {
    let level = match lead.splits.len() {
        1 => "not told apart from it: the 95 % interval of the difference on the same pages holds zero",
        _ => {
            "told apart from it on no split. Best ahead, behind on: splits where the 95 % interval of the best minus the system \
              is above zero, and below"
        }
    };
    let legend = format!("Bold: the best. \u{2248}: {level}.");
    output.report.lead().table(lead.table()?).text(legend);
    Ok(())
}
