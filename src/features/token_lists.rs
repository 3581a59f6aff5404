//! `TokenLists`, the words of each node: those in class, id and role of its elements, or those of its text.

use super::counts::class_hints;
use super::counts::class_names::NAMING;
use super::counts::word_keys;
use super::hash;
use super::measures::Measures;
use crate::dom::{Dom, NodeKind};
use crate::index::NodeId;
use crate::view::{PageView, ViewNode};

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
        let (dom, names) = (measures.page().dom(), &measures.walk.names);
        let keys = names.of_words(|word| is_token(word).then(|| hash::hash_word(word)));
        let mut own: Vec<u64> = Vec::new();
        TokenLists::new(measures.view().nodes.iter(), |node, tokens| {
            own.clear();
            for &value in elements(dom, node).flat_map(|id| names.all(id)) {
                own.extend(names.words_of(value).iter().filter_map(|&word| keys[word as usize]));
            }
            own.sort_unstable();
            own.dedup();
            tokens.extend(&own);
        })
    }

    /// The first 40 different words of each leaf, in order; none of inner nodes.
    pub fn from_words(measures: &Measures<'_>) -> Self {
        let view = measures.view();
        TokenLists::new(0..view.tree.len() as u32, |v, tokens| {
            let start = tokens.len();
            let keys = if view.tree.is_leaf(v) { measures.counts().word_keys.of(view, v) } else { &[] };
            for key in keys {
                if tokens.len() - start < WORDS && !tokens[start..].contains(key) {
                    tokens.push(*key);
                }
            }
        })
    }

    /// The lists of nodes in order; `add` puts that of one node at the end.
    fn new<T>(nodes: impl ExactSizeIterator<Item = T>, mut add: impl FnMut(T, &mut Vec<u64>)) -> Self {
        let mut tokens = TokenLists {
            keys: Vec::with_capacity(4 * nodes.len()),
            offsets: Vec::with_capacity(nodes.len() + 1),
        };
        tokens.offsets.push(0);
        for node in nodes {
            add(node, &mut tokens.keys);
            tokens.offsets.push(tokens.keys.len() as u32);
        }
        tokens
    }

    /// Keeps those words alone that `is_kept` names, and no room for more.
    pub fn retain(&mut self, is_kept: impl Fn(u64) -> bool) {
        let mut keys = Vec::new();
        let mut start = 0;
        for end in &mut self.offsets[1..] {
            let own = &self.keys[start..*end as usize];
            start = *end as usize;
            keys.extend(own.iter().filter(|&&key| is_kept(key)));
            *end = keys.len() as u32;
        }
        keys.shrink_to_fit();
        self.keys = keys;
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
    let values = elements(dom, node).flat_map(|id| dom.attributes(id));
    values
        .filter(|(name, _)| NAMING.contains(name))
        .flat_map(|(_, value)| class_hints::words(value))
        .filter(|word| is_token(word))
}

fn is_token(word: &str) -> bool {
    LENGTHS.contains(&word.len())
}

/// The elements of a node, from the inside out.
fn elements<'a>(dom: &'a Dom, node: &ViewNode) -> impl Iterator<Item = NodeId> + use<'a> {
    let top = node.top;
    // A run of inline text has no element of its own: that around it names it.
    let mut is_done = false;
    let nodes = std::iter::once(node.node).chain(dom.ancestors(node.node)).take_while(move |&id| {
        let take = !is_done;
        is_done = id <= top && dom.kind(id) == NodeKind::Element;
        take
    });
    nodes.filter(|&id| dom.kind(id) == NodeKind::Element)
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
