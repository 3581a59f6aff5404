//! The study of repeated text: what is dropped, how much of it stands in the references, F1 before and after.

use std::ops::AddAssign;

use crate::error::Result;
use crate::eval::Bootstrap;
use crate::extract::repeats::RepeatBounds;
use crate::harness::record::RunResults;
use crate::report::experiment::output::Output;
use crate::report::{Cell, Table};
use crate::studies::site_repeats::{Dropped, PageDrops, SiteRepeatsStudy};
use crate::studies::{config_of, results_of};

/// What stands above the tables.
const INTRODUCTION: &str = "Text that is repeated over the pages that a corpus has of a site is dropped from what a system keeps. Pages are those \
    of sites with at least the lowest number of pages that is asked for. A dropped block stands in the reference if its words stand there in \
    one run. F1 is the mean over pages, of words and of characters in scripts without spaces. Intervals are of 95 %, by the \
    bootstrap over hosts.";

/// The rows of all corpora together.
const ALL: &str = "all";

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    let Some(study) = config_of::<SiteRepeatsStudy>(&run.record.experiment)? else { return Ok(()) };
    let found = results_of::<SiteRepeatsStudy>(run)?.unwrap_or_default();
    output.section("Repeated text", INTRODUCTION);
    output.table("site-repeats", table(&study, &found, run.record.seed)?)
}

/// Words that are dropped.
#[derive(Default)]
struct Words {
    dropped: u64,
    in_reference: u64,
}

impl AddAssign<&Words> for Words {
    fn add_assign(&mut self, other: &Words) {
        self.dropped += other.dropped;
        self.in_reference += other.in_reference;
    }
}

/// A row for each corpus, system and pair of bounds, and one for all corpora.
///
/// # Errors
/// None for results of a study.
pub fn table(study: &SiteRepeatsStudy, pages: &[PageDrops], seed: u64) -> Result<Table> {
    let columns = [
        "corpus",
        "system",
        "min pages",
        "min share",
        "pages",
        "kept words",
        "dropped words",
        "of them in the reference",
        "F1",
        "F1 after",
        "difference",
    ];
    let mut table = Table::new("Repeated text that is dropped", columns);
    let mut systems: Vec<&str> = Vec::new();
    let mut corpora: Vec<&str> = Vec::new();
    for page in pages {
        if !systems.contains(&&*page.system) {
            systems.push(&page.system);
        }
        if !corpora.contains(&&*page.corpus) {
            corpora.push(&page.corpus);
        }
    }
    for system in systems {
        for corpus in corpora.iter().copied().chain([ALL]) {
            let of_row = pages.iter().filter(|page| page.system == system);
            let of_row: Vec<&PageDrops> =
                of_row.filter(|page| corpus == ALL || page.corpus == corpus).collect();
            for (number, bounds) in study.bounds().into_iter().enumerate().filter(|_| !of_row.is_empty()) {
                table.push(row([corpus, system], bounds, &of_row, |page| page.drops[number], seed)?);
            }
        }
    }
    Ok(table)
}

fn row(
    [corpus, system]: [&str; 2],
    bounds: RepeatBounds,
    pages: &[&PageDrops],
    dropped: impl Fn(&PageDrops) -> Dropped,
    seed: u64,
) -> Result<Vec<Cell>> {
    let bootstrap = Bootstrap { seed, ..Bootstrap::default() };
    let words: Vec<(&str, Words)> = pages
        .iter()
        .map(|page| (&*page.host, dropped(page)))
        .filter(|(_, of)| of.words > 0)
        .map(|(host, of)| (host, Words { dropped: of.words, in_reference: of.words_in_reference }))
        .collect();
    let risk = match words.is_empty() {
        true => Cell::missing("nothing is dropped"),
        false => {
            let share = |sum: &Words| sum.in_reference as f64 / sum.dropped as f64;
            Cell::score(&bootstrap.pooled(words.iter().map(|(host, words)| (*host, words)), share)?, 3)
        }
    };
    let before = bootstrap.mean(pages.iter().map(|page| (&*page.host, page.f1)))?;
    let after = bootstrap.mean(pages.iter().map(|page| (&*page.host, dropped(page).f1)))?;
    let difference =
        bootstrap.paired_difference(pages.iter().map(|page| (&*page.host, dropped(page).f1, page.f1)))?;
    Ok(vec![
        Cell::text(corpus),
        Cell::text(system),
        Cell::Count(bounds.pages),
        Cell::number(bounds.share, 2),
        Cell::Count(pages.len() as u64),
        Cell::Count(pages.iter().map(|page| page.kept_words).sum()),
        Cell::Count(words.iter().map(|(_, words)| words.dropped).sum()),
        risk,
        Cell::number(before.value, 4),
        Cell::number(after.value, 4),
        Cell::score(&difference, 4),
    ])
}
