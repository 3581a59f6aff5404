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
mod config;
mod damage;
mod desk;
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

use crate::error::{Error, Result};
use crate::files::Aside;
pub use config::SynthConfig;
pub use page::SynthPage;
use site::Site;

/// The folder that [`write()`] makes.
pub const TOP_FOLDER: &str = "duramen-synth";

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
    let aside = Aside::within(folder).map_err(|source| Error::io(folder, source))?;
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
