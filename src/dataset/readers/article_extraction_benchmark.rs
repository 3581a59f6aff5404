//! Article Extraction Benchmark: gzipped pages and one JSON file of all texts.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::entry::{Content, Entry, Facts, GoldSource};
use super::file;
use crate::dataset::{Gold, TextGold};
use crate::error::{Error, PageProblem, Remedy, Result, Setting};

/// The part of a page's record in `ground-truth.json` that is read.
#[derive(Serialize, Deserialize)]
struct Record {
    #[serde(rename = "articleBody")]
    article_body: Option<String>,
    url: Option<String>,
}

/// The pages; each gold is its own record, so that a checksum of it names that page's gold alone.
pub(super) fn scan(root: &Path) -> Result<Vec<Entry>> {
    let path = root.join("ground-truth.json");
    let fault = |e: serde_json::Error| {
        Error::data(path.display(), e.to_string(), Remedy::by("fetch the corpus again", Setting::FetchAgain))
    };
    let records: BTreeMap<String, Record> = serde_json::from_slice(&file::read(&path)?).map_err(fault)?;
    let folder = root.join("html");
    let mut pages = file::pages(&folder)?;
    for id in records.keys() {
        pages.entry(id.clone()).or_insert_with(|| folder.join(format!("{id}.html.gz")));
    }
    let entry = |(id, page)| {
        let gold = match records.get(&id) {
            Some(record) => GoldSource::Bytes(serde_json::to_vec(record).map_err(fault)?),
            None => GoldSource::Missing,
        };
        Ok(Entry { id, page, gold, url: None, facts: Facts::default(), comments: None })
    };
    pages.into_iter().map(entry).collect()
}

/// The page as it is; a record without body is an empty text.
pub(super) fn interpret(entry: &Entry, html: Vec<u8>, gold: Option<Vec<u8>>) -> Result<Content> {
    let Some(gold) = gold else { return Ok(Content::new(None, html, Gold::Missing)) };
    let record: Record = serde_json::from_slice(&gold).map_err(|e| {
        Error::page(&entry.id, PageProblem::Failed(format!("its ground truth is faulty: {e}")))
    })?;
    let text = TextGold {
        text: record.article_body.unwrap_or_default(),
        is_title_apart: true,
        ..TextGold::default()
    };
    Ok(Content::new(record.url, html, Gold::Text(text)))
}
