//! Learning of boosted scores: counts of words, trees, and for every page the scores of trees that have not seen its site.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;

use super::out_of_fold::Folds;
use super::page::{TrainingPage, keys_of_hosts};
use super::page_types;
use crate::boosting::{BoostedTrees, Columns, Loss, PackedColumns, TrainingRows};
use crate::convention::Convention;
use crate::error::{Error, Result};
use crate::features::catalogue::SCORES;
use crate::features::hash::{self, Hashed};
use crate::features::measures::Measures;
use crate::features::{FeatureSpec, PageTerms, TokenLists, class_tokens, text_words};
use crate::label::Label;
use crate::model::layers::boosted_scores::{OfPage, PageScores, TOKEN_COLUMNS};
use crate::model::layers::page_type::PageType;
use crate::model::layers::token_counts::Sides;
use crate::model::{BoostedConfig, BoostedScores, ScoreInputs, TokenCounts};
use crate::progress::Progress;
use crate::view::{PageView, Tree, View};

/// A word is known if it stands on pages of so many sites: of classes, and of text.
const SITES: [usize; 2] = [4, 8];
/// Words of class and id or of text.
const KINDS: [Words; 2] = [Words::Classes, Words::Text];

#[derive(Clone, Copy)]
enum Words {
    Classes,
    Text,
}

/// Learned scores, and for each page the values of the features that the tree is to be trained with.
pub struct LearnedScores {
    /// Of trees grown on all pages.
    pub scores: BoostedScores,
    /// Of each page, by trees that were grown on other sites: the scores given the type that its corpus states, else the most
    /// probable one; by type those of the types that the page may be of as far as such trees can tell.
    pub of_pages: Vec<PageScores>,
}

/// A page made ready.
struct PageRows {
    tree: Tree,
    /// The inputs, whose columns are [apart](PageRows::columns) while trees grow.
    inputs: ScoreInputs,
    /// Of the leaves. Of the 4,828 pages of `web` they would take 1.3 GB in 32 bits a value.
    columns: PackedColumns,
    /// The leaves of which something is known.
    rows: Vec<Row>,
}

impl PageRows {
    /// The inputs with their columns.
    fn into_inputs(mut self) -> (Tree, ScoreInputs) {
        self.inputs.columns = self.columns.unpack();
        (self.tree, self.inputs)
    }
}

/// What is known of a leaf.
struct Row {
    v: u32,
    /// Its place among the leaves.
    leaf: u32,
    weight: f32,
    /// Whether it is what each score speaks for, as far as that is known.
    targets: [Option<bool>; SCORES.len()],
}

/// Counts of a word, \[fold\]\[score\].
type ByFold = HashMap<u64, Vec<Sides>, Hashed>;

/// Adds counts up.
pub(super) fn add(sum: &mut Sides, more: &Sides) {
    sum.resize(more.len(), [0; 2]);
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = [sum[0] + more[0], sum[1] + more[1]];
    }
}

/// The counts of all folds but some.
pub(super) fn sum_without(by_fold: &[Sides], left_out: &[usize]) -> Sides {
    let mut sum = Sides::new();
    let others = by_fold.iter().enumerate().filter(|(fold, _)| !left_out.contains(fold));
    others.for_each(|(_, counts)| add(&mut sum, counts));
    sum
}

/// Learns a score from pages; `folds` gives the fold of each.
///
/// # Errors
/// [`Error::Data`] if no leaf of any page is known to be content or not; as [`BoostedTrees::learn`].
pub fn learn(
    config: &BoostedConfig,
    scores: &[usize],
    view: View,
    pages: &[TrainingPage<'_>],
    folds: &[usize],
    progress: &dyn Progress,
) -> Result<LearnedScores> {
    let specs = config.check()?;
    let mut ready: Vec<PageRows> =
        pages.par_iter().map(|page| prepare(view, page, &specs, config.page_types)).collect();
    let out_of_fold = Folds::of(folds);
    let n_folds = out_of_fold.count();
    let trees: usize = scores.iter().map(|&score| config.settings_of(score).trees).sum();
    progress.stage("growing trees", trees * (n_folds + 1));
    let known = KINDS.map(|kind| match config.words {
        true => {
            let keys = |page: usize| lists(kind, &ready[page].inputs).keys().iter().copied();
            keys_of_hosts(pages, SITES[kind as usize], keys)
        }
        false => HashSet::default(),
    });
    let [known_classes, known_words] = known;
    ready.par_iter_mut().for_each(|page| {
        page.inputs.classes.retain(|key| known_classes.contains(&key));
        page.inputs.words.retain(|key| known_words.contains(&key));
    });
    let counts: [ByFold; 2] = KINDS.map(|kind| count(kind, scores, &ready, folds, n_folds));
    // All of them, or none.
    let terms: Option<Vec<&PageTerms>> = ready.iter().map(|page| page.inputs.terms.as_ref()).collect();
    let page_types = match terms {
        Some(terms) => page_types::learn(&terms, pages, view, folds)?,
        None => None,
    };
    ready.iter_mut().for_each(|page| page.inputs.terms = None);
    let (page_types, page_type_of) =
        page_types.map_or((None, Vec::new()), |learned| (Some(learned.page_types), learned.of_pages));
    let of_pages: Vec<OfPage> = pages
        .iter()
        .enumerate()
        .map(|(i, page)| {
            let told = page_type_of.get(i).map(PageType::most_probable);
            let page_type = told.map(|told| page_types::stated_type(page).unwrap_or(told));
            // Where each text has its label, any convention is known: that of what is extracted by default.
            let convention = if page.is_labelled() { Convention::ARTICLE } else { page.convention };
            OfPage { page_type, convention }
        })
        .collect();
    let conventions =
        config.conventions && of_pages.iter().any(|of_page| of_page.convention != of_pages[0].convention);
    let page_values: Vec<Vec<u32>> =
        of_pages.iter().map(|of_page| BoostedScores::page_values(of_page, conventions)).collect();
    // The words of a page's own site say nothing of other sites: each fold sees the counts of the others.
    let without = |folds: &[usize]| -> [TokenCounts; 2] {
        std::array::from_fn(|i| {
            let mut keys: Vec<u64> = counts[i].keys().copied().collect();
            keys.sort_unstable();
            let sums: Vec<Sides> = keys.iter().map(|key| sum_without(&counts[i][key], folds)).collect();
            TokenCounts::unnamed(&keys, sums.iter())
        })
    };
    // A label that trees have not seen must not reach them by way of the counts either: trees without a fold are grown on
    // the words of the others, each page's own left out.
    let grow = |left_out: Option<usize>| -> Result<Vec<(usize, BoostedTrees)>> {
        let trains: Vec<usize> = out_of_fold.seen(left_out).collect();
        let tables: Vec<[TokenCounts; 2]> =
            (0..n_folds).map(|own| without(&[own, left_out.unwrap_or(own)])).collect();
        // Of each page and place of a score.
        let columns = |(page, &fold): (&PageRows, &usize)| -> Vec<PackedColumns> {
            let [classes, words] = &tables[fold];
            let columns =
                BoostedScores::token_columns(classes, words, scores.len(), &page.tree, &page.inputs);
            columns.iter().map(|of_score| PackedColumns::new(of_score)).collect()
        };
        let tokens: Vec<Vec<PackedColumns>> = ready.par_iter().zip(folds).map(columns).collect();
        let grow = |(place, &score): (usize, &usize)| -> Result<(usize, BoostedTrees)> {
            let tokens = |page: usize| &tokens[page][place];
            Ok((score, grow(config, score, &ready, &page_values, tokens, &trains, progress)?))
        };
        scores.iter().enumerate().map(grow).collect()
    };
    let grown = out_of_fold.learn(grow)?;
    let of_folds: Vec<BoostedScores> = grown
        .of_folds
        .into_iter()
        .enumerate()
        .map(|(fold, trees)| {
            let [classes, words] = without(&[fold]);
            BoostedScores::new(config, classes, words, page_types.clone(), conventions, trees)
        })
        .collect::<Result<_>>()?;
    // P(type) comes from trees that have not seen the site either: those of each fold's own scores have.
    let score = |(i, (page, &fold)): (usize, (PageRows, &usize))| {
        let probabilities = page_type_of.get(i).copied();
        let (tree, inputs) = page.into_inputs();
        of_folds[fold].of_page(&tree, &inputs, of_pages[i], probabilities)
    };
    let of_pages = ready.into_par_iter().zip(folds).enumerate().map(score).collect();
    let names: [BTreeMap<String, Sides>; 2] =
        std::array::from_fn(|i| name(KINDS[i], &counts[i], view, pages));
    let [classes, words] = names.map(TokenCounts::try_from);
    let (classes, words) = (classes?, words?);
    let scores = BoostedScores::new(config, classes, words, page_types, conventions, grown.of_all)?;
    Ok(LearnedScores { scores, of_pages })
}

fn prepare(
    view: View,
    page: &TrainingPage<'_>,
    specs: &[&'static FeatureSpec],
    with_page_type: bool,
) -> PageRows {
    let labelled = page.labelled;
    let view = PageView::new(&labelled.page, view);
    let mut inputs = ScoreInputs::new(&Measures::new(&labelled.page, &view, None), specs, with_page_type);
    let columns = PackedColumns::new(&std::mem::take(&mut inputs.columns));
    let tree = view.tree.clone();
    let of_page = f64::from(inputs.n_words.first().copied().unwrap_or(0)).max(1.0);
    let mut rows = Vec::new();
    if page.reference.is_trusted() {
        for (v, leaf) in (0..tree.len() as u32).filter(|&v| tree.is_leaf(v)).zip(0..) {
            let texts = view.texts_of(&view.nodes[v as usize]);
            let target = |(_, labels): &(&str, &[Label])| {
                page.reference.is_of(texts, labels.iter().copied().collect())
            };
            let targets: [Option<bool>; SCORES.len()] = std::array::from_fn(|score| target(&SCORES[score]));
            if targets.iter().any(Option::is_some) {
                // Pages have equal weight, long texts more than short ones but not by their length.
                let weight = (f64::from(inputs.n_words[v as usize]).max(1.0) / of_page).sqrt() as f32;
                rows.push(Row { v, leaf, weight, targets });
            }
        }
    }
    PageRows { tree, inputs, columns, rows }
}

fn lists(kind: Words, inputs: &ScoreInputs) -> &TokenLists {
    match kind {
        Words::Classes => &inputs.classes,
        Words::Text => &inputs.words,
    }
}

/// Counts the leaves that have each word, of classes those below the element that has it.
fn count(kind: Words, scores: &[usize], ready: &[PageRows], folds: &[usize], n_folds: usize) -> ByFold {
    let mut counts = ByFold::default();
    for (page, &fold) in ready.iter().zip(folds) {
        let none: Sides = vec![[0; 2]; scores.len()];
        let mut leaves = vec![none.clone(); page.tree.len()];
        for Row { v, targets, .. } in &page.rows {
            for (sum, &score) in leaves[*v as usize].iter_mut().zip(scores) {
                if let Some(is_target) = targets[score] {
                    sum[usize::from(is_target)] += 1;
                }
            }
        }
        if matches!(kind, Words::Classes) {
            for v in (1..leaves.len()).rev() {
                let (above, below) = leaves.split_at_mut(v);
                add(&mut above[page.tree.parent(v as u32) as usize], &below[0]);
            }
        }
        for (v, leaves) in leaves.iter().enumerate().filter(|(_, leaves)| **leaves != none) {
            for key in lists(kind, &page.inputs).of(v as u32) {
                add(&mut counts.entry(*key).or_insert_with(|| vec![none.clone(); n_folds])[fold], leaves);
            }
        }
    }
    counts
}

/// The words that are counted by name.
fn name(kind: Words, counts: &ByFold, view: View, pages: &[TrainingPage<'_>]) -> BTreeMap<String, Sides> {
    let of_page = |page: &TrainingPage<'_>| -> BTreeMap<u64, String> {
        let view = PageView::new(&page.labelled.page, view);
        let dom = page.labelled.page.dom();
        let mut names = BTreeMap::new();
        let mut add = |word: &str| {
            let key = hash::hash_word(word);
            if counts.contains_key(&key) {
                names.entry(key).or_insert_with(|| word.to_lowercase());
            }
        };
        for node in &view.nodes {
            match kind {
                Words::Classes => class_tokens(dom, node).for_each(&mut add),
                Words::Text => text_words(dom, &view, node).for_each(&mut add),
            }
        }
        names
    };
    let names: Vec<BTreeMap<u64, String>> = pages.par_iter().map(of_page).collect();
    let names: BTreeMap<u64, String> = names.into_iter().rev().flatten().collect();
    names.into_iter().map(|(key, name)| (name, sum_without(&counts[&key], &[]))).collect()
}

/// Grows the trees of a score on the leaves of which it is known.
fn grow<'a>(
    config: &BoostedConfig,
    score: usize,
    ready: &[PageRows],
    page_values: &[Vec<u32>],
    tokens: impl Fn(usize) -> &'a PackedColumns + Sync,
    trains: &[usize],
    progress: &dyn Progress,
) -> Result<BoostedTrees> {
    let (mut target, mut weights, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
    for &page in trains {
        for row in &ready[page].rows {
            if let Some(is_target) = row.targets[score] {
                target.push(if is_target { 1.0 } else { 0.0 });
                weights.push(row.weight);
                nodes.push((page, row));
            }
        }
    }
    if target.is_empty() {
        return Err(Error::data(
            "the training pages",
            format!("of no text it is known whether '{}' speaks of it", SCORES[score].0),
            "train on a corpus with labels as well, or leave the feature out",
        ));
    }
    let columns = ScoreColumns { ready, page_values, tokens, nodes, inputs: config.inputs.len() };
    let rows = TrainingRows { columns: &columns, target: &target, weights: &weights, groups: None };
    BoostedTrees::learn(&rows, Loss::Logistic, &config.settings_of(score), progress)
}

/// What the trees of a score look at, made column by column: inputs, what words say, and what all nodes of a page share.
struct ScoreColumns<'a, F> {
    ready: &'a [PageRows],
    page_values: &'a [Vec<u32>],
    /// Of a page.
    tokens: F,
    /// The leaves of which the score is known, with their pages, one page after another.
    nodes: Vec<(usize, &'a Row)>,
    inputs: usize,
}

impl<'a, F: Fn(usize) -> &'a PackedColumns + Sync> Columns for ScoreColumns<'_, F> {
    fn count(&self) -> usize {
        self.inputs + TOKEN_COLUMNS.len() + self.page_values.first().map_or(0, Vec::len)
    }

    fn rows(&self, _: usize) -> usize {
        self.nodes.len()
    }

    fn values(&self, column: usize) -> Cow<'_, [u32]> {
        let mut values = Vec::with_capacity(self.nodes.len());
        // Page by page, so that a column is looked for once for all leaves of a page.
        for nodes in self.nodes.chunk_by(|a, b| a.0 == b.0) {
            let (page, leaves) = (nodes[0].0, nodes.iter().map(|(_, row)| row.leaf as usize));
            match column.checked_sub(self.inputs) {
                None => self.ready[page].columns.gather(column, leaves, &mut values),
                Some(token) if token < TOKEN_COLUMNS.len() => {
                    (self.tokens)(page).gather(token, leaves, &mut values);
                }
                Some(of_page) => {
                    let value = self.page_values[page][of_page - TOKEN_COLUMNS.len()];
                    values.resize(values.len() + nodes.len(), value);
                }
            }
        }
        values.into()
    }
}
