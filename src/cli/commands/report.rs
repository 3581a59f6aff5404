//! `duramen report`: tables, figures and report of a finished run again, without running.

use std::path::PathBuf;

use clap::Args;

use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print};
use crate::error::Result;
use crate::report::experiment::{self, store};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen report results/quickstart
  duramen report results/boosted --png wcxb-coverage

The folder must hold what `duramen run` wrote, with its `pages`, which are not in the repository.")]
pub struct Options {
    /// Folder of a finished run
    #[arg(value_name = "RESULTS")]
    results: PathBuf,
    /// Folder to write into
    ///
    /// [default: RESULTS]
    #[arg(short = 'd', long, value_name = "DIR", alias = "out", short_alias = 'o')]
    output_dir: Option<PathBuf>,
    /// Write this figure as PNG too, such as all-splits; may be given several times
    #[arg(long, value_name = "FIGURE")]
    png: Vec<String>,
}

pub fn run(options: &Options) -> Result<Outcome> {
    options.output_dir.as_deref().map_or(Ok(()), check_folder)?;
    let (run, made) = store::load(&options.results)?;
    let folder = options.output_dir.as_ref().unwrap_or(&options.results);
    experiment::render(&run, &made, folder, &options.png)?;
    print(&format!("{}\n", folder.join("report.html").display()))?;
    Ok(Outcome::Done)
}
