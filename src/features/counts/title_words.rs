//! The words of a page that also stand in its title.

use std::collections::HashSet;

use crate::dom::Tag;
use crate::features::hash::{self, Hashed};
use crate::page::Page;
use crate::tokens;
use crate::view::PageView;

/// The prefix sums over the view's texts of the words that stand in the title.
pub fn title_word_sums(page: &Page, view: &PageView) -> Vec<u32> {
    let title = title_words(page);
    if title.is_empty() {
        return vec![0; view.texts.len() + 1];
    }
    let mut sums = Vec::with_capacity(view.texts.len() + 1);
    let mut sum = 0;
    sums.push(sum);
    for &id in &view.texts {
        sum +=
            tokens::iter(page.dom().text(id)).filter(|token| title.contains(&word_key(token))).count() as u32;
        sums.push(sum);
    }
    sums
}

/// The words of the first `<title>`, those of one letter left out.
fn title_words(page: &Page) -> HashSet<u64, Hashed> {
    let dom = page.dom();
    let title = dom.ids().find(|&id| dom.tag(id) == Tag::TITLE);
    let text = title.map(|id| dom.text_content(id)).unwrap_or_default();
    tokens::iter(&text).filter(|token| token.chars().nth(1).is_some()).map(word_key).collect()
}

/// A number for a word, whatever its case and the punctuation around it.
fn word_key(token: &str) -> u64 {
    hash::hash_word(token.trim_matches(|c: char| !c.is_alphanumeric()))
}
