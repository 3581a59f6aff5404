//! The end of an article: blocks that begin the readers' comments, and the cut there.

use crate::extract::boilerpipe::block::Document;
use crate::extract::boilerpipe::block_builder::java_trim;

/// A block of so many words or more is text.
const MAX_WORDS: u32 = 15;
/// A shorter text, in units of UTF-16, says nothing.
const MIN_LENGTH: usize = 8;
/// How much full text must come before an end, in words.
const MIN_TEXT: u32 = 60;

/// What the text of such a block begins with, ...
const BEGINNINGS: [&str; 4] = ["comments", "© reuters", "please rate this", "post a comment"];
/// ... what follows a number at its beginning, ...
const AFTER_NUMBER: [&str; 2] = [" comments", " users responded in"];
/// ... and what it holds; all in lower case.
const PARTS: [&str; 7] = [
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
    "rätta artikeln",
];
const WHOLE: &str = "thanks for your comments - this feedback is now closed";

/// Marks short blocks that end an article: TerminatingBlocksFinder.
pub(crate) fn mark(document: &mut Document) {
    for block in document.blocks.iter_mut().filter(|block| block.words < MAX_WORDS) {
        let text = block.text();
        block.ends_text |= ends_text(java_trim(&text));
    }
}

fn ends_text(text: &str) -> bool {
    if text.encode_utf16().take(MIN_LENGTH).count() < MIN_LENGTH {
        return false;
    }
    let text = text.to_lowercase();
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
        || after_number.len() < text.len() && AFTER_NUMBER.iter().any(|words| after_number.starts_with(words))
        || PARTS.iter().any(|part| text.contains(part))
        || text == WHOLE
}

/// What comes from a marked block on is not content, once 60 words of full text have come:
/// IgnoreBlocksAfterContentFilter.
pub(crate) fn cut(document: &mut Document) {
    let (mut words, mut ended) = (0, false);
    for block in &mut document.blocks {
        if block.is_content {
            words += block.full_text_words();
        }
        ended |= block.ends_text && words >= MIN_TEXT;
        block.is_content &= !ended;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginnings_of_comments_end_a_text() {
        for text in [
            "Comments",
            "12 Comments",
            "3 users responded in this post",
            "© Reuters 2008",
            "Tell us what you think...",
            "RÄTTA ARTIKELN",
            "Thanks for your comments - this feedback is now closed",
        ] {
            assert!(ends_text(text), "{text}");
        }
        for text in ["Comment", "No comments", "comment", "users responded in", "12comments"] {
            assert!(!ends_text(text), "{text}");
        }
    }

    #[test]
    fn a_long_block_is_no_end() {
        let mut document = Document::marked(&format!("<p>Comments {}<p>Comments", "word ".repeat(14)));
        mark(&mut document);
        assert_eq!(document.blocks.iter().map(|block| block.ends_text).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn nothing_after_an_end_is_content_once_60_words_of_full_text_came() {
        let end = |words: usize| {
            let html = format!("<p>+ {}<p>Comments<p>+more", "word ".repeat(words));
            Document::marked(&html).after(|document| {
                mark(document);
                cut(document);
            })
        };
        assert_eq!(end(60)[1..], ["Comments", "more"]);
        assert_eq!(end(59)[1..], ["Comments", "+more"]);
    }
}
