//! WCXB: a page and a JSON file of its main text, title, author, date, snippets and page type.

use std::path::Path;

use serde::Deserialize;

use super::entry::{Content, Entry};
use super::file;
use crate::dataset::{Gold, TextGold};
use crate::error::{Error, PageProblem, Result};

/// The part of a `ground-truth` file that is read.
#[derive(Deserialize)]
struct GroundTruth {
    url: Option<String>,
    #[serde(default, rename = "_internal")]
    internal: Internal,
    ground_truth: Main,
}

#[derive(Default, Deserialize)]
struct Internal {
    #[serde(default)]
    page_type: PageType,
}

#[derive(Default, Deserialize)]
struct PageType {
    primary: Option<String>,
}

#[derive(Deserialize)]
struct Main {
    url: Option<String>,
    title: Option<String>,
    author: Option<String>,
    publish_date: Option<String>,
    main_content: Option<String>,
    #[serde(default)]
    with: Vec<String>,
    #[serde(default)]
    without: Vec<String>,
}

/// The pages under a part's folder.
pub(super) fn scan(root: &Path) -> Result<Vec<Entry>> {
    file::pair(&root.join("html"), &root.join("ground-truth"), &["json"])
}

/// The page as it is; a gold without main content is an empty text.
pub(super) fn interpret(entry: &Entry, html: Vec<u8>, gold: Option<Vec<u8>>) -> Result<Content> {
    let Some(gold) = gold else { return Ok(Content::new(None, html, Gold::Missing)) };
    let truth: GroundTruth = serde_json::from_slice(&gold).map_err(|e| {
        Error::page(&entry.id, PageProblem::Failed(format!("its ground truth is faulty: {e}")))
    })?;
    let main = truth.ground_truth;
    let text = TextGold {
        text: main.main_content.unwrap_or_default(),
        title: main.title,
        is_title_apart: true,
        author: main.author,
        date: main.publish_date,
        with: main.with,
        without: main.without,
        comments: None,
    };
    let page_type = truth.internal.page_type.primary;
    Ok(Content { page_type, ..Content::new(truth.url.or(main.url), html, Gold::Text(text)) })
}
