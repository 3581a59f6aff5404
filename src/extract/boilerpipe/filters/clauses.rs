//! Sentences: fused blocks are split again, and those without a clause of some words are dropped.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::extract::boilerpipe::block::{Document, TextBlock};

/// The fewest words of a clause.
const MIN_WORDS: usize = 5;

/// Splits blocks at the line ends that fusing them made: SplitParagraphBlocksFilter.
pub(crate) fn split(document: &mut Document) {
    let blocks = std::mem::take(&mut document.blocks);
    document.blocks = blocks.into_iter().flat_map(TextBlock::split).collect();
}

/// Content needs a clause of five words that ends with a mark: MinClauseWordsFilter.
pub(crate) fn min_words(document: &mut Document) {
    for block in document.blocks.iter_mut().filter(|block| block.is_content) {
        block.is_content = has_clause(&block.text());
    }
}

/// A clause goes from the end of the one before up to a letter or digit that one of `,.:;!?` follows, and then a
/// blank or the end. It has one word more than runs of blanks.
fn has_clause(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let mut start = 0;
    let mut at = 0;
    while at < characters.len() {
        if !is_letter_or_digit(characters[at]) {
            at += 1;
            continue;
        }
        let marks = characters[at + 1..].iter().take_while(|c| ",.:;!?".contains(**c)).count();
        let after = at + 1 + marks;
        let blanks = characters[after..].iter().take_while(|&&c| is_blank(c)).count();
        if marks == 0 || blanks == 0 && after < characters.len() {
            at += 1;
            continue;
        }
        let clause = &characters[start..=at];
        let is_run_start = |i: usize| is_blank(clause[i]) && (i == 0 || !is_blank(clause[i - 1]));
        if 1 + (0..clause.len()).filter(|&i| is_run_start(i)).count() >= MIN_WORDS {
            return true;
        }
        (start, at) = (after + blanks, after + blanks);
    }
    false
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\r')
}

/// `[\p{L}\d]` of Java.
fn is_letter_or_digit(c: char) -> bool {
    c.is_ascii_digit() || c.general_category_group() == GeneralCategoryGroup::Letter
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::boilerpipe::filters::fusion;

    #[test]
    fn fused_blocks_are_split_again_and_keep_their_class() {
        let split_again = |document: &mut Document| {
            fusion::near(document);
            split(document);
        };
        assert_eq!(Document::marked("<p>a<p>+b<p>c").after(split_again), ["+a", "+b", "c"]);
    }

    #[test]
    fn a_clause_of_five_words_ends_with_a_mark() {
        assert!(has_clause("This is a whole sentence."));
        assert!(has_clause("Yes. This is a whole clause, and more"));
        assert!(has_clause("all of the year 2026?!"));
        assert!(!has_clause("This is a whole sentence"));
        assert!(!has_clause("Of four words each. Of four words each."));
        assert!(!has_clause("one two three four v1.5 six"));
        assert!(!has_clause("a sentence in a quote\". x"));
        assert!(!has_clause(""));
    }

    #[test]
    fn blocks_without_a_clause_are_no_content() {
        let html = "<p>+This is a whole sentence.<p>+Menu<p>This is another whole sentence.";
        assert_eq!(
            Document::marked(html).after(min_words),
            ["+This is a whole sentence.", "Menu", "This is another whole sentence."]
        );
    }
}
