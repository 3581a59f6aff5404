//! Features of a node's text.

use super::measures::Measures;
use super::text_shape::share;

pub(super) fn words(m: &Measures<'_>, v: u32) -> u32 {
    m.words(v)
}

pub(super) fn full_stops(m: &Measures<'_>, v: u32) -> u32 {
    m.full_stops(v)
}

pub(super) fn link_density(m: &Measures<'_>, v: u32) -> u32 {
    share(m.link_words(v), m.words(v))
}

pub(super) fn title_overlap(m: &Measures<'_>, v: u32) -> u32 {
    share(m.title_words(v), m.words(v))
}

pub(super) fn position(m: &Measures<'_>, v: u32) -> u32 {
    let (before, all) = m.words_before(v);
    share(before, all)
}
