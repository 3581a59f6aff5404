//! Contents: what elements a node holds, and how dense its text is between them.

use super::measures::Measures;
use super::schema::{DOUBLING, FeatureSpec, PERCENT, TENTHS, count};
use super::text_shape::{ratio, share};
use crate::dom::{Dom, NodeKind, Tag};

pub(super) const FEATURES: &[FeatureSpec] = &[
    count("links", "links in the node's text", "links", DOUBLING, |m, v| m.inside_text(v).links),
    count("links-per-word", "links in a hundred words", "%", PERCENT, |m, v| {
        share(m.inside_text(v).links, m.words_of(v))
    }),
    count("images", "images and videos in the element", "elements", DOUBLING, |m, v| m.inside(v).images),
    count("inputs", "fields and buttons in the element", "elements", DOUBLING, |m, v| m.inside(v).inputs),
    count("headings", "headings in the element", "elements", DOUBLING, |m, v| m.inside(v).headings),
    count("paragraphs", "paragraphs in the element", "elements", DOUBLING, |m, v| m.inside(v).paragraphs),
    count("line-breaks", "line breaks in the element", "elements", DOUBLING, |m, v| m.inside(v).line_breaks),
    count("text-density", "words to an element, in tenths", "tenths", TENTHS, density),
    count("parent-text-density", "words to an element of the parent, in tenths", "tenths", TENTHS, |m, v| {
        density(m, m.above(v, 1))
    }),
    count(
        "grandparent-text-density",
        "words to an element two levels up, in tenths",
        "tenths",
        TENTHS,
        |m, v| density(m, m.above(v, 2)),
    ),
];

fn density(m: &Measures<'_>, v: u32) -> u32 {
    ratio(10 * u64::from(m.words_of(v)), m.inside(v).elements)
}

/// Numbers of elements.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Elements {
    pub elements: u32,
    pub links: u32,
    pub images: u32,
    pub inputs: u32,
    pub headings: u32,
    pub paragraphs: u32,
    pub line_breaks: u32,
}

impl Elements {
    /// Prefix sums over the nodes of a DOM.
    pub fn sums(dom: &Dom) -> Vec<Elements> {
        let mut sums = Vec::with_capacity(dom.len() + 1);
        let mut sum = Elements::default();
        sums.push(sum);
        for id in dom.ids() {
            if dom.kind(id) == NodeKind::Element {
                sum.elements += 1;
                match dom.tag(id) {
                    Tag::A => sum.links += 1,
                    Tag::IMG | Tag::SVG | Tag::VIDEO => sum.images += 1,
                    Tag::INPUT | Tag::BUTTON | Tag::SELECT | Tag::TEXTAREA => sum.inputs += 1,
                    Tag::P => sum.paragraphs += 1,
                    Tag::BR => sum.line_breaks += 1,
                    tag if tag.heading_level().is_some() => sum.headings += 1,
                    _ => {}
                }
            }
            sums.push(sum);
        }
        sums
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

impl Measures<'_> {
    /// What the whole page holds.
    pub(super) fn all_elements(&self) -> Elements {
        self.elements().last().copied().unwrap_or_default()
    }

    /// What the outermost element of a node holds, itself included.
    fn inside(&self, v: u32) -> Elements {
        let sums = self.elements();
        let top = self.view.nodes[v as usize].top;
        sums[self.page.dom().subtree_end(top).index()].minus(&sums[top.index()])
    }

    /// What stands around and between the texts of a leaf; what an inner node holds.
    fn inside_text(&self, v: u32) -> Elements {
        let texts = &self.view.nodes[v as usize].texts;
        if !self.view.tree.is_leaf(v) || texts.is_empty() {
            return self.inside(v);
        }
        // An element around the first text stands before it, and behind the text of the leaf before.
        let before = texts.start.checked_sub(1).map_or(0, |text| self.view.texts[text as usize].index() + 1);
        let first = before.max(self.view.nodes[v as usize].node.index());
        let last = self.view.texts[texts.end as usize - 1].index();
        let sums = self.elements();
        sums[last + 1].minus(&sums[first.min(last)])
    }
}
