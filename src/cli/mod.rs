//! The command line: what was typed, what is printed, how it ends. Only this room prints.
//!
//! Data go to standard output, everything else to standard error; progress bars appear on a terminal only. Exit
//! codes: 0 fine, 1 some inputs failed, 2 usage, 3 a file, corpus or model is missing or wrong, 5 chains have not
//! converged, 130 interrupted.

mod commands;
mod config_file;
mod data_dir;
mod interrupt;
mod outcome;
mod output;
mod progress;
mod progress_lines;
mod remedy;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::error::{Error, Result};
use config_file::ConfigFile;
use outcome::Outcome;

/// Finds the content of web pages with a Bayesian hidden Markov tree over the DOM, and says how far to trust it.
#[derive(Debug, Parser)]
#[command(
    name = "duramen",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  duramen extract page.html                     the article's text
  duramen explain page.html -o why.html         every block with label, probability and reasons
  duramen data fetch l3s-gn1 --mirror archives  unpack a corpus once, checksum first
  duramen run experiments/quickstart            compare extractors, with tables and figures

Exit codes: 0 fine, 1 some inputs failed, 2 usage, 3 a file, corpus or model is missing or wrong,
5 chains have not converged, 130 interrupted."
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "General options")]
struct Global {
    /// Print more on standard error; give it twice for still more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Say nothing but errors on standard error
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Threads to use; results do not depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", alias = "parallel",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder of fetched models [default: DURAMEN_MODEL_DIR, else models in the data folder]
    // Not as clap's `env`: then a line without arguments would have one, and no longer be answered with the help.
    #[arg(long, global = true, value_name = "DIR")]
    model_dir: Option<PathBuf>,
    /// How progress is told: by a bar on a terminal, not at all, or as JSON lines, also with --quiet
    #[arg(long, global = true, value_enum, value_name = "HOW", default_value = "auto")]
    progress: progress::Shown,
    /// File of settings [default: duramen.toml in this folder or the nearest above it]
    #[arg(long, global = true, value_name = "FILE")]
    config_file: Option<PathBuf>,
    /// Read no file of settings
    #[arg(long, global = true, conflicts_with = "config_file")]
    no_config_file: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the content of pages as text, Markdown, HTML, JSON or CSV
    Extract(Box<commands::extract::Options>),
    /// Count the text that each site of a crawl repeats over its pages
    SiteRepeats(commands::site_repeats::Options),
    /// List the extractors with their parameters
    Extractors(commands::extractors::Options),
    /// Write one HTML page that shows why each block was kept or removed
    Explain(commands::explain::Options),
    /// Train a model on a labelled corpus
    Train(commands::train::Options),
    /// Adapt a model to one site, from pages with or without their text
    Adapt(commands::adapt::Options),
    /// Label pages, in the browser or by reading
    Annotate(commands::annotate::Options),
    /// Sample the states of pages and the parameters by Gibbs chains
    Sample(Box<commands::sample::Options>),
    /// Check whether sampled chains have converged, with figures and a report
    #[cfg(feature = "experiments")]
    Diagnose(commands::diagnose::Options),
    /// Score extractors on a labelled corpus
    #[cfg(feature = "experiments")]
    Evaluate(commands::evaluate::Options),
    /// Run an experiment: splits, systems, tables, figures, report
    #[cfg(feature = "experiments")]
    Run(commands::run::Options),
    /// Draw tables, figures and report of a finished run again
    #[cfg(feature = "experiments")]
    Report(commands::report::Options),
    /// Compare two systems on the same pages
    #[cfg(feature = "experiments")]
    Compare(commands::compare::Options),
    /// Run a paper's experiment and compare its published numbers with ours
    #[cfg(feature = "experiments")]
    Reproduce(commands::reproduce::Options),
    /// List, fetch, verify and make corpora
    #[command(subcommand)]
    Data(commands::data::Command),
    /// Lay out pages: the box and the computed style of every element, and a picture
    Render(Box<commands::render::Options>),
    /// Lay out the pages that come on standard input
    #[command(hide = true)]
    LayoutWorker,
    /// Print the settings in effect, and where each comes from
    Config(commands::config::Options),
    /// Print a script that completes commands and options in a shell
    Completions(commands::completions::Options),
    /// Write manual pages, one for each command
    Man(commands::man::Options),
    /// Print every option of every command, as docs/COMMAND_LINE.md has them
    #[command(hide = true)]
    OptionsTable,
    /// List, fetch, show, merge and subtract models
    #[command(subcommand)]
    Model(commands::model::Command),
}

/// The program as clap knows it, with what it adds to each command.
fn whole_program() -> clap::Command {
    let mut program = Cli::command();
    program.build();
    program
}

/// Says what is wrong with what was typed, and ends the program; with a page in place of a command it says what to type.
fn usage_error(error: &clap::Error) -> ! {
    let _ = error.print();
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand)
    {
        let is_address = given.contains("://");
        if is_address || std::path::Path::new(given).exists() || given.ends_with(".html") {
            let page = if is_address { format!("--URL {given}") } else { given.clone() };
            eprintln!("\n  tip: to extract a page: duramen extract {page}");
        }
    }
    std::process::exit(error.exit_code())
}

/// The command line, with the settings of a file as the defaults of its options.
struct Typed {
    cli: Cli,
    matches: ArgMatches,
    file: Option<ConfigFile>,
}

/// Reads the command line.
///
/// # Errors
/// What is wrong with the file of settings. What is wrong with the command line ends the program.
fn typed() -> Result<Typed> {
    let parse = |program: clap::Command| {
        let matches = program.try_get_matches().unwrap_or_else(|error| usage_error(&error));
        let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| usage_error(&error));
        (cli, matches)
    };
    let (cli, matches) = parse(Cli::command());
    let path = match &cli.global.config_file {
        Some(path) => Some(path.clone()),
        // A worker has the settings of the program that started it.
        None if cli.global.no_config_file || matches!(cli.command, Command::LayoutWorker) => None,
        None => {
            let folder = std::env::current_dir().ok();
            folder.and_then(|folder| config_file::find(&folder, etcetera::home_dir().ok().as_deref()))
        }
    };
    let Some(path) = path else { return Ok(Typed { cli, matches, file: None }) };
    let file = ConfigFile::read(&path, &Cli::command())?;
    let (cli, matches) = parse(file.as_defaults(Cli::command()));
    file.is_in_effect(&matches);
    Ok(Typed { cli, matches, file: Some(file) })
}

/// Runs the command that was typed and gives the process's exit code.
pub fn main() -> ExitCode {
    let Typed { cli: Cli { global, command }, matches, file } = match typed() {
        Ok(typed) => typed,
        Err(error) => {
            progress::Printer::new(false, 0, progress::Shown::None).error(&remedy::told(&error));
            return ExitCode::from(error.exit_code());
        }
    };
    if let Some(threads) = global.threads {
        // Fails only if a pool was already made, which nothing has done before here.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    if let Some(folder) = &global.model_dir {
        crate::model::known::set_folder(folder).expect("it is set here and nowhere else");
    }
    let printer = progress::Printer::new(global.quiet, global.verbose, global.progress);
    if let Some(file) = &file {
        printer.detail(&format!("settings of {}", file.path.display()));
    }
    let outcome = match command {
        Command::Extract(options) => commands::extract::run(&options, &printer),
        Command::SiteRepeats(options) => commands::site_repeats::run(&options, &printer),
        Command::Extractors(options) => commands::extractors::run(&options),
        Command::Explain(options) => commands::explain::run(&options, &printer),
        Command::Annotate(options) => commands::annotate::run(&options, &printer),
        Command::Adapt(options) => commands::adapt::run(&options, &printer),
        Command::Train(options) => commands::train::run(&options, &printer),
        Command::Sample(options) => commands::sample::run(&options, &printer),
        #[cfg(feature = "experiments")]
        Command::Diagnose(options) => commands::diagnose::run(&options, &printer),
        #[cfg(feature = "experiments")]
        Command::Evaluate(options) => commands::evaluate::run(&options, &printer),
        #[cfg(feature = "experiments")]
        Command::Run(options) => commands::run::run(&options, &printer),
        #[cfg(feature = "experiments")]
        Command::Report(options) => commands::report::run(&options),
        #[cfg(feature = "experiments")]
        Command::Compare(options) => commands::compare::run(&options),
        #[cfg(feature = "experiments")]
        Command::Reproduce(options) => commands::reproduce::run(&options, &printer),
        Command::Data(command) => commands::data::run(&command, &printer),
        Command::Render(options) => commands::render::run(&options, &printer),
        Command::Config(options) => {
            let typed = matches.subcommand().expect("a command was typed").1;
            commands::config::run(&options, &Cli::command(), file.as_ref(), typed)
        }
        Command::Completions(options) => commands::completions::run(&options, &whole_program()),
        Command::Man(options) => commands::man::run(&options, Cli::command()),
        Command::OptionsTable => commands::options_table::run(&whole_program()),
        Command::LayoutWorker => commands::layout_worker::run(),
        Command::Model(command) => commands::model::run(&command, &printer),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::SomeFailed) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(Error::Interrupted.exit_code()),
        // A reader that has seen enough (`| head`) is no failure.
        Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            printer.error(&remedy::told(&error));
            ExitCode::from(error.exit_code())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    /// The lines that begin with `duramen` in the blocks marked `sh` of a Markdown text, parted at `&&`, without comments and what their
    /// output is written to.
    fn lines(markdown: &str) -> Vec<String> {
        let mut is_shell = false;
        let mut lines = Vec::new();
        for line in markdown.lines().map(str::trim) {
            match line.strip_prefix("```") {
                Some(language) => is_shell = language == "sh",
                None if is_shell => lines.extend(line.split(" && ").map(str::trim)),
                None => {}
            }
        }
        let commands = lines.into_iter().filter(|line| line.starts_with("duramen "));
        let command = |line: &str| {
            [" #", " > "].into_iter().fold(line, |line, end| line.split(end).next().unwrap()).to_owned()
        };
        commands.map(command).collect()
    }

    #[test]
    fn the_commands_in_documents_are_ones_that_the_program_takes() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files =
            ["README.md", "datasets/README.md", "models/README.md"].map(|file| root.join(file)).to_vec();
        files.extend(root.join("docs").read_dir().unwrap().map(|entry| entry.unwrap().path()));
        // The package has no experiments.
        let experiments = root.join("experiments").read_dir().into_iter().flatten();
        files.extend(experiments.map(|entry| entry.unwrap().path().join("README.md")));
        let mut read = 0;
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            for line in lines(&text) {
                let words = shlex::split(&line).unwrap_or_else(|| panic!("{}: '{line}'", file.display()));
                read += 1;
                if let Err(error) = Cli::try_parse_from(words) {
                    panic!("{}: '{line}': {error}", file.display());
                }
            }
        }
        assert!(read > 20, "{read} lines");
        assert_eq!(lines("```sh\n. x && duramen run y  # z\n```\nduramen no"), ["duramen run y "]);
    }
}
