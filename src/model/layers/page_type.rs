//! `PageType`, what a page is as a whole, and `PageTypes`, its probability given the page.
//!
//! What counts as content depends on it: readers' posts are the content of a forum and no part of an article. So the type is
//! a latent variable of its own, inferred from the page before its nodes are: for each type boosted trees over what is
//! counted of the whole page, and over the words of its classes and those by which it says what it is
//! ([`stated_words`](crate::features::stated_words)), each by the logarithm of its odds as in
//! [`boosted_scores`](super::boosted_scores). Each type is learned against all others, and the probabilities are divided
//! by their sum (Rifkin & Klautau 2004, "In defense of one-vs-all classification").

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::token_counts::TokenCounts;
use crate::boosting::BoostedTrees;
use crate::error::{Error, Result};
use crate::features::hash;
use crate::features::measures::Measures;
use crate::features::{FeatureSpec, TokenLists, catalogue, stated_in};
use crate::logistic::sigmoid;

/// What a page is as a whole: the types of the Web Content Extraction Benchmark, and those of the pages labelled by reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageType {
    /// One text: news, a blog's post, an essay.
    Article,
    /// A thread of posts by readers, questions with answers.
    Forum,
    /// One thing that is sold.
    Product,
    /// Things that are sold, of one category.
    Collection,
    /// Teasers of other pages: a home page, a category, search results.
    Listing,
    /// A manual, a reference, a page of an encyclopedia of software.
    Documentation,
    /// What an organisation offers.
    Service,
    /// How a dish is made.
    Recipe,
    /// The first page of a site.
    HomePage,
    /// What is to be filled in: a login, a search, an order.
    Form,
    /// Anything else: a profile, a map, a player.
    Other,
}

impl PageType {
    /// How many there are.
    pub const COUNT: usize = 11;
    /// All of them, in order.
    pub const ALL: [PageType; Self::COUNT] = [
        PageType::Article,
        PageType::Forum,
        PageType::Product,
        PageType::Collection,
        PageType::Listing,
        PageType::Documentation,
        PageType::Service,
        PageType::Recipe,
        PageType::HomePage,
        PageType::Form,
        PageType::Other,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; PageType::COUNT] = [
            "article",
            "forum",
            "product",
            "collection",
            "listing",
            "documentation",
            "service",
            "recipe",
            "home-page",
            "form",
            "other",
        ];
        NAMES[self as usize]
    }

    /// All types with their probabilities, the most probable first; of equals the first in [order](PageType::ALL).
    pub fn by_probability(probabilities: &PageTypeProbabilities) -> Vec<(PageType, f64)> {
        let mut types: Vec<(PageType, f64)> = PageType::ALL.into_iter().zip(*probabilities).collect();
        types.sort_by(|a, b| b.1.total_cmp(&a.1));
        types
    }

    /// The most probable type; of equals the first in [order](PageType::ALL).
    pub fn most_probable(probabilities: &PageTypeProbabilities) -> PageType {
        Self::by_probability(probabilities)[0].0
    }

    /// The types that are at least so probable, the most probable first, with their probabilities divided by their sum; the
    /// most probable one where none is.
    pub fn likely(probabilities: &PageTypeProbabilities, least: f64) -> ByType<PageType> {
        let mut types = Self::by_probability(probabilities);
        let n = types.iter().take_while(|(_, p)| *p >= least).count().max(1);
        types.truncate(n);
        let sum: f64 = types.iter().map(|(_, p)| p).sum();
        types.into_iter().map(|(page_type, p)| (p / sum, page_type)).collect()
    }

    /// The type that a corpus states: its name, or, since corpora have names of their own, one that speaks of an article,
    /// news or a blog.
    pub fn stated(text: &str) -> Option<PageType> {
        let text = text.to_lowercase();
        let named = PageType::ALL.into_iter().find(|page_type| page_type.name() == text);
        let mut words = text.split(|c: char| !c.is_alphabetic());
        named.or(match text.as_str() {
            "homepage" => Some(PageType::HomePage),
            "profile" => Some(PageType::Other),
            _ => words.any(|word| matches!(word, "article" | "news" | "blog")).then_some(PageType::Article),
        })
    }
}

/// P(type) of a page, in the order of [`PageType::ALL`]; their sum is 1.
pub type PageTypeProbabilities = [f64; PageType::COUNT];

/// Something given each type that a page may be of, with the probability of the type; the probabilities sum to 1.
pub type ByType<T> = Vec<(f64, T)>;

/// The mean over the types of a page, by their probabilities.
///
/// # Panics
/// If there is no type.
pub fn mean_over_types(by_type: ByType<Vec<f64>>) -> Vec<f64> {
    let mut by_type = by_type.into_iter();
    let (p, mut mean) = by_type.next().expect("a page is of some type");
    if by_type.len() > 0 {
        mean.iter_mut().for_each(|own| *own *= p);
    }
    by_type.for_each(|(p, other)| mean.iter_mut().zip(other).for_each(|(mean, own)| *mean += p * own));
    mean
}

/// What the type of a page is told by, from the page alone.
#[derive(Debug, Clone, Default)]
pub struct PageTypeInputs {
    /// The features of the family "page".
    pub columns: Vec<u32>,
    /// The keys of the words of all classes, each once.
    pub classes: Vec<u64>,
    /// The keys of what the page says it is.
    pub stated: Vec<u64>,
}

/// The features that are the same for all nodes of a page: the family "page".
fn features() -> &'static [FeatureSpec] {
    let family = catalogue::FAMILIES.iter().find(|family| family.name == "page");
    family.expect("the catalogue has the family").features
}

impl PageTypeInputs {
    /// Of a page whose words of classes are known.
    pub(super) fn new(measures: &Measures<'_>, classes: &TokenLists) -> Self {
        let features: Vec<&'static FeatureSpec> = features().iter().collect();
        let columns = match measures.view().tree.is_empty() {
            true => vec![0; features.len()],
            false => measures.columns(&features, &[0]).concat(),
        };
        let mut classes = classes.keys().to_vec();
        classes.sort_unstable();
        classes.dedup();
        let stated = stated_in(measures.page().dom(), measures.head());
        PageTypeInputs { columns, classes, stated: stated.iter().map(|word| hash::hash_word(word)).collect() }
    }
}

/// How the type of a page is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTypes {
    /// Of the words of classes, for each type the pages of others and its own that have them.
    classes: TokenCounts,
    /// Of what pages say they are.
    stated: TokenCounts,
    /// The trees of each type by its name; none of a type that was not seen in training.
    trees: BTreeMap<String, BoostedTrees>,
}

impl PageTypes {
    /// The types by these trees, over [`PageTypes::columns`].
    ///
    /// # Errors
    /// [`Error::Usage`] as [`PageTypes::check`].
    pub fn new(
        classes: TokenCounts,
        stated: TokenCounts,
        trees: impl IntoIterator<Item = (PageType, BoostedTrees)>,
    ) -> Result<Self> {
        let trees = trees.into_iter().map(|(page_type, trees)| (page_type.name().to_owned(), trees));
        let page_types = PageTypes { classes, stated, trees: trees.collect() };
        page_types.check()?;
        Ok(page_types)
    }

    /// The counts of words: of classes, and of what pages say they are.
    pub(super) fn tokens_mut(&mut self) -> [&mut TokenCounts; 2] {
        [&mut self.classes, &mut self.stated]
    }

    /// Checks that the trees are of types that there are, over as many columns as there are.
    ///
    /// # Errors
    /// [`Error::Usage`] if not.
    pub fn check(&self) -> Result<()> {
        let is_known = |name: &String| PageType::ALL.iter().any(|page_type| page_type.name() == name);
        let columns = features().len() + 2 * PageType::COUNT;
        match self.trees.iter().find(|(name, trees)| !is_known(name) || trees.features() != columns) {
            Some((name, trees)) => Err(Error::usage(
                format!("page type '{name}': trees over {} columns for {columns}", trees.features()),
                "train the model again",
            )),
            None if self.trees.is_empty() => {
                Err(Error::usage("page types: there are no trees", "train the model again"))
            }
            None => Ok(()),
        }
    }

    /// What the trees look at: the features of the page, and for each type what the words of its classes (their mean) and
    /// what it says it is (their sum) speak for it, in 64ths of a nat above -16.
    pub fn columns(classes: &TokenCounts, stated: &TokenCounts, inputs: &PageTypeInputs) -> Vec<u32> {
        let scaled = |value: f32| ((value.clamp(-16.0, 16.0) + 16.0) * 64.0).round() as u32;
        let [mut of_classes, mut of_stated] = [[0.0; PageType::COUNT]; 2];
        let known = classes.sums(&inputs.classes, &mut of_classes).max(1) as f32;
        stated.sums(&inputs.stated, &mut of_stated);
        let words = of_classes.into_iter().zip(of_stated);
        let words = words.flat_map(|(sum, stated)| [scaled(16.0 * sum / known), scaled(stated)]);
        inputs.columns.iter().copied().chain(words).collect()
    }

    /// P(type) of a page.
    pub fn probabilities(&self, inputs: &PageTypeInputs) -> PageTypeProbabilities {
        let columns = Self::columns(&self.classes, &self.stated, inputs);
        let rows: Vec<&[u32]> = columns.iter().map(std::slice::from_ref).collect();
        let own = PageType::ALL.map(|page_type| match self.trees.get(page_type.name()) {
            Some(trees) => {
                let scores = trees.score_all(&rows).expect("as many columns as features: they were checked");
                sigmoid(scores[0])
            }
            None => 0.0,
        });
        let sum: f64 = own.iter().sum();
        own.map(|p| p / sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corpora_have_names_of_their_own() {
        for (text, page_type) in [
            ("forum", Some(PageType::Forum)),
            ("Listing", Some(PageType::Listing)),
            ("news article", Some(PageType::Article)),
            ("news/blog", Some(PageType::Article)),
            ("article (site rule)", Some(PageType::Article)),
            ("listing/forum (paginated)", None),
            ("mixed", None),
        ] {
            assert_eq!(PageType::stated(text), page_type, "{text}");
        }
    }
}
