//! The experiment harness: data, splits and systems from an `experiment.toml`, run page by page, journaled.
//!
//! [`config`] is what was asked, [`plan`] which page trains and tests where, [`corpora`] the labelled pages,
//! [`systems`] the extractors, [`models`] what is trained, [`runner`] the work, [`record`] what is kept of it, [`provenance`] machine and duration,
//! [`compare`] two systems. What else an experiment may ask for is in `crate::studies`; `crate::report` makes tables and
//! figures of the records.

pub mod compare;
pub mod config;
pub mod corpora;
pub mod journal;
pub mod models;
pub mod plan;
pub mod provenance;
pub mod record;
pub mod runner;
pub mod systems;
pub mod times;
pub mod work;

pub use config::Experiment;
pub use corpora::Corpora;
pub use record::{PageResult, RunRecord};
