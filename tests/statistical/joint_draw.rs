//! States of whole trees drawn at once, against the probabilities of all states by enumeration.
//!
//! Draws are independent, so that the numbers of draws of each configuration are multinomial and Pearson's statistic
//! follows chi-squared. A comparison fails where it is beyond the quantile at which a right sampler fails once in
//! [`FALSE_ALARM`] comparisons. Seeds are fixed and nothing is tried again: each test passes always or never.

use crate::small_trees::{all_states, ln_joint, random_problem};
use duramen::dist::special::normalize_ln;
use duramen::inference::JointDraw;
use duramen::inference::upward_downward::upward_downward;
use duramen::model::{Transition, TransitionKind};
use duramen::rng::{self, Rng};
use duramen::view::{NONE, Tree};
use rand::RngExt;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The rate at which one comparison would fail a right sampler. There are about 60 in this file.
const FALSE_ALARM: f64 = 1e-7;
/// Draws of a comparison.
const DRAWS: u64 = 20_000;
const KINDS: [TransitionKind; 2] = [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling];

/// Nodes for K states, so that there are a few thousand configurations at most.
fn nodes(k: usize) -> usize {
    [7, 6, 5, 4, 4, 4, 4][k - 2]
}

/// Why the draws of `draw` are not from `probability`, if they are not.
fn objection(probability: &[f64], mut draw: impl FnMut() -> usize) -> Option<String> {
    let mut seen = vec![0u64; probability.len()];
    for _ in 0..DRAWS {
        seen[draw()] += 1;
    }
    // What is expected less than 10 times is counted together, where chi-squared would not hold.
    let (mut statistic, mut cells) = (0.0, 0);
    let (mut rare_seen, mut rare_expected) = (0, 0.0);
    let mut add = |seen: u64, expected: f64| {
        statistic += (seen as f64 - expected).powi(2) / expected;
        cells += 1;
    };
    for (&seen, p) in seen.iter().zip(probability) {
        let expected = p * DRAWS as f64;
        if seen > 0 && expected == 0.0 {
            return Some("drawn although impossible".into());
        }
        if expected < 10.0 {
            rare_seen += seen;
            rare_expected += expected;
        } else {
            add(seen, expected);
        }
    }
    if rare_expected >= 10.0 {
        add(rare_seen, rare_expected);
    }
    let bound = ChiSquared::new(f64::from(cells - 1)).unwrap().inverse_cdf(1.0 - FALSE_ALARM);
    (statistic > bound).then(|| format!("chi-squared {statistic} of {cells} cells, at most {bound}"))
}

/// P(z | x) of all states in the order of [`all_states`].
fn probabilities(tree: &Tree, ln_emission: &[f64], transition: &Transition) -> Vec<f64> {
    let states = all_states(tree.len(), transition.states);
    let mut all: Vec<f64> = states.map(|z| ln_joint(tree, ln_emission, transition, &z)).collect();
    normalize_ln(&mut all);
    all
}

/// The place of states in the order of [`all_states`].
fn code(states: &[u8], k: usize) -> usize {
    states.iter().rev().fold(0, |code, &state| code * k + state as usize)
}

/// A problem as in [`random_problem`] with factors that do not sum to 1.
fn potentials(n: usize, k: usize, kind: TransitionKind, seed: u64) -> (Tree, Vec<f64>, Transition) {
    let (tree, ln_emission, mut transition) = random_problem(n, k, kind, seed);
    let mut rng = rng::stream(seed, "potentials", &[]);
    for row in transition.ln.chunks_mut(k) {
        let shift = rng.random_range(-40.0..40.0);
        row.iter_mut().for_each(|ln| *ln += shift + rng.random_range(-1.0..1.0));
    }
    (tree, ln_emission, transition)
}

#[test]
fn whole_configurations_are_drawn_as_often_as_they_are_probable() {
    let mut buffers = JointDraw::new();
    for kind in KINDS {
        for (seed, k) in (2..=8).chain(2..=8).enumerate() {
            let (tree, ln_emission, transition) = random_problem(nodes(k), k, kind, seed as u64);
            let expected = probabilities(&tree, &ln_emission, &transition);
            let mut rng = rng::stream(seed as u64, "joint-draw", &[]);
            let mut states = vec![0; tree.len()];
            let mut filtered = buffers.filter(&tree, &ln_emission, &transition);
            let found = objection(&expected, || {
                filtered.draw(&mut rng, &mut states);
                code(&states, k)
            });
            assert_eq!(found, None, "{kind:?}, {k} states");
        }
    }
}

#[test]
fn rows_that_do_not_sum_to_1_are_factors_as_any_other() {
    let mut buffers = JointDraw::new();
    for kind in KINDS {
        for k in 2..=8 {
            let (tree, ln_emission, transition) = potentials(nodes(k), k, kind, 100 + k as u64);
            let expected = probabilities(&tree, &ln_emission, &transition);
            let mut rng = rng::stream(k as u64, "joint-draw-potentials", &[]);
            let mut states = vec![0; tree.len()];
            let found = objection(&expected, || {
                buffers.draw(&tree, &ln_emission, &transition, &mut rng, &mut states);
                code(&states, k)
            });
            assert_eq!(found, None, "{kind:?}, {k} states");
        }
    }
}

#[test]
fn the_probability_of_given_states_equals_enumeration_and_is_0_where_a_state_is_forbidden() {
    let mut buffers = JointDraw::new();
    let mut forbidden = 0;
    for kind in KINDS {
        for k in 2..=8 {
            for problem in [random_problem, potentials] {
                let (tree, ln_emission, transition) = problem(nodes(k), k, kind, k as u64);
                let expected = probabilities(&tree, &ln_emission, &transition);
                let filtered = buffers.filter(&tree, &ln_emission, &transition);
                for (z, expected) in all_states(tree.len(), k).zip(expected) {
                    let z: Vec<u8> = z.iter().map(|&state| state as u8).collect();
                    let p = filtered.ln_probability(&z).exp();
                    assert!((p - expected).abs() < 1e-10, "{kind:?}, {k} states, {z:?}: {p} {expected}");
                    forbidden += usize::from(expected == 0.0);
                }
            }
        }
    }
    assert!(forbidden > 100, "states are forbidden somewhere");
}

#[test]
fn a_node_that_is_skipped_and_a_row_that_is_wrong_are_caught() {
    let mut buffers = JointDraw::new();
    for kind in KINDS {
        for k in 2..=8 {
            let (tree, ln_emission, transition) = random_problem(nodes(k), k, kind, k as u64);
            let expected = probabilities(&tree, &ln_emission, &transition);
            let mut rng = rng::stream(k as u64, "joint-draw-planted", &[]);
            let mut states = vec![0; tree.len()];
            let skipped = tree.len() - 1;
            let found = objection(&expected, || {
                // The node keeps the state of the draw before, where that is permitted.
                let before = states[skipped];
                buffers.draw(&tree, &ln_emission, &transition, &mut rng, &mut states);
                states[skipped] = before;
                code(&states, k)
            });
            assert!(found.is_some(), "a skipped node, {kind:?}, {k} states");

            let mut wrong = transition.clone();
            // The rows of the root and of the first child of a node in state 0, exchanged.
            let row = |parent: usize| (parent * (k + 1) + k) * k;
            for z in 0..k {
                wrong.ln.swap(row(k) + z, row(0) + z);
            }
            let found = objection(&expected, || {
                buffers.draw(&tree, &ln_emission, &wrong, &mut rng, &mut states);
                code(&states, k)
            });
            assert!(found.is_some(), "a wrong row, {kind:?}, {k} states");
        }
    }
}

#[test]
fn draws_of_a_wide_and_deep_tree_have_its_marginals() {
    // A chain of 500 nodes, the last of which has 3000 children: nothing may underflow.
    let (k, depth, width) = (6, 500u32, 3000);
    for kind in KINDS {
        let (_, _, transition) = random_problem(1, k, kind, 3);
        let mut parents = vec![NONE];
        parents.extend(0..depth);
        parents.extend(std::iter::repeat_n(depth, width));
        let tree = Tree::from_parents(parents);
        let mut rng: Rng = rng::stream(5, "wide-and-deep", &[]);
        let ln_emission: Vec<f64> = (0..tree.len() * k).map(|_| rng.random_range(-30.0..0.0)).collect();
        let marginals = upward_downward(&tree, &ln_emission, &transition);
        let mut buffers = JointDraw::new();
        let mut filtered = buffers.filter(&tree, &ln_emission, &transition);
        assert!((filtered.ln_evidence() - marginals.ln_evidence).abs() < 1e-6);
        let draws = 200;
        let mut states = vec![0; tree.len()];
        // Over all nodes, the posterior of the drawn states: its mean is the sum of squares of the marginals.
        let mut sum = 0.0;
        for _ in 0..draws {
            filtered.draw(&mut rng, &mut states);
            assert!(filtered.ln_probability(&states).is_finite());
            sum += states
                .iter()
                .enumerate()
                .map(|(v, &state)| marginals.posterior[v * k + state as usize])
                .sum::<f64>();
        }
        let mean = sum / f64::from(draws) / tree.len() as f64;
        let expected: f64 = marginals.posterior.iter().map(|p| p * p).sum::<f64>() / tree.len() as f64;
        // Each term is in [0, 1]: with 3501 nodes, dependent in short stretches of at most 50, and 200 draws the
        // standard error is below .5 / sqrt(3501 * 200 / 50); five of them, false alarm below 1e-6.
        let bound = 5.0 * 0.5 / (tree.len() as f64 * f64::from(draws) / 50.0).sqrt();
        assert!((mean - expected).abs() < bound, "{kind:?}: {mean} {expected}");
    }
}

#[test]
fn an_empty_tree_has_no_states_and_probability_1() {
    let (_, _, transition) = random_problem(1, 3, TransitionKind::Parent, 1);
    let tree = Tree::default();
    let mut buffers = JointDraw::new();
    let mut filtered = buffers.filter(&tree, &[], &transition);
    filtered.draw(&mut rng::stream(1, "empty", &[]), &mut []);
    assert_eq!(filtered.ln_probability(&[]), 0.0);
}
