//! What a release consists of says the same everywhere: version, address, licence.

use std::path::Path;

use toml::Value;

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn manifest(path: &str) -> Value {
    text(path).parse::<toml::Table>().unwrap_or_else(|error| panic!("{path}: {error}")).into()
}

/// The value of a line `key: value`.
fn cited<'a>(citation: &'a str, key: &str) -> &'a str {
    let mut lines = citation.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    lines.next().unwrap_or_else(|| panic!("CITATION.cff: no {key}"))
}

#[test]
fn versions_are_the_same_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    for path in ["layout-blitz/Cargo.toml", "python/Cargo.toml"] {
        assert_eq!(manifest(path)["package"]["version"].as_str(), Some(version), "{path}");
    }
    let blitz = &manifest("Cargo.toml")["dependencies"]["duramen-layout-blitz"]["version"];
    let duramen = &manifest("python/Cargo.toml")["dependencies"]["duramen"]["version"];
    assert_eq!((blitz.as_str(), duramen.as_str()), (Some(version), Some(version)));
    assert_eq!(cited(&text("CITATION.cff"), "version"), version);
}

#[test]
fn the_address_is_the_same_everywhere() {
    // The members of the workspace inherit it.
    let workspace = &manifest("Cargo.toml")["workspace"]["package"];
    let address = workspace["repository"].as_str().unwrap().to_owned();
    let python = &manifest("python/pyproject.toml")["project"]["urls"];
    for (stated, place) in [
        (workspace["homepage"].as_str(), "Cargo.toml: homepage"),
        (python["Homepage"].as_str(), "python/pyproject.toml: Homepage"),
        (python["Repository"].as_str(), "python/pyproject.toml: Repository"),
        (Some(cited(&text("CITATION.cff"), "repository-code")), "CITATION.cff: repository-code"),
    ] {
        assert_eq!(stated, Some(&*address), "{place}");
    }
    assert!(python["Changelog"].as_str().unwrap().starts_with(&address), "python/pyproject.toml: Changelog");
}

#[test]
fn every_script_of_the_checklist_is_there() {
    let checklist = text("docs/RELEASE.md");
    let named = checklist.split("scripts/").skip(1);
    let scripts: Vec<&str> = named.map(|rest| rest.split(".sh").next().unwrap()).collect();
    assert!(scripts.len() >= 5, "{scripts:?}");
    for script in scripts {
        text(&format!("scripts/{script}.sh"));
    }
}
