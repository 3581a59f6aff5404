//! Expected counts against enumeration of all states, against counting where states are known, and in any partition.

use duramen::dist::special::ln_sum_exp;
use duramen::dom::Limits;
use duramen::inference::{ExpectedCounts, PartialPage};
use duramen::model::counts::{FRACTION_BITS, FeatureCounts};
use duramen::model::{
    Counts, Family, FeatureUse, Model, ModelConfig, Parameters, PermittedStates, Priors, StateSet,
    StateSpace, TargetStates, TransitionKind,
};
use duramen::page::Page;
use duramen::rng::{self, Rng};
use duramen::view::{NONE, View};
use duramen::{Label, NodeId};
use rand::RngExt;

/// A configuration with a feature of every family and kind.
fn config(transition: TransitionKind, states: StateSpace, inner_tables: bool) -> ModelConfig {
    use Family::{BetaGeometric, DirichletCategorical};
    let features = [
        ("tag", DirichletCategorical),
        ("words", BetaGeometric),
        ("full-stops", DirichletCategorical),
        ("children", BetaGeometric),
        ("child-tags", DirichletCategorical),
        ("sibling-tags", DirichletCategorical),
    ];
    ModelConfig {
        view: View::Blocks,
        states,
        transition,
        sibling_types: false,
        child_types: false,
        inner_tables,
        features: features.map(|(id, family)| FeatureUse { id: id.to_owned(), family }).to_vec(),
        layout: None,
        boosted: None,
        decision: Default::default(),
        priors: Priors::default(),
    }
}

fn configs() -> Vec<ModelConfig> {
    let mut all = Vec::new();
    for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
        for space in [StateSpace::Labels, StateSpace::LabelsAndMixed] {
            all.push(config(kind, space, all.len() % 2 == 1));
        }
    }
    all
}

fn random_page(pieces: usize, rng: &mut Rng) -> Page {
    const TAGS: [&str; 6] = ["div", "p", "ul", "li", "h1", "td"];
    let mut html = String::from("<body>");
    for _ in 0..pieces {
        match rng.random_range(0..4) {
            0 => html.push_str("</div>"),
            1 => html.push_str(&format!("<{}>", TAGS[rng.random_range(0..TAGS.len())])),
            _ => html.push_str(&format!("<p>{}</p>", "a b. ".repeat(rng.random_range(1..4)))),
        }
    }
    Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap()
}

/// A model that has seen random labels.
fn random_model(config: ModelConfig, rng: &mut Rng) -> Model {
    let mut model = Model::new(config).unwrap();
    for _ in 0..6 {
        let page = random_page(12, rng);
        let labels: Vec<usize> = page.dom().ids().map(|_| rng.random_range(0..Label::COUNT)).collect();
        let tokens =
            |id: NodeId| std::array::from_fn(|label| 4 * u32::from(labels[id.index()] == label) + id.0 % 2);
        model.observe(&page, tokens, "random").unwrap();
    }
    model
}

/// A page whose nodes permit a random set each, some one state and some all.
fn random_labels(model: &Model, page: &Page, rng: &mut Rng) -> PartialPage {
    let observation = model.observation(page).unwrap();
    let tree = &observation.view.tree;
    let space = model.config().states;
    let sets: Vec<StateSet> = (0..tree.len() as u32)
        .map(|v| {
            let permitted = space.permitted(tree.is_leaf(v));
            let sure = StateSet::only(rng.random_range(0..permitted));
            match rng.random_range(0..4) {
                0 => sure,
                1 => StateSet::first(permitted),
                _ => (0..permitted)
                    .filter(|_| rng.random_bool(0.5))
                    .map(StateSet::only)
                    .fold(sure, StateSet::or),
            }
        })
        .collect();
    let permitted = PermittedStates::new(tree, space, &sets).unwrap();
    PartialPage::new(observation, permitted, "random").unwrap()
}

/// What an enumeration does wrong on purpose.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    SkippedNode,
    TransposedPair,
    SwappedStates,
}

fn features(counts: &Counts) -> Vec<f64> {
    let numbers = counts.features.iter().flat_map(|feature| -> Vec<u64> {
        match feature {
            FeatureCounts::Geometric(statistics) => statistics.iter().flat_map(|s| [s.n, s.sum]).collect(),
            FeatureCounts::Categorical(counts) => counts.clone(),
        }
    });
    numbers.map(|number| number as f64 * counts.unit()).collect()
}

/// Transitions, then features, expected under all permitted states one after another; and ln P(x, labels).
fn enumerate(model: &Model, parameters: &Parameters, page: &PartialPage, fault: Fault) -> (Vec<f64>, f64) {
    let (tree, k, n) = (&page.tree, model.counts().states, page.tree.len());
    let ln_emission = parameters.ln_emission(model.config(), model.specs(), tree, &page.features);
    let sets: Vec<Vec<usize>> = (0..n as u32).map(|v| page.permitted.at(v).iter().collect()).collect();
    let mut all = vec![Vec::new()];
    for set in &sets {
        all = all
            .into_iter()
            .flat_map(|z: Vec<usize>| set.iter().map(move |&state| [&z[..], &[state]].concat()))
            .collect();
    }
    let cells = |z: &[usize]| -> Vec<(usize, usize, usize)> {
        let state = |node: u32| if node == NONE { k } else { z[node as usize] };
        let cell = |v: u32| {
            let previous = parameters.transition.previous(state(tree.previous_sibling(v)));
            (state(tree.parent(v)), previous, z[v as usize])
        };
        (0..n as u32).map(cell).collect()
    };
    let ln_joint = |z: &[usize]| -> f64 {
        let transitions = cells(z).into_iter().map(|(a, s, state)| parameters.transition.row(a, s)[state]);
        let emissions = z.iter().enumerate().map(|(v, state)| ln_emission[v * k + state]);
        transitions.chain(emissions).sum()
    };
    let ln: Vec<f64> = all.iter().map(|z| ln_joint(z)).collect();
    let ln_evidence = ln_sum_exp(&ln);
    let mut transitions = vec![0.0; (k + 1) * (k + 1) * k];
    let mut of_features = vec![0.0; features(&Counts::empty(model.config()).unwrap()).len()];
    for (z, ln) in all.iter().zip(&ln) {
        let p = (ln - ln_evidence).exp();
        for (v, (a, s, state)) in cells(z).into_iter().enumerate() {
            if fault == Fault::SkippedNode && v == n - 1 {
                continue;
            }
            let (a, s) = if fault == Fault::TransposedPair { (s, a) } else { (a, s) };
            transitions[(a * (k + 1) + s) * k + state] += p;
        }
        let mut counted = Counts::empty(model.config()).unwrap();
        let mut states: Vec<u8> = z.iter().map(|&state| state as u8).collect();
        if fault == Fault::SwappedStates {
            states[n - 1] = u8::from(states[n - 1] == 0);
        }
        let states = TargetStates::new(tree, model.config().states, states);
        counted.observe(model.config(), model.specs(), tree, &page.features, &states);
        of_features.iter_mut().zip(features(&counted)).for_each(|(sum, count)| *sum += p * count);
    }
    transitions.extend(of_features);
    (transitions, ln_evidence)
}

/// The largest difference of two counts.
fn difference(counts: &Counts, expected: &[f64]) -> f64 {
    let transitions = counts.transitions.iter().map(|&count| count as f64 * counts.unit());
    let numbers: Vec<f64> = transitions.chain(features(counts)).collect();
    assert_eq!(numbers.len(), expected.len());
    numbers.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn observe(model: &Model, parameters: &Parameters, page: &PartialPage) -> ExpectedCounts {
    let mut expected = ExpectedCounts::new(model.config()).unwrap();
    expected.observe(model, parameters, page);
    expected
}

#[test]
fn expected_counts_equal_enumeration_and_planted_faults_do_not() {
    let mut rng = rng::stream(1, "expected-counts", &[]);
    for config in configs() {
        let (mut problems, mut caught) = (0, [0; 3]);
        while problems < 12 {
            let model = random_model(config.clone(), &mut rng);
            let page = random_page(6, &mut rng);
            let page = random_labels(&model, &page, &mut rng);
            let states: usize = (0..page.tree.len() as u32).map(|v| page.permitted.at(v).len()).product();
            if !(2..=5).contains(&page.tree.len()) || !(2..=2000).contains(&states) {
                continue;
            }
            problems += 1;
            let parameters = Parameters::draw(model.config(), model.counts(), &mut rng);
            let found = observe(&model, &parameters, &page);
            let (expected, ln_evidence) = enumerate(&model, &parameters, &page, Fault::None);
            assert!((found.ln_evidence() - ln_evidence).abs() < 1e-6);
            // Less than a unit for each of the nodes, which have 10 words and tags at most.
            let far = difference(found.counts(), &expected);
            assert!(far < 1e-6 * page.tree.len() as f64, "{far}");
            for (fault, caught) in
                [Fault::SkippedNode, Fault::TransposedPair, Fault::SwappedStates].into_iter().zip(&mut caught)
            {
                let (wrong, _) = enumerate(&model, &parameters, &page, fault);
                *caught += u32::from(difference(found.counts(), &wrong) > 1e-3);
            }
        }
        assert_eq!(caught[0], 12, "a skipped node");
        assert!(caught[1] == 12 && caught[2] >= 10, "{caught:?}");
    }
}

#[test]
fn a_page_whose_states_are_known_counts_as_counting_does_in_every_family() {
    let mut rng = rng::stream(2, "expected-counts", &[]);
    for config in configs() {
        let model = random_model(config.clone(), &mut rng);
        let parameters = Parameters::mean(model.config(), model.counts());
        for pieces in [3, 40, 400] {
            let page = random_page(pieces, &mut rng);
            let observation = model.observation(&page).unwrap();
            let labels: Vec<usize> = page.dom().ids().map(|_| rng.random_range(0..Label::COUNT)).collect();
            let tokens = |id: NodeId| std::array::from_fn(|label| u32::from(labels[id.index()] == label));
            let states = TargetStates::from_tokens(&observation.view, config.states, tokens);
            let mut counted = Counts::empty(&config).unwrap();
            let (tree, matrix) = (&observation.view.tree, &observation.features);
            counted.observe(&config, model.specs(), tree, matrix, &states);
            let has_every_kind = counted.features.iter().all(|feature| match feature {
                FeatureCounts::Geometric(statistics) => statistics.iter().any(|s| s.sum > 0),
                FeatureCounts::Categorical(counts) => counts.iter().any(|&count| count > 0),
            });
            assert!(has_every_kind || pieces == 3);
            let permitted = PermittedStates::from_states(&states);
            let page = PartialPage::new(observation, permitted, "known").unwrap();
            let found = observe(&model, &parameters, &page);
            assert_eq!(found.counts().fraction_bits, FRACTION_BITS);
            let mut whole = Counts::empty(&config).unwrap();
            whole.merge(found.counts()).unwrap();
            assert_eq!(whole, counted, "and in the same unit, once fractions are gone");
        }
    }
}

#[test]
fn every_node_counts_as_one_and_any_partition_gives_the_same_numbers() {
    let mut rng = rng::stream(3, "expected-counts", &[]);
    for config in configs() {
        let model = random_model(config, &mut rng);
        let parameters = Parameters::draw(model.config(), model.counts(), &mut rng);
        let pages: Vec<PartialPage> = (0..12)
            .map(|number| {
                let page = random_page(10 + 20 * number, &mut rng);
                random_labels(&model, &page, &mut rng)
            })
            .collect();
        let mut all = ExpectedCounts::new(model.config()).unwrap();
        pages.iter().for_each(|page| all.observe(&model, &parameters, page));
        let nodes: u64 = pages.iter().map(|page| page.tree.len() as u64).sum();
        assert_eq!(all.counts().nodes, nodes);
        assert_eq!(all.counts().transitions.iter().sum::<u64>(), nodes << FRACTION_BITS);
        for feature in &all.counts().features[..4] {
            let total: u64 = match feature {
                FeatureCounts::Geometric(statistics) => statistics.iter().map(|s| s.n).sum(),
                FeatureCounts::Categorical(counts) => counts.iter().sum(),
            };
            assert_eq!(
                total,
                nodes << FRACTION_BITS,
                "tag, words, full stops and children of each node once"
            );
        }
        for modulus in [2, 3, 5] {
            let mut sum = ExpectedCounts::new(model.config()).unwrap();
            for part in (0..modulus).rev() {
                let mut of_part = ExpectedCounts::new(model.config()).unwrap();
                let of_this = pages.iter().enumerate().filter(|(number, _)| number % modulus == part);
                of_this.for_each(|(_, page)| of_part.observe(&model, &parameters, page));
                sum.merge(&of_part).unwrap();
            }
            assert_eq!(sum, all);
        }
    }
}

#[test]
fn a_configuration_that_breaks_the_tree_is_refused_with_the_remedy() {
    let error = ExpectedCounts::new(&ModelConfig::thesis()).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("write sibling-types = false"), "{error}");
}

#[test]
fn a_wide_and_a_deep_page_are_counted_whole() {
    let mut rng = rng::stream(4, "expected-counts", &[]);
    let config = config(TransitionKind::ParentAndPreviousSibling, StateSpace::LabelsAndMixed, true);
    let model = random_model(config, &mut rng);
    let parameters = Parameters::mean(model.config(), model.counts());
    for html in ["<p>a</p>".repeat(20_000), "<div>a".repeat(400)] {
        let page = Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap();
        let observation = model.observation(&page).unwrap();
        let permitted = PermittedStates::all(&observation.view.tree, model.config().states);
        let page = PartialPage::new(observation, permitted, "wide").unwrap();
        let found = observe(&model, &parameters, &page);
        let nodes = page.tree.len() as u64;
        assert_eq!(found.counts().transitions.iter().sum::<u64>(), nodes << FRACTION_BITS);
        assert!(found.ln_evidence().is_finite());
    }
}
