//! `Units`, the pieces of a page that are colored and can be clicked: runs of text of one leaf of the model's tree.

use std::ops::Range;

use crate::dom::{BlockKind, Dom};
use crate::extract::Extraction;
use crate::index::{NodeId, NodeMap};
use crate::label::{Label, LabelSet};
use crate::page::Page;
use crate::tokens;
use crate::view::{NONE, PageView};

/// A posterior from which on a label counts as sure.
pub(super) const SURE: f64 = 0.9;

/// A piece of text with one label. In the block view a unit is a text block, in the DOM view a text node.
#[derive(Debug)]
pub(super) struct Unit {
    /// The leaf of the model's tree, or [`NONE`] for text outside of it.
    pub leaf: u32,
    /// Its text nodes, as a range of the block tree's texts.
    pub texts: Range<u32>,
    /// Its label.
    pub label: Label,
    /// The probability of each label.
    pub posterior: [f64; Label::COUNT],
    /// Its words.
    pub words: u32,
    /// Whether its label is one of those to keep.
    pub kept: bool,
    /// Whether reasons are given for it.
    pub detailed: bool,
}

impl Unit {
    /// The probability of the unit's label.
    pub fn certainty(&self) -> f64 {
        self.posterior[self.label.index()]
    }

    /// Whether the certainty is below [`SURE`].
    pub fn is_unsure(&self) -> bool {
        self.certainty() < SURE
    }
}

/// All units of a page in document order; a unit's number in the file is its index plus one.
#[derive(Debug)]
pub(super) struct Units {
    pub all: Vec<Unit>,
    pub keep: LabelSet,
    /// For each block, its units; empty for inner blocks.
    pub of_block: Vec<Range<u32>>,
}

impl Units {
    /// The units of a page. Linear in the page.
    pub fn new(page: &Page, view: &PageView, extraction: &Extraction, keep: LabelSet) -> Units {
        let mut leaf_of = NodeMap::filled(page.dom().len(), NONE);
        for (v, node) in view.nodes.iter().enumerate() {
            if view.tree.is_leaf(v as u32) {
                for text in node.texts.clone() {
                    leaf_of[view.texts[text as usize]] = v as u32;
                }
            }
        }
        let blocks = page.blocks();
        let mut units = Units { all: Vec::new(), keep, of_block: Vec::with_capacity(blocks.len()) };
        for block in blocks.blocks() {
            let first = units.all.len() as u32;
            if block.kind == BlockKind::Leaf {
                let mut start = block.texts.start;
                while start < block.texts.end {
                    let leaf = leaf_of[blocks.texts()[start as usize]];
                    let same = |&text: &u32| leaf_of[blocks.texts()[text as usize]] == leaf;
                    let end = (start..block.texts.end).find(|text| !same(text)).unwrap_or(block.texts.end);
                    units.push(page, extraction, leaf, start..end);
                    start = end;
                }
            }
            units.of_block.push(first..units.all.len() as u32);
        }
        units
    }

    fn push(&mut self, page: &Page, extraction: &Extraction, leaf: u32, texts: Range<u32>) {
        let id = page.blocks().texts()[texts.start as usize];
        let label = extraction.labels[id];
        let certain = std::array::from_fn(|other| f64::from(u8::from(other == label.index())));
        let posterior = extraction.posteriors.as_ref().map_or(certain, |posteriors| posteriors[id]);
        let words = tokens::count(&text_of(page, &texts));
        let kept = self.keep.contains(label);
        self.all.push(Unit { leaf, texts, label, posterior, words, kept, detailed: false });
    }

    /// Marks the units that get reasons: at most `max`, kept ones first.
    pub fn choose_detailed(&mut self, max: usize) {
        let mut left = max;
        for kept in [true, false] {
            for unit in self.all.iter_mut().filter(|unit| unit.kept == kept && unit.leaf != NONE).take(left) {
                unit.detailed = true;
                left -= 1;
            }
        }
    }

    /// The units of one block.
    pub fn block_units(&self, block: usize) -> &[Unit] {
        let range = &self.of_block[block];
        &self.all[range.start as usize..range.end as usize]
    }

    /// Words of all units that fulfil a condition.
    pub fn words(&self, is_counted: impl Fn(&Unit) -> bool) -> u64 {
        self.all.iter().filter(|unit| is_counted(unit)).map(|unit| u64::from(unit.words)).sum()
    }
}

/// The text nodes of a unit.
pub(super) fn texts_of<'a>(page: &'a Page, unit: &Unit) -> &'a [NodeId] {
    &page.blocks().texts()[unit.texts.start as usize..unit.texts.end as usize]
}

/// The text of some text nodes of one block, with the blank ones between them, which part words too.
pub(super) fn text_of(page: &Page, texts: &Range<u32>) -> String {
    let ids = &page.blocks().texts()[texts.start as usize..texts.end as usize];
    let dom = page.dom();
    let mut text = String::new();
    for (at, &id) in ids.iter().enumerate() {
        if at > 0 {
            text.push_str(&text_between(dom, ids[at - 1], id));
        }
        text.push_str(dom.text(id));
    }
    text
}

/// The white space in blank text nodes between two text nodes that follow each other in one block.
pub(super) fn text_between(dom: &Dom, before: NodeId, after: NodeId) -> String {
    let mut text = String::new();
    let mut id = NodeId(before.0 + 1);
    while id < after {
        if dom.tag(id).hides_text() {
            id = dom.subtree_end(id);
        } else {
            text.push_str(dom.text(id));
            id = NodeId(id.0 + 1);
        }
    }
    text
}
