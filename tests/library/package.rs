//! What `cargo package` puts into the package: nothing points out of it, and no model of research-only data is in it.

use std::path::{Component, Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{Event, Parser, Tag};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of the package that are files of the repository, by their path in both.
fn packaged() -> Vec<PathBuf> {
    let mut list = Command::new(env!("CARGO"));
    list.current_dir(root()).args([
        "package",
        "--list",
        "--allow-dirty",
        "--offline",
        "--package",
        "duramen",
    ]);
    let output = list.output().expect("cargo runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let list = String::from_utf8(output.stdout).expect("paths are UTF-8");
    // Cargo writes some files itself.
    list.lines().map(PathBuf::from).filter(|path| root().join(path).is_file()).collect()
}

fn with_extension(extension: &str) -> Vec<(PathBuf, String)> {
    let files = packaged().into_iter().filter(|path| path.extension().is_some_and(|end| end == extension));
    files.map(|path| (path.clone(), std::fs::read_to_string(root().join(&path)).unwrap())).collect()
}

/// Where a relative path in a file leads, by its path in the repository.
fn target(file: &Path, relative: &str) -> PathBuf {
    let mut target = file.parent().unwrap().to_owned();
    for part in Path::new(relative).components() {
        match part {
            Component::ParentDir => assert!(target.pop(), "{}: {relative} leads out", file.display()),
            Component::CurDir => {}
            part => target.push(part),
        }
    }
    target
}

/// The relative links and pictures of a Markdown text, without anchors.
fn links(markdown: &str) -> Vec<String> {
    Parser::new(markdown)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url),
            _ => None,
        })
        .filter(|link| !link.contains("://") && !link.starts_with('#'))
        .map(|link| link.split('#').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn the_links_of_packaged_pages_lead_to_packaged_files() {
    let packaged = packaged();
    let pages = with_extension("md");
    assert!(pages.len() >= 3, "{pages:?}");
    for (page, text) in pages {
        for link in links(&text) {
            let target = target(&page, &link);
            assert!(packaged.contains(&target), "{}: {link} is not in the package", page.display());
        }
    }
}

#[test]
fn the_links_of_the_readme_lead_to_files_of_the_repository() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let links = links(&text);
    assert!(!links.is_empty());
    for link in links {
        assert!(root().join(&link).exists(), "README.md: {link} is not there");
    }
}

#[test]
fn every_target_is_in_the_package() {
    // Cargo warns of one that is not.
    let packaged = packaged();
    let metadata = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .output()
        .expect("cargo runs this test");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let targets = packages.iter().find(|package| package["name"] == "duramen").unwrap()["targets"].as_array();
    let sources = targets.unwrap().iter().map(|target| Path::new(target["src_path"].as_str().unwrap()));
    let missing: Vec<&Path> = sources
        .map(|path| path.strip_prefix(root()).unwrap())
        .filter(|path| !packaged.contains(&path.to_path_buf()))
        .collect();
    assert!(missing.is_empty(), "`include` in Cargo.toml leaves out {missing:?}");
}

#[test]
fn what_packaged_sources_include_is_in_the_package() {
    let packaged = packaged();
    let mut included = 0;
    // Of the library and the program: tests run in the repository alone.
    for (file, text) in with_extension("rs").into_iter().filter(|(file, _)| file.starts_with("src")) {
        for after in text.split("include_str!(\"").chain(text.split("include_bytes!(\"")).skip(1) {
            let Some((path, _)) = after.split_once("\")") else { continue };
            if path.contains(char::is_whitespace) {
                continue;
            }
            let target = target(&file, path);
            assert!(packaged.contains(&target), "{}: {path} is not in the package", file.display());
            included += 1;
        }
    }
    assert!(included > 10, "{included}");
}

#[test]
fn models_of_research_only_data_are_not_in_the_package() {
    let mut models: Vec<PathBuf> = packaged().into_iter().filter(|path| path.starts_with("models")).collect();
    models.sort();
    assert_eq!(
        models,
        ["models/faults/web.json", "models/images/web.json", "models/web-blocks.packed", "models/web.packed"]
            .map(Path::new)
    );
}
