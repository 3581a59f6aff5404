//! The Gibbs sampler, every kernel by every use of the parameters, against enumeration of all states of small pages.
//!
//! Many chains are run from random starts. Their averages of a function of the states are independent and alike, so
//! that their mean less the exact one, over its standard error, follows Student's t. A comparison covers all pages,
//! models and functions of one kernel and use of the parameters, and a right sampler fails it once in 1 /
//! [`FALSE_ALARM`] times (Bonferroni). Seeds are fixed and nothing is tried again.
//!
//! What each is compared with: fixed parameters with P(z | x, theta) at the posterior means; parameters drawn or
//! integrated out with P(z | x), a product of Dirichlet and Beta evidences; parameters after each sweep, which has no
//! posterior, with the stationary distribution of its transition matrix.

use crate::reference::enumeration::{Enumeration, KnownPage};
use crate::reference::factors::{Terms, Urns};
use crate::reference::training::{
    ALL_KINDS, PRIORS, TWO_FEATURES, config, five_blocks, off_by_one, one_more, trained, with_priors,
};
use crate::reference::verdict::{Verdict, mean_and_variance, p_of_t};
use duramen::dist::{BetaGeometric, DirichletCategorical};
use duramen::features::{Column, FeatureMatrix};
use duramen::inference::GibbsConfig;
use duramen::inference::gibbs::{Kernel, ParameterUse, SampledPage, Sampler};
use duramen::model::{Model, PermittedStates, Priors, StateSet, StateSpace, TransitionKind};
use duramen::rng::{self, Rng};
use duramen::view::{NONE, Tree};
use rand::RngExt;
use rayon::prelude::*;

/// The rate at which each test would fail a right sampler, over all that it compares.
const FALSE_ALARM: f64 = 1e-5;
const CHAINS: u32 = 48;
/// Sweeps of each chain that are not looked at: enough to forget the start, see `Enumeration::target`.
const BURN_IN: u32 = 50;

const USES: [ParameterUse; 4] =
    [ParameterUse::Fixed, ParameterUse::AfterSweep, ParameterUse::Uncollapsed, ParameterUse::Collapsed];
const SPACES: [StateSpace; 2] = [StateSpace::Labels, StateSpace::LabelsAndMixed];
const KINDS: [TransitionKind; 2] = [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling];

/// What is known of the states of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    /// Nothing, on one page.
    None,
    /// Those of some nodes, on two pages.
    SomeNodes,
    /// Two or three permitted states for each node, on two pages.
    Sets,
    /// All, on two pages.
    All,
}

/// Pages under a model, and the model's counts counted a second time.
pub(crate) struct Problem {
    pub(crate) name: String,
    pub(crate) model: Model,
    pub(crate) urns: Urns,
    pub(crate) pages: Vec<KnownPage>,
}

/// A few states of those that a node may have.
fn some_states(rng: &mut Rng, number: usize, of: usize) -> StateSet {
    let mut set = StateSet::only(rng.random_range(0..of));
    while set.len() < number {
        set = set.or(StateSet::only(rng.random_range(0..of)));
    }
    set
}

impl Problem {
    /// Small trees with random features.
    pub(crate) fn new(space: StateSpace, kind: TransitionKind, labels: Labels) -> Self {
        Self::with_priors(space, kind, labels, PRIORS)
    }

    fn with_priors(space: StateSpace, kind: TransitionKind, labels: Labels, priors: Priors) -> Self {
        let (model, urns) = trained(config(space, kind, TWO_FEATURES, priors));
        let trees = match labels {
            Labels::None => vec![vec![NONE, 0, 0]],
            Labels::SomeNodes => vec![vec![NONE, 0, 1, 1, 0], vec![NONE, 0]],
            Labels::Sets | Labels::All => vec![vec![NONE, 0, 0, 2, 0], vec![NONE, 0, 0]],
        };
        let mut rng = rng::stream(4, "enumerated-page", &[labels as u64]);
        let pages = trees.into_iter().enumerate().map(|(number, parents)| {
            let tree = Tree::from_parents(parents);
            let n = tree.len();
            let hints = (0..n).map(|_| rng.random_range(0..3)).collect();
            let words = (0..n).map(|_| rng.random_range(0..6)).collect();
            let sets: Vec<StateSet> = (0..n as u32)
                .map(|v| {
                    let of = space.permitted(tree.is_leaf(v));
                    match labels {
                        Labels::None => StateSet::first(of),
                        Labels::SomeNodes if [(0, 1), (0, 3), (1, 0)].contains(&(number, v)) => {
                            StateSet::first(of)
                        }
                        Labels::Sets => some_states(&mut rng, if v == 2 { 3 } else { 2 }, of),
                        Labels::SomeNodes | Labels::All => some_states(&mut rng, 1, of),
                    }
                })
                .collect();
            let permitted = PermittedStates::new(&tree, space, &sets).unwrap();
            let features = FeatureMatrix { columns: vec![Column::Values(hints), Column::Values(words)] };
            KnownPage { tree, features, permitted }
        });
        let pages = pages.collect();
        Problem { name: format!("{space:?} {kind:?} labels {labels:?}"), model, urns, pages }
    }

    /// A parsed page with the tags of children and siblings, and sets of permitted states.
    fn with_tag_histograms(space: StateSpace, kind: TransitionKind) -> Self {
        // A page has many tags: with a weaker prior chains would stay for long where they are.
        let priors = Priors { categorical: DirichletCategorical { gamma: 12.0 }, ..PRIORS };
        let (model, urns) = trained(config(space, kind, ALL_KINDS, priors));
        let observation = model.observation(&five_blocks()).unwrap();
        let (tree, features) = (observation.view.tree, observation.features);
        let mut rng = rng::stream(5, "enumerated-page", &[]);
        let sets: Vec<StateSet> = (0..tree.len() as u32)
            .map(|v| some_states(&mut rng, 2 + v as usize % 2, space.permitted(tree.is_leaf(v))))
            .collect();
        let permitted = PermittedStates::new(&tree, space, &sets).unwrap();
        let pages = vec![KnownPage { tree, features, permitted }];
        Problem { name: format!("{space:?} {kind:?} tag histograms"), model, urns, pages }
    }

    pub(crate) fn enumeration(&self, settings: &GibbsConfig) -> Enumeration {
        let terms = Terms { siblings: settings.sibling_types, children: settings.child_types };
        Enumeration::new(&self.model, terms, &self.pages)
    }

    /// The pages as a sampler takes them.
    pub(crate) fn sampled(&self) -> Vec<SampledPage<'_>> {
        self.relabelled(|page| page.permitted.clone())
    }

    fn relabelled(&self, relabel: impl Fn(&KnownPage) -> PermittedStates) -> Vec<SampledPage<'_>> {
        let pages = self.pages.iter().enumerate().map(|(number, page)| SampledPage {
            tree: &page.tree,
            features: &page.features,
            permitted: relabel(page),
            digest: number as u64,
            words: Vec::new(),
        });
        pages.collect()
    }

    /// How often each configuration was visited, \[chain\]\[configuration\], by a sampler that may believe in another
    /// model and other labels.
    fn visits(
        &self,
        all: &Enumeration,
        settings: &GibbsConfig,
        model: &Model,
        relabel: impl Fn(&KnownPage) -> PermittedStates,
    ) -> Vec<Vec<u32>> {
        let pages = self.relabelled(relabel);
        let sampler = Sampler::new(model, &pages, settings).unwrap();
        let run = |number| {
            let mut chain = sampler.chain(number);
            let mut visits = vec![0; all.len()];
            for sweep in 1..=settings.sweeps {
                chain.sweep();
                if settings.keeps(sweep) {
                    let states = (0..pages.len()).flat_map(|page| chain.states(page));
                    visits[all.code(states).expect("every state is permitted")] += 1;
                }
            }
            visits
        };
        (0..settings.chains).into_par_iter().map(run).collect()
    }

    fn right_visits(&self, all: &Enumeration, settings: &GibbsConfig) -> Vec<Vec<u32>> {
        self.visits(all, settings, &self.model, |page| page.permitted.clone())
    }
}

fn settings(kernel: Kernel, parameters: ParameterUse, siblings: bool, children: bool) -> GibbsConfig {
    // As many as are affordable.
    let kept = match (kernel, parameters) {
        (Kernel::SingleSite, ParameterUse::Fixed) => 2000,
        (Kernel::SingleSite, ParameterUse::Collapsed) => 600,
        _ => 200,
    };
    GibbsConfig {
        sweeps: BURN_IN + kept,
        burn_in: BURN_IN,
        chains: CHAINS,
        kernel,
        parameters,
        sibling_types: siblings,
        child_types: children,
        seed: 7,
        ..GibbsConfig::default()
    }
}

/// The terms that a kernel can sample with: (siblings, children).
fn terms(kernel: Kernel) -> &'static [(bool, bool)] {
    match kernel {
        Kernel::SingleSite => &[(false, false), (true, false), (false, true), (true, true)],
        Kernel::Blocked => &[(false, false), (false, true)],
    }
}

/// Compares the means of indicators over chains with those under a distribution.
fn compare(name: &str, all: &Enumeration, visits: &[Vec<u32>], target: &[f64]) -> Verdict {
    let mut verdict = Verdict::new();
    let draws = f64::from(visits[0].iter().sum::<u32>());
    let total = draws * visits.len() as f64;
    for (what, holds) in all.indicators(target) {
        let p: f64 = target.iter().zip(&holds).filter(|(_, holds)| **holds).map(|(p, _)| p).sum();
        let share = |visits: &Vec<u32>| {
            let visits = visits.iter().zip(&holds).filter(|(_, holds)| **holds);
            f64::from(visits.map(|(n, _)| n).sum::<u32>()) / draws
        };
        let shares: Vec<f64> = visits.iter().map(share).collect();
        let (mean, variance) = mean_and_variance(shares.iter().copied());
        // Too rare, or its contrary, for averages of a chain to be near normal.
        let rare = |p: f64| p.min(1.0 - p) * total;
        if rare(p) < 400.0 && rare(mean) < 1200.0 {
            continue;
        }
        // Chains that agree by chance cannot be better than independent draws by much.
        let variance = variance.max(0.25 * p * (1.0 - p) / total);
        if (mean - p).abs() > 1e-9 {
            let t = (mean - p) / variance.sqrt();
            verdict.add(p_of_t(t, visits.len() as f64 - 1.0), || {
                format!("{name}, {what}: exact {p:.4}, sampled {mean:.4}, {t:.2} standard errors")
            });
        }
    }
    verdict
}

/// All pages, transitions, states and terms of one kernel and use of the parameters.
fn check(kernel: Kernel, parameters: ParameterUse) {
    let mut verdict = Verdict::new();
    for (space, kind) in SPACES.into_iter().flat_map(|space| KINDS.map(|kind| (space, kind))) {
        let problems = [Labels::None, Labels::SomeNodes, Labels::Sets].map(|l| Problem::new(space, kind, l));
        for problem in problems.iter().chain([&Problem::with_tag_histograms(space, kind)]) {
            for &(siblings, children) in terms(kernel) {
                let settings = settings(kernel, parameters, siblings, children);
                let all = problem.enumeration(&settings);
                let target = all.target(&problem.urns, kernel, parameters);
                let name = format!("{} siblings {siblings} children {children}", problem.name);
                verdict.merge(compare(&name, &all, &problem.right_visits(&all, &settings), &target));
            }
        }
    }
    verdict.expect_agreement(FALSE_ALARM);
}

#[test]
fn single_site_with_fixed_parameters_draws_from_the_posterior_given_them() {
    check(Kernel::SingleSite, ParameterUse::Fixed);
}

#[test]
fn single_site_with_parameters_after_each_sweep_draws_from_the_stationary_distribution_of_its_matrix() {
    check(Kernel::SingleSite, ParameterUse::AfterSweep);
}

#[test]
fn single_site_with_drawn_parameters_draws_from_the_posterior() {
    check(Kernel::SingleSite, ParameterUse::Uncollapsed);
}

#[test]
fn single_site_with_parameters_integrated_out_draws_from_the_posterior() {
    check(Kernel::SingleSite, ParameterUse::Collapsed);
}

#[test]
fn joint_draws_with_fixed_parameters_are_from_the_posterior_given_them() {
    check(Kernel::Blocked, ParameterUse::Fixed);
}

#[test]
fn joint_draws_with_parameters_after_each_sweep_are_from_the_stationary_distribution_of_their_matrix() {
    check(Kernel::Blocked, ParameterUse::AfterSweep);
}

#[test]
fn joint_draws_with_drawn_parameters_are_from_the_posterior() {
    check(Kernel::Blocked, ParameterUse::Uncollapsed);
}

#[test]
fn joint_draws_with_parameters_integrated_out_are_from_the_posterior() {
    check(Kernel::Blocked, ParameterUse::Collapsed);
}

/// Every kernel and use of the parameters that can be asked for.
pub(crate) fn samplers() -> impl Iterator<Item = (Kernel, ParameterUse)> {
    [Kernel::SingleSite, Kernel::Blocked]
        .into_iter()
        .flat_map(|kernel| USES.map(|parameters| (kernel, parameters)))
}

#[test]
fn a_page_whose_states_are_all_known_never_moves() {
    for (kernel, parameters) in samplers() {
        for (space, kind) in SPACES.into_iter().flat_map(|space| KINDS.map(|kind| (space, kind))) {
            let problem = Problem::new(space, kind, Labels::All);
            let pages = problem.sampled();
            for &(siblings, children) in terms(kernel) {
                let settings = settings(kernel, parameters, siblings, children);
                let sampler = Sampler::new(&problem.model, &pages, &settings).unwrap();
                let mut chain = sampler.chain(0);
                for _ in 0..20 {
                    chain.sweep();
                    assert_eq!(chain.moved().nodes, 0);
                    for (number, page) in pages.iter().enumerate() {
                        for (v, &state) in chain.states(number).iter().enumerate() {
                            assert!(page.permitted.at(v as u32).contains(state.into()));
                        }
                    }
                }
            }
        }
    }
}

/// A problem on which parameters matter much, and the settings to see it with.
fn sensitive(kernel: Kernel, parameters: ParameterUse) -> (Problem, GibbsConfig) {
    let problem =
        Problem::with_priors(StateSpace::Labels, TransitionKind::Parent, Labels::SomeNodes, WEAK_PRIORS);
    let settings = settings(kernel, parameters, false, false);
    (problem, GibbsConfig { sweeps: BURN_IN + 400, ..settings })
}

/// Priors under which a few counts weigh much.
const WEAK_PRIORS: Priors = Priors {
    transition: DirichletCategorical { gamma: 0.7 },
    categorical: DirichletCategorical { gamma: 0.7 },
    geometric: BetaGeometric { alpha: 4.0, beta: 8.0 },
};

/// What one sampler draws is not what another draws: the comparison sees the difference.
#[test]
fn what_becomes_of_the_parameters_makes_a_difference_that_is_seen() {
    for (kernel, parameters) in samplers() {
        let (problem, settings) = sensitive(kernel, parameters);
        let all = problem.enumeration(&settings);
        let visits = problem.right_visits(&all, &settings);
        let exact = |a| matches!(a, ParameterUse::Uncollapsed | ParameterUse::Collapsed);
        for other in USES {
            if other == parameters || exact(other) && exact(parameters) {
                continue;
            }
            let target = all.target(&problem.urns, kernel, other);
            let name = format!("{kernel:?} {parameters:?} taken for {other:?}");
            compare("", &all, &visits, &target).expect_alarm(FALSE_ALARM, &name);
        }
    }
}

#[test]
fn the_terms_that_break_the_tree_make_a_difference_that_is_seen() {
    for (kernel, parameters) in samplers() {
        for kind in KINDS {
            let problem = Problem::new(StateSpace::Labels, kind, Labels::None);
            for used in terms(kernel) {
                let settings_of = |terms: &(bool, bool)| GibbsConfig {
                    sweeps: BURN_IN + 350,
                    ..settings(kernel, parameters, terms.0, terms.1)
                };
                let all = problem.enumeration(&settings_of(used));
                let visits = problem.right_visits(&all, &settings_of(used));
                let by_one = |other: &&(bool, bool)| (other.0 != used.0) != (other.1 != used.1);
                for other in terms(kernel).iter().filter(by_one) {
                    let target =
                        problem.enumeration(&settings_of(other)).target(&problem.urns, kernel, parameters);
                    let name = format!("{kernel:?} {parameters:?} {kind:?} {used:?} taken for {other:?}");
                    compare("", &all, &visits, &target).expect_alarm(FALSE_ALARM, &name);
                }
            }
        }
    }
}

#[test]
fn planted_errors_are_caught() {
    let same = |page: &KnownPage| page.permitted.clone();
    let wrong_priors = [
        ("of transitions", Priors { transition: DirichletCategorical { gamma: 2.1 }, ..WEAK_PRIORS }),
        ("of categories", Priors { categorical: DirichletCategorical { gamma: 4.2 }, ..WEAK_PRIORS }),
        ("of counts", Priors { geometric: BetaGeometric { alpha: 12.0, beta: 8.0 }, ..WEAK_PRIORS }),
    ];
    for (kernel, parameters) in samplers() {
        let (problem, settings) = sensitive(kernel, parameters);
        let all = problem.enumeration(&settings);
        let right = all.target(&problem.urns, kernel, parameters);
        let expect_alarm = |visits: &[Vec<u32>], target: &[f64], planted: &str| {
            let planted = format!("{planted}, {kernel:?} {parameters:?}");
            compare("", &all, visits, target).expect_alarm(FALSE_ALARM, &planted);
        };
        for (of, priors) in wrong_priors {
            let wrong = with_priors(problem.model.config(), priors);
            let visits = problem.visits(&all, &settings, &wrong, same);
            expect_alarm(&visits, &right, &format!("a wrong prior {of}"));
        }
        let visits = problem.visits(&all, &settings, &one_more(&problem.model), same);
        expect_alarm(&visits, &right, "an observation too many");
        let visits = problem.right_visits(&all, &settings);
        // That nothing but the error is caught.
        compare("", &all, &visits, &right).expect_agreement(FALSE_ALARM);
        let more = all.target(&off_by_one(&problem.urns, &problem.model), kernel, parameters);
        expect_alarm(&visits, &more, "an observation too few");
        let stuck = |page: &KnownPage| {
            let set = |v| if v == 1 { page.permitted.at(v).iter().next().map(StateSet::only) } else { None };
            let sets = (0..page.tree.len() as u32).map(|v| set(v).unwrap_or(page.permitted.at(v)));
            PermittedStates::new(&page.tree, StateSpace::Labels, &sets.collect::<Vec<_>>()).unwrap()
        };
        let visits = problem.visits(&all, &settings, &problem.model, stuck);
        expect_alarm(&visits, &right, "a skipped node");
    }
}

#[test]
fn a_chain_starts_in_given_states_and_refuses_those_that_are_not_permitted() {
    let problem = Problem::new(StateSpace::LabelsAndMixed, KINDS[1], Labels::Sets);
    let pages = problem.sampled();
    let settings = GibbsConfig { parameters: ParameterUse::Uncollapsed, ..GibbsConfig::default() };
    let sampler = Sampler::new(&problem.model, &pages, &settings).unwrap();
    let mut chain = sampler.chain(0);
    chain.sweep();
    let states = |chain: &duramen::inference::gibbs::Chain<'_, '_>| {
        (0..2).map(|page| chain.states(page).to_vec()).collect::<Vec<_>>()
    };
    let given = states(&chain);
    let mut other = sampler.chain_in(3, 1, given.clone()).unwrap();
    assert_eq!((states(&other), other.number(), other.sweeps()), (given.clone(), 3, 1));
    assert_eq!(other.ln_joint(), chain.ln_joint());
    other.sweep();
    let refused = |change: &dyn Fn(&mut Vec<Vec<u8>>)| {
        let mut states = given.clone();
        change(&mut states);
        sampler.chain_in(0, 1, states).err().expect("refused").to_string()
    };
    let message = refused(&|states| states[0][1] = 200);
    assert!(message.contains("page 0: node 1 is in state 200, which it may not have"), "{message}");
    assert!(refused(&|states| states[0][2] = 7).contains("node 2"), "a leaf is not mixed");
    assert!(refused(&|states| states[1].truncate(2)).contains("page 1: 2 states for 3 nodes"));
    assert!(refused(&|states| states.truncate(1)).contains("states of 1 pages for 2 pages"));
}
