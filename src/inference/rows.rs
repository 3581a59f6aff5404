//! The transition as probabilities, in the orders that messages read it in.

use super::lanes::{Lanes, max, sum};
use crate::dist::exponential::exp;
use crate::model::{Transition, TransitionKind};

/// Lanes of a block: the states of the parent are worked on four at a time, so that what a chain of siblings needs
/// for them stays in registers.
pub(super) const BLOCK: usize = 4;

/// Something of each state for a block of the parent's states, \[state\]\[lane\].
pub(super) type Block<const P: usize> = [Lanes<BLOCK>; P];

/// A transition of at most P states in rows of P lanes. Lanes to spare are states that no node has.
#[derive(Debug, Clone)]
pub(super) struct Rows<const P: usize> {
    pub kind: TransitionKind,
    /// The number of states, K.
    pub states: usize,
    /// The root's row, scaled to maximum 1.
    pub root: Lanes<P>,
    /// ln of the scale of [`Rows::root`].
    pub ln_root: f64,
    /// A\[a, start\]\[z\] as \[a\]\[z\]. Rows of parent state a, these and the others, are scaled by
    /// 2^-`exponents[a]`.
    pub first: [Lanes<P>; P],
    /// The same as \[z\]\[a\].
    pub first_by_state: [Lanes<P>; P],
    /// The same as \[block of a\]\[z\].
    pub start: Vec<Block<P>>,
    /// A\[a, s\]\[z\] as \[block of a\]\[z\]\[s\]; empty where the transition does not look at the sibling before.
    pub up: Vec<[Block<P>; P]>,
    /// The same as \[block of a\]\[s\]\[z\].
    pub down: Vec<[Block<P>; P]>,
    /// Exponents of the scales of the rows of each parent state; 0 for rows of probabilities.
    pub exponents: Lanes<P>,
}

impl<const P: usize> Rows<P> {
    /// # Panics
    /// If the transition has more states than lanes.
    #[inline(always)]
    pub(super) fn new(transition: &Transition) -> Self {
        let k = transition.states;
        assert!(k <= P, "exact inference has at most {P} states, not {k}");
        let blocks = match transition.kind {
            TransitionKind::Parent => 0,
            TransitionKind::ParentAndPreviousSibling => P / BLOCK,
        };
        let row = |a: usize, s: usize| {
            let mut ln = [f64::NEG_INFINITY; P];
            ln[..k].copy_from_slice(transition.row(a, s));
            ln
        };
        let none = [[0.0; BLOCK]; P];
        let root = row(k, k);
        let ln_root = max(root);
        let mut rows = Rows {
            kind: transition.kind,
            states: k,
            root: exp(root.map(|ln| ln - ln_root)),
            ln_root,
            first: [[0.0; P]; P],
            first_by_state: [[0.0; P]; P],
            start: vec![none; blocks],
            up: vec![[none; P]; blocks],
            down: vec![[none; P]; blocks],
            exponents: [0.0; P],
        };
        for a in 0..P {
            // A state that no parent has: anything but 0, which would count as a message that is lost.
            let mut linear = [[1.0 / P as f64; P]; P];
            let mut first = linear[0];
            if a < k {
                let looked_at = if blocks == 0 { 0 } else { k };
                let ln_largest = (0..looked_at).map(|s| max(row(a, s))).fold(max(row(a, k)), f64::max);
                let mut power = if ln_largest > 1e-9 { exponent(ln_largest) } else { 0.0 };
                loop {
                    let shift = power * std::f64::consts::LN_2;
                    let mut largest = 0.0f64;
                    for s in (0..looked_at).chain([k]) {
                        let probabilities = exp(row(a, s).map(|ln| ln - shift));
                        largest = largest.max(sum(probabilities));
                        *(if s < k { &mut linear[s] } else { &mut first }) = probabilities;
                    }
                    // Rows of probabilities stay as they are. Of others none may sum to more than 1.
                    if power != 0.0 || (1e-20..1.0 + 1e-9).contains(&largest) {
                        break;
                    }
                    power = exponent(ln_largest);
                }
                rows.exponents[a] = power;
            }
            rows.first[a] = first;
            let (block, lane) = (a / BLOCK, a % BLOCK);
            for z in 0..P {
                rows.first_by_state[z][a] = first[z];
                if blocks > 0 {
                    rows.start[block][z][lane] = first[z];
                    for (s, linear) in linear.iter().enumerate() {
                        rows.up[block][z][s][lane] = linear[z];
                        rows.down[block][s][z][lane] = linear[z];
                    }
                }
            }
        }
        rows
    }

    /// The rows as \[a\]\[s\]\[z\]; empty where the transition does not look at the sibling before.
    pub(super) fn by_parent(&self) -> Vec<[Lanes<P>; P]> {
        let of = |a: usize| self.down[a / BLOCK].map(|row| row.map(|lanes| lanes[a % BLOCK]));
        (0..self.down.len() * BLOCK).map(of).collect()
    }
}

/// The power of two that scales rows so that none of at most 8 entries sums to more than 1.
fn exponent(ln_largest: f64) -> f64 {
    if ln_largest == f64::NEG_INFINITY { 1.0 } else { (ln_largest / std::f64::consts::LN_2).ceil() + 3.0 }
}
