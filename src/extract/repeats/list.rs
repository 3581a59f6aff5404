//! `Repeats`, what was counted, as lines of JSON; `RepeatList`, what of it is dropped.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{BlockKey, RepeatBounds, RepeatedBlock, SiteRepeats, site, text_blocks};
use crate::error::{Error, Result};
use crate::extract::render::Kept;
use crate::index::NodeId;
use crate::page::Page;
use crate::tokens;

/// How many pages there were, and what became of them: all are counted, failed, empty or duplicates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PagesRead {
    /// All.
    pub read: u64,
    /// Those with a word.
    pub counted: u64,
    /// Those that could not be read or extracted.
    pub failed: u64,
    /// Those that show no word.
    pub empty: u64,
    /// Those that were counted before, by their address or their text.
    pub duplicates: u64,
}

/// The text that is repeated on the sites of a crawl.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeats {
    /// The pages.
    pub pages: PagesRead,
    /// From when on a block is listed.
    pub least: RepeatBounds,
    /// Every site with a page that was counted, by name.
    pub sites: Vec<SiteRepeats>,
}

/// A line of the list.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line<'a> {
    /// The first.
    Crawl {
        #[serde(flatten)]
        pages: PagesRead,
        #[serde(flatten)]
        least: RepeatBounds,
    },
    /// A site; its blocks follow.
    Site {
        site: &'a str,
        pages: u64,
        kept_words: u64,
        repeated_words: u64,
        other_words: u64,
        left_out_words: u64,
    },
    /// A repeated block.
    Block {
        site: &'a str,
        #[serde(flatten)]
        block: &'a RepeatedBlock,
    },
}

impl Repeats {
    /// The list: a line of JSON for the crawl, then for each site one, and one for each of its repeated blocks.
    pub fn json_lines(&self) -> impl Iterator<Item = String> {
        let line = |line: &Line<'_>| serde_json::to_string(line).expect("all keys are strings") + "\n";
        let of_site = move |found: &SiteRepeats| {
            let &SiteRepeats {
                ref site,
                pages,
                kept_words,
                repeated_words,
                other_words,
                left_out_words,
                ref blocks,
            } = found;
            let of_site = Line::Site { site, pages, kept_words, repeated_words, other_words, left_out_words };
            let blocks = blocks.iter().map(|block| line(&Line::Block { site, block }));
            std::iter::once(line(&of_site)).chain(blocks).collect::<Vec<_>>()
        };
        let crawl = line(&Line::Crawl { pages: self.pages, least: self.least });
        std::iter::once(crawl).chain(self.sites.iter().flat_map(of_site))
    }
}

/// The blocks of a list that are dropped. Memory: some 20 bytes for each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepeatList {
    sites: HashMap<String, HashSet<BlockKey>>,
}

/// A line as it is read: what decides whether a block is dropped.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum ReadLine {
    Crawl { min_pages: u64, min_share: f64 },
    Site {},
    Block { site: String, text: String, pages: u64, of: u64 },
}

impl RepeatList {
    /// Reads the blocks of a list ([`Repeats::json_lines`]) that are on at least so many pages, and on such a share of them; without a
    /// number as the list has them.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Data`] that names the line which is not one of such a list; [`Error::Usage`] for numbers out of range, or
    /// below those that the list was made with.
    pub fn read(path: &Path, pages: Option<u64>, share: Option<f64>) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io(path, error))?;
        let wrong = |number: usize, problem: String| {
            let what = format!("line {number} is not one of a list of repeated text: {problem}");
            Error::data(path.display(), what, "make the list again")
        };
        let mut list = RepeatList::default();
        let mut least: Option<RepeatBounds> = None;
        for (number, line) in (1..).zip(BufReader::new(file).lines()) {
            let line = line.map_err(|error| Error::io(path, error))?;
            let line =
                serde_json::from_str::<ReadLine>(&line).map_err(|error| wrong(number, error.to_string()))?;
            match (line, least) {
                (ReadLine::Crawl { min_pages, min_share }, None) => {
                    let asked =
                        RepeatBounds { pages: pages.unwrap_or(min_pages), share: share.unwrap_or(min_share) };
                    asked.check()?;
                    if asked.pages < min_pages || asked.share < min_share {
                        let listed = format!(
                            "{}: it lists what is on {min_pages} pages or more and on a share of {min_share} or more",
                            path.display()
                        );
                        return Err(Error::usage(listed, "ask for no less, or make the list with less"));
                    }
                    least = Some(asked);
                }
                (ReadLine::Block { site, text, pages, of }, Some(least)) => {
                    if least.holds(pages, of) {
                        list.sites.entry(site).or_default().insert(BlockKey::of(&text));
                    }
                }
                (ReadLine::Site {}, Some(_)) => {}
                (ReadLine::Crawl { .. }, Some(_)) => {
                    return Err(wrong(number, "a second list begins".into()));
                }
                (_, None) => return Err(wrong(number, "the line of the crawl is missing before it".into())),
            }
        }
        match least {
            Some(_) => Ok(list),
            None => Err(wrong(1, "the file is empty".into())),
        }
    }

    /// How many blocks are dropped, on how many sites.
    pub fn counts(&self) -> (usize, usize) {
        (self.sites.values().map(HashSet::len).sum(), self.sites.len())
    }

    /// Leaves of what is kept of a page what the list has not for its site; gives the number of words that are dropped.
    pub fn drop_from(&self, page: &Page, kept: &mut Kept) -> u64 {
        let Some(listed) = self.sites.get(&site(page)) else { return 0 };
        let mut blocks = text_blocks(page, kept);
        blocks.retain(|block| block.is_kept && listed.contains(&BlockKey::of(&block.text)));
        let dropped: HashSet<NodeId> = blocks.iter().flat_map(|block| block.nodes.iter().copied()).collect();
        kept.retain(|id| !dropped.contains(&id));
        blocks.iter().map(|block| u64::from(tokens::count(&block.text))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::repeats::{PageBlocks, RepeatCounter};

    fn page(id: u32) -> Page {
        let html = format!("<p>Read  <b>more</b> here</p><p>Page {id}</p><p>Sign in</p>");
        let url = Some(format!("https://www.oak.example/{id}"));
        Page::parse("p", url, html.as_bytes(), None, &Default::default()).unwrap()
    }

    /// Four pages, of which one lacks "Sign in" and another is of another site.
    fn repeats() -> Repeats {
        let least = RepeatBounds { pages: 2, share: 0.0 };
        let mut counter = RepeatCounter::new(least).unwrap();
        for id in 0..3 {
            assert!(counter.add(PageBlocks::new(&page(id), &Kept::everything(&page(id)))));
        }
        let texts = ["Read more here", "Sign out"].map(|text| (text.to_owned(), true));
        counter.add(PageBlocks::from_texts("oak.example", None, texts.clone()));
        counter.add(PageBlocks::from_texts("elm.example", None, texts));
        let pages = PagesRead { read: 7, counted: 5, failed: 1, empty: 1, duplicates: 0 };
        Repeats { pages, least, sites: counter.finish() }
    }

    fn written(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("repeats.jsonl");
        std::fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn left(list: &RepeatList, page: &Page) -> Vec<String> {
        let mut kept = Kept::everything(page);
        list.drop_from(page, &mut kept);
        text_blocks(page, &kept).into_iter().filter(|block| block.is_kept).map(|block| block.text).collect()
    }

    #[test]
    fn what_is_listed_for_the_site_is_dropped_and_nothing_else() {
        let (_folder, path) = written(&repeats().json_lines().collect::<String>());
        let read = |pages, share| RepeatList::read(&path, pages, share).unwrap();
        assert_eq!(read(None, None).counts(), (2, 1));
        assert_eq!(left(&read(None, None), &page(9)), ["Page 9"]);
        assert_eq!(left(&read(Some(4), None), &page(9)), ["Page 9", "Sign in"]);
        assert_eq!(left(&read(None, Some(0.75)), &page(9)), ["Page 9"]);
        assert_eq!(left(&read(None, Some(0.76)), &page(9)), ["Page 9", "Sign in"]);
        let elsewhere = Page::parse("p", None, b"<p>Sign in", None, &Default::default()).unwrap();
        assert_eq!(left(&read(None, None), &elsewhere), ["Sign in"]);
    }

    #[test]
    fn a_file_that_is_no_list_is_refused_with_its_line() {
        let whole: Vec<String> = repeats().json_lines().collect();
        for (text, problem) in [
            (String::new(), "line 1 is not one of a list of repeated text: the file is empty"),
            (
                whole[1..].concat(),
                "line 1 is not one of a list of repeated text: the line of the crawl is missing",
            ),
            (
                format!("{}{}", whole[0], whole[0]),
                "line 2 is not one of a list of repeated text: a second list",
            ),
            (
                format!("{}{}\n", whole[0], "{\"text\": 1}"),
                "line 2 is not one of a list of repeated text: missing",
            ),
        ] {
            let (_folder, path) = written(&text);
            let error = RepeatList::read(&path, None, None).unwrap_err();
            assert!(error.exit_code() == 3 && error.to_string().contains(problem), "{error}");
        }
        let (_folder, path) = written(&whole.concat());
        let error = RepeatList::read(&path, Some(1), None).unwrap_err().to_string();
        assert!(error.contains("a block on 1 page is not repeated"), "{error}");
        let (_folder, path) = written(&whole[0].replace("\"min_pages\":2", "\"min_pages\":5"));
        let error = RepeatList::read(&path, Some(4), None).unwrap_err().to_string();
        assert!(error.contains("it lists what is on 5 pages or more"), "{error}");
    }
}
