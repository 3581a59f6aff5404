//! `ClassNames`, the words by which a page's author names its parts: attributes such as class and id.
//!
//! A page repeats few values: each is split into words once, and what is asked of a word is asked once.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::FixedState;

use super::class_hints::{hint, words};
use super::comments;
use crate::index::NodeId;

/// Attributes whose values name a part of the page; the first two are class and id.
pub const NAMING: &[&str] = &["id", "class", "role", "itemprop", "itemtype", "data-testid", "data-component"];

/// What names say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Names {
    /// The first [hint](super::class_hints::HINTS) among them.
    pub hint: u8,
    /// Whether one names readers' comments.
    pub comments: bool,
}

impl Names {
    /// What one word says.
    pub fn of_word(word: &str) -> Self {
        Names { hint: hint(word).unwrap_or(0), comments: comments::is_name(word) }
    }

    /// Adds what names behind these say.
    pub fn add(&mut self, other: Names) {
        self.hint = if self.hint > 0 { self.hint } else { other.hint };
        self.comments |= other.comments;
    }
}

/// The names on a page.
pub struct ClassNames<'a> {
    words: Numbers<'a>,
    /// What each word says.
    of_words: Vec<Names>,
    values: Numbers<'a>,
    /// Of each value its words, a range of `value_words`, and what they say.
    of_values: Vec<(Range<u32>, Names)>,
    value_words: Vec<u32>,
    /// The values of attributes in document order.
    attributes: Vec<u32>,
    /// For each DOM node where its attributes end.
    ends: Vec<u32>,
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
    /// Those of a page of so many nodes, which come one after the other.
    pub fn new(nodes: usize) -> Self {
        ClassNames {
            words: Numbers::new(),
            of_words: Vec::with_capacity(MANY),
            values: Numbers::new(),
            of_values: Vec::with_capacity(MANY),
            value_words: Vec::with_capacity(2 * MANY),
            attributes: Vec::new(),
            ends: Vec::with_capacity(nodes),
        }
    }

    /// Adds the value of a [naming](NAMING) attribute; gives what it says.
    pub fn add(&mut self, value: &'a str) -> Names {
        let (number, is_new) = self.values.number(value);
        self.attributes.push(number);
        if is_new {
            let start = self.value_words.len() as u32;
            let mut names = Names::default();
            for word in words(value) {
                let (number, is_new) = self.words.number(word);
                if is_new {
                    self.of_words.push(Names::of_word(word));
                }
                names.add(self.of_words[number as usize]);
                self.value_words.push(number);
            }
            self.of_values.push((start..self.value_words.len() as u32, names));
        }
        self.of_values[number as usize].1
    }

    /// Ends the attributes of a node.
    pub fn end_node(&mut self) {
        self.ends.push(self.attributes.len() as u32);
    }

    /// What `of` makes of each word, by its number.
    pub fn of_words<T>(&self, of: impl Fn(&str) -> T) -> Vec<T> {
        self.words.strings.iter().map(|word| of(word)).collect()
    }

    /// The numbers of the words of a value, in order.
    pub fn words_of(&self, value: u32) -> &[u32] {
        let range = &self.of_values[value as usize].0;
        &self.value_words[range.start as usize..range.end as usize]
    }

    /// The values of the attributes that name an element, in source order.
    pub fn all(&self, id: NodeId) -> &[u32] {
        let start = id.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.attributes[start as usize..self.ends[id.index()] as usize]
    }
}
