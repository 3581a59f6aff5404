//! A corpus of our own: a grammar of pages that writes sites in the layout of L3S-GN1 with known labels.
//!
//! Every word comes from small lists and syllables in `words`, so the pages may be published. They are like
//! the real ones in what matters to an extractor: long boilerplate (contracts, teasers, what a site says of itself),
//! short content (quotations, subheads, captions), navigation that differs by site, broken markup, several
//! languages and encodings, some of them not declared.
//!
//! Sites are drawn in this order: layout (tables, divisions, HTML5, content management, grid, weblog, forum take
//! turns), language (English 40 %, German 14, French 11, Spanish 11, Swedish 10, Russian 7, Greek 4, Japanese 3),
//! encoding by language, then the site's names, fixed texts and habits. A page of a site draws its topic, length,
//! parts and faults.
//!
//! What it leaves out: annotations that lost characters to `?`, bytes that are invalid in the encoding they declare,
//! and unclosed tables, whose text a parser moves. So both files of a page hold the same visible words in the same
//! order.

mod annotated;
mod article;
mod boilerplate;
mod charset;
mod comments;
mod damage;
mod escape;
mod language;
mod layout;
mod naming;
mod original;
mod page;
mod piece;
mod site;
mod speech;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::label::Label;
use site::Site;

/// The folder that [`write()`] makes.
pub const TOP_FOLDER: &str = "duramen-synth";

/// How large a corpus is and how faulty.
///
/// | field | range | default |
/// |---|---|---|
/// | `sites` | 1 to 100,000 | 40 |
/// | `pages_per_site` | 1 to 100,000 | 5 |
/// | `seed` | any | 0 |
/// | `sites` x `pages_per_site` | at most 100,000 (a page takes some 30 KB) | 200 |
/// | `broken_share` | 0 to 1 | 0.25 |
/// | `open_title_share` | 0 to 1 | 0.01 |
/// | `misdeclared_share` | 0 to 1 | 0.2 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SynthConfig {
    /// Number of sites, each with a host, a layout and a language of its own.
    pub sites: usize,
    /// Number of pages of each site.
    pub pages_per_site: usize,
    /// The seed; the same one gives the same bytes on every machine.
    pub seed: u64,
    /// Probability that a page has broken markup: missing or misplaced end tags, no `html`, `head` and `body`.
    pub broken_share: f64,
    /// Probability that a page never closes its `<title>` (7 of 621 pages of L3S-GN1 do not).
    pub open_title_share: f64,
    /// Probability that a site declares another encoding than it uses, or none (L3S-GN1: 119 of 621 pages).
    pub misdeclared_share: f64,
}

impl Default for SynthConfig {
    fn default() -> Self {
        SynthConfig {
            sites: 40,
            pages_per_site: 5,
            seed: 0,
            broken_share: 0.25,
            open_title_share: 0.01,
            misdeclared_share: 0.2,
        }
    }
}

impl SynthConfig {
    /// Checks every field against its range.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the first field out of its range.
    pub fn validate(&self) -> Result<()> {
        for (name, value) in [("sites", self.sites), ("pages_per_site", self.pages_per_site)] {
            if !(1..=100_000).contains(&value) {
                return Err(Error::usage(format!("{name} is {value}"), "write a number from 1 to 100000"));
            }
        }
        let pages = self.sites * self.pages_per_site;
        if pages > 100_000 {
            return Err(Error::usage(
                format!("sites x pages_per_site is {pages}"),
                "ask for at most 100000 pages, and write more with other seeds",
            ));
        }
        for (name, value) in [
            ("broken_share", self.broken_share),
            ("open_title_share", self.open_title_share),
            ("misdeclared_share", self.misdeclared_share),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::usage(format!("{name} is {value}"), "write a share from 0 to 1"));
            }
        }
        Ok(())
    }
}

/// A generated page with its annotation and the truth about it.
#[derive(Debug, Clone, PartialEq)]
pub struct SynthPage {
    /// A random identifier in the form of a UUID; the page's file name without `.html`.
    pub id: String,
    /// The page's address, on a host under `.example`.
    pub url: String,
    /// The number of its site, from 0.
    pub site: u64,
    /// Its language, as an ISO 639-1 code.
    pub language: &'static str,
    /// The encoding of `original`, by its WHATWG label; `utf-16` has a byte order mark.
    pub encoding: &'static str,
    /// Whether `original` declares no encoding or another one.
    pub misdeclared: bool,
    /// Whether its markup is broken, the title included.
    pub broken: bool,
    /// The page as a server would send it.
    pub original: Vec<u8>,
    /// The page as an assessor's browser would save it, in UTF-8, with spans of class `x-nc-selN`.
    pub annotated: Vec<u8>,
    /// The visible texts of the body in document order, each with its type.
    pub gold: Vec<(Label, String)>,
}

/// The pages of a corpus, site by site.
///
/// A page depends on the seed, the shares, its site's number and its own number: more sites or pages leave it as
/// it is.
///
/// # Errors
/// [`Error::Usage`] if a field of the configuration is out of its range.
///
/// # Examples
/// ```
/// use duramen::dataset::synth::{SynthConfig, generate};
/// let pages = generate(&SynthConfig { sites: 3, pages_per_site: 2, ..SynthConfig::default() })?;
/// assert_eq!(pages.len(), 6);
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn generate(config: &SynthConfig) -> Result<Vec<SynthPage>> {
    config.validate()?;
    let mut pages = Vec::with_capacity(config.sites * config.pages_per_site);
    for site_number in 0..config.sites as u64 {
        let site = Site::new(config, site_number);
        for number in 0..config.pages_per_site as u64 {
            pages.push(page::generate(config, &site, site_number, number));
        }
    }
    Ok(pages)
}

/// Writes the pages to `folder/duramen-synth` in the layout of L3S-GN1: `original/ID.html`, `annotated/ID.html`
/// and `url-mapping.txt`, and returns that folder.
///
/// The files are written aside and renamed, so that the folder is there whole or not at all.
///
/// # Errors
/// [`Error::Data`] if the folder exists, [`Error::Io`] if a file cannot be written.
pub fn write(pages: &[SynthPage], folder: &Path) -> Result<PathBuf> {
    let top = folder.join(TOP_FOLDER);
    if top.exists() {
        return Err(Error::data(top.display(), "it exists already", "remove it or name another folder"));
    }
    fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
    let aside = tempfile::Builder::new()
        .prefix(".duramen-synth-")
        .tempdir_in(folder)
        .map_err(|source| Error::io(folder, source))?;
    let unfinished = aside.path().join(TOP_FOLDER);
    let mut mapping = String::new();
    for kind in ["original", "annotated"] {
        let path = unfinished.join(kind);
        fs::create_dir_all(&path).map_err(|source| Error::io(&path, source))?;
    }
    for page in pages {
        for (kind, bytes) in [("original", &page.original), ("annotated", &page.annotated)] {
            let path = unfinished.join(kind).join(format!("{}.html", page.id));
            fs::write(&path, bytes).map_err(|source| Error::io(&path, source))?;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(mapping, "<urn:uuid:{}>\t{}", page.id, page.url);
    }
    let path = unfinished.join("url-mapping.txt");
    fs::write(&path, mapping).map_err(|source| Error::io(&path, source))?;
    fs::rename(&unfinished, &top).map_err(|source| Error::io(&top, source))?;
    Ok(top)
}
