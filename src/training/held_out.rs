//! `HeldOut`, a changed model against the model as it is, on pages that the change was not learned from.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::alignment::TRUSTED_SHARE;
use crate::dataset::labelled::LabelledPage;
use crate::error::Result;
use crate::eval::{Bootstrap, Estimate, LEAST_HOSTS};
use crate::extract::Extraction;
use crate::plural::plural;
use crate::progress::Progress;
use crate::scoring::{self, Measure, Metric, ScoreName};

/// Fewer pages with a reference than these do not tell whether a change is better.
pub const LEAST_PAGES: usize = 5;
/// The most pages that are held out one by one; more are held out in [`FOLDS`] parts.
const MOST_ALONE: usize = 40;
/// The parts of more pages.
const FOLDS: usize = 20;

/// Word F1 of a model and of the same model changed, on pages held out in turn, and what follows from that.
///
/// Of several changes the one of highest mean F1 is found, and the most careful one that is within a standard error of it
/// is taken, the model as it is being the most careful of all (the rule of one standard error, Breiman et al. 1984,
/// "Classification and Regression Trees", section 3.4.3). Errors are of the paired differences over pages.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldOut {
    /// Pages held out.
    pub pages: usize,
    /// In how many parts, each of them with what was learned from the others.
    pub folds: usize,
    /// Mean word F1 of the model as it is.
    pub before: f64,
    /// Of the changed model: of the one taken, or where none is, the best.
    pub after: f64,
    /// The mean of after minus before over pages, with its 95 % bootstrap interval: over hosts, or over pages where there are
    /// fewer than five hosts.
    pub difference: Estimate,
    /// The place of the change that is taken; none if the model is kept as it is.
    pub taken: Option<usize>,
}

impl HeldOut {
    /// Scores of pages by the model as it is, and by each changed model, the most careful first.
    fn new(hosts: &[&str], before: &[f64], changed: &[Vec<f64>], folds: usize) -> Result<Self> {
        let n = before.len() as f64;
        let mean = |scores: &[f64]| scores.iter().sum::<f64>() / n;
        let candidates: Vec<&[f64]> =
            std::iter::once(before).chain(changed.iter().map(Vec::as_slice)).collect();
        // The first of equals: the most careful.
        let best_from = |first: usize| {
            (first + 1..candidates.len()).fold(first, |best, other| {
                if mean(candidates[other]) > mean(candidates[best]) { other } else { best }
            })
        };
        let best = best_from(0);
        let is_as_good = |scores: &&[f64]| {
            let lost: Vec<f64> = candidates[best].iter().zip(*scores).map(|(best, own)| best - own).collect();
            let mean = mean(&lost);
            let squares: f64 = lost.iter().map(|lost| (lost - mean).powi(2)).sum();
            mean <= (squares / (n - 1.0) / n).sqrt()
        };
        let taken =
            candidates.iter().position(is_as_good).expect("the best is as good as itself").checked_sub(1);
        let told = taken.map_or_else(|| best_from(1), |taken| taken + 1);
        let by_page: Vec<String> = (0..before.len()).map(|page| page.to_string()).collect();
        let has_hosts = hosts.iter().collect::<BTreeSet<_>>().len() >= LEAST_HOSTS;
        let unit = |page: usize| if has_hosts { hosts[page] } else { by_page[page].as_str() };
        let pairs = (0..before.len()).map(|page| (unit(page), candidates[told][page], before[page]));
        Ok(HeldOut {
            pages: before.len(),
            folds,
            before: mean(before),
            after: mean(candidates[told]),
            difference: Bootstrap::default().paired_difference(pairs)?,
            taken,
        })
    }

    /// The numbers in one line, such as `.991 as it is, .986 adapted, difference -.005 [-.009, -.001] on 20 pages held out in
    /// turn`.
    pub fn describe(&self, change: &str) -> String {
        let number = |value: f64| format!("{value:+.3}").replacen("0.", ".", 1);
        let plain = |value: f64| format!("{value:.3}").trim_start_matches('0').to_owned();
        let interval = self.difference.interval.map_or(String::new(), |interval| {
            format!(" [{}, {}]", number(interval.low), number(interval.high))
        });
        let how = match self.folds == self.pages {
            true => "held out in turn".to_owned(),
            false => format!("held out in {} parts", self.folds),
        };
        format!(
            "word F1 {} as it is, {} {change}, difference {}{interval}, on {} {how}",
            plain(self.before),
            plain(self.after),
            number(self.difference.value),
            plural(self.pages, "page")
        )
    }
}

/// Holds pages out in turn and scores them: `before` is the score of a page (by its index) by the model as it is, `learn`
/// makes of the indices held out what is learned without them, and `after` is the score of a page by each of the changes. A
/// page without a score is left out. Nothing where [`LEAST_PAGES`] are not reached.
///
/// # Errors
/// What `learn` gives.
pub(super) fn hold_out<L: Sync>(
    pages: &[(usize, &LabelledPage)],
    before: impl Fn(usize) -> Option<f64> + Sync,
    learn: impl Fn(&[usize]) -> Result<L>,
    after: impl Fn(&L, usize) -> Option<Vec<f64>> + Sync,
    progress: &dyn Progress,
) -> Result<Option<HeldOut>> {
    if pages.len() < LEAST_PAGES {
        return Ok(None);
    }
    progress.stage("trying on pages held out", pages.len());
    let folds = if pages.len() <= MOST_ALONE { pages.len() } else { FOLDS };
    let mut scores: Vec<(&str, f64, Vec<f64>)> = Vec::new();
    for fold in 0..folds {
        let part: Vec<(usize, &LabelledPage)> = pages.iter().skip(fold).step_by(folds).copied().collect();
        let learned = learn(&part.iter().map(|page| page.0).collect::<Vec<_>>())?;
        let of_page = |index: usize| {
            let scores = before(index).zip(after(&learned, index));
            progress.step();
            scores
        };
        let of_part: Vec<_> = part.par_iter().map(|page| of_page(page.0)).collect();
        let scored = part.iter().zip(of_part).filter_map(|(page, scores)| Some((page.1, scores?)));
        scores.extend(scored.map(|(page, (before, after))| (page.host.as_str(), before, after)));
    }
    if scores.len() < LEAST_PAGES {
        return Ok(None);
    }
    let hosts: Vec<&str> = scores.iter().map(|page| page.0).collect();
    let before: Vec<f64> = scores.iter().map(|page| page.1).collect();
    let changes = scores[0].2.len();
    let changed: Vec<Vec<f64>> =
        (0..changes).map(|change| scores.iter().map(|page| page.2[change]).collect()).collect();
    HeldOut::new(&hosts, &before, &changed, folds).map(Some)
}

/// Word F1 of an extraction against the first text of its page; none if the page has no text to compare with.
pub(super) fn word_f1(page: &LabelledPage, extraction: Option<&Extraction>) -> Option<f64> {
    let scores = scoring::score(page, extraction, &[Metric::Words]);
    let gold = scores.texts.keys().next().copied()?;
    ScoreName::from_text(Metric::Words, gold, Measure::F1).of(&scores)
}

/// That so many pages do not tell whether a change is better.
pub(super) fn tell_too_few(pages: usize, progress: &dyn Progress) {
    progress.note(&format!(
        "whether that is better cannot be told of {} whose reference is known (a text of which at least {TRUSTED_SHARE} \
         stands on the page); it can of {LEAST_PAGES}",
        plural(pages, "page")
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held_out(before: &[f64], changed: &[Vec<f64>]) -> HeldOut {
        HeldOut::new(&vec!["a"; before.len()], before, changed, before.len()).unwrap()
    }

    #[test]
    fn a_change_is_taken_if_it_is_better_by_a_standard_error() {
        let before = [0.9, 0.8, 0.95, 0.9, 0.85, 0.9];
        let by = |gains: [f64; 6]| before.iter().zip(gains).map(|(f1, gain)| f1 + gain).collect::<Vec<f64>>();
        let (better, worse) = (by([0.02, 0.01, 0.03, 0.02, 0.01, 0.02]), by([-0.01; 6]));
        let lucky = by([0.06, -0.02, -0.02, 0.0, 0.0, -0.01]);
        assert_eq!(held_out(&before, std::slice::from_ref(&better)).taken, Some(0));
        assert_eq!(held_out(&before, std::slice::from_ref(&worse)).taken, None);
        assert_eq!(held_out(&before, &[lucky]).taken, None);
        assert_eq!(held_out(&before, &[before.to_vec()]).taken, None);
        // The most careful of those that are as good.
        let as_good = by([0.02, 0.01, 0.03, 0.01, 0.02, 0.02]);
        assert_eq!(held_out(&before, &[worse.clone(), as_good, better]).taken, Some(1));
        let kept = held_out(&before, &[worse]);
        assert_eq!(
            kept.describe("adapted"),
            "word F1 .883 as it is, .873 adapted, difference -.010 [-.010, -.010], on 6 pages held out in turn"
        );
    }
}
