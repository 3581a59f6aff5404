//! The pass from the leaves to the root: for every node what it and its subtree say of its state.
//!
//! Messages are kept as mantissas and powers of two *for each state of the parent*: on a node with hundreds of
//! children those of two states differ by more than any float can hold, and one scale for all would make the smaller
//! ones zero that the parent's own evidence may favor. Scales are taken out only where a product becomes small.

use super::lanes::{Lanes, any, combine, map, max, parts, plus, times};
use super::rows::Rows;
use super::sibling_chain::SiblingChain;
use crate::dist::exponential::{exp, ln};
use crate::model::TransitionKind;
use crate::view::{NONE, Tree};

/// Scales are taken out of a product below this. Far enough from the smallest number that one more factor, unless it
/// is as small itself, cannot make it 0.
pub(super) const SMALL: f64 = 1e-150;
/// Messages along the children of all nodes are kept for the way down up to this number of nodes, in 512 bytes a node
/// for eight states. In larger trees making them again takes less time than new memory.
pub(super) const KEPT_NODES: usize = 20_000;

/// Where emissions come from: what they are with the message from the children.
pub(super) trait Emission<const P: usize> {
    /// The emissions of a leaf scaled to about 1, and the ln of the scale.
    fn leaf(&self, v: usize) -> (Lanes<P>, f64);

    /// The emissions of an inner node times the message, given as mantissas and exponents, scaled to maximum between
    /// 1/2 and 1 or, of emissions far apart, to about 1; and the ln of the scale.
    fn inner(&self, v: usize, mantissa: Lanes<P>, exponent: Lanes<P>) -> (Lanes<P>, f64);
}

/// Given log emissions, \[node\]\[state\] of K states.
pub(super) struct LnEmission<'a> {
    pub ln: &'a [f64],
    pub states: usize,
}

impl LnEmission<'_> {
    #[inline(always)]
    fn row<const P: usize>(&self, v: usize) -> Lanes<P> {
        let k = self.states;
        if k == P {
            return self.ln.as_chunks::<P>().0[v];
        }
        let mut row = [f64::NEG_INFINITY; P];
        row[..k].copy_from_slice(&self.ln[v * k..(v + 1) * k]);
        row
    }
}

impl<const P: usize> Emission<P> for LnEmission<'_> {
    #[inline(always)]
    fn leaf(&self, v: usize) -> (Lanes<P>, f64) {
        let ln = self.row(v);
        let max = max(ln);
        (exp(ln.map(|ln| ln - max)), max)
    }

    #[inline(always)]
    fn inner(&self, v: usize, mantissa: Lanes<P>, exponent: Lanes<P>) -> (Lanes<P>, f64) {
        let ln = plus(self.row(v), times(exponent, [std::f64::consts::LN_2; P]));
        // A message of 0 forbids a state, whatever its exponent.
        let ln = map(ln, mantissa, |ln, mantissa| if mantissa > 0.0 { ln } else { f64::NEG_INFINITY });
        let max = max(ln);
        (times(exp(ln.map(|ln| ln - max)), mantissa), max)
    }
}

/// The message from the children of a node for each of its states: mantissa * 2^exponent * e^ln_scale.
pub(super) struct Message<const P: usize> {
    pub mantissa: Lanes<P>,
    pub exponent: Lanes<P>,
    pub ln_scale: f64,
}

impl<const P: usize> Message<P> {
    /// Multiplies by what one child says, keeping what is smaller than a float can hold.
    #[inline(always)]
    fn multiply(&mut self, factor: Lanes<P>) {
        let product = times(self.mantissa, factor);
        if any(product, |x| x < SMALL) {
            self.multiply_small(&factor);
        } else {
            self.mantissa = product;
        }
    }

    #[cold]
    #[inline(never)]
    fn multiply_small(&mut self, factor: &Lanes<P>) {
        let (own, own_exponent) = parts(self.mantissa);
        let (other, other_exponent) = parts(*factor);
        self.mantissa = times(own, other);
        self.exponent = plus(self.exponent, plus(own_exponent, other_exponent));
    }
}

/// What is known of each node from its subtree.
#[derive(Debug, Clone, Default)]
pub(super) struct Upward<const P: usize> {
    /// b(z) = e(z) M(z) of every node scaled to about 1. The way down puts the posteriors in its place.
    pub weights: Vec<Lanes<P>>,
    /// ln of the scales of b, of the subtree together.
    pub ln_scale: Vec<f64>,
    /// Messages along the children, of the nodes from `kept_from` on.
    pub chain: SiblingChain<P>,
    /// The first node whose messages along the children are kept.
    pub kept_from: u32,
}

impl<const P: usize> Upward<P> {
    /// Passes from the leaves to the root. `ln_from_children` gets ln M of every node, \[node\]\[state\], unless it is
    /// empty; messages along the children are kept of the last `keep` nodes, for the way down.
    #[inline(always)]
    pub(super) fn pass(
        &mut self,
        tree: &Tree,
        rows: &Rows<P>,
        emission: &impl Emission<P>,
        ln_from_children: &mut [f64],
        keep: usize,
    ) {
        let n = tree.len();
        self.weights.clear();
        self.weights.resize(n, [0.0; P]);
        self.ln_scale.clear();
        self.ln_scale.resize(n, 0.0);
        self.chain.clear(match rows.kind {
            TransitionKind::Parent => 0,
            TransitionKind::ParentAndPreviousSibling => n.min(keep),
        });
        self.kept_from = n.saturating_sub(keep) as u32;
        for v in (0..n).rev() {
            let (weights, ln_scale) = if tree.is_leaf(v as u32) {
                emission.leaf(v)
            } else {
                let message = self.join_children(tree, rows, v as u32);
                let (mantissa, exponent) = parts(message.mantissa);
                let exponent = plus(exponent, message.exponent);
                if !ln_from_children.is_empty() {
                    let ln_power =
                        exponent.map(|exponent| exponent * std::f64::consts::LN_2 + message.ln_scale);
                    let ln_message = plus(ln(mantissa), ln_power);
                    let k = rows.states;
                    ln_from_children[v * k..(v + 1) * k].copy_from_slice(&ln_message[..k]);
                }
                let (weights, ln_scale) = emission.inner(v, mantissa, exponent);
                (weights, ln_scale + message.ln_scale)
            };
            self.weights[v] = weights;
            self.ln_scale[v] = ln_scale;
        }
    }

    #[inline(always)]
    fn join_children(&mut self, tree: &Tree, rows: &Rows<P>, v: u32) -> Message<P> {
        match rows.kind {
            TransitionKind::Parent => self.product(tree, rows, v),
            TransitionKind::ParentAndPreviousSibling => {
                self.chain.list(tree, v);
                let message = self.chain.upward(rows, &self.weights, &self.ln_scale);
                if v < self.kept_from {
                    self.chain.forget();
                }
                message
            }
        }
    }

    /// The children apart from each other, given their parent's state.
    #[inline(always)]
    fn product(&self, tree: &Tree, rows: &Rows<P>, v: u32) -> Message<P> {
        let mut message = Message { mantissa: [1.0; P], exponent: [0.0; P], ln_scale: 0.0 };
        let mut children = 0.0;
        let mut child = tree.first_child(v);
        while child != NONE {
            message.multiply(combine(&rows.first_by_state, self.weights[child as usize]));
            message.ln_scale += self.ln_scale[child as usize];
            children += 1.0;
            child = tree.next_sibling(child);
        }
        message.exponent = plus(message.exponent, times(rows.exponents, [children; P]));
        message
    }
}
