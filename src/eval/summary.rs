//! From documents to a corpus: means and pooled scores with bootstrap intervals over hosts.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::diagnostics::quantile_of_sorted;
use crate::error::{Error, Result};
use crate::rng;

/// The cluster bootstrap: whole hosts are drawn with replacement, because pages of one site are alike.
///
/// Intervals are percentile intervals of the replicates. Results depend on the seed and on the set of
/// documents, not on their order. Cost: replicates times hosts.
///
/// References: Efron & Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13; Davison & Hinkley
/// 1997, "Bootstrap Methods and their Application", section 3.8 (clusters).
///
/// # Examples
/// ```
/// use duramen::eval::Bootstrap;
///
/// let documents = [("a.example", 0.9), ("a.example", 0.7), ("b.example", 0.5)];
/// let mean = Bootstrap::default().mean(documents)?;
/// assert_eq!((mean.documents, mean.hosts), (3, 2));
/// assert!((mean.value - 0.7).abs() < 1e-12);
/// let interval = mean.interval.unwrap();
/// assert!(interval.low >= 0.5 && interval.high <= 0.8);
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bootstrap {
    /// The seed of the stream "bootstrap"; default 0.
    pub seed: u64,
    /// How many times the hosts are drawn again, at least 1; default 2000.
    pub replicates: usize,
    /// The interval's coverage, above 0 and below 1; default 0.95.
    pub coverage: f64,
}

/// Fewer hosts than these say little of how scores vary between hosts: intervals over pages say more.
pub const LEAST_HOSTS: usize = 5;

/// A corpus score with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The score over all documents.
    pub value: f64,
    /// The bootstrap interval; nothing with fewer than two hosts, of which no variation can be learned.
    pub interval: Option<Interval>,
    /// How many documents there are.
    pub documents: usize,
    /// How many hosts there are.
    pub hosts: usize,
}

/// The ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Bootstrap { seed: 0, replicates: 2000, coverage: 0.95 }
    }
}

impl Bootstrap {
    /// The mean over documents, each given as (host, score); every document counts the same.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no document, a score is not finite, or a setting is out of range.
    pub fn mean<'a>(&self, documents: impl IntoIterator<Item = (&'a str, f64)>) -> Result<Estimate> {
        let mut hosts: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (host, score) in documents {
            if !score.is_finite() {
                return Err(Error::usage(
                    format!("a document of {host} scores {score}"),
                    "leave documents without a score out and report them as n/a",
                ));
            }
            hosts.entry(host).or_default().push(score);
        }
        let sums: Vec<(f64, usize)> = hosts
            .into_values()
            .map(|mut scores| {
                // Float sums depend on their order, and the order of documents shall not matter.
                scores.sort_by(f64::total_cmp);
                (scores.iter().sum(), scores.len())
            })
            .collect();
        self.estimate(
            &sums,
            |&(_, n)| n,
            |drawn| {
                let (sum, n) = drawn.fold((0.0, 0), |(sum, n), &(s, m)| (sum + s, n + m));
                sum / n as f64
            },
        )
    }

    /// The mean of the differences `a - b` over documents given as (host, a, b): two systems on the same
    /// documents. The interval is paired: each replicate draws the same hosts for both.
    ///
    /// # Errors
    /// As [`Bootstrap::mean`].
    pub fn paired_difference<'a>(
        &self,
        documents: impl IntoIterator<Item = (&'a str, f64, f64)>,
    ) -> Result<Estimate> {
        self.mean(documents.into_iter().map(|(host, a, b)| (host, a - b)))
    }

    /// A score of the pooled counts of all documents, each given as (host, counts): every token counts the
    /// same, so that long documents weigh more. `score` is for example `|c| c.scores(EvaluationView::MainText).f1`.
    ///
    /// Counts are a [`Confusion`](super::Confusion), a [`Calibration`](super::Calibration) or whatever else adds up.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no document or a setting is out of range.
    pub fn pooled<'a, C: Default + for<'b> AddAssign<&'b C> + 'a>(
        &self,
        documents: impl IntoIterator<Item = (&'a str, &'a C)>,
        score: impl Fn(&C) -> f64,
    ) -> Result<Estimate> {
        let mut hosts: BTreeMap<&str, (C, usize)> = BTreeMap::new();
        for (host, counts) in documents {
            let (sum, n) = hosts.entry(host).or_default();
            *sum += counts;
            *n += 1;
        }
        let sums: Vec<(C, usize)> = hosts.into_values().collect();
        let pool = |drawn: &mut dyn Iterator<Item = &(C, usize)>| {
            let mut sum = C::default();
            drawn.for_each(|(counts, _)| sum += counts);
            score(&sum)
        };
        self.estimate(&sums, |&(_, n)| n, pool)
    }

    /// The statistic of all clusters, and the percentiles of it over replicates.
    fn estimate<T>(
        &self,
        clusters: &[T],
        size: impl Fn(&T) -> usize,
        statistic: impl Fn(&mut dyn Iterator<Item = &T>) -> f64,
    ) -> Result<Estimate> {
        if clusters.is_empty() {
            return Err(Error::usage("no documents to summarize", "evaluate at least one document"));
        }
        if self.replicates == 0 || !(self.coverage > 0.0 && self.coverage < 1.0) {
            return Err(Error::usage(
                format!("bootstrap with {} replicates and coverage {}", self.replicates, self.coverage),
                "give at least 1 replicate (default 2000) and a coverage between 0 and 1 (default 0.95)",
            ));
        }
        let value = statistic(&mut clusters.iter());
        let interval = (clusters.len() > 1).then(|| {
            let mut random = rng::stream(self.seed, "bootstrap", &[]);
            // As u64: the draws of usize differ between 32-bit and 64-bit machines.
            let n = clusters.len() as u64;
            let mut replicates: Vec<f64> = (0..self.replicates)
                .map(|_| statistic(&mut (0..n).map(|_| &clusters[random.random_range(0..n) as usize])))
                .collect();
            replicates.sort_by(f64::total_cmp);
            let tail = (1.0 - self.coverage) / 2.0;
            Interval {
                low: quantile_of_sorted(&replicates, tail),
                high: quantile_of_sorted(&replicates, 1.0 - tail),
            }
        });
        Ok(Estimate { value, interval, documents: clusters.iter().map(size).sum(), hosts: clusters.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;
    use crate::eval::{Confusion, EvaluationView};
    use proptest::prelude::*;

    #[test]
    fn two_hosts_give_the_interval_between_their_means() {
        // Replicates are 0 (1/4), 1/2 (1/2) or 1 (1/4), so the 2.5 % points are the ends.
        let mean = Bootstrap::default().mean([("a", 0.0), ("b", 1.0)]).unwrap();
        assert_eq!(mean.value, 0.5);
        assert_eq!(mean.interval, Some(Interval { low: 0.0, high: 1.0 }));
    }

    #[test]
    fn the_interval_is_about_that_of_the_normal_approximation() {
        // 200 hosts alternating 0 and 1: standard error sqrt(.25 / 200) = .03536, half width .0693.
        let names: Vec<String> = (0..200).map(|i| format!("h{i}")).collect();
        let documents = names.iter().enumerate().map(|(i, name)| (name.as_str(), (i % 2) as f64));
        let interval = Bootstrap::default().mean(documents).unwrap().interval.unwrap();
        assert!((interval.low - 0.4307).abs() < 0.01, "{interval:?}");
        assert!((interval.high - 0.5693).abs() < 0.01, "{interval:?}");
    }

    #[test]
    fn pages_of_one_host_do_not_count_as_independent() {
        let one_host_each: Vec<String> = (0..40).map(|i| format!("h{i}")).collect();
        let score = |i: usize| if i < 20 { 0.0 } else { 1.0 };
        let many = Bootstrap::default().mean((0..40).map(|i| (one_host_each[i].as_str(), score(i)))).unwrap();
        let few =
            Bootstrap::default().mean((0..40).map(|i| (["a", "b", "c", "d"][i / 10], score(i)))).unwrap();
        let width = |e: Estimate| e.interval.map(|i| i.high - i.low).unwrap();
        assert!(width(few) > 2.0 * width(many));
    }

    #[test]
    fn one_host_has_no_interval_and_no_document_is_an_error() {
        assert_eq!(Bootstrap::default().mean([("a", 0.2), ("a", 0.4)]).unwrap().interval, None);
        assert!(Bootstrap::default().mean([]).unwrap_err().to_string().contains("no documents"));
        assert!(Bootstrap::default().mean([("a", f64::NAN)]).is_err());
        let none = Bootstrap { replicates: 0, ..Bootstrap::default() };
        assert!(none.mean([("a", 1.0)]).is_err());
    }

    #[test]
    fn a_constant_difference_of_two_systems_has_an_interval_of_no_width() {
        let documents = [("a", 0.75, 0.5), ("b", 0.5, 0.25), ("c", 1.0, 0.75)];
        let difference = Bootstrap::default().paired_difference(documents).unwrap();
        assert_eq!(difference.value, 0.25);
        assert_eq!(difference.interval, Some(Interval { low: 0.25, high: 0.25 }));
    }

    #[test]
    fn the_pooled_score_weighs_documents_by_their_tokens() {
        let counts = |right, wrong| {
            let mut c = Confusion::default();
            c.add(Label::FullText, Label::FullText, right);
            c.add(Label::NotContent, Label::FullText, wrong);
            c
        };
        let (long, short) = (counts(900, 100), counts(0, 10));
        let precision = |c: &Confusion| c.scores(EvaluationView::MainText).precision;
        let pooled = Bootstrap::default().pooled([("a", &long), ("b", &short)], precision).unwrap();
        assert_eq!(pooled.value, 900.0 / 1010.0);
        assert_eq!(pooled.interval, Some(Interval { low: 0.0, high: 0.9 }));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn the_interval_holds_the_mean_and_neither_depends_on_the_order_of_documents(
            scores in prop::collection::vec((0u8..12, 0.0..=1.0f64), 2..40), seed in any::<u64>(),
        ) {
            let hosts: Vec<String> = scores.iter().map(|(host, _)| format!("host{host}")).collect();
            let documents = || hosts.iter().zip(&scores).map(|(host, &(_, score))| (host.as_str(), score));
            let bootstrap = Bootstrap { seed, replicates: 400, coverage: 0.95 };
            let estimate = bootstrap.mean(documents()).unwrap();
            if let Some(Interval { low, high }) = estimate.interval {
                prop_assert!(low <= estimate.value + 1e-12 && estimate.value <= high + 1e-12);
            }
            let mut backwards: Vec<_> = documents().collect();
            backwards.reverse();
            prop_assert_eq!(bootstrap.mean(backwards).unwrap(), estimate);
        }
    }
}
