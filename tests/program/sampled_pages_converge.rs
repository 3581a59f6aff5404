//! Chains over real pages agree: what `duramen sample` draws by default passes `duramen diagnose --strict`.

use std::path::PathBuf;

use assert_cmd::Command;

use crate::support;

/// The first twenty pages of L3S-GN1 by name, which are of many sites.
fn pages() -> Option<Vec<PathBuf>> {
    let folder = support::corpus("l3s-gn1")?.join("l3s-gn1/L3S-GN1-20100130203947-00001/original");
    let mut pages: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages.truncate(20);
    assert_eq!(pages.len(), 20);
    Some(pages)
}

#[test]
fn twenty_real_pages_pass_the_strict_diagnosis_with_the_default_settings() {
    let Some(pages) = pages() else { return };
    let place = tempfile::tempdir().unwrap();
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
