//! What is given out in part: the share of cut units by kind.

use super::of_split::OfSplit;
use crate::report::{Cell, Table};
use crate::scoring::{CutUnits, UnitKind};

/// Per cent.
const DECIMALS: usize = 1;

/// The share of the units that each system cuts, of those of which it gives out words, with their number; nothing where that was not measured.
pub(super) fn table(split: &OfSplit<'_>) -> Option<Table> {
    let kinds = UnitKind::ALL.map(UnitKind::name);
    let title = "Units given out in part: % of those given out, and how many these are";
    let mut table = Table::new(title.to_owned(), ["system"].into_iter().chain(kinds));
    for system in split.systems() {
        let pages: Vec<&CutUnits> =
            split.results_of(system).filter_map(|result| result.scores.cut_units.as_ref()).collect();
        if pages.is_empty() {
            continue;
        }
        let cell = |kind: UnitKind| {
            let of_kind = || pages.iter().filter_map(|units| units.by_kind.get(&kind));
            let given_out: u64 = of_kind().map(|[given_out, _]| given_out).sum();
            let cut: u64 = of_kind().map(|[_, cut]| cut).sum();
            match given_out {
                0 => Cell::missing("none"),
                _ => {
                    Cell::text(format!("{:.DECIMALS$} of {given_out}", 100.0 * cut as f64 / given_out as f64))
                }
            }
        };
        table.push(std::iter::once(Cell::text(system)).chain(UnitKind::ALL.map(cell)));
    }
    (!table.rows().is_empty()).then_some(table)
}
