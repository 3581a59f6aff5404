//! `Leaves`, the leaves of a page in order, with sums over runs of them.

use super::base::BaseCounts;
use crate::view::NONE;

/// The leaves of a page in order, with what is summed up over runs of them.
pub struct Leaves {
    /// The nodes that are leaves.
    leaves: Vec<u32>,
    /// For each node, how many leaves are before its own.
    before: Vec<u32>,
    /// For each node, how many leaves it has.
    count: Vec<u32>,
    /// For each node, how many siblings are before it.
    siblings_before: Vec<u32>,
    /// Sums over the leaves before each.
    sums: Vec<Window>,
}

/// Sums over a run of leaves.
#[derive(Clone, Copy, Default)]
pub struct Window {
    pub words: u32,
    pub link_words: u32,
    /// Leaves of long text.
    pub long: u32,
}

impl Leaves {
    pub fn new(base: &BaseCounts<'_>) -> Self {
        let tree = &base.view.tree;
        let n = tree.len();
        let mut leaves = Leaves {
            leaves: Vec::with_capacity(n),
            before: Vec::with_capacity(n),
            count: vec![0; n],
            siblings_before: Vec::with_capacity(n),
            sums: vec![Window::default()],
        };
        let mut sum = Window::default();
        for v in 0..n as u32 {
            leaves.before.push(leaves.leaves.len() as u32);
            let previous = tree.previous_sibling(v);
            let siblings = if previous == NONE { 0 } else { leaves.siblings_before[previous as usize] + 1 };
            leaves.siblings_before.push(siblings);
            if tree.is_leaf(v) {
                leaves.leaves.push(v);
                leaves.count[v as usize] = 1;
                sum.words += base.words_of(v);
                sum.link_words += base.link_words_of(v);
                sum.long += u32::from(base.is_long(v));
                leaves.sums.push(sum);
            }
        }
        for v in (1..n).rev() {
            leaves.count[tree.parent(v as u32) as usize] += leaves.count[v];
        }
        leaves
    }

    /// The number of leaves.
    pub fn len(&self) -> u32 {
        self.leaves.len() as u32
    }

    /// Leaves of long text on the page.
    pub fn long(&self) -> u32 {
        self.sums.last().map_or(0, |sum| sum.long)
    }

    /// The leaves in order.
    pub fn all(&self) -> &[u32] {
        &self.leaves
    }

    /// The leaves in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + Clone {
        self.leaves.iter().copied()
    }

    /// Leaves before the node's own.
    pub fn before(&self, v: u32) -> u32 {
        self.before[v as usize]
    }

    /// Leaves of the node.
    pub fn of(&self, v: u32) -> u32 {
        self.count[v as usize]
    }

    /// Siblings before the node.
    pub fn siblings_before(&self, v: u32) -> u32 {
        self.siblings_before[v as usize]
    }

    pub fn at(&self, place: i64) -> Option<u32> {
        self.leaves.get(usize::try_from(place).ok()?).copied()
    }

    /// Sums over the `before` leaves before the node's first and the `behind` from it on.
    pub fn window(&self, v: u32, before: u32, behind: u32) -> Window {
        let place = self.before(v);
        self.between(place.saturating_sub(before), place + behind)
    }

    /// Sums over the leaves behind the node's first.
    pub fn window_behind(&self, v: u32, leaves: u32) -> Window {
        let place = self.before(v) + 1;
        self.between(place, place + leaves)
    }

    fn between(&self, from: u32, to: u32) -> Window {
        let last = self.leaves.len();
        let (from, to) = (&self.sums[(from as usize).min(last)], &self.sums[(to as usize).min(last)]);
        Window {
            words: to.words - from.words,
            link_words: to.link_words - from.link_words,
            long: to.long - from.long,
        }
    }
}
