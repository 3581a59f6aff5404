//! Corpora: pages with gold labels.

pub mod transfer;
