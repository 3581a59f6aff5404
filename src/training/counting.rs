//! Counting of labelled pages.

use crate::dataset::labelled::{LabelledPage, PageGold};
use crate::error::{Error, PageProblem, Result};
use crate::model::Model;

/// Lets a model learn from a labelled page. One that could not be laid out teaches nothing to a model that needs layouts;
/// it was told of when that failed.
///
/// # Errors
/// [`Error::Usage`] if the page's gold is text: its states are not known, only what they may be.
pub fn observe(model: &mut Model, page: &LabelledPage, source: &str) -> Result<()> {
    match &page.gold {
        PageGold::Tokens(gold) => match model.observe(&page.page, |id| gold.counts(id), source) {
            Ok(()) | Err(PageProblem::NoLayout { .. }) => Ok(()),
            Err(problem) => Err(Error::page(page.page.id(), problem)),
        },
        PageGold::Text(_) => Err(Error::usage(
            format!("{}: it has reference text and no labels of nodes", page.page.id()),
            "train on a corpus with labels, such as l3s-gn1 or synth; or learn weights too, or learn by EM",
        )),
    }
}
