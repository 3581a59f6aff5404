//! `duramen man`: manual pages, one for each command.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::options_table::commands_of;
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print};
use crate::error::Result;
use crate::files::write_whole;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen man -d ~/.local/share/man/man1
  duramen man -d man && man -l man/duramen-extract.1")]
pub struct Options {
    /// Folder to write into
    ///
    /// One page for the program, and one for each command: duramen.1, duramen-extract.1 and so on.
    #[arg(short = 'd', long, value_name = "DIR")]
    output_dir: PathBuf,
}

/// Writes the pages of a program that has not been built.
pub fn run(options: &Options, program: Command) -> Result<Outcome> {
    check_folder(&options.output_dir)?;
    let mut program = without_help(program);
    program.build();
    for (_, command) in commands_of(&program) {
        let name = Man::new(command.clone()).get_filename();
        let path = options.output_dir.join(name);
        write_whole(&path, &page(command))?;
        print(&format!("{}\n", path.display()))?;
    }
    Ok(Outcome::Done)
}

/// `help` is no command to look up.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// The page of a command.
fn page(command: &Command) -> Vec<u8> {
    // What clap says in the help; clap_mangen would name every option.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let man = Man::new(command.clone().override_usage(usage));
    let mut page = Vec::new();
    let written: std::io::Result<()> = (|| {
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        if command.get_arguments().any(|arg| !arg.is_hide_set()) {
            man.render_options_section(&mut page)?;
        }
        if command.has_subcommands() {
            man.render_subcommands_section(&mut page)?;
        }
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        examples(&after).to_writer(&mut page)
    })();
    written.expect("writing to memory does not fail");
    page
}

/// What stands below the options: examples and what is to be known, the indented lines as they are.
fn examples(text: &str) -> Roff {
    let mut roff = Roff::default();
    if text.is_empty() {
        return roff;
    }
    roff.control("SH", ["EXAMPLES"]);
    let mut is_indented = false;
    for (number, line) in text.lines().enumerate() {
        let (was_indented, is_head) = (is_indented, number == 0 && line.starts_with("Example"));
        is_indented = line.starts_with("  ");
        match (was_indented, is_indented) {
            (false, true) => roff.control("nf", []),
            (true, false) => roff.control("fi", []),
            _ => &mut roff,
        };
        match line.trim() {
            "" => roff.control("PP", []),
            _ if is_head => &mut roff,
            line => roff.text([roman(line)]),
        };
    }
    if is_indented {
        roff.control("fi", []);
    }
    roff
}
