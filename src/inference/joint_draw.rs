//! States of a whole tree drawn at once from P(z | x, theta): filter upward, sample downward.
//!
//! The messages up ([`super::upward_downward`]) are made once; then, parents before children and siblings in order,
//! each node is drawn from
//!
//! P(z_v = z | z_pa = a, z_ps = s, x) ~ A\[a, s\]\[z\] b_v(z) R_v(a, z)
//!
//! where b_v is the node's emission times its message from its children and R_v(a, z) what the siblings after it say
//! (1 where the transition does not look at the sibling before). R is made for the drawn a alone, so that a draw costs
//! O(n K) and with the previous sibling O(n K^2), less than the filter.
//!
//! References: Carter & Kohn 1994 and Frühwirth-Schnatter 1994 (forward filtering, backward sampling), on a tree.

use rand::RngExt;

use super::upward_downward::upward_downward;
use crate::model::{Transition, TransitionKind};
use crate::rng::Rng;
use crate::view::{NONE, Tree};

/// Draws of all states of a tree at once. Holds buffers: one for many pages or sweeps saves their allocation.
#[derive(Debug, Clone, Default)]
pub struct JointDraw {
    /// b of every node scaled to maximum 1, \[node\]\[state\].
    weights: Vec<f64>,
    /// R of the children of one node, \[child\]\[state\], one more than children.
    messages: Vec<f64>,
    /// The children of one node.
    children: Vec<u32>,
}

/// A page whose messages up are made: states can be drawn, and the probability of given states asked for, as often
/// as wanted.
#[derive(Debug)]
pub struct Filtered<'a> {
    buffers: &'a mut JointDraw,
    tree: &'a Tree,
    ln_emission: &'a [f64],
    transition: &'a Transition,
    ln_evidence: f64,
}

impl JointDraw {
    /// Empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the messages up of a page.
    ///
    /// `ln_emission` is \[node\]\[state\]; a state at minus infinity is never drawn there, at least one of each node must
    /// be possible. Rows of the transition need not sum to 1: the states are drawn with probability proportional to
    /// the product of all factors.
    ///
    /// # Panics
    /// If `ln_emission` does not have n K entries.
    pub fn filter<'a>(
        &'a mut self,
        tree: &'a Tree,
        ln_emission: &'a [f64],
        transition: &'a Transition,
    ) -> Filtered<'a> {
        let marginals = upward_downward(tree, ln_emission, transition);
        let k = transition.states;
        self.weights.clear();
        self.weights.extend(ln_emission.iter().zip(&marginals.ln_from_children).map(|(e, m)| e + m));
        for weights in self.weights.chunks_exact_mut(k) {
            let max = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            weights.iter_mut().for_each(|weight| *weight = (*weight - max).exp());
        }
        Filtered { buffers: self, tree, ln_emission, transition, ln_evidence: marginals.ln_evidence }
    }

    /// Draws the states of a page once: [`JointDraw::filter`], then [`Filtered::draw`].
    ///
    /// # Panics
    /// As those two.
    pub fn draw(
        &mut self,
        tree: &Tree,
        ln_emission: &[f64],
        transition: &Transition,
        rng: &mut Rng,
        states: &mut [u8],
    ) {
        self.filter(tree, ln_emission, transition).draw(rng, states);
    }
}

impl Filtered<'_> {
    /// ln P(x): ln of the sum over all states of the product of all factors.
    pub fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// Draws the states of all nodes from their joint posterior. Takes one number of `rng` for each node.
    ///
    /// # Panics
    /// If `states` does not have n entries.
    pub fn draw(&mut self, rng: &mut Rng, states: &mut [u8]) {
        let k = self.transition.states;
        assert_eq!(states.len(), self.tree.len(), "one state for each node");
        if states.is_empty() {
            return;
        }
        let row = self.transition.row(k, k);
        let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let root: Vec<f64> =
            row.iter().zip(&self.buffers.weights).map(|(ln, weight)| (ln - max).exp() * weight).collect();
        states[0] = choose(&root, rng);
        for v in 0..self.tree.len() as u32 {
            if !self.tree.is_leaf(v) {
                self.draw_children(v, rng, states);
            }
        }
    }

    /// Draws the children of `v`, whose own state is drawn.
    fn draw_children(&mut self, v: u32, rng: &mut Rng, states: &mut [u8]) {
        let k = self.transition.states;
        let parent = states[v as usize] as usize;
        let JointDraw { weights, messages, children } = &mut *self.buffers;
        children.clear();
        children.extend(self.tree.children(v));
        let weights = |child: u32| &weights[child as usize * k..][..k];
        messages.clear();
        messages.resize((children.len() + 1) * k, 1.0);
        if self.transition.kind == TransitionKind::ParentAndPreviousSibling {
            for (i, &child) in children.iter().enumerate().skip(1).rev() {
                let (now, later) = messages.split_at_mut((i + 1) * k);
                let message = &mut now[i * k..];
                for (s, value) in message.iter_mut().enumerate() {
                    let row = self.transition.row(parent, s);
                    let terms = row.iter().zip(weights(child)).zip(&later[..k]);
                    *value = terms.map(|((ln, weight), next)| ln.exp() * weight * next).sum();
                }
                let max = message.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
                message.iter_mut().for_each(|value| *value /= max);
            }
        }
        let mut previous = k;
        let mut product = vec![0.0; k];
        for (i, &child) in children.iter().enumerate() {
            let row = self.transition.row(parent, self.transition.previous(previous));
            let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for (z, value) in product.iter_mut().enumerate() {
                *value = (row[z] - max).exp() * weights(child)[z] * messages[(i + 1) * k + z];
            }
            let state = choose(&product, rng);
            states[child as usize] = state;
            previous = state as usize;
        }
    }

    /// ln P(z | x) of given states: ln of the product of all factors, less [`Filtered::ln_evidence`]. Minus infinity
    /// where a state is not permitted.
    ///
    /// # Panics
    /// If `states` does not have n entries.
    pub fn ln_probability(&self, states: &[u8]) -> f64 {
        let k = self.transition.states;
        assert_eq!(states.len(), self.tree.len(), "one state for each node");
        let state = |v: u32| if v == NONE { k } else { states[v as usize] as usize };
        let factors = (0..states.len() as u32).map(|v| {
            let previous = self.transition.previous(state(self.tree.previous_sibling(v)));
            let row = self.transition.row(state(self.tree.parent(v)), previous);
            row[state(v)] + self.ln_emission[v as usize * k + state(v)]
        });
        factors.sum::<f64>() - self.ln_evidence
    }
}

/// Draws an index with probability proportional to its weight; one of weight 0 never.
fn choose(weights: &[f64], rng: &mut Rng) -> u8 {
    let total: f64 = weights.iter().sum();
    let mut left = rng.random::<f64>() * total;
    let mut last = 0;
    for (state, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            last = state;
            if left < weight {
                break;
            }
            left -= weight;
        }
    }
    // Rounding may leave a trace of the total: it belongs to the last possible state.
    last as u8
}
