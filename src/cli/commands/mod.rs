//! The commands, one a file.

pub mod adapt;
pub mod compare;
pub mod data;
pub mod diagnose;
pub mod evaluate;
pub mod explain;
pub mod extract;
pub mod extractors;
pub mod folder;
pub mod hmt;
pub mod inputs;
pub mod layout_worker;
pub mod layouts;
pub mod model;
pub mod render;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod sample;
pub mod train;
