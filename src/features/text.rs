//! Features of a node's text.

use super::measures::Measures;

pub(super) fn words(m: &Measures<'_>, v: u32) -> u32 {
    m.words(v)
}

pub(super) fn full_stops(m: &Measures<'_>, v: u32) -> u32 {
    m.full_stops(v)
}

pub(super) fn link_density(m: &Measures<'_>, v: u32) -> u32 {
    percent(m.link_words(v), m.words(v))
}

pub(super) fn title_overlap(m: &Measures<'_>, v: u32) -> u32 {
    percent(m.title_words(v), m.words(v))
}

pub(super) fn position(m: &Measures<'_>, v: u32) -> u32 {
    let (before, all) = m.words_before(v);
    percent(before, all)
}

/// The share in per cent, rounded up so that 0 means none and 100 means all but less than a hundredth; 0 of 0 is 0.
fn percent(part: u32, whole: u32) -> u32 {
    (u64::from(part) * 100).div_ceil(u64::from(whole).max(1)) as u32
}
