//! Studies: what an experiment may ask for beside the scores of its systems. A new one is a folder here and a line in
//! [`registry`].
//!
//! A [`Study`] is its table in `experiment.toml`, how that is checked, the layouts that it reads, what it does and what comes
//! out. [`parse`] reads an experiment with its studies, [`run`] runs both. Tables and figures are made by
//! `report::experiment::studies`.

pub mod active_learning;
pub mod article_images;
pub mod convergence;
pub mod engines;
mod experiment;
pub mod feature_distributions;
pub mod registry;
pub mod reliability;
pub mod sd;
pub mod site_repeats;
mod study;
pub mod visual_outlier;

pub use experiment::{load, parse, read_pages, run, with_published};
pub use study::{Context, Resources, Study, config_of, results_of};
