//! `NameFinder`, which of a list of names a word holds: all are looked for at once.

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind, StartKind};

/// A list of names, in ASCII of any case.
pub struct NameFinder {
    finder: AhoCorasick,
    anchored: Anchored,
}

impl NameFinder {
    /// Names that a word may begin with.
    pub fn of_beginnings<T: AsRef<[u8]>>(names: impl Iterator<Item = T>) -> Self {
        NameFinder::new(names, StartKind::Anchored, Anchored::Yes)
    }

    /// Names that may stand anywhere in a word.
    pub fn of_parts<T: AsRef<[u8]>>(names: impl Iterator<Item = T>) -> Self {
        NameFinder::new(names, StartKind::Unanchored, Anchored::No)
    }

    fn new<T: AsRef<[u8]>>(names: impl Iterator<Item = T>, start: StartKind, anchored: Anchored) -> Self {
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostFirst)
            .start_kind(start)
            .build(names);
        NameFinder { finder: finder.expect("a few short names"), anchored }
    }

    /// The first name of the list that the word begins with; the leftmost that it holds.
    pub fn first(&self, word: &str) -> Option<usize> {
        self.finder.find(Input::new(word).anchored(self.anchored)).map(|found| found.pattern().as_usize())
    }

    /// Whether the word holds one of them.
    pub fn is_in(&self, word: &str) -> bool {
        self.first(word).is_some()
    }
}

/// The word with letters outside ASCII in lower case: those of ASCII are the same to a [`NameFinder`].
pub fn lower(word: &str) -> std::borrow::Cow<'_, str> {
    if word.is_ascii() { word.into() } else { word.to_lowercase().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_list_is_found_at_the_beginning_and_the_leftmost_anywhere() {
        let beginnings = NameFinder::of_beginnings(["post", "pos", "comment"].into_iter());
        assert_eq!(
            ["Posting", "position", "COMMENTS", "mycomment"].map(|word| beginnings.first(word)),
            [Some(0), Some(1), Some(2), None]
        );
        let parts = NameFinder::of_parts(["post", "comment"].into_iter());
        assert_eq!(["myComments", "repost", "past"].map(|word| parts.is_in(word)), [true, true, false]);
        assert_eq!([&*lower("ÖTZI"), &*lower("Oak")], ["ötzi", "Oak"]);
    }
}
