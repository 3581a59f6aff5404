//! Learning of a [`LabelSplit`]: boosted trees over text that is not content, text of one label against the rest.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use rayon::prelude::*;

use super::find_comments::find_comments;
use super::out_of_fold::Folds;
use super::page::{Reference, TrainingPage};
use crate::boosting::{BoostedTrees, BoostingSettings, Loss, TrainingRows};
use crate::dataset::labelled::PageGold;
use crate::dataset::split::folds_by_host;
use crate::dom::Dom;
use crate::error::{Error, PageProblem, Result};
use crate::eval::Scores;
use crate::extract::hmt::{self, Hmt, Inference};
use crate::features::FeatureSpec;
use crate::features::measures::Measures;
use crate::index::NodeId;
use crate::label::{Label, LabelSet};
use crate::model::Model;
use crate::model::layers::OfModel;
use crate::model::layers::label_split::{
    ARTICLE_COLUMNS, Comments, LabelSplit, NAMED_INPUTS, Parts, SplitInputs, SplitOff, Supplemental,
    check_inputs,
};
use crate::progress::Progress;

/// A label whose split can be learned, from what is known of its text on pages.
pub trait Learnable: SplitOff {
    /// How many trees are grown by default.
    const TREES: usize;
    /// Corpora that tell the label, for who gave others.
    const CORPORA: &'static str;

    /// The page, its labels read as the model has learned them.
    fn read<'p, 'a>(page: &'p TrainingPage<'a>) -> Cow<'p, TrainingPage<'a>>;

    /// The text nodes of the label, in document order, and whether the corpus states them; none where they are not known.
    fn known(page: &TrainingPage<'_>) -> Result<Option<(Vec<NodeId>, bool)>, PageProblem>;
}

impl Learnable for Comments {
    const TREES: usize = 100;
    const CORPORA: &'static str = "give corpora of several hosts with readers' comments, such as dragnet";

    fn read<'p, 'a>(page: &'p TrainingPage<'a>) -> Cow<'p, TrainingPage<'a>> {
        Cow::Borrowed(page)
    }

    fn known(page: &TrainingPage<'_>) -> Result<Option<(Vec<NodeId>, bool)>, PageProblem> {
        let dom = page.labelled.page.dom();
        Ok(Some(match (&page.reference, &page.labelled.gold) {
            (Reference::Labels(_), gold) => (labelled(dom, gold, Label::Comments), true),
            (Reference::Text { article, .. }, PageGold::Text(gold)) => {
                let apart = gold.comments.as_deref();
                (find_comments(dom, apart, article)?, apart.is_some())
            }
            (Reference::Text { .. }, PageGold::Tokens(_)) => {
                unreachable!("a text is found of a gold that is text")
            }
        }))
    }
}

impl Learnable for Supplemental {
    const TREES: usize = 300;
    const CORPORA: &'static str = "give corpora of several hosts with labels, such as read";

    fn read<'p, 'a>(page: &'p TrainingPage<'a>) -> Cow<'p, TrainingPage<'a>> {
        Cow::Owned(page.clone().read_as_article())
    }

    fn known(page: &TrainingPage<'_>) -> Result<Option<(Vec<NodeId>, bool)>, PageProblem> {
        let texts = labelled(page.labelled.page.dom(), &page.labelled.gold, Label::Supplemental);
        Ok(page.is_labelled().then_some((texts, true)))
    }
}

/// The shown text nodes that have a label by the corpus.
fn labelled(dom: &Dom, gold: &PageGold, label: Label) -> Vec<NodeId> {
    let PageGold::Tokens(gold) = gold else { return Vec::new() };
    dom.shown_texts().filter(|&id| gold.label(id) == Some(label)).collect()
}

/// How a [`LabelSplit`] is learned.
#[derive(Debug, Clone)]
pub struct SplitSettings {
    /// The features that the trees look at. Default [`SplitOff::inputs`].
    pub inputs: Vec<String>,
    /// How the trees are grown.
    pub trees: BoostingSettings,
    /// The share of the pages whose comments are known by names of elements that trees see without these names, so that they
    /// learn what else speaks for comments. 0 to 1, default one half. Other labels are never known so.
    pub nameless: f64,
    /// Parts of the hosts, each scored by trees grown on the others, from 2. Default 5; at most one a host.
    pub folds: usize,
}

impl SplitSettings {
    /// The default for a label.
    pub fn of<L: Learnable>() -> Self {
        let trees = BoostingSettings {
            trees: L::TREES,
            learning_rate: 0.08,
            leaves: 12,
            min_rows: 50,
            ..BoostingSettings::default()
        };
        SplitSettings { inputs: L::inputs(), trees, nameless: 0.5, folds: 5 }
    }
}

/// A model that tells a label, and how well trees told it on pages of other hosts.
#[derive(Debug, Clone)]
pub struct LearnedSplit {
    /// The model.
    pub model: Model,
    /// Of pages whose corpus says what has the label.
    pub stated: SplitCounts,
    /// Of pages whose comments are those in elements with such names.
    pub named: SplitCounts,
}

/// Words of text that is not content by the references: P(label | not content) of at least one half against the label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SplitCounts {
    /// Pages.
    pub pages: u64,
    /// Words of the label.
    pub words: u64,
    /// Words taken for it.
    pub found: u64,
    /// Words of both.
    pub right: u64,
}

impl SplitCounts {
    /// Precision, recall and F1.
    pub fn scores(&self) -> Scores {
        Scores::from_counts(self.right, self.words, self.found)
    }
}

impl AddAssign for SplitCounts {
    fn add_assign(&mut self, more: SplitCounts) {
        self.pages += more.pages;
        self.words += more.words;
        self.found += more.found;
        self.right += more.right;
    }
}

/// A page made ready.
struct ReadyPage<'a> {
    page: &'a TrainingPage<'a>,
    is_stated: bool,
    /// Whether trees are grown on it as if its elements had no names.
    is_nameless: bool,
    /// All columns, \[feature\]\[leaf\].
    columns: Vec<Vec<u32>>,
    /// Leaves that are not content: the leaf's number, its words, and whether it has the label.
    rows: Vec<(usize, f64, bool)>,
}

/// Learns to tell text of a label from the rest of what is not content, for a model that finds the content.
///
/// What has the label is known of labelled pages. Comments are known of pages with a reference text too: where the corpus keeps
/// comments apart, and elsewhere by the names of elements. Pages of which that is not known, or whose gold was not found, are
/// left out, and told of.
///
/// # Errors
/// As [`Hmt::new`]; [`Error::Usage`] for settings out of range; [`Error::Data`] if no text has the label, or all has.
///
/// # Cost
/// Inference of each page, and of each fold trees over its leaves.
pub fn learn_split<L: Learnable>(
    model: &Model,
    pages: &[TrainingPage<'_>],
    settings: &SplitSettings,
    progress: &dyn Progress,
) -> Result<LearnedSplit>
where
    LabelSplit<L>: OfModel,
{
    let specs = check_inputs::<L>(&settings.inputs)?;
    if !(0.0..=1.0).contains(&settings.nameless) {
        return Err(Error::usage(
            format!("nameless is {}", settings.nameless),
            "it is a share of the pages, 0 to 1, default one half",
        ));
    }
    let plain = model.clone().without_layer::<LabelSplit<L>>();
    let hmt = Hmt::new(hmt::ID, plain.clone(), Inference::Exact)?;
    progress.stage(&format!("finding {}", L::NOUN), pages.len());
    let read = |page| {
        let ready = ready::<L>(&hmt, &specs, page, settings.nameless);
        progress.step();
        ready
    };
    let results: Vec<Result<ReadyPage<'_>, String>> = pages.par_iter().map(read).collect();
    let tell = |reason: &String| progress.note(&format!("not learned from {reason}"));
    let ready: Vec<ReadyPage<'_>> =
        results.into_iter().filter_map(|ready| ready.inspect_err(tell).ok()).collect();
    if ready.is_empty() {
        return Err(Error::data(
            format!("the pages to learn {} from", L::NOUN),
            format!("of none is known which of its text is {}", L::NOUN),
            L::CORPORA,
        ));
    }
    let hosts: Vec<String> = ready.iter().map(|ready| ready.page.labelled.host.clone()).collect();
    let folds = settings.folds.min(hosts.iter().collect::<BTreeSet<_>>().len()).max(2);
    let fold_of = folds_by_host(&hosts, folds, settings.trees.seed)?;
    progress.stage(&format!("growing trees of {}", L::NOUN), (folds + 1) * settings.trees.trees);
    let is_named: Vec<bool> = settings.inputs.iter().map(|id| NAMED_INPUTS.contains(&id.as_str())).collect();
    let out_of_fold = Folds::new(&fold_of, folds);
    let grown = out_of_fold.learn_at_once(|left_out| {
        let others: Vec<&ReadyPage<'_>> = out_of_fold.seen(left_out).map(|page| &ready[page]).collect();
        grow::<L>(&others, &is_named, &settings.trees, progress)
    })?;
    let (trees, leaves) = grown.of_all;
    let [mut stated, mut named] = [SplitCounts::default(); 2];
    for (page, &fold) in ready.iter().zip(&fold_of) {
        let counts = count(page, &grown.of_folds[fold].0)?;
        *(if page.is_stated { &mut stated } else { &mut named }) += counts;
    }
    let mut sources = BTreeMap::new();
    for page in &ready {
        *sources.entry(page.page.source.clone()).or_default() += 1;
    }
    let parts = Parts { inputs: settings.inputs.clone(), trees, leaves, sources };
    let split = LabelSplit::<L>::try_from(parts)?;
    Ok(LearnedSplit { model: plain.with_layer(split)?, stated, named })
}

/// What of a page has the label and what is neither that nor content; the page and the reason of one of which that is not known.
fn ready<'a, L: Learnable>(
    hmt: &Hmt,
    specs: &[&'static FeatureSpec],
    page: &'a TrainingPage<'a>,
    nameless: f64,
) -> Result<ReadyPage<'a>, String> {
    let of = &page.labelled.page;
    let named = |problem: PageProblem| format!("{}: {problem}", of.id());
    if !page.reference.is_trusted() {
        return Err(format!("{}: its reference is not on the page", of.id()));
    }
    let observation = hmt.model().observation(of).map_err(named)?;
    let view = &observation.view;
    let known = L::known(page).map_err(named)?;
    let (texts_of_label, is_stated) =
        known.ok_or_else(|| format!("{}: its reference is a text, which does not tell labels", of.id()))?;
    let reference = &L::read(page).reference;
    let is_leaf = |&v: &usize| view.tree.is_leaf(v as u32);
    let posterior = hmt.exact_posteriors(&observation);
    let leaves: Vec<usize> = (0..view.nodes.len()).filter(is_leaf).collect();
    let article = |&v: &usize| LabelSet::ARTICLE.iter().map(|label| posterior[[v, label.index()]]).sum();
    let article: Vec<f64> = leaves.iter().map(article).collect();
    let inputs = SplitInputs::new(&Measures::new(of, view, None), specs);
    let mut rows = Vec::new();
    for (leaf, &v) in leaves.iter().enumerate() {
        let texts = view.texts_of(&view.nodes[v]);
        if reference.is_of(texts, LabelSet::ARTICLE) != Some(false) {
            continue;
        }
        let words = |id: &NodeId| f64::from(crate::tokens::count(of.dom().text(*id)));
        let all: f64 = texts.iter().map(words).sum();
        let inside: f64 = texts.iter().filter(|id| texts_of_label.binary_search(id).is_ok()).map(words).sum();
        rows.push((leaf, inputs.words[leaf], 2.0 * inside > all));
    }
    // By the page's digest, so that it is the same in every fold.
    let is_nameless = !is_stated && (of.dom().digest().as_u64() as f64) < nameless * u64::MAX as f64;
    Ok(ReadyPage { page, is_stated, is_nameless, columns: inputs.with_article(&article), rows })
}

/// Trees grown on pages, and the leaves that they were grown on: of other labels, and of the label.
fn grow<L: Learnable>(
    pages: &[&ReadyPage<'_>],
    is_named: &[bool],
    settings: &BoostingSettings,
    progress: &dyn Progress,
) -> Result<(BoostedTrees, [u64; 2])> {
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); is_named.len() + ARTICLE_COLUMNS.len()];
    let (mut target, mut weights) = (Vec::new(), Vec::new());
    for page in pages {
        let of_page: f64 = page.rows.iter().map(|&(_, words, _)| words).sum();
        for &(leaf, words, is_of_label) in &page.rows {
            for (i, (column, values)) in columns.iter_mut().zip(&page.columns).enumerate() {
                let is_hidden = page.is_nameless && is_named.get(i) == Some(&true);
                column.push(if is_hidden { 0 } else { values[leaf] });
            }
            target.push(if is_of_label { 1.0 } else { 0.0 });
            // Pages have equal weight, long texts more than short ones but not by their length.
            weights.push((words.max(1.0) / of_page.max(1.0)).sqrt() as f32);
        }
    }
    let of_label = target.iter().filter(|&&target| target == 1.0).count() as u64;
    let leaves = [target.len() as u64 - of_label, of_label];
    if leaves.contains(&0) {
        return Err(Error::data(
            format!("the pages to learn {} from", L::NOUN),
            format!("of {} texts that are not content {of_label} are {}", target.len(), L::NOUN),
            L::CORPORA,
        ));
    }
    let rows = TrainingRows { columns: &columns, target: &target, weights: &weights, groups: None };
    Ok((BoostedTrees::learn(&rows, Loss::Logistic, settings, progress)?, leaves))
}

/// What trees say of a page that they have not seen.
fn count(page: &ReadyPage<'_>, trees: &BoostedTrees) -> Result<SplitCounts> {
    let columns: Vec<&[u32]> = page.columns.iter().map(Vec::as_slice).collect();
    let scores = trees.score_all(&columns)?;
    let mut counts = SplitCounts { pages: 1, ..SplitCounts::default() };
    for &(leaf, words, is_of_label) in &page.rows {
        let (words, is_found) = (words as u64, scores[leaf] > 0.0);
        counts.words += if is_of_label { words } else { 0 };
        counts.found += if is_found { words } else { 0 };
        counts.right += if is_of_label && is_found { words } else { 0 };
    }
    Ok(counts)
}
