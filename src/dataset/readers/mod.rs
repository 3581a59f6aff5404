//! One reader for each layout in which corpora lie on disk.

mod article_extraction_benchmark;
mod big9;
mod cleaneval;
mod file;
mod l3s;
mod markup;
mod stated_url;
mod wcxb;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Gold;
use crate::error::Result;

/// How the files of a corpus lie. Pages may be `.html` or `.html.gz` (`.htm` too) in every layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// `original/ID.html`, `annotated/ID.html`, `url-mapping.txt`.
    L3sGn1,
    /// `PART/html/ID.html`, `PART/ground-truth/ID.json`.
    Wcxb,
    /// `PART/input/ID.html`, `PART/GoldStandard/ID.txt`; pages wrapped in a `text` element.
    #[serde(rename = "cleaneval")]
    CleanEval,
    /// `big5-YY/html/NAME.htm`, `big5-YY/gold/NAME.txt`.
    Big9,
    /// `html/ID.html.gz`, `ground-truth.json`.
    ArticleExtractionBenchmark,
}

/// A page of a corpus before it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: String,
    pub page: PathBuf,
    pub gold: GoldSource,
    /// The URL, where an index of the corpus gives it.
    pub url: Option<String>,
}

/// Where the gold of a page is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GoldSource {
    File(PathBuf),
    Bytes(Vec<u8>),
    Missing,
}

/// What a reader makes of a page's bytes.
pub(super) struct Content {
    pub url: Option<String>,
    pub html: Vec<u8>,
    pub gold: Gold,
}

impl Layout {
    /// The folder in or under `home` where this layout's files of `part` begin; `None` if there is none.
    pub(super) fn locate(self, home: &Path, part: &str) -> Option<PathBuf> {
        let is_root = |folder: &Path| {
            let has = |name: &str| folder.join(name).is_dir();
            let is_part = part == "all" || folder.file_name().is_some_and(|name| name == part);
            match self {
                Layout::L3sGn1 => has("original") && has("annotated"),
                Layout::Wcxb => is_part && has("html") && has("ground-truth"),
                Layout::CleanEval => is_part && has("input") && has("GoldStandard"),
                Layout::Big9 => big9::has_years(folder),
                Layout::ArticleExtractionBenchmark => {
                    has("html") && folder.join("ground-truth.json").is_file()
                }
            }
        };
        file::find_folder(home, &is_root)
    }

    /// The pages of `part` under `root`, sorted by id.
    ///
    /// # Errors
    /// If a folder or index of the corpus cannot be read.
    pub(super) fn scan(self, root: &Path, part: &str) -> Result<Vec<Entry>> {
        let mut entries = match self {
            Layout::L3sGn1 => l3s::scan(root),
            Layout::Wcxb => wcxb::scan(root),
            Layout::CleanEval => cleaneval::scan(root),
            Layout::Big9 => big9::scan(root, part),
            Layout::ArticleExtractionBenchmark => article_extraction_benchmark::scan(root),
        }?;
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(entries)
    }

    /// Reads the bytes of a page and of its gold; a missing gold is `None`.
    ///
    /// # Errors
    /// If a file is missing, cannot be read or is cut.
    pub(super) fn load(self, entry: &Entry) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
        let gold = match &entry.gold {
            GoldSource::File(path) => Some(file::read(path)?),
            GoldSource::Bytes(bytes) => Some(bytes.clone()),
            GoldSource::Missing => None,
        };
        Ok((file::read(&entry.page)?, gold))
    }

    /// The site of a page: pages that may share a template. It is the host, and of a corpus of several years the host in
    /// one of them, since sites change their templates.
    pub(super) fn site(self, id: &str, host: &str) -> String {
        match self {
            Layout::Big9 => {
                let year = id.split('-').next().unwrap_or_default();
                format!("{host} {year}")
            }
            _ => host.to_owned(),
        }
    }

    /// Makes sense of the bytes of a page and its gold. A URL that the corpus does not give is the page's own.
    ///
    /// # Errors
    /// If the gold is not in the layout's form.
    pub(super) fn interpret(self, entry: &Entry, html: Vec<u8>, gold: Option<Vec<u8>>) -> Result<Content> {
        let mut content = match self {
            Layout::L3sGn1 => Content { url: None, html, gold: gold.map_or(Gold::Missing, Gold::Annotated) },
            Layout::Wcxb => wcxb::interpret(entry, html, gold)?,
            Layout::CleanEval => cleaneval::interpret(html, gold),
            Layout::Big9 => big9::interpret(html, gold),
            Layout::ArticleExtractionBenchmark => article_extraction_benchmark::interpret(entry, html, gold)?,
        };
        content.url = content
            .url
            .filter(|url| !url.is_empty())
            .or_else(|| entry.url.clone())
            .or_else(|| stated_url::stated_url(&content.html));
        Ok(content)
    }
}
