//! The library, room by room: each file is about the one named in its first line.

#[path = "../../benches/support/arena.rs"]
mod arena;
#[path = "../../fuzz/src/lib.rs"]
mod fuzz;
#[path = "../support/labelled_pages.rs"]
mod labelled_pages;
#[path = "../support/small_trees.rs"]
mod small_trees;
#[path = "../support/mod.rs"]
mod support;

mod active_learning_study;
mod architecture;
mod boilerpipe_parity;
mod boosting;
mod chain_diagnostics;
mod contributions;
mod dataset;
mod demo;
mod documented_facts;
mod documented_names;
mod em;
mod explain_html;
mod extractor_contract;
mod feature_leak;
mod feature_snapshot;
mod features;
mod figures;
mod fuzz_targets;
mod gathered_corpora;
mod hostile_pages;
mod label_transfer;
mod linked_files;
mod logistic;
mod metadata;
mod model_counts;
mod model_file;
mod outlier;
mod own_corpora;
mod package;
mod page_rendering;
mod parsing;
mod release;
mod render_outputs;
mod render_properties;
mod sd_study;
mod text_finding;
mod text_metrics;
mod training;
mod visual_outlier_study;
mod weight_learning;
mod weights;
mod worked_example;
