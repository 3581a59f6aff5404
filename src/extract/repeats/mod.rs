//! Text that is repeated over the pages of a site: exact counts of its blocks, and the list of what is dropped.
//!
//! [`PageBlocks`] are the text blocks of a page, each with how often it was kept. [`RepeatCounter`] adds pages up, site by site, and
//! gives [`Repeats`], which are written as lines of JSON. Of these [`RepeatList`] is read, which drops what it lists from what is kept of a
//! page.
//!
//! Blocks are compared by their exact text, white space folded. Nothing is dropped by likeness.

mod count;
mod list;

use serde::Serialize;
use sha2::{Digest, Sha256};

pub use count::{PageBlocks, RepeatCounter, RepeatedBlock, SiteRepeats};
pub use list::{PagesRead, RepeatList, Repeats};

use crate::dom::joined;
use crate::error::{Error, Result};
use crate::extract::render::Kept;
use crate::extract::site::site_of;
use crate::host;
use crate::index::NodeId;
use crate::page::Page;
use crate::tokens;

/// From when on a block counts as repeated. Both must hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RepeatBounds {
    /// The least number of pages of its site that have it, 2 and up. Default 3.
    #[serde(rename = "min_pages")]
    pub pages: u64,
    /// The least share of the site's pages that have it, from 0 to 1. Default 0.
    #[serde(rename = "min_share")]
    pub share: f64,
}

impl Default for RepeatBounds {
    fn default() -> Self {
        RepeatBounds { pages: 3, share: 0.0 }
    }
}

impl RepeatBounds {
    /// Whether the numbers are in their ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] if not.
    pub fn check(&self) -> Result<()> {
        if self.pages < 2 {
            return Err(Error::usage(
                format!("a block on {} page is not repeated", self.pages),
                "ask for 2 pages or more",
            ));
        }
        if !(0.0..=1.0).contains(&self.share) {
            return Err(Error::usage(format!("the share of pages is {}", self.share), "it is from 0 to 1"));
        }
        Ok(())
    }

    /// Whether a block is repeated that stands on `pages` of `all` pages.
    pub fn holds(&self, pages: u64, all: u64) -> bool {
        pages >= self.pages && pages as f64 / all as f64 >= self.share
    }
}

/// A text block in a set: the first half of the SHA-256 of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct BlockKey([u8; 16]);

impl BlockKey {
    fn of(text: &str) -> Self {
        BlockKey(Sha256::digest(text)[..16].try_into().expect("a digest has 32 bytes"))
    }
}

/// A block of a page's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextBlock {
    /// Its text, white space folded to single blanks.
    pub text: String,
    /// The text nodes that it is made of.
    pub nodes: Vec<NodeId>,
    /// Whether they are kept.
    pub is_kept: bool,
}

/// The text blocks of a page in document order: the leaves of its [block tree](crate::dom::BlockTree) that hold a word. A leaf that is kept in part
/// is two blocks, so that the words of the kept ones are those of the text that is kept.
pub fn text_blocks(page: &Page, kept: &Kept) -> Vec<TextBlock> {
    let tree = page.blocks();
    let mut blocks = Vec::new();
    for leaf in tree.leaves() {
        let (inside, outside): (Vec<NodeId>, Vec<NodeId>) =
            tree.texts_of(leaf).iter().partition(|&&id| kept.contains(id));
        for (nodes, is_kept) in [(inside, true), (outside, false)] {
            let text = joined(page.dom(), &nodes);
            if tokens::count(&text) > 0 {
                blocks.push(TextBlock { text, nodes, is_kept });
            }
        }
    }
    blocks
}

/// The site that a page counts for: as [`site_of`], and [`host::UNKNOWN`] for all pages without an address.
fn site(page: &Page) -> String {
    site_of(page).unwrap_or_else(|| host::UNKNOWN.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_that_is_kept_in_part_is_two_blocks() {
        let html = b"<p>One <b>bold</b> word</p><p>\xe2\x80\x93</p><p> two\n words<br>three</p>";
        let page = Page::parse("p", None, html, Some("utf-8"), &Default::default()).unwrap();
        let mut kept = Kept::everything(&page);
        kept.retain(|id| !["bold", "three"].contains(&page.dom().text(id)));
        let blocks = text_blocks(&page, &kept);
        let texts: Vec<(&str, bool)> = blocks.iter().map(|block| (&*block.text, block.is_kept)).collect();
        assert_eq!(texts, [("One word", true), ("bold", false), ("two words", true), ("three", false)]);
    }

    #[test]
    fn both_bounds_must_hold_and_a_share_is_met_exactly() {
        let least = RepeatBounds { pages: 3, share: 0.07 };
        assert!(least.holds(7, 100) && !least.holds(6, 100));
        assert!(!least.holds(2, 2) && least.holds(3, 3));
        assert!(RepeatBounds::default().check().is_ok());
        for wrong in [RepeatBounds { pages: 1, share: 0.0 }, RepeatBounds { pages: 2, share: f64::NAN }] {
            assert_eq!(wrong.check().unwrap_err().exit_code(), 2);
        }
    }
}
