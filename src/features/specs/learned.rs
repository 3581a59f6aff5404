//! What a model has learned of the other features, as features.

use crate::features::bins::Bins;
use crate::features::spec::{FeatureSpec, Kind, values};
use crate::label::Label;

/// Scores that a model learns, by number: the id of the feature, and the labels that it speaks for. Those of single
/// labels are learned of pages with labels alone.
pub const SCORES: [(&str, &[Label]); 6] = [
    ("content-score", &[Label::Headline, Label::FullText, Label::Supplemental]),
    ("headline-score", &[Label::Headline]),
    ("full-text-score", &[Label::FullText]),
    ("supplemental-score", &[Label::Supplemental]),
    ("related-content-score", &[Label::RelatedContent]),
    ("comments-score", &[Label::Comments]),
];

macro_rules! learned {
    ($($score:literal $name:literal,)*) => {
        &[$(FeatureSpec {
            id: SCORES[$score].0,
            name: concat!("what boosted trees over all features say for ", $name, ", as logarithm of odds"),
            thesis: None,
            kind: Kind::Count { unit: "half nats above -7", bins: HALF_NATS, values: values!(|m, v| m.score($score, v)) },
            needs_layout: false,
            needs_score: true,
        },)*]
    };
}

/// What a model has learned of the other features: see `model::layers::boosted_scores`.
pub const FEATURES: &[FeatureSpec] = learned![
    0 "content",
    1 "a headline",
    2 "full text",
    3 "supplemental text",
    4 "related content",
    5 "comments",
];
const HALF_NATS: Bins = Bins::new(&[
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
]);
