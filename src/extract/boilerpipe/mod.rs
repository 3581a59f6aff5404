//! Boilerpipe 1.2.0, block for block: shallow text features and rules over neighboring blocks.
//!
//! C. Kohlschütter, P. Fankhauser and W. Nejdl, "Boilerplate Detection using Shallow Text Features", WSDM 2010, gives
//! the features and the rules of the classifiers (sections 3 and 4, algorithms 1 and 2); the chains of filters around
//! them are those of the authors' program, release 1.2.0, whose behavior this is written after, its slips included.
//! `docs/BOILERPIPE.md` tells how near it comes to the original, page by page, and where they part.
//!
//! Choices:
//! - The page is the tree that the WHATWG standard gives, walked as the events of a SAX parser; the original reads
//!   its events from NekoHTML.
//! - A text node is content as a whole or not at all, as blocks part only at elements. Its label is full text; in a
//!   block that the title classifier found (article and article-sentences) it is headline, so that a view of the
//!   full text alone does not count it as an error.
//! - The extraction's text is the original's: the content blocks, a line each.

mod block;
mod block_builder;
mod chains;
mod filters;
mod tokenizer;

use chains::Chain;

use super::registry::{ExtractorInfo, Parameter, Range};
use super::{ExtractError, Extraction, PageExtractor};
use crate::dom::Dom;
use crate::index::{NodeId, NodeMap};
use crate::label::Label;
use crate::page::Page;

const REFERENCE: &str = "Kohlschütter, Fankhauser and Nejdl, Boilerplate Detection using Shallow Text Features, \
                         WSDM 2010; Boilerpipe 1.2.0";

macro_rules! entry {
    ($id:literal, $chain:expr, $summary:literal) => {
        ExtractorInfo {
            id: $id,
            summary: $summary,
            reference: REFERENCE,
            needs: &[],
            parameters: &[],
            reads_source: false,
            build: |_| Ok(Box::new(Boilerpipe { id: $id, chain: $chain })),
        }
    };
}

/// The extractors of Boilerpipe.
pub(super) const ENTRIES: &[ExtractorInfo] = &[
    entry!(
        "boilerpipe-article",
        Chain::Article,
        "Boilerpipe's ArticleExtractor: the largest run of text by numbers of words and links, with the headline"
    ),
    entry!(
        "boilerpipe-default",
        Chain::Default,
        "Boilerpipe's DefaultExtractor: blocks of dense text and few links"
    ),
    entry!(
        "boilerpipe-article-sentences",
        Chain::ArticleSentences,
        "Boilerpipe's ArticleSentencesExtractor: of the article the blocks that hold a clause"
    ),
    entry!(
        "boilerpipe-largest-content",
        Chain::LargestContent,
        "Boilerpipe's LargestContentExtractor: the largest run of text by numbers of words and links"
    ),
    entry!(
        "boilerpipe-canola",
        Chain::Canola,
        "Boilerpipe's CanolaExtractor: rules learnt on the KrdWrd Canola corpus"
    ),
    entry!(
        "boilerpipe-num-words-rules",
        Chain::NumWordsRules,
        "Boilerpipe's NumWordsRulesExtractor: blocks of many words and few links"
    ),
    entry!(
        "boilerpipe-keep-everything",
        Chain::KeepEverything,
        "Boilerpipe's KeepEverythingExtractor: all blocks"
    ),
    ExtractorInfo {
        id: MIN_K_WORDS,
        summary: "Boilerpipe's KeepEverythingWithMinKWordsExtractor: blocks of at least k words",
        reference: REFERENCE,
        needs: &[],
        parameters: &[Parameter::new(
            "words",
            Range::Integer { min: 0, max: 10_000, default: 10 },
            "the fewest words of a block that is kept",
        )],
        reads_source: false,
        build: |values| {
            let chain = Chain::KeepEverythingWithMinKWords(values.small("words"));
            Ok(Box::new(Boilerpipe { id: MIN_K_WORDS, chain }))
        },
    },
];

const MIN_K_WORDS: &str = "boilerpipe-keep-everything-with-min-k-words";

/// A text block as Boilerpipe cuts it and counts it, before any filter.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Its text; inner white space is kept as blanks.
    pub text: String,
    /// The text nodes with its text, white space apart.
    pub nodes: Vec<NodeId>,
    /// Its words by Boilerpipe's tokenizer.
    pub words: u32,
    /// Words a line, over the lines of 80 characters that it fills; its words if it fills none.
    pub text_density: f32,
    /// The share of its words that stand in links, 0 to 1.
    pub link_density: f32,
}

/// The text blocks of a page in page order. Linear in the page.
///
/// # Examples
/// ```
/// use duramen::dom::{Dom, Limits};
/// use duramen::extract::boilerpipe::blocks;
/// let dom = Dom::parse(b"<p>Heart<b>wood</b> is dead<p><a href=x>More</a> trees", None, &Limits::default())?;
/// let blocks = blocks(&dom);
/// assert_eq!((blocks[0].text.as_str(), blocks[0].words), ("Heartwood is dead", 3));
/// assert_eq!((blocks[1].text.as_str(), blocks[1].link_density), ("More trees", 0.5));
/// # Ok::<(), duramen::error::PageProblem>(())
/// ```
pub fn blocks(dom: &Dom) -> Vec<Block> {
    let blocks = block_builder::build(dom).blocks.into_iter();
    let public = |mut block: block::TextBlock| {
        let line = block.lines.pop()?;
        let (text, nodes) = (line.text, line.nodes);
        let block::TextBlock { words, text_density, link_density, .. } = block;
        Some(Block { text, nodes, words, text_density, link_density })
    };
    blocks.filter_map(public).collect()
}

/// One of the extractors of Boilerpipe. Linear in the page.
struct Boilerpipe {
    id: &'static str,
    chain: Chain,
}

impl PageExtractor for Boilerpipe {
    fn id(&self) -> &str {
        self.id
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let dom = page.dom();
        let mut document = block_builder::build(dom);
        self.chain.run(&mut document);
        let mut labels = NodeMap::filled(dom.len(), Label::NotContent);
        let content = document.blocks.iter().filter(|block| block.is_content);
        for line in content.flat_map(|block| &block.lines) {
            for &node in &line.nodes {
                labels[node] = if line.is_title { Label::Headline } else { Label::FullText };
            }
        }
        Ok(Extraction { text: Some(document.content()), ..Extraction::from_text_labels(dom, labels) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    fn extract(chain: Chain, html: &str) -> (Page, Extraction) {
        let page = Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let extraction = Boilerpipe { id: "test", chain }.extract_page(&page).unwrap();
        (page, extraction)
    }

    #[test]
    fn an_article_is_its_headline_and_its_largest_run_of_text() {
        let text =
            "Heartwood is the dead wood in the middle of a tree, and it carries the rest of it. ".repeat(3);
        let html = format!(
            "<title>Heartwood | The Wood</title><ul><li><a href=a>Home</a><li><a href=b>Trees</a></ul>\
             <h1>Heartwood</h1><p>{text}</p><p>{text}</p><p>Comments</p><p>{text}</p>"
        );
        let (page, extraction) = extract(Chain::Article, &html);
        let text = text.trim_end();
        // Content is fused with the block before it, whatever that is.
        assert_eq!(extraction.text.unwrap(), format!("Trees\nHeartwood\n{text}\n{text}\n"));
        let dom = page.dom();
        let labels = dom.shown_texts().filter(|&id| extraction.labels[id] != Label::NotContent);
        let labels: Vec<(&str, Label)> =
            labels.map(|id| (dom.text(id).trim(), extraction.labels[id])).collect();
        assert_eq!(
            labels,
            [
                ("Trees", Label::FullText),
                ("Heartwood", Label::Headline),
                (text, Label::FullText),
                (text, Label::FullText)
            ]
        );
    }

    #[test]
    fn each_chain_keeps_its_own_share_of_a_page() {
        let long = "A sentence, to be read, of more than sixteen words in all, so that each of the rules will take it for text.";
        let html = format!("<p>Menu<p>{long}<p>{long}<p><a href=x>{long}</a><p>{long}");
        let lines = |chain| extract(chain, &html).1.text.unwrap().lines().count();
        assert_eq!(lines(Chain::KeepEverything), 5);
        assert_eq!(lines(Chain::KeepEverythingWithMinKWords(10)), 4);
        assert_eq!(lines(Chain::KeepEverythingWithMinKWords(1)), 5);
        assert_eq!(lines(Chain::NumWordsRules), 3);
        assert_eq!(lines(Chain::Canola), 5);
        assert_eq!(lines(Chain::LargestContent), 3);
        assert_eq!(lines(Chain::ArticleSentences), 2);
    }

    #[test]
    fn a_page_of_a_hundred_thousand_blocks_is_one_article_in_linear_time() {
        let html = "<p>this block of text holds some more than the sixteen words that it takes to be content by the rules."
            .repeat(100_000);
        let (_, extraction) = extract(Chain::ArticleSentences, &html);
        assert_eq!(extraction.text.unwrap().lines().count(), 100_000);
    }
}
