//! Made-up pages of any size as a model sees them, shaped like real ones: about three leaves to an inner node.

#![allow(dead_code, reason = "each measurement uses its own part")]

use duramen::dataset::synth::{self, SynthConfig};
use duramen::features::{Column, FeatureMatrix, Kind};
use duramen::model::{Model, ModelConfig, Observation, StateSpace, TransitionKind};
use duramen::page::Page;
use duramen::rng::{self, Rng};
use duramen::view::{NONE, PageView, Tree, View};
use rand::RngExt;

/// The model of counts alone: 8 states that depend on the parent and the previous sibling.
pub fn eight() -> Model {
    Model::by_name("web-blocks").expect("a bundled model")
}

/// Its features with 6 states that depend on the parent alone, trained on made-up labels.
pub fn six() -> Model {
    trained(ModelConfig {
        states: StateSpace::Labels,
        transition: TransitionKind::Parent,
        ..ModelConfig::blocks()
    })
}

/// A model trained on labels without a pattern of made-up pages: counts that differ is all that is wanted.
fn trained(config: ModelConfig) -> Model {
    let mut model = Model::new(config).expect("valid settings");
    let config = SynthConfig { sites: 2, pages_per_site: 2, ..SynthConfig::default() };
    for (round, page) in synth::generate(&config).expect("valid settings").into_iter().enumerate() {
        let page =
            Page::parse(page.id.as_str(), None, &page.original, None, &Default::default()).expect("a page");
        let tokens = |id: duramen::NodeId| {
            let mut tokens = [0; 6];
            tokens[(id.0 as usize * 7 + round * 5) % 11 % 6] = 3;
            tokens
        };
        model.observe(&page, tokens, "made up").expect("no layout is needed");
    }
    model
}

/// A page of `n` nodes.
pub fn page(model: &Model, n: usize) -> Observation {
    let mut rng = rng::stream(1, "made-page", &[n as u64]);
    let mut parents = vec![NONE];
    let mut last = 0;
    while parents.len() < n {
        // Down once in four nodes, up as often, and sometimes further up.
        let mut parent = last;
        if rng.random_bool(0.75) && parents[last as usize] != NONE {
            parent = parents[last as usize];
            while parents[parent as usize] != NONE && rng.random_bool(0.25) {
                parent = parents[parent as usize];
            }
        }
        last = parents.len() as u32;
        parents.push(parent);
    }
    observation(model, parents, &mut rng)
}

/// A page of a node with `n` children.
pub fn wide_page(model: &Model, n: usize) -> Observation {
    let mut parents = vec![NONE];
    parents.extend(std::iter::repeat_n(0, n));
    observation(model, parents, &mut rng::stream(1, "made-wide-page", &[n as u64]))
}

fn observation(model: &Model, parents: Vec<u32>, rng: &mut Rng) -> Observation {
    let n = parents.len();
    let columns = model.specs().iter().map(|spec| {
        Column::Values(match spec.kind {
            // Most counts are small.
            Kind::Count { .. } => (0..n).map(|_| (1.0 / rng.random_range(0.003..1.5)) as u32).collect(),
            Kind::Category { names, .. } => (0..n).map(|_| rng.random_range(0..names.len() as u32)).collect(),
            Kind::ChildTags | Kind::SiblingTags => panic!("no feature of many tags is measured"),
        })
    });
    let features = FeatureMatrix { columns: columns.collect() };
    let tree = Tree::from_parents(parents);
    let view = PageView { view: View::Blocks, tree, nodes: Vec::new(), texts: Vec::new(), words: Vec::new() };
    Observation { view, features, page_type: None, by_type: Vec::new(), comments: None, supplemental: None }
}
