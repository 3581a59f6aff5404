//! Learning of the types of pages: counts of words, trees, and for every page the type by trees that have not seen its site.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::prelude::*;

use super::boosted::{add, sum_without};
use super::out_of_fold::Folds;
use super::page::TrainingPage;
use crate::boosting::{BoostedTrees, BoostingSettings, Loss, TrainingRows};
use crate::error::Result;
use crate::features::hash::{self, Hashed};
use crate::features::{class_tokens, stated_words};
use crate::model::layers::page_type::{PageType, PageTypeInputs, PageTypeProbabilities, PageTypes};
use crate::model::layers::token_counts::{Sides, TokenCounts};
use crate::progress::Silent;
use crate::view::{PageView, View};

/// A word is known if pages of so many hosts have it.
const HOSTS: usize = 8;
/// The fewest pages of a type that it is learned from.
const LEAST_PAGES: usize = 20;
/// What a page counts whose corpus has pages of its type alone: such a corpus tells what its sites look like, more than what
/// a page of that type looks like among others.
const ALONE: f32 = 0.25;
/// A corpus with so many types of pages tells what one is like among others.
const SEVERAL_TYPES: usize = 3;
/// Pages are few beside leaves: small trees.
const SETTINGS: BoostingSettings = BoostingSettings {
    trees: 80,
    learning_rate: 0.1,
    leaves: 8,
    min_rows: 15,
    max_cuts: 63,
    l2: 2.0,
    feature_share: 0.4,
    row_share: 0.7,
    seed: 1,
};

/// A page to learn from.
struct TypedPage<'a> {
    inputs: &'a PageTypeInputs,
    host: &'a str,
    /// What the corpus states.
    page_type: Option<PageType>,
    weight: f32,
}

/// The types, and P(type) of each page by trees grown on other sites.
pub(super) struct LearnedPageTypes {
    pub page_types: PageTypes,
    pub of_pages: Vec<PageTypeProbabilities>,
}

/// Learns the types; nothing where fewer than two of them have enough pages.
///
/// # Errors
/// As [`BoostedTrees::learn`].
pub(super) fn learn(
    inputs: &[&PageTypeInputs],
    pages: &[TrainingPage<'_>],
    view: View,
    folds: &[usize],
) -> Result<Option<LearnedPageTypes>> {
    let weights = corpus_weights(pages);
    let typed: Vec<TypedPage<'_>> = inputs
        .iter()
        .zip(pages)
        .map(|(&inputs, page)| {
            let weight = weights[&page.source];
            TypedPage { inputs, host: &page.labelled.host, page_type: stated_type(page), weight }
        })
        .collect();
    learn_from(&typed, folds, |list, keys| names(list, keys, pages, view))
}

/// What a page of each corpus counts, by the corpus.
pub(super) fn corpus_weights(pages: &[TrainingPage<'_>]) -> BTreeMap<String, f32> {
    let mut of_corpus: BTreeMap<String, BTreeSet<PageType>> = BTreeMap::new();
    for page in pages {
        of_corpus.entry(page.source.clone()).or_default().extend(stated_type(page));
    }
    let weight = |types: BTreeSet<PageType>| if types.len() < SEVERAL_TYPES { ALONE } else { 1.0 };
    of_corpus.into_iter().map(|(corpus, types)| (corpus, weight(types))).collect()
}

/// What the corpus states.
pub(super) fn stated_type(page: &TrainingPage<'_>) -> Option<PageType> {
    page.labelled.page_type.as_deref().and_then(PageType::stated)
}

/// The words with these keys: of classes in list 0, of what pages say they are in list 1.
fn names(list: usize, keys: &[u64], pages: &[TrainingPage<'_>], view: View) -> BTreeMap<u64, String> {
    let words = |page: &TrainingPage<'_>| -> Vec<String> {
        let dom = page.labelled.page.dom();
        match list {
            0 => {
                let view = PageView::new(&page.labelled.page, view);
                view.nodes.iter().flat_map(|node| class_tokens(dom, node)).map(str::to_lowercase).collect()
            }
            _ => stated_words(dom),
        }
    };
    let known: HashSet<u64, Hashed> = keys.iter().copied().collect();
    let words = pages.par_iter().flat_map_iter(words).map(|word| (hash::hash_word(&word), word));
    words.filter(|(key, _)| known.contains(key)).collect()
}

fn learn_from(
    pages: &[TypedPage<'_>],
    folds: &[usize],
    names: impl Fn(usize, &[u64]) -> BTreeMap<u64, String>,
) -> Result<Option<LearnedPageTypes>> {
    let out_of_fold = Folds::of(folds);
    let n_folds = out_of_fold.count();
    let n_pages = |page_type| pages.iter().filter(|page| page.page_type == Some(page_type)).count();
    let seen = PageType::ALL.into_iter().filter(|&page_type| n_pages(page_type) >= LEAST_PAGES);
    let seen: Vec<PageType> = seen.collect();
    if seen.len() < 2 {
        return Ok(None);
    }
    let counts: [BTreeMap<u64, Vec<Sides>>; 2] =
        std::array::from_fn(|list| count(list, pages, folds, n_folds));
    let without = |left_out: &[usize]| -> [TokenCounts; 2] {
        std::array::from_fn(|list| {
            let sums: Vec<Sides> =
                counts[list].values().map(|by_fold| sum_without(by_fold, left_out)).collect();
            let keys: Vec<u64> = counts[list].keys().copied().collect();
            TokenCounts::unnamed(&keys, sums.iter())
        })
    };
    // As for the scores of nodes: each page's own fold is left out of the counts that its words are judged by.
    let grow = |left_out: Option<usize>| -> Result<Vec<(PageType, BoostedTrees)>> {
        let tables: Vec<[TokenCounts; 2]> =
            (0..n_folds).map(|own| without(&[own, left_out.unwrap_or(own)])).collect();
        let is_stated = |&page: &usize| pages[page].page_type.is_some();
        let trains: Vec<usize> = out_of_fold.seen(left_out).filter(is_stated).collect();
        let rows: Vec<Vec<u32>> = trains
            .par_iter()
            .map(|&page| {
                let [classes, stated] = &tables[folds[page]];
                PageTypes::columns(classes, stated, pages[page].inputs)
            })
            .collect();
        let columns: Vec<Vec<u32>> = (0..rows.first().map_or(0, Vec::len))
            .map(|column| rows.iter().map(|row| row[column]).collect())
            .collect();
        let weights: Vec<f32> = trains.iter().map(|&page| pages[page].weight).collect();
        let of_type = |&page_type: &PageType| -> Result<(PageType, BoostedTrees)> {
            let is_of_type = |&page: &usize| if pages[page].page_type == Some(page_type) { 1.0 } else { 0.0 };
            let target: Vec<f32> = trains.iter().map(is_of_type).collect();
            let rows = TrainingRows { columns: &columns, target: &target, weights: &weights, groups: None };
            Ok((page_type, BoostedTrees::learn(&rows, Loss::Logistic, &SETTINGS, &Silent)?))
        };
        seen.par_iter().map(of_type).collect()
    };
    let grown = out_of_fold.learn(grow)?;
    let of_folds: Vec<PageTypes> = grown
        .of_folds
        .into_iter()
        .enumerate()
        .map(|(fold, trees)| {
            let [classes, stated] = without(&[fold]);
            PageTypes::new(classes, stated, trees)
        })
        .collect::<Result<_>>()?;
    let of_pages = pages.par_iter().zip(folds);
    let of_pages = of_pages.map(|(page, &fold)| of_folds[fold].probabilities(page.inputs)).collect();
    let named = |list: usize| -> Result<TokenCounts> {
        let keys: Vec<u64> = counts[list].keys().copied().collect();
        let named = names(list, &keys).into_iter();
        TokenCounts::try_from(
            named
                .map(|(key, name)| (name, sum_without(&counts[list][&key], &[])))
                .collect::<BTreeMap<_, _>>(),
        )
    };
    let page_types = PageTypes::new(named(0)?, named(1)?, grown.of_all)?;
    Ok(Some(LearnedPageTypes { page_types, of_pages }))
}

/// Counts, for each word of enough hosts, the pages of each fold that have it: for each type those of others and its own.
fn count(list: usize, pages: &[TypedPage<'_>], folds: &[usize], n_folds: usize) -> BTreeMap<u64, Vec<Sides>> {
    let mut hosts: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
    let mut counts: BTreeMap<u64, Vec<Sides>> = BTreeMap::new();
    for (page, &fold) in pages.iter().zip(folds) {
        let Some(own) = page.page_type else { continue };
        let sides: Sides =
            PageType::ALL.iter().map(|&page_type| if page_type == own { [0, 1] } else { [1, 0] }).collect();
        let words = if list == 0 { &page.inputs.classes } else { &page.inputs.stated };
        for &word in words {
            hosts.entry(word).or_default().insert(page.host);
            let none = || vec![vec![[0; 2]; PageType::COUNT]; n_folds];
            add(&mut counts.entry(word).or_insert_with(none)[fold], &sides);
        }
    }
    counts.retain(|word, _| hosts[word].len() >= HOSTS);
    counts
}
