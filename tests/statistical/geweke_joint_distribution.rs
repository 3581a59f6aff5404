//! "Getting it right" (Geweke 2004): the sampler's updates and fresh features leave the joint distribution of
//! parameters, states and features as it is.
//!
//! The marginal-conditional simulator draws parameters, states and features from their joint distribution, each time
//! anew. The successive-conditional simulator starts anywhere and repeats: states and parameters by a sweep of the
//! sampler given the features, then features given both. If the sampler is right the two agree in the mean of any
//! function. Compared are the first and second moments of parameters, of shares of states and features, and of their
//! products, with a standard error from batches of steps, and a false alarm of all comparisons together of
//! [`FALSE_ALARM`] (Bonferroni). Seeds are fixed and nothing is tried again.

use crate::reference::factors::{Terms, Theta, Urns};
use crate::reference::forward::World;
use crate::reference::training::{TWO_FEATURES, config, off_by_one, one_more, trained, with_priors};
use crate::reference::verdict::{Verdict, mean_and_variance, p_of_t};
use duramen::dist::{BetaGeometric, DirichletCategorical};
use duramen::features::{Column, FeatureMatrix};
use duramen::inference::GibbsConfig;
use duramen::inference::gibbs::{Kernel, ParameterUse, Sampler};
use duramen::model::{Model, PermittedStates, Priors, StateSet, StateSpace, TransitionKind};
use duramen::rng;
use duramen::view::{NONE, Tree};
use rayon::prelude::*;

/// The rate at which the test of one sampler would fail a right one, over all that it compares.
const FALSE_ALARM: f64 = 1e-5;
/// Independent draws of everything.
const DRAWS: u64 = 10_000;
/// The batches that are kept of each chain of the successive-conditional simulator.
const BATCHES: usize = 16;
/// Steps of a batch: many times what it takes to forget, so that a batch's mean says nothing of the next one's.
const STEPS: usize = 100;
/// The largest correlation of a batch with the next, on average over the functions.
const MOST_CORRELATION: f64 = 0.2;

/// Priors under which a few counts weigh much, the second moments that are compared have variances, and chains do not
/// stay for long where they are.
const PRIORS: Priors = Priors {
    transition: DirichletCategorical { gamma: 2.0 },
    categorical: DirichletCategorical { gamma: 0.8 },
    geometric: BetaGeometric { alpha: 4.0, beta: 6.0 },
};

/// The same for planted errors, where nothing but the tree holds states together.
const WEAK_PRIORS: Priors = Priors {
    transition: DirichletCategorical { gamma: 0.8 },
    categorical: DirichletCategorical { gamma: 0.8 },
    geometric: BetaGeometric { alpha: 4.0, beta: 6.0 },
};

/// Two pages that share the parameters: one unlabelled but for a node with two permitted states, one with a label.
fn pages(space: StateSpace) -> Vec<(Tree, PermittedStates)> {
    let page = |parents: &[u32], known: &[(usize, StateSet)]| {
        let tree = Tree::from_parents(parents.to_vec());
        let mut sets = vec![StateSet::first(space.len()); tree.len()];
        known.iter().for_each(|&(v, set)| sets[v] = set);
        let permitted = PermittedStates::new(&tree, space, &sets).unwrap();
        (tree, permitted)
    };
    let two = StateSet::only(0).or(StateSet::only(1));
    vec![page(&[NONE, 0, 0, 0], &[(3, two)]), page(&[NONE, 0], &[(1, StateSet::only(0))])]
}

fn world(trained: (Model, Urns), terms: Terms) -> World {
    let space = trained.0.config().states;
    World::new(trained, terms, pages(space))
}

/// The functions whose means are compared, of one draw.
fn functions(world: &World, theta: &Theta, states: &[Vec<u8>], features: &[FeatureMatrix]) -> Vec<f64> {
    let mut values = world.quantities(theta, states);
    let (mut hints, mut empty, mut words, mut nodes) = (0.0, 0.0, 0.0, 0.0);
    for features in features {
        let [Column::Values(hint), Column::Values(word)] = &features.columns[..] else {
            panic!("two features")
        };
        hints += hint.iter().filter(|&&x| x == 0).count() as f64;
        empty += word.iter().filter(|&&x| x == 0).count() as f64;
        words += word.iter().map(|&x| f64::from(x.min(20))).sum::<f64>();
        nodes += word.len() as f64;
    }
    values.extend([hints / nodes, empty / nodes, words / nodes]);
    // Each with the next: parameters with parameters, states with features, and what lies between.
    let products: Vec<f64> = values.windows(2).map(|pair| pair[0] * pair[1]).collect();
    let squares: Vec<f64> = values.iter().map(|value| value * value).collect();
    let roots: Vec<f64> = values.iter().map(|value| value * f64::from(u8::from(states[0][0] == 0))).collect();
    values.into_iter().chain(squares).chain(products).chain(roots).collect()
}

fn names(world: &World) -> Vec<String> {
    let mut names = world.names();
    names.extend(["share of hint 0", "share without words", "mean words, at most 20"].map(str::to_owned));
    let squares: Vec<String> = names.iter().map(|name| format!("({name})^2")).collect();
    let products: Vec<String> = names.windows(2).map(|pair| format!("{} * {}", pair[0], pair[1])).collect();
    let roots: Vec<String> =
        names.iter().map(|name| format!("{name} where the root is in state 0")).collect();
    names.into_iter().chain(squares).chain(products).chain(roots).collect()
}

/// Draws of everything anew, \[draw\]\[function\].
fn marginal_conditional(world: &World) -> Vec<Vec<f64>> {
    let draw = |number| {
        let draw = world.draw(&mut rng::stream(1, "marginal-conditional", &[number]));
        functions(world, &draw.theta, &draw.states, &draw.features)
    };
    (0..DRAWS).into_par_iter().map(draw).collect()
}

/// What the sampler is, and what it believes in.
struct Tested<'a> {
    settings: GibbsConfig,
    model: &'a Model,
    permitted: Vec<PermittedStates>,
}

/// The means of the batches of a chain in which sampler and features take turns, \[batch\]\[function\].
fn successive_conditional(world: &World, tested: &Tested<'_>, chain: u64) -> Vec<Vec<f64>> {
    let mut rng = rng::stream(2, "successive-conditional", &[chain]);
    // From states that differ from chain to chain, whatever is permitted, and features that belong to no states.
    let first = |set: StateSet| set.iter().nth(chain as usize % set.len()).unwrap() as u8;
    let mut states: Vec<Vec<u8>> = (tested.permitted.iter())
        .map(|permitted| (0..permitted.len() as u32).map(|v| first(permitted.at(v))).collect())
        .collect();
    let mut features = world.draw(&mut rng).features;
    let mut means = Vec::new();
    for batch in 0..=BATCHES {
        let mut sums = Vec::new();
        for step in 0..STEPS {
            // A seed for each step: no two draw from one stream.
            let seed = (chain * 1000 + batch as u64) * 1000 + step as u64;
            let settings = GibbsConfig { seed, ..tested.settings };
            let pages = world.sampled(&features, &tested.permitted, 0);
            let sampler = Sampler::new(tested.model, &pages, &settings).unwrap();
            let mut now = sampler.chain_in(0, 1, states.clone()).unwrap();
            now.sweep();
            let theta = world.theta(now.parameters(), &features, &mut rng);
            for (page, states) in states.iter_mut().enumerate() {
                states.copy_from_slice(now.states(page));
            }
            features = world.features(&theta, &states, &mut rng);
            let values = functions(world, &theta, &states, &features);
            sums.resize(values.len(), 0.0);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value / STEPS as f64);
        }
        // The first batch is to forget the start.
        if batch > 0 {
            means.push(sums);
        }
    }
    means
}

/// Compares the means of draws anew with those of chains.
fn compare(world: &World, draws: &[Vec<f64>], tested: &Tested<'_>, chains: u64) -> Verdict {
    let chains = (0..chains).into_par_iter();
    let chains: Vec<_> = chains.map(|chain| successive_conditional(world, tested, chain)).collect();
    let batches: Vec<&Vec<f64>> = chains.iter().flatten().collect();
    let mut correlations = Vec::new();
    let mut verdict = Verdict::new();
    for (f, name) in names(world).into_iter().enumerate() {
        let (expected, of_draws) = mean_and_variance(draws.iter().map(|values| values[f]));
        let (mean, of_batches) = mean_and_variance(batches.iter().map(|values| values[f]));
        let next = chains.iter().flat_map(|chain| chain.windows(2));
        let covariance: f64 = next.clone().map(|pair| (pair[0][f] - mean) * (pair[1][f] - mean)).sum();
        correlations.push(covariance / next.count() as f64 / (of_batches * batches.len() as f64));
        let next = chains.iter().flat_map(|chain| chain.windows(2));
        let covariance: f64 = next.clone().map(|pair| (pair[0][f] - mean) * (pair[1][f] - mean)).sum();
        correlations.push(covariance / next.count() as f64 / (of_batches * batches.len() as f64));
        let t = (mean - expected) / (of_draws + of_batches).sqrt();
        // The degrees of freedom of the batches alone: on the safe side of Welch's.
        verdict.add(p_of_t(t, batches.len() as f64 - 1.0), || {
            format!("{name}: anew {expected:.4}, in turns {mean:.4}, {t:.2} standard errors")
        });
    }
    let correlation = correlations.iter().sum::<f64>() / correlations.len() as f64;
    assert!(correlation < MOST_CORRELATION, "batches are too short: {correlation}");
    verdict
}

fn settings(kernel: Kernel, parameters: ParameterUse, terms: Terms) -> GibbsConfig {
    GibbsConfig {
        kernel,
        parameters,
        sibling_types: terms.siblings,
        child_types: terms.children,
        ..GibbsConfig::default()
    }
}

const NO_TERMS: Terms = Terms { siblings: false, children: false };
const CHILDREN: Terms = Terms { siblings: false, children: true };
const BOTH: Terms = Terms { siblings: true, children: true };
const KINDS: [TransitionKind; 2] = [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling];

fn check(kernel: Kernel, parameters: ParameterUse) {
    let with_terms = if kernel == Kernel::SingleSite { BOTH } else { CHILDREN };
    let mut verdict = Verdict::new();
    for (space, kind, terms) in [
        (StateSpace::Labels, KINDS[0], NO_TERMS),
        (StateSpace::Labels, KINDS[1], with_terms),
        (StateSpace::LabelsAndMixed, KINDS[0], with_terms),
        (StateSpace::LabelsAndMixed, KINDS[1], NO_TERMS),
    ] {
        let world = world(trained(config(space, kind, TWO_FEATURES, PRIORS)), terms);
        let settings = settings(kernel, parameters, terms);
        let tested = Tested { settings, model: &world.model, permitted: world.permitted() };
        verdict.merge(compare(&world, &marginal_conditional(&world), &tested, 12));
    }
    verdict.expect_agreement(FALSE_ALARM);
}

#[test]
fn single_site_with_drawn_parameters_leaves_the_joint_distribution_as_it_is() {
    check(Kernel::SingleSite, ParameterUse::Uncollapsed);
}

#[test]
fn single_site_with_parameters_integrated_out_leaves_the_joint_distribution_as_it_is() {
    check(Kernel::SingleSite, ParameterUse::Collapsed);
}

#[test]
fn joint_draws_with_drawn_parameters_leave_the_joint_distribution_as_it_is() {
    check(Kernel::Blocked, ParameterUse::Uncollapsed);
}

#[test]
fn joint_draws_with_parameters_integrated_out_leave_the_joint_distribution_as_it_is() {
    check(Kernel::Blocked, ParameterUse::Collapsed);
}

#[test]
fn planted_errors_are_caught() {
    let config = config(StateSpace::Labels, KINDS[1], TWO_FEATURES, WEAK_PRIORS);
    let right = world(trained(config.clone()), NO_TERMS);
    let draws = marginal_conditional(&right);
    // Beside a world with one observation more, the sampler has one too few.
    let (model, urns) = trained(config.clone());
    let more = world((model.clone(), off_by_one(&urns, &model)), NO_TERMS);
    let draws_of_more = marginal_conditional(&more);
    let gamma = DirichletCategorical { gamma: 2.0 };
    let counts = BetaGeometric { alpha: 6.0, beta: 6.0 };
    let wrong = |priors| with_priors(&config, priors);
    let wrong_models = [
        ("a wrong prior of transitions", wrong(Priors { transition: gamma, ..WEAK_PRIORS })),
        ("a wrong prior of categories", wrong(Priors { categorical: gamma, ..WEAK_PRIORS })),
        ("a wrong prior of counts", wrong(Priors { geometric: counts, ..WEAK_PRIORS })),
        ("an observation too many", one_more(&model)),
    ];
    for kernel in [Kernel::SingleSite, Kernel::Blocked] {
        for parameters in [ParameterUse::Uncollapsed, ParameterUse::Collapsed] {
            let settings = settings(kernel, parameters, NO_TERMS);
            let tested = |model| Tested { settings, model, permitted: right.permitted() };
            // That nothing but the error is caught.
            compare(&right, &draws, &tested(&model), 3).expect_agreement(FALSE_ALARM);
            let expect_alarm = |verdict: Verdict, planted: &str| {
                verdict.expect_alarm(FALSE_ALARM, &format!("{planted}, {kernel:?} {parameters:?}"));
            };
            for (planted, wrong) in &wrong_models {
                expect_alarm(compare(&right, &draws, &tested(wrong), 3), planted);
            }
            expect_alarm(compare(&more, &draws_of_more, &tested(&model), 3), "an observation too few");
            let mut skipped = tested(&model);
            let (tree, permitted) = &right.pages[0];
            let mut sets: Vec<StateSet> = (0..tree.len() as u32).map(|v| permitted.at(v)).collect();
            sets[1] = StateSet::only(2);
            skipped.permitted[0] = PermittedStates::new(tree, StateSpace::Labels, &sets).unwrap();
            expect_alarm(compare(&right, &draws, &skipped, 3), "a skipped node");
        }
    }
}
