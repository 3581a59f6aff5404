//! `duramen completions`: scripts that complete the command line in a shell.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::cli::outcome::Outcome;
use crate::cli::output::print;
use crate::error::Result;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen completions bash > ~/.local/share/bash-completion/completions/duramen
  duramen completions zsh > ~/.zfunc/_duramen     with fpath+=~/.zfunc before compinit in ~/.zshrc
  duramen completions fish > ~/.config/fish/completions/duramen.fish")]
pub struct Options {
    /// Shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints a script.
pub fn run(options: &Options, program: &Command) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut program.clone(), "duramen", &mut script);
    print(&String::from_utf8(script).expect("names and help texts are UTF-8"))?;
    Ok(Outcome::Done)
}
