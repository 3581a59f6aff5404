//! Documents and `results/`: what a document links is there, and a PNG is there only if a document shows it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag};

/// Folders without documents of ours: built, fetched or made, and the pages of tests.
const PASSED_OVER: [&str; 8] =
    ["target", "data", "pages", "tests", "node_modules", "quickstart", ".git", ".ipynb_checkpoints"];

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut pending) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(current) = pending.pop() {
        for entry in std::fs::read_dir(current).unwrap() {
            let path = entry.unwrap().path();
            let is_passed_over =
                path.file_name().is_some_and(|name| PASSED_OVER.iter().any(|&of| name == of));
            match path.is_dir() {
                true if is_passed_over => {}
                true => pending.push(path),
                false => files.push(path),
            }
        }
    }
    files
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

/// The files that the documents link or show, with the document.
fn linked() -> Vec<(PathBuf, PathBuf)> {
    let mut linked = Vec::new();
    for document in
        files(Path::new(env!("CARGO_MANIFEST_DIR"))).into_iter().filter(|file| has_ending(file, "md"))
    {
        let text = std::fs::read_to_string(&document).unwrap();
        for event in Parser::new(&text) {
            let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event else {
                continue;
            };
            let path = dest_url.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains("://") && !path.starts_with("mailto:") {
                linked.push((document.clone(), document.with_file_name(path)));
            }
        }
    }
    linked
}

#[test]
fn every_file_that_a_document_links_or_shows_is_there() {
    let linked = linked();
    assert!(linked.len() > 50, "{} links", linked.len());
    let missing: Vec<_> = linked.iter().filter(|(_, file)| !file.exists()).collect();
    assert!(missing.is_empty(), "document and file: {missing:#?}");
}

#[test]
fn results_are_tables_svg_and_records_and_a_png_only_where_a_document_shows_it() {
    let shown: BTreeSet<PathBuf> =
        linked().into_iter().filter_map(|(_, file)| file.canonicalize().ok()).collect();
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results"));
    assert!(files.iter().filter(|file| has_ending(file, "svg")).count() > 100);
    for file in files {
        let is_right = match file.extension().and_then(|ending| ending.to_str()) {
            Some("csv" | "md" | "svg" | "json" | "toml") => true,
            Some("png") => shown.contains(&file.canonicalize().unwrap()),
            // What a run leaves beside and git ignores.
            Some("html" | "jsonl") => true,
            _ => false,
        };
        assert!(is_right, "{}: no document shows it; remove it, or show it in a README", file.display());
    }
}
