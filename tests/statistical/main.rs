//! The sampler and exact inference against enumeration, Geweke's joint-distribution test and simulation-based calibration; chains that
//! run for long.

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
mod leave_one_out;
mod long_chains;
mod predictive_checks;
mod simulation_based_calibration;

/// A number that a test takes from a variable of the environment, so that it can be run for longer by hand.
fn from_environment<T: std::str::FromStr>(variable: &str, default: T) -> T {
    match std::env::var(variable) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{variable}={value} is not a number")),
        Err(_) => default,
    }
}
