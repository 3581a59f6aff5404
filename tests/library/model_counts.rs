//! Counts of a model: against counting by hand, and as numbers that add up exactly.

use std::sync::LazyLock;

use duramen::dataset::synth::{SynthConfig, generate};
use duramen::dataset::transfer::transfer_labels;
use duramen::dom::Limits;
use duramen::model::counts::FeatureCounts;
use duramen::model::{Family, FeatureUse, Model, ModelConfig, Priors, StateSpace, TransitionKind};
use duramen::page::Page;
use duramen::view::View;
use duramen::{Label, NodeId};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const PRESETS: [&str; 2] = ["thesis", "blocks"];
const PAGES: usize = 8;

fn page(html: &[u8]) -> Page {
    Page::parse("page", None, html, None, &Limits::default()).unwrap()
}

fn empty(preset: usize) -> Model {
    Model::new(ModelConfig::preset(PRESETS[preset]).unwrap()).unwrap()
}

/// Pages with their gold, from two sources.
type Labelled = (Page, duramen::dataset::transfer::GoldTokens, &'static str);
static LABELLED: LazyLock<Vec<Labelled>> = LazyLock::new(|| {
    let config = SynthConfig { sites: PAGES, pages_per_site: 1, seed: 3, ..SynthConfig::default() };
    let labelled = generate(&config).unwrap().into_iter().enumerate().map(|(number, synth)| {
        let page = page(&synth.original);
        let gold = transfer_labels(page.dom(), &synth.annotated).unwrap().gold;
        (page, gold, ["one", "two"][number % 2])
    });
    labelled.collect()
});

/// For each preset, a model of each page alone.
static ALONE: LazyLock<[Vec<Model>; 2]> =
    LazyLock::new(|| [0, 1].map(|preset| (0..PAGES).map(|number| trained(preset, &[number])).collect()));

/// A model that has seen these pages, in this order.
fn trained(preset: usize, pages: &[usize]) -> Model {
    let mut model = empty(preset);
    for &number in pages {
        let (page, gold, source) = &LABELLED[number];
        model.observe(page, |id| gold.counts(id), source).unwrap();
    }
    model
}

fn sum<'a>(preset: usize, models: impl IntoIterator<Item = &'a Model>) -> Model {
    let mut sum = empty(preset);
    for model in models {
        sum.merge(model).unwrap();
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_121),
        ..ProptestConfig::default()
    })]

    #[test]
    fn merging_is_commutative_and_associative(preset in 0..2usize, a in 0..PAGES, b in 0..PAGES, c in 0..PAGES) {
        let [a, b, c] = [a, b, c].map(|number| &ALONE[preset][number]);
        let ab = sum(preset, [a, b]);
        prop_assert_eq!(ab.to_json(), sum(preset, [b, a]).to_json());
        let left = sum(preset, [&ab, c]);
        let right = sum(preset, [a, &sum(preset, [b, c])]);
        prop_assert_eq!(left.to_json(), right.to_json());
        prop_assert_eq!(sum(preset, [a, &empty(preset)]).to_json(), a.to_json(), "nothing adds nothing");
    }

    #[test]
    fn any_partition_and_order_of_the_pages_gives_the_same_bytes(
        preset in 0..2usize,
        parts in prop::collection::vec(0..4usize, PAGES),
        order in Just((0..PAGES).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let models: Vec<Model> = (0..4)
            .map(|part| order.iter().copied().filter(|&page| parts[page] == part).collect::<Vec<_>>())
            .map(|pages| sum(preset, pages.iter().map(|&page| &ALONE[preset][page])))
            .collect();
        prop_assert_eq!(sum(preset, &models).to_json(), sum(preset, &ALONE[preset]).to_json());
    }

    #[test]
    fn subtracting_undoes_merging(
        preset in 0..2usize,
        kept in prop::collection::vec(0..PAGES, 0..5),
        taken in prop::collection::vec(0..PAGES, 0..5),
    ) {
        let [kept, taken] = [kept, taken].map(|pages| sum(preset, pages.iter().map(|&page| &ALONE[preset][page])));
        let mut model = sum(preset, [&kept, &taken]);
        model.subtract(&taken).unwrap();
        prop_assert_eq!(model.to_json(), kept.to_json());
    }

    #[test]
    fn what_is_not_there_cannot_be_subtracted_and_nothing_is_changed(
        preset in 0..2usize, there in 0..PAGES, other in 0..PAGES,
    ) {
        prop_assume!(there != other);
        let mut model = ALONE[preset][there].clone();
        let message = model.subtract(&ALONE[preset][other]).unwrap_err().to_string();
        prop_assert!(message.contains("subtract only what was merged or trained in"), "{}", message);
        prop_assert_eq!(model.to_json(), ALONE[preset][there].to_json());
    }
}

#[test]
fn training_on_pages_one_after_another_is_adding_up_models_of_one_page() {
    for preset in 0..2 {
        let alone = sum(preset, &ALONE[preset]);
        assert_eq!(trained(preset, &[0, 1, 2, 3, 4, 5, 6, 7]).to_json(), alone.to_json());
        assert_eq!(trained(preset, &[5, 2, 7, 0, 1, 6, 3, 4]).to_json(), alone.to_json());
        assert_eq!(alone.pages(), PAGES as u64);
        assert_eq!(alone.sources().values().copied().collect::<Vec<_>>(), [4, 4]);
        let nodes: u64 = ALONE[preset].iter().map(|model| model.counts().nodes).sum();
        assert_eq!(alone.counts().nodes, nodes);
        assert_eq!(alone.counts().transitions.iter().sum::<u64>(), nodes, "each node is reached once");
    }
}

#[test]
fn models_of_different_configurations_are_not_merged() {
    let mut thesis = ALONE[0][0].clone();
    for other in [&ALONE[1][0], &Model::new(with_other_prior()).unwrap()] {
        for error in [thesis.merge(other).unwrap_err(), thesis.subtract(other).unwrap_err()] {
            assert!(error.to_string().contains("differ in their configuration"), "{error}");
            assert_eq!(error.exit_code(), 2);
        }
    }
    assert_eq!(thesis.to_json(), ALONE[0][0].to_json());
}

fn with_other_prior() -> ModelConfig {
    let mut config = ModelConfig::thesis();
    config.priors.geometric.alpha = 2.0;
    config
}

/// A page trained with the label that each text is said to have.
fn of_labels(config: ModelConfig, html: &str, labels: &[(&str, Label)]) -> Model {
    let page = page(html.as_bytes());
    let mut model = Model::new(config).unwrap();
    let tokens = |id: NodeId| {
        let text = page.dom().text(id);
        let (_, label) = labels.iter().find(|(known, _)| *known == text).unwrap();
        let mut tokens = [0; Label::COUNT];
        tokens[label.index()] = duramen::tokens::count(text);
        tokens
    };
    model.observe(&page, tokens, "by hand").unwrap();
    model
}

/// The transitions that were seen, as `parent previous -> state: number`; `-` is none.
fn transitions(model: &Model) -> Vec<String> {
    let k = model.counts().states;
    let states = model.config().states;
    let name = |state: usize| if state == k { "-" } else { states.name(state) };
    let seen = model.counts().transitions.iter().enumerate().filter(|&(_, &n)| n > 0);
    seen.map(|(index, n)| {
        let (row, state) = (index / k, index % k);
        format!("{} {} -> {}: {n}", name(row / (k + 1)), name(row % (k + 1)), states.name(state))
    })
    .collect()
}

/// What was counted of a feature, as `category in column: number`; columns past the states are inner nodes' (`*`).
fn feature(model: &Model, id: &str) -> Vec<String> {
    let index = model.specs().iter().position(|spec| spec.id == id).unwrap();
    let (states, k) = (model.config().states, model.counts().states);
    let name = |column: usize| match column.checked_sub(k) {
        None => states.name(column).to_owned(),
        Some(state) => format!("{}*", states.name(state)),
    };
    let width = k * if model.config().inner_tables { 2 } else { 1 };
    match &model.counts().features[index] {
        FeatureCounts::Geometric(statistics) => {
            assert_eq!(statistics.len(), width);
            let seen = statistics.iter().enumerate().filter(|(_, s)| s.n > 0);
            seen.map(|(column, s)| format!("{}: {} nodes, sum {}", name(column), s.n, s.sum)).collect()
        }
        FeatureCounts::Categorical(counts) => {
            assert_eq!(counts.len(), width * model.specs()[index].kind.categories());
            let seen = counts.iter().enumerate().filter(|&(_, &n)| n > 0);
            let kind = &model.specs()[index].kind;
            seen.map(|(at, n)| format!("{} in {}: {n}", kind.category_name(at / width), name(at % width)))
                .collect()
        }
    }
}

#[test]
fn a_tiny_page_of_the_thesis_model_is_counted_as_by_hand() {
    // html(full) > head(not), body(full) > p(full) > "One two."(full), p(not) > "three"(not)
    let labels = [("One two.", Label::FullText), ("three", Label::NotContent)];
    let model = of_labels(ModelConfig::thesis(), "<p>One two.</p><p>three</p>", &labels);
    assert_eq!(model.counts().nodes, 7);
    assert_eq!(
        transitions(&model),
        [
            "not-content - -> not-content: 1", // three
            "full-text - -> not-content: 2",   // head, second p
            "full-text - -> full-text: 3",     // body, first p, One two.
            "- - -> full-text: 1",             // html
        ]
    );
    // head-body and p-p, each pair seen from both sides.
    let siblings: Vec<(usize, u64)> =
        model.counts().siblings.iter().copied().enumerate().filter(|&(_, n)| n > 0).collect();
    assert_eq!(siblings, [(2, 2), (2 * 6, 2)]);
    assert_eq!(
        feature(&model, "tag"),
        [
            "#text in not-content: 1",
            "#text in full-text: 1",
            "body in full-text: 1",
            "head in not-content: 1",
            "html in full-text: 1",
            "p in not-content: 1",
            "p in full-text: 1",
        ]
    );
    // not content: head 0, p 1, text 0; full text: html 2, body 2, p 1, text 0.
    assert_eq!(feature(&model, "children"), ["not-content: 3 nodes, sum 1", "full-text: 4 nodes, sum 5"]);
    assert_eq!(
        feature(&model, "child-tags"),
        [
            "#text in not-content: 1",
            "#text in full-text: 1",
            "body in full-text: 1",
            "head in full-text: 1",
            "p in full-text: 2",
        ]
    );
    // not content: head 1, p 1, text 0; full text: html 0, body 1, p 1, text 0.
    assert_eq!(feature(&model, "siblings"), ["not-content: 3 nodes, sum 2", "full-text: 4 nodes, sum 2"]);
    assert_eq!(
        feature(&model, "sibling-tags"),
        ["body in not-content: 1", "head in full-text: 1", "p in not-content: 1", "p in full-text: 1"]
    );
    assert_eq!(
        feature(&model, "parent-tag"),
        [
            "#document in full-text: 1",
            "body in not-content: 1",
            "body in full-text: 1",
            "html in not-content: 1",
            "html in full-text: 1",
            "p in not-content: 1",
            "p in full-text: 1",
        ]
    );
    // An element has the words directly inside: p has those of its text.
    assert_eq!(feature(&model, "words"), ["not-content: 3 nodes, sum 2", "full-text: 4 nodes, sum 4"]);
    assert_eq!(feature(&model, "full-stops"), ["not-content: 3 nodes, sum 0", "full-text: 4 nodes, sum 2"]);
}

/// Two siblings in one state are two ordered pairs, and a node is no sibling of its own.
#[test]
fn pairs_of_siblings_in_one_state_are_counted_as_by_hand() {
    let labels = [("a", Label::FullText), ("b", Label::FullText), ("c", Label::Comments)];
    let mut config = ModelConfig::thesis();
    config.view = View::Blocks;
    // body(full) > p(full), p(full), p(comments)
    let model = of_labels(config, "<p>a</p><p>b</p><p>c</p>", &labels);
    let siblings: Vec<(usize, usize, u64)> =
        (0..36).map(|at| (at / 6, at % 6, model.counts().siblings[at])).filter(|&(_, _, n)| n > 0).collect();
    assert_eq!(siblings, [(2, 2, 2), (2, 5, 2), (5, 2, 2)]);
    assert_eq!(feature(&model, "sibling-tags"), ["p in full-text: 4", "p in comments: 2"]);
}

/// A model of the block tree with every kind of statistic.
fn blocks_config(inner_tables: bool) -> ModelConfig {
    let used = [
        ("tag", Family::DirichletCategorical),
        ("words", Family::DirichletCategorical),
        ("children", Family::BetaGeometric),
        ("child-tags", Family::DirichletCategorical),
        ("sibling-tags", Family::DirichletCategorical),
    ];
    ModelConfig {
        view: View::Blocks,
        states: StateSpace::LabelsAndMixed,
        transition: TransitionKind::ParentAndPreviousSibling,
        sibling_types: false,
        child_types: false,
        inner_tables,
        features: used.map(|(id, family)| FeatureUse { id: id.to_owned(), family }).to_vec(),
        layout: None,
        boosted: None,
        decision: Default::default(),
        priors: Priors::default(),
    }
}

// body(mixed-main) > div(full) > p "a b"(full), p "c"(full); p "d"(not)
const NESTED: &str = "<div><p>a b</p><p>c</p></div><p>d</p>";
const NESTED_LABELS: [(&str, Label); 3] =
    [("a b", Label::FullText), ("c", Label::FullText), ("d", Label::NotContent)];

#[test]
fn mixed_states_and_previous_siblings_are_counted_as_by_hand() {
    let model = of_labels(blocks_config(false), NESTED, &NESTED_LABELS);
    assert_eq!(model.counts().nodes, 5);
    assert_eq!(
        transitions(&model),
        [
            "full-text full-text -> full-text: 1",    // second p of the div
            "full-text - -> full-text: 1",            // first p of the div
            "mixed-main full-text -> not-content: 1", // last p
            "mixed-main - -> full-text: 1",           // div
            "- - -> mixed-main: 1",                   // body
        ]
    );
    assert!(model.counts().siblings.is_empty());
    assert_eq!(
        feature(&model, "tag"),
        ["body in mixed-main: 1", "div in full-text: 1", "p in not-content: 1", "p in full-text: 2"]
    );
    assert_eq!(
        feature(&model, "words"),
        [
            "1 in not-content: 1",
            "1 in full-text: 1",
            "2 in full-text: 1",
            "3 in full-text: 1",
            "4-5 in mixed-main: 1",
        ]
    );
    assert_eq!(
        feature(&model, "children"),
        ["not-content: 1 nodes, sum 0", "full-text: 3 nodes, sum 2", "mixed-main: 1 nodes, sum 2"]
    );
    assert_eq!(
        feature(&model, "child-tags"),
        ["div in mixed-main: 1", "p in full-text: 2", "p in mixed-main: 1"]
    );
    assert_eq!(feature(&model, "sibling-tags"), ["div in not-content: 1", "p in full-text: 3"]);
}

#[test]
fn with_inner_tables_leaves_and_inner_nodes_are_counted_apart() {
    let model = of_labels(blocks_config(true), NESTED, &NESTED_LABELS);
    let without = of_labels(blocks_config(false), NESTED, &NESTED_LABELS);
    assert_eq!(transitions(&model), transitions(&without));
    assert_eq!(
        feature(&model, "tag"),
        ["body in mixed-main*: 1", "div in full-text*: 1", "p in not-content: 1", "p in full-text: 2"]
    );
    assert_eq!(
        feature(&model, "words"),
        [
            "1 in not-content: 1",
            "1 in full-text: 1",
            "2 in full-text: 1",
            "3 in full-text*: 1",
            "4-5 in mixed-main*: 1",
        ]
    );
    assert_eq!(
        feature(&model, "children"),
        [
            "not-content: 1 nodes, sum 0",
            "full-text: 2 nodes, sum 0",
            "full-text*: 1 nodes, sum 2",
            "mixed-main*: 1 nodes, sum 2",
        ]
    );
    assert_eq!(
        feature(&model, "child-tags"),
        ["div in mixed-main*: 1", "p in full-text*: 2", "p in mixed-main*: 1"]
    );
    // The two inner p see each other; the div sees the last p, and the last p the div.
    assert_eq!(
        feature(&model, "sibling-tags"),
        ["div in not-content: 1", "p in full-text: 2", "p in full-text*: 1"]
    );
}
