//! The program and whole runs as a user sees them: outputs, messages, files, exit codes, real corpora.

#[path = "../support/mod.rs"]
mod support;

mod adapt_or_keep;
mod annotate;
mod archives;
mod arviz_store;
mod chromium_layout;
mod command_extractor;
mod command_line;
mod config_file;
mod diagnose;
mod documented_commands;
mod experiments;
mod file_system;
mod images;
mod killed;
mod layouts;
mod model_floors;
mod options_in_effect;
mod own_corpus;
mod real_data;
mod real_results;
mod sample_command;
mod sampled_pages_converge;
mod shell;
mod site_adaptation;
mod site_repeats;
mod train_em;
mod training;
mod usual_mistakes;
