//! `Document` and `TextBlock`, what Boilerpipe's filters work on.

use std::borrow::Cow;

use crate::index::NodeId;

/// A page as Boilerpipe sees it: its title and its blocks in page order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Document {
    /// The text of `<title>`, if it has one.
    pub title: Option<String>,
    pub blocks: Vec<TextBlock>,
}

impl Document {
    /// The text of the content blocks, a line each and a line end after each block.
    pub fn content(&self) -> String {
        let mut text = String::new();
        for line in self.blocks.iter().filter(|block| block.is_content).flat_map(|block| &block.lines) {
            text.push_str(&line.text);
            text.push('\n');
        }
        text
    }

    /// Merges each block for which `fuses` says so into the block before it. Linear, unlike the original, which
    /// takes the merged block out of an array.
    pub fn fuse(&mut self, mut fuses: impl FnMut(&TextBlock, &TextBlock) -> bool) {
        let mut fused: Vec<TextBlock> = Vec::with_capacity(self.blocks.len());
        for block in self.blocks.drain(..) {
            match fused.last_mut() {
                Some(previous) if fuses(previous, &block) => previous.merge(block),
                _ => fused.push(block),
            }
        }
        self.blocks = fused;
    }
}

/// A block as it was on the page; a [`TextBlock`] holds several of them after a fusion.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Line {
    /// The text as Boilerpipe gives it, without white space at its ends.
    pub text: String,
    /// The text nodes with characters that are not white space.
    pub nodes: Vec<NodeId>,
    /// Whether the text is one of the potential titles.
    pub is_title: bool,
}

/// A block of text with the counts that the rules are about.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TextBlock {
    pub lines: Vec<Line>,
    pub words: u32,
    pub anchor_words: u32,
    /// Words in the lines that are full, if the text is set in lines of 80 characters.
    wrapped_words: u32,
    wrapped_lines: u32,
    /// Words in full lines by lines; words of a block that fills none.
    pub text_density: f32,
    /// The share of words in links, 0 to 1.
    pub link_density: f32,
    /// The number of the first of the page's blocks in it, and of the last.
    pub first: i64,
    pub last: i64,
    pub is_content: bool,
    /// The labels of the original that its extractors read.
    pub is_title: bool,
    pub ends_text: bool,
    pub might_be_content: bool,
}

/// The counts of one block of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub words: u32,
    pub anchor_words: u32,
    pub wrapped_words: u32,
    pub wrapped_lines: u32,
}

impl TextBlock {
    /// The `number`th block of a page.
    pub fn new(text: String, nodes: Vec<NodeId>, counts: Counts, number: usize) -> Self {
        let mut block = TextBlock {
            lines: vec![Line { text, nodes, is_title: false }],
            words: counts.words,
            anchor_words: counts.anchor_words,
            wrapped_words: counts.wrapped_words,
            wrapped_lines: counts.wrapped_lines,
            first: number as i64,
            last: number as i64,
            ..TextBlock::default()
        };
        block.measure();
        block
    }

    /// The text as Boilerpipe gives it, with a line end between blocks that were fused.
    pub fn text(&self) -> Cow<'_, str> {
        match self.lines.as_slice() {
            [line] => Cow::Borrowed(&line.text),
            lines => lines.iter().map(|line| &*line.text).collect::<Vec<_>>().join("\n").into(),
        }
    }

    /// Takes in the block after it.
    pub fn merge(&mut self, next: TextBlock) {
        self.lines.extend(next.lines);
        self.words += next.words;
        self.anchor_words += next.anchor_words;
        self.wrapped_words += next.wrapped_words;
        self.wrapped_lines += next.wrapped_lines;
        self.first = self.first.min(next.first);
        self.last = self.last.max(next.last);
        self.is_content |= next.is_content;
        self.is_title |= next.is_title;
        self.ends_text |= next.ends_text;
        self.might_be_content |= next.might_be_content;
        self.measure();
    }

    /// The blocks of the page that it was made from. They keep its counts, which the original sets to nothing: no
    /// filter after a split asks for them.
    pub fn split(mut self) -> impl Iterator<Item = TextBlock> {
        let lines = std::mem::take(&mut self.lines);
        lines.into_iter().map(move |line| TextBlock { lines: vec![line], ..self.clone() })
    }

    /// The words of a block that is dense enough to be running text, 0 of any other.
    pub fn full_text_words(&self) -> u32 {
        if self.text_density >= 9.0 { self.words } else { 0 }
    }

    /// In single precision as in the original: the rules compare densities for being equal.
    fn measure(&mut self) {
        if self.wrapped_words == 0 {
            self.wrapped_words = self.words;
            self.wrapped_lines = 1;
        }
        self.text_density = self.wrapped_words as f32 / self.wrapped_lines as f32;
        self.link_density = if self.words == 0 { 0.0 } else { self.anchor_words as f32 / self.words as f32 };
    }
}

/// What the tests of the filters begin with.
#[cfg(test)]
impl Document {
    /// The blocks of a page, with those content whose text begins with a plus sign.
    pub fn marked(html: &str) -> Document {
        let limits = crate::dom::Limits::default();
        let dom = crate::dom::Dom::parse(html.as_bytes(), None, &limits).unwrap();
        let mut document = super::block_builder::build(&dom);
        for block in &mut document.blocks {
            block.is_content = block.text().starts_with('+');
        }
        document
    }

    /// The text of every block after a filter, with a plus sign before the content.
    pub fn after(mut self, filter: impl FnOnce(&mut Document)) -> Vec<String> {
        filter(&mut self);
        let text = |block: &TextBlock| {
            let sign = if block.is_content { "+" } else { "" };
            format!("{sign}{}", block.text().trim_start_matches('+').replace("\n+", "\n"))
        };
        self.blocks.iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merged_block_has_the_counts_and_the_lines_of_both() {
        let mut blocks = Document::marked("<p>one <a>two</a><p>three</p>").blocks;
        let second = blocks.pop().unwrap();
        blocks[0].merge(second);
        let block = &blocks[0];
        assert_eq!((block.words, block.anchor_words, block.first, block.last), (3, 1, 0, 1));
        assert_eq!(block.text(), "one two\nthree");
        // Each of the two fills less than a line, so each counts as one.
        assert_eq!((block.text_density, block.link_density), (1.5, 1.0 / 3.0));
        assert_eq!(
            block.clone().split().map(|part| part.text().into_owned()).collect::<Vec<_>>(),
            ["one two", "three"]
        );
    }

    #[test]
    fn a_block_without_words_has_no_density() {
        let blocks = Document::marked("<p>***").blocks;
        assert_eq!((blocks[0].words, blocks[0].text_density, blocks[0].link_density), (0, 0.0, 0.0));
    }

    #[test]
    fn the_text_of_a_document_is_a_line_for_each_content_block() {
        let document = Document::marked("<p>+one<p>two<p>+ three");
        assert_eq!(document.content(), "+one\n+ three\n");
    }
}
