//! Simulation-based calibration (Talts, Betancourt, Simpson, Vehtari & Gelman 2018): the truth ranks anywhere among
//! draws from the posterior, equally often.
//!
//! Parameters are drawn from the prior, states and features given them; the features (and what is permitted of the
//! states) are given to the sampler, and the rank of each true quantity among [`DRAWS`] draws of its posterior is
//! noted. Over many simulations ranks are uniform if the sampler is right. Draws are of a chain each with its
//! over-dispersed start, after a burn-in and so thinned that they are near independent. Chi-squared of all quantities
//! together has a false alarm of [`FALSE_ALARM`] (Bonferroni). Seeds are fixed and nothing is tried again.
//!
//! `DURAMEN_SBC_SIMULATIONS` sets the number of simulations of each sampler (default 600). With `DURAMEN_SBC_OUT=FOLDER` the rank
//! histograms are written to `FOLDER/rank-histograms.csv`, and chi-squared of each to `FOLDER/calibration.csv`. `results/reliability`
//! has those of 10,000 simulations.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::from_environment;
use crate::reference::factors::Terms;
use crate::reference::forward::{Draw, World};
use crate::reference::training::{TWO_FEATURES, config, off_by_one, one_more, trained, with_priors};
use crate::reference::verdict::{Verdict, p_of_chi_squared};
use duramen::dist::{BetaGeometric, DirichletCategorical};
use duramen::inference::GibbsConfig;
use duramen::inference::gibbs::{Kernel, ParameterUse, Sampler, Start};
use duramen::model::{Model, PermittedStates, Priors, StateSet, StateSpace, TransitionKind};
use duramen::rng;
use duramen::view::{NONE, Tree};
use rand::RngExt;
use rayon::prelude::*;

/// The rate at which the test of one sampler would fail a right one, over all that it compares.
const FALSE_ALARM: f64 = 1e-5;
/// Draws from a posterior that the truth is ranked among; ranks are 0 to this.
const DRAWS: usize = 19;
const BURN_IN: u32 = 60;

/// Priors under which a few counts weigh much, and chains do not stay for long where they are.
const PRIORS: Priors = Priors {
    transition: DirichletCategorical { gamma: 2.0 },
    categorical: DirichletCategorical { gamma: 1.0 },
    geometric: BetaGeometric { alpha: 2.0, beta: 4.0 },
};

/// The same for planted errors, where nothing but the tree holds states together.
const WEAK_PRIORS: Priors = Priors {
    transition: DirichletCategorical { gamma: 0.7 },
    categorical: DirichletCategorical { gamma: 1.0 },
    geometric: BetaGeometric { alpha: 2.0, beta: 4.0 },
};

/// A page without labels, and the tree of a page of which much is known: see [`permitted`].
fn pages(space: StateSpace) -> Vec<(Tree, PermittedStates)> {
    let page = |parents: &[u32]| {
        let tree = Tree::from_parents(parents.to_vec());
        let all = PermittedStates::all(&tree, space);
        (tree, all)
    };
    vec![page(&[NONE, 0, 0, 0]), page(&[NONE, 0])]
}

/// What a labelled page tells of its true states: of the second page's root the state, of its other nodes whether it is
/// one of the first two; of the first page nothing.
fn permitted(world: &World, states: &[Vec<u8>]) -> Vec<PermittedStates> {
    let space = world.model.config().states;
    let two = StateSet::first(2);
    let pages = world.pages.iter().zip(states).enumerate().map(|(number, ((tree, all), z))| {
        let known = |v: usize| match number {
            0 => all.at(v as u32),
            _ if v == 0 => StateSet::only(z[0].into()),
            _ if two.contains(z[v].into()) => two,
            _ => (2..space.len()).map(StateSet::only).reduce(StateSet::or).unwrap(),
        };
        PermittedStates::new(tree, space, &(0..tree.len()).map(known).collect::<Vec<_>>()).unwrap()
    });
    pages.collect()
}

/// What is ranked: parameters, shares of states, and ln P(x | z, theta), which sees whether the posterior learns at all.
fn quantities(world: &World, draw: &Draw) -> Vec<f64> {
    let mut values = world.quantities(&draw.theta, &draw.states);
    values.push(world.ln_likelihood(draw));
    values
}

fn names(world: &World) -> Vec<String> {
    let mut names = world.names();
    names.push("ln likelihood".to_owned());
    names
}

/// The sampler as it is tested.
struct Tested<'a> {
    settings: GibbsConfig,
    model: &'a Model,
    /// A node of the first page that is never updated.
    skipped: Option<usize>,
}

/// How often each quantity's truth had each rank, \[quantity\]\[rank\].
fn ranks(world: &World, tested: &Tested<'_>, simulations: u64) -> Vec<Vec<u32>> {
    let simulate = |number: u64| {
        let mut rng = rng::stream(3, "calibration", &[number]);
        let truth = world.draw(&mut rng);
        let mut permitted = permitted(world, &truth.states);
        if let Some(node) = tested.skipped {
            let tree = &world.pages[0].0;
            let mut sets: Vec<StateSet> = (0..tree.len() as u32).map(|v| permitted[0].at(v)).collect();
            sets[node] = StateSet::only(0);
            permitted[0] = PermittedStates::new(tree, world.model.config().states, &sets).unwrap();
        }
        let pages = world.sampled(&truth.features, &permitted, 0);
        // A seed for each simulation: no two draw from one stream.
        let settings = GibbsConfig { seed: number, ..tested.settings };
        let sampler = Sampler::new(tested.model, &pages, &settings).unwrap();
        let mut chain = sampler.chain(0);
        let mut draws: Vec<Vec<f64>> = Vec::new();
        for sweep in 1..=tested.settings.sweeps {
            chain.sweep();
            if tested.settings.keeps(sweep) {
                let states = (0..pages.len()).map(|page| chain.states(page).to_vec()).collect();
                let theta = world.theta(chain.parameters(), &truth.features, &mut rng);
                let draw = Draw { theta, states, features: truth.features.clone() };
                draws.push(quantities(world, &draw));
            }
        }
        assert_eq!(draws.len(), DRAWS);
        let of_truth = quantities(world, &truth);
        let rank = |(q, truth): (usize, &f64)| {
            let less = draws.iter().filter(|draw| draw[q] < *truth).count();
            // Ties, of shares of states, are broken at random.
            let equal = draws.iter().filter(|draw| draw[q] == *truth).count();
            less + rng.random_range(0..=equal)
        };
        of_truth.iter().enumerate().map(rank).collect::<Vec<usize>>()
    };
    let all: Vec<Vec<usize>> = (0..simulations).into_par_iter().map(simulate).collect();
    let mut histograms = vec![vec![0; DRAWS + 1]; all[0].len()];
    for ranks in all {
        ranks.into_iter().zip(&mut histograms).for_each(|(rank, histogram)| histogram[rank] += 1);
    }
    histograms
}

/// The simulations of a histogram, how many of them a rank has if ranks are uniform, and chi-squared against that.
fn chi_squared(histogram: &[u32]) -> (u32, f64, f64) {
    let simulations = histogram.iter().sum::<u32>();
    let expected = f64::from(simulations) / histogram.len() as f64;
    let chi_squared = histogram.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    (simulations, expected, chi_squared)
}

/// Chi-squared of each histogram against the uniform one.
fn uniformity(world: &World, histograms: &[Vec<u32>]) -> Verdict {
    let mut verdict = Verdict::new();
    for (name, histogram) in names(world).iter().zip(histograms) {
        let (_, expected, chi_squared) = chi_squared(histogram);
        verdict.add(p_of_chi_squared(chi_squared, DRAWS as f64), || {
            format!("{name}: chi-squared {chi_squared:.1}, ranks {histogram:?}, {expected} expected of each")
        });
    }
    verdict
}

/// The histograms of all tests of this process, by what was ranked: tests end in any order.
static RANKED: Mutex<BTreeMap<String, Vec<u32>>> = Mutex::new(BTreeMap::new());

/// Writes the histograms, a row for each quantity and rank, and chi-squared of each, if a folder is named.
fn write(world: &World, tested: &Tested<'_>, histograms: &[Vec<u32>]) {
    let Some(folder) = std::env::var_os("DURAMEN_SBC_OUT") else { return };
    let mut ranked = RANKED.lock().unwrap();
    let GibbsConfig { kernel, parameters, .. } = tested.settings;
    let config = world.model.config();
    for (name, histogram) in names(world).iter().zip(histograms) {
        let of = format!(
            "{kernel:?},{parameters:?},{:?},{:?},{},{},\"{name}\"",
            config.states, config.transition, world.terms.siblings, world.terms.children
        );
        ranked.insert(of, histogram.clone());
    }
    let of = "kernel,parameters,states,transition,sibling_types,child_types,quantity";
    let mut ranks = format!("{of},rank,simulations,expected\n");
    let mut calibration = format!("{of},simulations,chi_squared,p\n");
    for (of, histogram) in &*ranked {
        let (n, expected, chi_squared) = chi_squared(histogram);
        for (rank, n) in histogram.iter().enumerate() {
            ranks += &format!("{of},{rank},{n},{expected}\n");
        }
        calibration += &format!("{of},{n},{chi_squared},{}\n", p_of_chi_squared(chi_squared, DRAWS as f64));
    }
    std::fs::create_dir_all(&folder).unwrap();
    let folder = std::path::Path::new(&folder);
    std::fs::write(folder.join("rank-histograms.csv"), ranks).unwrap();
    std::fs::write(folder.join("calibration.csv"), calibration).unwrap();
}

fn settings(kernel: Kernel, parameters: ParameterUse, terms: Terms) -> GibbsConfig {
    // Single nodes move slowly where types of siblings and children hold them together.
    let thin = if terms.siblings { 40 } else { 8 };
    GibbsConfig {
        sweeps: BURN_IN + DRAWS as u32 * thin,
        burn_in: BURN_IN,
        thin,
        start: Start::Dispersed,
        kernel,
        parameters,
        sibling_types: terms.siblings,
        child_types: terms.children,
        ..GibbsConfig::default()
    }
}

const NO_TERMS: Terms = Terms { siblings: false, children: false };
const KINDS: [TransitionKind; 2] = [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling];

fn check(kernel: Kernel, parameters: ParameterUse) {
    let terms = Terms { siblings: kernel == Kernel::SingleSite, children: true };
    let mut verdict = Verdict::new();
    for (space, kind, terms) in
        [(StateSpace::Labels, KINDS[1], NO_TERMS), (StateSpace::LabelsAndMixed, KINDS[0], terms)]
    {
        let trained = trained(config(space, kind, TWO_FEATURES, PRIORS));
        let world = World::new(trained, terms, pages(space));
        let tested =
            Tested { settings: settings(kernel, parameters, terms), model: &world.model, skipped: None };
        let histograms = ranks(&world, &tested, from_environment("DURAMEN_SBC_SIMULATIONS", 600));
        verdict.merge(uniformity(&world, &histograms));
        write(&world, &tested, &histograms);
    }
    verdict.expect_agreement(FALSE_ALARM);
}

#[test]
fn ranks_under_single_site_with_drawn_parameters_are_uniform() {
    check(Kernel::SingleSite, ParameterUse::Uncollapsed);
}

#[test]
fn ranks_under_single_site_with_parameters_integrated_out_are_uniform() {
    check(Kernel::SingleSite, ParameterUse::Collapsed);
}

#[test]
fn ranks_under_joint_draws_with_drawn_parameters_are_uniform() {
    check(Kernel::Blocked, ParameterUse::Uncollapsed);
}

#[test]
fn ranks_under_joint_draws_with_parameters_integrated_out_are_uniform() {
    check(Kernel::Blocked, ParameterUse::Collapsed);
}

#[test]
fn planted_errors_are_caught() {
    let space = StateSpace::Labels;
    let config = config(space, KINDS[0], TWO_FEATURES, WEAK_PRIORS);
    let right = World::new(trained(config.clone()), NO_TERMS, pages(space));
    // Beside a world with one observation more, the sampler has one too few.
    let (model, urns) = trained(config.clone());
    let more = World::new((model.clone(), off_by_one(&urns, &model)), NO_TERMS, pages(space));
    let gamma = DirichletCategorical { gamma: 2.5 };
    let counts = BetaGeometric { alpha: 4.0, beta: 4.0 };
    let wrong = |priors| with_priors(&config, priors);
    let wrong_models = [
        ("a wrong prior of transitions", wrong(Priors { transition: gamma, ..WEAK_PRIORS })),
        ("a wrong prior of categories", wrong(Priors { categorical: gamma, ..WEAK_PRIORS })),
        ("a wrong prior of counts", wrong(Priors { geometric: counts, ..WEAK_PRIORS })),
    ];
    for kernel in [Kernel::SingleSite, Kernel::Blocked] {
        for parameters in [ParameterUse::Uncollapsed, ParameterUse::Collapsed] {
            let settings = settings(kernel, parameters, NO_TERMS);
            let uniformity_of = |world: &World, model: &Model, skipped, simulations| {
                uniformity(world, &ranks(world, &Tested { settings, model, skipped }, simulations))
            };
            // That nothing but the error is caught.
            uniformity_of(&right, &model, None, 200).expect_agreement(FALSE_ALARM);
            let expect_alarm = |verdict: Verdict, planted: &str| {
                verdict.expect_alarm(FALSE_ALARM, &format!("{planted}, {kernel:?} {parameters:?}"));
            };
            for (planted, wrong) in &wrong_models {
                expect_alarm(uniformity_of(&right, wrong, None, 200), planted);
            }
            expect_alarm(uniformity_of(&right, &one_more(&model), None, 500), "an observation too many");
            expect_alarm(uniformity_of(&more, &model, None, 500), "an observation too few");
            expect_alarm(uniformity_of(&right, &model, Some(1), 100), "a skipped node");
        }
    }
}
