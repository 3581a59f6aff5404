//! The commands, one a file.

pub mod data;
pub mod evaluate;
pub mod explain;
pub mod extract;
pub mod extractors;
pub mod hmt;
pub mod inputs;
pub mod model;
pub mod run;
pub mod train;
