//! Small made-up pages with labels, seen by a model: what learning is checked on.

#![allow(dead_code, reason = "each test file uses its own part")]

use duramen::dom::Limits;
use duramen::inference::WeightPage;
use duramen::label::Label;
use duramen::model::{Model, ModelConfig, PermittedStates, StateSet, TargetStates};
use duramen::page::Page;
use duramen::rng;
use rand::RngExt;

/// A random page of some ten to thirty nodes.
pub fn page(seed: u64) -> Page {
    let mut rng = rng::stream(seed, "labelled-pages", &[]);
    let mut html = String::from("<title>Some words</title>");
    for _ in 0..rng.random_range(3..7) {
        html.push_str(["<div>", "<ul>", "<section>"][rng.random_range(0..3)]);
        for _ in 0..rng.random_range(1..5) {
            html.push_str(["<p>", "<li>", "<h2>"][rng.random_range(0..3)]);
            for _ in 0..rng.random_range(1..40) {
                html.push_str(["word ", "stop. ", "<a href='x'>link</a> "][rng.random_range(0..3)]);
            }
            html.push_str("</p>");
        }
        if rng.random_bool(0.6) {
            html.push_str("</div></ul></section>");
        }
    }
    Page::parse(format!("page-{seed}"), None, html.as_bytes(), None, &Limits::default()).unwrap()
}

/// The label of a text node: a random one, full text and not content most of the time.
fn label(seed: u64, node: u32) -> [u32; Label::COUNT] {
    let mut tokens = [0; Label::COUNT];
    let drawn = rng::stream(seed, "labels", &[node.into()]).random_range(0..10);
    tokens[[0, 0, 0, 2, 2, 2, 1, 3, 4, 5][drawn]] = 5;
    tokens
}

/// A model that has counted pages 0 to `n`, and pages `n` to `n + more` with their labels: exact ones, or with `sets`
/// now and then several states or all.
pub fn problem(config: &ModelConfig, n: u64, more: u64, sets: bool) -> (Model, Vec<WeightPage>) {
    let mut model = Model::new(config.clone()).unwrap();
    for seed in 0..n {
        model.observe(&page(seed), |id| label(seed, id.0), "by hand").unwrap();
    }
    let pages = (n..n + more).map(|seed| {
        let page = page(seed);
        let observation = model.observation(&page).unwrap();
        let space = config.states;
        let states = TargetStates::from_tokens(&observation.view, space, |id| label(seed, id.0));
        let mut rng = rng::stream(seed, "sets", &[]);
        let sets: Vec<StateSet> = states
            .as_slice()
            .iter()
            .map(|&state| {
                let others = match rng.random_range(0..4) {
                    0 if sets => StateSet::first(16),
                    1 if sets => {
                        StateSet::only(rng.random_range(0..6)).or(StateSet::only(rng.random_range(0..6)))
                    }
                    _ => StateSet::first(0),
                };
                StateSet::only(state.into()).or(others)
            })
            .collect();
        let permitted = PermittedStates::new(&observation.view.tree, space, &sets).unwrap();
        WeightPage::new(&page, observation, permitted, "by hand").unwrap()
    });
    let pages = pages.collect();
    (model, pages)
}
