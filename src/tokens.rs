//! The one definition of a token: what token-level scores count and what a node's number of words means.

use crate::characters;

/// The tokens of `text`, in order.
///
/// A token is a maximal run of characters that are not white space (Unicode), holding at least one letter or
/// digit; so "don't" and "e-mail" are one token each, and a dash between spaces is none. This is the token of
/// the thesis's chapter 4 as far as it is defined there, "a node containing ten tokens".
///
/// Some scripts do not put spaces between words. There a run is cut further:
/// - each Han, Hiragana and Katakana character is a token of its own;
/// - in Thai, Lao, Khmer and Burmese a consonant begins a token, which its vowels and marks continue, so that
///   a token is about a syllable.
///
/// # Examples
/// ```
/// let tokens: Vec<&str> = duramen::tokens::iter("It's a tree – 東京 2026年!").collect();
/// assert_eq!(tokens, ["It's", "a", "tree", "東", "京", "2026", "年"]);
/// ```
pub fn iter(text: &str) -> impl Iterator<Item = &str> {
    Tokens { rest: text }
}

/// The number of tokens of `text`, as [`iter`] finds them; it stops at `u32::MAX`.
///
/// # Examples
/// ```
/// assert_eq!(duramen::tokens::count("Published: 21 November 2026 | 3 comments"), 6);
/// assert_eq!(duramen::tokens::count(" \u{a0}—\n"), 0);
/// ```
pub fn count(text: &str) -> u32 {
    let count = if text.is_ascii() { count_ascii(text.as_bytes()) } else { iter(text).count() };
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// As [`iter`] counts them, which is slower.
fn count_ascii(bytes: &[u8]) -> usize {
    cores_of_ascii(bytes).count()
}

/// The tokens of a text of ASCII, without the signs before their first and behind their last letter or digit.
pub(crate) fn cores_of_ascii(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut core: Option<(usize, usize)> = None;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match KINDS[usize::from(byte)] {
                Kind::Alphanumeric => core = Some((core.map_or(at - 1, |(start, _)| start), at)),
                Kind::Space if core.is_some() => break,
                _ => {}
            }
        }
        core.map(|(start, end)| &bytes[start..end])
    })
}

/// What a byte is in a text of ASCII.
#[derive(Clone, Copy)]
enum Kind {
    Alphanumeric,
    Space,
    Other,
}

static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 128u8 {
        if byte.is_ascii_alphanumeric() {
            kinds[byte as usize] = Kind::Alphanumeric;
        } else if byte.is_ascii_whitespace() || byte == b'\x0b' {
            kinds[byte as usize] = Kind::Space;
        }
        byte += 1;
    }
    kinds
};

/// What has not been cut into tokens yet.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() {
                return None;
            }
            let (piece, counts) = first_piece(self.rest);
            self.rest = &self.rest[piece.len()..];
            if counts {
                return Some(piece);
            }
        }
    }
}

/// The first piece of `text`, which begins with a character that is not white space, and whether it is a token.
fn first_piece(text: &str) -> (&str, bool) {
    let (bytes, mut at) = (text.as_bytes(), 0);
    let mut alphanumeric = false;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() {
            // Nearly every character of nearly every page: nothing is decoded.
            if byte.is_ascii_whitespace() || byte == b'\x0b' {
                break;
            }
            alphanumeric |= byte.is_ascii_alphanumeric();
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        let kind = characters::kind(c);
        let is_alone = is_token_alone(c);
        if kind & characters::WHITE_SPACE != 0 || at > 0 && (is_alone || begins_syllable(c)) {
            break;
        }
        at += c.len_utf8();
        if is_alone {
            return (&text[..at], true);
        }
        alphanumeric |= kind & characters::ALPHANUMERIC != 0;
    }
    (&text[..at], alphanumeric)
}

/// Han, Hiragana and Katakana (Unicode's Scripts.txt, by block; the prolonged sound mark belongs to both kana).
fn is_token_alone(c: char) -> bool {
    // Most characters stand below them.
    c >= '\u{3005}'
        && matches!(c,
        '\u{3005}' | '\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3038}'..='\u{303b}'
        | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9d}' | '\u{1b000}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a letter is of a script that puts no spaces between words.
pub(crate) fn has_no_spaces(c: char) -> bool {
    let is_southeast_asian =
        matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}');
    !c.is_ascii() && (is_token_alone(c) || is_southeast_asian)
}

/// The consonants of Thai, Lao, Khmer and Burmese.
fn begins_syllable(c: char) -> bool {
    c >= '\u{e01}'
        && matches!(c,
        '\u{e01}'..='\u{e2e}' | '\u{e81}'..='\u{eae}' | '\u{edc}'..='\u{edf}'
        | '\u{1000}'..='\u{1020}' | '\u{1780}'..='\u{17a2}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(text: &str) -> Vec<&str> {
        iter(text).collect()
    }

    #[test]
    fn an_empty_text_has_no_tokens() {
        assert_eq!(count(""), 0);
        assert_eq!(count(" \t\r\n\u{b}\u{c}\u{2003}"), 0);
    }

    #[test]
    fn punctuation_alone_is_no_token_but_clings_to_a_word() {
        assert_eq!(tokens("one – two | \"three,\" (4)"), ["one", "two", "\"three,\"", "(4)"]);
        assert_eq!(count("*** --- …"), 0);
    }

    #[test]
    fn a_no_break_space_separates_tokens() {
        assert_eq!(tokens("ten\u{a0}words\u{3000}here\u{b}now"), ["ten", "words", "here", "now"]);
    }

    #[test]
    fn each_han_and_kana_character_is_a_token_and_punctuation_between_them_is_none() {
        assert_eq!(tokens("東京、タワー。abcの"), ["東", "京", "タ", "ワ", "ー", "。abc", "の"]);
    }

    #[test]
    fn a_korean_word_is_one_token_because_korean_has_spaces() {
        assert_eq!(count("나무의 심장"), 2);
    }

    #[test]
    fn a_thai_consonant_begins_a_token_that_its_vowels_continue() {
        assert_eq!(tokens("กาขี abc"), ["กา", "ขี", "abc"]);
    }

    proptest! {
        #[test]
        fn a_space_between_two_texts_adds_their_counts(a in "\\PC{0,20}", b in "\\PC{0,20}") {
            prop_assert_eq!(count(&format!("{a} {b}")), count(&a) + count(&b));
        }

        #[test]
        fn ascii_is_counted_as_it_is_cut(text in "[ -~\\t\\n\\x0b\\x0c\\r\\x1c]{0,40}") {
            prop_assert_eq!(count(&text) as usize, iter(&text).count());
        }

        #[test]
        fn every_token_holds_a_letter_or_digit_and_no_white_space(text in any::<String>()) {
            for token in iter(&text) {
                prop_assert!(token.chars().any(char::is_alphanumeric));
                prop_assert!(!token.chars().any(char::is_whitespace));
            }
        }
    }
}
