//! The invariants of the package's layout: who imports whom, who prints, how long a file is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use import_circles::{MOST_FILES, circles};

mod import_circles;

/// The top-level modules in the order of the imports: each may import those before it and the leaves.
const LINE: [&str; 20] = [
    "dom",
    "warc",
    "layout",
    "page",
    "view",
    "alignment",
    "dataset",
    "features",
    "model",
    "inference",
    "extract",
    "document",
    "eval",
    "scoring",
    "training",
    "annotation",
    "harness",
    "studies",
    "report",
    "cli",
];
/// The modules that know none of [`LINE`], in an order in which each may import those before it.
const LEAVES: [&str; 21] = [
    "error",
    "page_work",
    "index",
    "label",
    "rng",
    "characters",
    "tokens",
    "files",
    "store",
    "host",
    "plural",
    "convention",
    "progress",
    "program",
    "dist",
    "logistic",
    "outlier",
    "boosting",
    "entities",
    "draws",
    "diagnostics",
];

/// The modules that never import the corpora: what they compute cannot depend on gold.
const GOLD_FREE: [&str; 5] = ["features", "model", "inference", "extract", "document"];

/// Every source file of the library by its path below `src`, sorted.
fn files() -> Vec<(String, String)> {
    files_below("src")
}

/// Every source file below a folder of the repository by its path in there, sorted.
fn files_below(folder: &str) -> Vec<(String, String)> {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Vec::new();
    let mut pending = vec![root.clone()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                files.push((name, std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    files.sort();
    assert!(files.len() > 5, "the sources are not where they should be");
    files
}

/// The lines of code with their numbers: without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .map(|(i, line)| (i + 1, line))
}

fn top_module(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

/// Whether a file is that of a room itself: `page.rs`, `dom/mod.rs`.
fn is_room(file: &str) -> bool {
    !file.trim_end_matches("/mod.rs").contains('/')
}

/// The modules that a line of code names from the root of the crate.
fn imported(line: &str) -> Vec<&str> {
    let named = line.split("crate::").skip(1);
    named.map(|rest| rest.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next().unwrap()).collect()
}

/// Why `module` must not import `other`, if it must not.
fn objection(module: &str, other: &str) -> Option<&'static str> {
    let place = |list: &[&str], name: &str| list.iter().position(|known| *known == name);
    match (place(&LINE, module), place(&LEAVES, module), place(&LINE, other), place(&LEAVES, other)) {
        _ if module == other => None,
        (Some(from), _, Some(to), _) if to > from => Some("stands later in the line"),
        (Some(_), ..) if other == "dataset" && GOLD_FREE.contains(&module) => Some("is not for the method"),
        (_, Some(_), Some(_), _) => Some("is no leaf"),
        (_, Some(from), _, Some(to)) if to > from => Some("stands later among the leaves"),
        (.., None, None) => Some("is unknown to this test"),
        _ => None,
    }
}

#[test]
fn imports_point_along_the_line_and_never_back() {
    let mut faults = Vec::new();
    for (file, text) in files() {
        let module = top_module(&file);
        if matches!(module, "lib" | "main") {
            continue;
        }
        for (number, line) in code(&text) {
            for other in
                imported(line).into_iter().filter(|name| name.starts_with(|c: char| c.is_lowercase()))
            {
                if let Some(why) = objection(module, other) {
                    faults.push(format!("src/{file}:{number}: {module} imports {other}, which {why}"));
                }
            }
            // What is not beside is named from the root, so that the check above sees it.
            if line.contains("use crate::{") || line.contains("super::super") {
                faults.push(format!("src/{file}:{number}: write crate::ROOM::..."));
            }
        }
        // Beside a room stand the others; the tests of a file are one module deeper.
        let above_tests = text.split("#[cfg(test)]").next().unwrap();
        for (number, _) in code(above_tests).filter(|(_, line)| is_room(&file) && line.contains("super::")) {
            faults.push(format!("src/{file}:{number}: write crate::ROOM::..."));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_check_of_imports_sees_what_is_forbidden() {
    assert_eq!(imported("use crate::model::Model; let x = crate::rng::stream(1);"), ["model", "rng"]);
    assert!(objection("model", "inference").is_some());
    assert!(objection("inference", "model").is_none());
    for module in GOLD_FREE {
        assert!(objection(module, "dataset").is_some());
    }
    assert!(objection("rng", "dom").is_some());
    assert!(objection("error", "label").is_some());
    assert!(objection("label", "error").is_none());
    assert!(objection("model", "bogus").is_some());
    assert!(is_room("page.rs") && is_room("dom/mod.rs") && !is_room("dom/arena.rs"));
}

#[test]
fn no_more_than_three_files_import_each_other_in_a_circle() {
    let mut faults = Vec::new();
    for folder in ["src", "layout-blitz/src"] {
        for circle in circles(&files_below(folder)) {
            faults.push(format!(
                "{} files of {folder} import each other in a circle: {:?}\n  {}",
                circle.files.len(),
                circle.files,
                circle.imports.join("\n  ")
            ));
        }
    }
    assert!(faults.is_empty(), "at most {MOST_FILES} files may:\n{}", faults.join("\n"));
}

#[test]
fn the_check_of_circles_sees_one_through_re_exports_modules_and_macros() {
    let sources = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|&(file, text)| (file.to_owned(), text.to_owned())).collect()
    };
    let circle = circles(&sources(&[
        ("lib.rs", "mod a; mod b; pub use a::A;"),
        ("a/mod.rs", "mod inner; mod first; pub use first::A; pub(crate) use inner::*;"),
        ("a/first.rs", "use super::Inner; pub struct A; fn f(_: Inner) {}"),
        ("a/inner.rs", "use crate::b; pub struct Inner; fn f() -> b::B { b::B }"),
        ("b.rs", "mod deep; pub struct B; fn f() { assert!(matches!(1, deep::C)) }"),
        ("b/deep.rs", "pub const C: u8 = 1; fn f() -> Vec<crate::A> { vec![] }"),
        ("leaf.rs", "use crate::b::B; fn f(_: B) {}"),
    ]));
    assert_eq!(circle.len(), 1);
    assert_eq!(circle[0].files.iter().collect::<Vec<_>>(), ["a/first.rs", "a/inner.rs", "b.rs", "b/deep.rs"]);
    assert_eq!(
        circle[0].imports,
        [
            "a/first.rs:1 uses super::Inner of a/inner.rs",
            "a/inner.rs:1 uses b::B of b.rs",
            "b.rs:1 uses deep::C of b/deep.rs",
            "b/deep.rs:1 uses crate::A of a/first.rs",
        ]
    );

    // Children use what their mod.rs defines, and it hands on what they define: no circle. Nor do tests make one.
    let none = circles(&sources(&[
        ("lib.rs", "pub mod a;"),
        ("a/mod.rs", "mod b; mod c; mod d; pub use b::B; pub use c::C; pub use d::D; pub struct Shared;"),
        ("a/b.rs", "use super::Shared; pub struct B(Shared);"),
        ("a/c.rs", "use super::{B, Shared}; pub struct C(Shared, B);"),
        ("a/d.rs", "use super::{C, Shared}; pub struct D(Shared, C); #[cfg(test)] mod tests;"),
        ("a/d/tests.rs", "use crate::a::{B, C};"),
        ("a/e.rs", "#[cfg(test)] use super::D; #[cfg(test)] mod tests { use crate::a::D; }"),
    ]));
    assert!(none.is_empty(), "{:?}", none[0].imports);
}

#[test]
fn every_module_of_the_library_has_its_place_in_the_line() {
    let (_, lib) = files().into_iter().find(|(file, _)| file == "lib.rs").unwrap();
    let mut declared: Vec<&str> = code(&lib)
        .filter_map(|(_, line)| {
            line.trim().trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')
        })
        .collect();
    let mut known: Vec<&str> = LINE.iter().chain(&LEAVES).copied().collect();
    declared.sort_unstable();
    known.sort_unstable();
    assert_eq!(declared, known);
}

#[test]
fn nothing_but_the_command_line_prints() {
    let mut faults = Vec::new();
    for (file, text) in files().iter().filter(|(file, _)| top_module(file) != "cli") {
        // What a test prints is seen by who runs the tests alone.
        if file.ends_with("/tests.rs") || file.contains("/tests/") {
            continue;
        }
        for (number, line) in code(text) {
            if ["print!(", "println!(", "dbg!(", "stdout()", "stderr()"]
                .iter()
                .any(|print| line.contains(print))
            {
                faults.push(format!("src/{file}:{number}: {}", line.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_file_says_what_it_is_and_is_not_too_long() {
    for (file, text) in files() {
        assert!(text.starts_with("//! "), "src/{file} begins with one //! sentence");
        let lines = text.lines().count();
        assert!(lines <= 800, "src/{file} has {lines} lines: part it");
    }
}

#[test]
fn no_code_of_ours_is_unsafe() {
    let (_, lib) = files().into_iter().find(|(file, _)| file == "lib.rs").unwrap();
    assert!(lib.contains("#![forbid(unsafe_code)]"));
    assert!(lib.contains("#![warn(missing_docs)]"));
}

/// A clock that jumps changes nothing, and no result depends on when it was made: what takes time is measured by the clock that only
/// goes forward.
#[test]
fn nothing_reads_the_time_of_day() {
    let told = ["SystemTime", "UNIX_EPOCH", ".modified()", ".accessed()", ".created()"];
    for folder in ["src", "layout-blitz/src", "python/src"] {
        for (file, text) in files_below(folder) {
            for (number, line) in code(&text) {
                assert!(!told.iter().any(|told| line.contains(told)), "{folder}/{file}:{number}: {line}");
            }
        }
    }
}

#[test]
fn no_error_of_the_library_names_an_option_of_the_command_line() {
    // Options of other programs, names of CSS, and a study that runs the program itself.
    let runs_itself = "src/studies/reliability/";
    let of_others = ["src/extract/command/mod.rs", "src/layout/chromium/browser.rs", "src/report/html.rs"];
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut pending = vec![root.join("src")];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("src/cli") {
                    pending.push(path);
                }
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if !name.ends_with(".rs") || name.starts_with(runs_itself) || of_others.contains(&name.as_str()) {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for (number, line) in
                text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
            {
                let named = line.match_indices("--").any(|(place, _)| {
                    let before = line[..place].chars().next_back();
                    let after = line[place + 2..].chars().next();
                    before.is_some_and(|c| " (`'".contains(c))
                        && after.is_some_and(|c| c.is_ascii_lowercase())
                });
                if named {
                    found.push(format!("{name}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    assert!(
        found.is_empty(),
        "say the setting, and let src/cli/remedy.rs add the option:\n{}",
        found.join("\n")
    );
}

/// The files that the roots of a crate reach by `mod name;`, given all of its files by their paths.
fn reached(files: &[(String, String)], roots: &[&str]) -> BTreeSet<String> {
    let texts: BTreeMap<&str, &str> = files.iter().map(|(file, text)| (&**file, &**text)).collect();
    let mut reached: BTreeSet<String> = roots.iter().map(|&root| root.to_owned()).collect();
    let mut pending: Vec<String> = reached.iter().cloned().collect();
    while let Some(file) = pending.pop() {
        let stem = file.trim_end_matches(".rs");
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let is_root = roots.contains(&file.as_str()) || name == "mod";
        let folder = if is_root { folder } else { stem };
        for (_, line) in code(texts.get(&*file).unwrap_or(&"")) {
            let Some((before, after)) = line.trim().split_once("mod ") else { continue };
            let Some(name) =
                after.strip_suffix(';').filter(|_| before.is_empty() || before.starts_with("pub"))
            else {
                continue;
            };
            for path in [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")] {
                let path = path.trim_start_matches('/').to_owned();
                if texts.contains_key(&*path) && reached.insert(path.clone()) {
                    pending.push(path);
                }
            }
        }
    }
    reached
}

#[test]
fn every_source_file_is_a_module_of_its_crate() {
    for (folder, roots) in [
        ("src", &["lib.rs", "main.rs"][..]),
        ("layout-blitz/src", &["lib.rs"]),
        ("python/src", &["lib.rs"]),
        ("tests/library", &["main.rs"]),
        ("tests/program", &["main.rs"]),
        ("tests/statistical", &["main.rs"]),
    ] {
        let files = files_below(folder);
        let reached = reached(&files, roots);
        let dead: Vec<&str> =
            files.iter().map(|(file, _)| &**file).filter(|file| !reached.contains(*file)).collect();
        assert!(
            dead.is_empty(),
            "no `mod` declares these files of {folder}, so nothing compiles them: {dead:?}"
        );
    }
    let files = [("lib.rs", "pub mod a;"), ("a.rs", "mod b;"), ("a/b.rs", ""), ("dead.rs", ""), ("b.rs", "")];
    let files = files.map(|(file, text)| (file.to_owned(), text.to_owned()));
    assert_eq!(reached(&files, &["lib.rs"]).into_iter().collect::<Vec<_>>(), ["a.rs", "a/b.rs", "lib.rs"]);
}
