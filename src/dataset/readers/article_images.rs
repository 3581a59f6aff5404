//! Article-images: an index `gold.jsonl` with a line for each page, and the pages in `html/SOURCE`.

use std::path::Path;

use super::entry::{Content, Entry, Facts, GoldSource};
use super::file;
use crate::dataset::Gold;
use crate::dataset::image_gold::Line;
use crate::error::{Error, PageProblem, Remedy, Result, Setting};
use crate::host;

/// The index's name.
pub(super) const INDEX: &str = "gold.jsonl";

/// The host of pages whose address is not known.
const MADE_UP: &str = "fakehost";

/// The pages of the index; an id is `SOURCE/ID`.
pub(super) fn scan(root: &Path) -> Result<Vec<Entry>> {
    let path = root.join(INDEX);
    let index = String::from_utf8_lossy(&file::read(&path)?).into_owned();
    let entry = |(number, text): (usize, &str)| {
        let line: Line = serde_json::from_str(text).map_err(|error| {
            Error::data(
                path.display(),
                format!("line {}: {error}", number + 1),
                Remedy::by("fetch the corpus again", Setting::FetchAgain),
            )
        })?;
        Ok(Entry {
            id: format!("{}/{}", line.source, line.id),
            page: root.join(&line.html_file),
            gold: GoldSource::Bytes(text.as_bytes().to_vec()),
            comments: None,
            url: Some(line.url),
            facts: Facts::default(),
        })
    };
    index.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()).map(entry).collect()
}

/// The registered domain; of a page with a made-up address the name that collections give pages of one site, without its number.
pub(super) fn host(entry: &Entry, url: Option<&str>) -> String {
    let known = url.and_then(host::registered_domain).filter(|domain| domain != MADE_UP);
    known.unwrap_or_else(|| {
        let name = entry.id.rsplit('/').next().unwrap_or_default();
        match name.rsplit_once('-') {
            Some((site, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => site.to_owned(),
            _ => name.to_owned(),
        }
    })
}

/// The page as it is, with the labels of its pictures.
pub(super) fn interpret(entry: &Entry, html: Vec<u8>, gold: Option<Vec<u8>>) -> Result<Content> {
    let line: Line = serde_json::from_slice(&gold.unwrap_or_default()).map_err(|error| {
        Error::page(&entry.id, PageProblem::Failed(format!("its line of {INDEX}: {error}")))
    })?;
    let url = Some(line.url.clone());
    Ok(Content::new(url, html, Gold::Images(line.into_gold())))
}
