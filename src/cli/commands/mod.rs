//! The commands, one a file.

pub mod adapt;
pub mod annotate;
mod check;
#[cfg(feature = "experiments")]
pub mod compare;
pub mod completions;
pub mod config;
mod corpora;
pub mod data;
#[cfg(feature = "experiments")]
pub mod diagnose;
#[cfg(feature = "experiments")]
pub mod evaluate;
pub mod explain;
pub mod extract;
pub mod extractors;
pub mod folder;
pub mod hmt;
pub mod inputs;
pub mod layout_worker;
pub mod layouts;
pub mod man;
pub mod model;
pub mod options_table;
mod overlap;
mod reading;
pub mod render;
mod repeat_options;
#[cfg(feature = "experiments")]
pub mod report;
#[cfg(feature = "experiments")]
pub mod reproduce;
#[cfg(feature = "experiments")]
pub mod run;
pub mod sample;
pub mod settings;
pub mod site_repeats;
pub mod train;
mod warc;
pub mod web_page;
