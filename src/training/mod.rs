//! How a model is trained: what is known of pages, counts, boosted scores, weights, confidence, recalibration.
//!
//! A [`TrainingPage`] is a labelled page with what is known of its text. A [`Trainer`] makes a model of pages, in one way for
//! all: counted or with boosted scores, generative or weighted, with EM over what is not labelled, of whole corpora or of the
//! training pages of a fold. [`adapt`] fits a model to a site and [`recalibrate`] a model to another annotation convention, and [`permitted_states`] are what
//! a gold tells of a page that a model is adapted to a site with. [`doubts_in_folds`] finds the labels that are wrong.

mod adapt;
mod boosted;
mod confidence;
mod doubt;
mod find_comments;
mod held_out;
mod images;
mod label_split;
mod out_of_fold;
mod page;
mod page_faults;
mod page_type_decision;
mod page_types;
mod recalibrate;
mod settings;
#[cfg(test)]
mod tests;
mod trainer;
mod weights;

pub use adapt::{AdaptSettings, Adapted, Changed, KnownPage, STRENGTHS, adapt};
pub use doubt::{Doubt, DoubtOfBlock, doubts, doubts_in_folds};
pub use held_out::{HeldOut, LEAST_PAGES};
pub use images::{ImagePage, ImageSettings, learn_images, read_image_pages};
pub use label_split::{Learnable, LearnedSplit, SplitCounts, SplitSettings, learn_split};
pub use out_of_fold::{Folds, OutOfFold};
pub use page::{TextGoldReport, TrainingPage, UnlabelledPages, permitted_states, strip_for_training};
pub use page_faults::{
    FaultCounts, FaultLabel, FaultPage, LearnedFaults, learn_faults, read_fault_labels, read_fault_pages,
};
pub use recalibrate::{Recalibrated, recalibrate, recalibrate_if_better};
pub use settings::{Learning, TrainingSettings};
pub use trainer::{Counted, Trained, Trainer};
