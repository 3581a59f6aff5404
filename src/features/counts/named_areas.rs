//! `NamedAreas`, elements whose class or id is one of certain names, and short texts that hold one.

use std::collections::{BTreeMap, HashMap};

use super::base::BaseCounts;
use super::class_hints::{class_words, words};
use super::leaves::Leaves;
use crate::index::NodeId;
use crate::view::NONE;

/// The most words of a text that may stand above an area.
const HEADING_WORDS: u32 = 8;

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
        may_be_named: impl Fn(NodeId) -> bool,
        is_name: impl Fn(&str) -> bool,
    ) -> Self {
        let dom = base.page.dom();
        // Few words make up the classes of a page.
        let mut known: HashMap<&str, bool> = HashMap::new();
        let mut is_name = |word| *known.entry(word).or_insert_with(|| is_name(word));
        // Of each DOM node the way up to the nearest, and the outermost element that is named so.
        let mut around: Vec<(u32, u32)> = vec![(0, NONE); dom.len()];
        let mut areas = 0;
        for id in dom.ids() {
            let (levels, outermost) = dom.parent(id).map_or((0, NONE), |above| around[above.index()]);
            around[id.index()] = match may_be_named(id) && class_words(dom, id).any(&mut is_name) {
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
        let mut last = NONE;
        let mut speaks = |v: u32| {
            if base.view.tree.is_leaf(v) && base.words_of(v) <= HEADING_WORDS {
                let mut texts = base.view.texts_of(&nodes[v as usize]).iter().map(|&id| dom.text(id));
                if texts.any(|text| words(text).any(&mut is_name)) {
                    last = v;
                }
            }
            last
        };
        NamedAreas {
            levels: all.clone().map(|v| of(v).0).collect(),
            area_words: all.clone().map(|v| inside.get(&of(v).1).copied().unwrap_or(0)).collect(),
            last: all.map(&mut speaks).collect(),
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
