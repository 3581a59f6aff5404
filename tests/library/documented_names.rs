//! Documents and comments name what is there: paths of this repository, and the papers that they cite.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files that git tracks, or would if they were added; none where there is no git.
fn tracked() -> BTreeSet<String> {
    let mut list = Command::new("git");
    list.current_dir(root()).args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let Ok(output) = list.output() else { return BTreeSet::new() };
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    list.lines().filter(|file| root().join(file).exists()).map(str::to_owned).collect()
}

/// The back-ticked words of a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a back-ticked word is a path of this repository and, if so, whether it is there. `from` is the file that says it.
fn is_there(word: &str, from: &str, tracked: &BTreeSet<String>) -> Option<bool> {
    /// Made by a command, and not tracked.
    const MADE: [&str; 3] = ["results/quickstart", "target/", "data/"];
    let is_path = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let is_made = MADE.iter().any(|made| word.starts_with(made));
    // Names in capitals stand for any.
    let is_pattern =
        word.split(['/', '.']).any(|part| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()));
    if !is_path || is_made || word == "mod.rs" || (is_pattern && !word.ends_with(".md")) {
        return None;
    }
    let word = word.trim_end_matches('/');
    let (top, rest) = word.split_once('/').unwrap_or((word, ""));
    let is_top = !rest.is_empty() && tracked.iter().any(|file| file.starts_with(&format!("{top}/")));
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let stem = from.trim_end_matches("/mod.rs").trim_end_matches(".rs");
    let is_at = |path: String| {
        let path = path.trim_start_matches('/');
        let below = format!("{path}/");
        tracked.contains(path) || tracked.iter().any(|file| file.starts_with(&below))
    };
    if is_top || word.ends_with(".rs") {
        let beside =
            [word.to_owned(), format!("{folder}/{word}"), format!("{stem}/{word}"), format!("src/{word}")];
        // `gibbs/tables.rs` where the room is clear; a name alone only of a file beside.
        let is_named = |file: &String| file.starts_with("src/") && file.ends_with(&format!("/{word}"));
        return Some(
            beside.into_iter().any(is_at)
                || (!rest.is_empty() || from.ends_with(".md")) && tracked.iter().any(is_named),
        );
    }
    None
}

/// The lines that say what the code is: of a Markdown file all but blocks of code, of Rust the comments of documentation.
fn prose(file: &str, text: &str) -> Vec<(usize, String)> {
    let mut is_code = false;
    let lines = text.lines().enumerate().filter_map(|(number, line)| {
        if file.ends_with(".md") {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            return (!is_code && !is_fence).then(|| (number + 1, line.to_owned()));
        }
        let line = line.trim_start();
        (line.starts_with("//!") || line.starts_with("///")).then(|| (number + 1, line.to_owned()))
    });
    lines.collect()
}

#[test]
fn every_path_that_documents_and_comments_name_is_there() {
    let tracked = tracked();
    let mut missing = Vec::new();
    let mut seen = 0;
    let is_ours = |file: &&String| {
        // Generated tables, and texts that tests compare.
        let is_output =
            file.starts_with("results/") && file.contains("/tables/") || file.starts_with("tests/pages/");
        (file.ends_with(".md") && !is_output) || file.ends_with(".rs")
    };
    for file in tracked.iter().filter(is_ours) {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        for (number, line) in prose(file, &text) {
            for word in quoted(&line) {
                let Some(is_there) = is_there(word, file, &tracked) else { continue };
                seen += 1;
                if !is_there {
                    missing.push(format!("{file}:{number}: `{word}`"));
                }
            }
        }
    }
    assert!(tracked.is_empty() || seen > 100, "{seen} paths");
    assert!(missing.is_empty(), "these are not there:\n{}", missing.join("\n"));
}

#[test]
fn the_check_of_paths_sees_one_that_is_not_there() {
    let tracked: BTreeSet<String> =
        ["src/model/a.rs", "src/model/b/c.rs", "docs/X.md", "other/c.rs"].map(str::to_owned).into();
    let check = |word| is_there(word, "src/model/a.rs", &tracked);
    for there in ["src/model/a.rs", "model/a.rs", "a.rs", "b/c.rs", "docs/X.md", "src/model/"] {
        assert_eq!(check(there), Some(true), "{there}");
    }
    for missing in ["model/x.rs", "c.rs", "docs/Y.md", "src/rooms/"] {
        assert_eq!(check(missing), Some(false), "{missing}");
    }
    for none in ["text/html", "a.json", "docs", "wcxb/dev", "https://a.example/x.rs?y"] {
        assert_eq!(check(none), None, "{none}");
    }
}

/// The first author's surname and the year of each entry under "References".
fn entries(references: &str) -> Vec<(String, String)> {
    let entries =
        references.split("\n- ").skip(1).map(|entry| entry.split_whitespace().collect::<Vec<_>>().join(" "));
    let dated = entries.filter_map(|entry| {
        let author = entry.split([',', ':']).next()?.split(' ').next_back()?.to_owned();
        Some((author, years(&entry).next_back()?.1.to_owned()))
    });
    dated.collect()
}

/// The years of a text, with the place of each.
fn years(text: &str) -> impl DoubleEndedIterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    text.char_indices().filter_map(move |(at, _)| {
        let year = text.get(at..at + 4)?;
        let is_year =
            (year.starts_with("19") || year.starts_with("20")) && year.chars().all(|c| c.is_ascii_digit());
        let is_alone = !text[..at].ends_with(is_word) && !text[at + 4..].starts_with(is_word);
        (is_year && is_alone && !text[..at].ends_with([':', '.', '/'])).then_some((at, year))
    })
}

/// The first author's surname and the year of each citation: `Liu 1994`, `Geman & Geman 1984`, `Ye et al. 2012`, `Joshi and Liu (2009)`.
fn citations(body: &str) -> Vec<(String, String)> {
    let text = body.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_name = |word: &str| {
        let word = word.trim_start_matches('(').trim_end_matches(',');
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.next().is_some_and(|c| c.is_lowercase())
            && word.chars().all(|c| c.is_alphabetic() || c == '-')
    };
    let mut found = Vec::new();
    for (at, year) in years(&text) {
        let mut author = None;
        for word in text[..at].trim_end_matches([' ', '(']).rsplit(' ') {
            match word {
                _ if is_name(word) => author = Some(word.trim_start_matches('(').trim_end_matches(',')),
                "&" | "and" | "et" | "al." => {}
                _ => break,
            }
            if word.starts_with('(') {
                break;
            }
        }
        found.extend(author.map(|author| (author.to_owned(), year.to_owned())));
    }
    found
}

#[test]
fn what_is_cited_has_an_entry_and_every_entry_is_cited() {
    for file in ["docs/MODEL.md", "docs/RESULTS.md"] {
        let text = std::fs::read_to_string(PathBuf::from(root()).join(file)).unwrap();
        let (body, references) = text.split_once("## References\n").unwrap();
        let entries: BTreeSet<_> = entries(references).into_iter().collect();
        let cited: BTreeSet<_> = citations(body).into_iter().collect();
        assert!(entries.len() >= 5, "{file}: {entries:?}");
        let without: Vec<_> = cited.difference(&entries).collect();
        assert!(without.is_empty(), "{file} cites without an entry: {without:?}");
        let uncited: Vec<_> = entries.difference(&cited).collect();
        assert!(uncited.is_empty(), "{file} has entries that it does not cite: {uncited:?}");
    }
}

/// The numbers with a decimal point of a cell of a table.
fn decimals(cell: &str) -> impl Iterator<Item = &str> {
    let words = cell.split(|c: char| !c.is_ascii_digit() && c != '.').map(|word| word.trim_end_matches('.'));
    words.filter(|word| word.contains('.'))
}

#[test]
fn numbers_of_what_was_tried_stand_where_the_table_says() {
    let docs = root().join("docs");
    let text = std::fs::read_to_string(docs.join("TRIED.md")).unwrap();
    let (mut source, mut seen, mut missing) = (String::new(), 0, Vec::new());
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| tried |")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, tried, place, number, _, _] = cells[..] else { panic!("four cells: {line}") };
        if let Some((_, link)) = place.split_once("](") {
            let path = link.split(['#', ')']).next().unwrap();
            source = std::fs::read_to_string(docs.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
        }
        assert!(number.contains(|c: char| c.is_ascii_digit()), "a row without a number: {line}");
        let said: BTreeSet<&str> = decimals(&source).collect();
        seen += decimals(number).count();
        missing.extend(decimals(number).filter(|of| !said.contains(of)).map(|of| format!("{tried}: {of}")));
    }
    assert!(seen > 50, "{seen} numbers");
    assert!(missing.is_empty(), "not in the documents that the rows name:\n{}", missing.join("\n"));
}

/// GitHub reads Markdown before formulas: a backslash before a sign is taken away, a bar ends a cell, and some macros are refused.
#[test]
fn formulas_are_such_as_github_renders() {
    let text = std::fs::read_to_string(root().join("docs/MODEL.md")).unwrap();
    assert!(!text.contains("$$"), "formulas of their own lines stand in ```math");
    let is_balanced = |formula: &str| formula.matches('{').count() == formula.matches('}').count();
    let mut inline = 0;
    let parser = pulldown_cmark::Parser::new_ext(
        &text,
        pulldown_cmark::Options::ENABLE_MATH | pulldown_cmark::Options::ENABLE_TABLES,
    );
    for event in parser {
        let pulldown_cmark::Event::InlineMath(formula) = event else { continue };
        inline += 1;
        let is_escape = |pair: &[u8]| pair[0] == b'\\' && pair[1].is_ascii_punctuation();
        let is_refused = formula.contains(['|', '<', '*', '~', '`']) || formula.contains("operatorname");
        assert!(!is_refused && !formula.as_bytes().windows(2).any(is_escape), "${formula}$");
        assert!(is_balanced(&formula), "${formula}$");
    }
    assert!(inline > 100, "{inline} formulas in lines");
    let displayed = text.split("```math\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    assert!(displayed.inspect(|formula| assert!(is_balanced(formula), "{formula}")).count() > 10);
}
