//! Small models with few training counts, counted a second time into urns.

use duramen::dist::{BetaGeometric, DirichletCategorical};
use duramen::dom::Limits;
use duramen::model::{
    Family, FeatureUse, Model, ModelConfig, Observation, Priors, StateSpace, TargetStates, TransitionKind,
};
use duramen::page::Page;
use duramen::view::{NONE, Tree, View};

use super::factors::{Terms, Urns, emissions, structure};

/// Two features of either family.
pub const TWO_FEATURES: &[(&str, Family)] =
    &[("class-hint", Family::DirichletCategorical), ("words", Family::BetaGeometric)];
/// Every kind of values: tags of children and of siblings, a count in bins, a count as it is.
pub const ALL_KINDS: &[(&str, Family)] = &[
    ("child-tags", Family::DirichletCategorical),
    ("sibling-tags", Family::DirichletCategorical),
    ("words", Family::DirichletCategorical),
    ("full-stops", Family::BetaGeometric),
];

/// Priors under which parameters stay uncertain, and no count is without bounds: the moments of a geometric under
/// Beta(alpha, beta) exist below the alpha-th.
pub const PRIORS: Priors = Priors {
    transition: DirichletCategorical { gamma: 3.0 },
    categorical: DirichletCategorical { gamma: 3.0 },
    geometric: BetaGeometric { alpha: 6.0, beta: 12.0 },
};

/// A configuration with both terms that break the tree: the sampler's settings leave them out.
pub fn config(
    states: StateSpace,
    transition: TransitionKind,
    features: &[(&str, Family)],
    priors: Priors,
) -> ModelConfig {
    ModelConfig {
        view: View::Blocks,
        states,
        transition,
        sibling_types: true,
        child_types: true,
        inner_tables: true,
        features: features.iter().map(|&(id, family)| FeatureUse { id: id.to_owned(), family }).collect(),
        layout: None,
        boosted: None,
        decision: Default::default(),
        priors,
    }
}

/// A page of five blocks.
pub fn five_blocks() -> Page {
    parse("<h1>A b</h1><div class=comment><p>C d e.</p><ul class=tools><li>F.<li>G h</ul></div>")
}

fn parse(html: &str) -> Page {
    Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap()
}

/// A model trained on two small pages whose labels have no pattern, and the urns with the same counts.
pub fn trained(config: ModelConfig) -> (Model, Urns) {
    let mut model = Model::new(config).unwrap();
    let mut urns = Urns::prior(&model);
    for (page, round) in [(five_blocks(), 0), (parse("<p>I j.</p><p class=article>K</p>"), 1)] {
        let tokens = |id: duramen::NodeId| {
            let mut tokens = [0; 6];
            tokens[((id.0 * 7 + round) % 5 % 3) as usize] = 3;
            tokens
        };
        model.observe(&page, tokens, "made up").unwrap();
        let observation = model.observation(&page).unwrap();
        let (tree, features) = (&observation.view.tree, &observation.features);
        let states = TargetStates::from_tokens(&observation.view, model.config().states, tokens);
        let both = Terms { siblings: true, children: true };
        urns.add_all(&structure(&model, both, tree, states.as_slice()), 1.0);
        urns.add_all(&emissions(&model, tree, features, states.as_slice()), 1.0);
    }
    (model, urns)
}

/// A page of one node in state 0.
fn one_node(model: &Model) -> (Page, Observation) {
    let page = parse("<p>L</p>");
    let observation = model.observation(&page).unwrap();
    assert_eq!(observation.view.tree.len(), 1);
    (page, observation)
}

/// A planted error: the model with the counts of one node more than it was trained on.
pub fn one_more(model: &Model) -> Model {
    let mut wrong = model.clone();
    wrong.observe(&one_node(model).0, |_| [1, 0, 0, 0, 0, 0], "planted").unwrap();
    wrong
}

/// The urns with the counts of one node more: beside them, the model has one too few.
pub fn off_by_one(urns: &Urns, model: &Model) -> Urns {
    let mut urns = urns.clone();
    let (tree, features) = (Tree::from_parents(vec![NONE]), one_node(model).1.features);
    urns.add_all(&structure(model, Terms { siblings: true, children: true }, &tree, &[0]), 1.0);
    urns.add_all(&emissions(model, &tree, &features, &[0]), 1.0);
    urns
}

/// A planted error: the model with other priors.
pub fn with_priors(config: &ModelConfig, priors: Priors) -> Model {
    trained(ModelConfig { priors, ..config.clone() }).0
}
