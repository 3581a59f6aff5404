//! The thesis's Gibbs sampler (its section 2.3): sweeps in document order over single nodes.
//!
//! From a random start, every sweep draws each node's state from its full conditional given parent, children,
//! siblings and features, with the most recent states of all others. After a sweep the page's own sampled counts
//! enter the posterior in place of those of the sweep before ("the data set does not grow"). The states of the
//! last sweeps are averaged: 30 sweeps, the last 10 in the thesis.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::features::FeatureMatrix;
use crate::model::{Counts, Model, ModelConfig, Parameters, TargetStates, TransitionKind};
use crate::rng::{self, Rng};
use crate::view::{NONE, Tree};

/// How the parameters of a sweep come out of their posterior.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterUse {
    /// Posterior means: the parameters integrated out, node by node.
    #[default]
    Mean,
    /// Drawn anew for every sweep from their Beta and Dirichlet distributions.
    Drawn,
}

/// Settings of the sampler; the defaults are the thesis's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct GibbsConfig {
    /// Sweeps over the page. Range 1 and up, default 30.
    pub sweeps: u32,
    /// Sweeps at the beginning that are not averaged. Range 0 to below `sweeps`, default 20.
    pub burn_in: u32,
    /// Of the sweeps after burn-in, every how many is averaged. Range 1 and up, default 1.
    pub thin: u32,
    /// Chains, each from its own random start, averaged together. Range 1 and up, default 1.
    pub chains: u32,
    /// Whether the page's own sampled counts enter the posterior after each sweep. Default true.
    pub page_counts: bool,
    /// How parameters come out of the posterior. Default posterior means.
    pub parameters: ParameterUse,
    /// The seed; the stream of a chain is named by seed, chain and page digest. Default 1.
    pub seed: u64,
}

impl Default for GibbsConfig {
    fn default() -> Self {
        GibbsConfig {
            sweeps: 30,
            burn_in: 20,
            thin: 1,
            chains: 1,
            page_counts: true,
            parameters: ParameterUse::Mean,
            seed: 1,
        }
    }
}

impl GibbsConfig {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the parameter, its range and its default.
    pub fn check(&self) -> Result<()> {
        let refuse = |what: String, remedy: &str| Err(Error::usage(what, remedy));
        if self.sweeps == 0 {
            return refuse("sweeps is 0".into(), "sweeps must be at least 1; the default is 30");
        }
        if self.burn_in >= self.sweeps {
            return refuse(
                format!(
                    "burn-in is {}, with {} sweeps nothing is left to average",
                    self.burn_in, self.sweeps
                ),
                "burn-in must be below sweeps; the default is 20 of 30",
            );
        }
        if self.thin == 0 {
            return refuse("thin is 0".into(), "thin must be at least 1; the default is 1");
        }
        if self.chains == 0 {
            return refuse("chains is 0".into(), "chains must be at least 1; the default is 1");
        }
        Ok(())
    }
}

/// What the sampler is run on: a page as a model sees it.
pub struct Target<'a> {
    /// The model.
    pub model: &'a Model,
    /// The page's tree.
    pub tree: &'a Tree,
    /// Its features.
    pub features: &'a FeatureMatrix,
    /// The page's number in random streams, see [`crate::dom::digest::ParseDigest::as_u64`].
    pub digest: u64,
}

/// The average of the sampled states over the sweeps kept, \[node\]\[state\]; each row sums to 1.
///
/// `observe` is called after every sweep with chain, sweep (from 1) and states, for traces and progress.
///
/// # Errors
/// As [`GibbsConfig::check`].
///
/// # Cost
/// O(chains sweeps n K), and with `page_counts` or drawn parameters O(chains sweeps n K F) for the emissions.
pub fn sample(
    target: &Target<'_>,
    config: &GibbsConfig,
    mut observe: impl FnMut(u32, u32, &[u8]),
) -> Result<Vec<f64>> {
    config.check()?;
    let k = target.model.config().states.len();
    let mut visits = vec![0u64; target.tree.len() * k];
    let mut draws = 0u64;
    for chain in 0..config.chains {
        let mut sampler = Sampler::new(target, config, chain);
        for sweep in 1..=config.sweeps {
            sampler.sweep();
            observe(chain, sweep, &sampler.states);
            if sweep > config.burn_in && (sweep - config.burn_in - 1).is_multiple_of(config.thin) {
                draws += 1;
                for (v, &state) in sampler.states.iter().enumerate() {
                    visits[v * k + state as usize] += 1;
                }
            }
            if sweep < config.sweeps {
                sampler.update_parameters();
            }
        }
    }
    Ok(visits.into_iter().map(|count| count as f64 / draws as f64).collect())
}

struct Sampler<'a> {
    target: &'a Target<'a>,
    settings: &'a GibbsConfig,
    rng: Rng,
    states: Vec<u8>,
    parameters: Parameters,
    ln_emission: Vec<f64>,
    /// Number of children in each state, \[node\]\[state\]; for the thesis's sibling types only.
    children_in_state: Vec<u32>,
}

impl<'a> Sampler<'a> {
    fn new(target: &'a Target<'a>, settings: &'a GibbsConfig, chain: u32) -> Self {
        let config = target.model.config();
        let k = config.states.len();
        let mut rng = rng::stream(settings.seed, "gibbs", &[u64::from(chain), target.digest]);
        let states: Vec<u8> = (0..target.tree.len() as u32)
            .map(|v| rng.random_range(0..config.states.permitted(target.tree.is_leaf(v)) as u8))
            .collect();
        let mut children_in_state = Vec::new();
        if config.sibling_types {
            children_in_state = vec![0; states.len() * k];
            for (v, &state) in states.iter().enumerate() {
                let parent = target.tree.parent(v as u32);
                if parent != NONE {
                    children_in_state[parent as usize * k + state as usize] += 1;
                }
            }
        }
        // The first sweep has no sweep before it: the training counts alone.
        let parameters = take_parameters(config, target.model.counts(), settings.parameters, &mut rng);
        let ln_emission = target.ln_emission(&parameters);
        Sampler { target, settings, rng, states, parameters, ln_emission, children_in_state }
    }

    /// Lets the page's last states enter the posterior, and takes the next sweep's parameters from it.
    fn update_parameters(&mut self) {
        let drawn = self.settings.parameters == ParameterUse::Drawn;
        if !(self.settings.page_counts || drawn) {
            return;
        }
        let Target { model, tree, features, .. } = *self.target;
        let config = model.config();
        let counts = if self.settings.page_counts {
            let mut counts = model.counts().clone();
            let states = TargetStates::new(tree, config.states, self.states.clone());
            counts.observe(config, model.specs(), tree, features, &states);
            counts
        } else {
            model.counts().clone()
        };
        self.parameters = take_parameters(config, &counts, self.settings.parameters, &mut self.rng);
        self.ln_emission = self.target.ln_emission(&self.parameters);
    }

    fn sweep(&mut self) {
        let k = self.parameters.transition.states;
        let mut ln_weights = vec![0.0; k];
        for v in 0..self.states.len() as u32 {
            self.full_conditional(v, &mut ln_weights);
            let state = draw(&ln_weights, &mut self.rng);
            let before = std::mem::replace(&mut self.states[v as usize], state);
            let parent = self.target.tree.parent(v);
            if parent != NONE && !self.children_in_state.is_empty() {
                self.children_in_state[parent as usize * k + before as usize] -= 1;
                self.children_in_state[parent as usize * k + state as usize] += 1;
            }
        }
    }

    /// ln P(z_v | everything else) up to a constant, for every state.
    fn full_conditional(&self, v: u32, ln_weights: &mut [f64]) {
        let tree = self.target.tree;
        let transition = &self.parameters.transition;
        let k = transition.states;
        let state = |node: u32| if node == NONE { k } else { self.states[node as usize] as usize };
        let parent = state(tree.parent(v));
        let row = transition.row(parent, transition.previous(state(tree.previous_sibling(v))));
        let emission = &self.ln_emission[v as usize * k..(v as usize + 1) * k];
        for (weight, (a, e)) in ln_weights.iter_mut().zip(row.iter().zip(emission)) {
            *weight = a + e;
        }
        for child in tree.children(v) {
            let previous = transition.previous(state(tree.previous_sibling(child)));
            let child = state(child);
            for (z, weight) in ln_weights.iter_mut().enumerate() {
                *weight += transition.row(z, previous)[child];
            }
        }
        let next = tree.next_sibling(v);
        if transition.kind == TransitionKind::ParentAndPreviousSibling && next != NONE {
            let next = state(next);
            for (z, weight) in ln_weights.iter_mut().enumerate() {
                *weight += transition.row(parent, z)[next];
            }
        }
        if !self.children_in_state.is_empty() && tree.parent(v) != NONE {
            let siblings = &self.children_in_state[tree.parent(v) as usize * k..][..k];
            let own = self.states[v as usize] as usize;
            let ln_sibling = &self.parameters.ln_sibling;
            for (z, weight) in ln_weights.iter_mut().enumerate() {
                for (other, &n) in siblings.iter().enumerate() {
                    // Each sees the other as a sibling: the node its siblings, and each of them the node.
                    let n = f64::from(n - u32::from(other == own));
                    *weight += n * (ln_sibling[z * k + other] + ln_sibling[other * k + z]);
                }
            }
        }
    }
}

impl Target<'_> {
    fn ln_emission(&self, parameters: &Parameters) -> Vec<f64> {
        parameters.ln_emission(self.model.config(), self.model.specs(), self.tree, self.features)
    }
}

fn take_parameters(config: &ModelConfig, counts: &Counts, how: ParameterUse, rng: &mut Rng) -> Parameters {
    match how {
        ParameterUse::Mean => Parameters::predictive(config, counts),
        ParameterUse::Drawn => Parameters::draw(config, counts, rng),
    }
}

/// Draws a state with probability proportional to the exponentials.
fn draw(ln_weights: &[f64], rng: &mut Rng) -> u8 {
    let max = ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = ln_weights.iter().map(|ln| (ln - max).exp()).sum();
    let mut left = rng.random::<f64>() * total;
    let mut last = 0;
    for (state, ln) in ln_weights.iter().enumerate() {
        let weight = (ln - max).exp();
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
    fn settings_out_of_range_are_refused_with_range_and_default() {
        let config = GibbsConfig { burn_in: 30, ..GibbsConfig::default() };
        let message = config.check().unwrap_err().to_string();
        assert!(message.contains("burn-in is 30") && message.contains("default is 20"), "{message}");
        assert!(GibbsConfig { chains: 0, ..GibbsConfig::default() }.check().is_err());
        assert!(GibbsConfig { thin: 0, ..GibbsConfig::default() }.check().is_err());
        assert!(GibbsConfig { sweeps: 0, ..GibbsConfig::default() }.check().is_err());
    }

    #[test]
    fn impossible_states_are_never_drawn() {
        let mut rng = rng::stream(1, "test", &[]);
        for _ in 0..1000 {
            let state = draw(&[f64::NEG_INFINITY, -800.0, -801.0, f64::NEG_INFINITY], &mut rng);
            assert!(state == 1 || state == 2);
        }
    }

    /// ln of the product whose full conditionals are sampled: transitions, emissions, and each ordered pair of
    /// siblings.
    fn ln_product(parameters: &Parameters, tree: &Tree, ln_emission: &[f64], z: &[u8]) -> f64 {
        let k = parameters.transition.states;
        let state = |node: u32| if node == NONE { k } else { z[node as usize] as usize };
        (0..tree.len() as u32)
            .map(|v| {
                let previous = parameters.transition.previous(state(tree.previous_sibling(v)));
                let siblings = (1..tree.len() as u32).filter(|&u| u != v && tree.parent(u) == tree.parent(v));
                let types: f64 = match parameters.ln_sibling.is_empty() {
                    true => 0.0,
                    false => siblings.map(|u| parameters.ln_sibling[state(v) * k + state(u)]).sum(),
                };
                parameters.transition.row(state(tree.parent(v)), previous)[state(v)]
                    + ln_emission[v as usize * k + state(v)]
                    + types
            })
            .sum()
    }

    #[test]
    fn full_conditionals_are_those_of_the_product_with_all_other_nodes_fixed() {
        use crate::dist::special::normalize_ln;
        use crate::view::View;
        let html = "<h1>a</h1><div><p>b c</p><p>d</p><p>e f g.</p></div><ul><li>h<li>i</ul>";
        let page = crate::page::Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
        for (preset, sibling_types) in
            [("thesis", true), ("thesis", false), ("blocks", true), ("blocks", false)]
        {
            let config =
                ModelConfig { sibling_types, view: View::Blocks, ..ModelConfig::preset(preset).unwrap() };
            let mut model = Model::new(config).unwrap();
            for round in 0..3 {
                let tokens =
                    |id: crate::index::NodeId| std::array::from_fn(|l| (id.0 * 5 + round) % 4 * l as u32 % 3);
                model.observe(&page, tokens, "made up");
            }
            let observation = model.observation(&page);
            let tree = &observation.view.tree;
            let target = Target { model: &model, tree, features: &observation.features, digest: 1 };
            let settings = GibbsConfig::default();
            let mut sampler = Sampler::new(&target, &settings, 0);
            let k = model.config().states.len();
            for _ in 0..5 {
                for v in 0..tree.len() as u32 {
                    let mut sampled = vec![0.0; k];
                    sampler.full_conditional(v, &mut sampled);
                    normalize_ln(&mut sampled);
                    let mut z = sampler.states.clone();
                    let mut expected: Vec<f64> = (0..k as u8)
                        .map(|state| {
                            z[v as usize] = state;
                            ln_product(&sampler.parameters, tree, &sampler.ln_emission, &z)
                        })
                        .collect();
                    normalize_ln(&mut expected);
                    for (a, b) in sampled.iter().zip(&expected) {
                        assert!((a - b).abs() < 1e-12, "node {v}: {sampled:?} {expected:?}");
                    }
                }
                sampler.sweep();
                sampler.update_parameters();
            }
        }
    }
}
