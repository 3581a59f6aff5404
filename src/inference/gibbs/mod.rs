//! Gibbs sampling of the states of pages and of the parameters.
//!
//! A sweep updates every node of every page. How states are updated ([`Kernel`]) and what becomes of the parameters
//! ([`ParameterUse`]) are chosen apart:
//!
//! | | fixed | after each sweep | uncollapsed | collapsed |
//! |---|---|---|---|---|
//! | single-site | the tree model as trained | **the thesis's sampler** | Gibbs on states and parameters | Gibbs on states |
//! | blocked: a whole tree at once | independent draws | | blocked Gibbs | Metropolis-Hastings |
//!
//! The terms that break the tree, the labels of all siblings and of children as emissions, are sampled with by the
//! single-site kernel where the model has them, and can be switched off alone. A page may be labelled, partly or not at
//! all: [`SampledPage::permitted`].
//!
//! A model's learned weights are no part of what is sampled: a model with them is refused.
//!
//! References: Langkilde 2015, section 2.3 (the thesis); Geman & Geman 1984; Liu 1994 (collapsing); Scott 2002
//! (forward-backward against single-site Gibbs in hidden Markov models).

mod chain;
mod checkpoint;
mod collapsed;
mod inference_data;
mod likelihood;
mod monitor;
mod page_tables;
mod pages;
mod prior;
mod prior_only;
mod replicates;
mod run;
mod sampled_states;
mod settings;
mod single_site;
mod tables;
mod weights;

pub use chain::{Chain, Moved, Sampler};
pub use inference_data::{NODE_DATA, PRIOR_ONLY};
pub use monitor::{Monitor, Variable, VariableGroup};
pub use pages::SampledPage;
pub use prior::PRIOR_DRAWS;
pub use replicates::REPLICATED;
pub use run::{ChainDraws, Run, RunConfig, SweepObserver, run};
pub use sampled_states::SampledStates;
pub use settings::{GibbsConfig, Kernel, MAX_CHAINS, ParameterUse, Start};

use crate::error::Result;
use crate::page_work::read_clock;

/// The average of the sampled states of a page over the sweeps kept, \[node\]\[state\]; each row sums to 1.
///
/// `observe` is called after every sweep of all chains with chain, sweep (from 1) and states, for traces and progress.
///
/// # Errors
/// As [`GibbsConfig::check_model`].
///
/// # Cost
/// O(chains sweeps n K), and unless parameters are fixed O(chains sweeps n K F) for the emissions.
pub fn average(
    model: &crate::model::Model,
    page: SampledPage<'_>,
    settings: &GibbsConfig,
    mut observe: impl FnMut(u32, u32, &[u8]),
) -> Result<Vec<f64>> {
    let pages = [page];
    let sampler = Sampler::new(model, &pages, settings)?;
    let k = model.config().states.len();
    let mut visits = vec![0u64; sampler.nodes() * k];
    let mut draws = 0u64;
    let mut chains: Vec<Chain<'_, '_>> = (0..settings.chains).map(|number| sampler.chain(number)).collect();
    let mut all: Vec<&mut Chain<'_, '_>> = chains.iter_mut().collect();
    for sweep in 1..=settings.sweeps {
        read_clock();
        Chain::sweep_together(&mut all);
        for chain in &all {
            observe(chain.number(), sweep, chain.states(0));
            if settings.keeps(sweep) {
                draws += 1;
                for (v, &state) in chain.states(0).iter().enumerate() {
                    visits[v * k + usize::from(state)] += 1;
                }
            }
        }
    }
    Ok(visits.into_iter().map(|count| count as f64 / draws as f64).collect())
}

#[cfg(test)]
mod tests {
    use super::chain::Chain;
    use super::*;
    use crate::dist::special::normalize_ln;
    use crate::model::{Model, ModelConfig, PermittedStates, StateSet};
    use crate::page::Page;
    use crate::view::{NONE, View};

    /// A model of every kind of feature, trained on labels without a pattern, and a page of it.
    fn problem(preset: &str, sibling_types: bool, child_types: bool) -> (Model, crate::model::Observation) {
        let html = "<h1>a</h1><div><p>b c</p><p>d</p><p>e f g.</p></div><ul><li>h<li>i</ul>";
        let page = Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
        let mut config = ModelConfig::preset(preset).unwrap();
        (config.view, config.sibling_types, config.child_types) = (View::Blocks, sibling_types, child_types);
        let mut model = Model::new(config).unwrap();
        for round in 0..3 {
            let tokens =
                |id: crate::index::NodeId| std::array::from_fn(|l| (id.0 * 5 + round) % 4 * l as u32 % 3);
            model.observe(&page, tokens, "made up").unwrap();
        }
        let observation = model.observation(&page).unwrap();
        (model, observation)
    }

    /// Runs `test` on chains of both presets, with and without the terms that break the tree, after some sweeps.
    fn on_chains(settings: &GibbsConfig, test: impl Fn(&mut Chain<'_, '_>)) {
        for (preset, sibling_types, child_types) in [
            ("thesis", true, false),
            ("thesis", false, true),
            ("thesis", false, false),
            ("blocks", true, true),
            ("blocks", false, false),
        ] {
            let (model, observation) = problem(preset, sibling_types, child_types);
            let (tree, features) = (&observation.view.tree, &observation.features);
            // The same page twice: pages share the parameters.
            let pages = [1, 1].map(|digest| SampledPage::unlabelled(&model, tree, features, digest));
            let sampler = Sampler::new(&model, &pages, settings).unwrap();
            let mut chain = sampler.chain(0);
            for _ in 0..4 {
                chain.sweep();
                test(&mut chain);
            }
        }
    }

    fn expect_equal(sampled: &[f64], ln_joint: &[f64], what: &str) {
        let mut expected = ln_joint.to_vec();
        normalize_ln(&mut expected);
        let total: f64 = sampled.iter().sum();
        for (a, b) in sampled.iter().zip(&expected) {
            assert!((a / total - b).abs() < 1e-9, "{what}: {sampled:?} {expected:?}");
        }
    }

    #[test]
    fn full_conditionals_with_given_parameters_are_those_of_the_joint_with_all_other_nodes_fixed() {
        let settings = GibbsConfig { parameters: ParameterUse::Fixed, ..GibbsConfig::default() };
        on_chains(&settings, |chain| {
            for v in 0..chain.states(0).len() as u32 {
                let (sampled, ln_joint) = chain.full_conditional(0, v);
                expect_equal(&sampled, &ln_joint, &format!("node {v}"));
            }
        });
    }

    #[test]
    fn collapsed_full_conditionals_are_ratios_of_the_collapsed_joint() {
        let settings = GibbsConfig { parameters: ParameterUse::Collapsed, ..GibbsConfig::default() };
        on_chains(&settings, |chain| {
            for v in 0..chain.states(1).len() as u32 {
                let (sampled, ln_joint) = chain.full_conditional(1, v);
                expect_equal(&sampled, &ln_joint, &format!("node {v}"));
            }
        });
    }

    #[test]
    fn counts_kept_along_are_those_counted_anew() {
        for kernel in [Kernel::SingleSite, Kernel::Blocked] {
            let settings = GibbsConfig {
                parameters: ParameterUse::Collapsed,
                sibling_types: kernel == Kernel::SingleSite,
                kernel,
                ..GibbsConfig::default()
            };
            on_chains(&settings, |chain| {
                let kept = chain.ln_joint();
                chain.recount();
                assert!((chain.ln_joint() - kept).abs() < 1e-9, "{kept} {}", chain.ln_joint());
            });
        }
    }

    #[test]
    fn the_likelihood_of_a_page_is_the_sum_over_all_its_labellings() {
        for (kernel, parameters) in [Kernel::SingleSite, Kernel::Blocked].into_iter().flat_map(|kernel| {
            [ParameterUse::Uncollapsed, ParameterUse::Collapsed].map(|parameters| (kernel, parameters))
        }) {
            for preset in ["thesis", "blocks"] {
                let (model, observation) = problem(preset, false, false);
                let (tree, features) = (&observation.view.tree, &observation.features);
                // Two states for each node: few enough labellings to add up.
                let sets = vec![StateSet::only(0).or(StateSet::only(2)); tree.len()];
                let space = model.config().states;
                let permitted = PermittedStates::new(tree, space, &sets).unwrap();
                let pages = [SampledPage { permitted, ..SampledPage::unlabelled(&model, tree, features, 1) }];
                let settings = GibbsConfig { kernel, parameters, ..GibbsConfig::default() };
                assert!(settings.has_likelihood(model.config()));
                let sampler = Sampler::new(&model, &pages, &settings).unwrap();
                let mut chain = sampler.chain(0);
                (0..3).for_each(|_| chain.sweep());
                let theta = chain.parameters().clone();
                let [sampled] = chain.ln_likelihoods()[..] else { panic!("one page") };
                let ln_emission = theta.ln_emission(model.config(), model.specs(), tree, features);
                let (k, a) = (space.len(), &theta.transition);
                let of_labelling = |labelling: u32| {
                    let state = |v: u32| if v == NONE { k } else { (labelling as usize >> v & 1) * 2 };
                    let factors = (0..tree.len() as u32).map(|v| {
                        let row = a.row(state(tree.parent(v)), a.previous(state(tree.previous_sibling(v))));
                        row[state(v)] + ln_emission[v as usize * k + state(v)]
                    });
                    factors.sum::<f64>().exp()
                };
                assert!(tree.len() < 16, "{} nodes", tree.len());
                let exact = (0..1 << tree.len()).map(of_labelling).sum::<f64>().ln();
                assert!(
                    (sampled - exact).abs() < 1e-9,
                    "{kernel:?} {parameters:?} {preset}: {sampled} {exact}"
                );
            }
        }
    }

    #[test]
    fn chains_that_are_swept_together_draw_what_they_draw_alone() {
        for parameters in [ParameterUse::Fixed, ParameterUse::Uncollapsed] {
            for preset in ["thesis", "blocks"] {
                let (model, observation) = problem(preset, preset == "thesis", false);
                let (tree, features) = (&observation.view.tree, &observation.features);
                let pages = [1, 2, 1].map(|digest| SampledPage::unlabelled(&model, tree, features, digest));
                let settings = GibbsConfig { parameters, ..GibbsConfig::default() };
                let sampler = Sampler::new(&model, &pages, &settings).unwrap();
                for number in 1..=7 {
                    let [mut alone, mut together] =
                        [(); 2].map(|()| (0..number).map(|chain| sampler.chain(chain)).collect::<Vec<_>>());
                    for _ in 0..5 {
                        alone.iter_mut().for_each(Chain::sweep);
                        Chain::sweep_together(&mut together.iter_mut().collect::<Vec<_>>());
                        for (alone, together) in alone.iter().zip(&together) {
                            assert!((0..3).all(|page| alone.states(page) == together.states(page)));
                            assert_eq!(
                                (alone.moved(), alone.sweeps(), alone.ln_joint()),
                                (together.moved(), together.sweeps(), together.ln_joint())
                            );
                        }
                    }
                }
            }
        }
    }
}
