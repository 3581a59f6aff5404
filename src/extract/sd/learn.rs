//! Learning T1 and T2 on a sample of pages of known type (section 5.2).

use super::decide::{Decision, decide};
use super::regions::Candidate;
use super::tree::SdTree;
use super::{SdPageType, Thresholds};

/// The largest T1, in percent; all whole numbers from 0 to it are tried.
pub const MAX_T1: u32 = 100;

/// What the algorithm gives for a page at one pair of thresholds: its type, and how much text has which role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The type of the page.
    pub page_type: SdPageType,
    /// The density of the article region; 0 without one.
    pub article: u64,
    /// The summed density of the comment regions.
    pub comments: u64,
    /// The summed density of the areas of a page of multiple areas.
    pub areas: u64,
}

impl Outcome {
    fn from_decision(decision: &Decision, regions: &[Candidate]) -> Outcome {
        let sum = |of: &[usize]| of.iter().map(|&i| regions[i].density).sum();
        Outcome {
            page_type: decision.page_type,
            article: decision.article.map_or(0, |i| regions[i].density),
            comments: sum(&decision.comments),
            areas: sum(&decision.areas),
        }
    }
}

/// The outcomes of one page for every T1 from 0 to [`MAX_T1`] and each of some T2.
///
/// The regions are made once for each T2, and a decision only where T1 lets further candidates in.
#[derive(Debug, Clone)]
pub struct Sweep {
    t2: Vec<u64>,
    /// One row of `MAX_T1 + 1` for each T2.
    outcomes: Vec<Outcome>,
}

impl Sweep {
    /// The outcomes of a page.
    pub fn new(tree: &SdTree, t2: &[u64]) -> Sweep {
        let mut outcomes = Vec::with_capacity(t2.len() * (MAX_T1 as usize + 1));
        for &t2 in t2 {
            let regions = tree.regions(t2);
            let mut last: Option<(usize, Outcome)> = None;
            for t1 in 0..=MAX_T1 {
                let t1 = f64::from(t1);
                let candidates = regions.iter().filter(|region| region.distance_from_max <= t1).count();
                let outcome = match last {
                    Some((known, outcome)) if known == candidates => outcome,
                    _ => Outcome::from_decision(&decide(tree, &regions, t1), &regions),
                };
                last = Some((candidates, outcome));
                outcomes.push(outcome);
            }
        }
        Sweep { t2: t2.to_vec(), outcomes }
    }

    /// The outcome at one pair of thresholds; none if the sweep does not hold it.
    pub fn at(&self, t1: u32, t2: u64) -> Option<Outcome> {
        let row = self.t2.iter().position(|&known| known == t2)?;
        (t1 <= MAX_T1).then(|| self.outcomes[row * (MAX_T1 as usize + 1) + t1 as usize])
    }
}

/// The thresholds that give most pages of a sample their true type, each type with the same weight.
///
/// All whole T1 from 0 to 100 are tried with each T2 of `t2`. Where several pairs are equally good, the first such
/// T2 is taken, and of its T1 the one in the middle (the upper of two): it is farthest from where results change.
/// None if there is no sample or no T2, or a sweep lacks one of them.
pub fn learn(samples: &[(&Sweep, SdPageType)], t2: &[u64]) -> Option<Thresholds> {
    let mut best: Option<(f64, u64, Vec<u32>)> = None;
    for &t2 in t2 {
        for t1 in 0..=MAX_T1 {
            let score = mean_precision(samples, t1, t2)?;
            match &mut best {
                Some((known, of, tied)) if *known == score && *of == t2 => tied.push(t1),
                Some((known, ..)) if *known >= score => {}
                _ => best = Some((score, t2, vec![t1])),
            }
        }
    }
    let (_, t2, tied) = best?;
    Some(Thresholds { t1: f64::from(tied[tied.len() / 2]), t2 })
}

/// The share of pages that get their true type, mean over the types in the sample.
fn mean_precision(samples: &[(&Sweep, SdPageType)], t1: u32, t2: u64) -> Option<f64> {
    let mut right = [0u32; SdPageType::ALL.len()];
    let mut all = [0u32; SdPageType::ALL.len()];
    for (sweep, page_type) in samples {
        let found = sweep.at(t1, t2)?.page_type;
        all[*page_type as usize] += 1;
        right[*page_type as usize] += u32::from(found == *page_type);
    }
    let shares = right
        .iter()
        .zip(all)
        .filter(|&(_, all)| all > 0)
        .map(|(&right, all)| f64::from(right) / f64::from(all));
    let (sum, n) = shares.fold((0.0, 0), |(sum, n), share| (sum + share, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;
    use crate::page::Page;

    /// An article of 200 characters and, deeper and far from its title, a box of `density` characters.
    fn sweep(density: usize) -> Sweep {
        let html = format!(
            "<div><h1>Oak</h1>{}</div><div><div><div>{}</div></div></div>",
            "x".repeat(200),
            "y".repeat(density)
        );
        let page = Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap();
        Sweep::new(&SdTree::new(&page), &[20, 60])
    }

    #[test]
    fn a_sweep_has_the_outcome_of_every_pair_and_no_other() {
        let sweep = sweep(100);
        let tall = Outcome { page_type: SdPageType::Article, article: 200, comments: 0, areas: 0 };
        assert_eq!(sweep.at(0, 20), Some(tall));
        assert_eq!(sweep.at(101, 20), None);
        assert_eq!(sweep.at(0, 21), None);
    }

    #[test]
    fn the_middle_of_the_best_thresholds_is_learned() {
        // Two regions on one level: a page of multiple areas from T1 = 50 on, an article below.
        let html = format!("<div>{}</div><div>{}</div>", "x".repeat(200), "y".repeat(100));
        let page =
            Page::parse("test", None, format!("<h1>t</h1>{html}").as_bytes(), None, &Limits::default())
                .unwrap();
        let sweep = Sweep::new(&SdTree::new(&page), &[20, 60]);
        let learned = |page_type| learn(&[(&sweep, page_type)], &[20, 60]);
        assert_eq!(learned(SdPageType::Article), Some(Thresholds { t1: 25.0, t2: 20 }));
        assert_eq!(learned(SdPageType::Multiple), Some(Thresholds { t1: 75.0, t2: 20 }));
    }

    #[test]
    fn each_type_weighs_the_same_in_a_sample() {
        let (article, areas) = (sweep(100), sweep(0));
        let samples = [
            (&article, SdPageType::Article),
            (&areas, SdPageType::Multiple),
            (&article, SdPageType::Article),
        ];
        assert_eq!(mean_precision(&samples, 0, 20), Some(0.5));
    }

    #[test]
    fn nothing_is_learned_from_nothing() {
        assert_eq!(learn(&[], &[20]), None);
        assert_eq!(learn(&[(&sweep(1), SdPageType::Article)], &[]), None);
        assert_eq!(learn(&[(&sweep(1), SdPageType::Article)], &[7]), None);
    }
}
