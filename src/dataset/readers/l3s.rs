//! L3S-GN1: original pages, annotated copies of them and an index of URLs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::entry::Entry;
use super::file;
use crate::error::{Error, Remedy, Result, Setting};

/// The pages; the annotated file is the gold, as bytes.
pub(super) fn scan(root: &Path) -> Result<Vec<Entry>> {
    let index = root.join("url-mapping.txt");
    let text = fs::read(&index).map_err(|e| {
        Error::data(
            index.display(),
            e.to_string(),
            Remedy::from("the hosts come from this file: ")
                .set("fetch the corpus again", Setting::FetchAgain),
        )
    })?;
    let urls = parse_index(&file::decode(&text));
    let mut entries = file::pair(&root.join("original"), &root.join("annotated"), &["html", "htm"])?;
    for entry in &mut entries {
        entry.url = urls.get(&entry.id).cloned();
    }
    Ok(entries)
}

/// Lines `<urn:uuid:ID> TAB URL`; other lines say nothing.
fn parse_index(text: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let (id, url) = line.trim().strip_prefix("<urn:uuid:")?.split_once('>')?;
        let url = url.trim();
        (!url.is_empty()).then(|| (id.to_owned(), url.to_owned()))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_gives_urls_by_id() {
        let urls = parse_index("<urn:uuid:a-1>\thttp://example.org/?x=a b\r\n\nnoise\n<urn:uuid:b>\n");
        assert_eq!(urls["a-1"], "http://example.org/?x=a b");
        assert_eq!(urls.len(), 1);
    }
}
