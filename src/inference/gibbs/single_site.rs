//! The single-site kernel with given parameters: each node from its full conditional, in document order.
//!
//! P(z_v = z | rest) ~ A\[z_pa, z_ps\]\[z\] e_v(z) prod_c A\[z, z_ps(c)\]\[z_c\] A\[z_pa, z\]\[z_next\], over the children c,
//! the last factor only where A looks at the previous sibling. With the labels of all siblings times
//! prod_u B\[z\]\[z_u\] B\[z_u\]\[z\]; with the labels of children as emissions A is A C. Products of probabilities, and
//! no logarithms but where there are many factors: that is what makes a sweep fast.
//!
//! A state whose emission, or whose product over children, is less than 1e-308 of the likeliest state's is out.
//!
//! Cost: O(K) a node and child, with the labels of all siblings O(K^2).

use rand::RngExt;

use super::pages::PageData;
use crate::inference::lanes::{Lanes, max, times};
use crate::inference::upward_downward::in_widest_registers;
use crate::model::{Transition, TransitionKind};
use crate::rng::Rng;
use crate::view::NONE;

/// The most states there are. A row has a number for each; those of a smaller state space are 0 beyond its last.
const STATES: usize = 8;
pub(super) type Row = Lanes<STATES>;

/// In the place of a state where there is no node: above the root, or before a first child.
const ABSENT: usize = STATES;

/// The parameters of a sweep as the factors of full conditionals.
#[derive(Clone)]
pub(super) struct Factors {
    /// The number of states, K.
    states: usize,
    pub looks_back: bool,
    /// A C of a node's own transition, \[parent or absent\]\[previous sibling or absent\].
    own: [[Row; STATES + 1]; STATES + 1],
    /// The same for a child, \[previous sibling of the child or absent\]\[state of the child\].
    of_child: [[Row; STATES]; STATES + 1],
    /// The same for the next sibling, \[parent\]\[state of the next sibling\].
    of_next: [[Row; STATES]; STATES],
    /// ln B\[state\]\[other\] B\[other\]\[state\], \[other\]; none without the labels of all siblings.
    ln_pairs: Option<[Row; STATES]>,
}

impl Factors {
    /// Of a transition, potentials and all (see [`super::chain`]), and ln B.
    pub fn new(transition: &Transition, ln_sibling: Option<&[f64]>) -> Self {
        let k = transition.states;
        let mut factors = Factors {
            states: k,
            looks_back: transition.kind == TransitionKind::ParentAndPreviousSibling,
            own: [[[0.0; STATES]; STATES + 1]; STATES + 1],
            of_child: [[[0.0; STATES]; STATES]; STATES + 1],
            of_next: [[[0.0; STATES]; STATES]; STATES],
            ln_pairs: ln_sibling.map(|ln| {
                std::array::from_fn(|other| {
                    std::array::from_fn(|state| match state.max(other) < k {
                        true => ln[state * k + other] + ln[other * k + state],
                        false => 0.0,
                    })
                })
            }),
        };
        let place = |state| if state == k { ABSENT } else { state };
        for a in 0..=k {
            for s in 0..=k {
                for z in 0..k {
                    let p = transition.ln[(a * (k + 1) + s) * k + z].exp();
                    factors.own[place(a)][place(s)][z] = p;
                    if a < k {
                        factors.of_child[place(s)][z][a] = p;
                        if s < k {
                            factors.of_next[a][z][s] = p;
                        }
                    }
                }
            }
        }
        factors
    }
}

/// exp of log emissions of `states` states, each node's scaled to maximum 1.
pub(super) fn linear_emissions(ln_emission: &[f64], states: usize) -> Vec<Row> {
    let linear = |ln: &[f64]| {
        let max = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut row = [0.0; STATES];
        row.iter_mut().zip(ln).for_each(|(row, ln)| *row = (ln - max).exp());
        row
    };
    ln_emission.chunks_exact(states).map(linear).collect()
}

/// A page in `N` chains, and the parameters of the sweep.
///
/// A node is drawn in all chains before the next: what one chain waits for is computed while the others go on, and the tree is
/// read once. Each chain draws what it draws alone.
pub(super) struct Sites<'a, const N: usize> {
    pub page: &'a PageData<'a>,
    pub factors: &'a Factors,
    /// What [`linear_emissions`] gives.
    pub emission: &'a [Row],
    pub chains: [SitesOfChain<'a>; N],
}

/// The page in one chain.
pub(super) struct SitesOfChain<'a> {
    pub states: &'a mut [u8],
    /// \[node\]\[state\], used with the labels of all siblings only.
    pub children_in_state: &'a mut [u32],
    pub rng: &'a mut Rng,
}

/// A sweep of a model of at most K states; what it does not need is left out by the compiler.
struct Sweep<'a, const N: usize, const K: usize, const LOOKS_BACK: bool>(Sites<'a, N>);

impl<const N: usize, const K: usize, const LOOKS_BACK: bool> pulp::NullaryFnOnce
    for Sweep<'_, N, K, LOOKS_BACK>
{
    type Output = [u64; N];

    /// All that it calls is inlined: wide registers are used in what is compiled with it alone.
    #[inline(always)]
    fn call(self) -> [u64; N] {
        let Sweep(mut sites) = self;
        let mut changed = [0; N];
        for v in 0..sites.page.tree.len() as u32 {
            if sites.page.permitted.at(v).len() == 1 {
                continue;
            }
            let parent = sites.page.tree.parent(v);
            let weights = sites.full_conditional(v, LOOKS_BACK);
            for (i, chain) in sites.chains.iter_mut().enumerate() {
                let drawn = state_at::<K>(&weights[i], chain.rng.random());
                let state = if drawn < K { drawn as u8 } else { last_possible(&weights[i]) };
                let before = std::mem::replace(&mut chain.states[v as usize], state);
                changed[i] += u64::from(state != before);
                if sites.factors.ln_pairs.is_some() {
                    chain.count_sibling(parent, before, state);
                }
            }
        }
        changed
    }
}

impl<const N: usize> Sites<'_, N> {
    /// One sweep; gives the number of nodes whose state changed, of each chain.
    pub fn sweep(self) -> [u64; N] {
        let Factors { states, looks_back, .. } = *self.factors;
        match (states <= 6, looks_back) {
            (true, false) => in_widest_registers(Sweep::<N, 6, false>(self)),
            (false, false) => in_widest_registers(Sweep::<N, STATES, false>(self)),
            (_, true) => in_widest_registers(Sweep::<N, STATES, true>(self)),
        }
    }

    /// P(z_v | everything else) up to a constant, \[chain\]\[state\].
    #[inline(always)]
    pub fn full_conditional(&self, v: u32, looks_back: bool) -> [Row; N] {
        let (tree, factors) = (self.page.tree, self.factors);
        // The state of a node in each chain. (Loops, since the compiler does not inline all of `array::from_fn`.)
        let states = |node: u32| -> [usize; N] {
            let mut states = [ABSENT; N];
            if node != NONE {
                for (state, chain) in states.iter_mut().zip(&self.chains) {
                    *state = usize::from(chain.states[node as usize]);
                }
            }
            states
        };
        let parent = states(tree.parent(v));
        let mut previous = if looks_back { states(tree.previous_sibling(v)) } else { [ABSENT; N] };
        let mut weights: [Row; N] = [self.emission[v as usize]; N];
        for i in 0..N {
            weights[i] = times(factors.own[parent[i]][previous[i]], weights[i]);
        }
        // A thousand factors would leave a double's range.
        let mut children = 0u32;
        previous = [ABSENT; N];
        for child in tree.children(v) {
            let child = states(child);
            for i in 0..N {
                weights[i] = times(weights[i], factors.of_child[previous[i]][child[i]]);
            }
            children += 1;
            if children.is_multiple_of(8) {
                weights.iter_mut().for_each(|weights| *weights = rescaled(*weights));
            }
            if looks_back {
                previous = child;
            }
        }
        let next = tree.next_sibling(v);
        if looks_back && next != NONE {
            let next = states(next);
            for i in 0..N {
                weights[i] = times(weights[i], factors.of_next[parent[i]][next[i]]);
            }
        }
        if let (Some(ln_pairs), true) = (&factors.ln_pairs, tree.parent(v) != NONE) {
            for (weights, chain) in weights.iter_mut().zip(&self.chains) {
                *weights = chain.times_pairs(tree.parent(v), v, *weights, ln_pairs);
            }
        }
        weights
    }
}

impl SitesOfChain<'_> {
    /// The weights of a node times what the labels of all siblings say.
    fn times_pairs(&self, parent: u32, v: u32, weights: Row, ln_pairs: &[Row; STATES]) -> Row {
        let siblings = self.children_of(parent);
        let own = usize::from(self.states[v as usize]);
        let mut ln = [0.0; STATES];
        for (other, (&n, pairs)) in self.children_in_state[siblings].iter().zip(ln_pairs).enumerate() {
            let n = f64::from(n - u32::from(other == own));
            ln.iter_mut().zip(pairs).for_each(|(ln, pair)| *ln += n * pair);
        }
        let max = (0..STATES).filter(|&z| weights[z] > 0.0).map(|z| ln[z]).fold(f64::NEG_INFINITY, f64::max);
        let mut weights = rescaled(weights);
        // A state that is out stays out, however well it goes with a thousand siblings: 0 times infinity is no number.
        for (weight, ln) in weights.iter_mut().zip(&ln).filter(|(weight, _)| **weight > 0.0) {
            *weight *= (ln - max).exp();
        }
        weights
    }

    /// A child of `parent` is no longer in the state `before` but in `state`.
    fn count_sibling(&mut self, parent: u32, before: u8, state: u8) {
        if parent != NONE {
            let siblings = self.children_of(parent);
            let siblings = &mut self.children_in_state[siblings];
            siblings[usize::from(before)] -= 1;
            siblings[usize::from(state)] += 1;
        }
    }

    /// Where `children_in_state` has the children of a node.
    fn children_of(&self, parent: u32) -> std::ops::Range<usize> {
        let states = self.children_in_state.len() / self.states.len();
        parent as usize * states..(parent as usize + 1) * states
    }
}

/// The state of the first K in which a share of their total weight ends, or K where rounding has left a trace of the total. A state
/// of weight 0 adds nothing to the sum, and is passed over.
#[inline(always)]
fn state_at<const K: usize>(weights: &Row, share: f64) -> usize {
    let sums = running_sums(weights);
    let left = share * sums[K - 1];
    sums[..K].iter().map(|&sum| usize::from(sum <= left)).sum()
}

/// The sums of the first weight, the first two and so on. Pairs and fours are summed apart from each other, so that no addition waits for
/// more than two others; rounded sums of numbers from 0 up are ascending all the same, and as large as the one before for a weight of 0.
#[inline(always)]
fn running_sums(weights: &Row) -> Row {
    let [a, b, c, d, e, f, g, h] = *weights;
    let (ab, ef) = (a + b, e + f);
    let (cd, gh) = (c + d, g + h);
    let (abcd, efg, efgh) = (ab + cd, ef + g, ef + gh);
    [a, ab, ab + c, abcd, abcd + e, abcd + ef, abcd + efg, abcd + efgh]
}

/// Where rounding has left a trace of the total, it belongs to the last possible state.
#[cold]
fn last_possible(weights: &Row) -> u8 {
    debug_assert!(weights.iter().sum::<f64>() > 0.0, "one state at least is possible: {weights:?}");
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0) as u8
}

/// Scales to maximum 1.
#[inline(always)]
fn rescaled(weights: Row) -> Row {
    let inverse = 1.0 / max(weights);
    weights.map(|weight| weight * inverse)
}

/// Draws a state with probability proportional to its weight.
pub(super) fn draw(weights: &[f64], rng: &mut Rng) -> u8 {
    let total: f64 = weights.iter().sum();
    debug_assert!(total > 0.0 && total.is_finite(), "one state at least is possible: {weights:?}");
    let mut left = rng.random::<f64>() * total;
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
            let weights = [0.0, 1e-300, 3e-301, 0.0, 0.0, 0.0, 0.0, 0.0];
            for state in [usize::from(draw(&weights, &mut rng)), state_at::<8>(&weights, rng.random())] {
                assert!(state == 1 || state == 2);
            }
        }
    }

    #[test]
    fn a_share_ends_in_the_same_state_either_way() {
        for weights in [
            [0.25, 0.0, 1.0, 0.5, 0.0, 0.125, 2.0, 0.0],
            [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 1e-300, 0.0, 0.0],
        ] {
            let stream = || crate::rng::stream(2, "test", &[]);
            let (mut one, mut other) = (stream(), stream());
            for _ in 0..10_000 {
                assert_eq!(state_at::<8>(&weights, one.random()), usize::from(draw(&weights, &mut other)));
            }
        }
    }

    #[test]
    fn a_trace_of_the_total_belongs_to_the_last_possible_state() {
        let weights = [0.5, 0.0, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(state_at::<8>(&weights, 1.0), STATES);
        assert_eq!(last_possible(&weights), 3);
    }
}
