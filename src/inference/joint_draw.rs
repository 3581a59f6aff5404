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

use super::lanes::{Lanes, TINY, max, normalized, sum, times};
use super::rows::Rows;
use super::upward::{LnEmission, Upward};
use super::upward_downward::in_widest_registers;
use crate::dist::exponential::ln;
use crate::model::{Transition, TransitionKind};
use crate::rng::Rng;
use crate::view::{NONE, Tree};

/// Lanes of a row of states.
const P: usize = 8;

/// Draws of all states of a tree at once. Holds buffers: one for many pages or sweeps saves their allocation.
#[derive(Debug, Clone, Default)]
pub struct JointDraw {
    upward: Upward<P>,
    /// A\[a, s\]\[z\] as \[a\]\[s\]\[z\], up to a factor for each a.
    rows: Vec<[Lanes<P>; P]>,
    /// A\[a, start\]\[z\] with the same factors.
    first: [Lanes<P>; P],
    /// R_i+1 of each child of one node, the last child first.
    messages: Vec<Lanes<P>>,
}

/// A page whose messages up are made: states can be drawn, and the probability of given states asked for, as often
/// as wanted.
#[derive(Debug)]
pub struct Filtered<'a> {
    buffers: &'a mut JointDraw,
    tree: &'a Tree,
    ln_emission: &'a [f64],
    transition: &'a Transition,
    /// b of the root times its row of the transition.
    root: Lanes<P>,
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
    /// If `ln_emission` does not have n K entries, or K is more than 8.
    pub fn filter<'a>(
        &'a mut self,
        tree: &'a Tree,
        ln_emission: &'a [f64],
        transition: &'a Transition,
    ) -> Filtered<'a> {
        assert_eq!(ln_emission.len(), tree.len() * transition.states, "one emission for each node and state");
        let mut filtered =
            Filtered { buffers: self, tree, ln_emission, transition, root: [0.0; P], ln_evidence: 0.0 };
        if !tree.is_empty() {
            in_widest_registers(Filter(&mut filtered));
        }
        filtered
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
        assert_eq!(states.len(), self.tree.len(), "one state for each node");
        if states.is_empty() {
            return;
        }
        states[0] = choose(self.root, rng);
        for v in 0..self.tree.len() as u32 {
            if !self.tree.is_leaf(v) {
                match self.transition.kind {
                    TransitionKind::Parent => self.draw_children(v, rng, states),
                    TransitionKind::ParentAndPreviousSibling => self.draw_chain(v, rng, states),
                }
            }
        }
    }

    /// Draws the children of `v`, whose own state is drawn, each by itself.
    fn draw_children(&self, v: u32, rng: &mut Rng, states: &mut [u8]) {
        let row = self.buffers.first[states[v as usize] as usize];
        for child in self.tree.children(v) {
            states[child as usize] = choose(times(row, self.buffers.upward.weights[child as usize]), rng);
        }
    }

    /// Draws the children of `v`, whose own state is drawn, along the chain.
    fn draw_chain(&mut self, v: u32, rng: &mut Rng, states: &mut [u8]) {
        let JointDraw { upward, rows, first, messages } = &mut *self.buffers;
        let weights = &upward.weights;
        let parent = states[v as usize] as usize;
        let rows = &rows[parent];
        upward.chain.list(self.tree, v);
        let children = &upward.chain.children;
        messages.clear();
        let mut message = [1.0; P];
        messages.push(message);
        for &child in children[1..].iter().rev() {
            let both = times(message, weights[child as usize]);
            message = rows.map(|row| sum(times(row, both)));
            let largest = max(message);
            if largest < 1e-100 {
                message = message.map(|value| value / largest.max(TINY));
            }
            messages.push(message);
        }
        let mut row = first[parent];
        for &child in children {
            let message = messages.pop().expect("one for each child");
            let state = choose(times(times(row, weights[child as usize]), message), rng);
            states[child as usize] = state;
            row = rows[state as usize];
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

/// The kernel of [`JointDraw::filter`].
struct Filter<'a, 'b>(&'a mut Filtered<'b>);

impl pulp::NullaryFnOnce for Filter<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Filtered { buffers, tree, ln_emission, transition, root, ln_evidence } = self.0;
        let rows = Rows::<P>::new(transition);
        let emission = LnEmission { ln: ln_emission, states: transition.states };
        buffers.upward.pass(tree, &rows, &emission, &mut [], 0);
        let total = times(buffers.upward.weights[0], rows.root);
        *root = normalized(total);
        let [ln_total] = ln([sum(total)]);
        *ln_evidence = rows.ln_root + buffers.upward.ln_scale[0] + ln_total;
        buffers.first = rows.first;
        buffers.rows = rows.by_parent();
    }
}

/// Draws a state with probability proportional to its weight; one of weight 0 never.
fn choose(weights: Lanes<P>, rng: &mut Rng) -> u8 {
    let mut cumulated = weights;
    for state in 1..P {
        cumulated[state] += cumulated[state - 1];
    }
    let left = rng.random::<f64>() * cumulated[P - 1];
    let state = cumulated.iter().map(|&upto| u8::from(upto <= left)).sum::<u8>();
    if usize::from(state) < P {
        return state;
    }
    // Rounded up to the total: it belongs to the last possible state.
    weights.iter().rposition(|&weight| weight > 0.0).expect("one state is possible") as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_chosen_as_often_as_they_weigh_and_never_without_weight() {
        let mut rng = crate::rng::stream(1, "choose", &[]);
        let mut seen = [0u32; P];
        for _ in 0..30_000 {
            seen[choose([0.0, 1e-200, 2e-200, 0.0, 3e-200, 0.0, 0.0, 0.0], &mut rng) as usize] += 1;
        }
        // Standard errors are below 87; five of them, false alarm once in a million.
        for (state, expected) in [0i32, 5_000, 10_000, 0, 15_000, 0, 0, 0].into_iter().enumerate() {
            let bound = if expected == 0 { 0 } else { 435 };
            assert!((seen[state] as i32 - expected).abs() <= bound, "{seen:?}");
        }
    }
}
