//! Where what a program or a reference gives out stands on its page: texts, headlines, pictures.
//!
//! Texts are cut into units and aligned in order; pictures are found by their addresses. `dataset/transfer` aligns annotated
//! files the same way.

mod align;
mod find;
pub mod pictures;
mod units;

pub(crate) use align::{NONE, align};
pub use find::{Found, TRUSTED_SHARE, find_headline, find_text};
pub(crate) use units::{Text, Vocabulary};

use crate::error::PageProblem;

/// The most tokens of either text that are aligned.
const MAX_TOKENS: usize = 1 << 20;

/// Whether both texts are short enough to be aligned.
pub(crate) fn check_length(page: &Text<'_>, other: &Text<'_>) -> Result<(), PageProblem> {
    let longest = page.piece.len().max(other.piece.len());
    if longest > MAX_TOKENS {
        return Err(PageProblem::TooLarge {
            what: "the number of tokens to align",
            found: longest as u64,
            limit: MAX_TOKENS as u64,
        });
    }
    Ok(())
}
