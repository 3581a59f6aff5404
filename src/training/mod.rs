//! How a model is trained: what is known of a page, counts, boosted scores, weights, confidence, recalibration.

pub mod boosted;
mod confidence;
mod counting;
mod learn;
mod recalibrate;
#[cfg(test)]
mod tests;
mod training_set;

pub use counting::observe;
pub use learn::{Learning, TrainingPage, learn, permitted_states};
pub use recalibrate::{Recalibrated, recalibrate};
pub use training_set::{TextGoldReport, TrainingSet, permitted};
