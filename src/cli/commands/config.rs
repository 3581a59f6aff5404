//! `duramen config`: the settings in effect, and where each comes from.

use clap::{ArgMatches, Args, Command};

use crate::cli::config_file::{ConfigFile, NAME, in_effect};
use crate::cli::outcome::Outcome;
use crate::cli::output::print;
use crate::error::{Error, Result};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen config
  duramen config --path
  duramen config --no-config-file > duramen.toml     a file to begin with

The file duramen.toml of the current folder, or of the nearest folder above it up to the home folder,
sets the defaults of options by their names:

  model = \"mine.json\"
  labels = [\"headline\", \"full-text\", \"comments\"]
  max-seconds = 20

An option that is given goes before an environment variable, this before the file, and the file before
the default. Paths are from the folder of the file. A command leaves alone what it has no use for:
`sample`, which needs a model without learned weights, the model.")]
pub struct Options {
    /// Print the path of the file alone; exit code 3 if there is none
    #[arg(long)]
    path: bool,
}

/// Prints the settings.
pub fn run(
    options: &Options,
    program: &Command,
    file: Option<&ConfigFile>,
    typed: &ArgMatches,
) -> Result<Outcome> {
    let path = file.map(|file| file.path.display());
    if options.path {
        let Some(path) = path else {
            let problem = "is neither in this folder nor above it";
            return Err(Error::data(NAME, problem, "write one, or name a file with --config-file"));
        };
        print(&format!("{path}\n"))?;
        return Ok(Outcome::Done);
    }
    let head = path.map_or(format!("# no {NAME}\n"), |path| format!("# {path}\n"));
    print(&(head + &in_effect(program, file, typed)))?;
    Ok(Outcome::Done)
}
