//! Features: what a model observes of a node, computed from the original page alone.
//!
//! [`schema`] lists them, one entry each; [`measures`] holds what several of them share; [`matrix`] computes the
//! chosen ones for a page. A feature is a plain integer: a count with its unit or a category with its name. Which
//! distribution it gets (geometric or binned) is the model's choice.

mod attributes;
pub mod discretize;
pub mod matrix;
pub mod measures;
pub mod schema;
mod structure;
mod text;
mod visual;

pub use matrix::{Column, FeatureMatrix};
pub use schema::{FeatureSpec, Kind};
