//! The filters of the extractors, each a function on a document.

pub(super) mod clauses;
pub(super) mod end_of_text;
pub(super) mod fusion;
pub(super) mod rules;
pub(super) mod selection;
pub(super) mod title;
