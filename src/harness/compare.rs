//! Two systems on the same pages: paired differences, and where they differ most.

use std::collections::BTreeMap;

use super::record::RunResults;
use crate::error::{Error, Result, did_you_mean};
use crate::eval::{Bootstrap, Estimate};
use crate::scoring::ScoreName;

/// A system of a run.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The run.
    pub run: &'a RunResults,
    /// The system's id in it.
    pub system: &'a str,
}

/// The score of one page by both.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The page's id.
    pub page: String,
    /// Its host.
    pub host: String,
    /// The first system's score, the mean over tests where a page is tested more than once.
    pub first: f64,
    /// The second system's score.
    pub second: f64,
}

impl Pair {
    /// First minus second.
    pub fn difference(&self) -> f64 {
        self.first - self.second
    }
}

/// Two systems by one score.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The score.
    pub score: ScoreName,
    /// The first system's mean.
    pub first: Estimate,
    /// The second system's mean.
    pub second: Estimate,
    /// The mean of first minus second over pages, with its interval over hosts.
    pub difference: Estimate,
    /// The pages, by descending difference and then by id.
    pub pages: Vec<Pair>,
}

/// Compares two systems on the pages of a split that both have scores for; nothing if there are none.
///
/// # Errors
/// [`Error::Usage`] for an unknown system or split, with the nearest name.
pub fn compare(
    first: Side<'_>,
    second: Side<'_>,
    split: &str,
    score: ScoreName,
    bootstrap: &Bootstrap,
) -> Result<Option<Comparison>> {
    let of_first = scores(first, split, score)?;
    let of_second = scores(second, split, score)?;
    let mut pages: Vec<Pair> = of_first
        .into_iter()
        .filter_map(|(page, (host, first))| {
            let (_, second) = of_second.get(page)?;
            Some(Pair { page: page.to_owned(), host: host.to_owned(), first, second: *second })
        })
        .collect();
    if pages.is_empty() {
        return Ok(None);
    }
    let triples = pages.iter().map(|pair| (pair.host.as_str(), pair.first, pair.second));
    let difference = bootstrap.paired_difference(triples)?;
    let mean = |of: fn(&Pair) -> f64| bootstrap.mean(pages.iter().map(|pair| (pair.host.as_str(), of(pair))));
    let (first, second) = (mean(|pair| pair.first)?, mean(|pair| pair.second)?);
    pages.sort_by(|a, b| b.difference().total_cmp(&a.difference()).then_with(|| a.page.cmp(&b.page)));
    Ok(Some(Comparison { score, first, second, difference, pages }))
}

/// Host and mean score of each page.
fn scores<'a>(side: Side<'a>, split: &str, score: ScoreName) -> Result<BTreeMap<&'a str, (&'a str, f64)>> {
    let experiment = &side.run.record.experiment;
    let splits: Vec<&str> = experiment.splits.iter().map(|split| split.id()).collect();
    if !splits.contains(&split) {
        return Err(Error::usage(format!("no split '{split}' in this run"), did_you_mean(split, splits)));
    }
    let systems: Vec<&str> = side.run.record.versions.keys().map(String::as_str).collect();
    if !systems.contains(&side.system) {
        return Err(Error::usage(
            format!("no system '{}' in this run", side.system),
            did_you_mean(side.system, systems),
        ));
    }
    let mut sums: BTreeMap<&str, (&str, f64, f64)> = BTreeMap::new();
    for result in &side.run.results {
        if result.split == split
            && result.system == side.system
            && let Some(value) = score.of(&result.scores)
        {
            let entry = sums.entry(&result.page).or_insert((&result.host, 0.0, 0.0));
            entry.1 += value;
            entry.2 += 1.0;
        }
    }
    Ok(sums.into_iter().map(|(page, (host, sum, n))| (page, (host, sum / n))).collect())
}
