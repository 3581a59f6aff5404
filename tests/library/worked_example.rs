//! The worked example of docs/MODEL.md: a page of five nodes, its posterior by the library and by adding up all labellings.
//!
//! `documented_facts` holds the document to what [`text`] prints.

use std::fmt::Write;

use duramen::dist::{BetaGeometric, DirichletCategorical};
use duramen::dom::Limits;
use duramen::inference::upward_downward::{Marginals, upward_downward};
use duramen::label::Label;
use duramen::model::counts::FeatureCounts;
use duramen::model::{
    Family, FeatureUse, Model, ModelConfig, PermittedStates, Priors, StateSet, StateSpace, Transition,
    TransitionKind,
};
use duramen::page::Page;
use duramen::view::{NONE, PageView, Tree, View};

use crate::small_trees::{all_states, ln_joint};

/// The page that is labelled.
const PAGE: &str = "<body>\n  <p>Rain fell all night.</p>\n  <ul><li>Home</li><li>Contact</li></ul>\n</body>";
/// The names of its nodes, in their order.
const NODES: [&str; 5] = ["`body`", "`p`", "`ul`", "`li` 1", "`li` 2"];
/// The pages that were counted, with the label of each text: full text or not.
const COUNTED: [(&str, [bool; 2]); 4] = [
    ("<p>Snow fell on the hills.</p><p>It stayed.</p>", [true, true]),
    ("<p>The ferry is late.</p><ul><li>Home</li></ul>", [true, false]),
    ("<p>All rights reserved.</p><ul><li>Home</li></ul>", [false, false]),
    ("<p>Late.</p><ul><li>News from the harbour</li></ul>", [true, false]),
];
/// What is permitted: F, full text, and N, not content.
const STATES: [(&str, Label); 2] = [("F", Label::FullText), ("N", Label::NotContent)];

fn parse(html: &str) -> Page {
    Page::parse("page", None, html.as_bytes(), None, &Limits::default()).unwrap()
}

fn model() -> Model {
    let config = ModelConfig {
        view: View::Blocks,
        states: StateSpace::Labels,
        transition: TransitionKind::Parent,
        sibling_types: false,
        child_types: false,
        inner_tables: false,
        features: vec![FeatureUse { id: "in-list".to_owned(), family: Family::DirichletCategorical }],
        layout: None,
        boosted: None,
        decision: Default::default(),
        priors: Priors {
            transition: DirichletCategorical { gamma: 1.0 },
            categorical: DirichletCategorical { gamma: 1.0 },
            geometric: BetaGeometric::default(),
        },
    };
    let mut model = Model::new(config).unwrap();
    for (html, are_full_text) in COUNTED {
        let page = parse(html);
        let texts = PageView::new(&page, View::Blocks).texts;
        assert_eq!(texts.len(), are_full_text.len());
        let tokens = |id| {
            let place = texts.iter().position(|&text| text == id).unwrap();
            let label = if are_full_text[place] { Label::FullText } else { Label::NotContent };
            let mut tokens = [0; Label::COUNT];
            tokens[label.index()] = page.dom().text(id).split_whitespace().count() as u32;
            tokens
        };
        model.observe(&page, tokens, "worked example").unwrap();
    }
    model
}

/// The example with its factors.
struct Example {
    model: Model,
    tree: Tree,
    ln_emission: Vec<f64>,
    transition: Transition,
    values: Vec<u32>,
}

impl Example {
    fn new() -> Example {
        let model = model();
        let observation = model.observation(&parse(PAGE)).unwrap();
        let tree = observation.view.tree.clone();
        assert_eq!(tree.len(), NODES.len());
        let parameters = model.parameters();
        let mut ln_emission = model.ln_emission(&parameters, &observation);
        let known = StateSet::only(STATES[0].1.index()).or(StateSet::only(STATES[1].1.index()));
        let permitted = PermittedStates::new(&tree, StateSpace::Labels, &[known; NODES.len()]).unwrap();
        permitted.restrict(&mut ln_emission);
        let values = observation.features.columns[0].values().unwrap().to_vec();
        Example { model, tree, ln_emission, transition: parameters.transition, values }
    }

    fn emission(&self, v: u32, z: usize) -> f64 {
        self.ln_emission[v as usize * Label::COUNT + z].exp()
    }

    /// A of a parent's state, none for the root's, and a state.
    fn a(&self, parent: Option<usize>, z: usize) -> f64 {
        let none = Label::COUNT;
        self.transition.row(parent.unwrap_or(none), none)[z].exp()
    }

    /// What a child says of its parent's state: the sum over its own of A e M.
    fn message(&self, child: u32, a: usize) -> f64 {
        let of = |z| self.a(Some(a), z) * self.emission(child, z) * self.of_children(child, z);
        STATES.iter().map(|(_, label)| of(label.index())).sum()
    }

    /// M: the product of the messages of the children.
    fn of_children(&self, v: u32, z: usize) -> f64 {
        self.tree.children(v).map(|child| self.message(child, z)).product()
    }

    /// O: the sum over the parent's states of O e A and the messages of the siblings.
    fn outside(&self, v: u32, z: usize) -> f64 {
        let parent = self.tree.parent(v);
        if parent == NONE {
            return self.a(None, z);
        }
        let of = |a: usize| {
            let siblings = self.tree.children(parent).filter(|&u| u != v).map(|u| self.message(u, a));
            self.outside(parent, a)
                * self.emission(parent, a)
                * siblings.product::<f64>()
                * self.a(Some(a), z)
        };
        STATES.iter().map(|(_, label)| of(label.index())).sum()
    }

    fn marginals(&self) -> Marginals {
        upward_downward(&self.tree, &self.ln_emission, &self.transition)
    }
}

/// The part of the document between its marks.
pub fn text() -> String {
    let example = Example::new();
    let marginals = example.marginals();
    let of_states = |of: &dyn Fn(usize) -> String| STATES.map(|(_, label)| of(label.index())).join(" | ");
    let mut text = format!("```html\n{PAGE}\n```\n\n");

    let counts = example.model.counts();
    let in_list = match &counts.features[0] {
        FeatureCounts::Categorical(counts) => counts,
        FeatureCounts::Geometric(_) => unreachable!("in-list is a category"),
    };
    text.push_str("| counts | F | N | | probabilities | F | N |\n|---|---|---|---|---|---|---|\n");
    let rows = [("root", None)].into_iter().chain(STATES.map(|(name, label)| (name, Some(label.index()))));
    for (name, parent) in rows {
        let row = (parent.unwrap_or(Label::COUNT) * (Label::COUNT + 1) + Label::COUNT) * Label::COUNT;
        let counted = of_states(&|z| counts.transitions[row + z].to_string());
        let a = of_states(&|z| rounded(example.a(parent, z)));
        writeln!(text, "| below {name} | {counted} | | $A$ below {name} | {a} |").unwrap();
    }
    for (category, name) in ["not in a list", "in a list"].into_iter().enumerate() {
        let counted = of_states(&|z| in_list[category * Label::COUNT + z].to_string());
        let node = example.values.iter().position(|&value| value as usize == category).unwrap() as u32;
        let e = of_states(&|z| rounded(example.emission(node, z)));
        writeln!(text, "| {name} | {counted} | | $e$ {name} | {e} |").unwrap();
    }

    text.push_str(
        "\n| node | in a list | $e_v$(F) | $e_v$(N) | $M_v$(F) | $M_v$(N) | $O_v$(F) | $O_v$(N) | P(F given x) | P(N given x) |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (v, name) in (0..).zip(NODES) {
        let in_a_list = if example.values[v as usize] == 1 { "yes" } else { "no" };
        let columns = [
            of_states(&|z| rounded(example.emission(v, z))),
            of_states(&|z| rounded(example.of_children(v, z))),
            of_states(&|z| rounded(example.outside(v, z))),
            of_states(&|z| format!("{:.4}", marginals.posterior[v as usize * Label::COUNT + z])),
        ];
        writeln!(text, "| {name} | {in_a_list} | {} |", columns.join(" | ")).unwrap();
    }
    writeln!(text, "\nThe evidence is P(x) = {}.", rounded(marginals.ln_evidence.exp())).unwrap();
    text
}

/// Five significant digits, without zeros at the end.
fn rounded(value: f64) -> String {
    let digits = (4 - value.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[test]
fn five_nodes_by_hand_by_the_library_and_by_all_labellings_are_the_same() {
    let example = Example::new();
    let marginals = example.marginals();
    let (n, k) = (NODES.len(), Label::COUNT);
    let mut by_state = vec![0.0; n * k];
    let mut evidence = 0.0;
    for z in all_states(n, k) {
        let p = ln_joint(&example.tree, &example.ln_emission, &example.transition, &z).exp();
        evidence += p;
        z.iter().enumerate().for_each(|(v, &state)| by_state[v * k + state] += p);
    }
    let equal = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs().max(1e-3);
    assert!(equal(marginals.ln_evidence.exp(), evidence), "{} {evidence}", marginals.ln_evidence.exp());
    // The two sums that the document writes out.
    let [below_f, below_n] = STATES.map(|(_, label)| example.message(3, label.index()));
    assert!(equal(below_f, 0.15) && equal(below_n, 0.225), "{below_f} {below_n}");
    for v in 0..n as u32 {
        let at = |z: usize| v as usize * k + z;
        let first = STATES[0].1.index();
        for (_, label) in STATES {
            let z = label.index();
            let below = example.of_children(v, z);
            assert!(equal(marginals.ln_from_children[at(z)].exp(), below), "M of node {v}");
            // The library's O is scaled.
            let outside = example.outside(v, z) / example.outside(v, first);
            assert!(equal(marginals.outside[at(z)] / marginals.outside[at(first)], outside), "O of node {v}");
            let by_hand = example.emission(v, z) * below * example.outside(v, z) / evidence;
            assert!(equal(by_hand, by_state[at(z)] / evidence), "by hand, node {v}");
            assert!(equal(marginals.posterior[at(z)], by_state[at(z)] / evidence), "node {v}");
        }
    }
}

#[test]
fn numbers_have_five_digits_at_most() {
    assert_eq!(
        [0.4, 0.05, 0.0027843751, 1.0, 0.875].map(rounded),
        ["0.4", "0.05", "0.0027844", "1", "0.875"]
    );
}
