//! The words of a page that also stand in its title.

use std::collections::HashSet;

use crate::dom::Tag;
use crate::features::hash::{self, Hashed};
use crate::page::Page;
use crate::tokens;
use crate::view::PageView;

/// The prefix sums over the view's texts of the words that stand in the title.
pub fn title_word_sums(page: &Page, view: &PageView) -> Vec<u32> {
    let title = TitleWords::new(page);
    if title.keys.is_empty() {
        return vec![0; view.texts.len() + 1];
    }
    let mut sums = Vec::with_capacity(view.texts.len() + 1);
    let mut sum = 0;
    sums.push(sum);
    for &id in &view.texts {
        sum += title.count(page.dom().text(id));
        sums.push(sum);
    }
    sums
}

/// The words of the first `<title>`, those of one letter left out.
struct TitleWords {
    keys: HashSet<u64, Hashed>,
    /// A bit for each number of characters that they have in lower case, 63 and more as one: most words of a page have others,
    /// and need no key.
    lengths: u64,
}

impl TitleWords {
    fn new(page: &Page) -> Self {
        let dom = page.dom();
        let title = dom.ids().find(|&id| dom.tag(id) == Tag::TITLE);
        let text = title.map(|id| dom.text_content(id)).unwrap_or_default();
        let mut words = TitleWords { keys: HashSet::default(), lengths: 0 };
        for word in tokens::iter(&text).filter(|token| token.chars().nth(1).is_some()).map(word) {
            words.keys.insert(hash::hash_word(word));
            words.lengths |= bit(word.chars().flat_map(char::to_lowercase).count());
        }
        words
    }

    /// The tokens of a text whose word is one of them.
    fn count(&self, text: &str) -> u32 {
        let count = match text.is_ascii() {
            true => tokens::cores_of_ascii(text.as_bytes()).filter(|word| self.contains_ascii(word)).count(),
            false => tokens::iter(text).filter(|token| self.contains(token)).count(),
        };
        count as u32
    }

    /// [`TitleWords::contains`] of a word of ASCII.
    fn contains_ascii(&self, word: &[u8]) -> bool {
        self.lengths & bit(word.len()) != 0 && self.keys.contains(&hash::hash_ascii(word))
    }

    /// Whether the word of a token is one of them, whatever its case.
    fn contains(&self, token: &str) -> bool {
        let word = word(token);
        let may_be = !word.is_ascii() || self.lengths & bit(word.len()) != 0;
        may_be && self.keys.contains(&hash::hash_word(word))
    }
}

fn bit(length: usize) -> u64 {
    1 << length.min(63)
}

/// A token without the punctuation around it.
fn word(token: &str) -> &str {
    token.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tokens_of_ascii_are_counted_as_others_are(title in "[ -~]{0,30}", text in "[ -~\\t\\n\\x0b\\x0c\\r\\x1c]{0,60}") {
            let html = format!("<title>{}", title.replace('<', ""));
            let page = Page::parse("t", None, (html + "<p>x").as_bytes(), None, &Default::default()).unwrap();
            let words = TitleWords::new(&page);
            let text = format!("{text} {title}");
            let expected = tokens::iter(&text).filter(|token| words.contains(token)).count();
            prop_assert_eq!(words.count(&text), expected as u32);
        }
    }
}
