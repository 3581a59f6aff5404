//! Features: what a model observes of a node, computed from the original page alone.
//!
//! Each step knows only those before it: counts of a page, made in one walk over its DOM and then of its texts; [`measures`],
//! which hold them; a [`spec`] for each feature in the file of its family in `specs/`, where one loop fills the family; the
//! [`catalogue`] of all; [`matrix`] computes the chosen ones for a page. A feature is a plain integer: a count with its unit or
//! a category with its name. Which distribution it gets (geometric or binned) is the model's choice.

pub mod bins;
pub mod catalogue;
pub mod column;
mod counts;
pub(crate) mod hash;
pub mod matrix;
pub mod measures;
pub mod page_terms;
mod place;
mod ratio;
pub(crate) mod signature;
pub mod spec;
mod specs;
mod stated_words;
mod token_lists;

pub(crate) use counts::class_hints::class_words;
pub(crate) use counts::comments::names_comments;
pub(crate) use counts::linked_data::is_linked_data;

pub use column::{Column, TagHistograms};
pub use matrix::FeatureMatrix;
pub use page_terms::PageTerms;
pub use spec::{FeatureSpec, Kind};
pub use stated_words::stated_words;
pub use token_lists::{TokenLists, class_tokens, text_words};
