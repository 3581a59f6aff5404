//! The most probable states of the whole tree (Viterbi's algorithm on a tree, in logarithms).

use crate::model::{Transition, TransitionKind};
use crate::view::{NONE, Tree};

/// The states with the highest joint probability, and ln P(z, x) of them. Of equals, the lower states.
///
/// Arguments, cost and panics as for [`super::upward_downward::upward_downward`]; memory O(n K^2) with the
/// previous sibling.
pub fn viterbi(tree: &Tree, ln_emission: &[f64], transition: &Transition) -> (Vec<u8>, f64) {
    let k = transition.states;
    let n = tree.len();
    assert_eq!(ln_emission.len(), n * k, "one emission for each node and state");
    if n == 0 {
        return (Vec::new(), 0.0);
    }
    let previous_states = match transition.kind {
        TransitionKind::Parent => 1,
        TransitionKind::ParentAndPreviousSibling => k + 1,
    };
    // Best state of node v given the parent's state and that of the sibling before, \[v\]\[a\]\[s\].
    let mut best = vec![0u8; n * k * previous_states];
    let mut ln_below = vec![0.0; n * k];
    let mut children = Vec::new();
    let mut next = vec![0.0; k + 1];
    let mut message = vec![0.0; k + 1];
    for v in (0..n as u32).rev() {
        children.clear();
        children.extend(tree.children(v));
        for a in 0..k {
            next.fill(0.0);
            for &child in children.iter().rev() {
                for s in 0..previous_states {
                    let previous = if previous_states == 1 { k } else { s };
                    let row = transition.row(a, previous);
                    let at = child as usize * k;
                    let (state, score) =
                        argmax((0..k).map(|z| row[z] + ln_emission[at + z] + ln_below[at + z] + next[z]));
                    best[(child as usize * k + a) * previous_states + s] = state;
                    message[s] = score;
                }
                if previous_states == 1 {
                    let only = message[0];
                    message.fill(only);
                }
                std::mem::swap(&mut next, &mut message);
            }
            ln_below[v as usize * k + a] = next[k];
        }
    }
    let row = transition.row(k, k);
    let (root, ln_joint) = argmax((0..k).map(|z| row[z] + ln_emission[z] + ln_below[z]));
    let mut states = vec![root; n];
    for v in 1..n as u32 {
        let parent = states[tree.parent(v) as usize] as usize;
        let previous = match tree.previous_sibling(v) {
            _ if previous_states == 1 => 0,
            NONE => k,
            sibling => states[sibling as usize] as usize,
        };
        states[v as usize] = best[(v as usize * k + parent) * previous_states + previous];
    }
    (states, ln_joint)
}

fn argmax(scores: impl Iterator<Item = f64>) -> (u8, f64) {
    scores.enumerate().fold((0, f64::NEG_INFINITY), |(best, max), (state, score)| {
        if score > max { (state as u8, score) } else { (best, max) }
    })
}
