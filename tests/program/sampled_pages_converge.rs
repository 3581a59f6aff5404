//! Chains over real pages agree: what `duramen sample` draws by default passes `duramen diagnose --strict`.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use duramen::dataset;

use crate::support;

/// The first twenty pages of L3S-GN1 by name, which are of many sites, written into `folder`.
fn pages(folder: &Path) -> Option<Vec<PathBuf>> {
    let data_dir = support::corpus("l3s-gn1")?;
    let corpus = dataset::open("l3s-gn1", &data_dir).unwrap();
    // A corpus gives its pages sorted by name.
    let write = |number: usize| {
        let path = folder.join(format!("{number}.html"));
        std::fs::write(&path, corpus.read(number).unwrap().html).unwrap();
        path
    };
    Some((0..20).map(write).collect())
}

#[test]
fn twenty_real_pages_pass_the_strict_diagnosis_with_the_default_settings() {
    let place = tempfile::tempdir().unwrap();
    let Some(pages) = pages(place.path()) else { return };
    let run = |arguments: &[&str], files: &[PathBuf]| {
        let mut command = Command::cargo_bin("duramen").unwrap();
        let output = command.current_dir(place.path()).args(arguments).args(files).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = run(&["sample", "-d", "draws"], &pages);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run(&["diagnose", "draws", "--strict"], &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("parameters that move have converged"), "{said}");
}
