//! `PageElements`, how many elements of what kind stand in each part of a page.

use super::base::BaseCounts;
use crate::dom::Tag;

/// Numbers of elements.
#[derive(Debug, Clone, Copy, Default)]
pub struct Elements {
    pub elements: u32,
    pub links: u32,
    pub images: u32,
    pub inputs: u32,
    pub headings: u32,
    pub paragraphs: u32,
    pub line_breaks: u32,
}

/// The elements of a page: prefix sums over the nodes of its DOM.
pub struct PageElements {
    sums: Vec<Elements>,
}

impl PageElements {
    /// Those of a page of so many nodes.
    pub fn new(nodes: usize) -> Self {
        let mut sums = Vec::with_capacity(nodes + 1);
        sums.push(Elements::default());
        PageElements { sums }
    }

    /// Adds the sums up to and with the next node.
    pub fn push(&mut self, sum: Elements) {
        self.sums.push(sum);
    }

    /// What the whole page holds.
    pub fn all(&self) -> Elements {
        self.sums.last().copied().unwrap_or_default()
    }

    /// What the outermost element of a node holds, itself included.
    pub fn inside(&self, base: &BaseCounts<'_>, v: u32) -> Elements {
        let top = base.view.nodes[v as usize].top;
        self.sums[base.page.dom().subtree_end(top).index()].minus(&self.sums[top.index()])
    }

    /// What stands around and between the texts of a leaf; what an inner node holds.
    pub fn inside_text(&self, base: &BaseCounts<'_>, v: u32) -> Elements {
        let texts = &base.view.nodes[v as usize].texts;
        if !base.view.tree.is_leaf(v) || texts.is_empty() {
            return self.inside(base, v);
        }
        // An element around the first text stands before it, and behind the text of the leaf before.
        let before = texts.start.checked_sub(1).map_or(0, |text| base.view.texts[text as usize].index() + 1);
        let first = before.max(base.view.nodes[v as usize].node.index());
        let last = base.view.texts[texts.end as usize - 1].index();
        self.sums[last + 1].minus(&self.sums[first.min(last)])
    }
}

impl Elements {
    /// Adds an element.
    pub fn add(&mut self, tag: Tag) {
        self.elements += 1;
        match tag {
            Tag::A => self.links += 1,
            Tag::IMG | Tag::SVG | Tag::VIDEO => self.images += 1,
            Tag::INPUT | Tag::BUTTON | Tag::SELECT | Tag::TEXTAREA => self.inputs += 1,
            Tag::P => self.paragraphs += 1,
            Tag::BR => self.line_breaks += 1,
            tag if tag.heading_level().is_some() => self.headings += 1,
            _ => {}
        }
    }

    fn minus(&self, other: &Elements) -> Elements {
        Elements {
            elements: self.elements - other.elements,
            links: self.links - other.links,
            images: self.images - other.images,
            inputs: self.inputs - other.inputs,
            headings: self.headings - other.headings,
            paragraphs: self.paragraphs - other.paragraphs,
            line_breaks: self.line_breaks - other.line_breaks,
        }
    }
}
