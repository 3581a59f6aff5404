//! The experiment harness: data, splits and systems from an `experiment.toml`, run page by page, journaled.
//!
//! [`config`] is what was asked, [`plan`] which page trains and tests where, [`corpus`] the labelled pages,
//! [`systems`] the extractors, [`runner`] the work, [`record`] what is kept of it, [`convergence`] how far the
//! sampler is from the exact posterior, [`distributions`] how features are distributed. `crate::report` makes
//! tables and figures of the records.

pub mod config;
pub mod convergence;
pub mod corpus;
pub mod distributions;
pub mod journal;
pub mod plan;
pub mod record;
pub mod runner;
pub mod score;
pub mod sd_study;
pub mod systems;

pub use config::Experiment;
pub use corpus::{LabelledPage, PageGold};
pub use record::{PageResult, RunRecord};
