//! Corpora of labelled pages.

pub mod host;
pub mod split;
