//! The figures of a run.

use super::of_split::OfSplit;
use crate::dataset::labelled::GoldText;
use crate::report::figures::{
    BoxGrid, LabelBars, RankedScores, Reliability, ScoreDistribution, SystemScores,
};
use crate::scoring::{Metric, ScoreName};

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

    /// The similarities of Markdown, a column for each.
    pub(super) fn markdown_grid(&self, gold: GoldText) -> BoxGrid {
        let of_metric = |metric: Metric| {
            let systems = self.values(ScoreName::main_of_text(metric, gold));
            (!systems.is_empty()).then(|| (metric.name().to_owned(), systems))
        };
        BoxGrid {
            title: "Similarity of the Markdown with its reference".to_owned(),
            subtitle: self
                .subtitle("box: quartiles with median, whiskers: 5 % to 95 %, diamond and number: mean"),
            measure: "similarity".to_owned(),
            systems: self.systems().map(str::to_owned).collect(),
            columns: Metric::OF_MARKDOWN.into_iter().filter_map(of_metric).collect(),
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
