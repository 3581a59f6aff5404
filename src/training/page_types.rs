//! Learning of the types of pages: weights of terms, and for every page the type by weights that have not seen its site.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use super::out_of_fold::Folds;
use super::page::{TrainingPage, keys_of_hosts};
use crate::error::Result;
use crate::features::PageTerms;
use crate::features::hash::Hashed;
use crate::logistic::multinomial::{SparseRow, most_probable_weights};
use crate::model::layers::page_type::{PageType, PageTypeProbabilities, PageTypes};
use crate::view::{PageView, View};

/// A term is known if pages of so many hosts have it.
const HOSTS: usize = 20;
/// The fewest pages of a type that it is learned from.
const LEAST_PAGES: usize = 20;
/// The penalty on the squares of weights.
const PENALTY: f64 = 0.25;
/// What a page counts whose corpus has pages of its type alone: such a corpus tells what its sites look like, more than what
/// a page of that type looks like among others.
const ALONE: f32 = 0.25;
/// A corpus with so many types of pages tells what one is like among others.
const SEVERAL_TYPES: usize = 3;

/// The types, and P(type) of each page by weights learned on other sites.
pub(super) struct LearnedPageTypes {
    pub page_types: PageTypes,
    pub of_pages: Vec<PageTypeProbabilities>,
}

/// Learns the types; nothing where fewer than two of them have enough pages.
///
/// # Errors
/// As [`PageTypes::new`].
pub(super) fn learn(
    terms: &[&PageTerms],
    pages: &[TrainingPage<'_>],
    view: View,
    folds: &[usize],
) -> Result<Option<LearnedPageTypes>> {
    let stated: Vec<Option<PageType>> = pages.iter().map(stated_type).collect();
    let n_pages = |page_type| stated.iter().filter(|&&of_page| of_page == Some(page_type)).count();
    let types: Vec<PageType> =
        PageType::ALL.into_iter().filter(|&page_type| n_pages(page_type) >= LEAST_PAGES).collect();
    if types.len() < 2 {
        return Ok(None);
    }
    let names = known_terms(terms, pages, view);
    let columns: HashMap<u64, u32, Hashed> = names.keys().copied().zip(0..).collect();
    let row = |terms: &&PageTerms| -> Vec<(u32, f32)> {
        terms.values().iter().filter_map(|&(key, value)| Some((*columns.get(&key)?, value))).collect()
    };
    let rows: Vec<Vec<(u32, f32)>> = terms.par_iter().map(row).collect();
    let weights = corpus_weights(pages);
    let out_of_fold = Folds::of(folds);
    let learned = out_of_fold.learn_at_once(|left_out| {
        let row = |page: usize| {
            let outcome = types.iter().position(|&page_type| Some(page_type) == stated[page])?;
            let weight = weights[&pages[page].source].into();
            Some(SparseRow { values: &rows[page], outcome, weight })
        };
        let seen: Vec<SparseRow<'_>> = out_of_fold.seen(left_out).filter_map(row).collect();
        let learned = most_probable_weights(&seen, columns.len(), types.len(), PENALTY);
        let of_terms = learned.weights.chunks(types.len()).map(<[f64]>::to_vec);
        PageTypes::new(&types, &learned.constants, names.values().cloned().zip(of_terms))
    })?;
    let of_page = |(terms, &fold): (&&PageTerms, &usize)| learned.of_folds[fold].probabilities(terms);
    let of_pages = terms.par_iter().zip(folds).map(of_page).collect();
    Ok(Some(LearnedPageTypes { page_types: learned.of_all, of_pages }))
}

/// The names of the terms of enough hosts, by their keys.
fn known_terms(terms: &[&PageTerms], pages: &[TrainingPage<'_>], view: View) -> BTreeMap<u64, String> {
    let known = keys_of_hosts(pages, HOSTS, |page| terms[page].values().iter().map(|(key, _)| *key));
    let names_of = |page: &TrainingPage<'_>| -> BTreeMap<u64, String> {
        let view = PageView::new(&page.labelled.page, view);
        let names = PageTerms::names(&page.labelled.page, &view).into_iter();
        let keyed = names.filter_map(|name| Some((PageTerms::key(&name)?, name)));
        keyed.filter(|(key, _)| known.contains(key)).collect()
    };
    let names: Vec<BTreeMap<u64, String>> = pages.par_iter().map(names_of).collect();
    names.into_iter().flatten().collect()
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
