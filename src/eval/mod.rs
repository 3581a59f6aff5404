//! How good an extraction is: pure functions from counts, texts and probabilities to scores.
//!
//! [`confusion`] counts tokens or nodes by gold and predicted label and sees them through an [`EvaluationView`];
//! [`summary`] puts documents together, with intervals; [`calibration`] judges probabilities;
//! [`word_f1`](mod@word_f1), [`shingles`] and [`snippets`] are the text metrics of two benchmarks, equal to their own
//! scripts; [`rouge_lsum`](mod@rouge_lsum), [`bigrams`] and [`region_accuracy`] are those of other works;
//! [`markdown_edits`](mod@markdown_edits) are of code, formulas and tables.

pub mod bigrams;
pub mod calibration;
pub mod confusion;
pub mod markdown_edits;
pub mod region_accuracy;
pub mod rouge_lsum;
pub mod shingles;
pub mod snippets;
pub mod summary;
mod tree_edit;
pub mod word_f1;

pub use bigrams::bigram_f1;
pub use calibration::Calibration;
pub use confusion::{Confusion, EvaluationView, Scores};
pub use markdown_edits::{MarkdownEdits, markdown_edits};
pub use rouge_lsum::rouge_lsum;
pub use shingles::{ShingleCounts, ShingleSummary, ShingleSums};
pub use snippets::{SnippetScores, snippet_scores};
pub use summary::{Bootstrap, Estimate, Interval, LEAST_HOSTS};
pub use word_f1::{TextScores, word_and_character_f1, word_f1};
