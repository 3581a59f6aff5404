//! What is given out in part: the share of cut units by kind.

use super::of_split::OfSplit;
use crate::report::{Cell, Table};
use crate::scoring::UnitKind;

/// Per cent.
const DECIMALS: usize = 1;

/// The share of the units that each system cuts, of those of which it gives out words, with their number; nothing where that was not measured.
pub(super) fn table(split: &OfSplit<'_>) -> Option<Table> {
    let kinds = UnitKind::ALL.map(UnitKind::name);
    let title = "Units given out in part: % of those given out, and how many these are";
    let mut table = Table::new(title.to_owned(), ["system"].into_iter().chain(kinds));
    for system in split.systems() {
        let mut sums = [[0u64; 2]; UnitKind::ALL.len()];
        let mut pages = 0;
        for result in split.results_of(system) {
            let Some(units) = result.scores.texts.values().find_map(|text| text.cut_units.as_ref()) else {
                continue;
            };
            pages += 1;
            for (sum, kind) in sums.iter_mut().zip(UnitKind::ALL) {
                let [given_out, cut] = units.by_kind.get(&kind).copied().unwrap_or_default();
                *sum = [sum[0] + given_out, sum[1] + cut];
            }
        }
        if pages == 0 {
            continue;
        }
        let cell = |[given_out, cut]: [u64; 2]| match given_out {
            0 => Cell::missing("none"),
            _ => Cell::text(format!("{:.DECIMALS$} of {given_out}", 100.0 * cut as f64 / given_out as f64)),
        };
        table.push(std::iter::once(Cell::text(system)).chain(sums.map(cell)));
    }
    (!table.rows().is_empty()).then_some(table)
}
