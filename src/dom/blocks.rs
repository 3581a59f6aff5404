//! The block tree of a page: block elements inside, runs of inline text as leaves (Boilerpipe's text blocks).

use super::arena::{Dom, NodeKind};
use super::tag::Tag;
use crate::index::NodeId;
use crate::page_work::check_time;

/// What a node of the block tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A maximal run of inline text between block elements or `<br>`.
    Leaf,
    /// An element with at least two parts that hold text.
    Inner,
}

/// One node of the block tree.
#[derive(Debug, Clone)]
pub struct Block {
    /// Leaf or inner.
    pub kind: BlockKind,
    /// Index of the parent block; none for the root.
    pub parent: Option<u32>,
    /// The outermost element that holds this block's text and no other: where the chain of only children begins.
    pub top: NodeId,
    /// The innermost such element: for a leaf the element that the run stands in, for an inner block the
    /// element whose parts are its children.
    pub bottom: NodeId,
    /// The shown text nodes of the block as a range of [`BlockTree::texts`].
    pub texts: std::ops::Range<u32>,
}

/// The block tree: blocks in preorder, block 0 the root.
///
/// A leaf is a maximal run of inline text between block elements or `<br>`; an inner block is an element with at
/// least two text-bearing parts. Elements without text are left out and chains of only children are collapsed
/// into one block. An inline element around a block element counts as a block. A page without shown text has no
/// blocks.
#[derive(Debug, Clone)]
pub struct BlockTree {
    blocks: Vec<Block>,
    texts: Vec<NodeId>,
}

impl BlockTree {
    /// The block tree of a page. Linear in the page.
    pub fn new(dom: &Dom) -> Self {
        Builder::new(dom).build()
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether the page shows no text.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The blocks in preorder.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The leaves in document order: the text blocks of the page.
    pub fn leaves(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(|block| block.kind == BlockKind::Leaf)
    }

    /// All shown text nodes, in document order.
    pub fn texts(&self) -> &[NodeId] {
        &self.texts
    }

    /// The shown text nodes of one block.
    pub fn texts_of(&self, block: &Block) -> &[NodeId] {
        &self.texts[block.texts.start as usize..block.texts.end as usize]
    }

    /// The text of one block: its text nodes joined, white space folded to single blanks. White space that stands
    /// alone between two of them parts words too.
    pub fn text(&self, dom: &Dom, block: &Block) -> String {
        joined(dom, self.texts_of(block))
    }
}

/// As [`BlockTree::text`] of some of a block's text nodes, in document order.
pub fn joined(dom: &Dom, texts: &[NodeId]) -> String {
    let (Some(&first), Some(&last)) = (texts.first(), texts.last()) else { return String::new() };
    let mut text = String::new();
    let mut blank = false;
    let mut shown = texts.iter().peekable();
    for id in (first.0..=last.0).map(NodeId) {
        let is_shown = shown.next_if(|&&next| next == id).is_some();
        if !is_shown && (dom.kind(id) != NodeKind::Text || dom.is_visible_text(id)) {
            continue;
        }
        for c in dom.text(id).chars() {
            if c.is_whitespace() {
                blank = true;
            } else {
                if blank && !text.is_empty() {
                    text.push(' ');
                }
                blank = false;
                text.push(c);
            }
        }
    }
    text
}

/// A finished part of the tree, in a list of parts linked from the last to the first.
struct Part {
    block: Block,
    children: Vec<u32>,
}

/// An element that is open while the page is walked.
struct Frame {
    element: NodeId,
    end: u32,
    parts: Vec<u32>,
    run_start: u32,
}

struct Builder<'a> {
    dom: &'a Dom,
    parts: Vec<Part>,
    texts: Vec<NodeId>,
    frames: Vec<Frame>,
}

impl<'a> Builder<'a> {
    fn new(dom: &'a Dom) -> Self {
        let root = Frame { element: NodeId::ROOT, end: dom.len() as u32, parts: Vec::new(), run_start: 0 };
        Builder { dom, parts: Vec::new(), texts: Vec::new(), frames: vec![root] }
    }

    fn build(mut self) -> BlockTree {
        let containers = containers(self.dom);
        let mut next = 1u32;
        while (next as usize) < self.dom.len() {
            check_time();
            let id = NodeId(next);
            while self.frames.last().is_some_and(|frame| frame.end <= next) {
                self.leave();
            }
            next += 1;
            match self.dom.kind(id) {
                NodeKind::Text if self.dom.is_visible_text(id) => self.texts.push(id),
                NodeKind::Element => {
                    let tag = self.dom.tag(id);
                    if tag == Tag::BR || tag == Tag::HR {
                        self.end_run();
                    }
                    if tag.hides_text() {
                        if tag.is_block() {
                            self.end_run();
                        }
                        next = self.dom.subtree_end(id).0;
                    } else if containers[id.index()] {
                        self.end_run();
                        let run_start = self.texts.len() as u32;
                        let end = self.dom.subtree_end(id).0;
                        self.frames.push(Frame { element: id, end, parts: Vec::new(), run_start });
                    }
                }
                _ => {}
            }
        }
        while self.frames.len() > 1 {
            self.leave();
        }
        self.end_run();
        let root = self.frames.pop().expect("the document's own frame is open to the end");
        let root = self.close(root);
        self.number(root)
    }

    /// Ends the run of inline text that is open in the innermost frame.
    fn end_run(&mut self) {
        let frame = self.frames.last_mut().expect("a frame is always open here");
        let range = frame.run_start..self.texts.len() as u32;
        frame.run_start = range.end;
        if !range.is_empty() {
            let block = Block {
                kind: BlockKind::Leaf,
                parent: None,
                top: frame.element,
                bottom: frame.element,
                texts: range,
            };
            frame.parts.push(self.parts.len() as u32);
            self.parts.push(Part { block, children: Vec::new() });
        }
    }

    /// Leaves the innermost element: none, one or several parts make nothing, a chain, or an inner block.
    fn leave(&mut self) {
        self.end_run();
        let frame = self.frames.pop().expect("a frame is open");
        let part = self.close(frame);
        let parent = self.frames.last_mut().expect("the document's frame is below");
        parent.run_start = self.texts.len() as u32;
        parent.parts.extend(part);
    }

    fn close(&mut self, frame: Frame) -> Option<u32> {
        match frame.parts.as_slice() {
            [] => None,
            &[only] => {
                let block = &mut self.parts[only as usize].block;
                // A run directly inside keeps its element as both ends; a chain only moves its top.
                block.top = frame.element;
                Some(only)
            }
            [first, .., last] => {
                let texts =
                    self.parts[*first as usize].block.texts.start..self.parts[*last as usize].block.texts.end;
                let block = Block {
                    kind: BlockKind::Inner,
                    parent: None,
                    top: frame.element,
                    bottom: frame.element,
                    texts,
                };
                self.parts.push(Part { block, children: frame.parts });
                Some(self.parts.len() as u32 - 1)
            }
        }
    }

    /// Renumbers the finished parts into preorder.
    fn number(self, root: Option<u32>) -> BlockTree {
        let mut blocks = Vec::with_capacity(self.parts.len());
        let mut pending: Vec<(u32, Option<u32>)> = root.map(|root| (root, None)).into_iter().collect();
        while let Some((part, parent)) = pending.pop() {
            let Part { block, children } = &self.parts[part as usize];
            let id = blocks.len() as u32;
            blocks.push(Block { parent, ..block.clone() });
            pending.extend(children.iter().rev().map(|&child| (child, Some(id))));
        }
        BlockTree { blocks, texts: self.texts }
    }
}

/// For each node, whether it parts runs of text: a block element, or an inline one around a block element.
fn containers(dom: &Dom) -> Vec<bool> {
    let mut contains = vec![false; dom.len()];
    for id in dom.ids().rev() {
        let tag = dom.tag(id);
        if dom.kind(id) == NodeKind::Element && tag.is_block() && tag != Tag::HR && !tag.hides_text() {
            contains[id.index()] = true;
        }
        if contains[id.index()]
            && let Some(parent) = dom.parent(id)
        {
            contains[parent.index()] = true;
        }
    }
    contains
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    fn outline(html: &str) -> Vec<String> {
        let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        let tree = BlockTree::new(&dom);
        let depth = |block: &Block| {
            std::iter::successors(block.parent, |&p| tree.blocks()[p as usize].parent).count()
        };
        tree.blocks()
            .iter()
            .map(|block| {
                let indent = "  ".repeat(depth(block));
                match block.kind {
                    BlockKind::Leaf => format!("{indent}{:?}", tree.text(&dom, block)),
                    BlockKind::Inner => format!("{indent}{}", dom.tag(block.bottom)),
                }
            })
            .collect()
    }

    #[test]
    fn runs_of_inline_text_are_leaves_and_chains_are_collapsed() {
        let html = "<div><div><h1>Title</h1><p>One <b>bold</b> run<br>after a break</p><ul><li>only</ul></div></div>";
        assert_eq!(
            outline(html),
            ["div", "  \"Title\"", "  p", "    \"One bold run\"", "    \"after a break\"", "  \"only\""]
        );
    }

    #[test]
    fn text_around_a_block_element_is_separated() {
        assert_eq!(outline("<div>a<p>b</p>c</div>"), ["div", "  \"a\"", "  \"b\"", "  \"c\""]);
        assert_eq!(outline("<p>x</p><a href=y><div>b</div></a>z"), ["body", "  \"x\"", "  \"b\"", "  \"z\""]);
    }

    #[test]
    fn hidden_text_is_no_block_and_does_not_part_a_run() {
        assert_eq!(outline("<title>t</title><p>a<script>b</script>c<style>d</style></p>"), ["\"ac\""]);
        assert!(outline("<script>only code</script>").is_empty());
        assert!(outline(" \n ").is_empty());
    }

    #[test]
    fn white_space_between_inline_elements_parts_words() {
        assert_eq!(
            outline("<p><a>one</a> <script> x </script><b>two</b><i>three</i></p>"),
            ["\"one twothree\""]
        );
    }

    #[test]
    fn the_chain_of_only_children_is_remembered() {
        let dom = Dom::parse(b"<p>x<div id=a><div id=b><span>y</span></div></div>", None, &Limits::default())
            .unwrap();
        let tree = BlockTree::new(&dom);
        let leaf = &tree.blocks()[2];
        assert_eq!(dom.attribute(leaf.top, "id"), Some("a"));
        assert_eq!(dom.attribute(leaf.bottom, "id"), Some("b"));
        assert_eq!(tree.texts_of(leaf).len(), 1);
    }
}
