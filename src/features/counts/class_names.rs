//! `ClassNames`, the words by which a page's author names its parts: attributes such as class and id, and short texts.
//!
//! A page repeats few values: each is split into words once, and what is asked of a word is asked once.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::FixedState;

use super::base::BaseCounts;
use super::class_hints::words;
use crate::index::NodeId;

/// Attributes whose values name a part of the page; the first two are class and id.
pub const NAMING: &[&str] = &["id", "class", "role", "itemprop", "itemtype", "data-testid", "data-component"];
/// The most words of a text that may name what stands below it.
const HEADING_WORDS: u32 = 8;

/// The names on a page.
pub struct ClassNames<'a> {
    words: Numbers<'a>,
    /// Of each value its words, a range of `value_words`.
    values: Vec<Range<u32>>,
    value_words: Vec<u32>,
    /// The values of attributes in document order: whether it is of class or id, and the number of the value.
    attributes: Vec<(bool, u32)>,
    /// For each DOM node where its attributes begin; one more at the end.
    offsets: Vec<u32>,
    /// (leaf, number of the value) of the texts of short leaves, in order.
    texts: Vec<(u32, u32)>,
}

/// As many different words and values as most pages have.
const MANY: usize = 512;

/// Different strings, numbered in the order in which they come.
struct Numbers<'a> {
    numbers: HashMap<&'a str, u32, FixedState>,
    strings: Vec<&'a str>,
}

impl<'a> Numbers<'a> {
    fn new() -> Self {
        Numbers {
            numbers: HashMap::with_capacity_and_hasher(MANY, FixedState::default()),
            strings: Vec::with_capacity(MANY),
        }
    }

    /// The number of a string, and whether it is new.
    fn number(&mut self, string: &'a str) -> (u32, bool) {
        let next = self.strings.len() as u32;
        let number = *self.numbers.entry(string).or_insert(next);
        if number == next {
            self.strings.push(string);
        }
        (number, number == next)
    }
}

impl<'a> ClassNames<'a> {
    /// Reads a page. Linear in its attributes and short texts.
    pub fn new(base: &BaseCounts<'a>) -> Self {
        let (dom, view) = (base.page.dom(), base.view);
        let mut strings = Numbers::new();
        let mut names = ClassNames {
            words: Numbers::new(),
            values: Vec::new(),
            value_words: Vec::new(),
            attributes: Vec::new(),
            offsets: Vec::with_capacity(dom.len() + 1),
            texts: Vec::new(),
        };
        // What the name of an attribute says of it, by the name's number.
        let naming: Vec<Option<bool>> = dom
            .attribute_names()
            .map(|name| NAMING.iter().position(|known| *known == name).map(|place| place < 2))
            .collect();
        for id in dom.ids() {
            names.offsets.push(names.attributes.len() as u32);
            for (name, value) in dom.numbered_attributes(id) {
                if let Some(is_class) = naming[name as usize] {
                    let value = names.value(&mut strings, value);
                    names.attributes.push((is_class, value));
                }
            }
        }
        names.offsets.push(names.attributes.len() as u32);
        let is_short = |&v: &u32| view.tree.is_leaf(v) && base.words_of(v) <= HEADING_WORDS;
        for v in (0..view.tree.len() as u32).filter(is_short) {
            for &id in view.texts_of(&view.nodes[v as usize]) {
                let value = names.value(&mut strings, dom.text(id));
                names.texts.push((v, value));
            }
        }
        names
    }

    fn value(&mut self, strings: &mut Numbers<'a>, string: &'a str) -> u32 {
        let (value, is_new) = strings.number(string);
        if is_new {
            let start = self.value_words.len() as u32;
            self.value_words.extend(words(string).map(|word| self.words.number(word).0));
            self.values.push(start..self.value_words.len() as u32);
        }
        value
    }

    /// What `of` makes of each word, by its number.
    pub fn of_words<T>(&self, of: impl Fn(&str) -> T) -> Vec<T> {
        self.words.strings.iter().map(|word| of(word)).collect()
    }

    /// What `of` makes of the numbers of the words of each value, by the number of the value.
    pub fn of_values<T>(&self, of: impl Fn(&[u32]) -> T) -> Vec<T> {
        self.values.iter().map(|words| of(self.words_between(words))).collect()
    }

    /// The numbers of the words of a value, in order.
    pub fn words_of(&self, value: u32) -> &[u32] {
        self.words_between(&self.values[value as usize])
    }

    fn words_between(&self, range: &Range<u32>) -> &[u32] {
        &self.value_words[range.start as usize..range.end as usize]
    }

    /// The values of the class and id of an element, in source order.
    pub fn class_and_id(&self, id: NodeId) -> impl Iterator<Item = u32> {
        self.attributes_of(id).iter().filter(|(is_class, _)| *is_class).map(|&(_, value)| value)
    }

    /// The values of all attributes that name an element, in source order.
    pub fn all(&self, id: NodeId) -> impl Iterator<Item = u32> {
        self.attributes_of(id).iter().map(|&(_, value)| value)
    }

    fn attributes_of(&self, id: NodeId) -> &[(bool, u32)] {
        &self.attributes[self.offsets[id.index()] as usize..self.offsets[id.index() + 1] as usize]
    }

    /// (leaf, value) of the texts of leaves of at most eight words, in order.
    pub fn short_texts(&self) -> &[(u32, u32)] {
        &self.texts
    }
}
