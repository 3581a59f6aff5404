//! `duramen train --em` as a user runs it.

use std::path::Path;
use std::time::Duration;

use crate::support::corpora;
use assert_cmd::Command;
use duramen::dataset::synth::{SynthConfig, generate};
use tempfile::TempDir;

/// Runs the program in a folder; exit code and what it said.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duramen"));
    command.current_dir(folder).args(arguments).timeout(Duration::from_secs(120));
    command.env_remove("COLUMNS").env_remove("DURAMEN_DATA_DIR").env_remove("DURAMEN_MIRROR");
    let output = command.output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn ok(folder: &Path, arguments: &[&str]) -> String {
    let (code, said) = run(folder, arguments);
    assert_eq!(code, 0, "{arguments:?}: {said}");
    said
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Pages without labels in the folders a and b.
fn with_pages() -> TempDir {
    let folder = TempDir::new().unwrap();
    let config = SynthConfig { sites: 8, pages_per_site: 1, seed: 12, ..SynthConfig::default() };
    for (number, page) in generate(&config).unwrap().into_iter().enumerate() {
        let name = format!("{}/{}.html", ["a", "b"][number % 2], page.id);
        write(folder.path(), &name, &page.original);
    }
    folder
}

#[test]
fn labelled_and_unlabelled_pages_give_the_same_bytes_at_any_thread_count_and_order() {
    let place = with_pages();
    let place = place.path();
    let train = ["train", "--em", "4", "--dataset", "synth", "--max-pages", "5"];
    let there = ["--unlabelled", "a", "--unlabelled", "b"];
    let said = ok(place, &[&train[..], &there, &["-o", "one.json", "--threads", "1"]].concat());
    assert!(said.contains("a: 4 pages, 0 left out"), "{said}");
    let iterations: Vec<&str> = said.lines().filter(|line| line.contains("iteration ")).collect();
    assert_eq!(iterations.len(), 4, "{said}");
    assert!(iterations[0].contains("objective -") && !iterations[0].contains("gain"), "{said}");
    assert!(iterations[1].contains(", gain "), "{said}");
    assert!(said.contains("4 iterations done") && said.contains("one.json: 13 pages"), "{said}");
    let back = ["--unlabelled", "b", "--unlabelled", "a"];
    ok(place, &[&train[..], &back, &["-o", "two.json", "--threads", "2"]].concat());
    assert_eq!(read(place, "one.json"), read(place, "two.json"));
    let quiet = ok(place, &[&train[..], &there, &["-o", "q.json", "-q", "--tolerance", "0.5"]].concat());
    assert_eq!(quiet, "");
    let said = ok(place, &[&train[..], &there, &["-o", "e.json", "--tolerance", "0.5"]].concat());
    assert!(said.contains("gains less than 0.5 after 2 iterations"), "{said}");
    let shown = Command::new(env!("CARGO_BIN_EXE_duramen"))
        .current_dir(place)
        .args(["model", "show", "one.json"])
        .output()
        .unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("source        unlabelled@") && shown.contains("source        synth@"), "{shown}");
    write(place, "page.html", b"<h1>Oak</h1><p>The old oak fell on Monday night, and nobody was hurt.</p>");
    ok(place, &["extract", "--model", "one.json", "page.html"]);
}

#[test]
fn halves_trained_apart_for_one_iteration_merge_to_the_whole() {
    let place = with_pages();
    let place = place.path();
    let train = ["train", "--em", "1", "--start", "news-blocks"];
    let labelled = ["--dataset", "synth", "--max-pages", "3"];
    ok(place, &[&train[..], &labelled, &["--unlabelled", "a", "-o", "a.json"]].concat());
    ok(place, &[&train[..], &["--unlabelled", "b", "-o", "b.json"]].concat());
    let both = ["--unlabelled", "a", "--unlabelled", "b", "-o", "whole.json"];
    ok(place, &[&train[..], &labelled, &both].concat());
    ok(place, &["model", "merge", "b.json", "a.json", "-o", "merged.json"]);
    assert_eq!(read(place, "merged.json"), read(place, "whole.json"));
    ok(place, &["model", "subtract", "whole.json", "b.json", "-o", "rest.json"]);
    assert_eq!(read(place, "rest.json"), read(place, "a.json"));
    // Whole counts and fractions go together.
    ok(place, &["train", "--dataset", "synth", "--max-pages", "2", "-o", "counted.json"]);
    ok(place, &["model", "merge", "counted.json", "b.json", "-o", "mixed.json"]);
    ok(place, &["model", "subtract", "mixed.json", "b.json", "-o", "again.json"]);
    assert_eq!(read(place, "again.json"), read(place, "counted.json"));
}

#[test]
fn reference_texts_are_partial_labels_and_how_far_they_were_found_is_said() {
    let place = TempDir::new().unwrap();
    let place = place.path();
    for (path, bytes) in corpora::cleaneval() {
        write(place, &format!("mine/{path}"), &bytes);
    }
    let manifest = "name = 'mine'\ntitle = 'Mine'\nsource = 'here'\nlayout = 'cleaneval'\ncitation = 'none'\n\
        licence = { name = 'MIT', redistribution = 'yes', notice = 'Mine.' }\n\
        [[part]]\nname = 'all'\n[[archive]]\nparts = ['all']\nfiles = [{ name = 'mine.zip' }]\n";
    write(place, "mine.toml", manifest.as_bytes());
    let corpus = ["--dataset", "mine.toml", "--data-dir", "."];
    let refused = run(place, &[&["train", "-o", "m.json"], &corpus[..]].concat());
    assert_eq!(refused.0, 3, "{}", refused.1);
    assert!(
        refused.1.contains("trained as with --weights")
            && refused.1.contains("there is nothing to learn from")
            && refused.1.contains("learn by EM (--em N)"),
        "{}",
        refused.1
    );
    let train = ["train", "--em", "2", "--start", "news-blocks", "-o", "m.json", "-v"];
    let said = ok(place, &[&train[..], &corpus].concat());
    assert!(said.contains("1 page below 0.9 taken without labels"), "{said}");
    assert!(said.contains("mine: 0.5000 of the reference's words found on their pages"), "{said}");
    assert!(said.contains("taken without labels 1: 0.500 of its reference found"), "{said}");
}

#[test]
fn slips_are_refused_with_the_remedy_before_pages_are_read() {
    let place = with_pages();
    let place = place.path();
    write(place, "empty/readme.txt", b"");
    for (arguments, said) in [
        (&["--em", "0", "--dataset", "synth"][..], "it must be from 1 to 10000; the default is 20"),
        (&["--em", "2", "--tolerance", "2", "--dataset", "synth"], "at least 0 and below 1"),
        (
            &["--em", "2", "--reference-labels", "not-content", "--dataset", "synth"],
            "name one or more labels of content",
        ),
        (&["--em", "2", "--reference-labels", "full-txt", "--dataset", "synth"], "did you mean 'full-text'?"),
        (&["--em", "2", "--config", "thesis", "--dataset", "synth"], "write sibling-types = false"),
        (&["--em", "2", "--dataset", "synth", "--max-pages", "2"], "EM has no page to learn from"),
        (&["--em", "2", "--unlabelled", "a"], "start from a trained model"),
        (&["--em", "2", "--unlabelled", "empty"], "holds no page"),
        (&["--unlabelled", "a"], "--em <N>"),
        (&["--em", "2"], "--dataset"),
    ] {
        let (code, message) = run(place, &[&["train", "-o", "m.json"], arguments].concat());
        assert_eq!(code, 2, "{arguments:?}: {message}");
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
    assert!(!place.join("m.json").exists());
}
