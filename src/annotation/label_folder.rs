//! `LabelFolder`, labelled pages in a folder that is a corpus: each page with its labels beside it, and the index of all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::Answer;
use crate::characters::folded;
use crate::dom::Limits;
use crate::dom::encoding::decode;
use crate::dom::xpath::XPaths;
use crate::error::{Error, Result};
use crate::files::write_whole;
use crate::page::Page;

/// The index of the pages.
pub(super) const INDEX: &str = "pages.jsonl";

/// A page that is to be labelled, with the bytes that it is made of.
#[derive(Debug)]
pub struct PageToLabel {
    /// The page; its id is the name of its files.
    pub page: Page,
    bytes: Vec<u8>,
}

impl PageToLabel {
    /// Parses a page. Where a server said its charset, the bytes that are kept are UTF-8 with a byte order mark: files have no server.
    ///
    /// # Errors
    /// As [`Page::parse`].
    pub fn parse(
        id: impl Into<String>,
        url: Option<String>,
        bytes: Vec<u8>,
        http_charset: Option<&str>,
        limits: &Limits,
    ) -> Result<Self> {
        let id = id.into();
        let bytes = match http_charset {
            Some(_) => {
                let decoded = decode(&bytes, http_charset).map_err(|problem| Error::page(&id, problem))?;
                format!("\u{feff}{}", decoded.0).into_bytes()
            }
            None => bytes,
        };
        let page = Page::parse(id, url, &bytes, None, limits)?;
        Ok(PageToLabel { page, bytes })
    }

    /// What an index says of the page.
    pub(super) fn facts(&self) -> Map<String, Value> {
        let mut facts = Map::new();
        facts.insert("id".to_owned(), self.page.id().into());
        let address = self.page.url().map(|url| ("url".to_owned(), url.into()));
        let site = || self.folder().map(|folder| ("host".to_owned(), folder.into()));
        facts.extend(address.or_else(site));
        facts
    }

    /// The folder in its name. Pages without an address are of one site if they are of one folder.
    pub(super) fn folder(&self) -> Option<&str> {
        self.page.id().rsplit_once('/').map(|(folder, _)| folder)
    }

    /// Writes the page into a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        write_whole(&folder.join(format!("{}.html", self.page.id())), &self.bytes)
    }
}

/// A name that is safe as a path in a folder of sheets or labels: letters, digits, `-`, `_` and `.`, others as `_`; a page's ending is
/// left out, and no folder of ours is named so.
pub fn page_name(name: &str) -> String {
    const LONGEST: usize = 100;
    const OURS: [&str; 4] = ["pages", "second", "urls", "labels"];
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    let plain = [".html", ".htm", ".xhtml"].iter().find_map(|end| plain.strip_suffix(end)).unwrap_or(plain);
    let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let part = |part: &str| -> String {
        let name: String = part.trim_start_matches('.').chars().map(safe).take(LONGEST).collect();
        if OURS.contains(&name.as_str()) { name + "_" } else { name }
    };
    let parts: Vec<String> = plain.split(['/', '\\']).map(part).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "page".to_owned() } else { parts.join("/") }
}

/// A folder of labelled pages, in the layout of corpora of one's own: for each page `NAME.html` and `NAME.jsonl`, a label for each of
/// its texts, and in `pages.jsonl` its address and kind.
#[derive(Debug)]
pub struct LabelFolder {
    folder: PathBuf,
    pages: Index,
}

impl LabelFolder {
    /// Opens a folder; what is labelled in it stays.
    ///
    /// # Errors
    /// If its index cannot be read.
    pub fn open(folder: &Path) -> Result<Self> {
        Ok(LabelFolder { folder: folder.to_owned(), pages: Index::open(folder)? })
    }

    /// Writes a page with its labels, over what was there of it; the index is written by [`LabelFolder::write_index`].
    ///
    /// # Errors
    /// [`Error::Io`].
    ///
    /// # Panics
    /// If the answer is that of another page.
    pub fn put(&mut self, page: &PageToLabel, answer: &Answer) -> Result<()> {
        let dom = page.page.dom();
        let paths = XPaths::new(dom);
        let blocks: Vec<_> = page.page.blocks().leaves().collect();
        assert_eq!(blocks.len(), answer.labels.len(), "a label for each block of {}", page.page.id());
        let mut lines = String::new();
        for (block, label) in blocks.into_iter().zip(&answer.labels) {
            for &id in page.page.blocks().texts_of(block) {
                let line = json!({ "xpath": paths.of(id), "label": label, "text": folded(dom.text(id)) });
                lines += &format!("{line}\n");
            }
        }
        page.write(&self.folder)?;
        write_whole(&self.folder.join(format!("{}.jsonl", page.page.id())), lines.as_bytes())?;
        let mut facts = page.facts();
        facts.extend(answer.kind.map(|kind| ("page_type".to_owned(), kind.name().into())));
        facts.insert("doubt".to_owned(), answer.is_doubtful.into());
        facts.extend(answer.note.as_ref().map(|note| ("note".to_owned(), note.as_str().into())));
        self.pages.put(facts);
        Ok(())
    }

    /// Writes the index.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_index(&self) -> Result<()> {
        self.pages.write(&self.folder)
    }
}

/// An index of pages by their id, a line each.
#[derive(Debug, Default)]
pub(super) struct Index(pub BTreeMap<String, Map<String, Value>>);

impl Index {
    /// Reads that of a folder; an empty one where there is none.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(INDEX);
        let mut index = Index::default();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(index),
            Err(error) => return Err(Error::io(&path, error)),
        };
        for (number, line) in text.lines().enumerate() {
            match serde_json::from_str::<Map<String, Value>>(line) {
                Ok(facts) if facts.get("id").is_some_and(Value::is_string) => index.put(facts),
                _ => {
                    return Err(Error::data(
                        format!("{}, line {}", path.display(), number + 1),
                        "no object with an id",
                        "remove the line, or write into a folder of its own",
                    ));
                }
            }
        }
        Ok(index)
    }

    pub(super) fn put(&mut self, facts: Map<String, Value>) {
        let id = facts["id"].as_str().unwrap_or_default().to_owned();
        self.0.insert(id, facts);
    }

    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let lines: String =
            self.0.values().map(|facts| Value::Object(facts.clone()).to_string() + "\n").collect();
        write_whole(&folder.join(INDEX), lines.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Label;
    use crate::model::PageType;

    #[test]
    fn names_of_pages_are_safe_as_paths() {
        for (name, safe) in [
            ("story.html", "story"),
            ("more/other.htm.gz", "more/other"),
            ("../../etc/passwd", "etc/passwd"),
            ("/a//b", "a/b"),
            ("https://wood.example/oak?a=1&b", "https_/wood.example/oak_a_1_b"),
            ("Bäume", "Bäume"),
            ("second/pages.html", "second_/pages_"),
            ("..", "page"),
        ] {
            assert_eq!(page_name(name), safe);
        }
        assert_eq!(page_name(&"x".repeat(300)).len(), 100);
    }

    #[test]
    fn a_folder_of_labels_grows_and_a_page_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let page = |id: &str, text: &str| {
            let url = Some(format!("https://wood.example/{id}"));
            PageToLabel::parse(id, url, format!("<p>{text}").into_bytes(), None, &Limits::default()).unwrap()
        };
        let answer = |label: Label| Answer {
            labels: vec![label],
            kind: Some(PageType::Forum),
            is_doubtful: true,
            note: Some("old".to_owned()),
        };
        let put = |page: &PageToLabel, label: Label| {
            let mut labels = LabelFolder::open(folder.path()).unwrap();
            labels.put(page, &answer(label)).unwrap();
            labels.write_index().unwrap();
        };
        put(&page("a", "one"), Label::FullText);
        put(&page("b", "two"), Label::Comments);
        put(&page("a", "three"), Label::Headline);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("a.html"), "<p>three");
        assert_eq!(
            read("a.jsonl"),
            "{\"label\":\"headline\",\"text\":\"three\",\"xpath\":\"/html[1]/body[1]/p[1]/text()[1]\"}\n"
        );
        let index = read(INDEX);
        assert_eq!(index.lines().count(), 2);
        assert!(
            index.starts_with(
                "{\"doubt\":true,\"id\":\"a\",\"note\":\"old\",\"page_type\":\"forum\",\"url\":\"https://wood.example/a\"}\n"
            ),
            "{index}"
        );
        // Without an address a page is of the site that its folder is.
        let bare = PageToLabel::parse("elm/c", None, b"<p>four".to_vec(), None, &Limits::default()).unwrap();
        put(&bare, Label::FullText);
        assert!(read(INDEX).contains("\"host\":\"elm\",\"id\":\"elm/c\""), "{}", read(INDEX));
        std::fs::write(folder.path().join(INDEX), "nothing\n").unwrap();
        let error = LabelFolder::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("pages.jsonl, line 1"), "{error}");
    }

    #[test]
    fn a_page_whose_charset_a_server_said_is_kept_as_utf_8() {
        let bytes = b"<p>caf\xe9".to_vec();
        let page = PageToLabel::parse("a", None, bytes, Some("windows-1252"), &Limits::default()).unwrap();
        let again = PageToLabel::parse("a", None, page.bytes.clone(), None, &Limits::default()).unwrap();
        assert_eq!(String::from_utf8(page.bytes).unwrap(), "\u{feff}<p>café");
        assert_eq!(page.page.dom().digest(), again.page.dom().digest());
    }
}
