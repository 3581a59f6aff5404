//! What is counted on a page before any feature: from base counts, of every page at once, to counts that are made of
//! these when they are first asked for.
//!
//! Each takes what it is made of as arguments, so that imports show the order: `base` and what reads the DOM alone,
//! then leaves and words, then what is compared with them.

pub mod base;
pub mod class_hints;
pub mod class_names;
pub mod comments;
pub mod content_main;
pub mod elements;
pub mod headings;
pub mod leaves;
pub mod linked_data;
pub mod name_finder;
pub mod named_areas;
pub mod page_facts;
pub mod paths;
pub mod readers;
pub mod repetition;
pub mod similarity;
pub mod text_sums;
pub mod title_words;
mod tree_places;
pub mod word_keys;
