//! The most probable states of the whole tree (Viterbi's algorithm on a tree, in logarithms).
//!
//! Upward, for every state of a node the ln probability of the best states of its subtree; downward, the states that
//! have it. What the children of a node say along their chain is made again on the way down for the one state that the
//! node has, which takes less time than it takes to keep it for all.

use super::lanes::{Lanes, map, plus};
use super::rows::{BLOCK, Block};
use super::upward_downward::in_widest_registers;
use crate::model::{Transition, TransitionKind};
use crate::view::Tree;

/// Lanes of a row of states.
const P: usize = 8;

/// The states with the highest joint probability, and ln P(z, x) of them. Of equals, the lower states.
///
/// Arguments, cost, memory and panics as for [`super::upward_downward::upward_downward`].
pub fn viterbi(tree: &Tree, ln_emission: &[f64], transition: &Transition) -> (Vec<u8>, f64) {
    let k = transition.states;
    assert!(k <= P, "exact inference has at most {P} states, not {k}");
    assert_eq!(ln_emission.len(), tree.len() * k, "one emission for each node and state");
    if tree.is_empty() {
        return (Vec::new(), 0.0);
    }
    in_widest_registers(Viterbi { tree, ln_emission, rows: LnRows::new(transition) })
}

/// ln A in the orders that it is read in; minus infinity in lanes to spare.
struct LnRows {
    kind: TransitionKind,
    states: usize,
    /// \[a\]\[s\]\[z\]; s is P for none.
    by_parent: Vec<[Lanes<P>; P + 1]>,
    /// \[block of a\]\[z\]\[s\].
    up: Vec<[Block<P>; P]>,
    /// Of first children, \[z\]\[a\].
    first: [Lanes<P>; P],
    root: Lanes<P>,
}

impl LnRows {
    fn new(transition: &Transition) -> Self {
        let k = transition.states;
        let row = |a: usize, s: usize| {
            let mut row = [f64::NEG_INFINITY; P];
            row[..k].copy_from_slice(transition.row(a, s));
            row
        };
        let none = [f64::NEG_INFINITY; P];
        let mut by_parent = vec![[none; P + 1]; P];
        let mut up = vec![[[[f64::NEG_INFINITY; BLOCK]; P]; P]; P / BLOCK];
        let mut first = [none; P];
        for a in 0..k {
            for s in 0..k {
                by_parent[a][s] = row(a, transition.previous(s));
                for z in 0..k {
                    up[a / BLOCK][z][s][a % BLOCK] = by_parent[a][s][z];
                }
            }
            by_parent[a][P] = row(a, k);
            for z in 0..k {
                first[z][a] = by_parent[a][P][z];
            }
        }
        LnRows { kind: transition.kind, states: k, by_parent, up, first, root: row(k, k) }
    }
}

struct Viterbi<'a> {
    tree: &'a Tree,
    ln_emission: &'a [f64],
    rows: LnRows,
}

impl pulp::NullaryFnOnce for Viterbi<'_> {
    type Output = (Vec<u8>, f64);

    #[inline(always)]
    fn call(self) -> (Vec<u8>, f64) {
        let (tree, k) = (self.tree, self.rows.states);
        // ln of emission and best subtree, \[node\]\[state\].
        let mut best = vec![[f64::NEG_INFINITY; P]; tree.len()];
        let mut children = Vec::new();
        for v in (0..tree.len()).rev() {
            best[v][..k].copy_from_slice(&self.ln_emission[v * k..(v + 1) * k]);
            if !tree.is_leaf(v as u32) {
                children.clear();
                children.extend(tree.children(v as u32));
                best[v] = plus(best[v], self.join_children(&children, &best));
            }
        }
        let mut states = vec![0; tree.len()];
        let root = plus(self.rows.root, best[0]);
        states[0] = argmax(root);
        let mut messages = Vec::new();
        for v in (0..tree.len()).filter(|&v| !tree.is_leaf(v as u32)) {
            children.clear();
            children.extend(tree.children(v as u32));
            self.choose(&children, &best, &mut messages, usize::from(states[v]), &mut states);
        }
        (states, root[usize::from(argmax(root))])
    }
}

impl Viterbi<'_> {
    /// ln of the best states of all children and below, for each state of the parent.
    #[inline(always)]
    fn join_children(&self, children: &[u32], best: &[Lanes<P>]) -> Lanes<P> {
        match self.rows.kind {
            TransitionKind::Parent => children.iter().fold([0.0; P], |sum, &child| {
                plus(sum, largest_sums(&self.rows.first, best[child as usize]))
            }),
            TransitionKind::ParentAndPreviousSibling => {
                let mut of_all = [0.0; P];
                for block in 0..P / BLOCK {
                    let mut message = [[0.0; BLOCK]; P];
                    for &child in children[1..].iter().rev() {
                        let both = with_own(message, best[child as usize]);
                        let table = &self.rows.up[block];
                        for s in 0..P {
                            let mut largest = plus(both[0], table[0][s]);
                            for z in 1..P {
                                largest = larger(largest, plus(both[z], table[z][s]));
                            }
                            message[s] = largest;
                        }
                    }
                    let both = with_own(message, best[children[0] as usize]);
                    let mut largest = [f64::NEG_INFINITY; BLOCK];
                    for (both, first) in both.iter().zip(&self.rows.first) {
                        let first = std::array::from_fn(|lane| first[block * BLOCK + lane]);
                        largest = larger(largest, plus(*both, first));
                    }
                    of_all[block * BLOCK..][..BLOCK].copy_from_slice(&largest);
                }
                of_all
            }
        }
    }

    /// The states of the children of a node in state `parent`.
    #[inline(always)]
    fn choose(
        &self,
        children: &[u32],
        best: &[Lanes<P>],
        messages: &mut Vec<Lanes<P>>,
        parent: usize,
        states: &mut [u8],
    ) {
        let rows = &self.rows.by_parent[parent];
        messages.clear();
        messages.resize(children.len(), [0.0; P]);
        if self.rows.kind == TransitionKind::ParentAndPreviousSibling {
            for i in (1..children.len()).rev() {
                let both = plus(messages[i], best[children[i] as usize]);
                messages[i - 1] = std::array::from_fn(|s| {
                    let sums = plus(both, rows[s]);
                    sums[usize::from(argmax(sums))]
                });
            }
        }
        let mut row = &rows[P];
        for (&child, &message) in children.iter().zip(&*messages) {
            let state = argmax(plus(plus(message, best[child as usize]), *row));
            states[child as usize] = state;
            row = &rows[usize::from(state)];
        }
    }
}

/// max_z rows\[z\] + x\[z\].
#[inline(always)]
fn largest_sums(rows: &[Lanes<P>; P], x: Lanes<P>) -> Lanes<P> {
    let mut largest = plus(rows[0], [x[0]; P]);
    for z in 1..P {
        largest = larger(largest, plus(rows[z], [x[z]; P]));
    }
    largest
}

/// A message with what the node itself says, \[z\]\[lane of a\].
#[inline(always)]
fn with_own(mut message: Block<P>, own: Lanes<P>) -> Block<P> {
    for (lanes, own) in message.iter_mut().zip(own) {
        *lanes = plus(*lanes, [own; BLOCK]);
    }
    message
}

#[inline(always)]
fn larger<const N: usize>(x: Lanes<N>, y: Lanes<N>) -> Lanes<N> {
    map(x, y, |x, y| if y > x { y } else { x })
}

/// The first of the largest.
#[inline(always)]
fn argmax(scores: Lanes<P>) -> u8 {
    let mut best = 0;
    for state in 1..P {
        if scores[state] > scores[best] {
            best = state;
        }
    }
    best as u8
}
