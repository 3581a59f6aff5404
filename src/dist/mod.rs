//! Conjugate pairs, one a file: prior, sufficient statistic, posterior, predictive, evidence.
//!
//! | module | likelihood | prior | statistic |
//! |---|---|---|---|
//! | [`beta_geometric`] | Geometric on 0, 1, 2, ... | Beta(alpha, beta) | number and sum, `u64` |
//! | [`dirichlet_categorical`] | Categorical on 0 .. n | symmetric Dirichlet(gamma) | `u64` counts |
//!
//! [`dirichlet_rows`] and [`beta_columns`] are tables of these whose counts change one by one, as a Gibbs sampler changes
//! them.
//!
//! A leaf of the package: numbers in, numbers out.

pub mod beta_columns;
pub mod beta_geometric;
pub mod dirichlet_categorical;
pub mod dirichlet_rows;
pub mod exponential;
pub mod special;

pub use beta_columns::BetaColumns;
pub use beta_geometric::{BetaGeometric, GeometricStatistic};
pub use dirichlet_categorical::DirichletCategorical;
pub use dirichlet_rows::{CellOrder, DirichletRows};
