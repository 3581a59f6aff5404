//! The commands in README and GUIDE print what stands below them.
//!
//! Blocks marked `console` hold commands after `$ ` and their output, standard output and standard error together. A line
//! `...` stands for any lines, `[..]` for the rest of a word or line. A block whose output holds fences has longer ones.
//! `DURAMEN_PROGRAM` names another program to run them with: `scripts/first-steps.sh` gives one that was installed.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use snapbox::{Assert, Data};

/// A command and what it prints.
struct Example {
    line: String,
    output: String,
}

/// The examples of a Markdown text, in order.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    // The fence that ends the block.
    let mut inside: Option<&str> = None;
    for line in text.lines() {
        match line.strip_suffix("console") {
            Some(fence @ ("```" | "````")) if inside.is_none() => inside = Some(fence),
            _ if inside == Some(line) => inside = None,
            _ if inside.is_none() => {}
            _ => match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => {
                    examples.push(Example { line: command.to_owned(), output: String::new() });
                }
                (None, Some(example)) => example.output.push_str(&format!("{line}\n")),
                (None, None) => panic!("'{line}' stands before any command"),
            },
        }
    }
    examples
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Runs the examples of a file one after another in one folder. `steps` are beginnings of commands that must be among them, with a file
/// that they leave and what stands in it.
fn check(file: &str, steps: &[(&str, &str, &str)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let examples = examples(&std::fs::read_to_string(root.join(file)).unwrap());
    for (step, ..) in steps {
        assert!(examples.iter().any(|example| example.line.starts_with(step)), "{file}: no example '{step}'");
    }
    let program = std::env::var_os("DURAMEN_PROGRAM");
    let program = program.unwrap_or_else(|| OsString::from(env!("CARGO_BIN_EXE_duramen")));
    let place = tempfile::tempdir().unwrap();
    for folder in ["examples/pages", "experiments/quickstart"] {
        copy(&root.join(folder), &place.path().join(folder));
    }
    for Example { line, output } in examples {
        let mut words = shlex::split(&line).unwrap_or_else(|| panic!("{file}: '{line}' cannot be split"));
        assert_eq!(words.remove(0), "duramen", "{file}: '{line}'");
        let mut command = Command::new(&program);
        command.args(words).current_dir(place.path()).env_remove("DURAMEN_DATA_DIR");
        let ran = command.output().unwrap();
        let printed = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(ran.status.success(), "{file}: '{line}' ended with {}: {printed}", ran.status);
        let assert = Assert::new().normalize_paths(false);
        let compared = assert.try_eq(Some(&line), Data::text(printed), Data::text(output));
        compared.unwrap_or_else(|error| panic!("{file}: '{line}': {error}"));
    }
    for (step, written, what) in steps.iter().filter(|(_, written, _)| !written.is_empty()) {
        let text = std::fs::read(place.path().join(written));
        let text = text.unwrap_or_else(|error| panic!("{file}: '{step}': {written}: {error}"));
        assert!(String::from_utf8_lossy(&text).contains(what), "{file}: '{step}': {written} lacks '{what}'");
    }
}

#[test]
fn the_readme() {
    check(
        "README.md",
        &[
            ("duramen extract examples", "", ""),
            ("duramen extract --markdown", "", ""),
            ("duramen extract --json", "", ""),
            ("duramen explain", "why.html", "112 steps"),
            ("duramen evaluate", "", ""),
            ("duramen train", "mine.json", "synth"),
            ("duramen sample", "draws/draws.json", "log_likelihood"),
        ],
    );
}

#[test]
fn the_guide() {
    check(
        "docs/GUIDE.md",
        &[
            ("duramen extract --markdown", "", ""),
            ("duramen data warc", "", ""),
            ("duramen extract --output-format csv -o", "crawl.csv", ",ok,"),
            ("duramen explain", "why.html", "112 steps"),
            ("duramen adapt", "site.json", "site"),
            ("duramen train", "mine.json", "synth"),
            ("duramen run experiments/quickstart", "results/quickstart/tables/folds-token.md", "hmt-blocks"),
            ("duramen report", "results/quickstart/report.html", "hmt-blocks"),
            ("duramen sample", "draws/draws.json", "log_likelihood"),
        ],
    );
}
