//! What characters are: as `char` tells it, by a table for the scripts that most pages are written in.

use std::sync::LazyLock;

pub(crate) const ALPHABETIC: u8 = 1;
pub(crate) const NUMERIC: u8 = 2;
pub(crate) const ALPHANUMERIC: u8 = ALPHABETIC | NUMERIC;
pub(crate) const UPPER_CASE: u8 = 4;
pub(crate) const LOWER_CASE: u8 = 8;
pub(crate) const WHITE_SPACE: u8 = 16;
/// Characters that are another, or others, in lower case.
const CHANGES: u8 = 32;

/// Latin, Greek and Cyrillic.
const TABLE: usize = 0x530;

/// What a character is, a bit for each. The tables of `char` are searched for each question; a page asks of all its text.
pub(crate) fn kind(c: char) -> u8 {
    static KINDS: LazyLock<Vec<u8>> = LazyLock::new(|| ('\0'..).take(TABLE).map(search).collect());
    match u32::from(c) {
        at if (at as usize) < TABLE => KINDS[at as usize],
        // Dashes, quotation marks and dots.
        0x2010..=0x2027 => 0,
        // Hiragana, Katakana and Han.
        0x3041..=0x3096 | 0x30a1..=0x30fa | 0x4e00..=0x9fff => ALPHABETIC,
        _ => search(c),
    }
}

/// [`kind`] by the tables of `char`.
fn search(c: char) -> u8 {
    let bit = |is: bool, bit: u8| if is { bit } else { 0 };
    bit(c.is_alphabetic(), ALPHABETIC)
        | bit(c.is_numeric(), NUMERIC)
        | bit(c.is_uppercase(), UPPER_CASE)
        | bit(c.is_lowercase(), LOWER_CASE)
        | bit(c.is_whitespace(), WHITE_SPACE)
        | bit(!c.to_lowercase().eq([c]), CHANGES)
}

/// A text with its white space folded: a blank between words, and none at the ends.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a character is a letter or a digit.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    kind(c) & ALPHANUMERIC != 0
}

/// The fold of a character's forms in lower case.
pub(crate) fn fold_lower<T>(c: char, first: T, fold: impl Fn(T, u32) -> T) -> T {
    match kind(c) & CHANGES {
        0 => fold(first, c.into()),
        _ => c.to_lowercase().map(u32::from).fold(first, fold),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_what_the_tables_of_char_say() {
        let other = ('\0'..=char::MAX).find(|&c| kind(c) != search(c));
        assert_eq!(other, None);
        let lower = |c: char| fold_lower(c, Vec::new(), |found, c| [found, vec![c]].concat());
        for c in ['A', 'İ', 'ß', 'Ж', '京', 'ǅ'] {
            assert_eq!(lower(c), c.to_lowercase().map(u32::from).collect::<Vec<u32>>());
        }
    }
}
