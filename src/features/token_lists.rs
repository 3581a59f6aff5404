//! `TokenLists`, the words of each node: those in class, id and role of its elements, or those of its text.

use super::counts::class_hints;
use super::counts::word_keys;
use super::hash;
use super::measures::Measures;
use crate::dom::{Dom, NodeKind};
use crate::view::{PageView, ViewNode};

/// Attributes whose values name a part of the page.
const NAMING: &[&str] = &["id", "class", "role", "itemprop", "itemtype", "data-testid", "data-component"];
/// Bytes of a token of a class; shorter ones are leftovers of numbering, longer ones of generated names.
pub(super) const LENGTHS: std::ops::RangeInclusive<usize> = 2..=24;
/// Of a leaf, so many different words are listed: a long text has no more say than its beginning.
const WORDS: usize = 40;

/// For each node of a view the keys (FNV-1a of the lower-case characters) of some words, each once.
#[derive(Debug, Clone)]
pub struct TokenLists {
    keys: Vec<u64>,
    offsets: Vec<u32>,
}

impl TokenLists {
    /// The [tokens of the classes](class_tokens) of each node, sorted. Linear in the attributes.
    pub fn from_classes(measures: &Measures<'_>) -> Self {
        let dom = measures.page().dom();
        TokenLists::new(measures.view().nodes.iter().map(|node| {
            let mut own: Vec<u64> = class_tokens(dom, node).map(hash::hash_word).collect();
            own.sort_unstable();
            own.dedup();
            own
        }))
    }

    /// The first 40 different words of each leaf, in order; none of inner nodes.
    pub fn from_words(measures: &Measures<'_>) -> Self {
        let view = measures.view();
        TokenLists::new((0..view.tree.len() as u32).map(|v| {
            let mut own: Vec<u64> = Vec::new();
            if view.tree.is_leaf(v) {
                for &key in measures.word_keys().of(view, v) {
                    if own.len() < WORDS && !own.contains(&key) {
                        own.push(key);
                    }
                }
            }
            own
        }))
    }

    fn new(lists: impl Iterator<Item = Vec<u64>>) -> Self {
        let mut tokens = TokenLists { keys: Vec::new(), offsets: vec![0] };
        for list in lists {
            tokens.keys.extend(list);
            tokens.offsets.push(tokens.keys.len() as u32);
        }
        tokens
    }

    /// The keys of a node's own words.
    pub fn of(&self, v: u32) -> &[u64] {
        &self.keys[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    /// The keys of all nodes, one after the other.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }
}

/// The tokens in class, id and role of the elements of a node: from [`ViewNode::node`] out to [`ViewNode::top`].
pub fn class_tokens<'a>(dom: &'a Dom, node: &ViewNode) -> impl Iterator<Item = &'a str> {
    let top = node.top;
    // A run of inline text has no element of its own: that around it names it.
    let mut is_done = false;
    let elements = std::iter::once(node.node).chain(dom.ancestors(node.node)).take_while(move |&id| {
        let take = !is_done;
        is_done = id <= top && dom.kind(id) == NodeKind::Element;
        take
    });
    let values = elements.filter(|&id| dom.kind(id) == NodeKind::Element).flat_map(|id| dom.attributes(id));
    values
        .filter(|(name, _)| NAMING.contains(name))
        .flat_map(|(_, value)| class_hints::words(value))
        .filter(|word| LENGTHS.contains(&word.len()))
}

/// The words of a node's text.
pub fn text_words<'a>(dom: &'a Dom, view: &'a PageView, node: &ViewNode) -> impl Iterator<Item = &'a str> {
    view.texts_of(node).iter().flat_map(move |&id| word_keys::words(dom.text(id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::view::View;

    #[test]
    fn a_node_has_the_tokens_of_the_elements_that_hold_its_text_alone() {
        let html =
            "<div class='page'><div id=mainText2><p class='x lead lead'>A b a</div><p role=note>b</div>";
        let page = Page::parse("test", None, html.as_bytes(), None, &Default::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let measures = Measures::new(&page, &view, None);
        let keys = |words: &[&str]| -> Vec<u64> { words.iter().map(|word| hash::hash_word(word)).collect() };
        let sorted = |words: &[&str]| {
            let mut keys = keys(words);
            keys.sort_unstable();
            keys
        };
        let classes = TokenLists::from_classes(&measures);
        let found: Vec<&[u64]> = (0..view.tree.len() as u32).map(|v| classes.of(v)).collect();
        assert_eq!(found, [sorted(&["page"]), sorted(&["main", "text", "lead"]), sorted(&["note"])]);
        let words = TokenLists::from_words(&measures);
        assert_eq!(
            [words.of(0), words.of(1), words.of(2)],
            [&keys(&[])[..], &keys(&["a", "b"]), &keys(&["b"])]
        );
        let named: Vec<&str> = class_tokens(page.dom(), &view.nodes[1]).collect();
        assert_eq!(named, ["lead", "lead", "main", "Text"]);
        assert_eq!(text_words(page.dom(), &view, &view.nodes[1]).collect::<Vec<_>>(), ["A", "b", "a"]);
    }
}
