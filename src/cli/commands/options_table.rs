//! `duramen options-table`: every option of every command as `docs/COMMAND_LINE.md` has it; hidden.

use std::collections::BTreeMap;

use clap::{Arg, Command};

use crate::cli::outcome::Outcome;
use crate::cli::output::print;
use crate::error::Result;

const HEAD: &str = "\
# The command line

Every option with its meaning and the commands that have it. One name means one thing in all of them. `duramen COMMAND
--help` says more of each. An option that cannot have an effect, because the extractor does not take it or another option
rules it out, is refused with exit code 2. Options that say where things are or how much may be used (`--data-dir`,
`--threads`, `--max-bytes`, `--layout-cache` and the like) may always be given.

Exit codes: 0 fine, 1 some inputs failed, 2 usage, 3 a file, corpus or model is missing or wrong, 5 chains have not
converged, 130 interrupted.

This file is written by `duramen options-table`, and a test holds it to that.

";

/// Prints the document.
pub fn run(program: &Command) -> Result<Outcome> {
    print(&document(program))?;
    Ok(Outcome::Done)
}

/// An option of a command.
struct Entry<'a> {
    /// Such as `data fetch`; empty for an option of all commands.
    command: String,
    arg: &'a Arg,
}

/// The document.
fn document(program: &Command) -> String {
    let options = options(program);
    let mut text = HEAD.to_owned();
    text += "| option | meaning | values | default | commands |\n|---|---|---|---|---|\n";
    for (long, entries) in &options {
        let arg = entries[0].arg;
        let short = arg.get_short().map_or(String::new(), |short| format!("`-{short}`, "));
        let value = match (takes_value(arg), value_name(arg)) {
            (true, Some(name)) => format!(" {}", escaped(&name)),
            _ => String::new(),
        };
        let meaning = escaped(&arg.get_help().map(ToString::to_string).unwrap_or_default());
        text += &format!(
            "| {short}`--{long}{value}` | {meaning} | {} | {} | {} |\n",
            values(arg),
            defaults(entries),
            commands(entries)
        );
    }
    text + "\n## Arguments\n\n| command | arguments |\n|---|---|\n" + &arguments(program)
}

/// The visible options of the program and its commands by their long name.
fn options(program: &Command) -> BTreeMap<&str, Vec<Entry<'_>>> {
    let mut options: BTreeMap<&str, Vec<Entry<'_>>> = BTreeMap::new();
    for (path, command) in commands_of(program) {
        for arg in command.get_opts().chain(flags(command)) {
            let Some(long) = arg.get_long().filter(|_| !arg.is_hide_set()) else { continue };
            options.entry(long).or_default().push(Entry { command: path.clone(), arg });
        }
    }
    options
}

/// Options without a value, less those that every program has.
fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    let usual = |arg: &&Arg| !matches!(arg.get_id().as_str(), "help" | "version");
    command.get_arguments().filter(|arg| !arg.is_positional() && !takes_value(arg)).filter(usual)
}

/// The program and its visible commands, each with its path.
pub(super) fn commands_of(program: &Command) -> Vec<(String, &Command)> {
    let mut found = vec![(String::new(), program)];
    let mut next = 0;
    while next < found.len() {
        let (path, command) = found[next].clone();
        for below in
            command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help")
        {
            found.push((format!("{path} {}", below.get_name()).trim().to_owned(), below));
        }
        next += 1;
    }
    found
}

fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

fn value_name(arg: &Arg) -> Option<String> {
    Some(arg.get_value_names()?.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" "))
}

/// The names that may be given, where they are few.
fn values(arg: &Arg) -> String {
    if !takes_value(arg) {
        return String::new();
    }
    let names = arg.get_possible_values();
    names.iter().map(|value| format!("`{}`", value.get_name())).collect::<Vec<_>>().join(", ")
}

/// The default, or that of each command where they differ.
fn defaults(entries: &[Entry<'_>]) -> String {
    let default = |arg: &Arg| {
        let values: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        values.join(",")
    };
    let mut by_value: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| takes_value(entry.arg)) {
        by_value.entry(default(entry.arg)).or_default().push(&entry.command);
    }
    let one = by_value.len() == 1;
    let texts = by_value.iter().filter(|(value, _)| !value.is_empty()).map(|(value, commands)| match one {
        true => format!("`{value}`"),
        false => format!("`{value}` ({})", commands.join(", ")),
    });
    texts.collect::<Vec<_>>().join("; ")
}

fn commands(entries: &[Entry<'_>]) -> String {
    if entries.iter().any(|entry| entry.command.is_empty()) {
        return "all".to_owned();
    }
    entries.iter().map(|entry| format!("`{}`", entry.command)).collect::<Vec<_>>().join(", ")
}

fn arguments(program: &Command) -> String {
    let row = |(path, command): &(String, &Command)| {
        let texts: Vec<String> = command
            .get_positionals()
            .map(|arg| {
                let help = escaped(&arg.get_help().map(ToString::to_string).unwrap_or_default());
                format!("`{}`: {help}", escaped(&value_name(arg).unwrap_or_default()))
            })
            .collect();
        (!texts.is_empty()).then(|| format!("| `{path}` | {} |\n", texts.join("; ")))
    };
    commands_of(program).iter().filter_map(row).collect()
}

/// A help text as a cell of a table.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::{CommandFactory, builder::StyledStr};

    use super::*;
    use crate::cli::Cli;

    fn program() -> Command {
        let mut program = Cli::command();
        program.build();
        program
    }

    /// The document, from the package's folder.
    const DOCUMENT: &str = "docs/COMMAND_LINE.md";

    // The document is of the whole program.
    #[cfg(all(feature = "experiments", feature = "datasets", feature = "chromium", feature = "blitz"))]
    #[test]
    fn the_document_of_the_command_line_is_as_the_program_prints_it() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(DOCUMENT);
        let found = std::fs::read_to_string(&path).unwrap();
        assert!(found == document(&program()), "write it again: duramen options-table > {DOCUMENT}");
    }

    #[test]
    fn one_name_means_one_thing_in_every_command() {
        let program = program();
        let mut wrong = Vec::new();
        let mut longs_of_short: BTreeMap<char, Vec<&str>> = BTreeMap::new();
        for (long, entries) in options(&program) {
            let what = |arg: &Arg| {
                let help = arg.get_help().map(|help: &StyledStr| {
                    let help = help.to_string();
                    help.split(" [default").next().unwrap_or_default().to_owned()
                });
                (value_name(arg).filter(|_| takes_value(arg)), arg.get_short(), help)
            };
            let first = what(entries[0].arg);
            for entry in &entries[1..] {
                if what(entry.arg) != first {
                    wrong.push(format!(
                        "--{long}: {:?} in '{}', {first:?} in '{}'",
                        what(entry.arg),
                        entry.command,
                        entries[0].command
                    ));
                }
            }
            if let Some(short) = first.1 {
                longs_of_short.entry(short).or_default().push(long);
            }
        }
        let several = longs_of_short.iter().filter(|(_, longs)| longs.len() > 1);
        wrong.extend(several.map(|(short, longs)| format!("-{short} is {longs:?}")));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn the_general_options_stand_last_in_the_help_of_every_command() {
        let program = program();
        for (path, command) in commands_of(&program) {
            let mut headings: Vec<&str> = Vec::new();
            for heading in command.get_arguments().filter_map(Arg::get_help_heading) {
                if !headings.contains(&heading) {
                    headings.push(heading);
                }
            }
            assert_eq!(headings.last(), Some(&"General options"), "{path}: {headings:?}");
        }
    }

    #[test]
    fn every_option_and_argument_has_a_help_text_and_every_command_an_example() {
        let program = program();
        for (path, command) in commands_of(&program) {
            for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
                assert!(arg.get_help().is_some(), "{path}: {}", arg.get_id());
            }
            let has_commands = command.has_subcommands() && !path.is_empty();
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(has_commands || after.contains("duramen "), "{path} has no example");
        }
    }
}
