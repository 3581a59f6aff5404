//! Pages made by the model: parameters, states and features drawn from the joint distribution that is sampled.
//!
//! Where leaves cannot be mixed, or labels permit some states only, the product of transitions over the states that are
//! permitted does not sum to 1 but to Z(theta) <= 1. The distribution of a page's states given the parameters is
//!
//! P(z | theta) = prod_v A\[z_pa(v), z_ps(v)\]\[z_v\] / Z(theta)   for permitted z,
//!
//! which a walk from the root that passes over forbidden states does not draw from: a parent's state must be weighed by
//! what its children may be. It is drawn by exact inference with all permitted emissions at 1.
//!
//! The sampler draws parameters from their conjugate posterior and so does not see Z: its target is
//!
//! pi(theta, z, x) ~ p(theta) prod_v A\[z_pa(v), z_ps(v)\]\[z_v\] prod_f p_f(x_vf | z_v),   permitted z only,
//!
//! under which theta has the density p(theta) Z(theta). [`simulate`] draws from this joint: transitions from p(theta),
//! accepted with probability Z(theta). Without forbidden states Z is 1 and p(theta) the prior.

use rand::RngExt;

use super::joint_draw::JointDraw;
use crate::error::{Error, Result};
use crate::features::FeatureMatrix;
use crate::model::{Counts, Model, ModelConfig, Parameters, PermittedStates, TargetStates, Transition};
use crate::rng::Rng;
use crate::view::Tree;

/// How many transitions are drawn before [`simulate`] gives up.
pub const MAX_TRIES: u32 = 100_000;

/// One page made by the model.
#[derive(Debug, Clone)]
pub struct SimulatedPage {
    /// The states of its nodes.
    pub states: TargetStates,
    /// The features of its nodes.
    pub features: FeatureMatrix,
}

/// Draws parameters and pages from the joint distribution pi(theta, z, x), given the model's counts: those of a model
/// that has seen no page give the prior.
///
/// # Errors
/// [`Error::Usage`] if the model has the labels of all siblings or of children as an emission, whose joint distribution is
/// not normalized; or if none of [`MAX_TRIES`] transitions was accepted, which large trees with forbidden states make likely: the share accepted is
/// about the mean of Z, the probability that a free walk meets no forbidden state.
pub fn simulate(
    model: &Model,
    trees: &[(&Tree, &PermittedStates)],
    rng: &mut Rng,
) -> Result<(Parameters, Vec<SimulatedPage>)> {
    let config = model.config();
    check(config)?;
    let mut parameters = Parameters::draw(config, model.counts(), rng);
    // Transitions are drawn again and again, features once.
    let config = ModelConfig { features: Vec::new(), layout: None, ..config.clone() };
    let counts = Counts { features: Vec::new(), ..model.counts().clone() };
    for _ in 0..MAX_TRIES {
        let transition = &parameters.transition;
        let ln_z: f64 =
            trees.iter().map(|(tree, permitted)| ln_normalizer(transition, tree, permitted)).sum();
        if rng.random::<f64>().ln() < ln_z {
            let pages = trees
                .iter()
                .map(|(tree, permitted)| simulate_page(model, &parameters, tree, permitted, rng))
                .collect::<Result<_>>()?;
            return Ok((parameters, pages));
        }
        parameters.transition = Parameters::draw(&config, &counts, rng).transition;
    }
    Err(Error::usage(
        format!("none of {MAX_TRIES} draws of the transitions was accepted"),
        "give smaller trees, or a model whose states are all permitted at every node",
    ))
}

/// Draws a page's states and features given the parameters.
///
/// # Errors
/// [`Error::Usage`] if the model has the labels of all siblings or of children as an emission.
pub fn simulate_page(
    model: &Model,
    parameters: &Parameters,
    tree: &Tree,
    permitted: &PermittedStates,
    rng: &mut Rng,
) -> Result<SimulatedPage> {
    let config = model.config();
    check(config)?;
    let states = simulate_states(&parameters.transition, tree, permitted, rng);
    let features = parameters.draw_features(config, model.specs(), tree, &states, rng);
    Ok(SimulatedPage { states: TargetStates::new(tree, config.states, states), features })
}

/// Draws the states of a tree from P(z | theta).
///
/// # Panics
/// If `permitted` is not of this tree.
pub fn simulate_states(
    transition: &Transition,
    tree: &Tree,
    permitted: &PermittedStates,
    rng: &mut Rng,
) -> Vec<u8> {
    let mut states = vec![0; tree.len()];
    let ln_emission = free_emission(transition, tree, permitted);
    JointDraw::new().draw(tree, &ln_emission, transition, rng, &mut states);
    states
}

/// ln Z(theta): ln of the sum of the products of transitions over all permitted states; 0 if all are.
///
/// # Panics
/// If `permitted` is not of this tree.
pub fn ln_normalizer(transition: &Transition, tree: &Tree, permitted: &PermittedStates) -> f64 {
    let ln_emission = free_emission(transition, tree, permitted);
    // Rounding may take it above the 0 that it is at most.
    JointDraw::new().filter(tree, &ln_emission, transition).ln_evidence().min(0.0)
}

/// Log emissions of nodes without features: 0 where a state is permitted.
fn free_emission(transition: &Transition, tree: &Tree, permitted: &PermittedStates) -> Vec<f64> {
    assert_eq!(permitted.len(), tree.len(), "one set of states for each node");
    let mut ln_emission = vec![0.0; tree.len() * transition.states];
    permitted.restrict(&mut ln_emission);
    ln_emission
}

fn check(config: &ModelConfig) -> Result<()> {
    for (name, used) in [("sibling-types", config.sibling_types), ("child-types", config.child_types)] {
        if used {
            return Err(Error::usage(
                format!("pages are simulated from a model with {name} = true"),
                format!(
                    "set {name} = false: with this term the joint distribution is known up to a factor only"
                ),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{StateSet, StateSpace};
    use crate::rng;
    use crate::view::NONE;

    /// A root with a leaf, an inner node with two leaves, and a leaf.
    fn tree() -> Tree {
        Tree::from_parents(vec![NONE, 0, 0, 2, 2, 0])
    }

    fn small_model() -> Model {
        Model::new(ModelConfig::blocks()).unwrap()
    }

    /// The product of transitions of given states.
    fn product(transition: &Transition, tree: &Tree, z: &[u8]) -> f64 {
        let state = |v: u32| if v == NONE { transition.states } else { z[v as usize] as usize };
        (0..tree.len() as u32)
            .map(|v| {
                let previous = transition.previous(state(tree.previous_sibling(v)));
                transition.row(state(tree.parent(v)), previous)[state(v)]
            })
            .sum::<f64>()
            .exp()
    }

    #[test]
    fn states_are_drawn_as_often_as_enumeration_says() {
        let tree = Tree::from_parents(vec![NONE, 0, 1, 0]);
        let model = small_model();
        let mut rng = rng::stream(1, "test", &[]);
        let transition = Parameters::draw(model.config(), model.counts(), &mut rng).transition;
        let permitted = PermittedStates::all(&tree, StateSpace::LabelsAndMixed);
        // Inner nodes 0 and 1 have 8 states, the leaves 2 and 3 have 6.
        let mut exact = vec![0.0; 8 * 8 * 8 * 8];
        let index = |z: &[u8]| z.iter().fold(0, |index, &z| index * 8 + usize::from(z));
        for i in 0..exact.len() {
            let z = [i >> 9, i >> 6 & 7, i >> 3 & 7, i & 7].map(|z| z as u8);
            if z[2] < 6 && z[3] < 6 {
                exact[index(&z)] = product(&transition, &tree, &z);
            }
        }
        let total: f64 = exact.iter().sum();
        assert!((total.ln() - ln_normalizer(&transition, &tree, &permitted)).abs() < 1e-12);
        let n = 100_000;
        let mut drawn = vec![0u32; exact.len()];
        for _ in 0..n {
            drawn[index(&simulate_states(&transition, &tree, &permitted, &mut rng))] += 1;
        }
        // Pearson's statistic over the cells of at least 5 expected draws, the rest as one; its normal approximation
        // beyond five standard deviations: about one false alarm in a million seeds.
        let (mut statistic, mut cells, mut rest) = (0.0, 0.0, (0.0, 0.0));
        for (p, hits) in exact.iter().zip(drawn) {
            let (expected, hits) = (p / total * f64::from(n), f64::from(hits));
            assert!(expected > 0.0 || hits == 0.0, "a forbidden state is never drawn");
            if expected >= 5.0 {
                statistic += (hits - expected).powi(2) / expected;
                cells += 1.0;
            } else {
                rest = (rest.0 + expected, rest.1 + hits);
            }
        }
        if rest.0 > 0.0 {
            statistic += (rest.1 - rest.0).powi(2) / rest.0;
        }
        assert!((statistic - cells).abs() < 5.0 * f64::sqrt(2.0 * cells), "{statistic} for {cells} cells");
    }

    #[test]
    fn transitions_have_the_density_that_the_sampler_gives_them() {
        let tree = tree();
        let model = small_model();
        let permitted = PermittedStates::all(&tree, StateSpace::LabelsAndMixed);
        let mut rng = rng::stream(2, "test", &[]);
        // The probability that a first child is mixed, over all parents: forbidden at two nodes, so Z weighs against it.
        let value = |transition: &Transition| {
            let of_parent = |a: usize| {
                let row = transition.row(a, transition.previous(8));
                row[6].exp() + row[7].exp()
            };
            (0..8).map(of_parent).sum::<f64>() / 8.0
        };
        let n = 3000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let (parameters, pages) = simulate(&model, &[(&tree, &permitted)], &mut rng).unwrap();
            assert_eq!(pages[0].states.as_slice().len(), tree.len());
            let value = value(&parameters.transition);
            sum += value;
            squares += value * value;
        }
        let mean = sum / f64::from(n);
        let error = ((squares / f64::from(n) - mean * mean) / f64::from(n)).sqrt();
        // The same mean by draws of the prior weighed with Z.
        let (mut weighed, mut weights, mut plain) = (0.0, 0.0, 0.0);
        let draws = 20_000;
        for _ in 0..draws {
            let transition = Parameters::draw(model.config(), model.counts(), &mut rng).transition;
            let weight = ln_normalizer(&transition, &tree, &permitted).exp();
            weighed += weight * value(&transition);
            weights += weight;
            plain += value(&transition) / f64::from(draws);
        }
        // Five standard errors of the first, the larger one: a false alarm in some hundred thousand seeds.
        assert!((mean - weighed / weights).abs() < 5.5 * error, "{mean} {}", weighed / weights);
        assert!((mean - plain).abs() > 5.5 * error, "the prior itself would be seen: {mean} {plain} {error}");
    }

    #[test]
    fn labels_are_kept_and_types_of_all_siblings_are_refused() {
        let tree = tree();
        let model = small_model();
        let mut sets = vec![StateSet::first(8); tree.len()];
        sets[3] = StateSet::only(2);
        sets[5] = StateSet::only(0).or(StateSet::only(1));
        let permitted = PermittedStates::new(&tree, StateSpace::LabelsAndMixed, &sets).unwrap();
        let mut rng = rng::stream(3, "test", &[]);
        for _ in 0..20 {
            let (_, pages) = simulate(&model, &[(&tree, &permitted)], &mut rng).unwrap();
            let z = pages[0].states.as_slice();
            assert!(z[3] == 2 && z[5] <= 1, "{z:?}");
        }
        let thesis = Model::new(ModelConfig::thesis()).unwrap();
        let permitted = PermittedStates::all(&tree, StateSpace::Labels);
        let error = simulate(&thesis, &[(&tree, &permitted)], &mut rng).unwrap_err().to_string();
        assert!(error.contains("sibling-types = false"), "{error}");
    }

    #[test]
    fn a_model_that_learns_from_its_own_pages_finds_their_transitions() {
        let config = ModelConfig { states: StateSpace::Labels, ..ModelConfig::blocks() };
        let model = Model::new(config.clone()).unwrap();
        let parents = (0..3000u32).map(|v| if v == 0 { NONE } else { (v - 1) / 4 }).collect();
        let tree = Tree::from_parents(parents);
        let permitted = PermittedStates::all(&tree, StateSpace::Labels);
        let mut rng = rng::stream(4, "test", &[]);
        let (parameters, pages) = simulate(&model, &[(&tree, &permitted)], &mut rng).unwrap();
        let mut counts = model.counts().clone();
        counts.observe(&config, model.specs(), &tree, &pages[0].features, &pages[0].states);
        let learned = Parameters::predictive(&config, &counts);
        let k = config.states.len();
        let mut seen = 0;
        for (row, counts) in counts.transitions.chunks(k).enumerate() {
            let n: u64 = counts.iter().sum();
            let at = row * k..(row + 1) * k;
            for (ln, truth) in learned.transition.ln[at.clone()].iter().zip(&parameters.transition.ln[at]) {
                let (p, truth) = (ln.exp(), truth.exp());
                // Five standard errors and the prior's pull; some 250 comparisons: one false alarm in 7,000 seeds.
                let pull = k as f64 / (n as f64 + k as f64);
                let error = (truth * (1.0 - truth) / (n.max(1)) as f64).sqrt();
                assert!((p - truth).abs() < 5.0 * error + pull, "{p} {truth} of {n}");
                seen += usize::from(n > 100);
            }
        }
        assert!(seen > 30, "{seen}");
    }
}
