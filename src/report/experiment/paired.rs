//! What the first system of a split is ahead of each other, page by page.

use super::of_split::{OfSplit, VIEWS};
use super::tables::DECIMALS;
use crate::error::Result;
use crate::report::{Cell, Table};
use crate::scoring::{Measure, ScoreName};

impl OfSplit<'_> {
    /// First minus each other system on the same pages, by every score that stands for a metric; nothing of a system alone.
    pub(super) fn difference_table(&self) -> Result<Option<Table>> {
        let mut systems = self.systems();
        let Some(first) = systems.next() else { return Ok(None) };
        let others: Vec<&str> = systems.collect();
        if others.is_empty() {
            return Ok(None);
        }
        let title = format!(
            "Differences on the same pages, mean with 95 % interval over {}; an interval without 0 says that one is better",
            self.unit()
        );
        let names = others.iter().map(|other| format!("{first} minus {other}"));
        let mut table = Table::new(title, std::iter::once("score".to_owned()).chain(names));
        for score in self.main_scores() {
            let mut row = vec![Cell::text(score.to_string())];
            for other in &others {
                row.push(match self.difference(first, other, score)? {
                    Some(difference) => Cell::score(&difference, DECIMALS),
                    None => Cell::missing("no page with scores of both"),
                });
            }
            table.push(row);
        }
        Ok(Some(table))
    }

    /// The scores that stand for the metrics that were measured.
    fn main_scores(&self) -> Vec<ScoreName> {
        let of_label = |level| VIEWS.map(|view| ScoreName::from_labels(level, view, Measure::F1));
        let golds = self.gold_texts();
        let metrics = self.run.record.experiment.metrics.iter().filter(|metric| !metric.is_of_labels());
        let of_text =
            metrics.flat_map(|&metric| golds.iter().map(move |&gold| ScoreName::main_of_text(metric, gold)));
        let all = self.levels().into_iter().flat_map(of_label).chain(of_text);
        all.filter(|&score| self.has(score)).collect()
    }
}
