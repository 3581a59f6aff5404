//! The plain filters: what stays, by class or by size.

use crate::extract::boilerpipe::block::Document;

/// Removes the blocks that are not content: BoilerplateBlockFilter.
pub(crate) fn content_only(document: &mut Document) {
    document.blocks.retain(|block| block.is_content);
}

/// Leaves as content the block of most words, the first of several; all others might be content:
/// KeepLargestBlockFilter. Does nothing to a document of one block.
pub(crate) fn largest(document: &mut Document) {
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
pub(crate) fn everything(document: &mut Document) {
    for block in &mut document.blocks {
        block.is_content = true;
    }
}

/// Content needs at least `words` words: MinWordsFilter.
pub(crate) fn min_words(document: &mut Document, words: u32) {
    for block in &mut document.blocks {
        block.is_content &= block.words >= words;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_content_stays() {
        assert_eq!(Document::marked("<p>a<p>+b<p>+c").after(content_only), ["+b", "+c"]);
    }

    #[test]
    fn the_first_of_the_largest_content_blocks_stays_and_the_others_might_be_content() {
        let html = "<p>a b c d<p>+e<p>+f g<p>+h i";
        assert_eq!(Document::marked(html).after(largest), ["a b c d", "e", "+f g", "h i"]);
        let mut document = Document::marked(html);
        largest(&mut document);
        let maybe: Vec<bool> = document.blocks.iter().map(|block| block.might_be_content).collect();
        assert_eq!(maybe, [true, true, false, true]);
        assert_eq!(Document::marked("<p>a<p>b").after(largest), ["a", "b"]);
    }

    #[test]
    fn a_minimum_of_words_is_for_content_alone() {
        let html = "<p>+a b<p>c d<p>+e";
        assert_eq!(Document::marked(html).after(|d| min_words(d, 2)), ["+a b", "c d", "e"]);
        assert_eq!(Document::marked(html).after(everything), ["+a b", "+c d", "+e"]);
    }
}
