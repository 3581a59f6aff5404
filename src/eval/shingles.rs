//! The 4-gram shingle scores of article-extraction-benchmark, equal to its `evaluate.py`.

use std::collections::HashMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::word_f1::words;

/// How many words a shingle has; a shorter text is one shingle.
const SHINGLE: usize = 4;

/// Shares of the shingles of two texts (multisets of four words in a row, case kept) that stand in both, in
/// the extracted text only, or in the reference only. They sum to 1, or are all 0 where no text has a word.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ShingleCounts {
    /// In both texts.
    pub true_positives: f64,
    /// In the extracted text only.
    pub false_positives: f64,
    /// In the reference only.
    pub false_negatives: f64,
}

/// The benchmark's scores of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ShingleSummary {
    /// Mean precision over the pages where anything was extracted.
    pub precision: f64,
    /// Mean recall over the pages whose reference has a word.
    pub recall: f64,
    /// The harmonic mean of the two means (not the mean of F1); 0 where both are 0.
    pub f1: f64,
    /// The share of all pages whose shingles are exactly the reference's.
    pub exact: f64,
}

impl ShingleCounts {
    /// Compares the extracted text `predicted` with `reference`.
    ///
    /// # Examples
    /// ```
    /// let counts = duramen::eval::ShingleCounts::compare("one two three four", "one two three four five");
    /// assert_eq!((counts.precision(), counts.recall()), (1.0, 0.5));
    /// ```
    pub fn compare(predicted: &str, reference: &str) -> ShingleCounts {
        let predicted: Vec<&str> = words(predicted).collect();
        let reference: Vec<&str> = words(reference).collect();
        let mut left: HashMap<&[&str], usize> = HashMap::new();
        let mut n_reference = 0_usize;
        for shingle in shingles(&reference) {
            *left.entry(shingle).or_default() += 1;
            n_reference += 1;
        }
        let (mut n_predicted, mut both) = (0_usize, 0_usize);
        for shingle in shingles(&predicted) {
            n_predicted += 1;
            if let Some(count @ 1..) = left.get_mut(shingle) {
                *count -= 1;
                both += 1;
            }
        }
        let all = (n_predicted + n_reference - both).max(1) as f64;
        ShingleCounts {
            true_positives: both as f64 / all,
            false_positives: (n_predicted - both) as f64 / all,
            false_negatives: (n_reference - both) as f64 / all,
        }
    }

    /// Precision: 1 where the shingles are equal (or both texts empty), 0 where nothing was extracted.
    pub fn precision(&self) -> f64 {
        self.share(self.false_positives)
    }

    /// Recall: 1 where the shingles are equal (or both texts empty), 0 where the reference is empty.
    pub fn recall(&self) -> f64 {
        self.share(self.false_negatives)
    }

    /// Whether both texts have exactly the same shingles.
    pub fn is_exact(&self) -> bool {
        self.false_positives == 0.0 && self.false_negatives == 0.0
    }

    fn share(&self, missed: f64) -> f64 {
        if self.is_exact() {
            1.0
        } else if self.true_positives == 0.0 {
            0.0
        } else {
            self.true_positives / (self.true_positives + missed)
        }
    }
}

/// What a corpus's scores are made of; of several parts of a corpus it adds up.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ShingleSums {
    pages: f64,
    extracted: f64,
    precision: f64,
    referenced: f64,
    recall: f64,
    exact: f64,
}

impl From<&ShingleCounts> for ShingleSums {
    fn from(page: &ShingleCounts) -> ShingleSums {
        let is = |of: bool| f64::from(u8::from(of));
        let extracted = is(page.true_positives + page.false_positives > 0.0);
        let referenced = is(page.true_positives + page.false_negatives > 0.0);
        ShingleSums {
            pages: 1.0,
            extracted,
            precision: extracted * page.precision(),
            referenced,
            recall: referenced * page.recall(),
            exact: is(page.is_exact()),
        }
    }
}

impl AddAssign<&ShingleSums> for ShingleSums {
    fn add_assign(&mut self, other: &ShingleSums) {
        self.pages += other.pages;
        self.extracted += other.extracted;
        self.precision += other.precision;
        self.referenced += other.referenced;
        self.recall += other.recall;
        self.exact += other.exact;
    }
}

impl ShingleSums {
    /// The benchmark's corpus scores; nothing where no page has an extracted text or none a reference text.
    pub fn summary(&self) -> Option<ShingleSummary> {
        if self.extracted == 0.0 || self.referenced == 0.0 {
            return None;
        }
        let (precision, recall) = (self.precision / self.extracted, self.recall / self.referenced);
        let sum = precision + recall;
        let f1 = if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum };
        Some(ShingleSummary { precision, recall, f1, exact: self.exact / self.pages })
    }
}

impl ShingleSummary {
    /// The benchmark's corpus scores, as [`ShingleSums::summary`].
    pub fn from_pages(pages: &[ShingleCounts]) -> Option<ShingleSummary> {
        let mut sums = ShingleSums::default();
        pages.iter().for_each(|page| sums += &ShingleSums::from(page));
        sums.summary()
    }
}

/// All runs of [`SHINGLE`] words; a text with fewer words, but any, is one shingle.
fn shingles<'a, 'b>(words: &'b [&'a str]) -> impl Iterator<Item = &'b [&'a str]> {
    let last = words.len().saturating_sub(SHINGLE);
    (0..=last).map(move |start| &words[start..words.len().min(start + SHINGLE)]).filter(|s| !s.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shared_missed_and_invented_shingles_are_shares_of_all() {
        // Reference: abcd bcde cdef; extracted: abcd bcdx.
        let counts = ShingleCounts::compare("a b c d x", "a b c d e f");
        assert_eq!(counts.true_positives, 0.25);
        assert_eq!(counts.false_positives, 0.25);
        assert_eq!(counts.false_negatives, 0.5);
        assert_eq!((counts.precision(), counts.recall()), (0.5, 1.0 / 3.0));
        assert!(!counts.is_exact());
    }

    #[test]
    fn a_text_of_fewer_than_four_words_is_one_shingle() {
        assert!(ShingleCounts::compare("heart wood", "heart, wood!").is_exact());
        assert_eq!(ShingleCounts::compare("heart", "heart wood").recall(), 0.0);
    }

    #[test]
    fn case_matters_and_punctuation_does_not() {
        assert_eq!(ShingleCounts::compare("Oak", "oak").precision(), 0.0);
        assert!(ShingleCounts::compare("a-b c.d", "a b c d").is_exact());
    }

    #[test]
    fn a_corpus_leaves_out_what_is_undefined_and_takes_the_f1_of_the_means() {
        let pages = [
            ShingleCounts::compare("", ""),
            ShingleCounts::compare("", "one two"),
            ShingleCounts::compare("one two three four", "one two three four five"),
        ];
        let summary = ShingleSummary::from_pages(&pages).unwrap();
        assert_eq!((summary.precision, summary.recall), (1.0, 0.25));
        assert!((summary.f1 - 0.4).abs() < 1e-15);
        assert_eq!(summary.exact, 1.0 / 3.0);
    }

    #[test]
    fn a_corpus_where_nothing_was_extracted_has_no_precision() {
        assert_eq!(ShingleSummary::from_pages(&[ShingleCounts::compare("", "one")]), None);
        assert_eq!(ShingleSummary::from_pages(&[]), None);
    }

    proptest! {
        #[test]
        fn changing_the_texts_round_changes_precision_and_recall_round(a in "[ab ]{0,30}", b in "[ab ]{0,30}") {
            let (one, other) = (ShingleCounts::compare(&a, &b), ShingleCounts::compare(&b, &a));
            prop_assert_eq!((one.precision(), one.recall()), (other.recall(), other.precision()));
        }
    }
}
