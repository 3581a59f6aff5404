//! `PageType`, what a page is as a whole, and `PageTypes`, its probability given the page.
//!
//! What counts as content depends on it: readers' posts are the content of a forum and no part of an article. So the type is
//! a latent variable of its own, inferred from the page before its nodes are, by a multinomial logistic regression over the
//! [terms](PageTerms) of the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::term_weights::{TermWeights, hundredths, nats};
use super::token_table::TokenTable;
use crate::error::{Error, Result};
use crate::features::PageTerms;
use crate::logistic::multinomial::softmax;

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

/// How the type of a page is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTypes {
    /// Of each type that was seen in training, by its name, the constant in hundredths of a nat.
    constants: BTreeMap<String, i32>,
    /// What each term says for each of them, in the same order.
    terms: TermWeights,
}

impl PageTypes {
    /// By weights of these types: the constant of each, and of each term by its name. They are rounded to hundredths of a nat.
    ///
    /// # Errors
    /// [`Error::Model`] if some terms have more weights than others.
    pub fn new(
        types: &[PageType],
        constants: &[f64],
        terms: impl IntoIterator<Item = (String, Vec<f64>)>,
    ) -> Result<Self> {
        // In the order of the names, which is that of a file.
        let mut order: Vec<usize> = (0..types.len()).collect();
        order.sort_by_key(|&i| types[i].name());
        let constants = order.iter().map(|&i| (types[i].name().to_owned(), hundredths(constants[i])));
        let row = |weights: Vec<f64>| order.iter().map(|&i| hundredths(weights[i])).collect();
        let terms = terms.into_iter().map(|(name, weights)| (name, row(weights))).collect();
        Ok(PageTypes { constants: constants.collect(), terms: TermWeights::new(&terms)? })
    }

    /// The table of terms, which stands beside a packed model.
    pub(super) fn table_mut(&mut self) -> &mut TokenTable {
        self.terms.table_mut()
    }

    /// Checks that the types are known ones, and that terms have a weight for each.
    ///
    /// # Errors
    /// [`Error::Usage`] if not.
    pub fn check(&self) -> Result<()> {
        let is_known = |name: &String| PageType::ALL.iter().any(|page_type| page_type.name() == name);
        let problem = match self.constants.keys().find(|name| !is_known(name)) {
            Some(name) => format!("page type '{name}' is not known"),
            None if self.constants.len() < 2 => "there are fewer than two page types".to_owned(),
            None if self.terms.outcomes().is_some_and(|n| n != self.constants.len()) => {
                format!("terms of pages do not have a weight for each of {} types", self.constants.len())
            }
            None => return Ok(()),
        };
        Err(Error::usage(problem, "train the model again"))
    }

    /// P(type) of a page; 0 for a type that was not seen in training.
    pub fn probabilities(&self, terms: &PageTerms) -> PageTypeProbabilities {
        let mut sums = [0.0; PageType::COUNT];
        let sums = &mut sums[..self.constants.len()];
        self.terms.sums(terms, sums);
        let scores = self.constants.values().zip(sums);
        let mut scores: Vec<f64> = scores.map(|(&constant, sum)| f64::from(nats(constant) + *sum)).collect();
        softmax(&mut scores);
        PageType::ALL.map(|page_type| self.place(page_type).map_or(0.0, |i| scores[i]))
    }

    /// The known terms of a page, with how many nats each speaks more for one type than for another, the most first; nothing
    /// of types that were not seen in training.
    pub fn evidence(&self, terms: &PageTerms, page_type: PageType, other: PageType) -> Vec<(&str, f32)> {
        let places = self.place(page_type).zip(self.place(other));
        places.map_or(Vec::new(), |(own, other)| self.terms.evidence(terms, own, other))
    }

    /// The place of a type among those that were seen in training.
    fn place(&self, page_type: PageType) -> Option<usize> {
        self.constants.keys().position(|name| name == page_type.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::TokenLists;
    use crate::features::measures::Measures;
    use crate::page::Page;
    use crate::view::{PageView, View};

    /// Of a page with as many oaks as ashes, which are its whole list of words.
    fn terms() -> PageTerms {
        let page = Page::parse("test", None, b"<p>Oak ash</p>", None, &Default::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let measures = Measures::new(&page, &view, None);
        PageTerms::new(&measures, &TokenLists::from_classes(&measures))
    }

    #[test]
    fn types_are_told_by_the_terms_of_a_page_and_its_evidence_adds_up() {
        let weights = [("text oak", [1.0, -1.0]), ("text ash", [-0.25, 0.5]), ("text elm", [9.0, -9.0])];
        let weights = weights.map(|(term, weights)| (term.to_owned(), weights.to_vec()));
        let told = PageTypes::new(&[PageType::Forum, PageType::Article], &[0.5, -0.25], weights).unwrap();
        told.check().unwrap();
        let probabilities = told.probabilities(&terms());
        let [article, forum] = [PageType::Article, PageType::Forum].map(|of| probabilities[of as usize]);
        let value = 0.5f64.sqrt();
        let more = 0.75 + value * (0.75 + 0.5);
        assert!((forum - 1.0 / (1.0 + (-more).exp())).abs() < 1e-6 && (article + forum - 1.0).abs() < 1e-12);
        assert_eq!(probabilities[PageType::Recipe as usize], 0.0);
        let terms = terms();
        let evidence = told.evidence(&terms, PageType::Forum, PageType::Article);
        assert_eq!(evidence.iter().map(|(term, _)| *term).collect::<Vec<_>>(), ["text oak", "text ash"]);
        let sum: f32 = evidence.iter().map(|(_, nats)| nats).sum();
        assert!((0.75 + f64::from(sum) - more).abs() < 1e-6);
        assert_eq!(told.evidence(&terms, PageType::Forum, PageType::Recipe), []);
        let read: PageTypes = serde_json::from_value(serde_json::to_value(&told).unwrap()).unwrap();
        assert_eq!(read, told);
    }

    #[test]
    fn a_file_of_other_types_or_with_weights_for_more_is_refused() {
        let read = |text: &str| serde_json::from_str::<PageTypes>(text).map(|read| read.check());
        let problem = |text: &str| read(text).unwrap().unwrap_err().to_string();
        assert!(
            problem(r#"{"constants": {"article": 1, "leaf": 2}, "terms": {}}"#)
                .contains("'leaf' is not known")
        );
        assert!(problem(r#"{"constants": {"article": 1}, "terms": {}}"#).contains("fewer than two"));
        let more = r#"{"constants": {"article": 1, "forum": 2}, "terms": {"text oak": [1, 2, 3]}}"#;
        assert!(problem(more).contains("a weight for each of 2 types"));
        let other = r#"{"constants": {"article": 1, "forum": 2}, "terms": {"leaf oak": [1, 2]}}"#;
        assert!(read(other).unwrap_err().to_string().contains("a term is of no list"));
    }

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
