//! `TextGoldLabels`, what a reference text says of nodes: the states permitted where text is in it, and where it is not.
//!
//! A reference text tells for each token of a page whether it is content, and not of which type. What it permits is
//! derived from the definition of the states ([`TargetStates`](super::TargetStates)): a state is permitted at a node if
//! *some* labels of the node's tokens that agree with the gold give it. So the true state is never excluded as long as
//! the text was found where it stands; bounds are loosened, never tightened, where ties decide.

use serde::{Deserialize, Serialize};

use super::states::{PURE_SHARE, PermittedStates, StateSet, StateSpace};
use crate::error::{Error, Result};
use crate::index::NodeId;
use crate::label::{Label, LabelSet};
use crate::view::PageView;

/// The labels that tokens inside and outside a reference text may have. Corpora differ in what they count as content
/// (headline, captions, comments): a label that is now in the gold and now not belongs to both sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct TextGoldLabels {
    /// Of text in the gold. Default headline, full text and supplemental.
    pub inside: LabelSet,
    /// Of text outside it. Default the other labels.
    pub outside: LabelSet,
}

impl Default for TextGoldLabels {
    fn default() -> Self {
        TextGoldLabels {
            inside: LabelSet::ARTICLE,
            outside: Label::ALL.into_iter().filter(|&label| !LabelSet::ARTICLE.contains(label)).collect(),
        }
    }
}

impl TextGoldLabels {
    /// These labels inside, and all others outside.
    ///
    /// # Errors
    /// As [`TextGoldLabels::check`].
    pub fn with_inside(inside: LabelSet) -> Result<Self> {
        let outside = Label::ALL.into_iter().filter(|&label| !inside.contains(label)).collect();
        let labels = TextGoldLabels { inside, outside };
        labels.check()?;
        Ok(labels)
    }

    /// Checks that the gold says something.
    ///
    /// # Errors
    /// [`Error::Usage`] if nothing may be inside or outside, or *not content* is inside, or outside is without it.
    pub fn check(&self) -> Result<()> {
        if self.inside.is_empty() || self.inside.contains(Label::NotContent) {
            return Err(Error::usage(
                format!("the labels of text inside the reference are '{}'", self.inside),
                "name one or more labels of content; the default is headline,full-text,supplemental",
            ));
        }
        if !self.outside.contains(Label::NotContent) {
            return Err(Error::usage(
                format!("the labels of text outside the reference are '{}'", self.outside),
                "not-content must be among them; the default is not-content,related-content,comments",
            ));
        }
        Ok(())
    }

    /// The states that a node may have.
    fn permitted(&self, space: StateSpace, tokens: Tokens, is_leaf: bool) -> StateSet {
        let all = tokens.inside + tokens.outside + tokens.unknown;
        if all == 0 {
            // By definition; text without a token is not content whatever the gold says.
            return StateSet::only(Label::NotContent.index());
        }
        let most_of = |label: Label| {
            u64::from(self.inside.contains(label)) * tokens.inside
                + u64::from(self.outside.contains(label)) * tokens.outside
                + tokens.unknown
        };
        let with_mixed = space == StateSpace::LabelsAndMixed && !is_leaf;
        let may_be = |label: &Label| {
            let own = most_of(*label);
            if with_mixed {
                return own as f64 >= PURE_SHARE * all as f64;
            }
            // What the label cannot have is spread thin over those that can.
            let outdone = |set: LabelSet, tokens: u64| {
                !set.contains(*label) && tokens > own * set.iter().count() as u64
            };
            own > 0 && !outdone(self.inside, tokens.inside) && !outdone(self.outside, tokens.outside)
        };
        let labels = Label::ALL.into_iter().filter(may_be).map(|label| StateSet::only(label.index()));
        let mut states = labels.fold(StateSet::first(0), StateSet::or);
        if with_mixed {
            if most_of(Label::FullText) > 0 && self.may_mix(&tokens, |_| true) {
                states = states.or(StateSet::only(StateSpace::MIXED_MAIN));
            }
            if self.may_mix(&tokens, |label| label != Label::FullText) {
                states = states.or(StateSet::only(StateSpace::MIXED));
            }
        }
        states
    }

    /// Whether the tokens of a node may be of such labels that none of them has nearly all.
    fn may_mix(&self, tokens: &Tokens, may_be: impl Fn(Label) -> bool) -> bool {
        let all = tokens.inside + tokens.outside + tokens.unknown;
        let labels = |set: LabelSet| -> Vec<Label> { set.iter().filter(|&label| may_be(label)).collect() };
        let (inside, outside) = (labels(self.inside), labels(self.outside));
        let possible =
            (tokens.inside == 0 || !inside.is_empty()) && (tokens.outside == 0 || !outside.is_empty());
        let forced = |label: Label| {
            u64::from(inside == [label]) * tokens.inside + u64::from(outside == [label]) * tokens.outside
        };
        // One token has one label.
        all > 1
            && possible
            && Label::ALL.into_iter().all(|label| (forced(label) as f64) < PURE_SHARE * all as f64)
    }
}

/// Tokens of a node by what the gold says of them.
#[derive(Debug, Clone, Copy, Default)]
struct Tokens {
    inside: u64,
    outside: u64,
    /// Of leaves that are partly in the gold.
    unknown: u64,
}

impl PermittedStates {
    /// What a reference text permits: `found` says for each of [`PageView::texts`] how many of its tokens are in the gold
    /// and how many it has, as [`crate::alignment::Found::counts`] does.
    ///
    /// A leaf wholly in the gold permits the labels inside, one wholly outside those outside. A leaf that is partly in
    /// it permits all: the text may have been found in part only, or the gold may hold a part of it. Inner nodes permit
    /// what the tokens of their leaves can add up to.
    ///
    /// # Errors
    /// As [`TextGoldLabels::check`].
    pub fn from_text_gold(
        view: &PageView,
        space: StateSpace,
        labels: &TextGoldLabels,
        found: impl Fn(NodeId) -> (u32, u32),
    ) -> Result<Self> {
        labels.check()?;
        let tree = &view.tree;
        let mut tokens = vec![Tokens::default(); tree.len()];
        // Text stands in leaves; children come after their parents.
        for v in (0..tree.len()).rev() {
            if tree.is_leaf(v as u32) {
                let (inside, all) = view
                    .texts_of(&view.nodes[v])
                    .iter()
                    .map(|&id| found(id))
                    .fold((0, 0), |(inside, all), (i, a)| (inside + u64::from(i), all + u64::from(a)));
                let own = &mut tokens[v];
                match inside {
                    0 => own.outside = all,
                    _ if inside == all => own.inside = all,
                    _ => own.unknown = all,
                }
            }
            let parent = tree.parent(v as u32);
            if parent != crate::view::NONE {
                let own = tokens[v];
                let sum = &mut tokens[parent as usize];
                sum.inside += own.inside;
                sum.outside += own.outside;
                sum.unknown += own.unknown;
            }
        }
        let sets: Vec<StateSet> =
            (0..tree.len()).map(|v| labels.permitted(space, tokens[v], tree.is_leaf(v as u32))).collect();
        PermittedStates::new(tree, space, &sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TargetStates;
    use crate::page::Page;
    use crate::rng;
    use crate::view::View;
    use rand::RngExt;

    fn page(html: &str) -> Page {
        Page::parse("test", None, html.as_bytes(), None, &Default::default()).unwrap()
    }

    fn names(space: StateSpace, set: StateSet) -> Vec<&'static str> {
        set.iter().map(|state| space.name(state)).collect()
    }

    #[test]
    fn leaves_permit_their_side_and_inner_nodes_what_their_leaves_add_up_to() {
        let page = page("<div><p>a b c</p><p>d</p></div><ul><li>e</li><li>f g</li></ul><p>-</p>");
        let view = PageView::new(&page, View::Blocks);
        let found = |id: NodeId| match page.dom().text(id) {
            "a b c" => (3, 3),
            "f g" => (1, 2),
            "d" => (1, 1),
            "e" => (0, 1),
            _ => (0, 0),
        };
        let space = StateSpace::LabelsAndMixed;
        let permitted =
            PermittedStates::from_text_gold(&view, space, &TextGoldLabels::default(), found).unwrap();
        // body > div > p p, ul > li li, p
        let at = |v| names(space, permitted.at(v));
        let article = ["headline", "full-text", "supplemental"];
        assert_eq!(at(0), ["mixed-main", "mixed"]);
        assert_eq!(at(1), [&article[..], &["mixed-main", "mixed"]].concat());
        assert_eq!((at(2), at(3)), (article.to_vec(), article.to_vec()));
        // One of three tokens is outside and two may be anything.
        assert_eq!(at(4), ["not-content", "related-content", "comments", "mixed-main", "mixed"]);
        assert_eq!(at(5), ["not-content", "related-content", "comments"]);
        assert_eq!(permitted.at(6).len(), 6);
        assert_eq!(at(7), ["not-content"]);
    }

    #[test]
    fn the_true_states_of_random_labels_are_never_excluded_and_sets_say_something() {
        let mut rng = rng::stream(1, "text-gold", &[]);
        let (mut sizes, mut nodes) = (0, 0);
        for round in 0..300 {
            let tags = ["div", "p", "ul", "li", "b"];
            let mut html = String::new();
            for _ in 0..rng.random_range(2..30) {
                match rng.random_range(0..5) {
                    0 => html.push_str("</div>"),
                    1 | 2 => html.push_str(&format!("<{}>", tags[rng.random_range(0..tags.len())])),
                    _ => html.push_str(&"word ".repeat(rng.random_range(1..30))),
                }
            }
            let page = page(&html);
            // Labels that may stand on both sides, on one, and single ones.
            let side = |rng: &mut rng::Rng, sure: Label| -> LabelSet {
                Label::ALL[1..].iter().copied().filter(|_| rng.random_bool(0.4)).chain([sure]).collect()
            };
            let labels = TextGoldLabels {
                inside: side(&mut rng, [Label::FullText, Label::Comments][round % 2]),
                outside: side(&mut rng, Label::NotContent),
            };
            let mut tokens = vec![[0u32; Label::COUNT]; page.dom().len()];
            let mut found = vec![(0, 0); page.dom().len()];
            for id in page.dom().shown_texts() {
                let pure = rng.random_bool(0.7);
                let is_inside = rng.random_bool(0.5);
                for _ in 0..crate::tokens::count(page.dom().text(id)) {
                    let is_inside = if pure { is_inside } else { rng.random_bool(0.5) };
                    let set: Vec<Label> =
                        (if is_inside { labels.inside } else { labels.outside }).iter().collect();
                    let label =
                        if pure { set[round % set.len()] } else { set[rng.random_range(0..set.len())] };
                    tokens[id.index()][label.index()] += 1;
                    found[id.index()].0 += u32::from(is_inside);
                    found[id.index()].1 += 1;
                }
            }
            for space in [StateSpace::Labels, StateSpace::LabelsAndMixed] {
                for view in [View::Dom, View::Blocks] {
                    let view = PageView::new(&page, view);
                    let truth = TargetStates::from_tokens(&view, space, |id| tokens[id.index()]);
                    let permitted =
                        PermittedStates::from_text_gold(&view, space, &labels, |id| found[id.index()])
                            .unwrap();
                    for (v, &state) in truth.as_slice().iter().enumerate() {
                        let set = permitted.at(v as u32);
                        assert!(
                            set.contains(state.into()),
                            "round {round}, node {v}: {state} not in {set:?}"
                        );
                        sizes += set.len();
                        nodes += 1;
                    }
                }
            }
        }
        assert!(sizes < 4 * nodes, "{sizes} states of {nodes} nodes");
    }

    #[test]
    fn sets_that_say_nothing_are_refused_with_the_default() {
        let error = TextGoldLabels::with_inside(LabelSet::from_iter([])).unwrap_err().to_string();
        assert!(error.contains("default is headline,full-text,supplemental"), "{error}");
        assert!(TextGoldLabels::with_inside(LabelSet::ALL).is_err());
        assert_eq!(TextGoldLabels::with_inside(LabelSet::ARTICLE).unwrap(), TextGoldLabels::default());
    }
}
