//! The figures of a run.

use std::collections::BTreeMap;

use super::super::figures::{
    Distribution, FeatureDistribution, LabelBars, RankedScores, Reliability, ScoreDistribution, SystemScores,
};
use super::of_split::OfSplit;
use crate::harness::distributions::LabelHistogram;
use crate::scoring::{Metric, ScoreName};

/// Categories shown of a categorical feature.
const TOP_CATEGORIES: usize = 12;

impl OfSplit<'_> {
    fn subtitle(&self, what: &str) -> String {
        format!("{}, {what}; {}", self.dataset(), self.split.describe())
    }

    /// The systems with such scores, each page's clamped to what a figure can draw.
    fn values(&self, score: ScoreName) -> Vec<SystemScores> {
        let of_system = |system: &str| SystemScores {
            name: system.to_owned(),
            values: self.per_page(system, score).into_iter().map(|(_, v)| v.clamp(0.0, 1.0)).collect(),
        };
        self.systems().map(of_system).filter(|scores| !scores.values.is_empty()).collect()
    }

    pub(super) fn ranked(&self, score: ScoreName, measure: &str) -> RankedScores {
        RankedScores {
            title: format!("Pages ordered by {measure}"),
            subtitle: self.subtitle(&score.describe()),
            measure: measure.to_owned(),
            systems: self.values(score),
        }
    }

    pub(super) fn distribution(&self, score: ScoreName) -> ScoreDistribution {
        ScoreDistribution {
            title: "Distribution of F1 over pages".to_owned(),
            subtitle: self.subtitle(&score.describe()),
            measure: "F1".to_owned(),
            systems: self.values(score),
        }
    }

    pub(super) fn label_bars(&self) -> LabelBars {
        LabelBars {
            title: "Precision, recall and F1 of each label".to_owned(),
            subtitle: self.subtitle("token level, pooled"),
            unit: "tokens".to_owned(),
            systems: self
                .systems()
                .map(|system| {
                    let counts = self.counts(system, Metric::Tokens);
                    (system.to_owned(), counts.into_iter().map(|(_, counts)| *counts).sum())
                })
                .collect(),
        }
    }

    /// The reliability of the systems that give probabilities, if any does.
    pub(super) fn reliability(&self) -> Option<Reliability> {
        let systems: Vec<_> = self
            .systems()
            .filter_map(|system| Some((system.to_owned(), self.calibration(system)?)))
            .collect();
        (!systems.is_empty()).then(|| Reliability {
            title: format!("Reliability of P({})", self.event()),
            subtitle: self.subtitle("token level"),
            event: self.event().to_owned(),
            unit: "tokens".to_owned(),
            systems,
        })
    }
}

/// One of the thesis's figures 3.1 to 3.11.
pub(super) fn feature(histogram: &LabelHistogram) -> FeatureDistribution {
    let distribution = match &histogram.unit {
        Some(_) => Distribution::Counts(histogram.counts.clone()),
        None => Distribution::Categories {
            counts: histogram.counts.clone().map(|counts| {
                let named = |(value, n)| (histogram.categories[value as usize].clone(), n);
                counts.into_iter().map(named).collect::<BTreeMap<String, u64>>()
            }),
            top: TOP_CATEGORIES,
        },
    };
    let mut name = histogram.name.clone();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    FeatureDistribution {
        title: format!("{name}, by label"),
        subtitle: "DOM tree of all pages".to_owned(),
        counted: match histogram.id.as_str() {
            "child-types" | "child-tags" => "children",
            "sibling-types" | "sibling-tags" => "siblings",
            _ => "nodes",
        }
        .to_owned(),
        feature: match &histogram.unit {
            Some(unit) => format!("{name} [{unit}]"),
            None => name,
        },
        distribution,
    }
}
