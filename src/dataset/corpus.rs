//! A part of a corpus on disk: opening it, reading its pages, its checksum.

use std::path::Path;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::document::{Document, Misfit};
use super::manifest::{BadPage, Manifest, Part};
use super::pairs::{Pairs, ReferenceKind, UnknownHosts};
use super::readers::{CorpusLayout, Entry, Scanned};
use super::resolve::{self, resolve_from};
use crate::convention::Convention;
use crate::dom::digest::hex;
use crate::error::{Error, Remedy, Result, Setting};
use crate::host;
use crate::plural::plural;

/// A part of a corpus on disk; its pages are read one at a time.
#[derive(Debug, Clone)]
pub struct Corpus {
    manifest: Manifest,
    part: Part,
    /// How the part's pages and references are paired.
    pairs: Pairs,
    entries: Vec<Entry>,
    bad: Vec<(Entry, BadPage)>,
    without_reference: Vec<Entry>,
    misfits: Vec<Misfit>,
}

/// Opens a corpus part: by name (`wcxb` for its first part, `wcxb/test`), by a manifest (`my.toml`, `my.toml/test`) or by
/// its folder (`pages`). See [`resolve_from`].
///
/// # Errors
/// [`Error::Data`] for an unknown name or part (with the nearest), data that are not there (with the command that
/// fetches them), a number of pages other than the manifest states, or a folder without a page that can be used (with what
/// was seen there); [`Error::Io`] if a folder cannot be read.
pub fn open(name: &str, data_dir: &Path) -> Result<Corpus> {
    open_from(Path::new(""), name, data_dir)
}

/// As [`open()`]; paths are relative to `base`.
///
/// # Errors
/// As [`open()`].
pub fn open_from(base: &Path, name: &str, data_dir: &Path) -> Result<Corpus> {
    open_part(resolve_from(base, name)?, data_dir, false)
}

/// Opens the pages of a folder, of which none need have a reference: see [`Corpus::read_without_reference`].
///
/// # Errors
/// As [`open()`].
pub fn open_pages(folder: &Path) -> Result<Corpus> {
    open_part(resolve::resolve_folder(folder)?, Path::new(""), true)
}

pub(super) fn open_part(of: (Manifest, Part), data_dir: &Path, any_page: bool) -> Result<Corpus> {
    let home = of.0.home(&of.1, data_dir);
    open_at(of, &home, data_dir, any_page)
}

/// Opens a part whose files lie in or below the folder `home`.
pub(super) fn open_at(
    (manifest, part): (Manifest, Part),
    home: &Path,
    data_dir: &Path,
    any_page: bool,
) -> Result<Corpus> {
    let label = manifest.label(&part);
    let Some((root, pairs)) = manifest.locate(&part, home, data_dir) else {
        return Err(match (&manifest.folder, &manifest.pairs.pages_of) {
            (_, Some(pages)) if home.is_dir() && manifest.pages_elsewhere(data_dir)?.is_none() => {
                not_there(pages, data_dir)
            }
            (None, _) => not_there(&label, data_dir),
            (Some(folder), _) => Error::data(
                &label,
                format!("{} has no folder in the layout that is stated", folder.display()),
                "see datasets/README.md for the layouts",
            ),
        });
    };
    let scanned = manifest.layout.scan(&root, &part.name, &pairs)?;
    let is_pairs = manifest.layout == CorpusLayout::Pairs;
    let usable = scanned.entries.len() + if any_page { scanned.without_reference.len() } else { 0 };
    if is_pairs && usable == 0 {
        return Err(no_usable_page(&root, &scanned, any_page));
    }
    if !is_pairs || part.pages.is_some() {
        check_count(&manifest, &part, scanned.entries.len(), &label)?;
    }
    let listed = manifest.bad_pages(&part.name);
    let (mut entries, mut bad) = (Vec::new(), Vec::new());
    for entry in scanned.entries {
        match listed.iter().find(|page| page.id == entry.id) {
            Some(page) => bad.push((entry, page.clone())),
            None => entries.push(entry),
        }
    }
    let (without_reference, misfits) = (scanned.without_reference, scanned.misfits);
    Ok(Corpus { manifest, part, pairs, entries, bad, without_reference, misfits })
}

/// The error of a folder in the layout pairs without a page that can be used.
fn no_usable_page(root: &Path, scanned: &Scanned, any_page: bool) -> Error {
    let first = scanned.misfits.first();
    let first = first.map_or(String::new(), |misfit| format!("; {}: {}", misfit.name, misfit.reason));
    let what = if any_page { "there is no page" } else { "no page has a reference beside it" };
    let expected = match any_page {
        true => "give pages as files that end in .html, .htm or .xhtml, or in one of these and .gz".into(),
        false => Remedy::from(
            "put what is to be extracted of page.html into page.txt, or the labels of its nodes into page.jsonl, .json or .csv, ",
        )
        .set("as `duramen extract` writes those of nodes", Setting::NodesAsJson)
        .then("; see datasets/README.md"),
    };
    Error::data(root.display(), format!("{what} (seen: {}){first}", scanned.seen), expected)
}

impl Corpus {
    /// What is known of the corpus.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The corpus's name, such as `wcxb`.
    pub fn name(&self) -> &str {
        &self.manifest.name
    }

    /// The part, such as `dev`; `all` where a corpus is not divided.
    pub fn part(&self) -> &str {
        &self.part.name
    }

    /// Whether its pages have references, as far as its manifest says: without, each page's gold is missing.
    pub fn has_references(&self) -> bool {
        self.pairs.read != Some(ReferenceKind::Nothing)
    }

    /// What the references include, and who made them.
    pub fn convention(&self) -> Convention {
        self.manifest.convention(&self.part)
    }

    /// Name and part as commands and results have them: `wcxb/dev`, or `l3s-gn1` where a corpus is not divided.
    pub fn label(&self) -> String {
        self.manifest.label(&self.part)
    }

    /// The number of pages, without the bad ones.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The folder, of a corpus that is not fetched.
    pub fn folder(&self) -> Option<&Path> {
        self.manifest.folder.as_deref()
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The ids of the pages, in the order of [`Corpus::read`]: sorted by their bytes.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.id.as_str())
    }

    /// The pages left out, with the rule that lists each.
    pub fn left_out(&self) -> impl Iterator<Item = &BadPage> {
        self.bad.iter().map(|(_, page)| page)
    }

    /// Files of the folder, or lines of them, that do not fit: a reference without a page, a page of the name of another.
    /// Only the layout pairs tells of them.
    pub fn misfits(&self) -> &[Misfit] {
        &self.misfits
    }

    /// The ids of pages of the layout pairs without a reference, in the order of [`Corpus::read_without_reference`].
    pub fn ids_without_reference(&self) -> impl Iterator<Item = &str> {
        self.without_reference.iter().map(|entry| entry.id.as_str())
    }

    /// Reads page `index`, counted from 0, of those without a reference.
    ///
    /// # Errors
    /// As [`Corpus::read`].
    ///
    /// # Panics
    /// If there are not so many.
    pub fn read_without_reference(&self, index: usize) -> Result<Document> {
        self.document(&self.without_reference[index])
    }

    /// The same corpus with the bad pages among its pages, as published figures often have them.
    pub fn with_bad_pages(mut self) -> Corpus {
        self.entries.extend(self.bad.drain(..).map(|(entry, _)| entry));
        self.entries.sort_by(|a, b| a.id.cmp(&b.id));
        self
    }

    /// Reads page `index`, counted from 0.
    ///
    /// # Errors
    /// If the page or its gold is missing, cut or damaged; other pages are not concerned.
    ///
    /// # Panics
    /// If `index` is not below [`Corpus::len`].
    pub fn read(&self, index: usize) -> Result<Document> {
        self.document(&self.entries[index])
    }

    fn document(&self, entry: &Entry) -> Result<Document> {
        let (layout, pairs) = (self.manifest.layout, &self.pairs);
        let (html, gold) = layout.load(entry)?;
        let content = layout.interpret(entry, html, gold, pairs)?;
        let host = layout.host(entry, &content, &pairs.hosts);
        let host = host.unwrap_or_else(|| match pairs.unknown_hosts {
            UnknownHosts::OneSite => host::UNKNOWN.to_owned(),
            UnknownHosts::SeparateSites => format!("{}:{}", host::UNKNOWN, entry.id),
        });
        let host = self.manifest.same_site.get(&host).cloned().unwrap_or(host);
        Ok(Document {
            id: entry.id.clone(),
            url: content.url,
            site: layout.site(&entry.id, &host),
            host,
            language: entry.facts.language.clone(),
            page_type: content
                .page_type
                .or_else(|| entry.facts.page_type.clone())
                .or_else(|| self.manifest.page_type.clone()),
            html: content.html,
            gold: content.gold,
        })
    }

    /// SHA-256, in hex, over the ids of the pages with the SHA-256 of each page's and gold's bytes (and those of comments
    /// that are kept apart from it): the name of the data that a result was made from. Compression on disk does not change
    /// it.
    ///
    /// # Errors
    /// If a page, gold or comments cannot be read.
    pub fn checksum(&self) -> Result<String> {
        let sums = self.entries.par_iter().map(|entry| {
            let (html, gold) = self.manifest.layout.load(entry)?;
            let gold = gold
                .into_iter()
                .chain(entry.comments()?)
                .fold(None, |hash: Option<Sha256>, bytes| Some(hash.unwrap_or_default().chain_update(bytes)));
            Ok((Sha256::digest(&html), gold.map(Sha256::finalize)))
        });
        let sums = sums.collect::<Result<Vec<_>>>()?;
        Ok(checksum_of_sums(self.ids().zip(sums).map(|(id, (html, gold))| (id, html, gold))))
    }
}

/// The checksum, as [`Corpus::checksum`] has it, of pages given as (id, page, gold).
pub fn checksum_of<'a>(pages: impl Iterator<Item = (&'a str, &'a [u8], Option<&'a [u8]>)>) -> String {
    checksum_of_sums(pages.map(|(id, html, gold)| (id, Sha256::digest(html), gold.map(Sha256::digest))))
}

fn checksum_of_sums<'a, T: AsRef<[u8]>>(pages: impl Iterator<Item = (&'a str, T, Option<T>)>) -> String {
    let mut hash = Sha256::new();
    for (id, html, gold) in pages {
        hash.update((id.len() as u64).to_le_bytes());
        hash.update(id);
        hash.update(html);
        hash.update([u8::from(gold.is_some())]);
        if let Some(gold) = gold {
            hash.update(gold);
        }
    }
    hex(&hash.finalize())
}

/// The error of a corpus that was not fetched.
pub(super) fn not_there(name: &str, data_dir: &Path) -> Error {
    Error::data(name, format!("not in {}", data_dir.display()), format!("run: duramen data fetch {name}"))
}

/// Whether a part has the number of pages that its manifest states, and at least one.
pub(super) fn check_count(manifest: &Manifest, part: &Part, found: usize, subject: &str) -> Result<()> {
    if part.pages.is_some_and(|pages| pages != found) || found == 0 {
        let expected = part.pages.map_or("at least one".to_owned(), |pages| pages.to_string());
        let label = manifest.label(part);
        let problem = format!("{label} has {} there, the manifest states {expected}", plural(found, "page"));
        let remedy = match &manifest.folder {
            None => Remedy::by("fetch the corpus again", Setting::FetchAgain),
            Some(folder) => format!("look into {}, or correct the manifest", folder.display()).into(),
        };
        return Err(Error::data(subject, problem, remedy));
    }
    Ok(())
}
