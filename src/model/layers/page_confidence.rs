//! `PageConfidence`, from the F1 that the posterior of a page expects to the F1 that such pages had.
//!
//! The expected F1 of a page takes its nodes for independent and its gold for what the model thinks of it; a page that is
//! misread is misread as a whole. So it is too sure, and evenly so: the map from expected to observed F1 of pages that were
//! scored while training is non-decreasing, and is learned as such.
//!
//! References: Zadrozny & Elkan 2002, "Transforming classifier scores into accurate multiclass probability estimates"
//! (isotonic regression); Ayer et al. 1955 (the algorithm: pool adjacent violators).

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use crate::error::{Error, Result};
use crate::model::config::ModelConfig;

/// Pages that a knot stands for at least, so that it is a mean.
const LEAST_PAGES: usize = 20;

/// A non-decreasing, piecewise linear map of the unit interval into itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageConfidence {
    /// (expected F1, mean F1) of groups of pages, both increasing; the map goes on from there to (0, 0) and (1, 1), so that a
    /// page unlike those of training, of which less is expected than of any of them, is not held for one of them.
    knots: Vec<(f64, f64)>,
}

impl PageConfidence {
    /// Learns the map from (expected F1, F1) of pages, nothing from fewer than 20.
    ///
    /// # Cost
    /// O(n log n).
    pub fn learn(pages: &[(f64, f64)]) -> Option<Self> {
        if pages.len() < LEAST_PAGES {
            return None;
        }
        let mut pages = pages.to_vec();
        pages.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        /// Neighbours in order of what is expected.
        struct Group {
            expected: f64,
            observed: f64,
            pages: f64,
        }
        let mut groups: Vec<Group> = Vec::new();
        // Of equal sizes; the last takes the rest.
        let n = pages.len() / LEAST_PAGES;
        for i in 0..n {
            let end = if i + 1 == n { pages.len() } else { (i + 1) * LEAST_PAGES };
            let of_group = &pages[i * LEAST_PAGES..end];
            let size = of_group.len() as f64;
            let mean = |of: fn(&(f64, f64)) -> f64| of_group.iter().map(of).sum::<f64>() / size;
            let mut group =
                Group { expected: mean(|page| page.0), observed: mean(|page| page.1), pages: size };
            while let Some(last) = groups.pop_if(|last| last.observed >= group.observed) {
                let pages = last.pages + group.pages;
                let pool = |a: f64, b: f64| (a * last.pages + b * group.pages) / pages;
                group = Group {
                    expected: pool(last.expected, group.expected),
                    observed: pool(last.observed, group.observed),
                    pages,
                };
            }
            groups.push(group);
        }
        Some(PageConfidence { knots: groups.iter().map(|group| (group.expected, group.observed)).collect() })
    }

    /// The mean F1 of pages of which so much was expected, 0 to 1.
    pub fn f1(&self, expected: f64) -> f64 {
        let above = self.knots.partition_point(|knot| knot.0 <= expected);
        let (x0, y0) = above.checked_sub(1).map_or((0.0, 0.0), |below| self.knots[below]);
        let (x1, y1) = self.knots.get(above).copied().unwrap_or((1.0, 1.0));
        if x1 <= x0 {
            return y0;
        }
        // Rounding must not leave the interval.
        (y0 + (y1 - y0) * (expected.clamp(x0, x1) - x0) / (x1 - x0)).clamp(y0, y1)
    }
}

impl Layer for PageConfidence {
    fn check(&self, _: &ModelConfig) -> Result<()> {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        let in_range = self.knots.iter().all(|&(expected, f1)| is_share(expected) && is_share(f1));
        let increasing = self.knots.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1);
        if self.knots.is_empty() || !in_range || !increasing {
            return Err(Error::usage(
                "page-confidence: its knots do not increase from 0 to 1",
                "train the model again",
            ));
        }
        Ok(())
    }

    fn line(&self) -> Option<(&'static str, String)> {
        let mut knots: Vec<String> =
            self.knots.iter().map(|(expected, f1)| format!("{expected:.2}: {f1:.2}")).collect();
        knots.dedup();
        Some(("confidence", format!("F1 by expected F1: {}", knots.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `n` pages of each (expected, F1).
    fn pages(groups: &[(f64, f64)], n: usize) -> Vec<(f64, f64)> {
        groups.iter().flat_map(|&group| std::iter::repeat_n(group, n)).collect()
    }

    #[test]
    fn neighbours_in_the_wrong_order_are_pooled() {
        let map =
            PageConfidence::learn(&pages(&[(0.2, 0.1), (0.5, 0.7), (0.6, 0.5), (0.9, 0.8)], 20)).unwrap();
        let knots = &map.knots;
        assert_eq!(knots.len(), 3);
        for (knot, expected) in knots.iter().zip([(0.2, 0.1), (0.55, 0.6), (0.9, 0.8)]) {
            assert!((knot.0 - expected.0).abs() < 1e-12 && (knot.1 - expected.1).abs() < 1e-12, "{knots:?}");
        }
        assert!((map.f1(0.725) - 0.7).abs() < 1e-12);
        assert_eq!((map.f1(0.0), map.f1(1.0)), (0.0, 1.0));
        assert!((map.f1(0.1) - 0.05).abs() < 1e-12 && (map.f1(0.95) - 0.9).abs() < 1e-12);
    }

    #[test]
    fn few_pages_and_damaged_maps_are_refused() {
        assert_eq!(PageConfidence::learn(&pages(&[(0.5, 0.5)], 19)), None);
        for knots in [vec![], vec![(0.1, 0.9), (0.2, 0.3)], vec![(0.5, f64::NAN)], vec![(0.2, 1.5)]] {
            assert!(PageConfidence { knots }.check(&ModelConfig::blocks()).is_err());
        }
    }

    proptest! {
        #[test]
        fn what_is_learned_never_decreases_and_keeps_the_mean(
            pages in prop::collection::vec((0.0..=1.0f64, 0.0..=1.0f64), 20..200), at in 0.0..=1.0f64, more in 0.0..=1.0f64,
        ) {
            let map = PageConfidence::learn(&pages).unwrap();
            let (low, high) = (map.f1(at), map.f1((at + more).min(1.0)));
            prop_assert!(0.0 <= low && low <= high + 1e-12 && high <= 1.0);
            let mean = pages.iter().map(|page| page.1).sum::<f64>() / pages.len() as f64;
            let knots = &map.knots;
            prop_assert!(knots[0].1 <= mean + 1e-9 && mean <= knots[knots.len() - 1].1 + 1e-9);
        }
    }
}
