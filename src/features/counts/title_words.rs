//! The words of a page that also stand in its title.

use std::collections::HashSet;

use super::similarity::Similarity;
use super::word_keys;
use crate::characters::is_alphanumeric;
use crate::dom::{Dom, Tag};
use crate::features::hash::{self, Hashed};
use crate::index::NodeId;
use crate::tokens;
use crate::view::PageView;

/// The prefix sums over the view's texts of the words that stand in the title.
pub fn title_word_sums(dom: &Dom, view: &PageView, similarity: &Similarity, head: &[NodeId]) -> Vec<u32> {
    let title = TitleWords::new(dom, head);
    let is_known = similarity.has_title && title.is_cut_alike;
    let mut sums = Vec::with_capacity(view.texts.len() + 1);
    let mut sum = 0;
    sums.push(sum);
    for (i, &id) in view.texts.iter().enumerate() {
        let text = dom.text(id);
        // Of most texts no word is in the title: they are not cut once more.
        let has_none = is_known && similarity.title_words_of_text(i) == 0 && is_cut_alike(text);
        if !title.keys.is_empty() && !has_none {
            sum += title.count(text);
        }
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
    /// Whether a text that [`is_cut_alike`] and holds none of the title's [words](word_keys::words) of two letters holds none
    /// of these: each holds such a word.
    is_cut_alike: bool,
}

impl TitleWords {
    fn new(dom: &Dom, head: &[NodeId]) -> Self {
        let title = head.iter().find(|&&id| dom.tag(id) == Tag::TITLE);
        let text = title.map(|&id| dom.text_content(id)).unwrap_or_default();
        let is_cut_alike = !text.contains(|c| c == '_' || tokens::has_no_spaces(c));
        let mut words = TitleWords { keys: HashSet::default(), lengths: 0, is_cut_alike };
        for word in tokens::iter(&text).filter(|token| token.chars().nth(1).is_some()).map(word) {
            words.keys.insert(hash::hash_word(word));
            words.lengths |= bit(word.chars().flat_map(char::to_lowercase).count());
            words.is_cut_alike &= word_keys::words(word).any(|run| run.chars().nth(1).is_some());
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

/// Whether what white space parts in a text is, without the signs around it, made of whole [words](word_keys::words).
fn is_cut_alike(text: &str) -> bool {
    text.is_ascii() && memchr::memchr(b'_', text.as_bytes()).is_none()
}

fn bit(length: usize) -> u64 {
    1 << length.min(63)
}

/// A token without the punctuation around it.
fn word(token: &str) -> &str {
    token.trim_matches(|c: char| !is_alphanumeric(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::features::measures::Measures;
    use crate::page::Page;
    use crate::view::View;

    fn title_of(page: &Page) -> TitleWords {
        TitleWords::new(page.dom(), &page.dom().ids().collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn tokens_of_ascii_are_counted_as_others_are(title in "[ -~]{0,30}", text in "[ -~\\t\\n\\x0b\\x0c\\r\\x1c]{0,60}") {
            let html = format!("<title>{}", title.replace('<', ""));
            let page = Page::parse("t", None, (html + "<p>x").as_bytes(), None, &Default::default()).unwrap();
            let words = title_of(&page);
            let text = format!("{text} {title}");
            let expected = tokens::iter(&text).filter(|token| words.contains(token)).count();
            prop_assert_eq!(words.count(&text), expected as u32);
        }

        #[test]
        fn no_text_is_left_out_that_holds_words_of_the_title(
            title in "([a-cA_東-]{1,3}[ .]){0,5}", text in "([a-cA_東-]{1,3}[ .]){0,5}",
        ) {
            let html = format!("<title>{title}</title><p>{text}");
            let page = Page::parse("t", None, html.as_bytes(), None, &Default::default()).unwrap();
            let view = PageView::new(&page, View::Blocks);
            let measures = Measures::new(&page, &view, None);
            let sums = &measures.counts().title_words;
            let expected = title_of(&page).count(&text);
            prop_assert_eq!(sums[sums.len() - 1], expected);
        }
    }
}
