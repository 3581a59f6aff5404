//! `Decision`, from posteriors to labels: which text is content, and how good that choice is expected to be.
//!
//! The posterior of a node does not depend on the decision. For the score that most benchmarks report, F1 of the words
//! of a page, the best set is not that of all nodes above one half: where little is sure, taking more costs less than
//! losing it. With q_v the probability that leaf v is content and w_v its words, the set S that maximizes
//!
//! F_beta(S) = (1 + beta^2) sum_{v in S} w_v q_v / (sum_{v in S} w_v + beta^2 sum_v w_v q_v)
//!
//! is, for some n, that of the n most probable leaves, so one pass over them in order finds it. F_beta(S) is the plug-in
//! estimate of the expected score: exact if words of content were a fixed number.
//!
//! A page that may be of several types has a set of probabilities for each. Leaves are right or wrong together then, by the type of
//! the page: what is maximized is the mean of F over the types, and the n most probable are tried in the order of each
//! type and of the mean.
//!
//! References: Lewis 1995, "Evaluating and optimizing autonomous text classification systems" (the ranking); Ye et al.
//! 2012, "Optimizing F-measures: a tale of two approaches" (plug-in).

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// How labels are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", deny_unknown_fields, rename_all = "kebab-case")]
pub enum Decision {
    /// Each node has its most probable label.
    MostProbable,
    /// Content is what has at least this probability. Range 0 to 1.
    Threshold {
        /// The probability.
        probability: f64,
    },
    /// Content is the set with the largest expected F of the page's words.
    ExpectedF {
        /// How much recall weighs against precision: 1 for F1, less for precision, more for recall. Range 0.01 to 100.
        beta: f64,
    },
}

impl Default for Decision {
    /// Most probable labels.
    fn default() -> Self {
        Decision::MostProbable
    }
}

/// The probability that a leaf is content, and its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeafChance {
    /// P(content), 0 to 1.
    pub content: f64,
    /// Words, or another weight; not negative.
    pub words: f64,
}

impl Decision {
    /// The set with the largest expected F1.
    pub const EXPECTED_F1: Decision = Decision::ExpectedF { beta: 1.0 };

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the value and its range.
    pub fn check(&self) -> Result<()> {
        match *self {
            Decision::Threshold { probability } if !(0.0..=1.0).contains(&probability) => {
                Err(Error::usage(format!("the threshold is {probability}"), "a probability from 0 to 1"))
            }
            Decision::ExpectedF { beta } if !(0.01..=100.0).contains(&beta) => Err(Error::usage(
                format!("beta is {beta}"),
                "from 0.01 to 100; 1 is F1, 0.5 holds precision for twice as important as recall",
            )),
            _ => Ok(()),
        }
    }

    /// Which leaves are content; none where each node is to have its most probable label.
    ///
    /// # Cost
    /// O(n log n).
    pub fn content(&self, leaves: &[LeafChance]) -> Option<Vec<bool>> {
        self.content_by_type(leaves, &[])
    }

    /// The same of a page that may be of several types: `by_type` has each with its probability and P(content) of each leaf given
    /// it, `leaves` the means; none of a page of one type.
    ///
    /// # Cost
    /// O(n log n) times the square of the types.
    pub fn content_by_type(&self, leaves: &[LeafChance], by_type: &[(f64, Vec<f64>)]) -> Option<Vec<bool>> {
        match *self {
            Decision::MostProbable => None,
            Decision::Threshold { probability } => {
                Some(leaves.iter().map(|leaf| leaf.content >= probability).collect())
            }
            Decision::ExpectedF { beta } => Some(largest_expected_f(leaves, by_type, beta)),
        }
    }
}

/// The plug-in estimate of the expected F1 of a set of leaves; 1 of nothing where nothing is expected.
pub fn expected_f1(leaves: &[LeafChance], chosen: impl Iterator<Item = bool>) -> f64 {
    let expected: f64 = leaves.iter().map(|leaf| leaf.words * leaf.content).sum();
    let (hits, words) = leaves
        .iter()
        .zip(chosen)
        .filter(|(_, chosen)| *chosen)
        .fold((0.0, 0.0), |(hits, words), (leaf, _)| (hits + leaf.words * leaf.content, words + leaf.words));
    if words + expected == 0.0 { 1.0 } else { 2.0 * hits / (words + expected) }
}

fn largest_expected_f(leaves: &[LeafChance], by_type: &[(f64, Vec<f64>)], beta: f64) -> Vec<bool> {
    /// Given a type of the page.
    struct OfType<'a> {
        p: f64,
        content: &'a [f64],
        /// The words of content.
        expected: f64,
        /// Those among the chosen.
        hits: f64,
    }
    let mean: Vec<f64> = leaves.iter().map(|leaf| leaf.content).collect();
    let mut types: Vec<OfType<'_>> = Vec::new();
    let mut orders = vec![mean.as_slice()];
    let mut add = |p: f64, content| {
        let words = |(leaf, content): (&LeafChance, &f64)| leaf.words * content;
        types.push(OfType { p, content, expected: leaves.iter().zip(content).map(words).sum(), hits: 0.0 });
    };
    if by_type.is_empty() {
        add(1.0, &mean);
    }
    for (p, content) in by_type {
        add(*p, content);
        orders.push(content);
    }
    let (mut best, mut chosen) = (0.0, vec![false; leaves.len()]);
    for content in orders {
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        // Of equals the first on the page.
        order.sort_by(|&a, &b| content[b].total_cmp(&content[a]).then(a.cmp(&b)));
        types.iter_mut().for_each(|given| given.hits = 0.0);
        let (mut words, mut best_length) = (0.0, None);
        for (length, &leaf) in order.iter().enumerate() {
            words += leaves[leaf].words;
            let mut score = 0.0;
            for given in &mut types {
                given.hits += leaves[leaf].words * given.content[leaf];
                score +=
                    given.p * ((1.0 + beta * beta) * given.hits / (words + beta * beta * given.expected));
            }
            if score > best {
                (best, best_length) = (score, Some(length + 1));
            }
        }
        if let Some(length) = best_length {
            chosen.fill(false);
            order[..length].iter().for_each(|&leaf| chosen[leaf] = true);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn leaves(chances: &[(f64, f64)]) -> Vec<LeafChance> {
        chances.iter().map(|&(content, words)| LeafChance { content, words }).collect()
    }

    #[test]
    fn where_little_is_sure_more_is_taken() {
        let unsure = leaves(&[(0.4, 100.0), (0.3, 100.0), (0.05, 100.0)]);
        assert_eq!(Decision::Threshold { probability: 0.5 }.content(&unsure).unwrap(), [false; 3]);
        assert_eq!(Decision::EXPECTED_F1.content(&unsure).unwrap(), [true, true, false]);
        assert_eq!(Decision::ExpectedF { beta: 0.3 }.content(&unsure).unwrap(), [true, false, false]);
        assert_eq!(Decision::ExpectedF { beta: 5.0 }.content(&unsure).unwrap(), [true, true, true]);
        assert_eq!(Decision::MostProbable.content(&unsure), None);
    }

    #[test]
    fn leaves_of_a_page_of_unknown_type_are_right_or_wrong_together() {
        // Ten teasers of P = .6 each, which are content all at once or not at all, beside a text that is content in any case.
        let teasers = [(0.6, 20.0); 10];
        let page = leaves(&[&[(1.0, 100.0)], teasers.as_slice()].concat());
        let given = |teaser: f64| [vec![1.0], vec![teaser; 10]].concat();
        let listing = (0.6, given(1.0));
        let article = (0.4, given(0.0));
        let by_type = [listing.clone(), article.clone()];
        let f1 = |all: bool| -> f64 {
            let of_type = |(p, content): &(f64, Vec<f64>)| {
                let given: Vec<LeafChance> = page
                    .iter()
                    .zip(content)
                    .map(|(leaf, &content)| LeafChance { content, ..*leaf })
                    .collect();
                p * expected_f1(&given, (0..11).map(|leaf| all || leaf == 0))
            };
            by_type.iter().map(of_type).sum()
        };
        let chosen = Decision::EXPECTED_F1.content_by_type(&page, &by_type).unwrap();
        assert_eq!(chosen[1..], [f1(true) > f1(false); 10]);
        // The surer the page is no listing, the less is taken; leaf by leaf the same probabilities may take all.
        let unsure = [(0.35, listing.1), (0.65, article.1)];
        let mean = leaves(&[&[(1.0, 100.0)], [(0.35, 20.0); 10].as_slice()].concat());
        assert_eq!(Decision::EXPECTED_F1.content_by_type(&mean, &unsure).unwrap()[1..], [false; 10]);
    }

    #[test]
    fn nothing_is_expected_of_a_page_without_content() {
        let empty = leaves(&[(0.0, 10.0), (0.0, 3.0)]);
        assert_eq!(Decision::EXPECTED_F1.content(&empty).unwrap(), [false, false]);
        assert_eq!(expected_f1(&empty, [false, false].into_iter()), 1.0);
        assert_eq!(expected_f1(&[], [].into_iter()), 1.0);
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        assert!(Decision::ExpectedF { beta: 0.0 }.check().unwrap_err().to_string().contains("0.01 to 100"));
        assert!(Decision::Threshold { probability: 1.5 }.check().is_err());
        assert!(Decision::EXPECTED_F1.check().is_ok());
    }

    proptest! {
        #[test]
        fn of_one_type_the_decision_is_that_without_types(
            chances in prop::collection::vec((0.0..1.0f64, 0.5..50.0f64), 1..12), beta in 0.5..2.0f64
        ) {
            let leaves = leaves(&chances);
            let content: Vec<f64> = leaves.iter().map(|leaf| leaf.content).collect();
            let decision = Decision::ExpectedF { beta };
            // Halves are exact.
            let twice = [(0.5, content.clone()), (0.5, content)];
            prop_assert_eq!(decision.content_by_type(&leaves, &twice), decision.content(&leaves));
        }

        #[test]
        fn no_other_set_has_a_larger_expected_f1(chances in prop::collection::vec((0.0..1.0f64, 0.5..50.0f64), 1..9)) {
            let leaves = leaves(&chances);
            let chosen = Decision::EXPECTED_F1.content(&leaves).unwrap();
            let score = expected_f1(&leaves, chosen.iter().copied());
            for set in 0..1u32 << leaves.len() {
                let other = expected_f1(&leaves, (0..leaves.len()).map(|leaf| set >> leaf & 1 == 1));
                prop_assert!(other <= score + 1e-12);
            }
        }
    }
}
