//! `duramen diagnose`: have the chains of `duramen sample` converged, and does the model make such pages?

use std::path::{Path, PathBuf};

use clap::Args;

use super::sample::{CHECKPOINT, ZARR};
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print};
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::draws::InferenceData;
use crate::error::{Error, Result};
use crate::report::Table;
use crate::report::diagnosis::{self, Criteria, Diagnosis, PredictiveResults};

/// Rows on a terminal.
const SHOWN: usize = 20;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen sample page.html --chains 4 --sweeps 1000 --burn-in 200 --seed 1 -d draws
  duramen diagnose draws
  duramen diagnose draws --strict --var transition root

R-hat is rank-normalized and split, ESS bulk and tail, MCSE the standard error of the mean, each as in ArviZ; Geweke's
z as in R's coda, of all chains the one farthest from 0. Written beside the draws: diagnostics.csv with all parameters,
figures of the worst and of lp, and report.html with everything.

Exit codes with --strict: 0 all parameters have converged, 5 some have not. A parameter that is the same in every draw
of every chain is listed as constant and does not count as failed, nor does one of which neither training nor any draw of
the states says anything: its draws are of the prior.")]
pub struct Options {
    /// Folder that `duramen sample` wrote
    #[arg(value_name = "DIR")]
    draws: PathBuf,
    /// End with exit code 5 if any parameter has not converged
    #[arg(long)]
    strict: bool,
    /// R-hat must be below this
    #[arg(long, value_name = "X", default_value_t = Criteria::default().max_rhat)]
    max_rhat: f64,
    /// Bulk and tail effective sample size must reach this
    #[arg(long, value_name = "N", default_value_t = Criteria::default().min_ess)]
    min_ess: f64,
    /// Diagnose these alone: arrays such as transition, or single parameters as they are named in the table
    #[arg(long, value_name = "NAME", num_args = 1..)]
    var: Vec<String>,
    /// Compare statistics of the pages with those of pages that the model draws
    #[arg(long)]
    ppc: bool,
    /// Folder to write into
    ///
    /// [default: the folder of the draws]
    #[arg(short = 'd', long, value_name = "DIR", alias = "output", short_alias = 'o')]
    output_dir: Option<PathBuf>,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let criteria = Criteria { max_rhat: options.max_rhat, min_ess: options.min_ess };
    criteria.check()?;
    options.output_dir.as_deref().map_or(Ok(()), check_folder)?;
    let data = load(&options.draws)?;
    let diagnosis = Diagnosis::new(&data, criteria, &options.var)?;
    let predictive = options.ppc.then(|| PredictiveResults::new(&data)).transpose()?;
    let folder = options.output_dir.as_ref().unwrap_or(&options.draws);
    diagnosis::write(&data, &diagnosis, predictive.as_ref(), folder)?;

    let all = diagnosis.parameters.len();
    print(&shown(&diagnosis.short_table(SHOWN), all, &folder.join("diagnostics.csv")))?;
    if let Some(results) = &predictive {
        let path = folder.join("predictive-check.csv");
        print(&format!("\n{}", shown(&results.table(SHOWN), results.rows.len(), &path)))?;
        print(&format!("\n{}\n", results.caveat()))?;
    }
    printer.warn(&format!("{}: open it in a browser", folder.join("report.html").display()));
    let constant = diagnosis.constant().count();
    if constant > 0 {
        printer.warn(&format!(
            "{constant} of {all} parameters are constant: the same in every draw of every chain"
        ));
    }
    let prior_only = diagnosis.prior_only().count();
    if prior_only > 0 {
        printer.warn(&format!(
            "{prior_only} of {all} parameters are of the prior alone, which neither training nor these pages say anything of: not \
             judged"
        ));
    }
    match diagnosis.require_convergence(&options.draws.display().to_string()) {
        Err(error) if options.strict => Err(error),
        Err(error) => {
            printer.warn(&told(&error));
            Ok(Outcome::Done)
        }
        Ok(()) => {
            printer
                .warn(&format!("all of {} parameters that move have converged", all - constant - prior_only));
            Ok(Outcome::Done)
        }
    }
}

/// A table with a line of how many rows are not in it, and where they are.
fn shown(table: &Table, all: usize, file: &Path) -> String {
    let more = all - table.rows().len();
    let more = if more > 0 { format!("\n{more} more in {}\n", file.display()) } else { String::new() };
    table.to_markdown() + &more
}

/// The draws in a folder of `duramen sample`, or in a store itself.
fn load(folder: &Path) -> Result<InferenceData> {
    const SAMPLE: &str = "run: duramen sample FILE -d DIR";
    if !folder.is_dir() {
        return Err(Error::data(folder.display(), "there is no such folder", SAMPLE));
    }
    let inside = folder.join(ZARR);
    let store = match folder.join("zarr.json").is_file() {
        true => folder,
        false if inside.is_dir() => &inside,
        false if folder.join(CHECKPOINT).exists() => {
            let remedy = "give the same command of duramen sample again, which goes on where it stopped";
            return Err(Error::data(folder.display(), "the chains are not finished", remedy));
        }
        false => {
            let problem = format!("holds no draws: {ZARR} is missing");
            return Err(Error::data(folder.display(), problem, SAMPLE));
        }
    };
    InferenceData::read_zarr(store).map_err(|error| match error {
        Error::Io { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
            Error::data(path.display(), "is missing from the store", "write it again with duramen sample")
        }
        other => other,
    })
}
