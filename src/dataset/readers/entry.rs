//! A page of a corpus before and after it is read.

use std::path::PathBuf;

use super::file;
use crate::dataset::document::{Gold, LabelledNodes, Misfit};
use crate::error::Result;

/// A page of a corpus before it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub id: String,
    pub page: PathBuf,
    pub gold: GoldSource,
    /// The URL, where an index of the corpus gives it.
    pub url: Option<String>,
    /// What else an index says of it.
    pub facts: Facts,
    /// The file of readers' comments, where the corpus keeps them apart.
    pub comments: Option<PathBuf>,
}

impl Entry {
    /// The bytes of the file of readers' comments, if there is one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn comments(&self) -> Result<Option<Vec<u8>>> {
        self.comments.as_deref().map(file::read).transpose()
    }
}

/// What the index of a corpus says of a page, besides its URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub host: Option<String>,
    pub title: Option<String>,
    pub author: Option<String>,
    pub date: Option<String>,
    pub language: Option<String>,
    pub page_type: Option<String>,
    /// What is stated of the headline's place.
    pub is_title_apart: Option<bool>,
    /// What somebody measured of it, by looking for the page's title in the reference text.
    pub seems_title_apart: Option<bool>,
}

/// What was found in a corpus's folder.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scanned {
    /// The pages, sorted by id.
    pub entries: Vec<Entry>,
    /// Pages of the layout pairs without a reference, sorted by id.
    pub without_reference: Vec<Entry>,
    /// Files and lines that do not fit.
    pub misfits: Vec<Misfit>,
    /// The files seen, by ending, for messages.
    pub seen: String,
}

/// Where the gold of a page is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GoldSource {
    File(PathBuf),
    Bytes(Vec<u8>),
    /// Of a file for all pages, the labels of this one.
    Nodes(LabelledNodes),
    Missing,
}

impl GoldSource {
    /// The name of its file, for messages.
    pub(super) fn name(&self) -> String {
        match self {
            GoldSource::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            GoldSource::Nodes(labels) => labels.file.clone(),
            GoldSource::Bytes(_) | GoldSource::Missing => String::new(),
        }
    }
}

/// What a reader makes of a page's bytes.
pub(crate) struct Content {
    pub url: Option<String>,
    pub html: Vec<u8>,
    pub gold: Gold,
    /// The type of page, where the reference tells it.
    pub page_type: Option<String>,
}

impl Content {
    /// A page whose reference does not tell its type.
    pub fn new(url: Option<String>, html: Vec<u8>, gold: Gold) -> Self {
        Content { url, html, gold, page_type: None }
    }
}
