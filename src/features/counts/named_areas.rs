//! `NamedAreas`, elements whose class or id names readers' comments, and short texts that do.

use std::collections::BTreeMap;

use super::base::BaseCounts;
use super::leaves::Leaves;
use super::walk::{Area, Around};
use crate::view::NONE;

/// Where elements are named so on a page.
pub struct NamedAreas {
    /// For each node the elements around it that are named so.
    around: Vec<Area>,
    /// The words of long text in each of the outermost such elements.
    words_inside: BTreeMap<u32, u32>,
    /// For each node the last leaf before it, or itself, that is short and holds such a name.
    last: Vec<u32>,
}

impl NamedAreas {
    /// Of what stands around the nodes of the DOM, and the short leaves that hold such a name.
    pub fn new(
        base: &BaseCounts<'_>,
        leaves: &Leaves,
        around: &[Around],
        short_leaves: impl Iterator<Item = u32>,
    ) -> Self {
        let nodes = &base.view.nodes;
        let around: Vec<Area> = nodes.iter().map(|node| around[node.node.index()].comments).collect();
        let mut words_inside: BTreeMap<u32, u32> = BTreeMap::new();
        let is_inside = |&v: &u32| around[v as usize].outermost != NONE && base.is_long(v);
        for v in leaves.iter().filter(is_inside) {
            *words_inside.entry(around[v as usize].outermost).or_default() += base.words_of(v);
        }
        let mut last = vec![NONE; nodes.len()];
        short_leaves.for_each(|v| last[v as usize] = v);
        for v in 1..nodes.len() {
            if last[v] == NONE {
                last[v] = last[v - 1];
            }
        }
        NamedAreas { around, words_inside, last }
    }

    /// Elements up to the nearest that is named so, that included; 0 for none.
    pub fn levels(&self, v: u32) -> u32 {
        self.around[v as usize].levels
    }

    /// Words of long text in the outermost such element around the node.
    pub fn area_words(&self, v: u32) -> u32 {
        match self.around[v as usize].outermost {
            NONE => 0,
            outermost => self.words_inside.get(&outermost).copied().unwrap_or(0),
        }
    }

    /// Words of long text in all such elements.
    pub fn words(&self) -> u32 {
        self.words_inside.values().sum()
    }

    /// The last short leaf before the node, or the node itself, that holds such a name.
    pub fn last(&self, v: u32) -> Option<u32> {
        Some(self.last[v as usize]).filter(|&last| last != NONE)
    }
}
