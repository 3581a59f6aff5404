//! `WordKeys`, the words of a page as numbers.

use crate::characters::{self, is_alphanumeric};
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
        let words: u32 = view.words.iter().sum();
        let mut all = WordKeys {
            keys: Vec::with_capacity(words as usize + words as usize / 4),
            offsets: Vec::with_capacity(view.texts.len() + 1),
        };
        all.offsets.push(0);
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

/// Adds the keys of the [words] of a text: [`hash::hash_word`] of each, in one pass.
fn add_keys(text: &str, keys: &mut Vec<u64>) {
    let mut word = None;
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        at += 1;
        let small = SMALL[usize::from(byte)];
        if small > 0 {
            word = Some(hash::add(word.unwrap_or(hash::OFFSET_BASIS), small.into()));
            continue;
        }
        let other = if byte.is_ascii() { None } else { text[at - 1..].chars().next() };
        at += other.map_or(0, |c| c.len_utf8() - 1);
        match other.filter(|&c| is_alphanumeric(c)) {
            Some(c) => {
                let key = word.unwrap_or(hash::OFFSET_BASIS);
                word = Some(characters::fold_lower(c, key, hash::add));
            }
            None => keys.extend(word.take()),
        }
    }
    keys.extend(word);
}

/// The characters of words among those of ASCII, in lower case; 0 for all other bytes.
static SMALL: [u8; 256] = {
    let mut small = [0; 256];
    let mut byte = 0;
    while byte < 128u8 {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            small[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    small
};

/// The words of a text: runs of letters, digits and underscores.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(is_alphanumeric(c) || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_those_of_the_words(text in "(\\w{0,5}[ -~]{0,3}\\PC{0,2}){0,6}") {
            let mut keys = Vec::new();
            add_keys(&text, &mut keys);
            prop_assert_eq!(keys, words(&text).map(hash::hash_word).collect::<Vec<u64>>());
        }
    }
}
