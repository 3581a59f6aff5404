//! The experiment harness: data, splits and systems from an `experiment.toml`, run page by page, journaled.
//!
//! [`config`] is what was asked, [`plan`] which page trains and tests where, [`corpora`] the labelled pages,
//! [`systems`] the extractors, [`runner`] the work, [`record`] what is kept of it, [`provenance`] machine and duration,
//! [`compare`] two systems, [`convergence`] how far the sampler is from the exact posterior, [`distributions`] how features
//! are distributed, [`sd_study`] and [`visual_outlier_study`] the studies of two papers. `crate::report` makes tables and
//! figures of the records.

pub mod compare;
pub mod config;
pub mod convergence;
pub mod corpora;
pub mod distributions;
pub mod engine_study;
pub mod journal;
pub mod plan;
pub mod provenance;
pub mod record;
pub mod runner;
pub mod sd_study;
pub mod systems;
pub mod visual_outlier_study;

pub use config::Experiment;
pub use corpora::Corpora;
pub use record::{PageResult, RunRecord};
