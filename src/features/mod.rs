//! Features: what a model observes of a node, computed from the original page alone.
//!
//! [`schema`] lists them, one entry each; [`measures`] holds what several of them share; [`matrix`] computes the
//! chosen ones for a page. A feature is a plain integer: a count with its unit or a category with its name. Which
//! distribution it gets (geometric or binned) is the model's choice.

mod attributes;

mod contents;
pub mod discretize;
pub(crate) mod hash;
mod main_content;
pub mod matrix;
pub mod measures;
mod page_kind;
mod paths;
mod position;
pub(crate) mod repetition;
pub mod schema;
mod similarity;
mod structure;
mod surroundings;
mod text;
mod text_shape;
mod token_lists;
mod visual;

pub use matrix::{Column, FeatureMatrix};
pub use schema::{FeatureSpec, Kind};
pub use token_lists::{TokenLists, class_tokens, text_words};
