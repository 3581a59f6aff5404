//! `WordKeys`, the words of a page as numbers.

use crate::features::hash;
use crate::page::Page;
use crate::view::PageView;

/// The words of a page's texts as [keys](hash::hash_word).
pub struct WordKeys {
    keys: Vec<u64>,
    /// Where the keys of each text begin.
    offsets: Vec<u32>,
}

impl WordKeys {
    /// Reads all texts of a page.
    pub fn new(page: &Page, view: &PageView) -> Self {
        let mut all = WordKeys { keys: Vec::new(), offsets: vec![0] };
        for &id in &view.texts {
            add_keys(page.dom().text(id), &mut all.keys);
            all.offsets.push(all.keys.len() as u32);
        }
        all
    }

    /// The words of a node and all below.
    pub fn of(&self, view: &PageView, v: u32) -> &[u64] {
        let texts = &view.nodes[v as usize].texts;
        &self.keys[self.offsets[texts.start as usize] as usize..self.offsets[texts.end as usize] as usize]
    }

    /// The words of one of the view's texts.
    pub fn text_words(&self, text: usize) -> &[u64] {
        &self.keys[self.offsets[text] as usize..self.offsets[text + 1] as usize]
    }

    /// The number of words of a node and all below.
    pub fn count(&self, view: &PageView, v: u32) -> u32 {
        self.of(view, v).len() as u32
    }
}

/// Adds the keys of the [words] of a text.
fn add_keys(text: &str, keys: &mut Vec<u64>) {
    if text.is_ascii() {
        let runs = text.as_bytes().split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'));
        keys.extend(runs.filter(|run| !run.is_empty()).map(hash::hash_ascii));
    } else {
        keys.extend(words(text).map(hash::hash_word));
    }
}

/// The words of a text: runs of letters, digits and underscores.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}
