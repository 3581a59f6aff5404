//! The figures of a run.

use std::collections::BTreeMap;

use super::super::figures::{
    BandPoint, BandSeries, Distribution, FeatureDistribution, LabelBars, LinesWithBand, RankedScores,
    Reliability, ScoreDistribution, SystemScores,
};
use super::{Level, Measure, OfSplit};
use crate::eval::View;
use crate::harness::convergence::ConvergenceRow;
use crate::harness::distributions::LabelHistogram;
use crate::harness::record::PageResult;

/// Categories shown of a categorical feature.
const TOP_CATEGORIES: usize = 12;

impl OfSplit<'_> {
    fn subtitle(&self, level: Level, view: View) -> String {
        let what = match view {
            View::Complete => "exact type",
            View::MainText => "main text (full text) against the rest",
            View::Content => "content against not content",
            View::Article => "headline, full text and supplemental against the rest",
        };
        format!("{}, {} level, {what}; {}", self.run.record.dataset, level.name(), self.split.describe())
    }

    fn values(&self, score: impl Fn(&PageResult) -> f64) -> Vec<SystemScores> {
        self.systems()
            .map(|system| SystemScores {
                name: system.to_owned(),
                values: self
                    .per_page(system, &score)
                    .into_iter()
                    .map(|(_, value)| value.clamp(0.0, 1.0))
                    .collect(),
            })
            .collect()
    }

    pub(super) fn ranked(&self, level: Level, view: View, measure: Measure) -> RankedScores {
        RankedScores {
            title: format!("Pages ordered by {}", measure.name()),
            subtitle: self.subtitle(level, view),
            measure: measure.name().to_owned(),
            systems: self.values(|result| measure.of(&level.counts(result).scores(view))),
        }
    }

    pub(super) fn distribution(&self, view: View) -> ScoreDistribution {
        ScoreDistribution {
            title: "Distribution of F1 over pages".to_owned(),
            subtitle: self.subtitle(Level::Token, view),
            measure: "F1".to_owned(),
            systems: self.values(|result| result.scores.tokens.scores(view).f1),
        }
    }

    pub(super) fn word_f1_figure(&self) -> ScoreDistribution {
        ScoreDistribution {
            title: "Distribution of word F1 over pages".to_owned(),
            subtitle: format!("{}; {}", self.run.record.dataset, self.split.describe()),
            measure: "F1".to_owned(),
            systems: self.values(|result| result.scores.text.as_ref().map_or(0.0, |scores| scores.f1)),
        }
    }

    pub(super) fn label_bars(&self) -> LabelBars {
        LabelBars {
            title: "Precision, recall and F1 of each label".to_owned(),
            subtitle: format!("{}, token level, pooled; {}", self.run.record.dataset, self.split.describe()),
            unit: "tokens".to_owned(),
            systems: self
                .systems()
                .map(|system| {
                    (system.to_owned(), self.of_system(system).map(|result| result.scores.tokens).sum())
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
            title: "Reliability of P(content)".to_owned(),
            subtitle: format!("{}, token level; {}", self.run.record.dataset, self.split.describe()),
            event: "content".to_owned(),
            unit: "tokens".to_owned(),
            systems,
        })
    }
}

/// Distance from the exact posterior by number of sweeps.
pub(super) fn convergence(rows: &[ConvergenceRow]) -> LinesWithBand {
    let series = |name: &str, page_counts: bool, y: fn(&ConvergenceRow) -> f64| BandSeries {
        name: name.to_owned(),
        points: rows
            .iter()
            .filter(|row| row.page_counts == page_counts)
            .map(|row| BandPoint { x: f64::from(row.sweeps), y: y(row), band: None })
            .collect(),
    };
    LinesWithBand {
        title: "The Gibbs sampler against the exact posterior".to_owned(),
        subtitle:
            "total variation distance of a node's state, mean over nodes; the last third of the sweeps \
                   averaged. Page counts: the page's own states enter the posterior, as in the thesis"
                .to_owned(),
        x_label: "sweeps".to_owned(),
        log_x: true,
        y_label: "total variation".to_owned(),
        series: vec![
            series("with page counts", true, |row| row.total_variation),
            series("without page counts", false, |row| row.total_variation),
            series("independent draws", false, |row| row.independent),
        ],
    }
}

/// One of the thesis's figures 3.1 to 3.11.
pub(super) fn feature(histogram: &LabelHistogram) -> FeatureDistribution {
    let distribution = match histogram.unit {
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
        feature: match histogram.unit {
            Some(unit) => format!("{name} [{unit}]"),
            None => name,
        },
        distribution,
    }
}
