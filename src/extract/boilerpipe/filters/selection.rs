//! The plain filters: what stays, by class or by size.

use crate::extract::boilerpipe::block::Document;

/// Removes the blocks that are not content: BoilerplateBlockFilter.
pub(in crate::extract::boilerpipe) fn content_only(document: &mut Document) {
    document.blocks.retain(|block| block.is_content);
}

/// Leaves as content the block of most words, the first of several; all others might be content:
/// KeepLargestBlockFilter. Does nothing to a document of one block.
pub(in crate::extract::boilerpipe) fn largest(document: &mut Document) {
    if document.blocks.len() < 2 {
        return;
    }
    let content = document.blocks.iter().enumerate().filter(|(_, block)| block.is_content);
    let largest = content.rev().max_by_key(|(_, block)| block.words).map(|(i, _)| i);
    for (i, block) in document.blocks.iter_mut().enumerate() {
        block.is_content = Some(i) == largest;
        block.might_be_content |= !block.is_content;
    }
}

/// Makes every block content: MarkEverythingContentFilter.
pub(in crate::extract::boilerpipe) fn everything(document: &mut Document) {
    for block in &mut document.blocks {
        block.is_content = true;
    }
}

/// Content needs at least `words` words: MinWordsFilter.
pub(in crate::extract::boilerpipe) fn min_words(document: &mut Document, words: u32) {
    for block in &mut document.blocks {
        block.is_content &= block.words >= words;
    }
}
