//! Text shape: how long the text of a node is, of what characters, and how much of it is links.

use super::measures::TextSums;
use super::schema::{FeatureSpec, PARTS, PERCENT, category, count};

/// Characters in a word, in tenths.
const WORD_LENGTHS: super::discretize::Bins =
    super::discretize::Bins::new(&[0, 20, 30, 35, 40, 45, 50, 55, 60, 70, 80, 100, 150]);

/// What a text may end with.
const ENDINGS: &[&str] = &["nothing", "full stop", "colon", "comma", "digit", "letter", "other"];

pub(super) const FEATURES: &[FeatureSpec] = &[
    count("word-length", "characters in a word, in tenths", "tenths", WORD_LENGTHS, |m, v| {
        let sums = m.text(v);
        ratio(10 * u64::from(sums.characters), sums.words)
    }),
    count("full-stop-share", "full stops in a hundred words", "%", PARTS, |m, v| {
        let sums = m.text(v);
        share(sums.full_stops, sums.words)
    }),
    count("commas", "commas, semicolons and colons in a hundred words", "%", PARTS, |m, v| {
        let sums = m.text(v);
        share(sums.commas, sums.words)
    }),
    count("digits", "share of characters that are digits", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.digits, sums.characters)
    }),
    count("capitals", "share of words that begin with a capital letter", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.capitals, sums.words)
    }),
    count("upper-case", "share of letters in upper case", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.upper_case, sums.letters)
    }),
    count("letters", "share of characters that are letters", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.letters, sums.characters)
    }),
    count("control-words", "share of words inside buttons, labels and options", "%", PERCENT, |m, v| {
        let sums = m.text(v);
        share(sums.control_words, sums.words)
    }),
    category("ending", "what the text ends with", ENDINGS, |m, v| m.ending(v)),
    count("parent-full-stops", "full stops in a hundred words of the parent", "%", PARTS, |m, v| {
        let sums = m.text(m.above(v, 1));
        share(sums.full_stops, sums.words)
    }),
    count("grandparent-full-stops", "full stops in a hundred words two levels up", "%", PARTS, |m, v| {
        let sums = m.text(m.above(v, 2));
        share(sums.full_stops, sums.words)
    }),
];

/// The share in per cent, rounded up so that 0 means none and 100 means all but less than a hundredth; 0 of 0 is 0.
pub(super) fn share(part: u32, whole: u32) -> u32 {
    ratio(100 * u64::from(part), whole)
}

/// A quotient, rounded up; by nothing 0.
pub(super) fn ratio(part: u64, whole: u32) -> u32 {
    u32::try_from(part.div_ceil(u64::from(whole).max(1))).unwrap_or(u32::MAX)
}

/// Counts of the characters of one text; `words`, `link_words` and `control_words` are the caller's.
pub(super) fn characters(text: &str) -> TextSums {
    let mut sums = TextSums::default();
    let mut word_begins = true;
    for c in text.chars() {
        if c.is_whitespace() {
            word_begins = true;
            continue;
        }
        sums.characters += 1;
        match c {
            '.' | '!' | '?' | '。' | '！' | '？' | '।' => sums.full_stops += 1,
            ',' | ';' | ':' | '、' | '，' => sums.commas += 1,
            _ if c.is_numeric() => sums.digits += 1,
            _ if c.is_alphabetic() => {
                sums.letters += 1;
                if c.is_uppercase() {
                    sums.upper_case += 1;
                    sums.capitals += u32::from(word_begins);
                }
            }
            _ => {}
        }
        word_begins = false;
    }
    sums
}

/// What a text ends with, an index of [`ENDINGS`].
pub(super) fn ending(text: &str) -> u8 {
    match text.trim_end().chars().next_back() {
        None => 0,
        Some('.' | '!' | '?' | '。' | '！' | '？' | '।' | '"' | '”' | '»') => 1,
        Some(':') => 2,
        Some(',' | ';' | '、' | '，') => 3,
        Some(c) if c.is_numeric() => 4,
        Some(c) if c.is_alphabetic() => 5,
        Some(_) => 6,
    }
}
