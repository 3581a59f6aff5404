//! `Criteria`, what the draws of a parameter must satisfy to be relied on.

use std::fmt;

use crate::diagnostics::{Diagnostic, Summary, Undefined};
use crate::error::{Error, Result};

/// When a parameter counts as converged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criteria {
    /// R-hat must be below this. Above 1, default 1.01 (Vehtari et al. 2021).
    pub max_rhat: f64,
    /// Bulk and tail effective sample size must reach this. From 0, default 400: 100 for each of four chains.
    pub min_ess: f64,
}

impl Default for Criteria {
    fn default() -> Self {
        Criteria { max_rhat: 1.01, min_ess: 400.0 }
    }
}

/// Whether a parameter has converged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// It has.
    Converged,
    /// It never moves: every draw of every chain, each from a start of its own, is the same.
    Constant,
    /// Neither training nor any draw of the states says anything of it: its draws are of the prior, and judged by nothing.
    PriorOnly,
    /// R-hat, effective sample size or both miss their limit.
    Missed {
        /// Whether R-hat does.
        rhat: bool,
        /// Whether an effective sample size does.
        ess: bool,
    },
    /// R-hat or an effective sample size has no value.
    Undefined(Undefined),
}

impl Criteria {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the parameter, its range and its default.
    pub fn check(&self) -> Result<()> {
        if !(self.max_rhat > 1.0 && self.max_rhat.is_finite()) {
            let remedy = "it must be above 1; the default is 1.01";
            return Err(Error::usage(format!("max-rhat is {}", self.max_rhat), remedy));
        }
        if !(self.min_ess >= 0.0 && self.min_ess.is_finite()) {
            let remedy = "it must be 0 or more; the default is 400";
            return Err(Error::usage(format!("min-ess is {}", self.min_ess), remedy));
        }
        Ok(())
    }

    /// Judges a parameter.
    pub fn judge(&self, summary: &Summary) -> Verdict {
        match (summary.r_hat, least_ess(summary)) {
            (Err(Undefined::Constant { .. }), _) if summary.constant().is_some() => Verdict::Constant,
            (Err(reason), _) | (_, Err(reason)) => Verdict::Undefined(reason),
            (Ok(r_hat), Ok(least)) => {
                let (rhat, ess) = (r_hat >= self.max_rhat, least < self.min_ess);
                if rhat || ess { Verdict::Missed { rhat, ess } } else { Verdict::Converged }
            }
        }
    }

    /// How far a parameter has gone towards the limits, or past them: the larger share of R-hat's distance from 1 and of
    /// the effective sample size. 1 is at a limit; infinite without a value, 0 for constants.
    pub fn strain(&self, summary: &Summary) -> f64 {
        match (self.judge(summary), summary.r_hat, least_ess(summary)) {
            (Verdict::Constant, ..) => 0.0,
            (_, Ok(r_hat), Ok(ess)) => f64::max((r_hat - 1.0) / (self.max_rhat - 1.0), self.min_ess / ess),
            _ => f64::INFINITY,
        }
    }
}

/// The smaller of bulk and tail effective sample size.
pub(super) fn least_ess(summary: &Summary) -> Diagnostic {
    Ok(summary.ess_bulk?.min(summary.ess_tail?))
}

impl Verdict {
    /// Whether nothing speaks against relying on the draws.
    pub fn is_fine(&self) -> bool {
        matches!(self, Verdict::Converged | Verdict::Constant | Verdict::PriorOnly)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Converged => f.write_str("converged"),
            Verdict::Constant => f.write_str("constant"),
            Verdict::PriorOnly => f.write_str("prior only"),
            Verdict::Missed { rhat: true, ess: true } => f.write_str("R-hat, ESS"),
            Verdict::Missed { rhat: true, .. } => f.write_str("R-hat"),
            Verdict::Missed { .. } => f.write_str("ESS"),
            Verdict::Undefined(reason) => write!(f, "undefined ({})", reason.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Chains;

    fn summary(r_hat: Diagnostic, ess_bulk: Diagnostic, ess_tail: Diagnostic) -> Summary {
        let values = [0.0, 1.0, 2.0, 3.0, 1.0, 0.0, 3.0, 2.0];
        Summary { r_hat, ess_bulk, ess_tail, ..Summary::new(&Chains::new(&values, 2)) }
    }

    #[test]
    fn limits_are_just_missed_where_rhat_reaches_its_own_and_ess_does_not() {
        let judge = |r_hat, bulk, tail| Criteria::default().judge(&summary(Ok(r_hat), Ok(bulk), Ok(tail)));
        assert_eq!(judge(1.0099, 400.0, 400.0), Verdict::Converged);
        assert_eq!(judge(1.01, 400.0, 400.0), Verdict::Missed { rhat: true, ess: false });
        assert_eq!(judge(1.0, 4000.0, 399.9), Verdict::Missed { rhat: false, ess: true });
        assert_eq!(judge(1.5, 12.0, 399.9).to_string(), "R-hat, ESS");
    }

    #[test]
    fn no_value_is_no_pass_unless_nothing_ever_moved() {
        let criteria = Criteria::default();
        let one_chain = Undefined::TooFewChains { chains: 1, needed: 2 };
        let undefined = summary(Err(one_chain), Ok(4000.0), Ok(4000.0));
        assert_eq!(criteria.judge(&undefined), Verdict::Undefined(one_chain));
        assert_eq!(criteria.strain(&undefined), f64::INFINITY);
        let constant = Summary::new(&Chains::new(&[0.5; 8], 2));
        assert_eq!(criteria.judge(&constant), Verdict::Constant);
        assert_eq!(criteria.strain(&constant), 0.0);
        // A single chain may be stuck.
        let one = Summary::new(&Chains::new(&[0.5; 8], 1));
        assert_eq!(criteria.judge(&one), Verdict::Undefined(one_chain));
        // One draw moved, and that in the middle of a chain, where halves do not see it.
        let values = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let moved_once = Summary::new(&Chains::new(&values, 2));
        assert!(!criteria.judge(&moved_once).is_fine());
    }

    #[test]
    fn criteria_out_of_range_are_refused_with_range_and_default() {
        let refused = |max_rhat, min_ess| Criteria { max_rhat, min_ess }.check().unwrap_err().to_string();
        assert!(refused(1.0, 400.0).contains("default is 1.01"));
        assert!(refused(f64::NAN, 400.0).contains("max-rhat is NaN"));
        assert!(refused(1.01, -1.0).contains("default is 400"));
        assert!(Criteria::default().check().is_ok());
    }
}
