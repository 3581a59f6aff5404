//! The targets of `fuzz/` over their seeds, what fuzzing found, and changes of both at random. `fuzz/run.sh` looks further.

use std::path::{Path, PathBuf};

use duramen::rng;
use rand::{Rng, RngExt};
use rayon::prelude::*;

use crate::fuzz::TARGETS;

/// Changes of each input, more in CI.
fn changes() -> u64 {
    if std::env::var("CI").is_ok_and(|ci| ci == "true") { 1000 } else { 50 }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<_> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// The inputs of a target: its seeds, what was found, and the repository's own files of its kind.
fn inputs(target: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder_of = |folder: &Path, name: &str| {
        let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join(name));
        folders.filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    let mut paths =
        [files(&root.join("fuzz/seeds").join(target)), files(&root.join("fuzz/found").join(target))].concat();
    match target {
        "page" | "tokenizer" | "markdown" | "answers" => {
            paths.extend(folder_of(&root.join("tests/pages"), "page.html"))
        }
        "manifest" => paths.extend(
            files(&root.join("datasets"))
                .into_iter()
                .filter(|path| path.extension().is_some_and(|e| e == "toml")),
        ),
        "experiment" => paths.extend(folder_of(&root.join("experiments"), "experiment.toml")),
        _ => {}
    }
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// An input with a few of its bytes changed, left out, doubled or taken from another.
fn changed(input: &[u8], other: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..rng.random_range(1..5) {
        let at = rng.random_range(0..=bytes.len());
        let end = (at + rng.random_range(0..40)).min(bytes.len());
        match rng.random_range(0..4) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
            2 if at < bytes.len() => bytes[at] = rng.random(),
            _ => {
                let from = rng.random_range(0..=other.len());
                let to = (from + rng.random_range(0..40)).min(other.len());
                drop(bytes.splice(at..end, other[from..to].to_vec()));
            }
        }
    }
    bytes
}

#[test]
fn every_target_bears_its_seeds_and_changes_of_them() {
    for (name, run) in TARGETS {
        let inputs = inputs(name);
        assert!(!inputs.is_empty(), "{name} has seeds");
        inputs.iter().for_each(|input| run(input));
        (0..changes()).into_par_iter().for_each(|change| {
            let mut rng = rng::stream(20_261_127, name, &[change]);
            for input in &inputs {
                let other = &inputs[rng.random_range(0..inputs.len())];
                let bytes = changed(input, other, &mut rng);
                let result = std::panic::catch_unwind(|| run(&bytes));
                assert!(result.is_ok(), "{name}: {:?}", String::from_utf8_lossy(&bytes));
            }
        });
    }
}
