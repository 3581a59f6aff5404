//! FOREST's measure: precision and recall over the sets of 2-grams of two texts.
//!
//! # References
//! M. Oita and P. Senellart, FOREST: focused object retrieval by exploiting significant tag paths, 2012, section 4,
//! "Performance metrics".

use std::collections::HashSet;

use super::word_f1::{TextScores, words};

/// Precision |G ∩ S| / |S|, recall |G ∩ S| / |G| and their harmonic mean, S being the set of pairs of consecutive
/// words of the extracted text and G that of the reference.
///
/// The paper leaves open what a word is ("after a typical normalization"): here the runs of letters, digits and
/// underscores of the lower-cased text, the words of [`word_f1`](super::word_f1()), so that neither white space
/// nor punctuation counts. A text of one word has no pair. Where neither text has a pair all scores are 1, where
/// one has none they are 0.
///
/// # Examples
/// ```
/// let scores = duramen::eval::bigram_f1("The old tree, the old oak", "the old tree");
/// assert_eq!((scores.precision, scores.recall), (0.5, 1.0));
/// ```
pub fn bigram_f1(predicted: &str, reference: &str) -> TextScores {
    let (predicted, reference) = (predicted.to_lowercase(), reference.to_lowercase());
    let (predicted, reference) = (bigrams(&predicted), bigrams(&reference));
    if predicted.is_empty() || reference.is_empty() {
        let score = if predicted.len() == reference.len() { 1.0 } else { 0.0 };
        return TextScores { precision: score, recall: score, f1: score };
    }
    let both = predicted.intersection(&reference).count() as f64;
    TextScores {
        precision: both / predicted.len() as f64,
        recall: both / reference.len() as f64,
        f1: 2.0 * both / (predicted.len() + reference.len()) as f64,
    }
}

fn bigrams(text: &str) -> HashSet<(&str, &str)> {
    words(text).zip(words(text).skip(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_pair_counts_once_however_often_it_stands_there() {
        // Pairs: "a a"; "a a", "a b".
        let scores = bigram_f1("a a a a a", "a a b");
        assert_eq!((scores.precision, scores.recall), (1.0, 0.5));
        assert!((scores.f1 - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn white_space_case_and_punctuation_do_not_matter() {
        assert_eq!(bigram_f1("Old\n\n  oak -- FELL.", "old oak fell").f1, 1.0);
    }

    #[test]
    fn order_matters() {
        assert_eq!(bigram_f1("oak old", "old oak").f1, 0.0);
    }

    #[test]
    fn texts_without_pairs_score_one_against_each_other_and_zero_against_others() {
        assert_eq!(bigram_f1("oak", "").f1, 1.0);
        assert_eq!(bigram_f1("", "old oak").recall, 0.0);
        assert_eq!(bigram_f1("old oak", "oak").precision, 0.0);
    }

    proptest! {
        #[test]
        fn f1_is_the_harmonic_mean(a in "[a-c ]{0,30}", b in "[a-c ]{0,30}") {
            let TextScores { precision: p, recall: r, f1 } = bigram_f1(&a, &b);
            let mean = if p + r == 0.0 { 0.0 } else { 2.0 * p * r / (p + r) };
            prop_assert!((f1 - mean).abs() < 1e-12);
        }
    }
}
