//! Signifiers: the few terms that stand for what a page is about.

use std::collections::HashMap;

use super::terms::{PageTerms, Term, Vocabulary};

/// The most signifiers a page may have: a node's set of them is the bits of a number.
pub(super) const MAX_SIGNIFIERS: u32 = 100;

/// Where signifiers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignifierSource {
    /// The terms of highest tf-idf over the pages of the site.
    TfIdf,
    /// The terms of the feed item's title and description; of the page's own title and meta description where the
    /// page has no feed item.
    Feed,
}

/// A page's signifiers, most telling first, each with its weight relative to the first's, from 0 (excluded) to 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Signifiers(Vec<(Term, f64)>);

impl Signifiers {
    /// The place of a term among the signifiers.
    pub fn places(&self) -> HashMap<Term, u32> {
        self.0.iter().zip(0..).map(|(&(term, _), place)| (term, place)).collect()
    }

    /// The sum of the weights of the signifiers whose bits are set.
    pub fn weight(&self, set: u128) -> f64 {
        let of_set = |&(place, _): &(usize, &(Term, f64))| set & (1 << place) != 0;
        self.0.iter().enumerate().filter(of_set).map(|(_, &(_, weight))| weight).sum()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The `k` terms of highest weight above 0. Of equals the more frequent, then the one that comes first.
    fn top(k: usize, terms: &[Term], weight: impl Fn(Term, f64) -> f64) -> Signifiers {
        let mut frequencies: HashMap<Term, (f64, usize)> = HashMap::new();
        for (place, &term) in terms.iter().enumerate() {
            frequencies.entry(term).or_insert((0.0, place)).0 += 1.0;
        }
        let mut ranked: Vec<(f64, f64, usize, Term)> = frequencies
            .into_iter()
            .map(|(term, (frequency, place))| (weight(term, frequency), frequency, place, term))
            .filter(|&(weight, ..)| weight > 0.0)
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        ranked.truncate(k);
        let most = ranked.first().map_or(1.0, |&(weight, ..)| weight);
        Signifiers(ranked.into_iter().map(|(weight, _, _, term)| (term, weight / most)).collect())
    }
}

/// The signifiers of each page of a site.
pub(super) fn find_signifiers(
    source: SignifierSource,
    k: usize,
    pages: &[PageTerms],
    vocabulary: &Vocabulary,
) -> Vec<Signifiers> {
    if source == SignifierSource::Feed {
        return pages.iter().map(|page| Signifiers::top(k, &page.feed, |_, frequency| frequency)).collect();
    }
    let mut document_frequencies = vec![0_u32; vocabulary.len()];
    let mut last_seen = vec![usize::MAX; vocabulary.len()];
    for (number, page) in pages.iter().enumerate() {
        for &term in page.all() {
            if std::mem::replace(&mut last_seen[term as usize], number) != number {
                document_frequencies[term as usize] += 1;
            }
        }
    }
    let inverse_document_frequency = |term: Term| match pages.len() {
        // Constant on a single page (section 4, "Influence of the number of pages").
        1 => 1.0,
        n => (n as f64 / f64::from(document_frequencies[term as usize])).ln(),
    };
    let of_page = |page: &PageTerms| {
        Signifiers::top(k, page.all(), |term, frequency| frequency * inverse_document_frequency(term))
    };
    pages.iter().map(of_page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{FeedItem, Page};

    /// The signifiers of pages with these bodies.
    fn signifiers(source: SignifierSource, k: usize, bodies: &[&str]) -> Vec<Vec<String>> {
        let mut vocabulary = Vocabulary::default();
        let pages: Vec<PageTerms> = bodies
            .iter()
            .map(|body| {
                let html = format!("<html lang=en><title>Acorn</title><body>{body}");
                let page = Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
                PageTerms::new(&page, &mut vocabulary)
            })
            .collect();
        let found = find_signifiers(source, k, &pages, &vocabulary);
        let names = |page: &Signifiers| {
            page.0.iter().map(|&(term, weight)| format!("{} {weight:.2}", vocabulary.term(term))).collect()
        };
        found.iter().map(names).collect()
    }

    #[test]
    fn tf_idf_takes_what_is_frequent_on_a_page_and_rare_on_its_site() {
        let bodies = ["menu menu menu oak oak beech bark", "menu menu ash bark", "menu fir"];
        let found = signifiers(SignifierSource::TfIdf, 2, &bodies);
        assert_eq!(found[0], ["oak 1.00", "beech 0.50"]);
        // The rest of the page: the term of one page before that of two, and never that of all.
        assert_eq!(found[1], ["ash 1.00", "bark 0.37"]);
        assert_eq!(found[2], ["fir 1.00"]);
    }

    #[test]
    fn on_a_single_page_the_frequency_alone_decides_and_the_first_of_equals() {
        assert_eq!(signifiers(SignifierSource::TfIdf, 2, &["ash oak fir oak"]), [["oak 1.00", "ash 0.50"]]);
    }

    #[test]
    fn equal_pages_have_no_signifiers() {
        assert_eq!(
            signifiers(SignifierSource::TfIdf, 5, &["oak", "oak"]),
            [Vec::<String>::new(), Vec::new()]
        );
    }

    #[test]
    fn the_feed_item_comes_before_the_title() {
        assert_eq!(signifiers(SignifierSource::Feed, 5, &["oak"]), [["acorn 1.00"]]);
        let html = b"<html lang=en><title>Acorn</title><p>oak";
        let item = FeedItem { title: "Old oaks".to_owned(), description: "The oak fell".to_owned() };
        let page = Page::parse("p", None, html, None, &Default::default()).unwrap().with_feed_item(item);
        let mut vocabulary = Vocabulary::default();
        let pages = [PageTerms::new(&page, &mut vocabulary)];
        let found = find_signifiers(SignifierSource::Feed, 1, &pages, &vocabulary).remove(0);
        assert_eq!(found.0.iter().map(|&(term, _)| vocabulary.term(term)).collect::<Vec<_>>(), ["oak"]);
    }

    #[test]
    fn the_weight_of_a_set_is_that_of_its_members() {
        let signifiers = Signifiers(vec![(7, 1.0), (3, 0.5), (9, 0.25)]);
        assert_eq!(signifiers.weight(0b101), 1.25);
        assert_eq!(signifiers.weight(0), 0.0);
        assert_eq!(signifiers.places()[&9], 2);
    }
}
