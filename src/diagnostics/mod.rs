//! Diagnostics of Markov chains: have they converged, how many independent draws are they worth, what do they say.
//!
//! All take the draws of one scalar as [`Chains`] and give the same numbers as ArviZ (0.23) on the same draws.
//!
//! | function | what it says | range; wanted | reference |
//! |---|---|---|---|
//! | [`rhat`] | do the chains agree, in bulk and in spread | 1 and up (about); below 1.01 | Vehtari et al. 2021, section 4 |
//! | [`largest_rhat`] | the worst of many scalars, for stopping rules | as above | as above |
//! | [`ess_bulk`] | effective draws for the center | 0 to n log10 n; above 100 a chain | Vehtari et al. 2021, section 4.1 |
//! | [`ess_tail`] | the same for the 5 % and 95 % points | as above | Vehtari et al. 2021, section 4.3 |
//! | [`ess_mean`], [`ess_sd`], [`ess_quantile`] | the same for one estimate | as above | Gelman et al. 2013, section 11.5; Geyer 1992 |
//! | [`mcse_mean`], [`mcse_sd`], [`mcse_quantile`] | standard error of an estimate from these draws | unit of the draws | Vehtari et al. 2021, section 4.4 |
//! | [`autocorrelation`] | correlation of draws that are so far apart | -1 to 1; soon about 0 | Geyer 1992 |
//! | [`geweke`] | difference of a chain's beginning and end, in standard errors | any; within 2 or so | Geweke 1992; as R's coda |
//! | [`quantile()`], [`hdi()`] | points and shortest interval of the pooled draws | unit of the draws | Hyndman & Fan 1996, type 7; Hyndman 1996 |
//! | [`Summary`] | all of it for a table | | |
//!
//! What cannot be said is an [`Undefined`] with its reason, never a number that looks like one: ArviZ gives NaN for
//! most of these, and the number of draws as the effective sample size of constant chains.
//!
//! References: Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021, "Rank-normalization, folding, and localization",
//! Bayesian Analysis 16; Geyer 1992, "Practical Markov chain Monte Carlo", Statistical Science 7; Gelman et al. 2013,
//! "Bayesian Data Analysis", 3rd edition; Geweke 1992, "Evaluating the accuracy of sampling-based approaches to the
//! calculation of posterior moments", Bayesian Statistics 4; Hyndman 1996, "Computing and graphing highest density
//! regions", The American Statistician 50; Hyndman & Fan 1996, "Sample quantiles in statistical packages", same
//! volume.
//!
//! A leaf of the package: arrays in, numbers out.

mod autocorrelation;
mod chains;
mod ess;
mod geweke;
mod hdi;
mod largest_rhat;
mod mcse;
mod quantile;
mod rank;
mod rhat;
mod summary;
mod undefined;

pub use autocorrelation::autocorrelation;
pub use chains::Chains;
pub use ess::{ess_bulk, ess_mean, ess_quantile, ess_sd, ess_tail};
pub use geweke::geweke;
pub use hdi::hdi;
pub use largest_rhat::{LargestRhat, largest_rhat};
pub use mcse::{mcse_mean, mcse_quantile, mcse_sd};
pub use quantile::{quantile, quantile_of_sorted};
pub use rank::ranks;
pub use rhat::{rhat, rhat_bulk, rhat_folded};
pub use summary::Summary;
pub use undefined::{Diagnostic, Undefined};
