//! Learning weights: the loss against all states, its gradient against differences of the loss, what learning reaches.

use crate::labelled_pages::problem;
use crate::small_trees::{all_states, ln_joint, random_problem};
use crate::support::StepCount;
use duramen::eval::Calibration;
use duramen::features::{Column, FeatureMatrix};
use duramen::inference::upward_downward::posteriors;
use duramen::inference::weight_learning::{Gradient, PROBABILITY_FLOOR, Stage, gradient, learn, loss, mean};
use duramen::inference::{PartialPage, WeightLearning, WeightPage};
use duramen::label::LabelSet;
use duramen::model::{
    Family, FeatureUse, Model, ModelConfig, PermittedStates, Refinement, StateSpace, TargetStates,
    TransitionExponents, TransitionKind, Weights,
};
use duramen::progress::Silent;
use duramen::rng;
use rand::RngExt;

fn config(
    features: &[&str],
    states: StateSpace,
    transition: TransitionKind,
    inner_tables: bool,
) -> ModelConfig {
    let family = Family::DirichletCategorical;
    ModelConfig {
        states,
        transition,
        inner_tables,
        features: features.iter().map(|id| FeatureUse { id: (*id).to_owned(), family }).collect(),
        ..ModelConfig::blocks()
    }
}

/// A configuration of every kind of table, with each kind of transition and of inner nodes.
fn configs() -> [ModelConfig; 2] {
    let features = ["tag", "words", "child-tags", "sibling-tags", "link-density"];
    [
        config(&features, StateSpace::LabelsAndMixed, TransitionKind::ParentAndPreviousSibling, true),
        config(&features, StateSpace::Labels, TransitionKind::Parent, false),
    ]
}

/// Random weights whose numbers are whole multiples of 2^-10, so that a step of that size is exact.
fn random_weights(config: &ModelConfig) -> Weights {
    let mut rng = rng::stream(5, "weights", &[]);
    let mut weights = Weights::uniform(config, 0.5).unwrap();
    let mut exponent = || f64::from(rng.random_range(100..700)) / 1024.0;
    weights.features.iter_mut().flatten().for_each(|w| *w = exponent());
    weights.transition.root = exponent();
    weights.transition.first = exponent();
    weights.transition.other = exponent();
    let mut refinement = Refinement::zero(config).unwrap();
    let tables = refinement.features.iter_mut().chain([&mut refinement.transition]);
    tables.flatten().for_each(|change| *change = rng.random_range(-300..300) as f32 / 1024.0);
    weights.refinement = Some(refinement);
    weights
}

/// Compares derivatives with central differences of the loss along a number of the weights.
fn assert_derivative(
    model: &Model,
    pages: &[&WeightPage],
    derivative: f64,
    scale: f64,
    change: impl Fn(&mut Weights, f64),
) {
    let settings = WeightLearning::default();
    let at = |step: f64| {
        let mut weights = model.layers().weights.clone().unwrap();
        change(&mut weights, step);
        loss(&model.clone().with_layer(weights).unwrap(), pages, &settings)
    };
    // Of the fourth order, so that the difference itself is exact enough.
    let h = 1.0 / 512.0;
    let difference = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
    let error = (difference - derivative).abs();
    assert!(
        error <= 1e-5 * (derivative.abs() + 0.01 * scale),
        "{derivative} for {difference}, scale {scale}"
    );
}

fn largest<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.fold(0.0, |most, value| most.max(value.abs()))
}

#[test]
fn the_gradient_is_that_of_differences_of_the_loss() {
    for (config, sets) in configs().into_iter().zip([true, false]).chain([(configs()[1].clone(), true)]) {
        let (model, pages) = problem(&config, 10, 5, sets);
        let model = model.with_layer(random_weights(&config)).unwrap();
        let pages: Vec<&WeightPage> = pages.iter().collect();
        let settings = WeightLearning::default();
        let found: Gradient = gradient(&model, &pages, &settings);
        assert!((found.loss - loss(&model, &pages, &settings)).abs() < 1e-12);
        let mut rng = rng::stream(1, "entries", &[]);
        for (feature, table) in found.features.iter().enumerate() {
            let scale = largest(table.iter());
            assert!(scale > 1e-4, "feature {feature} has a say");
            let read: Vec<usize> = (0..table.len()).filter(|&entry| table[entry] != 0.0).collect();
            for _ in 0..8 {
                let entry = read[rng.random_range(0..read.len())];
                assert_derivative(&model, &pages, table[entry], scale, |weights, step| {
                    weights.refinement.as_mut().unwrap().features[feature][entry] += step as f32;
                });
            }
        }
        let scale = largest(found.transition.iter());
        let used: Vec<usize> =
            (0..found.transition.len()).filter(|&entry| found.transition[entry] != 0.0).collect();
        for _ in 0..20 {
            let entry = used[rng.random_range(0..used.len())];
            assert_derivative(&model, &pages, found.transition[entry], scale, |weights, step| {
                weights.refinement.as_mut().unwrap().transition[entry] += step as f32;
            });
        }
        let (features, transition) = found.exponents(&model);
        let scale = largest(features.iter().flatten());
        for (feature, exponents) in features.iter().enumerate() {
            assert_eq!(exponents.len(), if config.inner_tables { 2 } else { 1 });
            for (table, &derivative) in exponents.iter().enumerate() {
                assert_derivative(&model, &pages, derivative, scale, |weights, step| {
                    weights.features[feature][table] += step;
                });
            }
        }
        assert_derivative(&model, &pages, transition.root, scale, |weights, step| {
            weights.transition.root += step
        });
        assert_derivative(&model, &pages, transition.first, scale, |weights, step| {
            weights.transition.first += step;
        });
        assert_derivative(&model, &pages, transition.other, scale, |weights, step| {
            weights.transition.other += step;
        });
        let first_alone = config.transition == TransitionKind::Parent;
        assert_eq!(transition.other == 0.0, first_alone);
    }
}

/// The loss as it is defined, with the marginals of all states of the tree.
fn loss_of_all_states(model: &Model, page: &WeightPage, settings: &WeightLearning) -> f64 {
    let (tree, k) = (&page.partial.tree, model.config().states.len());
    let parameters = model.parameters();
    let ln_emission = parameters.ln_emission(model.config(), model.specs(), tree, &page.partial.features);
    let (mut total, mut mu) = (0.0, vec![0.0; tree.len() * k]);
    for z in all_states(tree.len(), k) {
        let p = ln_joint(tree, &ln_emission, &parameters.transition, &z).exp();
        total += p;
        z.iter().enumerate().for_each(|(v, &state)| mu[v * k + state] += p);
    }
    let words = |v: usize| f64::from(page.words[v]);
    let weight =
        |v: usize| if tree.is_leaf(v as u32) { words(v).sqrt() + 1.0 } else { settings.inner_weight };
    let all: f64 = (0..tree.len()).map(weight).sum();
    let (mut loss, mut shared, mut both) = (0.0, 1.0, 1.0);
    for v in 0..tree.len() {
        let set = page.partial.permitted.at(v as u32);
        let p: f64 = set.iter().map(|state| mu[v * k + state] / total).sum();
        loss -= weight(v) / all * ((p + PROBABILITY_FLOOR) / (1.0 + PROBABILITY_FLOOR)).ln();
        let content = |state: usize| [1, 2, 3].contains(&state);
        let of_content: f64 = [1, 2, 3].iter().map(|state| mu[v * k + state] / total).sum();
        if tree.is_leaf(v as u32) && set.iter().all(content) {
            shared += 2.0 * words(v) * of_content;
            both += words(v) * (of_content + 1.0);
        } else if tree.is_leaf(v as u32) && !set.iter().any(content) {
            both += words(v) * of_content;
        }
    }
    loss + settings.soft_f1 * (1.0 - shared / both)
}

#[test]
fn the_loss_is_that_of_all_states_of_small_trees() {
    let settings = WeightLearning { soft_f1: 0.7, inner_weight: 0.3, ..WeightLearning::default() };
    for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
        let config = config(&["words", "full-stops"], StateSpace::Labels, kind, true);
        let (model, _) = problem(&config, 10, 0, false);
        let model = model.with_layer(random_weights(&config)).unwrap();
        for seed in 0..12 {
            let (tree, ..) = random_problem(1 + seed as usize % 5, 6, kind, seed);
            let mut rng = rng::stream(seed, "small-pages", &[]);
            let mut values =
                |most: u32| -> Vec<u32> { (0..tree.len()).map(|_| rng.random_range(0..most)).collect() };
            let words = values(60);
            let features =
                FeatureMatrix { columns: vec![Column::Values(words.clone()), Column::Values(values(5))] };
            let sets: Vec<_> = (0..tree.len())
                .map(|_| {
                    let set = duramen::model::StateSet::only(rng.random_range(0..6));
                    if rng.random_bool(0.3) {
                        set.or(duramen::model::StateSet::only(rng.random_range(0..6)))
                    } else {
                        set
                    }
                })
                .collect();
            let permitted = PermittedStates::new(&tree, StateSpace::Labels, &sets).unwrap();
            let partial = PartialPage { tree, features, permitted, source: "random".to_owned() };
            let page = WeightPage { partial, words };
            let (found, expected) =
                (loss(&model, &[&page], &settings), loss_of_all_states(&model, &page, &settings));
            assert!((found - expected).abs() < 1e-10, "{found} for {expected}");
        }
    }
}

/// Pages of leaves under a root whose four features are one and the same.
fn pages_of_copies(n: u64, seed: u64) -> (ModelConfig, Vec<(WeightPage, TargetStates)>) {
    let features = ["words", "full-stops", "children", "siblings"];
    let config = config(&features, StateSpace::Labels, TransitionKind::Parent, true);
    let pages = (0..n).map(|number| {
        let mut rng = rng::stream(seed, "copies", &[number]);
        let parents = (0..12).map(|v| if v == 0 { duramen::view::NONE } else { 0 }).collect();
        let tree = duramen::view::Tree::from_parents(parents);
        let states: Vec<u8> = (0..12).map(|_| if rng.random_bool(0.4) { 2 } else { 0 }).collect();
        // Every value is possible in both states, more or less often.
        let mut value = |state: u8| {
            let two = [rng.random_range(0..5), rng.random_range(0..5)];
            if state == 2 { two[0].max(two[1]) } else { two[0].min(two[1]) }
        };
        let values: Vec<u32> = states.iter().map(|&state| value(state)).collect();
        let states = TargetStates::new(&tree, StateSpace::Labels, states);
        let permitted = PermittedStates::from_states(&states);
        let columns = vec![Column::Values(values.clone()); 4];
        let features = FeatureMatrix { columns };
        let partial = PartialPage { tree, features, permitted, source: "copies".to_owned() };
        (WeightPage { partial, words: values }, states)
    });
    (config, pages.collect())
}

/// The expected calibration error of full text on pages.
fn calibration_error(model: &Model, pages: &[(WeightPage, TargetStates)]) -> f64 {
    let parameters = model.parameters();
    let mut calibration = Calibration::default();
    for (page, states) in pages {
        let (tree, k) = (&page.partial.tree, 6);
        let ln_emission = parameters.ln_emission(model.config(), model.specs(), tree, &page.partial.features);
        let posterior = posteriors(tree, &ln_emission, &parameters.transition);
        for v in (0..tree.len()).filter(|&v| tree.is_leaf(v as u32)) {
            let p = posterior[v * k + 2].clamp(0.0, 1.0);
            calibration.add(p, states.as_slice()[v] == 2, 1).unwrap();
        }
    }
    calibration.expected_error().unwrap()
}

#[test]
fn copies_of_a_feature_share_one_exponent_and_probabilities_become_right() {
    let (config, pages) = pages_of_copies(300, 1);
    let mut model = Model::new(config.clone()).unwrap();
    for (page, states) in &pages {
        model.observe_states(&page.partial.tree, &page.partial.features, states, "copies");
    }
    let to_learn: Vec<WeightPage> = pages.into_iter().map(|(page, _)| page).collect();
    let held_out: Vec<bool> = (0..to_learn.len()).map(|i| i % 5 == 0).collect();
    let settings = WeightLearning { start: 1.0, soft_f1: 0.0, ..WeightLearning::default() };
    let told = StepCount::default();
    let learned = learn(&model, &to_learn, &held_out, &settings, &told).unwrap();
    assert_eq!(told.steps(), learned.epochs.len());
    let of_leaves: f64 = learned.weights.features.iter().map(|exponents| exponents[0]).sum();
    assert!((0.7..1.4).contains(&of_leaves), "four copies count {of_leaves} times");
    let (_, unseen) = pages_of_copies(400, 2);
    let before = calibration_error(&model, &unseen);
    let after = calibration_error(&model.with_layer(learned.weights).unwrap(), &unseen);
    assert!(before > 0.1 && after < 0.03, "{before} before, {after} after");
    for stage in [Stage::Exponents, Stage::Refinement] {
        let of_stage: Vec<_> = learned.epochs.iter().filter(|epoch| epoch.stage == stage).collect();
        assert_eq!((of_stage[0].number, of_stage[0].loss), (0, None));
        assert!(
            of_stage.iter().any(|epoch| epoch.held_out < of_stage[0].held_out) || stage == Stage::Refinement
        );
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let (model, pages) = problem(&configs()[0], 12, 30, true);
    let held_out: Vec<bool> = (0..pages.len()).map(|i| i % 4 == 1).collect();
    let settings =
        WeightLearning { exponent_epochs: 3, refinement_epochs: 2, batch: 7, ..WeightLearning::default() };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&model, &pages, &held_out, &settings, &Silent).unwrap())
    };
    let (one, four) = (with(1), with(4));
    assert_eq!(format!("{one:?}"), format!("{four:?}"));
    // Weights that the model has are not looked at.
    let weighted = model.clone().with_layer(one.weights.clone()).unwrap();
    assert_eq!(learn(&weighted, &pages, &held_out, &settings, &Silent).unwrap(), one);
    let other = learn(&model, &pages, &held_out, &WeightLearning { seed: 2, ..settings }, &Silent).unwrap();
    assert_ne!(other.weights, one.weights);
}

#[test]
fn the_mean_of_weights_is_the_mean_of_each_of_their_numbers() {
    for config in configs() {
        let one = random_weights(&config);
        let mut other = Weights::uniform(&config, 0.25).unwrap();
        other.refinement = Some(Refinement::zero(&config).unwrap());
        let numbers = |weights: &Weights| -> Vec<f64> {
            let TransitionExponents { root, first, other } = weights.transition;
            let refinement = weights.refinement.as_ref().unwrap();
            let changes = refinement.features.iter().chain([&refinement.transition]).flatten();
            let exponents = weights.features.iter().flatten().copied().chain([root, first, other]);
            exponents.chain(changes.map(|&change| change.into())).collect()
        };
        let of_mean = numbers(&mean(&[one.clone(), other.clone()]).unwrap());
        for ((a, b), found) in numbers(&one).into_iter().zip(numbers(&other)).zip(of_mean) {
            // Changes are kept in steps of 0.0001.
            assert!(((a + b) / 2.0 - found).abs() < 0.6e-4, "{found} of {a} and {b}");
        }
    }
    assert!(mean(&[]).unwrap_err().to_string().contains("the mean of no weights"));
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let (model, pages) = problem(&configs()[0], 2, 3, false);
    let refused = |model: &Model, held_out: &[bool], settings: &WeightLearning| {
        learn(model, &pages, held_out, settings, &Silent).unwrap_err().to_string()
    };
    let default = WeightLearning::default();
    let some = [true, false, false];
    assert!(refused(&model, &some[..2], &default).contains("2 marks of held-out pages for 3 pages"));
    assert!(refused(&model, &[true; 3], &default).contains("from 0 pages, 3 held out"));
    assert!(refused(&model, &[false; 3], &default).contains("from 3 pages, 0 held out"));
    let geometric = Model::new(ModelConfig { sibling_types: false, ..ModelConfig::thesis() }).unwrap();
    assert!(refused(&geometric, &some, &default).contains("cannot be weighted"));
    let thesis = Model::new(ModelConfig::thesis()).unwrap();
    assert!(refused(&thesis, &some, &default).contains("sibling-types = true"));
    let message = refused(&model, &some, &WeightLearning { start: 0.0, ..default });
    assert_eq!(message, "start of weight learning is 0; it must be above 0 to 1; the default is 0.2");
    assert!(refused(&model, &some, &WeightLearning { batch: 0, ..default }).contains("batch"));
    assert!(refused(&model, &some, &WeightLearning { soft_f1: f64::NAN, ..default }).contains("soft-f1"));
    assert!(refused(&model, &some, &WeightLearning { patience: 0, ..default }).contains("patience"));
    assert!(
        refused(&model, &some, &WeightLearning { content: LabelSet::from_iter([]), ..default })
            .contains("content")
    );
}
