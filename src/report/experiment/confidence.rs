//! How far systems know which of their pages are good: F1 of the surest pages, and F1 beside what was expected.

use super::of_split::OfSplit;
use super::tables::DECIMALS;
use crate::error::Result;
use crate::eval::Estimate;
use crate::harness::record::PageResult;
use crate::report::figures::{BandPoint, BandSeries, LinesWithBand};
use crate::report::{Cell, Table};
use crate::scoring::{Measure, Metric, ScoreName};

/// Shares of the pages that the table shows, in per cent.
const SHARES: [usize; 5] = [100, 90, 80, 70, 50];
/// Bounds of the confidence that the table over splits shows, of `Extracted::confidence`.
const BOUNDS: [f64; 7] = [0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
/// Fewer pages of a split than this say nothing of it.
const FEW: usize = 10;
/// Groups of pages of equal size, by what is expected of them.
const GROUPS: usize = 10;

/// A page of a system that says how good it expects to be.
struct ExpectingPage<'a> {
    host: &'a str,
    confidence: f64,
    f1: f64,
}

/// What is kept of all splits where a page is kept from a bound of its confidence up, and how good it is; nothing if no system expects
/// anything of its pages.
pub(super) fn kept_table(splits: &[&OfSplit<'_>]) -> Result<Option<Table>> {
    let Some(first) = splits.first() else { return Ok(None) };
    let title = format!(
        "Pages of all splits of which at least so much is expected: F1 of words, mean with 95 % interval over {}; the lowest of splits with {FEW} such pages",
        first.unit()
    );
    let columns =
        ["system", "least confidence", "share of pages kept", "expected F1", "F1", "lowest split", "its F1"];
    let mut table = Table::new(title, columns);
    for system in first.systems() {
        let by_split: Vec<_> = splits.iter().map(|split| (split.split.id(), split.surest(system))).collect();
        let all: usize = by_split.iter().map(|(_, pages)| pages.len()).sum();
        for bound in BOUNDS.into_iter().filter(|_| all > 0) {
            let kept = by_split.iter().map(|(id, pages)| {
                (*id, pages.iter().filter(|page| page.confidence >= bound).collect::<Vec<_>>())
            });
            let kept: Vec<_> = kept.collect();
            let pages = || kept.iter().flat_map(|(_, pages)| pages);
            let n = pages().count();
            if n == 0 {
                continue;
            }
            let mean = |pages: &[&ExpectingPage<'_>]| {
                pages.iter().map(|page| page.f1).sum::<f64>() / pages.len() as f64
            };
            let enough = kept.iter().filter(|(_, pages)| pages.len() >= FEW);
            let lowest = enough.map(|(id, pages)| (*id, mean(pages))).min_by(|a, b| a.1.total_cmp(&b.1));
            let [lowest, its_f1] = match lowest {
                Some((id, f1)) => [Cell::text(id), Cell::number(f1, DECIMALS)],
                None => [(); 2].map(|()| Cell::missing("too few pages")),
            };
            table.push([
                Cell::text(system),
                Cell::number(bound, 2),
                Cell::number(n as f64 / all as f64, DECIMALS),
                Cell::number(pages().map(|page| page.confidence).sum::<f64>() / n as f64, DECIMALS),
                Cell::score(&first.bootstrap.mean(pages().map(|page| (page.host, page.f1)))?, DECIMALS),
                lowest,
                its_f1,
            ]);
        }
    }
    Ok((!table.rows().is_empty()).then_some(table))
}

impl<'a> OfSplit<'a> {
    /// F1 of words, and of characters where they were asked for, of the first text of the gold.
    fn expected_score(&self) -> Option<ScoreName> {
        let gold = *self.gold_texts().first()?;
        let scores = [Metric::WordsAndCharacters, Metric::Words]
            .map(|metric| ScoreName::from_text(metric, gold, Measure::F1));
        scores.into_iter().find(|&score| self.has(score))
    }

    /// The pages of a system, the surest first.
    fn surest(&self, system: &str) -> Vec<ExpectingPage<'a>> {
        let Some(score) = self.expected_score() else { return Vec::new() };
        let page = |result: &'a PageResult| {
            let (confidence, f1) = (result.scores.confidence?, score.of(&result.scores)?);
            Some(ExpectingPage { host: self.cluster(result), confidence, f1 })
        };
        let mut pages: Vec<ExpectingPage<'a>> = self.results_of(system).filter_map(page).collect();
        // Results are sorted by page, and so are equals.
        pages.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        pages
    }

    /// Mean F1 of the surest pages; `percent` of them.
    fn f1_of_surest(&self, pages: &[ExpectingPage<'_>], percent: usize) -> Result<Estimate> {
        let n = (pages.len() * percent).div_ceil(100).max(1);
        self.bootstrap.mean(pages[..n].iter().map(|page| (page.host, page.f1)))
    }

    /// Groups of equal size by what is expected, the surest first: (mean confidence, F1).
    fn groups(&self, pages: &[ExpectingPage<'_>]) -> Result<Vec<(f64, Estimate)>> {
        let bounds = |group: usize| pages.len() * group / GROUPS;
        let groups = (0..GROUPS).map(|group| &pages[bounds(group)..bounds(group + 1)]);
        groups
            .filter(|pages| !pages.is_empty())
            .map(|pages| {
                let mean = pages.iter().map(|page| page.confidence).sum::<f64>() / pages.len() as f64;
                Ok((mean, self.bootstrap.mean(pages.iter().map(|page| (page.host, page.f1)))?))
            })
            .collect()
    }

    /// Each system that says how good it expects its pages to be: F1 of the surest of them; nothing if none does.
    pub(super) fn confidence_table(&self) -> Result<Option<Table>> {
        let title = format!(
            "F1 of words of the pages of which most is expected, mean with 95 % interval over {}; the error is the mean \
             distance of expected and real F1 over ten groups of pages",
            self.unit()
        );
        let columns = SHARES.map(|percent| match percent {
            100 => "all pages".to_owned(),
            _ => format!("surest {percent} %"),
        });
        let head = ["system", "expected", "error"].map(str::to_owned);
        let mut table = Table::new(title, head.into_iter().chain(columns));
        let mut is_empty = true;
        for system in self.systems() {
            let pages = self.surest(system);
            if pages.is_empty() {
                continue;
            }
            is_empty = false;
            let n = pages.len() as f64;
            let expected = pages.iter().map(|page| page.confidence).sum::<f64>() / n;
            let errors = self.groups(&pages)?.into_iter();
            let error: f64 =
                errors.map(|(mean, f1)| (mean - f1.value).abs() * f1.documents as f64).sum::<f64>() / n;
            let number = |value| Cell::Number { value, decimals: DECIMALS };
            let mut row = vec![Cell::text(system), number(expected), number(error)];
            for percent in SHARES {
                row.push(Cell::score(&self.f1_of_surest(&pages, percent)?, DECIMALS));
            }
            table.push(row);
        }
        Ok((!is_empty).then_some(table))
    }

    /// F1 against the share of pages kept, and against what was expected: (name, figure, caption).
    pub(super) fn confidence_figures(&self) -> Result<Vec<(&'static str, LinesWithBand, &'static str)>> {
        let (mut kept, mut reliability) = (Vec::new(), Vec::new());
        for system in self.systems() {
            let pages = self.surest(system);
            if pages.is_empty() {
                continue;
            }
            let point = |x: f64, f1: Estimate| BandPoint {
                x,
                y: f1.value,
                band: f1.interval.map(|interval| (interval.low, interval.high)),
            };
            let shares = (1..=20).map(|step| 5 * step);
            let points = shares.map(|percent| Ok(point(percent as f64, self.f1_of_surest(&pages, percent)?)));
            kept.push(BandSeries { name: system.to_owned(), points: points.collect::<Result<_>>()? });
            let points = self.groups(&pages)?.into_iter().rev().map(|(mean, f1)| point(mean, f1));
            reliability.push(BandSeries { name: system.to_owned(), points: points.collect() });
        }
        if kept.is_empty() {
            return Ok(Vec::new());
        }
        let figure = |title: &str, x_label: &str, series, diagonal| LinesWithBand {
            title: title.to_owned(),
            subtitle: format!("{}, words; {}", self.dataset(), self.split.describe()),
            x_label: x_label.to_owned(),
            log_x: false,
            diagonal,
            y_label: "F1".to_owned(),
            log_y: false,
            series,
        };
        Ok(vec![
            (
                "coverage",
                figure("F1 of the surest pages", "Pages kept [%]", kept, false),
                "Mean F1 of the pages of which most is expected, by the share that is kept. Bands: 95 % intervals; of more than four \
                 systems those of the first and of the best.",
            ),
            (
                "page-reliability",
                figure("F1 beside the F1 expected", "Expected F1", reliability, true),
                "Mean F1 of ten groups of pages, by what the system expected of them. Bands as above.",
            ),
        ])
    }
}
