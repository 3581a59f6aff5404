//! Hints of class and id: what the page's author called the parts of the page.

use std::sync::LazyLock;

use super::name_finder::Beginnings;
use crate::characters;
use crate::dom::Dom;
use crate::index::NodeId;

/// The values of the feature `class-hint`.
pub const HINTS: &[&str] =
    &["none", "comment", "related", "article", "boilerplate", "promotion", "tools", "byline"];

/// Beginnings of words in classes and ids, by the hint they give (an index of [`HINTS`]). The vocabulary of markup
/// is English on pages of any language; a page without such names has hint `none` everywhere.
const BEGINNINGS: &[(&str, u8)] = &[
    ("comment", 1),
    ("disqus", 1),
    ("discuss", 1),
    ("respond", 1),
    ("repl", 1),
    ("related", 2),
    ("recommend", 2),
    ("similar", 2),
    ("article", 3),
    ("story", 3),
    ("post", 3),
    ("entry", 3),
    ("nav", 4),
    ("menu", 4),
    ("sidebar", 4),
    ("foot", 4),
    ("head", 4),
    ("masthead", 4),
    ("breadcrumb", 4),
    ("search", 4),
    ("login", 4),
    ("cookie", 4),
    ("advert", 5),
    ("sponsor", 5),
    ("promo", 5),
    ("banner", 5),
    ("newsletter", 5),
    ("subscri", 5),
    ("share", 6),
    ("sharing", 6),
    ("social", 6),
    ("tool", 6),
    ("print", 6),
    ("byline", 7),
    ("author", 7),
    ("date", 7),
    ("caption", 7),
    ("credit", 7),
];

/// The hint of the content.
pub const CONTENT: u8 = 3;

/// Whether a hint speaks of something else than content and what belongs to it.
pub fn is_unlikely(hint: u8) -> bool {
    matches!(hint, 1 | 2 | 4..=6)
}

/// The hint that a word gives.
pub fn hint(word: &str) -> Option<u8> {
    static FINDER: LazyLock<Beginnings> =
        LazyLock::new(|| Beginnings::new(BEGINNINGS.iter().map(|&(beginning, _)| beginning)));
    FINDER.first(word).map(|at| BEGINNINGS[at].1)
}

/// The words of the class and id of an element.
pub fn class_words(dom: &Dom, id: NodeId) -> impl Iterator<Item = &str> {
    let values = dom.attributes(id).filter(|(name, _)| matches!(*name, "id" | "class"));
    values.flat_map(|(_, value)| words(value))
}

/// The words of a class or id: split by anything but letters, and where a capital follows a small letter.
pub fn words(value: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (mut start, mut previous) = (None, Kind::Other);
        while let Some(&byte) = value.as_bytes().get(at) {
            let (kind, length) = match KINDS.get(usize::from(byte)) {
                Some(&kind) => (kind, 1),
                None => {
                    let c = value[at..].chars().next()?;
                    (Kind::of(c), c.len_utf8())
                }
            };
            match (start, kind) {
                (None, Kind::Other) => {}
                (None, _) => start = Some(at),
                (Some(start), Kind::Other) => return Some(&value[start..at]),
                (Some(start), Kind::Capital) if previous == Kind::Small => return Some(&value[start..at]),
                _ => {}
            }
            previous = kind;
            at += length;
        }
        start.map(|start| &value[start..])
    })
}

/// What a character is in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Small,
    Capital,
    /// A letter that is neither, as those of many scripts.
    Letter,
    Other,
}

impl Kind {
    fn of(c: char) -> Kind {
        match characters::kind(c) {
            kind if kind & characters::ALPHABETIC == 0 => Kind::Other,
            kind if kind & characters::LOWER_CASE != 0 => Kind::Small,
            kind if kind & characters::UPPER_CASE != 0 => Kind::Capital,
            _ => Kind::Letter,
        }
    }
}

/// [`Kind::of`] of ASCII, of which nearly all names are.
static KINDS: [Kind; 128] = {
    let mut kinds = [Kind::Other; 128];
    let mut byte = 0;
    while byte < 128u8 {
        if byte.is_ascii_lowercase() {
            kinds[byte as usize] = Kind::Small;
        } else if byte.is_ascii_uppercase() {
            kinds[byte as usize] = Kind::Capital;
        }
        byte += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dom::Limits;
    use crate::features::counts::walk::DomWalk;
    use crate::page::Page;
    use crate::view::{PageView, View};

    #[test]
    fn names_are_split_at_capitals_and_signs() {
        let split: Vec<&str> = words("userComments post-body2 XMLHead").collect();
        assert_eq!(split, ["user", "Comments", "post", "body", "XMLHead"]);
    }

    proptest! {
        #[test]
        fn words_are_the_runs_of_letters_cut_before_capitals(value in "([a-zA-Z]{0,4}[ -~]{0,2}\\PC{0,2}){0,4}") {
            let mut expected: Vec<String> = Vec::new();
            for run in value.split(|c: char| !c.is_alphabetic()).filter(|run| !run.is_empty()) {
                let mut previous_is_small = false;
                expected.push(String::new());
                for c in run.chars() {
                    if previous_is_small && c.is_uppercase() {
                        expected.push(String::new());
                    }
                    expected.last_mut().unwrap().push(c);
                    previous_is_small = c.is_lowercase();
                }
            }
            prop_assert_eq!(words(&value).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn the_nearest_name_counts() {
        let html = "<div id=articleBody><p>a</p><div class='x user-comments'><p>b</p></div></div><p>c</p>";
        let page = Page::parse("names", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let around = DomWalk::new(&page, &view).around;
        let of: Vec<&str> =
            page.dom().shown_texts().map(|id| HINTS[around[id.index()].hint as usize]).collect();
        assert_eq!(of, ["article", "comment", "none"]);
    }
}
