//! `BaseCounts`, what is counted of every page at once: words, full stops, links, children, depths and the main node.

use super::walk::DomWalk;
use crate::dom::NodeKind;
use crate::features::ratio::share;
use crate::page::Page;
use crate::view::{NONE, PageView, View};

/// A leaf with this many words, and fewer than half of them in links, is *long text*.
const LONG_TEXT_WORDS: u32 = 15;

/// The first counts of a page, from the page alone. All sums over subtrees are differences of prefix sums, since the
/// texts of a subtree are contiguous.
pub struct BaseCounts<'a> {
    /// The page.
    pub page: &'a Page,
    /// The tree that the features are over.
    pub view: &'a PageView,
    /// Prefix sums over [`PageView::texts`].
    words: Vec<u32>,
    full_stops: Vec<u32>,
    link_words: Vec<u32>,
    long_words: Vec<u32>,
    /// Children of each node.
    pub children: Vec<u32>,
    /// Depth of each node; the root's is 0.
    pub depth: Vec<u32>,
    /// Of each node the ancestors one to four levels up; the root is its own.
    ancestors: Vec<[u32; 4]>,
    /// The main node: the deepest that holds at least half of the page's long text.
    pub main: u32,
}

impl<'a> BaseCounts<'a> {
    /// Counts a page. Linear in the page.
    pub fn new(page: &'a Page, view: &'a PageView, walk: &DomWalk<'_>) -> Self {
        let dom = page.dom();
        let n = view.texts.len();
        let [mut words, mut full_stops, mut link_words] = [(); 3].map(|()| Vec::with_capacity(n + 1));
        for sums in [&mut words, &mut full_stops, &mut link_words] {
            sums.push(0u32);
        }
        for (i, (&id, &[in_link, _])) in view.texts.iter().zip(&walk.texts).enumerate() {
            let count = view.words[i];
            words.push(words[i] + count);
            full_stops.push(full_stops[i] + count_full_stops(dom.text(id)));
            link_words.push(link_words[i] + if in_link { count } else { 0 });
        }
        let mut counts = BaseCounts {
            page,
            view,
            words,
            full_stops,
            link_words,
            long_words: Vec::new(),
            children: vec![0; view.tree.len()],
            depth: vec![0; view.tree.len()],
            ancestors: vec![[0; 4]; view.tree.len()],
            main: 0,
        };
        counts.count_tree();
        counts
    }

    fn count_tree(&mut self) {
        let tree = &self.view.tree;
        let mut long = vec![0u32; self.view.texts.len() + 1];
        for v in 0..tree.len() as u32 {
            let parent = tree.parent(v);
            if parent != NONE {
                self.children[parent as usize] += 1;
                self.depth[v as usize] = self.depth[parent as usize] + 1;
                let [one, two, three, _] = self.ancestors[parent as usize];
                self.ancestors[v as usize] = [parent, one, two, three];
            } else {
                self.ancestors[v as usize] = [v; 4];
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
    pub fn deepest_half(&self, held: impl Fn(u32) -> u32, total: u32) -> u32 {
        let mut node = 0;
        while let Some(child) = self.view.tree.children(node).find(|&v| 2 * held(v) >= total) {
            node = child;
        }
        node
    }

    /// Whether a reader could see the node's text: in the block tree always, in the DOM tree not inside scripts.
    pub fn is_shown(&self, v: u32) -> bool {
        let dom = self.page.dom();
        self.view.view == View::Blocks
            || !dom.ancestors(self.view.nodes[v as usize].node).any(|id| dom.tag(id).hides_text())
    }

    pub fn subtree(&self, sums: &[u32], v: u32) -> u32 {
        let range = &self.view.nodes[v as usize].texts;
        sums[range.end as usize] - sums[range.start as usize]
    }

    /// The node's own count: in the block tree that of the whole block; in the DOM tree that of a text node, and
    /// for an element the sum over the text nodes directly inside.
    pub fn own(&self, sums: &[u32], v: u32) -> u32 {
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

    /// The ancestor one to four levels up, or the root.
    pub fn above(&self, v: u32, levels: usize) -> u32 {
        self.ancestors[v as usize][levels - 1]
    }

    /// Words of one of the view's texts.
    pub fn words_of_text(&self, text: usize) -> u32 {
        self.words[text + 1] - self.words[text]
    }

    /// Words of the node and all below.
    pub fn words_of(&self, v: u32) -> u32 {
        self.subtree(&self.words, v)
    }

    /// Those inside links.
    pub fn link_words_of(&self, v: u32) -> u32 {
        self.subtree(&self.link_words, v)
    }

    /// Words inside links in a hundred words of the node and all below.
    pub fn link_share(&self, v: u32) -> u32 {
        share(self.link_words_of(v), self.words_of(v))
    }

    /// Words of long text in the node and all below.
    pub fn long_words_of(&self, v: u32) -> u32 {
        self.subtree(&self.long_words, v)
    }

    /// Whether the text of a leaf is long.
    pub fn is_long(&self, v: u32) -> bool {
        let words = self.words_of(v);
        words >= LONG_TEXT_WORDS && 2 * self.link_words_of(v) < words
    }

    /// Words of the view's texts from one to before another, and those of them inside links.
    pub fn words_between(&self, from: usize, to: usize) -> [u32; 2] {
        [&self.words, &self.link_words].map(|sums| sums[to] - sums[from])
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

    /// Words behind the node and all below it.
    pub fn words_behind(&self, v: u32) -> u32 {
        let end = self.view.nodes[v as usize].texts.end as usize;
        self.page_words() - self.words[end]
    }

    /// Words before the node.
    pub fn words_before(&self, v: u32) -> u32 {
        self.words[self.view.nodes[v as usize].texts.start as usize]
    }

    /// Words of the whole page.
    pub fn page_words(&self) -> u32 {
        self.words[self.view.texts.len()]
    }
}

/// The full stops of the Latin and related scripts, and those of Chinese, Japanese and Devanagari.
fn count_full_stops(text: &str) -> u32 {
    let latin = memchr::memchr_iter(b'.', text.as_bytes()).count();
    let others = if text.is_ascii() { 0 } else { text.matches(['。', '．', '।']).count() };
    (latin + others) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;
    use crate::features::measures::Measures;

    #[test]
    fn links_and_the_main_node_are_found() {
        let article =
            "These are the many words of a long paragraph without any link in it at all. ".repeat(2);
        let html = format!(
            "<ul><li><a href=x>one link</a> and</ul>\
             <div id=main><p>{article}</p><p>{article}</p></div><div>short</div>"
        );
        let page = Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let measures = Measures::new(&page, &view, None);
        let base = &measures.base;
        // body, ul's run, div#main, p, p, div
        assert_eq!(view.tree.len(), 6);
        assert_eq!(base.words(1), 3);
        assert_eq!(base.link_words(1), 2);
        assert_eq!(page.dom().attribute(view.nodes[base.main as usize].node, "id"), None);
        assert_eq!(base.main, 3, "two equal halves: the first is taken");
        assert_eq!((base.words_before(2), base.page_words()), (3, 3 + 64 + 1));
        assert_eq!(base.full_stops(2), 4);
    }

    #[test]
    fn in_the_dom_view_an_element_has_the_words_directly_inside() {
        let page =
            Page::parse("test", None, b"<p>one two <b>three</b> four", None, &Limits::default()).unwrap();
        let view = PageView::new(&page, View::Dom);
        let measures = Measures::new(&page, &view, None);
        let base = &measures.base;
        let words: Vec<u32> = (0..view.tree.len() as u32).map(|v| base.words(v)).collect();
        // html, head, body, p, text, b, text, text
        assert_eq!(words, [0, 0, 0, 3, 2, 1, 1, 1]);
    }
}
