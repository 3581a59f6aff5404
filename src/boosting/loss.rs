//! `Loss`: what boosting makes small, by its first and second derivatives.

use serde::{Deserialize, Serialize};

use crate::logistic::{logit, sigmoid};

/// The odds of a probability are cut off at one in a million: those of a target that is constantly 0 or 1 are not finite.
const LEAST_PROBABILITY: f64 = 1e-6;

/// The loss of a row; scores are on the scale that it is a function of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The cross entropy of a target from 0 to 1 (a class or its probability); a score is a logarithm of odds.
    Logistic,
    /// Half the squared difference to the target; a score estimates its mean.
    Squared,
}

impl Loss {
    /// The best constant score where the weighted mean of the target is `mean`.
    pub(super) fn constant(self, mean: f64) -> f64 {
        match self {
            Loss::Logistic => logit(mean, LEAST_PROBABILITY),
            Loss::Squared => mean,
        }
    }

    /// The first and the second derivative by the score, of a row of weight 1.
    pub(super) fn derivatives(self, score: f64, target: f64) -> (f64, f64) {
        match self {
            Loss::Logistic => {
                let p = sigmoid(score);
                (p - target, p * (1.0 - p))
            }
            Loss::Squared => (score - target, 1.0),
        }
    }
}
