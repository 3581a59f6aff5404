//! Scores by the type of the page, where corpora state it.

use std::collections::BTreeMap;

use super::of_split::OfSplit;
use super::output::Output;
use super::tables::DECIMALS;
use crate::error::Result;
use crate::report::{Cell, Table};
use crate::scoring::ScoreName;

/// A type with fewer pages is in no table.
const LEAST_PAGES: usize = 10;

/// The table of a split.
pub(super) fn write(split: &OfSplit<'_>, output: &mut Output<'_>) -> Result<()> {
    let Some(score) = split.main_score() else { return Ok(()) };
    let systems: Vec<_> = split.systems().map(|id| (id.to_owned(), id.to_owned())).collect();
    let title = format!("By type of page, as the corpus states it: {}", score.describe());
    match table(&[(split, score)], &systems, title)? {
        Some(table) => {
            split.part(output, "Types of page");
            output.table(&format!("{}-page-types", split.split.id()), table)
        }
        None => Ok(()),
    }
}

/// Of each type of page the mean of systems over the pages of all splits, the type with the most pages first; nothing where pages are
/// of one type. Systems are given as `(name in the table, id)`.
pub(super) fn table(
    splits: &[(&OfSplit<'_>, ScoreName)],
    systems: &[(String, String)],
    title: String,
) -> Result<Option<Table>> {
    // [system][type]: (host, score) of each page.
    let by_type: Vec<BTreeMap<&str, Vec<(&str, f64)>>> = systems
        .iter()
        .map(|(_, system)| {
            let mut by_type: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
            for (split, score) in splits {
                for (page_type, pages) in split.per_page_by_type(system, *score) {
                    by_type.entry(page_type).or_default().extend(pages);
                }
            }
            by_type
        })
        .collect();
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    for (page_type, pages) in by_type.iter().flatten() {
        let most = types.entry(page_type).or_default();
        *most = pages.len().max(*most);
    }
    types.retain(|_, pages| *pages >= LEAST_PAGES);
    if types.len() < 2 {
        return Ok(None);
    }
    let mut types: Vec<(&str, usize)> = types.into_iter().collect();
    types.sort_by_key(|(_, pages)| std::cmp::Reverse(*pages));
    let columns = ["type of page", "pages"].map(str::to_owned).into_iter();
    let mut table = Table::new(title, columns.chain(systems.iter().map(|(name, _)| name.clone())));
    let bootstrap = &splits[0].0.bootstrap;
    for (page_type, pages) in types {
        let mut row = vec![Cell::text(page_type), Cell::Count(pages as u64)];
        for of_system in &by_type {
            row.push(match of_system.get(page_type) {
                Some(pages) => Cell::score(&bootstrap.mean(pages.iter().copied())?, DECIMALS),
                None => Cell::missing("n/a"),
            });
        }
        table.push(row);
    }
    Ok(Some(table))
}
