//! `duramen run`: an experiment from its file to its report.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::interrupt::stop_flag;
use super::super::output::print;
use super::super::progress::Printer;
use super::super::{DataDir, Outcome};
use crate::error::{Error, Result};
use crate::harness::config::Experiment;
use crate::harness::runner;
use crate::report::experiment;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen run experiments/quickstart
  duramen data fetch l3s-gn1 --mirror ../shared/datasets && duramen run experiments/thesis

A run that is killed goes on where it stopped when the same command is given again, and ends in the
same bytes.")]
pub struct Options {
    /// Folder with an experiment.toml
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    /// Folder for tables, figures, run.json and report.html [default: results/NAME]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    data: DataDir,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let experiment = Experiment::load(&options.experiment)?;
    let name = name(&options.experiment)?;
    let folder = options.out.clone().unwrap_or_else(|| Path::new("results").join(&name));
    let pages = runner::read_pages(&experiment, &options.data.path()?, printer);
    printer.finish();
    let pages = pages?;
    let journal = folder.join("pages/journal.jsonl");
    let command = format!("duramen run experiments/{name}");
    let results = runner::run(&experiment, &pages, &command, &journal, stop_flag(), printer);
    printer.finish();
    let results = results?;
    printer.steps("tables and figures", 0);
    let written = experiment::write(&results, &folder);
    printer.finish();
    written?;
    print(&format!("{}\n", folder.join("report.html").display()))?;
    Ok(Outcome::Done)
}

/// The experiment's name: its folder's.
fn name(path: &Path) -> Result<String> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let full = folder.canonicalize().map_err(|error| Error::io(folder, error))?;
    Ok(full.file_name().map_or("experiment".to_owned(), |name| name.to_string_lossy().into_owned()))
}
