//! Exact inference and the Gibbs sampler against enumeration of all states on small random trees.

use crate::small_trees::{all_states, ln_joint, random_problem};
use duramen::dist::special::ln_sum_exp;
use duramen::dom::Limits;
use duramen::inference::Exact;
use duramen::inference::upward_downward::{posteriors, transition_marginals, upward_downward};
use duramen::inference::viterbi::viterbi;
use duramen::model::{Model, ModelConfig, StateSpace, Transition, TransitionKind};
use duramen::page::Page;
use duramen::rng;
use duramen::view::{NONE, Tree};
use rand::RngExt;

#[test]
fn marginals_evidence_and_the_best_states_equal_enumeration() {
    for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
        for seed in 0..60 {
            let k = 2 + seed as usize % 7;
            let n = 1 + seed as usize % [7, 7, 6, 5, 4, 4, 4][k - 2];
            let (tree, ln_emission, transition) = random_problem(n, k, kind, seed);
            let mut terms = Vec::new();
            let mut by_state = vec![Vec::new(); n * k];
            let mut best = (f64::NEG_INFINITY, Vec::new());
            for z in all_states(n, k) {
                let ln_p = ln_joint(&tree, &ln_emission, &transition, &z);
                terms.push(ln_p);
                for (v, &state) in z.iter().enumerate() {
                    by_state[v * k + state].push(ln_p);
                }
                if ln_p > best.0 {
                    best = (ln_p, z);
                }
            }
            let ln_evidence = ln_sum_exp(&terms);
            let marginals = upward_downward(&tree, &ln_emission, &transition);
            assert!((marginals.ln_evidence - ln_evidence).abs() < 1e-10, "evidence, seed {seed}");
            for (index, terms) in by_state.iter().enumerate() {
                let expected = (ln_sum_exp(terms) - ln_evidence).exp();
                assert!(
                    (marginals.posterior[index] - expected).abs() < 1e-10,
                    "node and state {index}, seed {seed}"
                );
            }
            let alone = posteriors(&tree, &ln_emission, &transition);
            for (a, b) in alone.iter().zip(&marginals.posterior) {
                assert!((a - b).abs() < 1e-14, "seed {seed}");
            }
            let (states, ln_p) = viterbi(&tree, &ln_emission, &transition);
            assert!((ln_p - best.0).abs() < 1e-10, "seed {seed}");
            assert_eq!(states.iter().map(|&s| s as usize).collect::<Vec<_>>(), best.1, "seed {seed}");
        }
    }
}

/// The message up in logarithms throughout: slow and safe.
fn log_space_marginals(tree: &Tree, ln_emission: &[f64], transition: &Transition) -> (Vec<f64>, f64) {
    let k = transition.states;
    let n = tree.len();
    let mut below = vec![0.0; n * k];
    for v in (0..n as u32).rev() {
        let children: Vec<u32> = tree.children(v).collect();
        for a in 0..k {
            let mut next = vec![0.0; k + 1];
            for &child in children.iter().rev() {
                let at = child as usize * k;
                next = (0..=k)
                    .map(|s| {
                        let row = transition.row(a, transition.previous(s));
                        let terms: Vec<f64> =
                            (0..k).map(|z| row[z] + ln_emission[at + z] + below[at + z] + next[z]).collect();
                        ln_sum_exp(&terms)
                    })
                    .collect();
            }
            below[v as usize * k + a] = next[k];
        }
    }
    let root: Vec<f64> = (0..k).map(|z| transition.row(k, k)[z] + ln_emission[z] + below[z]).collect();
    let ln_evidence = ln_sum_exp(&root);
    (root.iter().map(|ln| (ln - ln_evidence).exp()).collect(), ln_evidence)
}

#[test]
fn a_node_with_thousands_of_children_is_right_where_one_scale_for_all_states_would_not_be() {
    for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
        let (k, children) = (6, 20_000);
        let (_, _, transition) = random_problem(1, k, kind, 3);
        let mut parents = vec![NONE];
        parents.extend(std::iter::repeat_n(0, children));
        let tree = Tree::from_parents(parents);
        let mut rng = rng::stream(5, "wide", &[]);
        let mut ln_emission: Vec<f64> = (0..tree.len() * k).map(|_| rng.random_range(-30.0..0.0)).collect();
        let (_, below) = log_space_marginals(&tree, &ln_emission, &transition);
        assert!(below < -3000.0);
        // The root's own evidence cancels what the children say of it, to within a few units.
        let messages = upward_downward(&tree, &ln_emission, &transition).ln_from_children;
        let spread = messages[..k].iter().copied().fold(f64::NEG_INFINITY, f64::max)
            - messages[..k].iter().copied().fold(f64::INFINITY, f64::min);
        assert!(spread > 800.0, "the messages must differ by more than a double holds: {spread}");
        for state in 0..k {
            ln_emission[state] = -messages[state] + state as f64 * 0.5;
        }
        let marginals = upward_downward(&tree, &ln_emission, &transition);
        let (expected, ln_evidence) = log_space_marginals(&tree, &ln_emission, &transition);
        assert!((marginals.ln_evidence - ln_evidence).abs() < 1e-6);
        for (state, (posterior, expected)) in marginals.posterior.iter().zip(&expected).enumerate() {
            assert!((posterior - expected).abs() < 1e-9, "{state}");
        }
        assert!(marginals.posterior.iter().all(|p| p.is_finite()));
    }
}

#[test]
fn joints_of_a_node_with_those_it_depends_on_equal_enumeration() {
    for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
        for (seed, k) in (2..=8).enumerate() {
            let n = [6, 6, 5, 4, 4, 4, 4][k - 2];
            let (tree, ln_emission, transition) = random_problem(n, k, kind, 200 + seed as u64);
            // \[node\]\[parent\]\[sibling before\]\[state\].
            let mut expected = vec![0.0; n * (k + 1) * (k + 1) * k];
            let place = |v: usize, a: usize, s: usize| ((v * (k + 1) + a) * (k + 1) + s) * k;
            let ln_evidence = upward_downward(&tree, &ln_emission, &transition).ln_evidence;
            for z in all_states(n, k) {
                let p = (ln_joint(&tree, &ln_emission, &transition, &z) - ln_evidence).exp();
                let state = |node: u32| if node == NONE { k } else { z[node as usize] };
                for v in 0..n {
                    let before = transition.previous(state(tree.previous_sibling(v as u32)));
                    expected[place(v, state(tree.parent(v as u32)), before) + z[v]] += p;
                }
            }
            let mut found = vec![0.0; expected.len()];
            let marginals = transition_marginals(&tree, &ln_emission, &transition, |v, a, s, joint| {
                found[place(v as usize, a, s)..][..k].copy_from_slice(joint);
            });
            assert_eq!(marginals, upward_downward(&tree, &ln_emission, &transition));
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert!(
                    (found - expected).abs() < 1e-10,
                    "{kind:?}, {k} states, {index}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn rows_that_do_not_sum_to_1_are_factors_as_any_other_on_wide_nodes_too() {
    for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
        let (k, children) = (6, 2000);
        let mut parents = vec![NONE];
        parents.extend(std::iter::repeat_n(0, children));
        let tree = Tree::from_parents(parents);
        let (_, _, mut transition) = random_problem(1, k, kind, 3);
        let mut rng = rng::stream(6, "wide", &[]);
        let ln_emission: Vec<f64> = (0..tree.len() * k).map(|_| rng.random_range(-3.0..0.0)).collect();
        for shift in [-120.0, 4.0, 90.0] {
            for (a, rows) in transition.ln.chunks_mut(k * (k + 1)).enumerate() {
                rows.iter_mut().for_each(|ln| *ln += shift + a as f64 * 0.01);
            }
            let marginals = upward_downward(&tree, &ln_emission, &transition);
            let (expected, ln_evidence) = log_space_marginals(&tree, &ln_emission, &transition);
            assert!((marginals.ln_evidence / ln_evidence - 1.0).abs() < 1e-12);
            for (posterior, expected) in marginals.posterior.iter().zip(&expected) {
                assert!((posterior - expected).abs() < 1e-8);
            }
        }
    }
}

#[test]
fn posteriors_from_features_are_those_from_log_emissions() {
    let html = "<h1>Head line</h1><div><p>One two three. Four.</p><p>Five six <a href=x>seven</a></p></div>
                <ul><li>Eight<li>Nine</ul><div><h2>Ten</h2><div><p>A remark</p><p>Another that is longer</p></div></div>";
    let page = Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap();
    let blocks = ModelConfig::blocks();
    let labels = ModelConfig { states: StateSpace::Labels, ..blocks.clone() };
    let parent = ModelConfig { transition: TransitionKind::Parent, ..labels.clone() };
    let shared = ModelConfig { inner_tables: false, ..parent.clone() };
    let no_features = ModelConfig { features: Vec::new(), ..blocks.clone() };
    let mut certain = blocks.clone();
    certain.priors.categorical.gamma = 1e-200;
    for config in [blocks, labels, parent, shared, no_features, certain, ModelConfig::thesis()] {
        let mut model = Model::new(config.clone()).unwrap();
        for round in 0..3u32 {
            // Labels without a pattern: counts that differ is all that is wanted.
            let tokens = |id: duramen::NodeId| {
                let mut tokens = [0; 6];
                tokens[((id.0 * 7 + round * 5) % 11 % 6) as usize] = 3;
                tokens
            };
            model.observe(&page, tokens, "made up").unwrap();
        }
        let parameters = model.parameters();
        let observation = model.observation(&page).unwrap();
        let ln_emission = model.ln_emission(&parameters, &observation);
        let expected = posteriors(&observation.view.tree, &ln_emission, &parameters.transition);
        let found = Exact::new(&model, &parameters).posteriors(&observation);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12, "{config:?}: {found} {expected}");
        }
    }
}
