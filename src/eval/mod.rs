//! How good an extraction is: pure functions from counts, texts and probabilities to scores.
//!
//! [`confusion`] counts tokens or nodes by gold and predicted label and sees them through a [`View`];
//! [`summary`] puts documents together, with intervals; [`calibration`] judges probabilities;
//! [`region_accuracy`](mod@region_accuracy) compares the sizes of regions;
//! [`word_f1`](mod@word_f1) and [`shingles`] are the text metrics of two benchmarks, equal to their own scripts.

pub mod calibration;
pub mod confusion;
pub mod region_accuracy;
pub mod shingles;
pub mod summary;
pub mod word_f1;

pub use calibration::Calibration;
pub use confusion::{Confusion, Scores, View};
pub use shingles::{ShingleCounts, ShingleSummary};
pub use summary::{Bootstrap, Estimate, Interval};
pub use word_f1::{TextScores, word_f1};
