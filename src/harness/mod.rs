//! The experiment harness: data, splits and systems from an `experiment.toml`, run page by page, journaled.
//!
//! [`config`] is what was asked, [`plan`] which page trains and tests where, [`corpus`] the labelled pages,
//! [`systems`] the extractors, [`runner`] the work, [`record`] what is kept of it, [`score_name`] what each number is called, [`made`] machine and duration, [`compare`] two systems, [`convergence`] how far the
//! sampler is from the exact posterior, [`distributions`] how features are distributed,
//! [`training_set`] what a model is learned from, [`sd_study`] and [`visual_outlier_study`] the studies of two papers. `crate::report` makes
//! tables and figures of the records.

pub mod compare;
pub mod config;
pub mod convergence;
pub mod corpus;
pub mod distributions;
pub mod engine_study;
pub mod journal;
pub mod layouts;
pub mod learning;
pub mod made;
pub mod plan;
pub mod record;
pub mod runner;
pub mod score;
pub mod score_name;
pub mod sd_study;
pub mod systems;
pub mod training_set;
pub mod visual_outlier_study;

pub use config::Experiment;
pub use corpus::{LabelledPage, PageGold};
pub use record::{PageResult, RunRecord};
pub use score_name::ScoreName;
