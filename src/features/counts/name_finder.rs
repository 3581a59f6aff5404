//! `Beginnings` and `Parts`, which of a list of names a word begins with or holds.

use aho_corasick::{AhoCorasick, StartKind};

/// Names that a word may begin with, in small letters; a word's letters of ASCII may be of any case.
///
/// Most words begin with a letter that few names begin with, so that this is faster than an automaton, and nothing is built.
pub struct Beginnings {
    names: Vec<&'static str>,
    /// For each first byte of a name the numbers of the names that begin with it, in order.
    by_first: Vec<Vec<u8>>,
}

impl Beginnings {
    /// At most 256 names, none of them empty.
    pub fn new(names: impl Iterator<Item = &'static str>) -> Self {
        let mut beginnings = Beginnings { names: names.collect(), by_first: vec![Vec::new(); 256] };
        for (name, number) in beginnings.names.iter().zip(0u8..=255) {
            beginnings.by_first[usize::from(name.as_bytes()[0])].push(number);
        }
        beginnings
    }

    /// The first name of the list that the word begins with.
    pub fn first(&self, word: &str) -> Option<usize> {
        let word = word.as_bytes();
        let first = word.first()?.to_ascii_lowercase();
        let begins = |&&number: &&u8| {
            let name = self.names[usize::from(number)].as_bytes();
            word.get(..name.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(name))
        };
        self.by_first[usize::from(first)].iter().find(begins).map(|&number| number.into())
    }
}

/// Names that may stand anywhere in a word, in ASCII of any case: all are looked for at once.
pub struct Parts(AhoCorasick);

impl Parts {
    /// A few short names.
    pub fn new<T: AsRef<[u8]>>(names: impl Iterator<Item = T>) -> Self {
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .start_kind(StartKind::Unanchored)
            .build(names);
        Parts(finder.expect("a few short names"))
    }

    /// Whether the word holds one of them.
    pub fn is_in(&self, word: &str) -> bool {
        self.0.is_match(word)
    }
}

/// The word with letters outside ASCII in lower case: those of ASCII are the same to [`Beginnings`] and [`Parts`].
pub fn lower(word: &str) -> std::borrow::Cow<'_, str> {
    if word.is_ascii() { word.into() } else { word.to_lowercase().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_list_is_found_at_the_beginning_and_any_anywhere() {
        let beginnings = Beginnings::new(["post", "pos", "comment", "отзыв"].into_iter());
        assert_eq!(
            ["Posting", "position", "COMMENTS", "mycomment", "po", "", "отзывы"]
                .map(|word| beginnings.first(word)),
            [Some(0), Some(1), Some(2), None, None, None, Some(3)]
        );
        let parts = Parts::new(["post", "comment"].into_iter());
        assert_eq!(["myComments", "repost", "past"].map(|word| parts.is_in(word)), [true, true, false]);
        assert_eq!([&*lower("ÖTZI"), &*lower("Oak")], ["ötzi", "Oak"]);
    }
}
