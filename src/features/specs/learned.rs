//! What a model has learned of the other features, as features.

use crate::features::bins::Bins;
use crate::features::spec::{FeatureSpec, count, family};
use crate::label::Label;

/// Scores that a model learns, by number: the id of the feature, and the labels that it speaks for. Those of single
/// labels are learned of pages with labels alone. See `model::layers::boosted_scores`.
pub const SCORES: [(&str, &[Label]); 6] = [
    ("content-score", &[Label::Headline, Label::FullText, Label::Supplemental]),
    ("headline-score", &[Label::Headline]),
    ("full-text-score", &[Label::FullText]),
    ("supplemental-score", &[Label::Supplemental]),
    ("related-content-score", &[Label::RelatedContent]),
    ("comments-score", &[Label::Comments]),
];

const HALF_NATS: Bins = Bins::new(&[
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
]);

/// The feature of a score.
const fn score(score: usize, name: &'static str) -> FeatureSpec {
    FeatureSpec { needs_score: true, ..count(SCORES[score].0, name, "half nats above -7", HALF_NATS) }
}

family! {
    |m| {}
    |v| {
        let v = v as usize;
    }
    score(0, "what boosted trees over all features say for content, as logarithm of odds") => m.scores[0][v],
    score(1, "what boosted trees over all features say for a headline, as logarithm of odds") => m.scores[1][v],
    score(2, "what boosted trees over all features say for full text, as logarithm of odds") => m.scores[2][v],
    score(3, "what boosted trees over all features say for supplemental text, as logarithm of odds") => m.scores[3][v],
    score(4, "what boosted trees over all features say for related content, as logarithm of odds") => m.scores[4][v],
    score(5, "what boosted trees over all features say for comments, as logarithm of odds") => m.scores[5][v],
}
