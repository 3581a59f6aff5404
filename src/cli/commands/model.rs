//! `duramen model`: look at models, add them up, take them apart.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::super::Outcome;
use super::super::output::{print, write};
use super::super::progress::Printer;
use crate::error::Result;
use crate::model::Model;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print a model as tables
    Show(Show),
    /// Add models up: the same as training on all their pages
    #[command(after_help = "Example:\n  duramen model merge monday.json tuesday.json -o both.json")]
    Merge(Merge),
    /// Take a model away from another: the same as never having seen its pages
    #[command(after_help = "Example:\n  duramen model subtract all.json one-site.json -o others.json")]
    Subtract(Subtract),
}

#[derive(Debug, Args)]
pub struct Show {
    /// Model file, or `bundled`
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Merge {
    /// Model files of one configuration
    #[arg(required = true, num_args = 2.., value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, Args)]
pub struct Subtract {
    /// Model file
    #[arg(value_name = "MODEL")]
    from: PathBuf,
    /// Model file whose pages are in the first
    #[arg(value_name = "PART")]
    part: PathBuf,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// A model by its file's path, or the bundled one.
pub fn load(path: &Path) -> Result<Model> {
    if path == Path::new("bundled") { Model::bundled() } else { Model::load(path) }
}

pub fn run(command: &Command, printer: &Printer) -> Result<Outcome> {
    match command {
        Command::Show(options) => {
            let text = load(&options.model)?.to_text();
            match &options.output {
                Some(_) => write(options.output.as_deref(), &text)?,
                None => print(&text)?,
            }
        }
        Command::Merge(options) => {
            let mut models = options.models.iter();
            let mut sum = load(models.next().expect("clap asks for two models"))?;
            for path in models {
                sum.merge(&load(path)?)?;
            }
            save(&sum, &options.output, printer)?;
        }
        Command::Subtract(options) => {
            let mut rest = load(&options.from)?;
            rest.subtract(&load(&options.part)?)?;
            save(&rest, &options.output, printer)?;
        }
    }
    Ok(Outcome::Done)
}

fn save(model: &Model, path: &Path, printer: &Printer) -> Result<()> {
    model.save(path)?;
    printer.warn(&format!("{}: {} pages, {} nodes", path.display(), model.pages(), model.counts().nodes));
    Ok(())
}
