//! Pairs: each page with its reference text, or the labels of its nodes, in a file of the same name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::entry::{Content, Entry, Facts, GoldSource, Scanned};
use super::labelled_nodes;
use super::{file, page_index};
use crate::dataset::document::LabelledNodes;
use crate::dataset::pairs::{HostRule, Pairs, ReferenceKind, TitlePlace};
use crate::dataset::{Gold, Misfit, TextGold, pairs};
use crate::error::{Error, Result};

/// The endings of pages.
const PAGES: [&str; 3] = ["html", "htm", "xhtml"];
/// The endings of labels.
const LABELS: [&str; 3] = ["jsonl", "json", "csv"];
/// Names of files of labels for all pages, and of indexes, that a bare folder may have.
const COMMON_LABELS: [&str; 3] = ["labels.jsonl", "labels.json", "labels.csv"];
const COMMON_INDEX: [&str; 2] = ["urls.csv", "pages.jsonl"];
/// What `duramen extract --output-dir` writes besides.
const STATUSES: &str = "pages.csv";

/// The folder where a part begins: `home` itself, or with `pairs.pages` the nearest that has those folders.
pub(super) fn locate(home: &Path, part: &str, settings: &Pairs) -> Option<PathBuf> {
    let is_part = |folder: &Path| part == "all" || folder.file_name().is_some_and(|name| name == part);
    let has =
        |folder: &Path, name: &Option<String>| name.as_ref().is_none_or(|name| folder.join(name).is_dir());
    match (&settings.pages, part) {
        (None, "all") => Some(home.to_owned()).filter(|home| home.is_dir()),
        (None, _) => file::find_folder(home, &is_part),
        (Some(_), _) => file::find_folder(home, &|folder| {
            is_part(folder) && has(folder, &settings.pages) && has(folder, &settings.references)
        }),
    }
}

/// A file by its path below a folder, and that path.
struct Found {
    name: String,
    path: PathBuf,
}

impl Found {
    /// The name without its ending, and the ending in lower case without `.gz`.
    fn split(&self) -> (&str, String) {
        let plain = self.name.strip_suffix(".gz").unwrap_or(&self.name);
        let stem = plain.rsplit_once('.').filter(|(stem, _)| !stem.is_empty() && !stem.ends_with('/'));
        stem.map_or((plain, String::new()), |(stem, ending)| (stem, ending.to_lowercase()))
    }

    fn is_page(&self) -> bool {
        PAGES.contains(&self.split().1.as_str())
    }

    fn kind(&self) -> Option<ReferenceKind> {
        match self.split().1.as_str() {
            "txt" => Some(ReferenceKind::Texts),
            ending if LABELS.contains(&ending) => Some(ReferenceKind::Labels),
            _ => None,
        }
    }

    /// Whether it is about the folder and of no page.
    fn is_remark(&self) -> bool {
        let name = self.name.rsplit('/').next().unwrap_or_default().to_uppercase();
        ["README", "LICENSE", "LICENCE"].iter().any(|word| name.starts_with(word)) || self.name == STATUSES
    }
}

/// The pages under a part's folder, and all that does not fit.
pub(super) fn scan(root: &Path, settings: &Pairs) -> Result<Scanned> {
    let below = |name: &Option<String>| name.as_ref().map_or(root.to_owned(), |name| root.join(name));
    let mut misfits = Vec::new();
    let files = walk(&below(&settings.pages), &mut misfits)?;
    let is_beside = settings.references.is_none();
    let labels_file = stated_or_common(root, &settings.labels, &COMMON_LABELS, &files)?;
    let index_file = stated_or_common(root, &settings.index, &COMMON_INDEX, &files)?;
    let is_common =
        |file: &Found| [&labels_file, &index_file].into_iter().flatten().any(|path| *path == file.path);

    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut pages: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in &files {
        *seen.entry(file.split().1).or_default() += 1;
        if !file.is_page() {
            continue;
        }
        let id = file.split().0.to_owned();
        if let Some(first) = pages.get(&id) {
            let reason = format!("a second page of the name '{id}', the first is {}", first.display());
            misfits.push(Misfit { name: file.name.clone(), reason });
        } else {
            pages.insert(id, file.path.clone());
        }
    }
    let others = if is_beside { files } else { walk(&below(&settings.references), &mut misfits)? };
    let mut references: BTreeMap<String, Vec<GoldSource>> = BTreeMap::new();
    for file in others.iter().filter(|file| !is_common(file) && !file.is_remark()) {
        let Some(kind) = file.kind() else { continue };
        let id = file.split().0;
        if !pages.contains_key(id) {
            let reason = format!("there is no page {id}.html for it");
            misfits.push(Misfit { name: file.name.clone(), reason });
        } else if settings.read.is_none_or(|read| read == kind) {
            references.entry(id.to_owned()).or_default().push(GoldSource::File(file.path.clone()));
        }
    }
    let mut comments = BTreeMap::new();
    if let Some(name) = &settings.comments {
        for file in walk(&root.join(name), &mut misfits)? {
            let id = file.split().0.to_owned();
            match pages.contains_key(&id) {
                true => drop(comments.insert(id, file.path)),
                false => {
                    let reason = format!("there is no page {id}.html for these comments");
                    misfits.push(Misfit { name: format!("{name}/{}", file.name), reason });
                }
            }
        }
    }
    if let Some(path) = &labels_file {
        common_labels(path, &pages, &mut references, &mut misfits)?;
    }
    let mut facts =
        index_file.as_ref().map(|path| index(path, &pages, &mut misfits)).transpose()?.unwrap_or_default();

    let mut scanned = Scanned { misfits, seen: summary(&seen), ..Scanned::default() };
    for (id, page) in pages {
        let (url, facts) = facts.remove(&id).unwrap_or_default();
        let mut sources = references.remove(&id).unwrap_or_default();
        let comments = comments.remove(&id);
        let entry = |gold| Entry { id: id.clone(), page: page.clone(), gold, url, facts, comments };
        match (sources.pop(), sources.len()) {
            (None, _) if settings.read == Some(ReferenceKind::Nothing) => {
                scanned.entries.push(entry(GoldSource::Missing));
            }
            // The other pages of the corpus that they come from.
            (None, _) if settings.pages_of.is_some() => {}
            (None, _) => scanned.without_reference.push(entry(GoldSource::Missing)),
            (Some(source), 0) => scanned.entries.push(entry(source)),
            (Some(last), _) => {
                let names: Vec<String> = sources.iter().chain([&last]).map(GoldSource::name).collect();
                let reason = format!(
                    "has more than one reference, {}: remove all but one, or state read = \"texts\" or \"labels\" in \
                     a manifest",
                    names.join(" and ")
                );
                scanned.misfits.push(Misfit { name: id, reason });
            }
        }
    }
    Ok(scanned)
}

/// What was seen in a folder, by ending: `12 .html, 3 .md`.
fn summary(seen: &BTreeMap<String, usize>) -> String {
    let one = |(ending, n): (&String, &usize)| match ending.as_str() {
        "" => format!("{n} without ending"),
        ending => format!("{n} .{ending}"),
    };
    let all: Vec<String> = seen.iter().map(one).collect();
    if all.is_empty() { "no file".to_owned() } else { all.join(", ") }
}

/// The files of a folder and the folders below, sorted by name; hidden ones are left out, links to folders are not
/// followed.
fn walk(folder: &Path, misfits: &mut Vec<Misfit>) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    let mut pending = vec![(folder.to_owned(), String::new())];
    while let Some((current, prefix)) = pending.pop() {
        for entry in std::fs::read_dir(&current).map_err(|error| Error::io(&current, error))? {
            let entry = entry.map_err(|error| Error::io(&current, error))?;
            let Some(name) = entry.file_name().to_str().map(|name| format!("{prefix}{name}")) else {
                let name = entry.path().display().to_string();
                misfits.push(Misfit { name, reason: "its name is not UTF-8".to_owned() });
                continue;
            };
            if name[prefix.len()..].starts_with('.') {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => pending.push((entry.path(), format!("{name}/"))),
                _ => found.push(Found { name, path: entry.path() }),
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The file that a manifest states, which must be there; or of a bare folder the first of the common names.
fn stated_or_common(
    root: &Path,
    stated: &Option<String>,
    common: &[&str],
    files: &[Found],
) -> Result<Option<PathBuf>> {
    let Some(name) = stated else {
        // A page of that name has it for its own.
        let is_of_page = |name: &str| {
            let stem = name.split('.').next();
            files.iter().any(|file| file.is_page() && Some(file.split().0) == stem)
        };
        let mut there = common.iter().filter(|name| !is_of_page(name)).map(|name| root.join(name));
        return Ok(there.find(|path| path.is_file()));
    };
    let path = root.join(name);
    match path.is_file() {
        true => Ok(Some(path)),
        false => {
            Err(Error::data(path.display(), "there is no such file", "the manifest names it under [pairs]"))
        }
    }
}

/// The page's name without the ending of a page.
fn without_ending(name: &str) -> String {
    let name = name.replace('\\', "/");
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let stem = plain.rsplit_once('.').filter(|(_, ending)| PAGES.contains(&ending.to_lowercase().as_str()));
    stem.map_or(plain, |(stem, _)| stem).to_owned()
}

/// Divides a file of labels for all pages. A page is named by its path as `extract` was given it, which may begin with
/// folders above that of the corpus.
fn common_labels(
    path: &Path,
    pages: &BTreeMap<String, PathBuf>,
    references: &mut BTreeMap<String, Vec<GoldSource>>,
    misfits: &mut Vec<Misfit>,
) -> Result<()> {
    for (name, labels) in labelled_nodes::read(path, &file::read(path)?) {
        let whole = without_ending(&name);
        let shorter = whole.match_indices('/').map(|(at, _)| &whole[at + 1..]);
        let id = std::iter::once(whole.as_str()).chain(shorter).find(|id| pages.contains_key(*id));
        match id {
            Some(id) => references.entry(id.to_owned()).or_default().push(GoldSource::Nodes(labels)),
            None if name.is_empty() => {
                let unnamed = labels.nodes.first().map(|node| {
                    format!("{}, line {}: no page is named; add the field id", labels.file, node.line)
                });
                let reasons = labels.problems.into_iter().chain(unnamed);
                misfits.extend(reasons.map(|reason| Misfit { name: labels.file.clone(), reason }));
            }
            None => {
                let line = labels.nodes.first().map_or(String::new(), |node| format!(", line {}", node.line));
                let reason = format!("there is no page '{name}'");
                misfits.push(Misfit { name: format!("{}{line}", labels.file), reason });
            }
        }
    }
    Ok(())
}

/// What an index says of the pages.
fn index(
    path: &Path,
    pages: &BTreeMap<String, PathBuf>,
    misfits: &mut Vec<Misfit>,
) -> Result<BTreeMap<String, (Option<String>, Facts)>> {
    let mut known = BTreeMap::new();
    for line in page_index::read(path)? {
        let id = without_ending(&line.id);
        let at = format!("{}, line {}", path.file_name().unwrap_or_default().to_string_lossy(), line.number);
        if !pages.contains_key(&id) {
            misfits.push(Misfit { name: at, reason: format!("there is no page '{}'", line.id) });
        } else if known.insert(id, (line.url, line.facts)).is_some() {
            misfits.push(Misfit { name: at, reason: format!("a second line for '{}'", line.id) });
        }
    }
    Ok(known)
}

/// The page with its text or its labels.
///
/// # Errors
/// If the file of its comments cannot be read.
pub(super) fn interpret(
    entry: &Entry,
    html: Vec<u8>,
    gold: Option<Vec<u8>>,
    settings: &Pairs,
) -> Result<Content> {
    let Facts { title, author, date, is_title_apart, seems_title_apart, .. } = entry.facts.clone();
    let stated = is_title_apart.or(settings.title.map(|title| title == TitlePlace::Apart));
    let mut labels = match (&entry.gold, gold) {
        (GoldSource::Nodes(labels), _) => labels.clone(),
        (GoldSource::File(path), Some(bytes)) if !is_text(path) => labels_of_page(path, &bytes),
        (_, None) => return Ok(Content::new(None, html, Gold::Missing)),
        (_, Some(bytes)) => {
            let text = TextGold {
                text: file::decode(&bytes),
                title,
                is_title_apart: stated.or(seems_title_apart).unwrap_or(false),
                author,
                date,
                comments: entry.comments()?.map(|bytes| file::decode(&bytes)),
                ..TextGold::default()
            };
            return Ok(Content::new(None, html, Gold::Text(text)));
        }
    };
    labels.unlabelled = settings.unlabelled;
    Ok(Content::new(labels.url.clone(), html, Gold::Nodes(labels)))
}

fn is_text(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    name.trim_end_matches(".gz").ends_with(".txt")
}

/// The labels in the file of one page, whatever it calls that.
fn labels_of_page(path: &Path, bytes: &[u8]) -> LabelledNodes {
    let pages = labelled_nodes::read(path, bytes);
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let named: Vec<String> = pages.keys().filter(|name| !name.is_empty()).cloned().collect();
    let mut all = LabelledNodes { file: file.clone(), ..LabelledNodes::default() };
    if named.len() > 1 {
        let problem = format!("{file}: labels of several pages, {}, beside one", named.join(" and "));
        all.problems.push(problem);
    }
    for page in pages.into_values() {
        all.nodes.extend(page.nodes);
        all.problems.extend(page.problems);
        all.url = all.url.or(page.url);
    }
    if all.nodes.is_empty() && all.problems.is_empty() {
        all.problems.push(format!("{file}: no label in it"));
    }
    all
}

/// The host of a page: see [`HostRule`]. `url` is the page's address by whatever tells it.
pub(super) fn host(entry: &Entry, url: Option<&str>, rule: &HostRule) -> Option<String> {
    if *rule != HostRule::Address {
        return rule.host_in(&entry.id);
    }
    let of_url = |url: &str| crate::host::registered_domain(url);
    let stated = entry.url.as_deref().and_then(of_url);
    stated
        .or_else(|| entry.facts.host.as_deref().map(pairs::host_of_name))
        .or_else(|| url.and_then(of_url))
        .or_else(|| rule.host_in(&entry.id))
}
