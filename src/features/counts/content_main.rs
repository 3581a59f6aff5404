//! The main node of the long text outside navigation, asides, footers and dialogs.

use super::base::BaseCounts;
use super::paths::OUTSIDE_CONTENT;
use super::walk::Around;
use crate::view::NONE;

/// The deepest node that holds at least half of that text; the root where there is none.
pub fn content_main(base: &BaseCounts<'_>, around: &[Around]) -> u32 {
    let tree = &base.view.tree;
    let mut held = vec![0; tree.len()];
    for v in (0..tree.len() as u32).rev() {
        let parts = around[base.view.nodes[v as usize].node.index()].parts;
        if tree.is_leaf(v) && base.is_shown(v) && base.is_long(v) && parts & OUTSIDE_CONTENT == 0 {
            held[v as usize] = base.words_of(v);
        }
        if tree.parent(v) != NONE {
            held[tree.parent(v) as usize] += held[v as usize];
        }
    }
    match held.first() {
        None | Some(0) => 0,
        Some(&total) => base.deepest_half(|v| held[v as usize], total),
    }
}
