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
    /// Model: web, news, roles, news-blocks, or a file
    #[arg(value_name = "NAME|FILE")]
    model: String,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Merge {
    /// Model files of one configuration
    #[arg(required = true, num_args = 2.., value_name = "MODEL")]
    models: Vec<String>,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, Args)]
pub struct Subtract {
    /// Model file
    #[arg(value_name = "MODEL")]
    from: String,
    /// Model file whose pages are in the first
    #[arg(value_name = "PART")]
    part: String,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub fn run(command: &Command, printer: &Printer) -> Result<Outcome> {
    match command {
        Command::Show(options) => {
            let text = Model::by_name(&options.model)?.to_text();
            match &options.output {
                Some(_) => write(options.output.as_deref(), &text)?,
                None => print(&text)?,
            }
        }
        Command::Merge(options) => {
            let mut models = options.models.iter();
            let mut sum = Model::by_name(models.next().expect("clap asks for two models"))?;
            for name in models {
                sum.merge(&Model::by_name(name)?)?;
            }
            save(&sum, &options.output, printer)?;
        }
        Command::Subtract(options) => {
            let mut rest = Model::by_name(&options.from)?;
            rest.subtract(&Model::by_name(&options.part)?)?;
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
