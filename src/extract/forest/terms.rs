//! `PageTerms`, the terms of a page by text node: words without stop words, stemmed, in the page's language.

use std::collections::{HashMap, HashSet};

use snowball_stemmers_rs::{Algorithm, Stemmer};

use crate::dom::{Dom, Tag};
use crate::extract::metadata::Metadata;
use crate::index::NodeId;
use crate::page::Page;
use crate::page_work::check_time;
use crate::tokens;

/// A term's number in the vocabulary of its site.
pub(super) type Term = u32;

/// The terms of a site by their numbers, which are in the order of their first occurrence.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(HashMap<String, Term>);

impl Vocabulary {
    fn number(&mut self, term: &str) -> Term {
        if let Some(&number) = self.0.get(term) {
            return number;
        }
        let number = self.0.len() as Term;
        self.0.insert(term.to_owned(), number);
        number
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[cfg(test)]
    pub fn term(&self, number: Term) -> &str {
        self.0.iter().find(|&(_, &known)| known == number).map(|(term, _)| term.as_str()).unwrap()
    }
}

/// The text nodes of a page that hold terms, and what stands beside them.
pub(super) struct PageTerms {
    /// The leaves: text nodes that are shown, not those in `<noscript>`, in document order.
    leaves: Vec<NodeId>,
    /// The terms of all leaves.
    terms: Vec<Term>,
    /// Where the terms of each leaf begin.
    starts: Vec<usize>,
    /// The terms of title and description of the feed's item, or of the page's own where no feed has one.
    pub feed: Vec<Term>,
}

impl PageTerms {
    pub fn new(page: &Page, vocabulary: &mut Vocabulary) -> PageTerms {
        let dom = page.dom();
        let leaves = leaves(dom);
        let text = leaves.iter().map(|&id| dom.text(id)).collect::<Vec<_>>().join(" ");
        let metadata = Metadata::read(page, &text);
        let language = metadata.language.map(|field| field.value).unwrap_or_default();
        let analyzer = Analyzer::new(&language);
        let (mut terms, mut starts) = (Vec::new(), Vec::new());
        for &leaf in &leaves {
            check_time();
            starts.push(terms.len());
            analyzer.each_term(dom.text(leaf), |term| terms.push(vocabulary.number(term)));
        }
        let mut feed = Vec::new();
        let mut read = |text: &str| analyzer.each_term(text, |term| feed.push(vocabulary.number(term)));
        match page.feed_item() {
            Some(item) => {
                read(&item.title);
                read(&item.description);
            }
            None => {
                let stated = [metadata.title, metadata.description];
                stated.into_iter().flatten().for_each(|field| read(&field.value));
            }
        }
        PageTerms { leaves, terms, starts, feed }
    }

    /// All terms of the page, in document order.
    pub fn all(&self) -> &[Term] {
        &self.terms
    }

    /// The leaves with their terms, in document order.
    pub fn leaves(&self) -> impl Iterator<Item = (NodeId, &[Term])> {
        self.leaves.iter().enumerate().map(|(i, &leaf)| {
            let end = self.starts.get(i + 1).copied().unwrap_or(self.terms.len());
            (leaf, &self.terms[self.starts[i]..end])
        })
    }
}

/// Shown texts, without those of `<noscript>`, which the paper takes out with the scripts (section 3.1).
fn leaves(dom: &Dom) -> Vec<NodeId> {
    let mut in_noscript = dom.covers(dom.ids().filter(|&id| dom.tag(id) == Tag::NOSCRIPT));
    dom.shown_texts().filter(|&text| !in_noscript(text)).collect()
}

/// Makes terms of words in one language. Without a stop list or a stemmer for it, words are left as they are: those
/// of another language would take words away that mean something.
struct Analyzer {
    stop_words: HashSet<&'static str>,
    stemmer: Option<Stemmer>,
}

impl Analyzer {
    /// For a language by its BCP 47 tag; its first part counts.
    fn new(tag: &str) -> Self {
        let language = tag.split('-').next().unwrap_or_default();
        let stop_words = stop_words::lookup(if matches!(language, "nb" | "nn") { "no" } else { language });
        Analyzer {
            stop_words: stop_words.unwrap_or_default().iter().copied().collect(),
            stemmer: algorithm(language).map(Stemmer::create),
        }
    }

    /// Calls `found` with each term of a text.
    fn each_term(&self, text: &str, mut found: impl FnMut(&str)) {
        // Where a language writes no spaces, tokens part the words.
        for token in tokens::iter(text) {
            for word in token.split(|c: char| !c.is_alphanumeric() && !is_inside_word(c)) {
                let word = word.trim_matches(is_apostrophe).to_lowercase().replace('’', "'");
                if word.is_empty() || self.stop_words.contains(word.as_str()) {
                    continue;
                }
                match &self.stemmer {
                    Some(stemmer) if word.len() <= LONGEST => found(&stemmer.stem(&word)),
                    _ => found(&word),
                }
            }
        }
    }
}

/// The longest word that is stemmed, in bytes: no language has a longer one.
const LONGEST: usize = 100;

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’')
}

/// Apostrophes, and the marks that Unicode counts as no letters (vowel signs of Indic scripts, accents).
fn is_inside_word(c: char) -> bool {
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
    is_apostrophe(c) || !c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Mark
}

/// The Snowball stemmer of a language.
fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "ca" => Algorithm::Catalan,
        "cs" => Algorithm::Czech,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "eo" => Algorithm::Esperanto,
        "es" => Algorithm::Spanish,
        "et" => Algorithm::Estonian,
        "eu" => Algorithm::Basque,
        "fa" => Algorithm::Persian,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "ga" => Algorithm::Irish,
        "hi" => Algorithm::Hindi,
        "hu" => Algorithm::Hungarian,
        "hy" => Algorithm::Armenian,
        "id" => Algorithm::Indonesian,
        "it" => Algorithm::Italian,
        "lt" => Algorithm::Lithuanian,
        "nb" | "nn" | "no" => Algorithm::Norwegian,
        "ne" => Algorithm::Nepali,
        "nl" => Algorithm::Dutch,
        "pl" => Algorithm::Polish,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sr" => Algorithm::Serbian,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        "uk" => Algorithm::Ukrainian,
        "yi" => Algorithm::Yiddish,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(language: &str, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        Analyzer::new(language).each_term(text, |term| terms.push(term.to_owned()));
        terms
    }

    #[test]
    fn words_are_stemmed_and_stop_words_left_out_in_the_language_of_the_page() {
        assert_eq!(
            terms("en-GB", "The oaks’ trees weren't “falling”, e-mail/post"),
            ["oak", "tree", "fall", "mail", "post"]
        );
        assert_eq!(terms("de", "Die Bäume und das Haus fallen"), ["baum", "haus", "fall"]);
        // "die" and "was" are English words and German stop words; an English list would keep the German "und".
        assert_eq!(terms("de", "was und die Eiche"), ["eich"]);
        assert_eq!(terms("xx", "The trees"), ["the", "trees"]);
        assert_eq!(terms("", "1999 – ..."), ["1999"]);
        assert_eq!(terms("ja", "東京の木"), ["東", "京", "木"]);
    }

    #[test]
    fn leaves_are_shown_texts_outside_noscript_and_metadata_stand_in_for_a_feed() {
        let html = "<html lang=en><title>Falling oaks</title><meta name=description content='About trees'>\
                    <p>one oak</p><noscript><p>two</p>three</noscript><script>four</script><p>five oaks";
        let page = Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
        let mut vocabulary = Vocabulary::default();
        let terms = PageTerms::new(&page, &mut vocabulary);
        let leaves: Vec<&str> = terms.leaves().map(|(leaf, _)| page.dom().text(leaf)).collect();
        assert_eq!(leaves, ["one oak", "five oaks"]);
        let names =
            |terms: &[Term]| terms.iter().map(|&term| vocabulary.term(term)).collect::<Vec<_>>().join(" ");
        assert_eq!(names(&terms.feed), "fall oak tree");
        let (_, last) = terms.leaves().last().unwrap();
        assert!(names(last).ends_with("oak"));
    }

    proptest! {
        #[test]
        fn no_text_makes_a_stemmer_panic(text in "\\PC{0,40}", language in 0..40usize) {
            let languages = [
                "ar", "ca", "cs", "da", "de", "el", "en", "eo", "es", "et", "eu", "fa", "fi", "fr", "ga", "hi", "hu", "hy",
                "id", "it", "lt", "nb", "ne", "nl", "pl", "pt", "ro", "ru", "sr", "sv", "ta", "tr", "uk", "yi",
            ];
            terms(languages[language % languages.len()], &text);
        }
    }
}
