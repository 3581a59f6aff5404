//! The headline: blocks that say what `<title>` says, and what stands between them and the text.

use std::collections::BTreeSet;

use crate::extract::boilerpipe::block::Document;
use crate::extract::boilerpipe::block_builder::java_trim;

/// Marks the blocks whose text is the title or its longest part: DocumentTitleMatchClassifier.
pub(crate) fn mark(document: &mut Document) {
    let titles = potential_titles(document.title.as_deref().unwrap_or_default());
    for block in &mut document.blocks {
        if titles.contains(java_trim(&block.text())) {
            block.is_title = true;
            for line in &mut block.lines {
                line.is_title = true;
            }
        }
    }
}

/// The title itself and the longest part of it for each of four sets of marks that separate its parts.
fn potential_titles(title: &str) -> BTreeSet<&str> {
    const MARKS: [&str; 4] = ["|»:", "|»:()", "|»:()-", "|»,:()-"];
    let title = java_trim(title);
    let parts = MARKS.into_iter().filter_map(|marks| longest_part(title, marks));
    std::iter::once(title).chain(parts).filter(|title| !title.is_empty()).collect()
}

/// The longest part of a title that has several, the first of equally long ones. The name of a site is none.
///
/// The original means to count words too, but its pattern `[\b]` parts at backspaces: each part is one word.
fn longest_part<'a>(title: &'a str, marks: &str) -> Option<&'a str> {
    let mut parts: Vec<&str> =
        title.split(|c| marks.contains(c)).map(|part| part.trim_matches(' ')).collect();
    // Java's `split` drops empty parts at the end, and one part alone is none.
    parts.truncate(parts.iter().rposition(|part| !part.is_empty()).map_or(0, |last| last + 1));
    if parts.len() == 1 {
        return None;
    }
    // Lengths are Java's, in units of UTF-16.
    let length = |part: &&str| part.encode_utf16().count();
    let longest = parts.into_iter().filter(|part| !part.contains(".com")).rev().max_by_key(length)?;
    Some(java_trim(longest)).filter(|part| !part.is_empty())
}

/// Makes content what might be content from the last title before the text up to the text:
/// ExpandTitleToContentFilter. Where the first content holds a title itself nothing is done.
pub(crate) fn expand(document: &mut Document) {
    let blocks = &mut document.blocks;
    let Some(start) = blocks.iter().position(|block| block.is_content) else { return };
    let Some(title) = blocks[..=start].iter().rposition(|block| block.is_title) else { return };
    for block in &mut blocks[title..start] {
        block.is_content |= block.might_be_content;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_part_of_a_title_may_be_the_headline() {
        let titles = |title| potential_titles(title).into_iter().collect::<Vec<_>>();
        assert_eq!(titles(" Trees | The Wood "), ["The Wood", "Trees | The Wood"]);
        assert_eq!(
            titles("Oak, old: a tree (part 2)"),
            ["Oak, old", "Oak, old: a tree (part 2)", "a tree", "a tree (part 2)"]
        );
        assert_eq!(titles("Trees | the-wood-of-trees.com"), ["Trees", "Trees | the-wood-of-trees.com"]);
        assert_eq!(titles("One part |"), ["One part |"]);
        assert!(titles(" \n").is_empty());
    }

    #[test]
    fn every_block_with_the_title_is_marked() {
        let mut document =
            Document::marked("<title>Heartwood - News</title><p>Heartwood<p>News<p> Heartwood ");
        mark(&mut document);
        assert_eq!(
            document.blocks.iter().map(|block| block.is_title).collect::<Vec<_>>(),
            [true, false, true]
        );
    }

    #[test]
    fn what_stands_between_the_last_title_and_the_text_becomes_content() {
        let html = "<title>T</title><p>a<p>T<p>b<p>T<p>c<p>+d<p>e<p>T";
        let maybe = |document: &mut Document| {
            mark(document);
            for block in &mut document.blocks {
                block.might_be_content = !block.is_content && block.text() != "c";
            }
            expand(document);
        };
        assert_eq!(Document::marked(html).after(maybe), ["a", "T", "b", "+T", "c", "+d", "e", "T"]);
        let titled = "<title>+T</title><p>+T<p>a";
        assert_eq!(Document::marked(titled).after(maybe), ["+T", "a"]);
        let first = "<title>+T</title><p>T<p>+T";
        assert_eq!(Document::marked(first).after(maybe), ["T", "+T"]);
    }
}
