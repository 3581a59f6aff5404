//! Scores by the type of the page, where corpora state it.

use std::collections::BTreeMap;

use super::of_split::OfSplit;
use super::output::Output;
use super::tables::DECIMALS;
use crate::error::Result;
use crate::model::PageType;
use crate::report::{Cell, Table};
use crate::scoring::ScoreName;

/// A type with fewer pages is in no table.
const LEAST_PAGES: usize = 10;

/// The tables of a split.
pub(super) fn write(split: &OfSplit<'_>, output: &mut Output<'_>) -> Result<()> {
    let systems: Vec<_> = split.systems().map(|id| (id.to_owned(), id.to_owned())).collect();
    let scores = match split.main_score() {
        Some(score) => {
            let title = format!("By type of page, as the corpus states it: {}", score.describe());
            table(&[(split, score)], &systems, title)?
        }
        None => None,
    };
    let tables = [("page-types", scores), ("page-types-told", told_table(split)?)];
    if tables.iter().any(|(_, table)| table.is_some()) {
        split.part(output, "Types of page");
    }
    for (name, table) in tables {
        if let Some(table) = table {
            output.table(&format!("{}-{name}", split.split.id()), table)?;
        }
    }
    Ok(())
}

/// A page whose type a corpus states and a system tells.
struct TypedPage<'a> {
    cluster: &'a str,
    stated: &'a str,
    told: PageType,
    probability: f64,
}

/// How often each system tells the type that the corpus states; nothing if no system tells types.
fn told_table(split: &OfSplit<'_>) -> Result<Option<Table>> {
    let title = format!(
        "Types of page as systems tell them, by the type that the corpus states: the share told right, with 95 % interval over {}",
        split.unit()
    );
    let columns = [
        "system",
        "type of page",
        "pages",
        "told right",
        "mean probability of the type told",
        "most often told instead",
    ];
    let mut table = Table::new(title, columns);
    for system in split.systems() {
        let pages: Vec<TypedPage<'_>> = split
            .results_of(system)
            .filter_map(|result| {
                let (told, probability) = result.scores.page_type?;
                let stated = result.page_type.as_deref()?;
                Some(TypedPage { cluster: split.cluster(result), stated, told, probability })
            })
            .collect();
        let mut by_type: BTreeMap<&str, Vec<&TypedPage<'_>>> = BTreeMap::new();
        pages.iter().for_each(|page| by_type.entry(page.stated).or_default().push(page));
        let mut groups: Vec<_> = by_type.into_iter().collect();
        groups.sort_by_key(|(_, pages)| std::cmp::Reverse(pages.len()));
        if groups.len() > 1 {
            groups.push(("all", pages.iter().collect()));
        }
        for (name, pages) in groups {
            let right = pages.iter().map(|page| (page.cluster, f64::from(u8::from(page.is_right()))));
            let mean = pages.iter().map(|page| page.probability).sum::<f64>() / pages.len() as f64;
            table.push([
                Cell::text(system),
                Cell::text(name),
                Cell::Count(pages.len() as u64),
                Cell::score(&split.bootstrap.mean(right)?, DECIMALS),
                Cell::number(mean, DECIMALS),
                Cell::text(most_often_wrong(&pages)),
            ]);
        }
    }
    Ok((!table.rows().is_empty()).then_some(table))
}

impl TypedPage<'_> {
    fn is_right(&self) -> bool {
        self.told.name() == self.stated
    }
}

/// The type that is most often told of pages of another, with the number of such pages.
fn most_often_wrong(pages: &[&TypedPage<'_>]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for page in pages.iter().filter(|page| !page.is_right()) {
        *counts.entry(page.told.name()).or_default() += 1;
    }
    // Of equals the first by name.
    let most = counts.into_iter().min_by_key(|(_, n)| std::cmp::Reverse(*n));
    most.map_or_else(|| "none".to_owned(), |(name, n)| format!("{name} ({n})"))
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
