//! One reader for each layout in which corpora lie on disk.

mod article_extraction_benchmark;
mod article_images;
mod big9;
mod cleaneval;
mod entry;
mod file;
mod l3s;
mod labelled_nodes;
mod markup;
mod page_index;
mod pairs;
mod stated_url;
mod wcxb;

use std::path::{Path, PathBuf};

use serde::Deserialize;

pub(super) use entry::{Content, Entry, GoldSource, Scanned};

use super::document::Gold;
use super::pairs::{HostRule, Pairs};
use crate::error::Result;
use crate::host;

/// How the files of a corpus lie. Pages may be `.html` or `.html.gz` (`.htm` too) in every layout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CorpusLayout {
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
    /// `gold.jsonl` with labels of pictures, `html/SOURCE/ID.html`.
    ArticleImages,
    /// `ID.html` with `ID.txt`, or with labels of nodes in `ID.jsonl`, `ID.json` or `ID.csv`; folders below too, and
    /// pages and references in folders of their own: see [`Pairs`].
    #[default]
    Pairs,
}

impl CorpusLayout {
    /// The name in manifests.
    pub fn name(self) -> &'static str {
        match self {
            CorpusLayout::L3sGn1 => "l3s-gn1",
            CorpusLayout::Wcxb => "wcxb",
            CorpusLayout::CleanEval => "cleaneval",
            CorpusLayout::Big9 => "big9",
            CorpusLayout::ArticleExtractionBenchmark => "article-extraction-benchmark",
            CorpusLayout::ArticleImages => "article-images",
            CorpusLayout::Pairs => "pairs",
        }
    }

    /// The folder in or under `home` where this layout's files of `part` begin; `None` if there is none.
    pub(super) fn locate(self, home: &Path, part: &str, settings: &Pairs) -> Option<PathBuf> {
        if self == CorpusLayout::Pairs {
            return pairs::locate(home, part, settings);
        }
        file::find_folder(home, &|folder| self.is_root(folder, part))
    }

    /// The folder of the pages of a part that begins at `root`.
    pub(super) fn pages(self, root: &Path, settings: &Pairs) -> PathBuf {
        match self {
            CorpusLayout::Pairs => root.join(settings.pages.as_deref().unwrap_or_default()),
            CorpusLayout::L3sGn1 => root.join("original"),
            CorpusLayout::CleanEval => root.join("input"),
            CorpusLayout::Big9 => root.to_owned(),
            CorpusLayout::Wcxb | CorpusLayout::ArticleExtractionBenchmark | CorpusLayout::ArticleImages => {
                root.join("html")
            }
        }
    }

    /// The layout of a bare folder: that whose folders it has, or the only folder in it, else pages and references side by
    /// side. Pages and texts may lie in folders `html` and `text`.
    pub(super) fn recognize(folder: &Path) -> (CorpusLayout, Pairs) {
        let known = [
            CorpusLayout::L3sGn1,
            CorpusLayout::Wcxb,
            CorpusLayout::CleanEval,
            CorpusLayout::Big9,
            CorpusLayout::ArticleExtractionBenchmark,
            CorpusLayout::ArticleImages,
        ];
        let known_of = |folder: &Path| known.into_iter().find(|layout| layout.is_root(folder, "all"));
        if let Some(layout) = known_of(folder).or_else(|| known_of(&only_folder(folder)?)) {
            return (layout, Pairs::default());
        }
        let has = |name: &str| folder.join(name).is_dir();
        let apart = (has("html") && has("text")).then(|| ("html".to_owned(), "text".to_owned()));
        let (pages, references) = apart.unzip();
        (CorpusLayout::Pairs, Pairs { pages, references, ..Pairs::default() })
    }

    /// Whether a part of this layout begins in `folder`.
    fn is_root(self, folder: &Path, part: &str) -> bool {
        let has = |name: &str| folder.join(name).is_dir();
        let is_part = part == "all" || folder.file_name().is_some_and(|name| name == part);
        match self {
            CorpusLayout::L3sGn1 => has("original") && has("annotated"),
            CorpusLayout::Wcxb => is_part && has("html") && has("ground-truth"),
            CorpusLayout::CleanEval => is_part && has("input") && has("GoldStandard"),
            CorpusLayout::Big9 => big9::has_years(folder),
            CorpusLayout::ArticleImages => has("html") && folder.join(article_images::INDEX).is_file(),
            CorpusLayout::ArticleExtractionBenchmark => {
                has("html") && folder.join("ground-truth.json").is_file()
            }
            CorpusLayout::Pairs => is_part,
        }
    }

    /// The pages of `part` under `root`, sorted by id.
    ///
    /// # Errors
    /// If a folder or index of the corpus cannot be read.
    pub(super) fn scan(self, root: &Path, part: &str, settings: &Pairs) -> Result<Scanned> {
        let mut entries = match self {
            CorpusLayout::Pairs => return pairs::scan(root, settings),
            CorpusLayout::L3sGn1 => l3s::scan(root),
            CorpusLayout::Wcxb => wcxb::scan(root),
            CorpusLayout::CleanEval => cleaneval::scan(root),
            CorpusLayout::Big9 => big9::scan(root, part),
            CorpusLayout::ArticleExtractionBenchmark => article_extraction_benchmark::scan(root),
            CorpusLayout::ArticleImages => article_images::scan(root),
        }?;
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(Scanned { entries, ..Scanned::default() })
    }

    /// Reads the bytes of a page and of its gold; a missing gold is `None`.
    ///
    /// # Errors
    /// If a file is missing, cannot be read or is cut.
    pub(super) fn load(self, entry: &Entry) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
        let gold = match &entry.gold {
            GoldSource::File(path) => Some(file::read(path)?),
            GoldSource::Bytes(bytes) => Some(bytes.clone()),
            GoldSource::Nodes(labels) => Some(labels.to_bytes()),
            GoldSource::Missing => None,
        };
        Ok((file::read(&entry.page)?, gold))
    }

    /// The host of a page, by its URL or else by what it states itself; none where it is not known.
    pub(super) fn host(self, entry: &Entry, content: &Content, rule: &HostRule) -> Option<String> {
        let url = content.url.as_deref();
        let named = match self {
            CorpusLayout::Pairs => pairs::host(entry, url, rule),
            CorpusLayout::ArticleImages => Some(article_images::host(entry, url)),
            _ => url.and_then(host::registered_domain),
        };
        match rule {
            HostRule::Address => named.or_else(|| stated_url::stated_host(&content.html)),
            HostRule::Folder | HostRule::Name { .. } => named,
        }
    }

    /// The site of a page: pages that may share a template. It is the host, and of a corpus of several years the host in
    /// one of them, since sites change their templates.
    pub(super) fn site(self, id: &str, host: &str) -> String {
        match self {
            CorpusLayout::Big9 => {
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
    pub(super) fn interpret(
        self,
        entry: &Entry,
        html: Vec<u8>,
        gold: Option<Vec<u8>>,
        settings: &Pairs,
    ) -> Result<Content> {
        let mut content = match self {
            CorpusLayout::Pairs => pairs::interpret(entry, html, gold, settings)?,
            CorpusLayout::L3sGn1 => Content::new(None, html, gold.map_or(Gold::Missing, Gold::Annotated)),
            CorpusLayout::Wcxb => wcxb::interpret(entry, html, gold)?,
            CorpusLayout::CleanEval => cleaneval::interpret(html, gold),
            CorpusLayout::Big9 => big9::interpret(html, gold),
            CorpusLayout::ArticleExtractionBenchmark => {
                article_extraction_benchmark::interpret(entry, html, gold)?
            }
            CorpusLayout::ArticleImages => article_images::interpret(entry, html, gold)?,
        };
        // An index of one's own goes before what a file of labels has from the page.
        let stated = entry.url.clone().filter(|_| self == CorpusLayout::Pairs);
        content.url = stated
            .or(content.url)
            .filter(|url| !url.is_empty())
            .or_else(|| entry.url.clone())
            .or_else(|| stated_url::stated_url(&content.html));
        Ok(content)
    }
}

/// The folder that is alone in a folder.
fn only_folder(folder: &Path) -> Option<PathBuf> {
    let mut entries = std::fs::read_dir(folder).ok()?;
    let only = entries.next()?.ok()?.path();
    (only.is_dir() && entries.next().is_none()).then_some(only)
}
