//! The word F1 of the WCXB benchmark, equal to its `evaluate.py`.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::tokens;

/// Precision, recall and F1 of an extracted text against the reference text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TextScores {
    /// Of the extracted words, the share that is in the reference (0 to 1).
    pub precision: f64,
    /// Of the reference's words, the share that was extracted (0 to 1).
    pub recall: f64,
    /// The harmonic mean of precision and recall (0 to 1).
    pub f1: f64,
}

/// Word F1 as WCXB's `evaluate.py` computes it: over multisets of `\w+` in the lower-cased texts.
///
/// `\w` is that of Python's `re` (letters, numbers and the underscore; combining marks split words). Two texts
/// without words score 1, one without words scores 0.
///
/// # Examples
/// ```
/// let scores = duramen::word_f1("The old tree", "the tree");
/// assert_eq!((scores.precision, scores.recall), (2.0 / 3.0, 1.0));
/// ```
pub fn word_f1(predicted: &str, reference: &str) -> TextScores {
    f1(predicted, reference, |text| words(text).collect())
}

/// As [`word_f1`], with each character of the scripts that put no spaces between words (Chinese, Japanese, Thai, Lao, Khmer
/// and Burmese) a word of its own: a run of such characters is as long as a sentence, and would have to be found to the
/// last character.
///
/// # Examples
/// ```
/// use duramen::eval::{word_and_character_f1, word_f1};
/// let scores = word_and_character_f1("古い木と若い木", "The 古い木");
/// assert_eq!((scores.precision, scores.recall), (3.0 / 7.0, 3.0 / 4.0));
/// assert_eq!(word_f1("古い木と若い木", "The 古い木").f1, 0.0);
/// ```
pub fn word_and_character_f1(predicted: &str, reference: &str) -> TextScores {
    f1(predicted, reference, |text| words_and_characters(text).collect())
}

fn f1(predicted: &str, reference: &str, words: for<'a> fn(&'a str) -> Vec<&'a str>) -> TextScores {
    // Lower case of the whole text, not word by word: the final sigma depends on what stands around it.
    let (predicted, reference) = (predicted.to_lowercase(), reference.to_lowercase());
    let mut left: HashMap<&str, usize> = HashMap::new();
    let mut n_reference = 0_usize;
    for word in words(&reference) {
        *left.entry(word).or_default() += 1;
        n_reference += 1;
    }
    let (mut n_predicted, mut overlap) = (0_usize, 0_usize);
    for word in words(&predicted) {
        n_predicted += 1;
        if let Some(count @ 1..) = left.get_mut(word) {
            *count -= 1;
            overlap += 1;
        }
    }
    if n_predicted == 0 || n_reference == 0 {
        let score = if n_predicted == n_reference { 1.0 } else { 0.0 };
        return TextScores { precision: score, recall: score, f1: score };
    }
    let precision = overlap as f64 / n_predicted as f64;
    let recall = overlap as f64 / n_reference as f64;
    // The script's own formula, so that results are equal to the last bit.
    let f1 = if overlap == 0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
    TextScores { precision, recall, f1 }
}

/// The matches of Python's `\w+`, in order.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word_character(c)).filter(|word| !word.is_empty())
}

/// The same, cut before and behind each character of a script without spaces: what [`word_and_character_f1`] counts.
pub fn words_and_characters(text: &str) -> impl Iterator<Item = &str> {
    words(text).flat_map(|word| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let mut characters = rest.char_indices();
            let (_, first) = characters.next()?;
            let end = match tokens::has_no_spaces(first) {
                true => first.len_utf8(),
                false => characters.find(|&(_, c)| tokens::has_no_spaces(c)).map_or(rest.len(), |(at, _)| at),
            };
            let (piece, behind) = rest.split_at(end);
            rest = behind;
            Some(piece)
        })
    })
}

/// Python's `\w`: `str.isalnum` or an underscore, which is general category L or N.
fn is_word_character(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn repeated_words_count_as_often_as_they_stand_in_both() {
        let scores = word_f1("oak oak oak elm", "oak oak beech");
        assert_eq!((scores.precision, scores.recall), (2.0 / 4.0, 2.0 / 3.0));
        assert!((scores.f1 - 4.0 / 7.0).abs() < 1e-15);
    }

    #[test]
    fn two_texts_without_words_score_one_and_one_without_words_scores_zero() {
        assert_eq!(word_f1("...", "").f1, 1.0);
        assert_eq!(word_f1("", "bark").f1, 0.0);
        assert_eq!(word_f1("bark", "—").f1, 0.0);
        assert_eq!(word_f1("bark", "leaf"), TextScores { precision: 0.0, recall: 0.0, f1: 0.0 });
    }

    #[test]
    fn words_are_those_of_python() {
        let found: Vec<&str> = words("don't x_y ½ Ⅳ 東京 हिन्दी ⓐ").collect();
        // Vowel signs and the virama are marks, a circled letter is a symbol: neither is \w.
        assert_eq!(found, ["don", "t", "x_y", "½", "Ⅳ", "東京", "ह", "न", "द"]);
    }

    #[test]
    fn characters_of_scripts_without_spaces_are_words() {
        let found: Vec<&str> = words_and_characters("iPhone手机 2台 ต้นไม้ 나무 x_y").collect();
        // Marks are no part of a word in Python; Korean has spaces.
        assert_eq!(found, ["iPhone", "手", "机", "2", "台", "ต", "น", "ไ", "ม", "나무", "x_y"]);
    }

    proptest! {
        #[test]
        fn texts_in_scripts_with_spaces_score_the_same(a in "[a-c ]{0,30}", b in "[a-c ]{0,30}") {
            prop_assert_eq!(word_and_character_f1(&a, &b), word_f1(&a, &b));
        }

        #[test]
        fn changing_the_texts_round_changes_precision_and_recall_round(a in "[a-c ]{0,30}", b in "[a-c ]{0,30}") {
            let (one, other) = (word_f1(&a, &b), word_f1(&b, &a));
            prop_assert_eq!((one.precision, one.recall), (other.recall, other.precision));
            prop_assert!((one.f1 - other.f1).abs() < 1e-15);
        }

        #[test]
        fn the_order_of_words_does_not_matter(mut words in prop::collection::vec("[a-d]{1,2}", 0..12)) {
            let forward = words.join(" ");
            words.reverse();
            prop_assert_eq!(word_f1(&forward, &words.join("-")).f1, 1.0);
        }
    }
}
