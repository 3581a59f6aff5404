//! Where systems lose: the cost of faults by the kinds of their blocks.

use super::of_split::OfSplit;
use crate::dataset::labelled::GoldText;
use crate::harness::record::PageResult;
use crate::report::{Cell, Table};
use crate::scoring::{FaultBlockKind, Faults};

/// Hundredths of F1.
const DECIMALS: usize = 2;
/// \[kind\]\[wrongly kept, missed\].
type Costs = [[f64; 2]; FaultBlockKind::ALL.len()];

/// The faults on a page, against the first gold text that has them.
pub(super) fn of_page(result: &PageResult) -> Option<&Faults> {
    let texts = &result.scores.texts;
    [GoldText::Text, GoldText::Article].iter().find_map(|gold| texts.get(gold)?.faults.as_ref())
}

/// In words, such as "comments kept"; empty without faults.
pub(super) fn main_fault(faults: &Faults) -> String {
    faults.main().map_or(String::new(), |(kind, is_kept)| {
        format!("{} {}", kind.name(), if is_kept { "kept" } else { "missed" })
    })
}

/// What faults cost each system on the pages of all these splits, each split with equal weight; nothing where no system has
/// faults on each of them.
pub(super) fn table(splits: &[&OfSplit<'_>]) -> Option<Table> {
    let mut title =
        "What is lost where: hundredths of F1, by what the blocks are by their markup, mean over pages"
            .to_owned();
    if splits.len() > 1 {
        title += ", then over splits";
    }
    let kinds = FaultBlockKind::ALL.map(FaultBlockKind::name);
    let mut table = Table::new(title, ["system", "words"].into_iter().chain(kinds));
    for system in splits.first()?.systems() {
        let Some(costs) = splits.iter().map(|split| mean(split, system)).collect::<Option<Vec<Costs>>>()
        else {
            continue;
        };
        for (side, name) in ["wrongly kept", "missed"].into_iter().enumerate() {
            let of_kind = |kind: usize| {
                let sum: f64 = costs.iter().map(|costs| costs[kind][side]).sum();
                Cell::number(100.0 * sum / costs.len() as f64, DECIMALS)
            };
            let start = [Cell::text(system), Cell::text(name)];
            table.push(start.into_iter().chain((0..kinds.len()).map(of_kind)));
        }
    }
    (!table.rows().is_empty()).then_some(table)
}

fn mean(split: &OfSplit<'_>, system: &str) -> Option<Costs> {
    let (mut sum, mut pages) = (Costs::default(), 0.0);
    for faults in split.results_of(system).filter_map(of_page) {
        for (sum, kind) in sum.iter_mut().zip(FaultBlockKind::ALL) {
            let cost = faults.cost(kind);
            *sum = [sum[0] + cost[0], sum[1] + cost[1]];
        }
        pages += 1.0;
    }
    (pages > 0.0).then(|| sum.map(|cost| cost.map(|cost| cost / pages)))
}
