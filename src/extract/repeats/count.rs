//! `RepeatCounter`, how many pages of a site have a block, and how often it was kept.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::{BlockKey, RepeatBounds, site, text_blocks};
use crate::extract::render::Kept;
use crate::page::Page;
use crate::tokens;

/// The distinct text blocks of a page, with how often each was kept and how often not.
#[derive(Debug, Clone)]
pub struct PageBlocks {
    site: String,
    /// By what another page is told to be the same: the text of all blocks, and the address.
    marks: Vec<BlockKey>,
    blocks: Vec<OnPage>,
}

#[derive(Debug, Clone)]
struct OnPage {
    key: BlockKey,
    text: String,
    kept: u64,
    left_out: u64,
}

impl PageBlocks {
    /// Those of a page, of which `kept` is kept.
    pub fn new(page: &Page, kept: &Kept) -> Self {
        let blocks = text_blocks(page, kept).into_iter().map(|block| (block.text, block.is_kept));
        PageBlocks::from_texts(site(page), page.url(), blocks)
    }

    /// Those of a page of this site and address, if that is known, with these texts, each with whether it is kept; a text may be there
    /// several times.
    pub fn from_texts(
        site: impl Into<String>,
        address: Option<&str>,
        texts: impl IntoIterator<Item = (String, bool)>,
    ) -> Self {
        let mut blocks: Vec<OnPage> = Vec::new();
        let mut known: HashMap<BlockKey, usize> = HashMap::new();
        let mut whole = String::new();
        for (text, is_kept) in texts {
            whole.push_str(&text);
            whole.push('\n');
            let key = BlockKey::of(&text);
            let at = *known.entry(key).or_insert_with(|| {
                blocks.push(OnPage { key, text, kept: 0, left_out: 0 });
                blocks.len() - 1
            });
            blocks[at].kept += u64::from(is_kept);
            blocks[at].left_out += u64::from(!is_kept);
        }
        // No text begins with a line break, as an address does here.
        let address = address.map(|url| format!("\n{}", url.split('#').next().unwrap_or_default()));
        let marks = std::iter::once(whole).chain(address).map(|mark| BlockKey::of(&mark)).collect();
        PageBlocks { site: site.into(), marks, blocks }
    }

    /// Whether the page shows no word.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// Adds the blocks of pages up, site by site.
///
/// A page that is there twice counts once, by its address or by its whole text: else an article that was crawled three times would be repeated
/// text.
///
/// Memory: some 80 bytes for each distinct block of a site, whatever its length, 40 for each page, and the text of those blocks that are on as
/// many pages as asked for.
///
/// # Examples
/// ```
/// use duramen::extract::repeats::{RepeatBounds, PageBlocks, RepeatCounter};
///
/// let page = |text: &str| {
///     let texts = [text, "Subscribe to our news"].map(|text| (text.to_owned(), true));
///     PageBlocks::from_texts("oak.example", None, texts)
/// };
/// let mut counter = RepeatCounter::new(RepeatBounds { pages: 2, share: 0.5 })?;
/// assert!(counter.add(page("The oldest oak of the village fell.")));
/// assert!(counter.add(page("Its wood is to become a bench.")));
/// assert!(!counter.add(page("Its wood is to become a bench.")));
/// let sites = counter.finish();
/// let site = &sites[0];
/// assert_eq!((site.blocks[0].text.as_str(), site.blocks[0].pages), ("Subscribe to our news", 2));
/// assert_eq!((site.kept_words, site.repeated_words, site.other_words), (22, 8, 14));
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug)]
pub struct RepeatCounter {
    least: RepeatBounds,
    sites: BTreeMap<String, Counts>,
}

/// What was counted of a site.
#[derive(Debug, Default)]
struct Counts {
    pages: u64,
    marks: HashSet<BlockKey>,
    kept_words: u64,
    left_out_words: u64,
    blocks: HashMap<BlockKey, Tally>,
    /// The texts of blocks that are on pages enough.
    texts: HashMap<BlockKey, String>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    pages: u64,
    kept: u64,
    left_out: u64,
}

/// The text that is repeated on a site. All words are [tokens](tokens::count).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRepeats {
    /// The registered domain, or [`UNKNOWN`](crate::host::UNKNOWN) for pages without an address.
    pub site: String,
    /// The pages that were counted.
    pub pages: u64,
    /// Words of the text that was kept: those of the repeated blocks and of the others.
    pub kept_words: u64,
    /// Kept words in repeated blocks.
    pub repeated_words: u64,
    /// Kept words in other blocks.
    pub other_words: u64,
    /// Words of the text that was not kept.
    pub left_out_words: u64,
    /// The repeated blocks, those on most pages first, of equals those with most words, then by text.
    pub blocks: Vec<RepeatedBlock>,
}

/// A block that is repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RepeatedBlock {
    /// Its text, white space folded.
    pub text: String,
    /// Its words.
    pub words: u64,
    /// How many pages of the site have it.
    pub pages: u64,
    /// Of how many.
    pub of: u64,
    /// How often it was kept. It may be there several times on one page.
    pub kept: u64,
    /// How often it was not kept.
    pub left_out: u64,
}

impl RepeatCounter {
    /// With nothing counted yet.
    ///
    /// # Errors
    /// As [`RepeatBounds::check`].
    pub fn new(least: RepeatBounds) -> crate::error::Result<Self> {
        least.check()?;
        Ok(RepeatCounter { least, sites: BTreeMap::new() })
    }

    /// Counts a page; false if it was there before, and is not counted again.
    pub fn add(&mut self, page: PageBlocks) -> bool {
        let site = self.sites.entry(page.site).or_default();
        let is_known = page.marks.iter().any(|mark| site.marks.contains(mark));
        site.marks.extend(page.marks);
        if is_known {
            return false;
        }
        site.pages += 1;
        for OnPage { key, text, kept, left_out } in page.blocks {
            let words = u64::from(tokens::count(&text));
            site.kept_words += words * kept;
            site.left_out_words += words * left_out;
            let tally = site.blocks.entry(key).or_default();
            tally.pages += 1;
            tally.kept += kept;
            tally.left_out += left_out;
            if tally.pages == self.least.pages {
                site.texts.insert(key, text);
            }
        }
        true
    }

    /// What was counted, by the names of the sites.
    pub fn finish(self) -> Vec<SiteRepeats> {
        let RepeatCounter { least, sites } = self;
        sites.into_iter().map(|(site, counts)| counts.repeats(site, least)).collect()
    }
}

impl Counts {
    fn repeats(self, site: String, least: RepeatBounds) -> SiteRepeats {
        let all = self.pages;
        let of_text = |(key, text): (BlockKey, String)| {
            let Tally { pages, kept, left_out } = self.blocks[&key];
            let words = u64::from(tokens::count(&text));
            least.holds(pages, all).then_some(RepeatedBlock { text, words, pages, of: all, kept, left_out })
        };
        let mut blocks: Vec<RepeatedBlock> = self.texts.into_iter().filter_map(of_text).collect();
        blocks.sort_by(|a, b| {
            b.pages.cmp(&a.pages).then(b.words.cmp(&a.words)).then_with(|| a.text.cmp(&b.text))
        });
        let repeated_words = blocks.iter().map(|block| block.words * block.kept).sum();
        SiteRepeats {
            site,
            pages: all,
            kept_words: self.kept_words,
            repeated_words,
            other_words: self.kept_words - repeated_words,
            left_out_words: self.left_out_words,
            blocks,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Pages: each the number of its site, and its blocks with whether they are kept.
    type Pages = Vec<(u8, Vec<(String, bool)>)>;

    fn pages() -> impl Strategy<Value = Pages> {
        let block = ("[abc]( [abc]){0,2}", any::<bool>());
        prop::collection::vec((0..3u8, prop::collection::vec(block, 0..6)), 0..12)
    }

    fn words<'a>(blocks: impl Iterator<Item = &'a (String, bool)>) -> u64 {
        blocks.filter(|(_, is_kept)| *is_kept).map(|(text, _)| text.split(' ').count() as u64).sum()
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_pages_and_add_up(pages in pages(), n in 2..4u64, share in 0.0..1.0) {
            let least = RepeatBounds { pages: n, share };
            let mut counter = RepeatCounter::new(least).unwrap();
            let mut sites: BTreeMap<String, Vec<&Vec<(String, bool)>>> = BTreeMap::new();
            for (site, blocks) in &pages {
                let site = format!("{site}.example");
                let of_site = sites.entry(site.clone()).or_default();
                let is_new = !of_site.iter().any(|other| other.iter().map(|b| &b.0).eq(blocks.iter().map(|b| &b.0)));
                prop_assert_eq!(counter.add(PageBlocks::from_texts(site, None, blocks.iter().cloned())), is_new);
                of_site.extend(is_new.then_some(blocks));
            }
            let found = counter.finish();
            prop_assert!(found.iter().map(|site| &site.site).eq(sites.keys()));
            for (found, of_site) in found.iter().zip(sites.values()) {
                let listed: BTreeSet<&str> = found.blocks.iter().map(|block| &*block.text).collect();
                let all = || of_site.iter().copied().flatten();
                prop_assert_eq!(found.pages, of_site.len() as u64);
                prop_assert_eq!(found.kept_words, words(all()));
                prop_assert_eq!(found.repeated_words, words(all().filter(|(text, _)| listed.contains(&**text))));
                prop_assert_eq!(found.other_words, words(all().filter(|(text, _)| !listed.contains(&**text))));
                for text in all().map(|(text, _)| text).collect::<BTreeSet<_>>() {
                    let have = of_site.iter().filter(|blocks| blocks.iter().any(|(other, _)| other == text));
                    let n_pages = have.count() as u64;
                    let block = found.blocks.iter().find(|block| block.text == *text);
                    prop_assert_eq!(block.is_some(), least.holds(n_pages, found.pages));
                    if let Some(block) = block {
                        let times = |kept: bool| all().filter(|(t, k)| t == text && *k == kept).count() as u64;
                        prop_assert_eq!((block.pages, block.of), (n_pages, found.pages));
                        prop_assert_eq!((block.kept, block.left_out), (times(true), times(false)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_page_counts_once_by_its_address_and_by_its_text() {
        let mut counter = RepeatCounter::new(RepeatBounds::default()).unwrap();
        let mut add = |address: Option<&str>, text: &str| {
            counter.add(PageBlocks::from_texts("oak.example", address, [(text.to_owned(), true)]))
        };
        assert!(add(Some("https://oak.example/1"), "one"));
        assert!(!add(Some("https://oak.example/1#top"), "two"));
        assert!(!add(Some("https://oak.example/2"), "one"));
        assert!(!add(None, "one") && add(None, "three") && add(None, "https://oak.example/1"));
    }
}
