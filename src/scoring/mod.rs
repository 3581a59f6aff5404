//! What an extraction is worth: metrics, the names of scores, the scores of a labelled page.
//!
//! [`score()`] is one extraction against the gold of its page, [`PageScores`] what that gives, [`ScoreName`] the name of one
//! number of it.

mod cut_units;
mod faults;
mod metric;
mod page_scores;
mod score;
mod score_name;

pub use cut_units::{CutUnits, UnitKind};
pub use faults::{FaultBlockKind, Faults};
pub use metric::Metric;
pub use page_scores::{PageScores, TextResult};
pub use score::score;
pub use score_name::{Measure, ScoreName};
