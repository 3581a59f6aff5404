//! Exact marginals of a hidden Markov tree by passing messages up and down (the tree's forward-backward).
//!
//! The children of a node are a chain: each depends on the parent and, where the model says so, on the sibling
//! before. For a parent in state a and children c_1 .. c_m the message up is
//!
//! M(a) = sum over z_1 .. z_m of prod_i A\[a, z_i-1\]\[z_i\] b_i(z_i),   b_i(z) = e_i(z) M_i(z),
//!
//! computed from the last child to the first. Numbers are kept as a row scaled to maximum 1 and a logarithm *for
//! each state of the parent*: on a node with hundreds of children the messages of two states differ by more than
//! any float can hold, and one scale for all would make the smaller ones zero that the parent's own evidence may
//! favor.
//!
//! References: Crouse, Nowak & Baraniuk 1998 (upward-downward); Durand, Gonçalvès & Guédon 2004 (scaling).

use crate::model::{Transition, TransitionKind};
use crate::view::Tree;

/// The exact posterior of every node's state.
#[derive(Debug, Clone, PartialEq)]
pub struct Marginals {
    /// P(z_v = state | x), \[node\]\[state\]; each row sums to 1.
    pub posterior: Vec<f64>,
    /// ln P(x): the evidence of the page.
    pub ln_evidence: f64,
    /// ln of the message from the children of each node, \[node\]\[state\]: what the subtree below says of it.
    pub ln_from_children: Vec<f64>,
    /// What the rest of the page, parent and siblings, says of each state, \[node\]\[state\], up to one factor for
    /// each node. The posterior is proportional to emission times message from the children times this; unlike
    /// the posterior it cannot underflow where emissions differ by hundreds of nats.
    pub outside: Vec<f64>,
}

/// Marginals and evidence of one page.
///
/// `ln_emission` is \[node\]\[state\]; a state at minus infinity is not permitted there, at least one of each node
/// must be. Cost: O(n K^2), with the previous sibling O(n K^3); memory O(n K) and O(m K^2) for the most children
/// m of one node.
///
/// # Panics
/// If `ln_emission` does not have n K entries.
pub fn upward_downward(tree: &Tree, ln_emission: &[f64], transition: &Transition) -> Marginals {
    pass(tree, ln_emission, transition, 0.0, &mut |_, _, _, _| ())
}

/// The marginals of [`upward_downward`], and to `visit` the joint posterior of each node with those it depends on:
/// node, state a of its parent (K for the root), state s of the sibling before (K for none, and everywhere where the
/// transition does not look at it), and P(z_pa = a, z_ps = s, z_v = z | x) for every state z. Combinations of a and s
/// whose probability is 0 are left out. What expected counts are sums of.
///
/// # Panics
/// As [`upward_downward`].
pub fn transition_marginals(
    tree: &Tree,
    ln_emission: &[f64],
    transition: &Transition,
    mut visit: impl FnMut(u32, usize, usize, &[f64]),
) -> Marginals {
    let marginals = pass(tree, ln_emission, transition, 0.0, &mut visit);
    let k = transition.states;
    if !tree.is_empty() {
        visit(0, k, k, &marginals.posterior[..k]);
    }
    marginals
}

/// The posteriors of [`upward_downward`] alone, to 1e-28, in about half the time: on the way down, states of the
/// parent and of the sibling before are left out whose joint probability is below 1e-30. Most nodes have one or two
/// that are above.
///
/// # Panics
/// As [`upward_downward`].
pub fn posteriors(tree: &Tree, ln_emission: &[f64], transition: &Transition) -> Vec<f64> {
    pass(tree, ln_emission, transition, 1e-30, &mut |_, _, _, _| ()).posterior
}

/// Both passes; joint probabilities up to `least` are left out on the way down.
fn pass(
    tree: &Tree,
    ln_emission: &[f64],
    transition: &Transition,
    least: f64,
    visit: &mut impl FnMut(u32, usize, usize, &[f64]),
) -> Marginals {
    let k = transition.states;
    let n = tree.len();
    assert_eq!(ln_emission.len(), n * k, "one emission for each node and state");
    let mut pass = Pass {
        tree,
        transition,
        linear: transition.ln.iter().map(|ln| ln.exp()).collect(),
        by_previous: Vec::new(),
        ln_emission,
        ln_from_children: vec![0.0; n * k],
        weights: vec![0.0; n * k],
        least,
        messages: Vec::new(),
    };
    if n == 0 {
        return Marginals {
            posterior: Vec::new(),
            ln_evidence: 0.0,
            ln_from_children: Vec::new(),
            outside: Vec::new(),
        };
    }
    pass.by_previous = (0..k * k)
        .flat_map(|at| (0..=k).map(move |previous| (at / k, previous, at % k)))
        .map(|(parent, previous, state)| pass.row(parent, previous)[state])
        .collect();
    for v in (0..n as u32).rev() {
        if !tree.is_leaf(v) {
            pass.upward(v);
        }
    }
    let mut posterior = vec![0.0; n * k];
    let mut outside = vec![0.0; n * k];
    outside[..k].copy_from_slice(pass.row(k, k));
    let root_row = transition.row(k, k);
    for state in 0..k {
        posterior[state] = root_row[state] + ln_emission[state] + pass.ln_from_children[state];
    }
    let ln_evidence = crate::dist::special::normalize_ln(&mut posterior[..k]);
    for v in 0..n as u32 {
        if !tree.is_leaf(v) {
            pass.downward(v, &mut posterior, &mut outside, visit);
        }
    }
    Marginals { posterior, ln_evidence, ln_from_children: pass.ln_from_children, outside }
}

struct Pass<'a> {
    tree: &'a Tree,
    transition: &'a Transition,
    /// The transitions as probabilities.
    linear: Vec<f64>,
    /// The same as \[parent\]\[state\]\[previous sibling\]: sums over the state are then made for all states of the
    /// previous sibling at once, in vector registers and with the same bits.
    by_previous: Vec<f64>,
    ln_emission: &'a [f64],
    ln_from_children: Vec<f64>,
    /// b(z) of every node but the root scaled to maximum 1, \[node\]\[state\].
    weights: Vec<f64>,
    /// Joint probabilities up to this are left out on the way down.
    least: f64,
    /// Room for the messages along the children of one node: R_i(a, s), the children from i on given the parent's
    /// state a and the state s before child i, scaled to maximum 1 for each a; \[child\]\[a\]\[s\], one more than
    /// children.
    messages: Vec<f64>,
}

impl Pass<'_> {
    fn row(&self, parent: usize, previous: usize) -> &[f64] {
        let k = self.transition.states;
        let start = (parent * (k + 1) + previous) * k;
        &self.linear[start..start + k]
    }

    /// Scales b of every child of `v` and adds their scales up.
    fn weigh_children(&mut self, v: u32) -> f64 {
        let k = self.transition.states;
        let mut ln_scale = 0.0;
        for child in self.tree.children(v) {
            let at = child as usize * k;
            let ln = |state: usize| self.ln_emission[at + state] + self.ln_from_children[at + state];
            let max = (0..k).map(ln).fold(f64::NEG_INFINITY, f64::max);
            ln_scale += max;
            for state in 0..k {
                self.weights[at + state] = (ln(state) - max).exp();
            }
        }
        ln_scale
    }

    /// The scaled b of a node.
    fn weights(&self, v: u32) -> &[f64] {
        let k = self.transition.states;
        &self.weights[v as usize * k..(v as usize + 1) * k]
    }

    /// The message of all children of `v` for each of its states.
    fn upward(&mut self, v: u32) {
        let k = self.transition.states;
        let ln_scale = self.weigh_children(v);
        let children: Vec<u32> = self.tree.children(v).collect();
        let mut next = vec![1.0; k + 1];
        let mut message = vec![0.0; k + 1];
        for a in 0..k {
            next.fill(1.0);
            let mut ln_message = ln_scale;
            // Scales are multiplied, and their logarithm is taken before the product leaves a double's range.
            let mut scale = 1.0;
            for &child in children.iter().rev() {
                scale *= self.step(a, self.weights(child), &next, &mut message);
                if scale < 1e-200 {
                    ln_message += scale.ln();
                    scale = 1.0;
                }
                std::mem::swap(&mut next, &mut message);
            }
            // The first child has no sibling before.
            self.ln_from_children[v as usize * k + a] = ln_message + (scale * next[k]).ln();
        }
    }

    /// One child of the chain, for the parent's state `a`: `message` is [`Pass::sums`] scaled to maximum 1; gives
    /// the scale.
    fn step(&self, a: usize, weights: &[f64], next: &[f64], message: &mut [f64]) -> f64 {
        self.sums(a, weights, next, message);
        let max = message.iter().copied().fold(0.0, f64::max);
        // All terms can only underflow where a drawn row is as good as zero for every state that is left.
        let max = max.max(1e-100);
        let inverse = 1.0 / max;
        for value in message.iter_mut() {
            *value *= inverse;
        }
        max
    }

    /// `sums[s]` = sum_z A\[a, s\]\[z\] b(z) next\[z\] for every state s of the sibling before, and for none.
    fn sums(&self, a: usize, weights: &[f64], next: &[f64], sums: &mut [f64]) {
        let k = self.transition.states;
        match self.transition.kind {
            TransitionKind::Parent => {
                let terms = self.row(a, k).iter().zip(weights).zip(next);
                sums.fill(terms.map(|((p, weight), next)| p * weight * next).sum());
            }
            TransitionKind::ParentAndPreviousSibling => {
                let columns = &self.by_previous[a * k * (k + 1)..(a + 1) * k * (k + 1)];
                // The numbers of states in use get loops of fixed length, which stay in registers.
                match k {
                    6 => sums.copy_from_slice(&fixed_sums::<6, 7>(columns, weights, next)),
                    8 => sums.copy_from_slice(&fixed_sums::<8, 9>(columns, weights, next)),
                    _ => {
                        sums.fill(0.0);
                        for ((column, weight), next) in columns.chunks_exact(k + 1).zip(weights).zip(next) {
                            let both = weight * next;
                            sums.iter_mut().zip(column).for_each(|(sum, p)| *sum += p * both);
                        }
                    }
                }
            }
        }
    }

    /// The posteriors of the children of `v`, from its own, and what they are without the children's own evidence.
    fn downward(
        &mut self,
        v: u32,
        posterior: &mut [f64],
        outside: &mut [f64],
        visit: &mut impl FnMut(u32, usize, usize, &[f64]),
    ) {
        let k = self.transition.states;
        let children: Vec<u32> = self.tree.children(v).collect();
        let size = k * (k + 1);
        let parents: Vec<usize> = (0..k).filter(|a| posterior[v as usize * k + a] > self.least).collect();
        let mut messages = std::mem::take(&mut self.messages);
        messages.clear();
        messages.resize((children.len() + 1) * size, 1.0);
        for &a in &parents {
            for (i, &child) in children.iter().enumerate().rev() {
                let (now, later) = messages.split_at_mut((i + 1) * size);
                let next = &later[a * (k + 1)..(a + 1) * (k + 1)];
                let message = &mut now[i * size + a * (k + 1)..i * size + (a + 1) * (k + 1)];
                self.step(a, self.weights(child), next, message);
            }
        }
        // forward[a][s] = P(z_v = a, z_i-1 = s | x).
        let mut forward = vec![0.0; size];
        let mut following = vec![0.0; size];
        let mut totals = vec![0.0; k + 1];
        let mut joint = vec![0.0; k];
        for &a in &parents {
            forward[a * (k + 1) + k] = posterior[v as usize * k + a];
        }
        for (i, &child) in children.iter().enumerate() {
            following.fill(0.0);
            let weights = &self.weights[child as usize * k..(child as usize + 1) * k];
            for &a in &parents {
                let next = &messages[(i + 1) * size + a * (k + 1)..][..k];
                self.sums(a, weights, next, &mut totals);
                for s in 0..=k {
                    let mass = forward[a * (k + 1) + s];
                    if mass <= self.least {
                        continue;
                    }
                    let share = mass / totals[s];
                    let row = self.row(a, self.transition.previous(s));
                    for (z, p) in row.iter().enumerate() {
                        following[a * (k + 1) + z] += share * p;
                        joint[z] = share * p * next[z] * weights[z];
                    }
                    visit(child, a, self.transition.previous(s), &joint);
                }
                for z in 0..k {
                    let without_own = following[a * (k + 1) + z] * next[z];
                    outside[child as usize * k + z] += without_own;
                    following[a * (k + 1) + z] = without_own * weights[z];
                }
            }
            let own = &mut posterior[child as usize * k..(child as usize + 1) * k];
            for (z, value) in own.iter_mut().enumerate() {
                *value = (0..k).map(|a| following[a * (k + 1) + z]).sum();
            }
            let sum: f64 = own.iter().sum();
            own.iter_mut().for_each(|value| *value /= sum);
            std::mem::swap(&mut forward, &mut following);
        }
        self.messages = messages;
    }
}

/// [`Pass::sums`] for K states, with P = K + 1: `columns` is \[state\]\[previous sibling\].
fn fixed_sums<const K: usize, const P: usize>(columns: &[f64], weights: &[f64], next: &[f64]) -> [f64; P] {
    let (columns, _) = columns.as_chunks::<P>();
    let mut sums = [0.0; P];
    for ((column, weight), next) in columns[..K].iter().zip(weights).zip(next) {
        let both = weight * next;
        for (sum, p) in sums.iter_mut().zip(column) {
            *sum += p * both;
        }
    }
    sums
}
