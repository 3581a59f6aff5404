//! The single-site kernel with given parameters: each node from its full conditional, in document order.
//!
//! P(z_v = z | rest) ~ A\[z_pa, z_ps\]\[z\] e_v(z) prod_c A\[z, z_ps(c)\]\[z_c\] A\[z_pa, z\]\[z_next\], over the children c,
//! the last factor only where A looks at the previous sibling. With the types of all siblings times
//! prod_u B\[z\]\[z_u\] B\[z_u\]\[z\]; with the types of children as emissions A is A C. Products of probabilities, and
//! no logarithms but where there are many factors: that is what makes a sweep fast.
//!
//! A state whose emission, or whose product over children, is less than 1e-308 of the likeliest state's is out.
//!
//! Cost: O(K) a node and child, with the types of all siblings O(K^2).

use rand::RngExt;

use super::pages::PageData;
use crate::model::{Transition, TransitionKind};
use crate::rng::Rng;
use crate::view::NONE;

/// The parameters of a sweep as the factors of full conditionals.
#[derive(Clone)]
pub(super) struct Factors {
    kind: TransitionKind,
    /// A C of a node's own transition, \[parent or root\]\[previous sibling or start\]\[state\].
    own: Vec<f64>,
    /// The same for a child, \[previous sibling of the child or start\]\[state of the child\]\[state\].
    of_child: Vec<f64>,
    /// The same for the next sibling, \[parent\]\[state of the next sibling\]\[state\].
    of_next: Vec<f64>,
    /// ln B\[state\]\[other\] B\[other\]\[state\], \[other\]\[state\]; empty without the types of all siblings.
    ln_pairs: Vec<f64>,
}

impl Factors {
    /// Of a transition, potentials and all (see [`super::chain`]), and ln B.
    pub fn new(transition: &Transition, ln_sibling: Option<&[f64]>) -> Self {
        let k = transition.states;
        let own: Vec<f64> = transition.ln.iter().map(|ln| ln.exp()).collect();
        let mut of_child = vec![0.0; (k + 1) * k * k];
        let mut of_next = vec![0.0; k * k * k];
        for a in 0..k {
            for s in 0..=k {
                for z in 0..k {
                    let p = own[(a * (k + 1) + s) * k + z];
                    of_child[(s * k + z) * k + a] = p;
                    if s < k {
                        of_next[(a * k + z) * k + s] = p;
                    }
                }
            }
        }
        let ln_pairs = ln_sibling.map_or(Vec::new(), |ln| {
            (0..k * k).map(|at| ln[at % k * k + at / k] + ln[at / k * k + at % k]).collect()
        });
        Factors { kind: transition.kind, own, of_child, of_next, ln_pairs }
    }
}

/// exp of log emissions, each node's scaled to maximum 1.
pub(super) fn linear_emissions<const K: usize>(ln_emission: &[f64], emission: &mut Vec<f64>) {
    emission.clear();
    for ln in ln_emission.as_chunks::<K>().0 {
        let max = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        emission.extend(ln.map(|ln| (ln - max).exp()));
    }
}

/// A page in a chain.
pub(super) struct Sites<'a, const K: usize> {
    page: &'a PageData<'a>,
    looks_back: bool,
    own: &'a [[f64; K]],
    of_child: &'a [[f64; K]],
    of_next: &'a [[f64; K]],
    ln_pairs: &'a [[f64; K]],
    emission: &'a [[f64; K]],
}

impl<'a, const K: usize> Sites<'a, K> {
    /// `emission` is what [`linear_emissions`] gives.
    pub fn new(page: &'a PageData<'a>, factors: &'a Factors, emission: &'a [f64]) -> Self {
        Sites {
            page,
            looks_back: factors.kind == TransitionKind::ParentAndPreviousSibling,
            own: factors.own.as_chunks().0,
            of_child: factors.of_child.as_chunks().0,
            of_next: factors.of_next.as_chunks().0,
            ln_pairs: factors.ln_pairs.as_chunks().0,
            emission: emission.as_chunks().0,
        }
    }

    /// One sweep; gives the number of nodes whose state changed. `children_in_state` is \[node\]\[state\], used with the
    /// types of all siblings only.
    pub fn sweep(&self, states: &mut [u8], children_in_state: &mut [u32], rng: &mut Rng) -> u64 {
        let tree = self.page.tree;
        let mut changed = 0;
        for v in 0..states.len() as u32 {
            if self.page.permitted.at(v).len() == 1 {
                continue;
            }
            let before = states[v as usize];
            let weights = self.full_conditional(v, states, children_in_state);
            let state = draw_one(&weights, rng);
            if state == before {
                continue;
            }
            changed += 1;
            states[v as usize] = state;
            let parent = tree.parent(v);
            if parent != NONE && !self.ln_pairs.is_empty() {
                children_in_state[parent as usize * K + before as usize] -= 1;
                children_in_state[parent as usize * K + state as usize] += 1;
            }
        }
        changed
    }

    /// P(z_v | everything else) up to a constant, for every state.
    pub fn full_conditional(&self, v: u32, states: &[u8], children_in_state: &[u32]) -> [f64; K] {
        let tree = self.page.tree;
        let looks_back = self.looks_back;
        let state = |node: u32| if node == NONE { K } else { usize::from(states[node as usize]) };
        let parent = state(tree.parent(v));
        let previous = if looks_back { state(tree.previous_sibling(v)) } else { K };
        let mut weights = self.own[parent * (K + 1) + previous];
        multiply(&mut weights, &self.emission[v as usize]);
        // A thousand factors would leave a double's range.
        let mut factors = 0u32;
        let mut previous = K;
        for child in tree.children(v) {
            let child = usize::from(states[child as usize]);
            multiply(&mut weights, &self.of_child[previous * K + child]);
            if looks_back {
                previous = child;
            }
            factors += 1;
            if factors.is_multiple_of(8) {
                rescale(&mut weights);
            }
        }
        let next = tree.next_sibling(v);
        if looks_back && next != NONE {
            multiply(&mut weights, &self.of_next[parent * K + state(next)]);
        }
        if !self.ln_pairs.is_empty() && tree.parent(v) != NONE {
            let siblings = &children_in_state[tree.parent(v) as usize * K..][..K];
            let own = usize::from(states[v as usize]);
            let mut ln = [0.0; K];
            for (other, &n) in siblings.iter().enumerate() {
                let n = f64::from(n - u32::from(other == own));
                ln.iter_mut().zip(&self.ln_pairs[other]).for_each(|(ln, pair)| *ln += n * pair);
            }
            let max = (0..K).filter(|&z| weights[z] > 0.0).map(|z| ln[z]).fold(f64::NEG_INFINITY, f64::max);
            rescale(&mut weights);
            // A state that is out stays out, however well it goes with a thousand siblings: 0 times infinity is no number.
            for (weight, ln) in weights.iter_mut().zip(&ln).filter(|(weight, _)| **weight > 0.0) {
                *weight *= (ln - max).exp();
            }
        }
        weights
    }
}

fn multiply<const K: usize>(weights: &mut [f64; K], factors: &[f64; K]) {
    weights.iter_mut().zip(factors).for_each(|(weight, factor)| *weight *= factor);
}

/// Scales to maximum 1.
fn rescale<const K: usize>(weights: &mut [f64; K]) {
    let max = weights.iter().copied().fold(0.0, f64::max);
    let inverse = 1.0 / max;
    weights.iter_mut().for_each(|weight| *weight *= inverse);
}

/// As [`draw`], without a branch that depends on the state: the states whose prefix sums are not above a share of the total
/// are counted.
#[inline(always)]
fn draw_one<const K: usize>(weights: &[f64; K], rng: &mut Rng) -> u8 {
    let mut sums = *weights;
    let mut step = 1;
    while step < K {
        let before = sums;
        for i in step..K {
            sums[i] = before[i] + before[i - step];
        }
        step *= 2;
    }
    let share = rng.random::<f64>();
    let left = share * sums[K - 1];
    let state = sums.iter().map(|&sum| u8::from(sum <= left)).sum::<u8>();
    // Sums of different order are rounded apart: a state that is out, or one past the last, belongs to its neighbor.
    match weights.get(usize::from(state)) {
        Some(&weight) if weight > 0.0 => state,
        _ => draw_share(weights, share),
    }
}

/// Draws a state with probability proportional to its weight.
pub(super) fn draw(weights: &[f64], rng: &mut Rng) -> u8 {
    draw_share(weights, rng.random::<f64>())
}

/// The state in which a share of the total weight ends.
fn draw_share(weights: &[f64], share: f64) -> u8 {
    let total: f64 = weights.iter().sum();
    debug_assert!(total > 0.0 && total.is_finite(), "one state at least is possible: {weights:?}");
    let mut left = share * total;
    let mut last = 0;
    for (state, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            last = state as u8;
            if left < weight {
                return last;
            }
            left -= weight;
        }
    }
    // Rounding may leave a trace of the total: it belongs to the last possible state.
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_states_are_never_drawn() {
        let mut rng = crate::rng::stream(1, "test", &[]);
        for _ in 0..1000 {
            let weights = [0.0, 1e-300, 3e-301, 0.0];
            for state in [draw(&weights, &mut rng), draw_one(&weights, &mut rng)] {
                assert!(state == 1 || state == 2);
            }
        }
    }

    #[test]
    fn a_share_ends_in_the_same_state_either_way() {
        let weights = [0.25, 0.0, 1.0, 0.5, 0.0, 0.125, 2.0, 0.0];
        let streams = || crate::rng::stream(2, "test", &[]);
        let (mut one, mut other) = (streams(), streams());
        for _ in 0..10_000 {
            assert_eq!(draw_one(&weights, &mut one), draw(&weights, &mut other));
        }
    }
}
