//! `PageTerms`, what speaks of a page as a whole: its words, the words of its classes, what it states, its elements and counts.

use super::catalogue;
use super::hash;
use super::measures::Measures;
use super::spec::FeatureSpec;
use super::stated_words::{stated_in, stated_words};
use super::token_lists::{TokenLists, class_tokens, text_words};
use crate::dom::{Dom, NodeKind, Tag};
use crate::page::Page;
use crate::view::PageView;

/// The lists that terms are of. A key is that of its list and of the word in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    /// The words of the text.
    Text,
    /// The words of all classes, each counted once.
    Classes,
    /// The [words](stated_words) by which the page says what it is.
    Stated,
    /// The elements, by tag.
    Elements,
    /// The features that are the same for all nodes, each with its category.
    Counts,
}

impl List {
    fn name(self) -> &'static str {
        match self {
            List::Text => "text",
            List::Classes => "class",
            List::Stated => "states",
            List::Elements => "element",
            List::Counts => "count",
        }
    }

    /// The key of a term: that of a word of the list.
    fn key(self, word: u64) -> u64 {
        hash::pair(self as u64 + 1, word)
    }
}

const LISTS: [List; 5] = [List::Text, List::Classes, List::Stated, List::Elements, List::Counts];

/// The terms of a page: keys with values, 1 + the logarithm of how often each stands in its list, those of a list divided by
/// the length of their vector (Salton & Buckley 1988, "Term-weighting approaches in automatic text retrieval"), so that each
/// list has the same say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageTerms(Vec<(u64, f32)>);

impl PageTerms {
    /// Of a page whose words of classes are known. Linear in the page, but for a sort of the words of its text.
    pub fn new(measures: &Measures<'_>, classes: &TokenLists) -> Self {
        let mut terms = PageTerms::default();
        let view = measures.view();
        if view.tree.is_empty() {
            return terms;
        }
        let dom = measures.page().dom();
        terms.add(List::Text, counted(measures.counts().word_keys.of(view, 0).to_vec()));
        terms.add(List::Classes, counted(classes.keys().to_vec()).map(|(key, _)| (key, 1)));
        let stated = stated_in(dom, measures.head());
        terms.add(List::Stated, stated.iter().map(|word| (hash::hash_word(word), 1)));
        terms.add(List::Elements, elements(dom).map(|(name, n)| (hash::hash_word(name), n)));
        let features: Vec<&'static FeatureSpec> = counts().iter().collect();
        let values = measures.columns(&features, &[0]).concat();
        let named = features.iter().zip(values).map(|(feature, value)| {
            let name = category_name(feature, feature.kind.category(value));
            (hash::hash_word(&name), 1)
        });
        terms.add(List::Counts, named);
        terms
    }

    /// Adds the terms of a list: the words' keys, each once, with how often they stand in it.
    fn add(&mut self, list: List, words: impl Iterator<Item = (u64, u32)>) {
        let start = self.0.len();
        // Of 64 bits, since logarithms of 32 are not the same on every machine.
        self.0.extend(words.map(|(word, n)| (list.key(word), 1.0 + f64::from(n).ln() as f32)));
        let own = &mut self.0[start..];
        let length = own.iter().map(|(_, value)| value * value).sum::<f32>().sqrt();
        own.iter_mut().for_each(|(_, value)| *value /= length);
    }

    /// The key of a term by its name; none of what is the name of no term.
    pub fn key(name: &str) -> Option<u64> {
        let (list, word) = name.split_once(' ')?;
        let list = LISTS.into_iter().find(|own| own.name() == list)?;
        Some(list.key(hash::hash_word(word)))
    }

    /// The terms by their keys, each once, with their values, above 0 to 1.
    pub fn values(&self) -> &[(u64, f32)] {
        &self.0
    }

    /// The names of the terms of a page: the list and the word. Some come more than once, and all categories of its counts.
    pub fn names(page: &Page, view: &PageView) -> Vec<String> {
        let dom = page.dom();
        let mut names = Vec::new();
        let mut add = |list: List, word: &str| names.push(format!("{} {}", list.name(), word.to_lowercase()));
        for node in &view.nodes {
            class_tokens(dom, node).for_each(|word| add(List::Classes, word));
        }
        if let Some(root) = view.nodes.first() {
            text_words(dom, view, root).for_each(|word| add(List::Text, word));
        }
        stated_words(dom).iter().for_each(|word| add(List::Stated, word));
        elements(dom).for_each(|(name, _)| add(List::Elements, name));
        for feature in counts() {
            (0..feature.kind.categories())
                .for_each(|category| add(List::Counts, &category_name(feature, category)));
        }
        names
    }
}

/// Each key once, with how often it stands there.
fn counted(mut keys: Vec<u64>) -> impl Iterator<Item = (u64, u32)> {
    keys.sort_unstable();
    let mut at = 0;
    std::iter::from_fn(move || {
        let key = *keys.get(at)?;
        let n = keys[at..].iter().take_while(|&&own| own == key).count();
        at += n;
        Some((key, n as u32))
    })
}

fn category_name(feature: &FeatureSpec, category: usize) -> String {
    format!("{} {}", feature.id, feature.kind.category_name(category))
}

/// The features that are the same for all nodes of a page: the family "page".
fn counts() -> &'static [FeatureSpec] {
    let family = catalogue::FAMILIES.iter().find(|family| family.name == "page");
    family.expect("the catalogue has the family").features
}

/// The names of a page's elements, with how many have each.
fn elements(dom: &Dom) -> impl Iterator<Item = (&'static str, u32)> {
    let mut counts = vec![0; Tag::COUNT];
    let elements = dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element);
    elements.for_each(|id| counts[dom.tag(id).index()] += 1);
    Tag::names().iter().copied().zip(counts).filter(|(_, n)| *n > 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::view::View;

    fn terms_of(html: &str) -> (PageTerms, BTreeMap<u64, String>) {
        let page = Page::parse("test", None, html.as_bytes(), None, &Default::default()).unwrap();
        let view = PageView::new(&page, View::Blocks);
        let measures = Measures::new(&page, &view, None);
        let terms = PageTerms::new(&measures, &TokenLists::from_classes(&measures));
        let names = PageTerms::names(&page, &view).into_iter();
        (terms, names.map(|name| (PageTerms::key(&name).unwrap(), name)).collect())
    }

    #[test]
    fn terms_have_names_and_each_list_has_the_same_length() {
        let (terms, names) = terms_of(
            "<body class=home><meta property=og:type content=Article><div class='Post post'><p>Oak oak ash</div>",
        );
        let of_list = |name: &str| -> Vec<(&str, f32)> {
            let named = terms.values().iter().map(|(key, value)| (names[key].as_str(), *value));
            named.filter(|(own, _)| own.split(' ').next() == Some(name)).collect()
        };
        let mut text = of_list("text");
        text.sort_by(|a, b| a.0.cmp(b.0));
        let twice = 1.0 + 2f32.ln();
        let length = (1.0 + twice * twice).sqrt();
        assert_eq!(text, [("text ash", 1.0 / length), ("text oak", twice / length)]);
        let mut classes: Vec<&str> = of_list("class").iter().map(|(name, _)| *name).collect();
        classes.sort_unstable();
        assert_eq!(classes, ["class home", "class post"]);
        assert!(of_list("states").iter().any(|(name, _)| *name == "states og:article"));
        assert!(of_list("element").iter().any(|(name, _)| *name == "element div"));
        assert!(
            of_list("count").iter().any(|(name, _)| *name == "count page-words 3"),
            "{:?}",
            of_list("count")
        );
        for list in ["text", "class", "states", "element", "count"] {
            let length: f32 = of_list(list).iter().map(|(_, value)| value * value).sum();
            assert!((length - 1.0).abs() < 1e-5, "{list}: {length}");
        }
    }

    #[test]
    fn an_empty_page_has_no_terms_and_other_names_no_key() {
        assert_eq!(terms_of("<script>x</script>").0, PageTerms::default());
        assert_eq!((PageTerms::key("oak"), PageTerms::key("leaf oak")), (None, None));
    }
}
