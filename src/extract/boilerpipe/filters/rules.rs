//! The classifiers: rules about a block and its two neighbors, read off decision trees.

use crate::extract::boilerpipe::block::{Document, TextBlock};

/// The rules by numbers of words (C4.8, the paper's algorithm 2): NumWordsRulesClassifier.
pub(crate) fn num_words(document: &mut Document) {
    classify(document, |previous, current, next| {
        if f64::from(current.link_density) > 0.333333 {
            false
        } else if f64::from(previous.link_density) <= 0.555556 {
            current.words > 16 || next.words > 15 || previous.words > 4
        } else {
            current.words > 40 || next.words > 17
        }
    });
}

/// The rules by densities (the paper's algorithm 1): DensityRulesClassifier.
pub(crate) fn densities(document: &mut Document) {
    classify(document, |previous, current, next| {
        if f64::from(current.link_density) > 0.333333 {
            false
        } else if f64::from(previous.link_density) > 0.555556 {
            next.text_density > 11.0
        } else if current.text_density > 9.0 {
            next.text_density != 0.0
        } else {
            next.text_density > 10.0 || previous.text_density > 4.0
        }
    });
}

/// The rules learnt on the KrdWrd Canola corpus: CanolaExtractor's classifier.
pub(crate) fn canola(document: &mut Document) {
    classify(document, |previous, current, next| {
        let among_text = || next.words > 6 && next.link_density == 0.0 && previous.link_density == 0.0;
        current.link_density > 0.0 && next.words > 11
            || current.words > 19
            || among_text() && (current.words > 6 || previous.words > 7 || next.words > 19)
    });
}

/// Makes a block content if the rule says so of the block before, the block and the block after; beyond either end
/// of the page stand blocks without words.
fn classify(document: &mut Document, rule: impl Fn(&TextBlock, &TextBlock, &TextBlock) -> bool) {
    let none = TextBlock::default();
    let blocks = &document.blocks;
    let is_content: Vec<bool> = (0..blocks.len())
        .map(|i| {
            let previous = if i == 0 { &none } else { &blocks[i - 1] };
            rule(previous, &blocks[i], blocks.get(i + 1).unwrap_or(&none))
        })
        .collect();
    for (block, is_content) in document.blocks.iter_mut().zip(is_content) {
        block.is_content = is_content;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of blocks of so many words, all in links where the number is below zero.
    fn page(blocks: &[i32]) -> Document {
        let block = |&words: &i32| {
            let text = "abcdefghi ".repeat(words.unsigned_abs() as usize);
            if words < 0 { format!("<p><a>{text}</a>") } else { format!("<p>{text}") }
        };
        Document::marked(&format!("<body>{}", blocks.iter().map(block).collect::<String>()))
    }

    fn kept(blocks: &[i32], filter: fn(&mut Document)) -> String {
        let mut document = page(blocks);
        filter(&mut document);
        document.blocks.iter().map(|block| if block.is_content { '+' } else { '-' }).collect()
    }

    #[test]
    fn numbers_of_words_decide_with_the_neighbors() {
        assert_eq!(kept(&[4, 16, 15], num_words), "+-+");
        assert_eq!(kept(&[17], num_words), "+");
        assert_eq!(kept(&[1, 16], num_words), "+-");
        assert_eq!(kept(&[-50, 40, 17], num_words), "--+");
        assert_eq!(kept(&[-1, 41], num_words), "-+");
        assert_eq!(kept(&[-1, 1, 18], num_words), "-++");
    }

    #[test]
    fn densities_decide_with_the_neighbors() {
        // Words of nine letters fill lines at a density of 8; single words stand for themselves.
        assert_eq!(kept(&[4, 3], densities), "--");
        assert_eq!(kept(&[5, 3], densities), "-+");
        assert_eq!(kept(&[-20, 5, 3], densities), "--+");
        let dense = "<p>".to_owned() + &"a ".repeat(50);
        let mut document = Document::marked(&(dense.clone() + "<p>one two" + &dense + "<p>***"));
        densities(&mut document);
        let content: Vec<bool> = document.blocks.iter().map(|block| block.is_content).collect();
        assert_eq!(content, [true, true, false, true]);
    }

    #[test]
    fn canola_takes_long_blocks_and_blocks_among_text() {
        assert_eq!(kept(&[19], canola), "-");
        assert_eq!(kept(&[20], canola), "+");
        assert_eq!(kept(&[-1, 12], canola), "+-");
        assert_eq!(kept(&[1, 7, 7, 6], canola), "-+--");
        assert_eq!(kept(&[8, 1, 7, -7], canola), "-+--");
    }

    #[test]
    fn a_page_without_blocks_stays_so() {
        assert_eq!(kept(&[], num_words) + &kept(&[], densities) + &kept(&[], canola), "");
    }
}
