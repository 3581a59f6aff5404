//! ROUGE-LSum: the longest common subsequences of sentences, equal to Google's rouge-score package.
//!
//! # References
//! C.-Y. Lin, ROUGE: a package for automatic evaluation of summaries, ACL workshop 2004, section 3.2 (summary-level
//! LCS); the counts are clipped as in ROUGE 1.5.5 and in rouge-score 0.1.2, `rougeLsum` without stemmer.

use std::collections::{BTreeMap, HashMap};

use super::word_f1::TextScores;

/// ROUGE-LSum of an extracted text against the reference text.
///
/// A sentence is a line. A token is a run of ASCII letters and digits in the lower-cased text, so a text in another
/// script has **no tokens** and scores 0, and "naïve" is two; use [`word_f1`](super::word_f1()) for such texts. Of
/// every reference sentence those tokens are hits that stand in its longest common subsequence with any sentence
/// of the extracted text, each token at most as often as it stands in the extracted text. Where several longest
/// subsequences exist, the package's own choice is taken, on which the union depends.
///
/// All three scores are 0 where either text has no token (also where both have none), as in the package.
///
/// # Cost
/// Time is the product of the two numbers of tokens: 1,000 by 1,000 take some ms, 20,000 by 20,000 a second.
/// Memory beyond the tokens is a few MiB, and for two single lines of 100,000 tokens some 50 MiB.
///
/// # Examples
/// ```
/// let scores = duramen::eval::rouge_lsum("the old tree\nfell", "The old oak tree fell.");
/// assert_eq!((scores.precision, scores.recall), (1.0, 0.8));
/// ```
pub fn rouge_lsum(predicted: &str, reference: &str) -> TextScores {
    let (predicted, reference) = (predicted.to_lowercase(), reference.to_lowercase());
    let mut numbers = HashMap::new();
    let predicted = lines_of_tokens(&predicted, &mut numbers);
    let reference = lines_of_tokens(&reference, &mut numbers);
    let n_predicted: usize = predicted.iter().map(Vec::len).sum();
    let n_reference: usize = reference.iter().map(Vec::len).sum();
    if n_predicted == 0 || n_reference == 0 {
        return TextScores { precision: 0.0, recall: 0.0, f1: 0.0 };
    }
    // For each token how often it may still be a hit, and the extracted sentences it stands in.
    let mut left = vec![0_usize; numbers.len()];
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
    for (number, sentence) in predicted.iter().enumerate() {
        for &token in sentence {
            left[token as usize] += 1;
            if places[token as usize].last() != Some(&number) {
                places[token as usize].push(number);
            }
        }
    }
    let mut hits = 0_usize;
    for sentence in &reference {
        // For each extracted sentence the positions of the tokens that it has too.
        let mut shared: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (position, &token) in sentence.iter().enumerate() {
            for &number in &places[token as usize] {
                shared.entry(number).or_default().push(position);
            }
        }
        let mut in_union = vec![false; sentence.len()];
        for (number, positions) in shared {
            mark_common(sentence, &positions, &predicted[number], &mut in_union);
        }
        for (&token, _) in sentence.iter().zip(&in_union).filter(|&(_, &common)| common) {
            let left = &mut left[token as usize];
            if *left > 0 {
                *left -= 1;
                hits += 1;
            }
        }
    }
    let precision = hits as f64 / n_predicted as f64;
    let recall = hits as f64 / n_reference as f64;
    let f1 = if hits == 0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
    TextScores { precision, recall, f1 }
}

/// The tokens of each line of a lower-cased text, numbered by spelling.
fn lines_of_tokens<'a>(text: &'a str, numbers: &mut HashMap<&'a str, u32>) -> Vec<Vec<u32>> {
    let mut number = |token| {
        let next = numbers.len() as u32;
        *numbers.entry(token).or_insert(next)
    };
    let is_other = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit());
    text.split('\n')
        .map(|line| line.split(is_other).filter(|token| !token.is_empty()).map(&mut number).collect())
        .collect()
}

/// Marks the tokens of `reference` that stand in its longest common subsequence with `other`.
///
/// `rows` are the positions of the tokens that `other` has too: the row of any other token in the table of
/// lengths repeats the row above. The table is walked back from its end: over a pair of equal tokens, else to the
/// left only if that is longer.
fn mark_common(reference: &[u32], rows: &[usize], other: &[u32], marks: &mut [bool]) {
    // Only one block of the table is held at a time, with a bit a cell; of the others the row above is kept, from
    // which they are made again.
    let height = block_height(rows.len(), other.len());
    let blocks: Vec<&[usize]> = rows.chunks(height).collect();
    let mut tops = vec![vec![0_u32; other.len() + 1]];
    for block in &blocks[..blocks.len() - 1] {
        let mut row = tops[tops.len() - 1].clone();
        for &i in *block {
            next_row(reference[i], other, &mut row, |_| {});
        }
        tops.push(row);
    }
    let mut column = other.len();
    for (block, mut row) in blocks.into_iter().zip(tops).rev() {
        let mut goes_left = vec![0_u64; (block.len() * other.len()).div_ceil(64)];
        for (y, &i) in block.iter().enumerate() {
            next_row(reference[i], other, &mut row, |x| {
                let at = y * other.len() + x;
                goes_left[at / 64] |= 1 << (at % 64);
            });
        }
        let mut y = block.len();
        while y > 0 && column > 0 {
            let at = (y - 1) * other.len() + column - 1;
            if reference[block[y - 1]] == other[column - 1] {
                marks[block[y - 1]] = true;
                (y, column) = (y - 1, column - 1);
            } else if goes_left[at / 64] >> (at % 64) & 1 == 1 {
                column -= 1;
            } else {
                y -= 1;
            }
        }
    }
}

/// The most cells of a block, 1 MiB of bits.
const MAX_CELLS: usize = 1 << 23;

/// How many rows a block has: all if they fit, else so many that its bits and the kept rows, of 32 bits a cell, take
/// about the same room.
fn block_height(rows: usize, columns: usize) -> usize {
    if rows.saturating_mul(columns) <= MAX_CELLS {
        rows
    } else {
        (32 * rows).isqrt().max(MAX_CELLS / columns)
    }
}

/// The row of the table below `row`, in its place; `goes_left` is told the columns whose left neighbor is longer
/// than the upper one.
fn next_row(token: u32, other: &[u32], row: &mut [u32], mut goes_left: impl FnMut(usize)) {
    let mut diagonal = 0;
    for (x, &candidate) in other.iter().enumerate() {
        let (left, up) = (row[x], row[x + 1]);
        row[x + 1] = if candidate == token {
            diagonal + 1
        } else if left > up {
            goes_left(x);
            left
        } else {
            up
        };
        diagonal = up;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn f1(predicted: &str, reference: &str) -> f64 {
        rouge_lsum(predicted, reference).f1
    }

    #[test]
    fn the_union_over_sentences_counts_and_not_the_best_sentence_alone() {
        // Lin's own example (section 3.2): w1 w2 w3 w4 w5 against w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5 gives 4/5.
        let scores = rouge_lsum("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5");
        assert_eq!((scores.precision, scores.recall), (0.4, 0.8));
    }

    #[test]
    fn a_token_counts_no_more_often_than_it_stands_in_the_extracted_text() {
        assert_eq!(rouge_lsum("oak", "oak\noak\noak").recall, 1.0 / 3.0);
        assert_eq!(rouge_lsum("oak\noak\noak", "oak").precision, 1.0 / 3.0);
    }

    #[test]
    fn order_counts_within_a_line_and_not_across_lines() {
        assert_eq!(f1("tree old the", "the old tree"), 1.0 / 3.0);
        assert_eq!(f1("tree\nold\nthe", "the old tree"), 1.0);
    }

    #[test]
    fn only_ascii_letters_and_digits_are_tokens() {
        assert_eq!(f1("дерево", "дерево"), 0.0);
        assert_eq!(f1("", ""), 0.0);
        assert_eq!(f1("na ve X_Y-2", "naïve x y 2"), 1.0);
    }

    #[test]
    fn a_table_made_in_blocks_gives_what_a_whole_one_gives() {
        // More cells than one block may have, with many ties.
        let text =
            |n: usize, step: usize| -> Vec<u32> { (0..n).map(|i| (i * i / step % 7) as u32).collect() };
        let (reference, other) = (text(5000, 3), text(4000, 5));
        assert!(reference.len() * other.len() > 2 * MAX_CELLS);
        let mut marks = vec![false; reference.len()];
        let rows: Vec<usize> = (0..reference.len()).filter(|&i| other.contains(&reference[i])).collect();
        mark_common(&reference, &rows, &other, &mut marks);
        let mut table = vec![vec![0_u32; other.len() + 1]];
        for &token in &reference {
            let mut row = table[table.len() - 1].clone();
            next_row(token, &other, &mut row, |_| {});
            table.push(row);
        }
        let (mut i, mut j) = (reference.len(), other.len());
        let mut expected = vec![false; reference.len()];
        while i > 0 && j > 0 {
            if reference[i - 1] == other[j - 1] {
                (i, j) = (i - 1, j - 1);
                expected[i] = true;
            } else if table[i][j - 1] > table[i - 1][j] {
                j -= 1;
            } else {
                i -= 1;
            }
        }
        assert!(marks == expected);
        assert_eq!(marks.iter().filter(|&&mark| mark).count() as u32, table[reference.len()][other.len()]);
    }

    proptest! {
        #[test]
        fn scores_are_shares_and_a_text_with_tokens_is_all_of_itself(a in "[a-c \n]{0,40}", b in "[a-c \n]{0,40}") {
            let scores = rouge_lsum(&a, &b);
            for share in [scores.precision, scores.recall, scores.f1] {
                prop_assert!((0.0..=1.0).contains(&share));
            }
            let tokens = a.chars().any(|c| c.is_ascii_lowercase());
            prop_assert_eq!(f1(&a, &a), if tokens { 1.0 } else { 0.0 });
        }

        #[test]
        fn in_one_line_the_hits_are_the_longest_common_subsequence(a in "[a-c ]{0,20}", b in "[a-c ]{0,20}") {
            let (scores, other) = (rouge_lsum(&a, &b), rouge_lsum(&b, &a));
            prop_assert!((scores.precision - other.recall).abs() < 1e-12);
        }
    }
}
