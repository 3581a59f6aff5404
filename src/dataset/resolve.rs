//! `resolve`, from what a person names a corpus to its manifest: a name, a manifest file or a folder.

use std::path::Path;

use super::manifest::{Manifest, Part};
use super::readers::CorpusLayout;
use crate::convention::Convention;
use crate::error::{Error, Result, did_you_mean, nearest};

/// The manifest and part meant by the name of a corpus (`wcxb`, `wcxb/test`), by a manifest file (`my.toml`, `my.toml/test`)
/// or by a folder of pages (`pages`). A name goes before a folder of the same name; `./wcxb` is the folder.
///
/// Paths are relative to `base`: empty for the current folder, or that of an experiment.
///
/// # Errors
/// [`Error::Data`] for what is none of the three (with the nearest name), an unknown part, or a faulty manifest.
pub fn resolve_from(base: &Path, name: &str) -> Result<(Manifest, Part)> {
    let first = name.split('/').next().unwrap_or_default();
    if Manifest::names().any(|known| known == first) {
        let part = name.split_once('/').map(|(_, part)| part);
        return with_part(Manifest::find(first)?, part);
    }
    let (path, part) = match name.rsplit_once(".toml/") {
        Some((manifest, part)) => (base.join(format!("{manifest}.toml")), Some(part)),
        None => (base.join(name), None),
    };
    if path.is_dir() {
        return resolve_folder(&path);
    }
    match path.extension() {
        Some(ending) if ending == "toml" && path.is_file() => with_part(Manifest::read(&path)?, part),
        _ if path.is_file() => Err(Error::data(
            path.display(),
            "is a file and no manifest",
            "give a folder of pages, or a manifest (NAME.toml); see datasets/README.md",
        )),
        _ => Err(unknown(&path, name)),
    }
}

/// The manifest and part of a bare folder, never a corpus of that name.
///
/// # Errors
/// [`Error::Data`] if it is no folder, with the nearest that is there.
pub(super) fn resolve_folder(folder: &Path) -> Result<(Manifest, Part)> {
    if !folder.is_dir() {
        let remedy = near(folder).unwrap_or_else(|| "name a folder that holds pages".to_owned());
        return Err(Error::data(folder.display(), "there is no such folder", remedy));
    }
    let (layout, pairs) = CorpusLayout::recognize(folder);
    with_part(Manifest::from_folder(folder, layout, pairs), None)
}

/// As [`resolve_from`], relative to the current folder.
///
/// # Errors
/// As [`resolve_from`].
pub fn resolve(name: &str) -> Result<(Manifest, Part)> {
    resolve_from(Path::new(""), name)
}

/// What references include by the name of a convention: `article` and `everything`, or that of a corpus, which is named as for
/// [`resolve`].
///
/// # Errors
/// [`Error::Usage`] for a name that nothing has; those of a faulty manifest.
///
/// # Examples
/// ```
/// use duramen::convention::Inclusion;
/// use duramen::dataset::resolve_convention;
/// assert_eq!(resolve_convention("article")?.comments, Some(Inclusion::Out));
/// assert_eq!(resolve_convention("cleaneval/final")?.comments, Some(Inclusion::In));
/// assert!(resolve_convention("articel").unwrap_err().to_string().contains("'article'"));
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn resolve_convention(name: &str) -> Result<Convention> {
    if let Ok(convention) = name.parse() {
        return Ok(convention);
    }
    match resolve(name) {
        Ok((manifest, part)) => Ok(manifest.convention(&part)),
        Err(Error::Data { problem, .. }) if problem == UNKNOWN => {
            let names = ["article", "everything"].into_iter().chain(Manifest::names());
            Err(Error::usage(format!("no convention is called '{name}'"), did_you_mean(name, names)))
        }
        Err(error) => Err(error),
    }
}

/// Parameters of an extractor, whose `convention` may be a corpus's: in its place stands what that corpus states, since no
/// extractor knows the corpora.
///
/// # Errors
/// As [`resolve_convention`].
///
/// # Examples
/// ```
/// let parameters = duramen::dataset::state_convention("convention = 'l3s-gn1'\nbeta = 2".parse()?)?;
/// assert!(parameters["convention"].as_str().is_some_and(|stated| stated.starts_with("headline in")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn state_convention(mut parameters: toml::Table) -> Result<toml::Table> {
    if let Some(toml::Value::String(name)) = parameters.get_mut("convention")
        && name.parse::<Convention>().is_err()
    {
        *name = resolve_convention(name)?.to_string();
    }
    Ok(parameters)
}

fn with_part(manifest: Manifest, part: Option<&str>) -> Result<(Manifest, Part)> {
    let part = manifest.part(part)?.clone();
    Ok((manifest, part))
}

/// What is wrong with a name that nothing has.
const UNKNOWN: &str = "no corpus, folder or manifest has this name";

/// The error of what is neither a name nor there, with the nearest name or the nearest that stands in its place.
fn unknown(path: &Path, name: &str) -> Error {
    let first = name.split('/').next().unwrap_or_default();
    let remedy = match nearest(first, Manifest::names()) {
        Some(known) => format!("did you mean '{known}'?"),
        None => near(path).unwrap_or_else(|| did_you_mean(first, Manifest::names())),
    };
    Error::data(name, UNKNOWN, remedy)
}

/// Asks whether the folder or manifest beside `path` was meant whose name is nearest to it.
fn near(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let there = entries
        .filter(|entry| entry.path().is_dir() || entry.path().extension().is_some_and(|e| e == "toml"));
    let mut there: Vec<String> = there.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    there.sort();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let near = nearest(&wanted, there.iter().map(String::as_str))?;
    Some(format!("did you mean '{}'?", path.with_file_name(near).display()))
}
