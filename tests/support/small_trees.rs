//! Small random trees with random factors, and all their states: what exact inference and samplers are checked against.

#![allow(dead_code, reason = "each test file uses its own part")]

use duramen::model::{Transition, TransitionKind};
use duramen::rng;
use duramen::view::{NONE, Tree};
use rand::RngExt;

/// A random tree of `n` nodes with random emissions, some states forbidden, and random transitions.
pub fn random_problem(n: usize, k: usize, kind: TransitionKind, seed: u64) -> (Tree, Vec<f64>, Transition) {
    let mut rng = rng::stream(seed, "random-problem", &[n as u64, k as u64]);
    let mut parents = vec![NONE];
    // In preorder the parent of the next node is the last node or one of its ancestors.
    for _ in 1..n {
        let mut path = vec![parents.len() as u32 - 1];
        while parents[*path.last().unwrap() as usize] != NONE {
            path.push(parents[*path.last().unwrap() as usize]);
        }
        parents.push(path[rng.random_range(0..path.len())]);
    }
    let mut ln_emission: Vec<f64> = (0..n * k).map(|_| rng.random_range(-6.0..0.0)).collect();
    for node in ln_emission.chunks_mut(k) {
        if rng.random_bool(0.2) {
            node[rng.random_range(1..k)] = f64::NEG_INFINITY;
        }
    }
    let mut ln = Vec::new();
    for _ in 0..(k + 1) * (k + 1) {
        let row: Vec<f64> = (0..k).map(|_| rng.random_range(0.01..1.0)).collect();
        let total: f64 = row.iter().sum();
        ln.extend(row.iter().map(|p| (p / total).ln()));
    }
    (Tree::from_parents(parents), ln_emission, Transition { kind, states: k, ln })
}

/// ln of the product of all factors for the states `z`.
pub fn ln_joint(tree: &Tree, ln_emission: &[f64], transition: &Transition, z: &[usize]) -> f64 {
    let k = transition.states;
    let state = |node: u32| if node == NONE { k } else { z[node as usize] };
    (0..tree.len() as u32)
        .map(|v| {
            let previous = transition.previous(state(tree.previous_sibling(v)));
            let previous = if tree.previous_sibling(v) == NONE { k } else { previous };
            transition.row(state(tree.parent(v)), previous)[z[v as usize]]
                + ln_emission[v as usize * k + z[v as usize]]
        })
        .sum()
}

/// All states of `n` nodes.
pub fn all_states(n: usize, k: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..k.pow(n as u32)).map(move |code| (0..n).map(|v| code / k.pow(v as u32) % k).collect())
}
