//! Learning of a [`CommentSplit`]: boosted trees over text that is not content, readers' comments against the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use rayon::prelude::*;

use super::find_comments::find_comments;
use super::out_of_fold::Folds;
use super::page::{Reference, TrainingPage};
use crate::boosting::{BoostedTrees, BoostingSettings, Loss, TrainingRows};
use crate::dataset::labelled::PageGold;
use crate::dataset::split::folds_by_host;
use crate::error::{Error, PageProblem, Result};
use crate::eval::Scores;
use crate::extract::hmt::{self, Hmt, Inference};
use crate::features::FeatureSpec;
use crate::features::measures::Measures;
use crate::index::NodeId;
use crate::label::{Label, LabelSet};
use crate::model::Model;
use crate::model::layers::comment_split::{
    ARTICLE_COLUMNS, CommentInputs, CommentSplit, INPUTS, NAMED_INPUTS, Parts, check_inputs,
};
use crate::page::Page;
use crate::progress::Progress;

/// How a [`CommentSplit`] is learned.
#[derive(Debug, Clone)]
pub struct CommentSettings {
    /// The features that the trees look at. Default [`INPUTS`].
    pub inputs: Vec<String>,
    /// How the trees are grown.
    pub trees: BoostingSettings,
    /// The share of the pages whose comments are known by names of elements that trees see without these names, so that they
    /// learn what else speaks for comments. 0 to 1, default one half.
    pub nameless: f64,
    /// Parts of the hosts, each scored by trees grown on the others, from 2. Default 5; at most one a host.
    pub folds: usize,
}

impl Default for CommentSettings {
    fn default() -> Self {
        let trees = BoostingSettings {
            trees: 100,
            learning_rate: 0.08,
            leaves: 12,
            min_rows: 50,
            ..BoostingSettings::default()
        };
        CommentSettings { inputs: INPUTS.map(str::to_owned).to_vec(), trees, nameless: 0.5, folds: 5 }
    }
}

/// A model that tells comments, and how well trees told those of pages of other hosts.
#[derive(Debug, Clone)]
pub struct LearnedComments {
    /// The model.
    pub model: Model,
    /// Of pages whose corpus says what their comments are.
    pub stated: CommentCounts,
    /// Of pages whose comments are those in elements with such names.
    pub named: CommentCounts,
}

/// Words of text that is not content by the references: P(comments | not content) of at least one half against comments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CommentCounts {
    /// Pages.
    pub pages: u64,
    /// Words of comments.
    pub words: u64,
    /// Words taken for comments.
    pub found: u64,
    /// Words of both.
    pub right: u64,
}

impl CommentCounts {
    /// Precision, recall and F1.
    pub fn scores(&self) -> Scores {
        Scores::from_counts(self.right, self.words, self.found)
    }
}

impl AddAssign for CommentCounts {
    fn add_assign(&mut self, more: CommentCounts) {
        self.pages += more.pages;
        self.words += more.words;
        self.found += more.found;
        self.right += more.right;
    }
}

/// A page made ready.
struct CommentPage<'a> {
    page: &'a TrainingPage<'a>,
    is_stated: bool,
    /// Whether trees are grown on it as if its elements had no names.
    is_nameless: bool,
    /// All columns, \[feature\]\[leaf\].
    columns: Vec<Vec<u32>>,
    /// Leaves that are not content: the leaf's number, its words, and whether it is a comment.
    rows: Vec<(usize, f64, bool)>,
}

/// Learns to tell readers' comments from the rest of what is not content, for a model that finds the content.
///
/// What is a comment is known of labelled pages; of pages with a reference text where the corpus keeps comments apart; and
/// elsewhere by the names of elements. Pages whose gold was not found are left out, and told of.
///
/// # Errors
/// As [`Hmt::new`]; [`Error::Usage`] for settings out of range; [`Error::Data`] if there are no comments, or nothing else.
///
/// # Cost
/// Inference of each page, and of each fold trees over its leaves.
pub fn learn_comments(
    model: &Model,
    pages: &[TrainingPage<'_>],
    settings: &CommentSettings,
    progress: &dyn Progress,
) -> Result<LearnedComments> {
    let specs = check_inputs(&settings.inputs)?;
    if !(0.0..=1.0).contains(&settings.nameless) {
        return Err(Error::usage(
            format!("nameless is {}", settings.nameless),
            "it is a share of the pages, 0 to 1, default one half",
        ));
    }
    let plain = model.clone().without_layer::<CommentSplit>();
    let hmt = Hmt::new(hmt::ID, plain.clone(), Inference::Exact)?;
    progress.stage("finding comments", pages.len());
    let read = |page| {
        let ready = ready(&hmt, &specs, page, settings.nameless);
        progress.step();
        ready
    };
    let results: Vec<Result<CommentPage<'_>, String>> = pages.par_iter().map(read).collect();
    let tell = |reason: &String| progress.note(&format!("not learned from {reason}"));
    let ready: Vec<CommentPage<'_>> =
        results.into_iter().filter_map(|ready| ready.inspect_err(tell).ok()).collect();
    let hosts: Vec<String> = ready.iter().map(|ready| ready.page.labelled.host.clone()).collect();
    let folds = settings.folds.min(hosts.iter().collect::<BTreeSet<_>>().len()).max(2);
    let fold_of = folds_by_host(&hosts, folds, settings.trees.seed)?;
    progress.stage("growing trees of comments", (folds + 1) * settings.trees.trees);
    let is_named: Vec<bool> = settings.inputs.iter().map(|id| NAMED_INPUTS.contains(&id.as_str())).collect();
    let out_of_fold = Folds::new(&fold_of, folds);
    let grown = out_of_fold.learn_at_once(|left_out| {
        let others: Vec<&CommentPage<'_>> = out_of_fold.seen(left_out).map(|page| &ready[page]).collect();
        grow(&others, &is_named, &settings.trees, progress)
    })?;
    let (trees, leaves) = grown.of_all;
    let [mut stated, mut named] = [CommentCounts::default(); 2];
    for (page, &fold) in ready.iter().zip(&fold_of) {
        let counts = count(page, &grown.of_folds[fold].0)?;
        *(if page.is_stated { &mut stated } else { &mut named }) += counts;
    }
    let mut sources = BTreeMap::new();
    for page in &ready {
        *sources.entry(page.page.source.clone()).or_default() += 1;
    }
    let split = CommentSplit::try_from(Parts { inputs: settings.inputs.clone(), trees, leaves, sources })?;
    Ok(LearnedComments { model: plain.with_layer(split)?, stated, named })
}

/// What of a page is comments and what is neither that nor content; the page and the reason of one of which that is not known.
fn ready<'a>(
    hmt: &Hmt,
    specs: &[&'static FeatureSpec],
    page: &'a TrainingPage<'a>,
    nameless: f64,
) -> Result<CommentPage<'a>, String> {
    let of = &page.labelled.page;
    let named = |problem: PageProblem| format!("{}: {problem}", of.id());
    if !page.reference.is_trusted() {
        return Err(format!("{}: its reference is not on the page", of.id()));
    }
    let observation = hmt.model().observation(of).map_err(named)?;
    let view = &observation.view;
    let (comments, is_stated) = comments_of(of, page).map_err(named)?;
    let is_leaf = |&v: &usize| view.tree.is_leaf(v as u32);
    let posterior = hmt.exact_posteriors(&observation);
    let leaves: Vec<usize> = (0..view.nodes.len()).filter(is_leaf).collect();
    let article = |&v: &usize| LabelSet::ARTICLE.iter().map(|label| posterior[[v, label.index()]]).sum();
    let article: Vec<f64> = leaves.iter().map(article).collect();
    let inputs = CommentInputs::new(&Measures::new(of, view, None), specs);
    let mut rows = Vec::new();
    for (leaf, &v) in leaves.iter().enumerate() {
        let texts = view.texts_of(&view.nodes[v]);
        if page.reference.is_of(texts, LabelSet::ARTICLE) != Some(false) {
            continue;
        }
        let words = |id: &NodeId| f64::from(crate::tokens::count(of.dom().text(*id)));
        let all: f64 = texts.iter().map(words).sum();
        let inside: f64 = texts.iter().filter(|id| comments.binary_search(id).is_ok()).map(words).sum();
        rows.push((leaf, inputs.words[leaf], 2.0 * inside > all));
    }
    // By the page's digest, so that it is the same in every fold.
    let is_nameless = !is_stated && (of.dom().digest().as_u64() as f64) < nameless * u64::MAX as f64;
    Ok(CommentPage { page, is_stated, is_nameless, columns: inputs.with_article(&article), rows })
}

/// The text nodes of comments, and whether the corpus states them.
fn comments_of(of: &Page, page: &TrainingPage<'_>) -> Result<(Vec<NodeId>, bool), PageProblem> {
    match (&page.reference, &page.labelled.gold) {
        (Reference::Labels(gold), _) => {
            let is_comment = |&id: &NodeId| gold.label(id) == Some(Label::Comments);
            Ok((of.dom().shown_texts().filter(is_comment).collect(), true))
        }
        (Reference::Text { article, .. }, PageGold::Text(gold)) => {
            let apart = gold.comments.as_deref();
            Ok((find_comments(of.dom(), apart, article)?, apart.is_some()))
        }
        (Reference::Text { .. }, PageGold::Tokens(_)) => {
            unreachable!("a text is found of a gold that is text")
        }
    }
}

/// Trees grown on pages, and the leaves that they were grown on: not comments, and comments.
fn grow(
    pages: &[&CommentPage<'_>],
    is_named: &[bool],
    settings: &BoostingSettings,
    progress: &dyn Progress,
) -> Result<(BoostedTrees, [u64; 2])> {
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); is_named.len() + ARTICLE_COLUMNS.len()];
    let (mut target, mut weights) = (Vec::new(), Vec::new());
    for page in pages {
        let of_page: f64 = page.rows.iter().map(|&(_, words, _)| words).sum();
        for &(leaf, words, is_comment) in &page.rows {
            for (i, (column, values)) in columns.iter_mut().zip(&page.columns).enumerate() {
                let is_hidden = page.is_nameless && is_named.get(i) == Some(&true);
                column.push(if is_hidden { 0 } else { values[leaf] });
            }
            target.push(if is_comment { 1.0 } else { 0.0 });
            // Pages have equal weight, long texts more than short ones but not by their length.
            weights.push((words.max(1.0) / of_page.max(1.0)).sqrt() as f32);
        }
    }
    let comments = target.iter().filter(|&&target| target == 1.0).count() as u64;
    let leaves = [target.len() as u64 - comments, comments];
    if leaves.contains(&0) {
        return Err(Error::data(
            "the pages to learn comments from",
            format!("of {} texts that are not content {comments} are comments", target.len()),
            "give corpora of several hosts with readers' comments, such as dragnet",
        ));
    }
    let rows = TrainingRows { columns: &columns, target: &target, weights: &weights, groups: None };
    Ok((BoostedTrees::learn(&rows, Loss::Logistic, settings, progress)?, leaves))
}

/// What trees say of a page that they have not seen.
fn count(page: &CommentPage<'_>, trees: &BoostedTrees) -> Result<CommentCounts> {
    let columns: Vec<&[u32]> = page.columns.iter().map(Vec::as_slice).collect();
    let scores = trees.score_all(&columns)?;
    let mut counts = CommentCounts { pages: 1, ..CommentCounts::default() };
    for &(leaf, words, is_comment) in &page.rows {
        let (words, is_found) = (words as u64, scores[leaf] > 0.0);
        counts.words += if is_comment { words } else { 0 };
        counts.found += if is_found { words } else { 0 };
        counts.right += if is_comment && is_found { words } else { 0 };
    }
    Ok(counts)
}
