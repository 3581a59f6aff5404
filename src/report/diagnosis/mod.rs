//! The diagnosis of draws: which parameters have converged, as tables, figures and a report in one file.
//!
//! | module | holds |
//! |---|---|
//! | [`criteria`] | [`Criteria`]: what a parameter must satisfy |
//! | [`exchanged`] | [`Exchanged`]: labels that chains have exchanged, which more sweeps do not bring together |
//! | [`parameters`] | [`Diagnosis`]: every parameter with its summary and verdict, `lp` and shares of states first |
//! | [`predictive`] | [`PredictiveResults`]: statistics of pages beside those of pages that the model draws |
//! | [`write`](mod@write) | tables, figures and report of both |

pub mod criteria;
pub mod exchanged;
pub mod parameters;
pub mod predictive;
mod tables;
pub mod write;

pub use criteria::{Criteria, Verdict};
pub use exchanged::Exchanged;
pub use parameters::{Diagnosis, Parameter};
pub use predictive::{PredictiveResults, PredictiveRow};
pub use write::write;
