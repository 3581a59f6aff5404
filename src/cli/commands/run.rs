//! `duramen run`: an experiment from its file to its report.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::corpora;
use super::layouts::CorpusOptions;
use crate::cli::interrupt::stop_flag;
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print};
use crate::cli::progress::Printer;
use crate::dataset;
use crate::error::{Error, Result};
use crate::harness::config::{Experiment, SYNTH};
use crate::harness::provenance::Provenance;
use crate::harness::record::RunResults;
use crate::progress::Progress;
use crate::report::experiment;
use crate::studies;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen run experiments/quickstart
  duramen data fetch l3s-gn1 --mirror ../shared/datasets && duramen run experiments/thesis

A run that is killed goes on where it stopped when the same command is given again, and ends in the
same bytes. `duramen report` draws its tables and figures again without running.")]
pub struct Options {
    /// Folder with an experiment.toml
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    /// Folder to write into
    ///
    /// For tables, figures, run.json and report.html [default: results/NAME]
    #[arg(short = 'd', long, value_name = "DIR", alias = "out", short_alias = 'o')]
    output_dir: Option<PathBuf>,
    /// Write this figure as PNG too, such as all-splits; may be given several times
    #[arg(long, value_name = "FIGURE")]
    png: Vec<String>,
    #[command(flatten)]
    corpora: CorpusOptions,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let experiment = studies::load(&options.experiment)?;
    let name = name(&options.experiment)?;
    let folder = options.output_dir.clone().unwrap_or_else(|| Path::new("results").join(&name));
    check_folder(&folder)?;
    let run = Run {
        experiment: &experiment,
        command: format!("duramen run experiments/{name}"),
        origin: options.experiment.clone(),
        folder: &folder,
    };
    write(&run, &options.png, &options.corpora, printer)?;
    print(&format!("{}\n", folder.join("report.html").display()))?;
    Ok(Outcome::Done)
}

/// An experiment to be run.
pub struct Run<'a> {
    pub experiment: &'a Experiment,
    /// The command that makes it again.
    pub command: String,
    /// Where its file lies: whose commit is noted.
    pub origin: PathBuf,
    /// Where the journal is kept and the results are written.
    pub folder: &'a Path,
}

/// Runs an experiment and writes its results, those figures in `png` as PNG too.
pub fn write(
    run: &Run<'_>,
    png: &[String],
    corpora: &CorpusOptions,
    printer: &Printer,
) -> Result<RunResults> {
    let (results, made) = extract(run, corpora, printer)?;
    printer.stage("tables and figures", 0);
    let written = experiment::write(&results, &made, run.folder, png);
    printer.finish();
    written?;
    Ok(results)
}

/// Runs an experiment.
pub fn extract(
    run: &Run<'_>,
    options: &CorpusOptions,
    printer: &Printer,
) -> Result<(RunResults, Provenance)> {
    let start = Instant::now();
    let data_dir = options.data.path()?;
    let engines = options.engines()?;
    let pages = studies::read_pages(run.experiment, &data_dir, &engines, printer);
    printer.finish();
    let pages = pages?;
    for (name, corpus) in &pages {
        let manifest = match name == SYNTH {
            true => None,
            false => Some(dataset::resolve_from(&run.experiment.folder, name)?.0),
        };
        manifest.iter().for_each(|manifest| corpora::tell_defaults(name, manifest, printer));
        corpora::tell_left_out(name, manifest.as_ref(), corpus, printer);
    }
    let journal = run.folder.join("pages/journal.jsonl");
    let resources = studies::Resources { data_dir: &data_dir, engines: &engines };
    let results =
        studies::run(run.experiment, &pages, resources, &run.command, &journal, stop_flag(), printer);
    printer.finish();
    let (results, times) = results?;
    let origin =
        if run.origin.is_dir() { &*run.origin } else { run.origin.parent().unwrap_or(Path::new(".")) };
    Ok((results, Provenance::here(origin, start.elapsed().as_secs_f64(), &times)))
}

/// The experiment's name: its folder's.
fn name(path: &Path) -> Result<String> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let full = folder.canonicalize().map_err(|error| Error::io(folder, error))?;
    Ok(full.file_name().map_or("experiment".to_owned(), |name| name.to_string_lossy().into_owned()))
}
