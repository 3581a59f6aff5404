//! Duramen finds the content of a web page with a Bayesian hidden Markov tree over the DOM.
//!
//! The rooms of this house follow one line, and imports point along it and never back:
//!
//! `dom` -> `layout` -> `page` -> `view` -> `dataset`, `features` -> `model` -> `inference` -> `extract`
//! -> `eval` -> `scoring` -> `training` -> `harness` -> `report` -> `cli`.
//!
//! [`error`], [`index`], [`label`], [`rng`], [`tokens`], [`files`], [`progress`], `program`, [`dist`], [`outlier`], [`boosting`],
//! [`draws`] and [`diagnostics`] are leaves that know none of these.
//! `docs/ARCHITECTURE.md` states the invariants; `tests/library/architecture.rs` checks them.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod boosting;
pub mod cli;
pub mod dataset;
pub mod diagnostics;
pub mod dist;
pub mod dom;
pub mod draws;
pub mod error;
pub mod eval;
pub mod extract;
pub mod features;
pub mod files;
pub mod harness;
pub mod index;
pub mod inference;
pub mod label;
pub mod layout;
pub mod model;
pub mod outlier;
pub mod page;
mod program;
pub mod progress;
pub mod report;
pub mod rng;
pub mod scoring;
pub mod tokens;
pub mod training;
pub mod view;

pub use error::{Error, Result};
pub use index::{NodeId, NodeMap};
pub use label::{Label, LabelSet};
