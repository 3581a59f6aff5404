//! `Recalibration`, for a corpus whose convention differs from that of the pages a model was trained on.
//!
//! What belongs to an article is a convention: one corpus keeps captions, lists of links or comments that another leaves out.
//! A model that ranks text well can still be wrong throughout about how much of it is wanted. Two numbers correct that: the log
//! odds of the article become
//!
//! logit P'(article) = intercept + slope · logit P(article),
//!
//! and the labels within the article, and those outside it, keep their proportions. Both are learned from pages of the corpus.
//! It is a layer over the posterior of inference, in front of the decision.
//!
//! References: Cox 1958, "Two further applications of a model for binary regression" (the two numbers); Platt 1999,
//! "Probabilistic outputs for support vector machines" (learned on pages apart).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use crate::error::{Error, Result};
use crate::label::{Label, LabelSet};
use crate::logistic::{self, Newton, sigmoid, softplus};
use crate::model::config::ModelConfig;
use crate::plural::plural;
use crate::view::PageView;

/// Standard deviation of both numbers before any page is seen, about no change: 0 and 1.
const PRIOR_DEVIATION: f64 = 2.0;
/// A slope below would make surer text less so.
const LEAST_SLOPE: f64 = 0.05;
/// Neither number is larger.
const MOST: f64 = 20.0;
/// Probabilities are taken for this far from 0 and 1, as far as a logarithm asks for.
const LEAST_PROBABILITY: f64 = 1e-9;

/// Some text of which it is known how much belongs to the article.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownText {
    /// P(article), 0 to 1.
    pub probability: f64,
    /// Its tokens that belong to the article.
    pub inside: u32,
    /// Its other tokens.
    pub outside: u32,
}

/// A change of the log odds of the article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Recalibration {
    /// Added to the log odds. Range -20 to 20.
    intercept: f64,
    /// Multiplies the log odds. Range 0.05 to 20.
    slope: f64,
    /// Pages that it was learned from, by source.
    sources: BTreeMap<String, u64>,
}

impl Recalibration {
    /// The most probable change, given the text of pages from sources: logistic regression under a normal prior.
    ///
    /// The tokens of a page say much the same, so that all of them are worth as many observations as there are pages: few
    /// pages change little.
    ///
    /// # Cost
    /// O(texts) for each of some ten steps of Newton's method.
    pub fn learn(pages: &[&[KnownText]], sources: BTreeMap<String, u64>) -> Self {
        let tokens = |text: &KnownText| f64::from(text.inside) + f64::from(text.outside);
        let pages_with_text = pages.iter().filter(|page| page.iter().any(|text| tokens(text) > 0.0)).count();
        let texts: Vec<KnownText> = pages.concat();
        let all: f64 = texts.iter().map(tokens).sum();
        let weight = if all > 0.0 { pages_with_text as f64 / all } else { 0.0 };
        let fit = Fit { texts, weight };
        let free = fit.maximum([0.0, 1.0], [true, true]);
        let [intercept, slope] = match free[1] < LEAST_SLOPE {
            true => fit.maximum([free[0], LEAST_SLOPE], [true, false]),
            false => free,
        };
        Recalibration { intercept: intercept.clamp(-MOST, MOST), slope: slope.min(MOST), sources }
    }

    /// What is added to the log odds.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// What multiplies the log odds.
    pub fn slope(&self) -> f64 {
        self.slope
    }

    /// Pages that it was learned from, by source.
    pub fn sources(&self) -> &BTreeMap<String, u64> {
        &self.sources
    }

    /// Changes the posterior of each leaf, \[node\]\[state\] of `k` states. Inner nodes keep theirs.
    pub fn apply(&self, view: &PageView, posterior: &mut [f64], k: usize) {
        for (v, states) in posterior.chunks_exact_mut(k).enumerate() {
            if view.tree.is_leaf(v as u32) {
                self.change(states.first_chunk_mut().expect("a leaf's states begin with the labels"));
            }
        }
    }

    /// P'(article) of text of which P(article) was said, both 0 to 1.
    pub fn probability(&self, probability: f64) -> f64 {
        sigmoid(self.intercept + self.slope * logit(probability))
    }

    fn change(&self, labels: &mut [f64; Label::COUNT]) {
        let article = LabelSet::ARTICLE.probability(labels);
        let odds = (self.intercept + (self.slope - 1.0) * logit(article)).exp();
        LabelSet::ARTICLE.iter().for_each(|label| labels[label.index()] *= odds);
        let sum: f64 = labels.iter().sum();
        labels.iter_mut().for_each(|label| *label /= sum);
    }
}

impl Layer for Recalibration {
    fn check(&self, _: &ModelConfig) -> Result<()> {
        let ranges = [("intercept", self.intercept, -MOST, MOST), ("slope", self.slope, LEAST_SLOPE, MOST)];
        match ranges.into_iter().find(|(_, value, least, most)| !(least..=most).contains(&value)) {
            None => Ok(()),
            Some((name, value, least, most)) => Err(Error::usage(
                format!("recalibration: its {name} is {value}, and must be from {least} to {most}"),
                "recalibrate the model again",
            )),
        }
    }

    fn line(&self) -> Option<(&'static str, String)> {
        let Recalibration { intercept, slope, sources } = self;
        let sources: Vec<String> =
            sources.iter().map(|(source, pages)| format!("{source}: {}", plural(*pages, "page"))).collect();
        let sources = sources.join(", ");
        Some(("recalibrated", format!("log odds of the article {intercept:.3} + {slope:.3} x, of {sources}")))
    }
}

fn logit(probability: f64) -> f64 {
    logistic::logit(probability, LEAST_PROBABILITY)
}

/// A concave objective over intercept and slope: log likelihood and log prior.
struct Fit {
    texts: Vec<KnownText>,
    /// What a token is worth.
    weight: f64,
}

impl Fit {
    /// The objective but for a constant.
    fn value(&self, [intercept, slope]: [f64; 2]) -> f64 {
        let precision = PRIOR_DEVIATION.powi(-2);
        let prior = -0.5 * precision * (intercept.powi(2) + (slope - 1.0).powi(2));
        let of_text = |text: &KnownText| {
            let odds = intercept + slope * logit(text.probability);
            -f64::from(text.inside) * softplus(-odds) - f64::from(text.outside) * softplus(odds)
        };
        prior + self.weight * self.texts.iter().map(of_text).sum::<f64>()
    }

    /// Gradient, and the negative of the matrix of second derivatives as (first, mixed, second).
    fn derivatives(&self, [intercept, slope]: [f64; 2]) -> ([f64; 2], [f64; 3]) {
        let precision = PRIOR_DEVIATION.powi(-2);
        let mut gradient = [-precision * intercept, -precision * (slope - 1.0)];
        let mut curvature = [precision, 0.0, precision];
        for text in &self.texts {
            let x = logit(text.probability);
            let p = sigmoid(intercept + slope * x);
            let (inside, outside) = (f64::from(text.inside), f64::from(text.outside));
            let slack = self.weight * (inside * (1.0 - p) - outside * p);
            let spread = self.weight * (inside + outside) * p * (1.0 - p);
            gradient[0] += slack;
            gradient[1] += slack * x;
            curvature[0] += spread;
            curvature[1] += spread * x;
            curvature[2] += spread * x * x;
        }
        (gradient, curvature)
    }

    /// The maximum over the free numbers from a start, by Newton's method.
    fn maximum(&self, start: [f64; 2], free: [bool; 2]) -> [f64; 2] {
        let step = |at: [f64; 2]| {
            let (gradient, [a, b, c]) = self.derivatives(at);
            match free {
                [true, true] => {
                    let determinant = a * c - b * b;
                    [
                        (c * gradient[0] - b * gradient[1]) / determinant,
                        (a * gradient[1] - b * gradient[0]) / determinant,
                    ]
                }
                [first, second] => [
                    f64::from(u8::from(first)) * gradient[0] / a,
                    f64::from(u8::from(second)) * gradient[1] / c,
                ],
            }
        };
        Newton { steps: 100, tries: 100, least_step: 1e-12 }.maximum(start, |at| self.value(at), step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(probability: f64, inside: u32, outside: u32) -> KnownText {
        KnownText { probability, inside, outside }
    }

    fn learn(pages: &[Vec<KnownText>]) -> Recalibration {
        let pages: Vec<&[KnownText]> = pages.iter().map(Vec::as_slice).collect();
        Recalibration::learn(&pages, BTreeMap::new())
    }

    /// P(article) after the change.
    fn changed(recalibration: &Recalibration, probability: f64) -> f64 {
        let mut labels = [0.0; Label::COUNT];
        labels[Label::FullText.index()] = probability;
        labels[Label::NotContent.index()] = 1.0 - probability;
        recalibration.change(&mut labels);
        LabelSet::ARTICLE.probability(&labels)
    }

    #[test]
    fn no_pages_and_right_probabilities_change_nothing() {
        assert_eq!((learn(&[]).intercept(), learn(&[]).slope), (0.0, 1.0));
        let right = vec![text(0.1, 10, 90), text(0.5, 50, 50), text(0.8, 80, 20)];
        let learned = learn(&vec![right; 500]);
        assert!(learned.intercept().abs() < 1e-6 && (learned.slope - 1.0).abs() < 1e-6, "{learned:?}");
    }

    /// Pages whose text is in the article as often as given log odds say are learned from to these, and the more of them
    /// the nearer.
    #[test]
    fn the_convention_of_pages_is_found() {
        let (intercept, slope) = (1.5, 0.7);
        let of = |p: f64| {
            let share = sigmoid(intercept + slope * logit(p));
            let inside = (share * 1e6).round() as u32;
            text(p, inside, 1_000_000 - inside)
        };
        let page: Vec<KnownText> = [0.02, 0.2, 0.5, 0.7, 0.9, 0.99].map(of).to_vec();
        let distance = |n: usize| {
            let learned = learn(&vec![page.clone(); n]);
            (learned.intercept() - intercept).abs() + (learned.slope - slope).abs()
        };
        let distances = [1, 10, 100, 10_000].map(distance);
        assert!(distances.is_sorted_by(|a, b| a > b) && distances[3] < 1e-3, "{distances:?}");
    }

    /// A model that is wrong throughout is not believed the other way round.
    #[test]
    fn the_order_of_texts_is_kept() {
        let wrong = vec![text(0.01, 90, 10), text(0.99, 10, 90)];
        let learned = learn(&vec![wrong; 100]);
        assert_eq!(learned.slope, LEAST_SLOPE);
        assert!(changed(&learned, 0.2) < changed(&learned, 0.3));
        learned.check(&ModelConfig::blocks()).unwrap();
    }

    #[test]
    fn damaged_numbers_are_refused() {
        for (intercept, slope) in [(f64::NAN, 1.0), (21.0, 1.0), (0.0, 0.0), (0.0, f64::INFINITY)] {
            let damaged = Recalibration { intercept, slope, sources: BTreeMap::new() };
            assert!(
                damaged
                    .check(&ModelConfig::blocks())
                    .unwrap_err()
                    .to_string()
                    .contains("recalibrate the model again")
            );
        }
    }

    proptest! {
        /// The article gets the log odds asked for, and all else its proportions.
        #[test]
        fn labels_keep_their_proportions(
            weights in prop::array::uniform6(0.001..1.0f64), intercept in -3.0..3.0f64, slope in 0.1..3.0f64,
        ) {
            let recalibration = Recalibration { intercept, slope, sources: BTreeMap::new() };
            let sum: f64 = weights.iter().sum();
            let before = weights.map(|weight| weight / sum);
            let mut after = before;
            recalibration.change(&mut after);
            let article = |labels| LabelSet::ARTICLE.probability(labels);
            prop_assert!((after.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!((article(&after) - recalibration.probability(article(&before))).abs() < 1e-9);
            for (a, b) in Label::ALL.into_iter().zip(Label::ALL.into_iter().skip(1)) {
                if LabelSet::ARTICLE.contains(a) == LabelSet::ARTICLE.contains(b) {
                    let ratio = |labels: &[f64]| labels[a.index()] / labels[b.index()];
                    prop_assert!((ratio(&after) / ratio(&before) - 1.0).abs() < 1e-9);
                }
            }
        }
    }
}
