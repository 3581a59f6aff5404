//! The Gibbs sampler against exact marginals and against enumeration of all states.
//!
//! Many chains are run from random starts. Their averages are independent and alike, so that for each node and state
//! the mean of the chains less the exact probability, over its standard error, follows Student's t. A test fails if
//! any of its values is beyond the quantile at which a right sampler fails once in [`FALSE_ALARM`] such tests. Seeds
//! are fixed and nothing is tried again: each test passes always or never.

use duramen::dist::special::{ln_sum_exp, normalize_ln};
use duramen::dom::Limits;
use duramen::features::{Column, FeatureMatrix};
use duramen::inference::gibbs::{Kernel, Start};
use duramen::inference::gibbs::{SampledPage, average};
use duramen::inference::upward_downward::upward_downward;
use duramen::inference::{GibbsConfig, ParameterUse};
use duramen::model::{
    Family, FeatureUse, Model, ModelConfig, Parameters, Priors, StateSpace, TransitionKind,
};
use duramen::page::Page;
use duramen::rng;
use duramen::view::{NONE, Tree, View};
use rand::RngExt;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The rate at which each test would fail a right sampler, over all its nodes and states together.
const FALSE_ALARM: f64 = 1e-5;
/// Chains of a comparison.
const CHAINS: u64 = 30;

/// A model of two features that knows little, so that no state of a node is out of the question.
fn model(states: StateSpace, transition: TransitionKind, sibling_types: bool) -> Model {
    let used = [("tag", Family::DirichletCategorical), ("words", Family::BetaGeometric)];
    let mut priors = Priors::default();
    priors.categorical.gamma = 2.0;
    let config = ModelConfig {
        view: View::Blocks,
        states,
        transition,
        sibling_types,
        child_types: false,
        inner_tables: true,
        features: used.map(|(id, family)| FeatureUse { id: id.to_owned(), family }).to_vec(),
        layout: None,
        boosted: None,
        decision: Default::default(),
        priors,
    };
    let html =
        "<h1>Head line</h1><div><p>One two three. Four.</p><p>Five six</p></div><ul><li>Seven<li>Eight</ul>
                <div><h2>Nine ten</h2><div><p>A remark</p><p>Another remark that is longer</p></div></div>";
    let page = Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap();
    let mut model = Model::new(config).unwrap();
    for round in 0..3u32 {
        // Labels without a pattern: counts that differ is all that is wanted.
        let tokens = |id: duramen::NodeId| {
            let mut tokens = [0; 6];
            tokens[((id.0 * 7 + round * 5) % 11 % 6) as usize] = 3;
            tokens
        };
        model.observe(&page, tokens, "made up").unwrap();
    }
    model
}

/// A random tree of `n` nodes with random features of the model above.
fn random_page(n: usize, seed: u64) -> (Tree, FeatureMatrix) {
    let mut rng = rng::stream(seed, "random-page", &[n as u64]);
    let mut parents: Vec<u32> = vec![NONE];
    for _ in 1..n {
        // In preorder the parent of the next node is the last node or one of its ancestors.
        let mut parent = parents.len() as u32 - 1;
        while parents[parent as usize] != NONE && rng.random_bool(0.5) {
            parent = parents[parent as usize];
        }
        parents.push(parent);
    }
    let tags = ["p", "div", "li", "h1"].map(|tag| duramen::dom::Tag::from_name(tag).index() as u32);
    let tag = (0..n).map(|_| tags[rng.random_range(0..tags.len())]).collect();
    let words = (0..n).map(|_| rng.random_range(0..8)).collect();
    (Tree::from_parents(parents), FeatureMatrix { columns: vec![Column::Values(tag), Column::Values(words)] })
}

/// A page without labels under a model.
struct Target<'a> {
    model: &'a Model,
    tree: &'a Tree,
    features: &'a FeatureMatrix,
    digest: u64,
}

fn sample(target: &Target<'_>, settings: &GibbsConfig, observe: impl FnMut(u32, u32, &[u8])) -> Vec<f64> {
    let page = SampledPage::unlabelled(target.model, target.tree, target.features, target.digest);
    average(target.model, page, settings, observe).unwrap()
}

/// Average of the states over each of [`CHAINS`] chains, \[chain\]\[node and state\].
fn chains(target: &Target<'_>, settings: GibbsConfig) -> Vec<Vec<f64>> {
    (0..CHAINS).map(|seed| sample(target, &GibbsConfig { seed, ..settings }, |_, _, _| ())).collect()
}

/// Sweeps enough for the averages of a chain to be close to normal, after enough to forget its start.
const LONG: GibbsConfig = GibbsConfig {
    sweeps: 1050,
    burn_in: 50,
    thin: 1,
    chains: 1,
    kernel: Kernel::SingleSite,
    parameters: ParameterUse::Fixed,
    start: Start::Uniform,
    sibling_types: true,
    child_types: true,
    seed: 0,
};

/// Compares the averages of chains with the exact probabilities; the worst of the nodes and states if it is beyond
/// the threshold.
fn compare(chains: &[Vec<f64>], draws: u32, exact: &[f64]) -> Result<(), String> {
    let n = chains.len() as f64;
    let t = StudentsT::new(0.0, 1.0, n - 1.0).unwrap();
    let threshold = t.inverse_cdf(1.0 - FALSE_ALARM / (2.0 * exact.len() as f64));
    let mut worst = (0.0, String::new());
    for (index, &p) in exact.iter().enumerate() {
        let mean = chains.iter().map(|chain| chain[index]).sum::<f64>() / n;
        let total = n * f64::from(draws);
        if p * total < 100.0 {
            // Too rare for a normal distribution; from less than 100 expected visits more than 250 do not come.
            if mean * total > 250.0 {
                return Err(format!("{index}: exact {p}, sampled {mean}"));
            }
            continue;
        }
        let variance = chains.iter().map(|chain| (chain[index] - mean).powi(2)).sum::<f64>() / (n - 1.0);
        // Chains that agree by chance cannot be better than independent draws by much.
        let standard_error = (variance / n).max(0.25 * p * (1.0 - p) / total).sqrt();
        let distance = (mean - p).abs() / standard_error;
        // Rounding, where a state is as good as certain.
        if distance > worst.0 && (mean - p).abs() > 1e-9 {
            worst = (distance, format!("{index}: exact {p}, sampled {mean}, {distance} standard errors"));
        }
    }
    if worst.0 > threshold { Err(format!("{} (at most {threshold})", worst.1)) } else { Ok(()) }
}

const ALL: [(StateSpace, TransitionKind); 4] = [
    (StateSpace::Labels, TransitionKind::Parent),
    (StateSpace::Labels, TransitionKind::ParentAndPreviousSibling),
    (StateSpace::LabelsAndMixed, TransitionKind::Parent),
    (StateSpace::LabelsAndMixed, TransitionKind::ParentAndPreviousSibling),
];

/// How far from certain the states are, on average over nodes: a test on certain states would see nothing.
fn mean_uncertainty(exact: &[f64], k: usize) -> f64 {
    let best = exact.chunks(k).map(|node| node.iter().copied().fold(0.0, f64::max));
    1.0 - best.sum::<f64>() / (exact.len() / k) as f64
}

#[test]
fn averages_agree_with_exact_marginals_for_both_transitions_and_mixed_states() {
    for (states, transition) in ALL {
        let model = model(states, transition, false);
        let parameters = model.parameters();
        for (seed, n) in [(1, 1), (2, 6), (3, 14)] {
            let (tree, features) = random_page(n, seed);
            let ln_emission = parameters.ln_emission(model.config(), model.specs(), &tree, &features);
            let exact = upward_downward(&tree, &ln_emission, &parameters.transition).posterior;
            let uncertainty = mean_uncertainty(&exact, states.len());
            assert!(uncertainty > 0.3, "nothing to see: {uncertainty}");
            let target = Target { model: &model, tree: &tree, features: &features, digest: seed };
            let chains = chains(&target, LONG);
            compare(&chains, LONG.sweeps - LONG.burn_in, &exact)
                .unwrap_or_else(|worst| panic!("{states:?} {transition:?}, {n} nodes: {worst}"));
            for node in chains[0].chunks(states.len()) {
                assert!((node.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn averages_agree_with_exact_marginals_on_a_parsed_page() {
    let html =
        "<h1>Title</h1><div><p>Some words here.</p><p>And more of them.</p></div><ul><li>A<li>B<li>C</ul>";
    let page = Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap();
    for (states, transition) in ALL {
        let model = model(states, transition, false);
        let observation = model.observation(&page).unwrap();
        let parameters = model.parameters();
        let ln_emission = model.ln_emission(&parameters, &observation);
        let exact = upward_downward(&observation.view.tree, &ln_emission, &parameters.transition).posterior;
        let digest = page.dom().digest().as_u64();
        let target =
            Target { model: &model, tree: &observation.view.tree, features: &observation.features, digest };
        compare(&chains(&target, LONG), LONG.sweeps - LONG.burn_in, &exact)
            .unwrap_or_else(|worst| panic!("{states:?} {transition:?}: {worst}"));
    }
}

#[test]
fn a_giant_among_thousands_of_siblings_has_a_state_and_a_posterior() {
    // What a hundred thousand words rule out by themselves, the likeness of three thousand siblings would make infinitely
    // likely again: nought times infinity, which is no number.
    let mut model = Model::new(ModelConfig::thesis()).unwrap();
    let lesson =
        "<p>long text of an article that goes on for a while</p>".repeat(40) + &"<p>ad</p>".repeat(400);
    let lesson = Page::parse("lesson", None, lesson.as_bytes(), None, &Limits::default()).unwrap();
    let label = |id: duramen::NodeId| match lesson.dom().text(id).len() {
        0..4 => [9, 0, 0, 0, 0, 0],
        _ => [0, 0, 9, 0, 0, 0],
    };
    model.observe(&lesson, label, "made up").unwrap();
    let html = format!("{}<p>{}</p>", "<p>ad</p>".repeat(3000), "word ".repeat(100_000));
    let page = Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap();
    let observation = model.observation(&page).unwrap();
    let sampled = SampledPage::unlabelled(&model, &observation.view.tree, &observation.features, 1);
    let config = GibbsConfig { sweeps: 6, burn_in: 2, ..GibbsConfig::default() };
    let posterior = average(&model, sampled, &config, |_, _, _| ()).unwrap();
    for node in posterior.chunks(6) {
        assert!((node.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{node:?}");
    }
}

#[test]
fn a_wrong_transition_is_caught() {
    let (tree, features) = random_page(6, 2);
    for (states, transition) in ALL {
        let model = model(states, transition, false);
        let mut parameters = model.parameters();
        let target = Target { model: &model, tree: &tree, features: &features, digest: 2 };
        let chains = chains(&target, LONG);
        let ln_emission = parameters.ln_emission(model.config(), model.specs(), &tree, &features);
        // The root's row with a quarter of its first probability moved to the second.
        let k = states.len();
        let start = (k * (k + 1) + k) * k;
        let moved = parameters.transition.ln[start].exp() / 4.0;
        parameters.transition.ln[start] = (parameters.transition.ln[start].exp() - moved).ln();
        parameters.transition.ln[start + 1] = (parameters.transition.ln[start + 1].exp() + moved).ln();
        let wrong = upward_downward(&tree, &ln_emission, &parameters.transition).posterior;
        assert!(compare(&chains, LONG.sweeps - LONG.burn_in, &wrong).is_err(), "{states:?} {transition:?}");
    }
}

/// ln of the product that the sampler's full conditionals are of: the tree, and for every ordered pair of siblings
/// the probability of the second's type as a feature of the first.
fn ln_product(model: &Model, parameters: &Parameters, tree: &Tree, ln_emission: &[f64], z: &[usize]) -> f64 {
    let k = model.config().states.len();
    let state = |node: u32| if node == NONE { k } else { z[node as usize] };
    let mut ln = 0.0;
    for v in 0..tree.len() as u32 {
        let previous = match model.config().transition {
            TransitionKind::Parent => k,
            TransitionKind::ParentAndPreviousSibling => state(tree.previous_sibling(v)),
        };
        ln += parameters.transition.row(state(tree.parent(v)), previous)[state(v)];
        ln += ln_emission[v as usize * k + state(v)];
        if model.config().sibling_types {
            for u in (0..tree.len() as u32).filter(|&u| u != v && v > 0 && tree.parent(u) == tree.parent(v)) {
                ln += parameters.ln_sibling[state(v) * k + state(u)];
            }
        }
    }
    ln
}

/// P(z_v = state), \[node\]\[state\], by summing over all states of all nodes.
fn enumerate(model: &Model, parameters: &Parameters, tree: &Tree, ln_emission: &[f64]) -> Vec<f64> {
    let (n, k) = (tree.len(), model.config().states.len());
    let mut terms = vec![Vec::new(); n * k];
    for code in 0..k.pow(n as u32) {
        let z: Vec<usize> = (0..n).map(|v| code / k.pow(v as u32) % k).collect();
        let ln = ln_product(model, parameters, tree, ln_emission, &z);
        for (v, &state) in z.iter().enumerate() {
            terms[v * k + state].push(ln);
        }
    }
    let mut sums: Vec<f64> = terms.iter().map(|terms| ln_sum_exp(terms)).collect();
    sums.chunks_mut(k).for_each(|node| {
        normalize_ln(node);
    });
    sums
}

#[test]
fn with_the_types_of_all_siblings_averages_agree_with_enumeration() {
    // A root with three children; a root with two children, the first of which has two.
    for (number, parents) in [vec![NONE, 0, 0, 0], vec![NONE, 0, 1, 1, 0]].into_iter().enumerate() {
        for (states, transition) in ALL {
            if parents.len() > 4 && states == StateSpace::LabelsAndMixed {
                continue;
            }
            let model = model(states, transition, true);
            let parameters = model.parameters();
            let tree = Tree::from_parents(parents.clone());
            let (_, features) = random_page(tree.len(), 7 + number as u64);
            let ln_emission = parameters.ln_emission(model.config(), model.specs(), &tree, &features);
            let exact = enumerate(&model, &parameters, &tree, &ln_emission);
            let tree_alone = upward_downward(&tree, &ln_emission, &parameters.transition).posterior;
            let target = Target { model: &model, tree: &tree, features: &features, digest: 9 };
            let chains = chains(&target, LONG);
            let draws = LONG.sweeps - LONG.burn_in;
            compare(&chains, draws, &exact)
                .unwrap_or_else(|worst| panic!("{states:?} {transition:?}: {worst}"));
            assert!(
                compare(&chains, draws, &tree_alone).is_err(),
                "the siblings' types must make a difference"
            );
        }
    }
}

#[test]
fn without_the_types_of_siblings_enumeration_is_the_exact_marginals() {
    let (tree, features) = random_page(4, 11);
    for (states, transition) in ALL {
        let model = model(states, transition, false);
        let parameters = model.parameters();
        let ln_emission = parameters.ln_emission(model.config(), model.specs(), &tree, &features);
        let exact = upward_downward(&tree, &ln_emission, &parameters.transition).posterior;
        for (a, b) in exact.iter().zip(enumerate(&model, &parameters, &tree, &ln_emission)) {
            assert!((a - b).abs() < 1e-10);
        }
    }
}

/// All states of all sweeps, chain after chain.
fn trace(target: &Target<'_>, settings: &GibbsConfig) -> (Vec<u8>, Vec<f64>) {
    let mut states = vec![Vec::new(); settings.chains as usize];
    let average = sample(target, settings, |chain, _, z| states[chain as usize].extend_from_slice(z));
    (states.concat(), average)
}

#[test]
fn a_run_depends_on_seed_page_and_chain_and_on_nothing_else() {
    let (tree, features) = random_page(14, 3);
    for (states, transition) in ALL {
        for parameters in [ParameterUse::AfterSweep, ParameterUse::Uncollapsed] {
            let model = model(states, transition, true);
            let target = |digest| Target { model: &model, tree: &tree, features: &features, digest };
            let settings = |seed, chains| GibbsConfig { parameters, seed, chains, ..GibbsConfig::default() };
            let first = trace(&target(1), &settings(1, 1));
            assert!(first == trace(&target(1), &settings(1, 1)));
            assert!(first != trace(&target(1), &settings(2, 1)), "another seed");
            assert!(first != trace(&target(2), &settings(1, 1)), "another page");
            let two = trace(&target(1), &settings(1, 2));
            assert_eq!(two.0[..first.0.len()], first.0, "the first of two chains is the first alone");
            assert_ne!(two.0[first.0.len()..], first.0, "the second is another");
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    use rayon::prelude::*;
    let model = model(StateSpace::LabelsAndMixed, TransitionKind::ParentAndPreviousSibling, true);
    let pages: Vec<_> = (0..12).map(|seed| random_page(10, seed)).collect();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let settings =
            GibbsConfig { parameters: ParameterUse::Uncollapsed, chains: 2, ..GibbsConfig::default() };
        pool.install(|| {
            let sampled = pages.par_iter().enumerate().map(|(number, (tree, features))| {
                let target = Target { model: &model, tree, features, digest: number as u64 };
                trace(&target, &settings)
            });
            sampled.collect::<Vec<_>>()
        })
    };
    let one = run(1);
    let bits = |traces: &[(Vec<u8>, Vec<f64>)]| -> Vec<u64> {
        traces.iter().flat_map(|(_, average)| average.iter().map(|p| p.to_bits())).collect()
    };
    for threads in [1, 2] {
        let other = run(threads);
        assert!(one == other);
        assert_eq!(bits(&one), bits(&other));
    }
}

/// On a page of one node, under a model that knows nothing, the state of the sweep before has one count beside a
/// prior of 1 for each of 6 states: it stays with probability 2/7, and any other comes with 1/7. If counts grew over
/// the sweeps instead, this would be Polya's urn, which stays with whatever came first.
#[test]
fn counts_of_the_page_replace_those_of_the_sweep_before() {
    let config = ModelConfig {
        view: View::Blocks,
        states: StateSpace::Labels,
        transition: TransitionKind::Parent,
        sibling_types: false,
        child_types: false,
        inner_tables: false,
        features: Vec::new(),
        layout: None,
        boosted: None,
        decision: Default::default(),
        priors: Priors::default(),
    };
    let model = Model::new(config).unwrap();
    let before = model.to_json();
    let (tree, features) = (Tree::from_parents(vec![NONE]), FeatureMatrix { columns: Vec::new() });
    let target = Target { model: &model, tree: &tree, features: &features, digest: 0 };
    let sweeps = 40_000;
    let settings = GibbsConfig { sweeps, burn_in: 0, ..GibbsConfig::default() };
    let (states, average) = trace(&target, &settings);
    let stays = states.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
    let n = f64::from(sweeps - 1);
    let sd = (2.0 / 7.0 * 5.0 / 7.0 / n).sqrt();
    assert!((stays / n - 2.0 / 7.0).abs() < 5.0 * sd, "stays {}", stays / n);
    for share in &average {
        // The chain's second eigenvalue is 1/7, which makes the variance of an average 4/3 of independent draws'.
        let sd = (1.0 / 6.0 * 5.0 / 6.0 * 4.0 / 3.0 / f64::from(sweeps)).sqrt();
        assert!((share - 1.0 / 6.0).abs() < 5.0 * sd, "{average:?}");
    }
    assert_eq!(model.to_json(), before, "the model itself learns nothing");

    // Without counts of the page all states stay equally likely, whatever came before.
    let settings = GibbsConfig { parameters: ParameterUse::Fixed, ..settings };
    let (states, _) = trace(&target, &settings);
    let stays = states.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
    assert!((stays / n - 1.0 / 6.0).abs() < 5.0 * (5.0 / 36.0 / n).sqrt(), "stays {}", stays / n);
}

#[test]
fn thinning_and_burn_in_average_the_sweeps_that_they_say() {
    let (tree, features) = random_page(6, 2);
    let model = model(StateSpace::Labels, TransitionKind::Parent, false);
    let target = Target { model: &model, tree: &tree, features: &features, digest: 2 };
    let settings = GibbsConfig { sweeps: 20, burn_in: 5, thin: 4, ..GibbsConfig::default() };
    let (states, average) = trace(&target, &settings);
    assert_eq!(states.len(), 20 * tree.len());
    let mut expected = vec![0.0; tree.len() * 6];
    for sweep in [6, 10, 14, 18] {
        for v in 0..tree.len() {
            expected[v * 6 + states[(sweep - 1) * tree.len() + v] as usize] += 0.25;
        }
    }
    assert_eq!(average, expected);
}

#[test]
fn leaves_are_never_mixed() {
    let (tree, features) = random_page(14, 3);
    let model = model(StateSpace::LabelsAndMixed, TransitionKind::ParentAndPreviousSibling, true);
    let target = Target { model: &model, tree: &tree, features: &features, digest: 3 };
    let (states, _) = trace(&target, &GibbsConfig { sweeps: 200, ..GibbsConfig::default() });
    let leaf = |index: usize| tree.is_leaf((index % tree.len()) as u32);
    assert!(states.iter().enumerate().all(|(index, &state)| !leaf(index) || state < 6));
    assert!(states.iter().any(|&state| state >= 6), "inner nodes are");
}

#[test]
fn an_empty_tree_has_no_marginals() {
    let tree = Tree::default();
    let features = FeatureMatrix { columns: vec![Column::Values(vec![]), Column::Values(vec![])] };
    for sibling_types in [false, true] {
        let model = model(StateSpace::Labels, TransitionKind::Parent, sibling_types);
        let target = Target { model: &model, tree: &tree, features: &features, digest: 0 };
        assert!(sample(&target, &GibbsConfig::default(), |_, _, _| ()).is_empty());
    }
}
