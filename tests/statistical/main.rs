//! The sampler and exact inference against enumeration, Geweke's joint-distribution test and simulation-based calibration.

#[path = "../support/reference/mod.rs"]
mod reference;
#[path = "../support/small_trees.rs"]
mod small_trees;
#[path = "../support/mod.rs"]
mod support;

mod exact_inference;
mod expected_counts;
mod geweke_joint_distribution;
mod gibbs_enumeration;
mod gibbs_sampler;
mod joint_draw;
mod predictive_checks;
mod simulation_based_calibration;
