//! The kinds of figures, one a file; `axes` is what they share.

pub mod autocorrelation;
mod axes;
pub mod box_grid;
mod chain_parts;
pub mod feature_distribution;
pub mod label_bars;
pub mod lines_with_band;
pub mod page_boxes;
pub mod predictive_intervals;
pub mod rank_bars;
pub mod ranked_scores;
pub mod reliability;
pub mod running_mean;
pub mod score_distribution;
pub mod trace;

pub use autocorrelation::Autocorrelation;
pub use box_grid::BoxGrid;
pub use feature_distribution::{Distribution, FeatureDistribution};
pub use label_bars::LabelBars;
pub use lines_with_band::{BandPoint, BandSeries, LinesWithBand};
pub use page_boxes::PageBoxes;
pub use predictive_intervals::PredictiveIntervals;
pub use rank_bars::RankBars;
pub use ranked_scores::RankedScores;
pub use reliability::Reliability;
pub use running_mean::RunningMean;
pub use score_distribution::ScoreDistribution;
pub use trace::Trace;

use super::figure::unfit;
use crate::error::Result;

/// The scores of one system, one a document.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemScores {
    /// The system's name as shown.
    pub name: String,
    /// Scores from 0 to 1, in any order.
    pub values: Vec<f64>,
}

impl SystemScores {
    /// The mean, summed in ascending order so that the order given does not matter.
    pub fn mean(&self) -> f64 {
        let values = self.ascending();
        values.iter().sum::<f64>() / values.len() as f64
    }

    fn ascending(&self) -> Vec<f64> {
        let mut values = self.values.clone();
        values.sort_by(f64::total_cmp);
        values
    }
}

/// Refuses a figure without systems, or with one whose scores are missing or no scores.
fn check_scores(title: &str, systems: &[SystemScores]) -> Result<()> {
    if systems.is_empty() {
        return Err(unfit(title, "no systems", "give at least one"));
    }
    for system in systems {
        if system.values.is_empty() {
            let problem = format!("system '{}' has no scores", system.name);
            return Err(unfit(title, problem, "leave it out and say why"));
        }
        if let Some(value) = system.values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
            let problem = format!("system '{}' scores {value}", system.name);
            return Err(unfit(title, problem, "scores are from 0 to 1"));
        }
    }
    Ok(())
}

/// The indices of `systems` from the best mean to the worst; equal means in the order given.
fn by_mean(systems: &[SystemScores]) -> Vec<usize> {
    let means: Vec<f64> = systems.iter().map(SystemScores::mean).collect();
    let mut order: Vec<usize> = (0..systems.len()).collect();
    order.sort_by(|&a, &b| means[b].total_cmp(&means[a]));
    order
}
