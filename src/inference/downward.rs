//! The pass from the root to the leaves: the posterior of every node.
//!
//! F_i(a, z) is what the rest of the page, the siblings before child i and child i itself say of its state z and the
//! parent's a. For the first child it is the parent's posterior over its message from the children, then
//!
//! F_i(a, z) = b_i(z) sum_s A\[a, s\]\[z\] F_i-1(a, s),   P(z_pa = a, z_i = z | x) ~ F_i(a, z) R_i+1(a, z)
//!
//! with R of [`super::chain`]: no division but by the message, and nothing that is left out.

use super::lanes::{Lanes, assembled, combine, normalized, plus, shares, sum, times};
use super::rows::{BLOCK, Block, Rows};
use super::sibling_chain::{SiblingChain, few, mix_of, scale};
use super::upward::Upward;
use crate::dist::exponential::ln;
use crate::model::TransitionKind;
use crate::view::{NONE, Tree};

/// The most blocks of a row of at most 8 lanes.
const MOST_BLOCKS: usize = 2;

/// Who is told more than the posteriors.
pub(super) trait Observer<const P: usize> {
    /// Whether [`Observer::joint`] is called.
    const JOINT: bool = false;

    /// What all of the page but the node's subtree says of its states, up to a factor.
    fn outside(&mut self, _v: u32, _outside: Lanes<P>) {}

    /// P(z_pa = a, z_ps = s, z_v = z | x) = above * A\[a, s\]\[z\] * below\[z\] for all z, with A as the rows of the pass
    /// have it; s is P where there is no sibling before or the transition does not look at it.
    fn joint(&mut self, _v: u32, _a: usize, _s: usize, _above: f64, _below: Lanes<P>) {}
}

/// Nobody.
impl<const P: usize> Observer<P> for () {}

impl<const P: usize> Upward<P> {
    /// Passes from the root to the leaves: puts the posteriors in place of the weights and gives ln of the evidence.
    /// The tree must not be empty.
    #[inline(always)]
    pub(super) fn pass_down<O: Observer<P>>(&mut self, tree: &Tree, rows: &Rows<P>, observer: &mut O) -> f64 {
        let root = times(self.weights[0], rows.root);
        let [ln_total] = ln([sum(root)]);
        let ln_evidence = rows.ln_root + self.ln_scale[0] + ln_total;
        self.weights[0] = normalized(root);
        observer.outside(0, rows.root);
        for v in 0..tree.len() as u32 {
            if !tree.is_leaf(v) {
                match rows.kind {
                    TransitionKind::Parent => self.spread(tree, rows, v, observer),
                    TransitionKind::ParentAndPreviousSibling => self.spread_along(tree, rows, v, observer),
                }
            }
        }
        ln_evidence
    }

    /// To the children of `v`, each by itself.
    #[inline(always)]
    fn spread<O: Observer<P>>(&mut self, tree: &Tree, rows: &Rows<P>, v: u32, observer: &mut O) {
        let own = self.weights[v as usize];
        let mut child = tree.first_child(v);
        while child != NONE {
            let weights = self.weights[child as usize];
            let share = shares(own, combine(&rows.first_by_state, weights));
            let outside = combine(&rows.first, share);
            if O::JOINT {
                for a in (0..rows.states).filter(|&a| share[a] > 0.0) {
                    observer.joint(child, a, P, share[a], weights);
                }
            }
            observer.outside(child, outside);
            self.weights[child as usize] = normalized(times(outside, weights));
            child = tree.next_sibling(child);
        }
    }

    /// To the children of `v`, along the chain.
    #[inline(always)]
    fn spread_along<O: Observer<P>>(&mut self, tree: &Tree, rows: &Rows<P>, v: u32, observer: &mut O) {
        self.chain.list(tree, v);
        if v < self.kept_from {
            self.chain.upward(rows, &self.weights, &self.ln_scale);
        }
        let share = shares(self.weights[v as usize], self.chain.join_all(rows, &self.weights));
        let mut forward = [[[0.0; BLOCK]; P]; MOST_BLOCKS];
        let mut few_before = false;
        for i in 0..self.chain.children.len() {
            let child = self.chain.children[i];
            let weights = self.weights[child as usize];
            let few_now = few(&weights);
            if i > 0
                && let Some(powers) = self.chain.take_rescaled(child)
            {
                rescale(&mut forward, powers);
            }
            if O::JOINT {
                self.tell_joints(rows, i, share, &forward, observer);
            }
            let mut outside = [[0.0; BLOCK]; P];
            for block in 0..SiblingChain::<P>::BLOCKS {
                let mut now = if i == 0 {
                    let mut first = rows.start[block];
                    let share: Lanes<BLOCK> = std::array::from_fn(|lane| share[block * BLOCK + lane]);
                    first.iter_mut().for_each(|lanes| *lanes = times(*lanes, share));
                    first
                } else {
                    mix_of(&rows.down[block], &forward[block], few_now, few_before)
                };
                let later = self.chain.message(i, block);
                for z in 0..P {
                    outside[z] = plus(outside[z], times(now[z], later[z]));
                }
                scale(&mut now, weights);
                forward[block] = now;
            }
            let outside = outside.map(|lanes| (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]));
            observer.outside(child, outside);
            self.weights[child as usize] = normalized(times(outside, weights));
            few_before = few_now;
        }
        self.chain.drop_messages();
    }

    /// The joint of child i with its parent and the sibling before.
    #[inline(always)]
    fn tell_joints<O: Observer<P>>(
        &self,
        rows: &Rows<P>,
        i: usize,
        share: Lanes<P>,
        forward: &[Block<P>],
        observer: &mut O,
    ) {
        let child = self.chain.children[i];
        let weights = self.weights[child as usize];
        for (a, &share) in share.iter().enumerate().take(rows.states) {
            let (block, lane) = (a / BLOCK, a % BLOCK);
            let later = self.chain.message(i, block).map(|lanes| lanes[lane]);
            let below = times(weights, later);
            if i == 0 && share > 0.0 {
                observer.joint(child, a, P, share, below);
            }
            for s in (0..rows.states).filter(|_| i > 0) {
                let before = forward[block][s][lane];
                if before > 0.0 {
                    observer.joint(child, a, s, before, below);
                }
            }
        }
    }
}

/// Multiplies F by powers of two, as R of the children before was.
#[cold]
#[inline(never)]
fn rescale<const P: usize>(forward: &mut [Block<P>], exponents: Lanes<P>) {
    for (block, message) in forward.iter_mut().enumerate().take(SiblingChain::<P>::BLOCKS) {
        for lanes in message {
            let powers = std::array::from_fn(|lane| -exponents[block * BLOCK + lane]);
            *lanes = assembled(*lanes, powers);
        }
    }
}
