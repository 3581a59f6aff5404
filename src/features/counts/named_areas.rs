//! `NamedAreas`, elements whose class or id is one of certain names, and short texts that hold one.

use std::collections::BTreeMap;

use super::base::BaseCounts;
use super::class_names::ClassNames;
use super::leaves::Leaves;
use crate::index::NodeId;
use crate::view::NONE;

/// Where elements are named so on a page.
pub struct NamedAreas {
    /// For each node the elements up to the nearest that is named so, that included; 0 for none.
    levels: Vec<u32>,
    /// For each node the words of long text in the outermost such element around it.
    area_words: Vec<u32>,
    /// For each node the last leaf before it, or itself, that is short and holds such a name.
    last: Vec<u32>,
    /// Elements that are named so.
    pub areas: u32,
    /// Words of long text in all of them.
    pub words: u32,
}

impl NamedAreas {
    /// The areas of those elements that `may_be_named`, by the words of their classes and ids of which `is_name` is true.
    pub fn new(
        base: &BaseCounts<'_>,
        leaves: &Leaves,
        names: &ClassNames<'_>,
        may_be_named: impl Fn(NodeId) -> bool,
        is_name: impl Fn(&str) -> bool,
    ) -> Self {
        let dom = base.page.dom();
        let is_name = names.of_words(is_name);
        let is_named = names.of_values(|words| words.iter().any(|&word| is_name[word as usize]));
        let is_named = |value: u32| is_named[value as usize];
        // Of each DOM node the way up to the nearest, and the outermost element that is named so.
        let mut around: Vec<(u32, u32)> = vec![(0, NONE); dom.len()];
        let mut areas = 0;
        for id in dom.ids() {
            let (levels, outermost) = dom.parent(id).map_or((0, NONE), |above| around[above.index()]);
            around[id.index()] = match names.class_and_id(id).any(is_named) && may_be_named(id) {
                true => {
                    areas += 1;
                    (1, if outermost == NONE { id.0 } else { outermost })
                }
                false => (if levels == 0 { 0 } else { levels + 1 }, outermost),
            };
        }
        let nodes = &base.view.nodes;
        let of = |v: u32| around[nodes[v as usize].node.index()];
        let mut inside: BTreeMap<u32, u32> = BTreeMap::new();
        for v in leaves.iter().filter(|&v| of(v).1 != NONE && base.is_long(v)) {
            *inside.entry(of(v).1).or_default() += base.words_of(v);
        }
        let all = 0..nodes.len() as u32;
        let mut last = vec![NONE; nodes.len()];
        for &(v, _) in names.short_texts().iter().filter(|&&(_, value)| is_named(value)) {
            last[v as usize] = v;
        }
        for v in 1..nodes.len() {
            if last[v] == NONE {
                last[v] = last[v - 1];
            }
        }
        NamedAreas {
            levels: all.clone().map(|v| of(v).0).collect(),
            area_words: all.map(|v| inside.get(&of(v).1).copied().unwrap_or(0)).collect(),
            last,
            areas,
            words: inside.values().sum(),
        }
    }

    /// Elements up to the nearest that is named so, that included; 0 for none.
    pub fn levels(&self, v: u32) -> u32 {
        self.levels[v as usize]
    }

    /// Words of long text in the outermost such element around the node.
    pub fn area_words(&self, v: u32) -> u32 {
        self.area_words[v as usize]
    }

    /// The last short leaf before the node, or the node itself, that holds such a name.
    pub fn last(&self, v: u32) -> Option<u32> {
        Some(self.last[v as usize]).filter(|&last| last != NONE)
    }
}
