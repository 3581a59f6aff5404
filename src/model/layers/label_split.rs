//! `LabelSplit`, what of the text that is not content has a label that the tree does not tell: readers' comments, and supplemental text.
//!
//! References tell content from the rest. Two labels are parts of that rest that are told apart in a step of their own: of
//! each text leaf
//!
//! P(label) += P(not content) · q,
//!
//! where q is what boosted trees, learned from text that is not content alone, say of the leaf. [`CommentSplit`] comes last:
//! every decision on what is content stays as it was. [`SupplementalSplit`] comes first, where the convention includes by-lines:
//! there supplemental text is content.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use crate::boosting::BoostedTrees;
use crate::error::{Error, Result, did_you_mean};
use crate::features::measures::Measures;
use crate::features::{FeatureSpec, catalogue};
use crate::label::{Label, LabelSet};
use crate::logistic::sigmoid;
use crate::view::PageView;

/// A label that is split off what is not content.
pub trait SplitOff: fmt::Debug + Clone + PartialEq + Send + Sync + 'static {
    /// The label.
    const LABEL: Label;
    /// The name of its command, `duramen model NAME`, and of its line in `duramen model show`.
    const NAME: &'static str;
    /// What text of it is called.
    const NOUN: &'static str;
    /// The name of its layer in a model file.
    const LAYER: &'static str;
    /// The conventions under which it is split off, as the end of its line in `duramen model show`; empty for all.
    const CONVENTIONS: &'static str;

    /// The features that are looked at unless others are named.
    fn inputs() -> Vec<String>;
}

/// Readers' comments.
#[derive(Debug, Clone, PartialEq)]
pub struct Comments;

/// Supplemental text: by-lines, dates, captions.
#[derive(Debug, Clone, PartialEq)]
pub struct Supplemental;

/// How readers' comments are told from the rest of what is not content.
pub type CommentSplit = LabelSplit<Comments>;

/// How supplemental text is told from the rest of what is not content under [`Convention::ARTICLE`](crate::convention::Convention::ARTICLE),
/// which leaves out by-lines and dates.
pub type SupplementalSplit = LabelSplit<Supplemental>;

impl SplitOff for Comments {
    const LABEL: Label = Label::Comments;
    const NAME: &'static str = "comments";
    const NOUN: &'static str = "comments";
    const LAYER: &'static str = "comment-split";
    const CONVENTIONS: &'static str = "";

    fn inputs() -> Vec<String> {
        COMMENT_INPUTS.map(str::to_owned).to_vec()
    }
}

impl SplitOff for Supplemental {
    const LABEL: Label = Label::Supplemental;
    const NAME: &'static str = "supplemental";
    const NOUN: &'static str = "supplemental text";
    const LAYER: &'static str = "supplemental-split";
    const CONVENTIONS: &'static str = ", only under a convention that includes by-lines";

    /// All that there are: by-lines and dates stand anywhere.
    fn inputs() -> Vec<String> {
        catalogue::all().filter(is_input).map(|feature| feature.id.to_owned()).collect()
    }
}

/// Features that are read off names of classes: 0 on pages that name nothing.
pub const NAMED_INPUTS: [&str; 2] = ["comment-levels", "comment-share"];

/// Columns that come from P(article) of the leaves.
pub const ARTICLE_COLUMNS: [&str; 2] = ["article-before", "leaves-since-article"];

/// How text of a label is told from the rest of what is not content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts", bound = "")]
pub struct LabelSplit<L: SplitOff> {
    parts: Parts,
    specs: Vec<&'static FeatureSpec>,
    label: PhantomData<L>,
}

/// What is written of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Parts {
    /// The features that the trees look at, [`ARTICLE_COLUMNS`] after them.
    pub inputs: Vec<String>,
    /// The trees: ln(q / (1 - q)) of a leaf.
    pub trees: BoostedTrees,
    /// Leaves that are not content and were learned from: those of other labels, and those of the label.
    pub leaves: [u64; 2],
    /// Pages that it was learned from, by source.
    pub sources: BTreeMap<String, u64>,
}

impl<L: SplitOff> From<LabelSplit<L>> for Parts {
    fn from(split: LabelSplit<L>) -> Parts {
        split.parts
    }
}

impl<L: SplitOff> TryFrom<Parts> for LabelSplit<L> {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self> {
        let specs = check_inputs::<L>(&parts.inputs)?;
        let wanted = specs.len() + ARTICLE_COLUMNS.len();
        if parts.trees.features() != wanted {
            return Err(Error::usage(
                format!("{}: trees over {} features for {wanted} inputs", L::LAYER, parts.trees.features()),
                format!("learn it again with `duramen model {}`", L::NAME),
            ));
        }
        Ok(LabelSplit { parts, specs, label: PhantomData })
    }
}

/// The features that may be looked at, of these names, in order.
///
/// # Errors
/// [`Error::Usage`] that names one that there is not.
pub fn check_inputs<L: SplitOff>(inputs: &[String]) -> Result<Vec<&'static FeatureSpec>> {
    let find = |id: &String| {
        catalogue::find(id).filter(is_input).ok_or_else(|| {
            Error::usage(
                format!("{}: '{id}' is no feature that it can look at", L::LAYER),
                did_you_mean(id, catalogue::all().filter(is_input).map(|feature| feature.id)),
            )
        })
    };
    inputs.iter().map(find).collect()
}

/// Whether a feature may be looked at.
fn is_input(feature: &&'static FeatureSpec) -> bool {
    !feature.needs_layout && !feature.needs_score && !feature.kind.has_many_values()
}

/// The features by which comments are told.
const COMMENT_INPUTS: [&str; 26] = [
    "comment-levels",
    "comment-share",
    "leaves-since-comment-heading",
    "near-times",
    "in-form",
    "in-list",
    "depth",
    "text-density",
    "parent-link-density",
    "parent-text-density",
    "parent-repeated",
    "grandparent-link-density",
    "grandparent-text-density",
    "grandparent-full-stops",
    "grandparent-leaf-words",
    "signature-count",
    "signature-share",
    "pair-count",
    "most-repeated",
    "most-repeated-words",
    "narrow-words",
    "wide-words",
    "wide-link-density",
    "page-inputs",
    "page-times",
    "words-since-title",
];

/// What the split looks at on a page.
#[derive(Debug, Clone)]
pub struct SplitInputs {
    /// The features of the leaves, \[feature\]\[leaf\].
    pub columns: Vec<Vec<u32>>,
    /// The words of each leaf.
    pub words: Vec<f64>,
}

impl SplitInputs {
    /// Of a page, from the page alone.
    pub fn new(measures: &Measures<'_>, specs: &[&'static FeatureSpec]) -> Self {
        SplitInputs {
            columns: measures.of_leaves(specs),
            words: measures.leaves().iter().map(|&v| f64::from(measures.words_of(v))).collect(),
        }
    }

    /// All columns, given P(article) of each leaf.
    pub fn with_article(&self, article: &[f64]) -> Vec<Vec<u32>> {
        self.columns.iter().cloned().chain(article_columns(article, &self.words)).collect()
    }
}

/// Where a leaf stands to the article, given P(article) and words of all leaves: the share of the article's words that are
/// expected before it, in per cent, and the leaves since the last that is more probably of the article than not.
fn article_columns(article: &[f64], words: &[f64]) -> [Vec<u32>; 2] {
    let all: f64 = article.iter().zip(words).map(|(p, words)| p * words).sum();
    let (mut before, mut last) = (0.0, None);
    let mut columns = [Vec::with_capacity(words.len()), Vec::with_capacity(words.len())];
    for (i, (&p, words)) in article.iter().zip(words).enumerate() {
        columns[0].push(if all > 0.0 { (100.0 * before / all).round() as u32 } else { 0 });
        before += p * words;
        if p >= 0.5 {
            last = Some(i);
        }
        columns[1].push(last.map_or(9999, |last| (i - last) as u32));
    }
    columns
}

impl<L: SplitOff> LabelSplit<L> {
    /// What the trees look at on a page.
    pub fn inputs(&self, measures: &Measures<'_>) -> SplitInputs {
        SplitInputs::new(measures, &self.specs)
    }

    /// Of each leaf the probability of the label if it is not content, given P(article) of each.
    pub fn shares(&self, inputs: &SplitInputs, article: &[f64]) -> Vec<f64> {
        let columns = inputs.with_article(article);
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let scores =
            self.parts.trees.score_all(&columns).expect("as many columns as features, of one length");
        scores.into_iter().map(sigmoid).collect()
    }

    /// Splits the posterior of each leaf, \[node\]\[state\] of `k` states. Inner nodes keep theirs.
    pub fn apply(&self, view: &PageView, inputs: &SplitInputs, posterior: &mut [f64], k: usize) {
        let is_leaf = |&(v, _): &(usize, &mut [f64])| view.tree.is_leaf(v as u32);
        let leaves = posterior.chunks_exact_mut(k).enumerate().filter(is_leaf);
        let leaves: Vec<&mut [f64; Label::COUNT]> = leaves
            .map(|(_, states)| states.first_chunk_mut().expect("a leaf's states begin with the labels"))
            .collect();
        let article: Vec<f64> = leaves.iter().map(|labels| LabelSet::ARTICLE.probability(labels)).collect();
        for (labels, share) in leaves.into_iter().zip(self.shares(inputs, &article)) {
            split(labels, L::LABEL, share);
        }
    }
}

impl<L: SplitOff> Layer for LabelSplit<L> {
    fn line(&self) -> Option<(&'static str, String)> {
        let Parts { trees, leaves: [others, of_label], sources, .. } = &self.parts;
        let pages: u64 = sources.values().sum();
        Some((
            L::NAME,
            format!(
                "split from what is not content by {} trees, of {of_label} texts of {} and {others} others on {pages} pages{}",
                trees.len(),
                L::NOUN,
                L::CONVENTIONS
            ),
        ))
    }
}

/// Moves a share of P(not content) to a label.
fn split(labels: &mut [f64; Label::COUNT], to: Label, share: f64) {
    let moved = labels[Label::NotContent.index()] * share;
    labels[Label::NotContent.index()] -= moved;
    labels[to.index()] += moved;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boosting::{BoostingSettings, Loss, TrainingRows};
    use crate::page::Page;
    use crate::progress::Silent;
    use crate::view::View;
    use proptest::prelude::*;

    /// Trees that hold leaves inside elements named after comments for comments.
    fn by_name() -> Parts {
        let levels: Vec<u32> = (0..400).map(|i| i % 2).collect();
        let target: Vec<f32> = levels.iter().map(|&levels| levels as f32).collect();
        let others = vec![0; 400];
        let columns = vec![&levels, &others, &others];
        let rows = TrainingRows { columns: &columns, target: &target, weights: &[1.0; 400], groups: None };
        let settings = BoostingSettings { trees: 40, feature_share: 1.0, ..BoostingSettings::default() };
        let trees = BoostedTrees::learn(&rows, Loss::Logistic, &settings, &Silent).unwrap();
        Parts {
            inputs: vec!["comment-levels".to_owned()],
            trees,
            leaves: [200, 200],
            sources: [("made".to_owned(), 1)].into(),
        }
    }

    #[test]
    fn what_is_not_content_is_split_and_all_else_keeps_its_bits() {
        let html = b"<p>An oak fell.<p>Menu<div id=comments><p>It was very old.<p>Was it?</div>";
        let page = Page::parse("oak.html", None, html, None, &Default::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let split = CommentSplit::try_from(by_name()).unwrap();
        let inputs = split.inputs(&Measures::new(&page, &view, None));
        let k = Label::COUNT + 1;
        let before: Vec<f64> = (0..view.nodes.len())
            .flat_map(|v| [0.3 - 0.05 * v as f64, 0.01, 0.5, 0.02, 0.03, 0.04, 0.1])
            .collect();
        let mut after = before.clone();
        split.apply(&view, &inputs, &mut after, k);
        let mut moved = Vec::new();
        for (v, (before, after)) in before.chunks(k).zip(after.chunks(k)).enumerate() {
            if !view.tree.is_leaf(v as u32) {
                assert_eq!(before, after);
                continue;
            }
            assert_eq!((&before[1..5], before[6]), (&after[1..5], after[6]));
            assert!((before.iter().sum::<f64>() - after.iter().sum::<f64>()).abs() < 1e-12);
            moved.push(after[5] - before[5] > 0.5 * before[0]);
        }
        assert_eq!(moved, [false, false, true, true]);
    }

    #[test]
    fn a_split_is_written_and_read_and_a_damaged_one_is_refused() {
        let text = serde_json::to_string(&CommentSplit::try_from(by_name()).unwrap()).unwrap();
        let read: CommentSplit = serde_json::from_str(&text).unwrap();
        assert_eq!(read.parts, by_name());
        let unknown = text.replace("comment-levels", "coment-levels");
        let error = serde_json::from_str::<CommentSplit>(&unknown).unwrap_err().to_string();
        assert!(
            error.contains("'coment-levels' is no feature") && error.contains("comment-levels"),
            "{error}"
        );
        let more = text.replace(r#"["comment-levels"]"#, r#"["comment-levels","comment-share"]"#);
        let error = serde_json::from_str::<CommentSplit>(&more).unwrap_err().to_string();
        assert!(error.contains("trees over 3 features for 4 inputs"), "{error}");
    }

    #[test]
    fn the_place_of_a_leaf_is_told_by_the_article_before_it() {
        let [before, since] = article_columns(&[0.1, 0.9, 0.5, 0.0, 0.0], &[10.0, 10.0, 20.0, 5.0, 5.0]);
        assert_eq!((before, since), (vec![0, 5, 50, 100, 100], vec![9999, 0, 0, 1, 2]));
        assert_eq!(article_columns(&[0.0], &[3.0]), [vec![0], vec![9999]]);
    }

    proptest! {
        /// The sum stays, comments only gain, and more the larger the share.
        #[test]
        fn the_sum_stays_and_comments_grow_with_the_share(
            weights in prop::array::uniform6(0.0..1.0f64), share in 0.0..=1.0f64, more in 0.0..=1.0f64,
        ) {
            let sum: f64 = weights.iter().sum::<f64>().max(1e-9);
            let before = weights.map(|weight| weight / sum);
            let [mut after, mut larger] = [before; 2];
            split(&mut after, Label::Comments, share);
            split(&mut larger, Label::Comments, (share + more).min(1.0));
            let (out, comments) = (Label::NotContent.index(), Label::Comments.index());
            prop_assert!((after.iter().sum::<f64>() - before.iter().sum::<f64>()).abs() < 1e-12);
            prop_assert!(after[out] >= 0.0 && after[comments] >= before[comments]);
            prop_assert!(larger[comments] >= after[comments] && larger[out] <= after[out]);
            prop_assert_eq!(&after[1..5], &before[1..5]);
        }
    }
}
