//! `Measures`: what is counted once on a page and shared by its features.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::contents::Elements;
use super::page_kind::PageKind;
use super::paths::{FURNITURE, Paths};
use super::position::Headings;
use super::repetition::Repetition;
use super::similarity::Similarity;
use super::surroundings::Leaves;
use super::{attributes, hash, similarity, text_shape};
use crate::dom::{NodeKind, Tag};
use crate::index::NodeId;
use crate::layout::Layout;
use crate::page::Page;
use crate::tokens;
use crate::view::{NONE, PageView, View};

/// A leaf with this many words, and fewer than half of them in links, is *long text*.
const LONG_TEXT_WORDS: u32 = 15;

/// Counts of a page that features are made of. All sums over subtrees are differences of prefix sums, since the
/// texts of a subtree are contiguous.
pub struct Measures<'a> {
    /// The page.
    pub page: &'a Page,
    /// The tree that the features are over.
    pub view: &'a PageView,
    /// The page's layout, for the features that need it.
    pub layout: Option<&'a Layout>,
    /// Prefix sums over [`PageView::texts`].
    words: Vec<u32>,
    full_stops: Vec<u32>,
    link_words: Vec<u32>,
    /// Counted when first asked for: few models look at the title.
    title_words: OnceCell<Vec<u32>>,
    long_words: Vec<u32>,
    /// Children of each node.
    pub(super) children: Vec<u32>,
    /// Depth of each node; the root's is 0.
    pub(super) depth: Vec<u32>,
    class_hints: OnceCell<Vec<u8>>,
    /// The main node: the deepest that holds at least half of the page's long text.
    pub(super) main: u32,
    /// The learned scores, \[score\]\[node\]; empty of what was not learned.
    pub(crate) scores: Vec<Vec<u32>>,
    // The rest is counted when first asked for.
    text: OnceCell<Vec<TextSums>>,
    word_keys: OnceCell<WordKeys>,
    content_main: OnceCell<u32>,
    leaves: OnceCell<Leaves>,
    elements: OnceCell<Vec<Elements>>,
    paths: OnceCell<Paths>,
    headings: OnceCell<Headings>,
    similarity: OnceCell<Similarity>,
    repetition: OnceCell<Repetition>,
    page_kind: OnceCell<PageKind>,
}

/// Counts of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TextSums {
    pub words: u32,
    pub characters: u32,
    pub letters: u32,
    pub digits: u32,
    /// Words that begin with a capital letter.
    pub capitals: u32,
    pub upper_case: u32,
    /// Full stops, question and exclamation marks.
    pub full_stops: u32,
    pub commas: u32,
    /// Words inside buttons, labels and options.
    pub control_words: u32,
}

impl TextSums {
    fn zip(self, other: TextSums, f: impl Fn(u32, u32) -> u32) -> TextSums {
        TextSums {
            words: f(self.words, other.words),
            characters: f(self.characters, other.characters),
            letters: f(self.letters, other.letters),
            digits: f(self.digits, other.digits),
            capitals: f(self.capitals, other.capitals),
            upper_case: f(self.upper_case, other.upper_case),
            full_stops: f(self.full_stops, other.full_stops),
            commas: f(self.commas, other.commas),
            control_words: f(self.control_words, other.control_words),
        }
    }
}

/// The words of a page's texts as [keys](hash::of).
pub(super) struct WordKeys {
    keys: Vec<u64>,
    /// Where the keys of each text begin.
    offsets: Vec<u32>,
}

impl WordKeys {
    fn new(page: &Page, view: &PageView) -> Self {
        let mut words = WordKeys { keys: Vec::new(), offsets: vec![0] };
        for &id in &view.texts {
            words.keys.extend(similarity::words(page.dom().text(id)).map(hash::of));
            words.offsets.push(words.keys.len() as u32);
        }
        words
    }

    /// The words of a node and all below.
    pub fn of(&self, view: &PageView, v: u32) -> &[u64] {
        let texts = &view.nodes[v as usize].texts;
        &self.keys[self.offsets[texts.start as usize] as usize..self.offsets[texts.end as usize] as usize]
    }

    /// The words of one of the view's texts.
    pub fn of_text(&self, text: usize) -> &[u64] {
        &self.keys[self.offsets[text] as usize..self.offsets[text + 1] as usize]
    }

    /// The number of words of a node and all below.
    pub fn count(&self, view: &PageView, v: u32) -> u32 {
        self.of(view, v).len() as u32
    }
}

impl<'a> Measures<'a> {
    /// Counts a page. Linear in the page.
    pub fn new(page: &'a Page, view: &'a PageView, layout: Option<&'a Layout>) -> Self {
        let dom = page.dom();
        let n = view.texts.len();
        let [mut words, mut full_stops, mut link_words] = [(); 3].map(|()| Vec::with_capacity(n + 1));
        for sums in [&mut words, &mut full_stops, &mut link_words] {
            sums.push(0u32);
        }
        // Text comes in document order, so that the link around it, if any, is the one entered last.
        let mut link_end = NodeId(0);
        let mut next_node = 0u32;
        for (i, &id) in view.texts.iter().enumerate() {
            for node in next_node..id.0 {
                if dom.tag(NodeId(node)) == Tag::A && dom.attribute(NodeId(node), "href").is_some() {
                    link_end = dom.subtree_end(NodeId(node));
                }
            }
            next_node = id.0;
            let text = dom.text(id);
            let count = tokens::count(text);
            words.push(words[i] + count);
            full_stops.push(full_stops[i] + count_full_stops(text));
            link_words.push(link_words[i] + if id < link_end { count } else { 0 });
        }
        let mut measures = Measures {
            page,
            view,
            layout,
            words,
            full_stops,
            link_words,
            title_words: OnceCell::new(),
            long_words: Vec::new(),
            children: vec![0; view.tree.len()],
            depth: vec![0; view.tree.len()],
            class_hints: OnceCell::new(),
            main: 0,
            scores: Vec::new(),
            text: OnceCell::new(),
            word_keys: OnceCell::new(),
            content_main: OnceCell::new(),
            leaves: OnceCell::new(),
            elements: OnceCell::new(),
            paths: OnceCell::new(),
            headings: OnceCell::new(),
            similarity: OnceCell::new(),
            repetition: OnceCell::new(),
            page_kind: OnceCell::new(),
        };
        measures.measure_tree();
        measures
    }

    fn measure_tree(&mut self) {
        let tree = &self.view.tree;
        let mut long = vec![0u32; self.view.texts.len() + 1];
        for v in 0..tree.len() as u32 {
            let parent = tree.parent(v);
            if parent != NONE {
                self.children[parent as usize] += 1;
                self.depth[v as usize] = self.depth[parent as usize] + 1;
            }
            if tree.is_leaf(v) && self.is_shown(v) && self.is_long(v) {
                long[self.view.nodes[v as usize].texts.end as usize] += self.words_of(v);
            }
        }
        for i in 1..long.len() {
            long[i] += long[i - 1];
        }
        self.long_words = long;
        let total = self.long_words.last().copied().unwrap_or(0);
        if tree.is_empty() || total == 0 {
            return;
        }
        self.main = self.deepest_half(|v| self.subtree(&self.long_words, v), total);
    }

    /// The deepest node that holds half of a total. At most one child holds more than half, so the way down is a path;
    /// of two halves the first is taken.
    fn deepest_half(&self, held: impl Fn(u32) -> u32, total: u32) -> u32 {
        let mut node = 0;
        while let Some(child) = self.view.tree.children(node).find(|&v| 2 * held(v) >= total) {
            node = child;
        }
        node
    }

    /// Whether a reader could see the node's text: in the block tree always, in the DOM tree not inside scripts.
    fn is_shown(&self, v: u32) -> bool {
        let dom = self.page.dom();
        self.view.view == View::Blocks
            || !dom.ancestors(self.view.nodes[v as usize].node).any(|id| dom.tag(id).hides_text())
    }

    fn subtree(&self, sums: &[u32], v: u32) -> u32 {
        let range = &self.view.nodes[v as usize].texts;
        sums[range.end as usize] - sums[range.start as usize]
    }

    /// The node's own count: in the block tree that of the whole block; in the DOM tree that of a text node, and
    /// for an element the sum over the text nodes directly inside.
    fn own(&self, sums: &[u32], v: u32) -> u32 {
        let dom = self.page.dom();
        if self.view.view == View::Blocks || dom.kind(self.view.nodes[v as usize].node) == NodeKind::Text {
            return self.subtree(sums, v);
        }
        let texts = self
            .view
            .tree
            .children(v)
            .filter(|&c| dom.kind(self.view.nodes[c as usize].node) == NodeKind::Text);
        texts.map(|child| self.subtree(sums, child)).sum()
    }

    /// The class hint of every node of the page, made when first asked for.
    pub(super) fn class_hints(&self) -> &[u8] {
        self.class_hints.get_or_init(|| attributes::class_hints(self.page.dom()))
    }

    /// Words of the node and all below.
    pub(crate) fn words_of(&self, v: u32) -> u32 {
        self.subtree(&self.words, v)
    }

    /// Those inside links.
    pub(super) fn link_words_of(&self, v: u32) -> u32 {
        self.subtree(&self.link_words, v)
    }

    /// Words of long text in the node and all below.
    pub(super) fn long_words_of(&self, v: u32) -> u32 {
        self.subtree(&self.long_words, v)
    }

    /// Whether the text of a leaf is long.
    pub(super) fn is_long(&self, v: u32) -> bool {
        let words = self.words_of(v);
        words >= LONG_TEXT_WORDS && 2 * self.link_words_of(v) < words
    }

    /// Counts of the text of the node and all below.
    pub(super) fn text(&self, v: u32) -> TextSums {
        let sums = self.text.get_or_init(|| self.sum_texts());
        let texts = &self.view.nodes[v as usize].texts;
        sums[texts.end as usize].zip(sums[texts.start as usize], |end, start| end - start)
    }

    /// Prefix sums over the view's texts.
    fn sum_texts(&self) -> Vec<TextSums> {
        let dom = self.page.dom();
        let mut sums = vec![TextSums::default()];
        let mut sum = TextSums::default();
        let is_control = |tag| matches!(tag, Tag::BUTTON | Tag::LABEL | Tag::OPTION | Tag::SELECT);
        let mut in_control = dom.covers(dom.ids().filter(|&id| is_control(dom.tag(id))));
        for (i, &id) in self.view.texts.iter().enumerate() {
            let mut own = text_shape::characters(dom.text(id));
            own.words = self.words[i + 1] - self.words[i];
            own.control_words = if in_control(id) { own.words } else { 0 };
            sum = sum.zip(own, |a, b| a + b);
            sums.push(sum);
        }
        sums
    }

    /// What the text of a node ends with.
    pub(super) fn ending(&self, v: u32) -> u32 {
        let texts = &self.view.nodes[v as usize].texts;
        if texts.is_empty() {
            return 0;
        }
        text_shape::ending(self.page.dom().text(self.view.texts[texts.end as usize - 1])).into()
    }

    /// A learned score of a node.
    pub(super) fn score(&self, score: usize, v: u32) -> u32 {
        self.scores[score][v as usize]
    }

    /// The heading before a node, or the node itself.
    pub(crate) fn last_heading(&self, v: u32) -> Option<u32> {
        self.headings().last(v)
    }

    /// The words of the page as keys.
    pub(super) fn word_keys(&self) -> &WordKeys {
        self.word_keys.get_or_init(|| WordKeys::new(self.page, self.view))
    }

    /// The main node of the long text outside navigation, asides, footers and dialogs.
    pub(super) fn content_main(&self) -> u32 {
        *self.content_main.get_or_init(|| {
            let tree = &self.view.tree;
            let mut held = vec![0; tree.len()];
            for v in (0..tree.len() as u32).rev() {
                let node = self.view.nodes[v as usize].node;
                if tree.is_leaf(v)
                    && self.is_shown(v)
                    && self.is_long(v)
                    && self.paths().parts(node) & FURNITURE == 0
                {
                    held[v as usize] = self.words_of(v);
                }
                if tree.parent(v) != NONE {
                    held[tree.parent(v) as usize] += held[v as usize];
                }
            }
            match held.first() {
                None | Some(0) => 0,
                Some(&total) => self.deepest_half(|v| held[v as usize], total),
            }
        })
    }

    pub(super) fn leaves(&self) -> &Leaves {
        self.leaves.get_or_init(|| Leaves::new(self))
    }

    pub(super) fn elements(&self) -> &[Elements] {
        self.elements.get_or_init(|| Elements::sums(self.page.dom()))
    }

    pub(super) fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| Paths::new(self.page.dom()))
    }

    pub(super) fn headings(&self) -> &Headings {
        self.headings.get_or_init(|| Headings::new(self))
    }

    pub(super) fn similarity(&self) -> &Similarity {
        self.similarity.get_or_init(|| Similarity::new(self))
    }

    pub(super) fn repetition(&self) -> &Repetition {
        self.repetition.get_or_init(|| Repetition::new(self))
    }

    pub(super) fn page_kind(&self) -> &PageKind {
        self.page_kind.get_or_init(|| PageKind::new(self))
    }

    /// Words of the node.
    pub fn words(&self, v: u32) -> u32 {
        self.own(&self.words, v)
    }

    /// Full stops of the node.
    pub fn full_stops(&self, v: u32) -> u32 {
        self.own(&self.full_stops, v)
    }

    /// Words of the node inside links.
    pub fn link_words(&self, v: u32) -> u32 {
        self.own(&self.link_words, v)
    }

    /// Words of the node that also stand in the page's title.
    pub fn title_words(&self, v: u32) -> u32 {
        self.own(self.title_words.get_or_init(|| sums_of_title_words(self.page, self.view)), v)
    }

    /// Words behind the node and all below it.
    pub(super) fn words_behind(&self, v: u32) -> u32 {
        let end = self.view.nodes[v as usize].texts.end as usize;
        self.words.last().copied().unwrap_or(0) - self.words[end]
    }

    /// Words before the node, and on the whole page.
    pub fn words_before(&self, v: u32) -> (u32, u32) {
        let before = self.words[self.view.nodes[v as usize].texts.start as usize];
        (before, self.words.last().copied().unwrap_or(0))
    }
}

/// The full stops of the Latin script and its kin, and those of Chinese, Japanese and Devanagari.
fn count_full_stops(text: &str) -> u32 {
    let latin = memchr::memchr_iter(b'.', text.as_bytes()).count();
    let others = if text.is_ascii() { 0 } else { text.matches(['。', '．', '।']).count() };
    (latin + others) as u32
}

/// The prefix sums over the view's texts of the words that stand in the title.
fn sums_of_title_words(page: &Page, view: &PageView) -> Vec<u32> {
    let title = title_words(page);
    let mut sums = vec![0];
    let mut sum = 0;
    for &id in &view.texts {
        sum +=
            tokens::iter(page.dom().text(id)).filter(|token| title.contains(&word_key(token))).count() as u32;
        sums.push(sum);
    }
    sums
}

/// The words of the first `<title>`, those of one letter left out.
fn title_words(page: &Page) -> HashSet<u64> {
    let dom = page.dom();
    let title = dom.ids().find(|&id| dom.tag(id) == Tag::TITLE);
    let text = title.map(|id| dom.text_content(id)).unwrap_or_default();
    tokens::iter(&text).filter(|token| token.chars().nth(1).is_some()).map(word_key).collect()
}

/// A number for a word, whatever its case and the punctuation around it.
fn word_key(token: &str) -> u64 {
    hash::of(token.trim_matches(|c: char| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    #[test]
    fn links_title_words_and_the_main_node_are_found() {
        let article =
            "These are the many words of a long paragraph without any link in it at all. ".repeat(2);
        let html = format!(
            "<title>Many links - Site</title><ul><li><a href=x>one link</a> and</ul>\
             <div id=main><p>{article}</p><p>{article}</p></div><div>short</div>"
        );
        let page = Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let measures = Measures::new(&page, &view, None);
        // body, ul's run, div#main, p, p, div
        assert_eq!(view.tree.len(), 6);
        assert_eq!(measures.words(1), 3);
        assert_eq!(measures.link_words(1), 2);
        assert_eq!(page.dom().attribute(view.nodes[measures.main as usize].node, "id"), None);
        assert_eq!(measures.main, 3, "two equal halves: the first is taken");
        assert_eq!(measures.title_words(3), 2);
        assert_eq!(measures.words_before(2), (3, 3 + 64 + 1));
        assert_eq!(measures.full_stops(2), 4);
    }

    #[test]
    fn in_the_dom_view_an_element_has_the_words_directly_inside() {
        let page =
            Page::parse("test", None, b"<p>one two <b>three</b> four", None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Dom);
        let measures = Measures::new(&page, &view, None);
        let words: Vec<u32> = (0..view.tree.len() as u32).map(|v| measures.words(v)).collect();
        // html, head, body, p, text, b, text, text
        assert_eq!(words, [0, 0, 0, 3, 2, 1, 1, 1]);
    }
}
