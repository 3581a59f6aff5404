//! The parts of a node's log posterior against the exact posterior, on random pages and for every preset.

use duramen::Label;
use duramen::dom::Limits;
use duramen::extract::hmt::{Hmt, Inference};
use duramen::inference::upward_downward::upward_downward;
use duramen::inference::{NodeContributions, contributions};
use duramen::model::{Model, ModelConfig};
use duramen::page::Page;
use duramen::rng;
use duramen::view::NONE;
use rand::RngExt;

const TAGS: [&str; 8] = ["div", "p", "ul", "li", "h1", "span", "a href=x", "td"];

/// A page of random nested elements and words.
fn random_page(seed: u64) -> Page {
    let mut rng = rng::stream(seed, "random-page", &[]);
    let mut html = String::from("<title>heart of the tree</title><body>");
    for _ in 0..rng.random_range(1..60) {
        match rng.random_range(0..4) {
            0 => html.push_str("</div>"),
            1 => html.push_str(&format!("<{}>", TAGS[rng.random_range(0..TAGS.len())])),
            _ => html.push_str(&"tree words. ".repeat(rng.random_range(1..30))),
        }
    }
    page(&html)
}

fn page(html: &str) -> Page {
    Page::parse("test", None, html.as_bytes(), None, &Limits::default()).unwrap()
}

/// A model that has seen random pages with random labels.
fn random_model(config: ModelConfig) -> Hmt {
    let mut model = Model::new(config).unwrap();
    for seed in 0..20 {
        let page = random_page(1000 + seed);
        let tokens = |id: duramen::NodeId| {
            let mut rng = rng::stream(seed, "random-label", &[u64::from(id.0)]);
            let mut tokens = [0; Label::COUNT];
            tokens[rng.random_range(0..Label::COUNT)] = 1 + id.0 % 7;
            tokens
        };
        model.observe(&page, tokens, "test").unwrap();
    }
    Hmt::new("test", model, Inference::Exact).unwrap()
}

fn explain(hmt: &Hmt, page: &Page) -> (Vec<NodeContributions>, Vec<f64>) {
    let (observation, ln_emission, marginals) = hmt.exact(page).unwrap();
    let nodes: Vec<u32> = (0..observation.view.tree.len() as u32).collect();
    let parts = contributions(hmt.model(), hmt.parameters(), &observation, &ln_emission, &marginals, &nodes);
    (parts, marginals.posterior)
}

#[test]
fn the_parts_add_up_to_the_log_odds_of_the_posterior() {
    let mut compared = 0;
    for preset in ["thesis", "blocks"] {
        let hmt = random_model(ModelConfig::preset(preset).unwrap());
        let k = hmt.model().config().states.len();
        for seed in 0..40 {
            let (nodes, posterior) = explain(&hmt, &random_page(seed));
            for (v, node) in nodes.iter().enumerate() {
                let states = node.parent.len();
                let sum: f64 = node.posterior().iter().sum();
                assert!((sum - 1.0).abs() < 1e-12);
                for state in 0..states {
                    let p = posterior[v * k + state];
                    assert!((node.posterior()[state] - p).abs() < 1e-9);
                    for other in 0..states {
                        let q = posterior[v * k + other];
                        // Below that the posterior itself has no digits to compare with.
                        if p > 1e-290 && q > 1e-290 {
                            let expected = p.ln() - q.ln();
                            let total = node.ln_odds(state, other).total();
                            let scale = expected.abs().max(1.0);
                            assert!(
                                (total - expected).abs() < 1e-9 * scale,
                                "{preset}, page {seed}, node {v}"
                            );
                            compared += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 10_000);
}

#[test]
fn the_parents_part_is_what_remains_of_the_page_without_the_parents_children() {
    for preset in ["thesis", "blocks"] {
        let hmt = random_model(ModelConfig::preset(preset).unwrap());
        let k = hmt.model().config().states.len();
        let mut compared = 0;
        for seed in 0..20 {
            let page = random_page(seed);
            let (nodes, _) = explain(&hmt, &page);
            let (observation, ln_emission, _) = hmt.exact(&page).unwrap();
            let tree = &observation.view.tree;
            for v in 1..tree.len() as u32 {
                // With the previous sibling in the model the parent's part of a later child is an average.
                if preset == "blocks" && tree.previous_sibling(v) != NONE {
                    continue;
                }
                let mut without = ln_emission.clone();
                for below in tree.parent(v) + 1..tree.len() as u32 {
                    let mut above = tree.parent(below);
                    while above != NONE && above > tree.parent(v) {
                        above = tree.parent(above);
                    }
                    if above == tree.parent(v) {
                        without[below as usize * k..][..k].fill(0.0);
                    }
                }
                let posterior = upward_downward(tree, &without, &hmt.parameters().transition).posterior;
                let ln = |state: usize| posterior[v as usize * k + state].ln();
                let odds = nodes[v as usize].ln_odds(0, 2).parent;
                assert!((odds - (ln(0) - ln(2))).abs() < 1e-9, "{preset}, page {seed}, node {v}");
                compared += 1;
            }
        }
        assert!(compared > 20);
    }
}

#[test]
fn an_only_child_hears_nothing_from_siblings_and_a_leaf_nothing_from_children() {
    let hmt = random_model(ModelConfig::thesis());
    let page = page("<p>one</p>");
    let (observation, ..) = hmt.exact(&page).unwrap();
    let (nodes, _) = explain(&hmt, &page);
    let mut only_children = 0;
    for node in &nodes {
        let tree = &observation.view.tree;
        if tree.parent(node.node) == NONE
            || tree.previous_sibling(node.node) == NONE && tree.next_sibling(node.node) == NONE
        {
            let odds = node.ln_odds(0, 2);
            assert!(odds.siblings.abs() < 1e-12, "{}", odds.siblings);
            only_children += 1;
        }
        if tree.is_leaf(node.node) {
            assert!(node.children.iter().all(|&ln| ln == 0.0));
        }
    }
    // html, p, its text
    assert_eq!(only_children, 3);
}

#[test]
fn a_node_that_the_posterior_is_certain_of_has_finite_parts() {
    let hmt = random_model(ModelConfig::thesis());
    let page = page(&"<p>some words</p>".repeat(4000));
    let (nodes, posterior) = explain(&hmt, &page);
    assert!(posterior.contains(&0.0), "the page must be one on which posteriors underflow");
    for node in nodes {
        for part in [&node.parent, &node.siblings, &node.children] {
            assert!(part.iter().all(|ln| ln.is_finite()), "{node:?}");
        }
    }
}

#[test]
fn values_are_written_as_a_person_reads_them() {
    let hmt = random_model(ModelConfig::blocks());
    let (nodes, _) = explain(&hmt, &page(&format!("<ul><li>a<li>{}</ul>", "tree ".repeat(18))));
    let values = |v: usize| -> Vec<&str> { nodes[v].features.iter().map(|f| f.value.as_str()).collect() };
    assert_eq!(values(1)[..2], ["li", "1 word"]);
    assert_eq!(values(2)[1], "18 words (16-23)");
    let hmt = random_model(ModelConfig::thesis());
    let (nodes, _) = explain(&hmt, &page("<p>a<b>b</b>c<b>d</b></p><p>e"));
    let of = |v: usize, id: &str| nodes[v].features.iter().find(|f| f.id == id).unwrap().value.clone();
    assert_eq!(of(3, "child-tags"), "2 #text, 2 b");
    assert_eq!(of(4, "sibling-tags"), "2 b, 1 #text");
    assert_eq!(of(4, "child-tags"), "none");
    assert_eq!(of(3, "children"), "4 nodes");
}
