//! The classifiers: rules about a block and its two neighbors, read off decision trees.

use crate::extract::boilerpipe::block::{Document, TextBlock};

/// The rules by numbers of words (C4.8, the paper's algorithm 2): NumWordsRulesClassifier.
pub(in crate::extract::boilerpipe) fn num_words(document: &mut Document) {
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
pub(in crate::extract::boilerpipe) fn densities(document: &mut Document) {
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
pub(in crate::extract::boilerpipe) fn canola(document: &mut Document) {
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
