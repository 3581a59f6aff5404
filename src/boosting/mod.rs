//! Gradient-boosted decision trees over features that are whole numbers: learned from columns, fast to evaluate, exact to write.
//!
//! Friedman (2001), "Greedy Function Approximation: A Gradient Boosting Machine"; trees are grown from histograms with
//! second-order gains, best leaf first, as in Ke et al. (2017), "LightGBM: A Highly Efficient Gradient Boosting Decision
//! Tree". Results are the same bits at any number of threads.
//!
//! Gradients are whole numbers while trees grow, multiples of a power of two some 2^-30 of the largest one, so that sums are
//! exact in any order and a difference of sums is the sum of the difference.

mod bins;
mod columns;
mod ensemble;
mod grow;
mod learn;
mod loss;
mod sample;
mod settings;
mod sums;
mod tree;

pub use columns::{Columns, PackedColumns};
pub use ensemble::BoostedTrees;
pub use learn::TrainingRows;
pub use loss::Loss;
pub use settings::BoostingSettings;
