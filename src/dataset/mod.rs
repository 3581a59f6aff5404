//! Corpora: where labelled pages come from.

pub mod synth;
