//! The units of alignment: runs of ASCII letters and digits, which survive what annotating did to the text.

use std::collections::HashMap;
use std::ops::Range;

/// A text cut into tokens and these into units. Tokens and units never cross a piece (a text node).
#[derive(Default)]
pub(crate) struct Text<'a> {
    /// The spelling of each unit.
    pub(crate) words: Vec<&'a str>,
    /// The number of each spelling, the same in all texts of one [`Vocabulary`].
    pub(crate) keys: Vec<u32>,
    /// The token that each unit belongs to.
    pub(crate) token: Vec<u32>,
    /// The piece that each token belongs to.
    pub(crate) piece: Vec<u32>,
}

impl<'a> Text<'a> {
    /// Cuts the pieces of a text.
    pub(crate) fn new(pieces: impl Iterator<Item = &'a str>, vocabulary: &mut Vocabulary<'a>) -> Self {
        let mut text = Text::default();
        for (number, piece) in pieces.enumerate() {
            for token in crate::tokens::iter(piece) {
                for word in words(token) {
                    text.words.push(word);
                    text.keys.push(vocabulary.key(word));
                    text.token.push(text.piece.len() as u32);
                }
                text.piece.push(number as u32);
            }
        }
        text
    }

    /// The tokens, as ranges of units.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = Range<usize>> {
        self.token.chunk_by(|a, b| a == b).scan(0, |start, chunk| Some(advance(start, chunk.len())))
    }

    /// The pieces that have units, as ranges of units.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Range<usize>> {
        let piece = |token: u32| self.piece[token as usize];
        self.token
            .chunk_by(move |&a, &b| piece(a) == piece(b))
            .scan(0, |start, chunk| Some(advance(start, chunk.len())))
    }
}

/// The range of `len` numbers from `start`, which is moved behind it.
fn advance(start: &mut usize, len: usize) -> Range<usize> {
    let range = *start..*start + len;
    *start = range.end;
    range
}

/// Numbers for spellings.
#[derive(Default)]
pub(crate) struct Vocabulary<'a>(HashMap<&'a str, u32>);

impl<'a> Vocabulary<'a> {
    fn key(&mut self, word: &'a str) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(word).or_insert(next)
    }
}

/// The units of a token, at least one.
///
/// Where annotating lost characters, "caf\u{e9}" became "caf?" and a no-break space between two words "?"; other
/// files were decoded wrongly. All of this touches characters beyond ASCII alone, so only the ASCII runs
/// count. A token without any is one unit: in other scripts there is nothing else to go by.
fn words(token: &str) -> impl Iterator<Item = &str> {
    let ascii = token.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty());
    let whole = if token.bytes().any(|b| b.is_ascii_alphanumeric()) {
        None
    } else {
        Some(token.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    ascii.chain(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(token: &str) -> Vec<&str> {
        words(token).collect()
    }

    #[test]
    fn damage_to_characters_beyond_ascii_leaves_the_units_alone() {
        assert_eq!(of("caf\u{e9}s"), of("caf?s"));
        assert_eq!(of("\u{201c}don\u{2019}t\u{201d}"), of("?don?t?"));
        assert_eq!(of("r\u{c3}\u{a9}sum\u{c3}\u{a9}"), ["r", "sum"]);
    }

    #[test]
    fn a_token_in_another_script_is_one_unit() {
        assert_eq!(of("\u{ab}Привет,"), ["Привет"]);
        assert_eq!(of("\u{6771}"), ["\u{6771}"]);
    }

    #[test]
    fn every_token_has_a_unit() {
        let mut vocabulary = Vocabulary::default();
        let text = Text::new(["one two", "", "\u{e9} - 3"].into_iter(), &mut vocabulary);
        assert_eq!(text.words, ["one", "two", "\u{e9}", "3"]);
        assert_eq!(text.token, [0, 1, 2, 3]);
        assert_eq!(text.piece, [0, 0, 2, 2]);
        assert_eq!(text.pieces().collect::<Vec<_>>(), [0..2, 2..4]);
    }
}
