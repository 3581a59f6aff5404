//! Boilerpipe's tokenizer: cut at Java's word boundaries, but not beside punctuation that joins.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Hands the tokens of `text` to `each`, with whether the token is a word: holds a letter or a number.
///
/// A cut is at blanks and where a word begins or ends, unless one of `"'.,!@-:;$?()/` stands at the cut, so
/// `don't`, `e-mail` and `end."` are a token each and `a&b` is three. A word is a run of letters, decimal digits,
/// underscores and the non-spacing marks on them, as `\b` has it in Java up to version 18, whose later versions
/// know ASCII alone. A text of blanks is one empty token, as `String.split` has it. The original marks its cuts
/// with the invisible separator U+2063; one in the text is taken for a blank.
pub(super) fn tokens<'a>(text: &'a str, mut each: impl FnMut(&'a str, bool)) {
    // Java's `trim` takes control characters too.
    let text = text.trim_matches(|c| c <= ' ' || c == '\u{2063}');
    let mut start = 0;
    let mut is_word = false;
    let mut before = Class::BLANK;
    for (at, c) in text.char_indices() {
        let class = Class::from_char(c, before.base);
        let cut = class.inner != before.inner && !class.joins && !before.joins;
        if (cut || class.blank) && start < at {
            each(&text[start..at], is_word);
            (start, is_word) = (at, false);
        }
        if class.blank {
            start = at + c.len_utf8();
        }
        is_word |= class.alphanumeric;
        before = class;
    }
    if start < text.len() || text.is_empty() {
        each(&text[start..], is_word);
    }
}

/// What the tokenizer asks of a character.
#[derive(Clone, Copy)]
struct Class {
    /// Inside a word for `\b`.
    inner: bool,
    /// A letter or digit, or marks on one: what a further mark belongs to.
    base: bool,
    /// Makes its token a word.
    alphanumeric: bool,
    /// Punctuation that is cut from neither neighbor.
    joins: bool,
    /// Parts tokens and belongs to none.
    blank: bool,
}

impl Class {
    const BLANK: Class = Class { inner: false, base: false, alphanumeric: false, joins: false, blank: true };

    fn from_char(c: char, base_before: bool) -> Class {
        if c == ' ' || c == '\u{2063}' {
            return Class::BLANK;
        }
        if c.is_ascii() {
            let alphanumeric = c.is_ascii_alphanumeric();
            let inner = alphanumeric || c == '_';
            return Class { inner, base: alphanumeric, alphanumeric, joins: joins(c), blank: false };
        }
        let category = c.general_category();
        let letter = c.general_category_group() == GeneralCategoryGroup::Letter;
        let base = letter
            || category == GeneralCategory::DecimalNumber
            || category == GeneralCategory::NonspacingMark && base_before;
        let alphanumeric = letter || c.general_category_group() == GeneralCategoryGroup::Number;
        Class { inner: base, base, alphanumeric, joins: false, blank: false }
    }
}

fn joins(c: char) -> bool {
    matches!(c, '"' | '\'' | '.' | ',' | '!' | '@' | '-' | ':' | ';' | '$' | '?' | '(' | ')' | '/')
}

#[cfg(test)]
mod tests {

    /// The tokens, those that are no words in brackets.
    fn tokens(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        super::tokens(text, |token, word| {
            found.push(if word { token.to_owned() } else { format!("[{token}]") });
        });
        found
    }

    #[test]
    fn punctuation_that_joins_stays_with_its_words() {
        assert_eq!(
            tokens("don't e-mail me@x.org, \"now\"! a/b (c)"),
            ["don't", "e-mail", "me@x.org,", "\"now\"!", "a/b", "(c)"]
        );
    }

    #[test]
    fn other_signs_are_tokens_of_their_own_and_no_words() {
        assert_eq!(
            tokens("a&b c=d x_y | 50% \u{a0}no"),
            ["a", "[&]", "b", "c", "[=]", "d", "x_y", "[|]", "50", "[%]", "[\u{a0}]", "no"]
        );
        assert_eq!(tokens("“no” – ½"), ["[“]", "no", "[”]", "[–]", "½"]);
    }

    #[test]
    fn marks_belong_to_the_letter_before_them() {
        assert_eq!(tokens("e\u{301}te\u{301} \u{301}x"), ["e\u{301}te\u{301}", "[\u{301}]", "x"]);
    }

    #[test]
    fn blanks_alone_are_one_empty_token() {
        assert_eq!(tokens("  \u{1}"), ["[]"]);
        assert_eq!(tokens(""), ["[]"]);
        assert_eq!(tokens("  one   two "), ["one", "two"]);
    }
}
