//! The rows that every comparison carries: everything, nothing, and whatever has more than k words.

use super::registry::{ExtractorInfo, Parameter, Range, Values};
use super::{ExtractError, Extraction, PageExtractor};
use crate::dom::{NodeKind, Tag};
use crate::page::Page;
use crate::tokens;

const WORDS: Parameter = Parameter::new(
    "words",
    Range::Integer { min: 0, max: 10_000, default: 10 },
    "the number of words that a unit must exceed to be kept",
);

pub(super) const ENTRIES: &[ExtractorInfo] = &[
    ExtractorInfo {
        id: "everything",
        summary: "keeps all shown text: recall 1, and the precision of doing nothing",
        reference: "baseline; Boilerpipe's KeepEverythingExtractor (Kohlschütter et al. 2010)",
        needs: &[],
        parameters: &[],
        reads_source: false,
        build: |_| Ok(Box::new(Everything)),
    },
    ExtractorInfo {
        id: "body-text",
        summary: "keeps all text of the body, scripts and styles too: what textContent gives",
        reference: "baseline",
        needs: &[],
        parameters: &[],
        reads_source: false,
        build: |_| Ok(Box::new(BodyText)),
    },
    ExtractorInfo {
        id: "nothing",
        summary: "keeps no text: what an empty output scores",
        reference: "baseline",
        needs: &[],
        parameters: &[],
        reads_source: false,
        build: |_| Ok(Box::new(Nothing)),
    },
    ExtractorInfo {
        id: "more-than-10-words",
        summary: "keeps every text block (run of inline text) of more than 10 words",
        reference: "baseline of the thesis; Boilerpipe's KeepEverythingWithMinKWordsExtractor is its relative",
        needs: &[],
        parameters: &[WORDS],
        reads_source: false,
        build: |values| Ok(Box::new(MoreThanKWords::new(words(values), Unit::Block))),
    },
    ExtractorInfo {
        id: "more-than-10-words-nodes",
        summary: "keeps every text node of the DOM of more than 10 words",
        reference: "baseline of the thesis, on its own nodes",
        needs: &[],
        parameters: &[WORDS],
        reads_source: false,
        build: |values| Ok(Box::new(MoreThanKWords::new(words(values), Unit::TextNode))),
    },
];

fn words(values: &Values<'_>) -> u32 {
    values.small(WORDS.name)
}

/// Keeps every shown text node as full text: recall 1, and the precision that doing nothing gets.
///
/// Shown text ([`Dom::shown_texts`](crate::dom::Dom::shown_texts)) all stands in `<body>`; see [`BodyText`] for what else does.
#[derive(Debug, Clone, Copy, Default)]
pub struct Everything;

impl PageExtractor for Everything {
    fn id(&self) -> &str {
        "everything"
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        Ok(Extraction::from_full_text(page.dom(), page.dom().shown_texts()))
    }
}

/// Keeps every text node of `<body>`, scripts, styles and templates too, as text in document order without any
/// layout: the DOM's `textContent`, and what many a scraper takes for the text of a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct BodyText;

impl PageExtractor for BodyText {
    fn id(&self) -> &str {
        "body-text"
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let dom = page.dom();
        let body = dom.ids().find(|&id| dom.tag(id) == Tag::BODY);
        let texts = body.into_iter().flat_map(|body| dom.subtree(body));
        let mut extraction =
            Extraction::from_full_text(dom, texts.filter(|&id| dom.kind(id) == NodeKind::Text));
        extraction.text = Some(body.map(|body| dom.text_content(body)).unwrap_or_default());
        Ok(extraction)
    }
}

/// Keeps no text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl PageExtractor for Nothing {
    fn id(&self) -> &str {
        "nothing"
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        Ok(Extraction::from_full_text(page.dom(), std::iter::empty()))
    }
}

/// What [`MoreThanKWords`] counts the words of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A text node of the DOM, the thesis's node: a link inside a paragraph splits it in three.
    TextNode,
    /// A leaf of the block tree: a run of inline text, Boilerpipe's text block.
    Block,
}

/// Keeps every unit with more than `k` [tokens] as full text.
///
/// With `k` = 10 it is the baseline of the thesis, "keep every node with more than ten words", and over blocks it
/// is close to Boilerpipe's KeepEverythingWithMinKWordsExtractor (which keeps blocks with at least k).
#[derive(Debug, Clone)]
pub struct MoreThanKWords {
    id: String,
    k: u32,
    unit: Unit,
}

impl MoreThanKWords {
    /// Keeps units of more than `k` words. Its id names `k`: `more-than-10-words`, `more-than-10-words-nodes`.
    pub fn new(k: u32, unit: Unit) -> Self {
        let suffix = match unit {
            Unit::Block => "",
            Unit::TextNode => "-nodes",
        };
        MoreThanKWords { id: format!("more-than-{k}-words{suffix}"), k, unit }
    }
}

impl PageExtractor for MoreThanKWords {
    fn id(&self) -> &str {
        &self.id
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let dom = page.dom();
        Ok(match self.unit {
            Unit::TextNode => Extraction::from_full_text(
                dom,
                dom.shown_texts().filter(|&id| tokens::count(dom.text(id)) > self.k),
            ),
            Unit::Block => {
                let tree = page.blocks();
                let blocks = tree.leaves().filter(|block| tokens::count(&tree.text(dom, block)) > self.k);
                Extraction::from_full_text(dom, blocks.flat_map(|block| tree.texts_of(block)).copied())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;
    use crate::label::Label;

    fn page(html: &str) -> Page {
        Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap()
    }

    fn kept(extractor: &dyn PageExtractor, html: &str) -> Vec<String> {
        let page = page(html);
        let labels = extractor.extract_page(&page).unwrap().labels;
        let dom = page.dom();
        dom.ids()
            .filter(|&id| dom.kind(id) == NodeKind::Text && labels[id] == Label::FullText)
            .map(|id| dom.text(id).to_owned())
            .collect()
    }

    #[test]
    fn everything_keeps_what_is_shown_and_nothing_keeps_none_of_it() {
        let html = "<title>t</title><script>s</script><p>a <b>b</b></p> <noscript>c</noscript>";
        assert_eq!(kept(&Everything, html), ["a ", "b", "c"]);
        assert!(kept(&Nothing, html).is_empty());
    }

    #[test]
    fn the_text_of_the_body_holds_scripts_and_not_the_head() {
        let page = page(
            "<title>t</title><script>s</script><body><p>a <b>b</b></p><script>c()</script><style>d</style>",
        );
        let extraction = PageExtractor::extract_page(&BodyText, &page).unwrap();
        assert_eq!(extraction.text.as_deref(), Some("a bc()d"));
    }

    #[test]
    fn a_block_counts_its_words_across_inline_elements_and_a_node_does_not() {
        let html = "<p>one two <a href=x>three</a> four</p><p>one two three</p><p>one";
        assert_eq!(
            kept(&MoreThanKWords::new(2, Unit::Block), html),
            ["one two ", "three", " four", "one two three"]
        );
        assert_eq!(kept(&MoreThanKWords::new(2, Unit::TextNode), html), ["one two three"]);
    }

    #[test]
    fn exactly_k_words_are_not_more_than_k() {
        let ten = "a b c d e f g h i j";
        assert!(kept(&MoreThanKWords::new(10, Unit::Block), ten).is_empty());
        assert_eq!(kept(&MoreThanKWords::new(10, Unit::Block), &format!("{ten} k")).len(), 1);
    }

    #[test]
    fn an_element_is_full_text_if_all_its_text_is() {
        let page = page("<div><p>one two three</p></div><div><p>one two three</p><p>x</p></div>");
        let labels = MoreThanKWords::new(2, Unit::Block).extract_page(&page).unwrap().labels;
        let divs = page.dom().ids().filter(|&id| page.dom().tag(id) == Tag::DIV);
        assert_eq!(divs.map(|id| labels[id]).collect::<Vec<_>>(), [Label::FullText, Label::NotContent]);
    }
}
