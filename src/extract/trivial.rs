//! The rows that every comparison carries: everything, nothing, and whatever has more than k words.

use super::{ExtractError, Extraction, PageExtractor};
use crate::dom::{BlockKind, Dom, NodeKind};
use crate::index::{NodeId, NodeMap};
use crate::label::Label;
use crate::page::Page;
use crate::tokens;

/// Keeps every shown text node as full text: recall 1, and the precision that doing nothing gets.
///
/// Shown text ([`Dom::shown_texts`]) all stands in `<body>`, so an extractor of the body alone would be this one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Everything;

impl PageExtractor for Everything {
    fn id(&self) -> &str {
        "everything"
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        Ok(full_text(page.dom(), page.dom().shown_texts()))
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
        Ok(full_text(page.dom(), std::iter::empty()))
    }
}

/// What [`MoreThanKWords`] counts the words of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A text node of the DOM, the thesis's node: a link inside a paragraph parts it in three.
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
            Unit::TextNode => {
                full_text(dom, dom.shown_texts().filter(|&id| tokens::count(dom.text(id)) > self.k))
            }
            Unit::Block => {
                let tree = page.blocks();
                let long = |block: &&crate::dom::blocks::Block| {
                    block.kind == BlockKind::Leaf && tokens::count(&tree.text(dom, block)) > self.k
                };
                let blocks = tree.blocks().iter().filter(long);
                full_text(dom, blocks.flat_map(|block| tree.texts_of(block)).copied())
            }
        })
    }
}

/// Full text for the given text nodes and for every element whose shown text is among them throughout; not
/// content for all others.
fn full_text(dom: &Dom, texts: impl Iterator<Item = NodeId>) -> Extraction {
    let mut labels = NodeMap::filled(dom.len(), Label::NotContent);
    for id in texts {
        labels[id] = Label::FullText;
    }
    let mut shown = NodeMap::filled(dom.len(), 0u32);
    let mut kept = NodeMap::filled(dom.len(), 0u32);
    for id in dom.shown_texts() {
        shown[id] = 1;
        kept[id] = u32::from(labels[id] == Label::FullText);
    }
    for id in dom.ids().rev() {
        if let Some(parent) = dom.parent(id) {
            shown[parent] += shown[id];
            kept[parent] += kept[id];
        }
        if dom.kind(id) != NodeKind::Text && kept[id] > 0 && kept[id] == shown[id] {
            labels[id] = Label::FullText;
        }
    }
    Extraction::of_labels(labels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::{Limits, Tag};

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
