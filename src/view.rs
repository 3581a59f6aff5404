//! The two trees a model may run over, the DOM tree and the block tree, in one shape.

use serde::{Deserialize, Serialize};

use crate::dom::{BlockKind, Dom, NodeKind};
use crate::index::{NodeId, NodeMap};
use crate::label::Label;
use crate::page::Page;
use crate::page_work::check_time;
use crate::tokens;

/// No node.
pub const NONE: u32 = u32::MAX;

/// Which tree of a page a model is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// Every element and every text node that is not blank: the thesis's tree.
    Dom,
    /// Text blocks and the block elements around them, see [`crate::dom::BlockTree`].
    Blocks,
}

/// A rooted ordered tree in preorder: what inference knows of a page.
///
/// Node 0 is the root; a parent's index is smaller than its children's. Several roots are not possible; an empty
/// tree is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    parent: Vec<u32>,
    previous_sibling: Vec<u32>,
    next_sibling: Vec<u32>,
    first_child: Vec<u32>,
}

impl Tree {
    /// The tree in which node `v` has parent `parents[v]`, the root [`NONE`].
    ///
    /// # Panics
    /// If the parents are not in preorder (each parent before its children, node 0 the only root).
    pub fn from_parents(parents: Vec<u32>) -> Tree {
        let n = parents.len();
        let mut tree = Tree {
            previous_sibling: vec![NONE; n],
            next_sibling: vec![NONE; n],
            first_child: vec![NONE; n],
            parent: parents,
        };
        let mut last_child = vec![NONE; n];
        for v in 0..n as u32 {
            let parent = tree.parent[v as usize];
            if v == 0 {
                assert_eq!(parent, NONE, "node 0 is the root");
                continue;
            }
            assert!(parent < v, "parents stand before their children");
            let previous = std::mem::replace(&mut last_child[parent as usize], v);
            tree.previous_sibling[v as usize] = previous;
            match previous {
                NONE => tree.first_child[parent as usize] = v,
                _ => tree.next_sibling[previous as usize] = v,
            }
        }
        tree
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// The parent, or [`NONE`].
    pub fn parent(&self, v: u32) -> u32 {
        self.parent[v as usize]
    }

    /// The sibling before, or [`NONE`].
    pub fn previous_sibling(&self, v: u32) -> u32 {
        self.previous_sibling[v as usize]
    }

    /// The sibling after, or [`NONE`].
    pub fn next_sibling(&self, v: u32) -> u32 {
        self.next_sibling[v as usize]
    }

    /// The first child, or [`NONE`].
    pub fn first_child(&self, v: u32) -> u32 {
        self.first_child[v as usize]
    }

    /// Whether the node has no children.
    pub fn is_leaf(&self, v: u32) -> bool {
        self.first_child[v as usize] == NONE
    }

    /// The children in order.
    pub fn children(&self, v: u32) -> impl Iterator<Item = u32> {
        let known = |node: u32| (node != NONE).then_some(node);
        std::iter::successors(known(self.first_child(v)), move |&child| known(self.next_sibling(child)))
    }
}

/// One node of a view: where on the page it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewNode {
    /// The outermost node that holds this node's text and no other (differs from `node` in the block tree only).
    pub top: NodeId,
    /// The element or text node; in the block tree the innermost element of the block.
    pub node: NodeId,
    /// The text nodes of the subtree, as a range of [`PageView::texts`].
    pub texts: std::ops::Range<u32>,
}

/// A page as one of its trees.
#[derive(Debug, Clone)]
pub struct PageView {
    /// Which tree this is.
    pub view: View,
    /// Its shape.
    pub tree: Tree,
    /// Its nodes, in the tree's order.
    pub nodes: Vec<ViewNode>,
    /// The text nodes of the view in document order: in the DOM tree all that are not blank (of scripts too), in
    /// the block tree those shown.
    pub texts: Vec<NodeId>,
    /// The [words](tokens::count) of each text.
    pub words: Vec<u32>,
}

impl PageView {
    /// The chosen tree of a page. Linear in the page.
    pub fn new(page: &Page, view: View) -> PageView {
        match view {
            View::Dom => view_dom(page.dom()),
            View::Blocks => view_blocks(page),
        }
    }

    /// The text nodes at and below a node, in document order.
    pub fn texts_of(&self, node: &ViewNode) -> &[NodeId] {
        &self.texts[node.texts.start as usize..node.texts.end as usize]
    }

    /// The words of each of these.
    pub fn words_of(&self, node: &ViewNode) -> &[u32] {
        &self.words[node.texts.start as usize..node.texts.end as usize]
    }

    /// The label that all texts at and below a node are known to have, if it is one.
    pub fn known_label(&self, node: &ViewNode, known: &NodeMap<Option<Label>>) -> Option<Label> {
        let texts = self.texts_of(node);
        let label = known[*texts.first()?]?;
        texts.iter().all(|&text| known[text] == Some(label)).then_some(label)
    }

    /// The leaves that have text, in order.
    pub fn text_leaves(&self) -> impl Iterator<Item = &ViewNode> {
        let leaves = self.nodes.iter().enumerate().filter(|&(v, _)| self.tree.is_leaf(v as u32));
        leaves.map(|(_, node)| node).filter(|node| !node.texts.is_empty())
    }
}

fn view_dom(dom: &Dom) -> PageView {
    let mut number = vec![NONE; dom.len()];
    let mut parents = Vec::new();
    let mut nodes: Vec<ViewNode> = Vec::new();
    let mut texts = Vec::new();
    for id in dom.ids() {
        check_time();
        let parent = dom.parent(id).map_or(NONE, |parent| number[parent.index()]);
        let is_text = match dom.kind(id) {
            NodeKind::Document => continue,
            NodeKind::Element => false,
            NodeKind::Text if dom.is_visible_text(id) => true,
            NodeKind::Text => continue,
        };
        // The parser puts everything below one <html>; anything else cannot be part of one tree.
        if parent == NONE && !nodes.is_empty() {
            continue;
        }
        number[id.index()] = nodes.len() as u32;
        parents.push(parent);
        let start = texts.len() as u32;
        if is_text {
            texts.push(id);
        }
        nodes.push(ViewNode { top: id, node: id, texts: start..texts.len() as u32 });
    }
    for v in (1..nodes.len()).rev() {
        let end = nodes[v].texts.end;
        let parent = &mut nodes[parents[v] as usize].texts;
        parent.end = parent.end.max(end);
    }
    let words = texts.iter().map(|&id| tokens::count(dom.text(id))).collect();
    PageView { view: View::Dom, tree: Tree::from_parents(parents), nodes, texts, words }
}

fn view_blocks(page: &Page) -> PageView {
    let blocks = page.blocks();
    debug_assert!(blocks.texts().iter().eq(page.shown_words().iter().map(|(id, _)| id)));
    debug_assert!(blocks.blocks().iter().all(|b| (b.kind == BlockKind::Leaf) || !b.texts.is_empty()));
    PageView {
        view: View::Blocks,
        tree: Tree::from_parents(blocks.blocks().iter().map(|block| block.parent.unwrap_or(NONE)).collect()),
        nodes: blocks
            .blocks()
            .iter()
            .map(|block| ViewNode { top: block.top, node: block.bottom, texts: block.texts.clone() })
            .collect(),
        texts: blocks.texts().to_vec(),
        words: page.shown_words().iter().map(|&(_, words)| words).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    fn page(html: &str) -> Page {
        Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap()
    }

    #[test]
    fn the_dom_view_holds_every_element_and_every_text_that_is_not_blank() {
        let view = PageView::new(&page("<p>a <b>c</b></p> <script>x</script>"), View::Dom);
        // html, head, body, p, "a ", b, "c", script, "x"
        assert_eq!(view.tree.len(), 9);
        assert_eq!(view.texts.len(), 3);
        assert_eq!(view.nodes[0].texts, 0..3);
        assert_eq!(view.nodes[3].texts, 0..2);
        assert_eq!(view.tree.children(2).collect::<Vec<_>>(), [3, 7]);
        assert_eq!(view.tree.previous_sibling(7), 3);
    }

    #[test]
    fn both_views_of_a_page_without_text_are_trees() {
        assert!(PageView::new(&page(" "), View::Blocks).tree.is_empty());
        assert_eq!(PageView::new(&page(" "), View::Dom).tree.len(), 3);
    }

    #[test]
    fn the_block_view_has_the_blocks_of_the_page() {
        let view = PageView::new(&page("<div>a<p>b</p></div><script>x</script>"), View::Blocks);
        assert_eq!(view.tree.len(), 3);
        assert_eq!(view.nodes[0].texts, 0..2);
        assert_eq!(view.texts.len(), 2);
    }
}
