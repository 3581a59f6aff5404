//! Why a diagnostic has no value.

use super::Chains;

/// A diagnostic's value, or why there is none.
pub type Diagnostic = std::result::Result<f64, Undefined>;

/// Why a diagnostic has no value.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Undefined {
    /// The chains are too short.
    #[error("too few draws: {draws} a chain, at least {needed} are needed")]
    TooFewDraws {
        /// Draws of a chain.
        draws: usize,
        /// How many are needed.
        needed: usize,
    },
    /// There are too few chains to compare.
    #[error("too few chains: {chains}, at least {needed} are needed")]
    TooFewChains {
        /// How many there are.
        chains: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A draw is NaN or infinite.
    #[error("draw {draw} of chain {chain} is not a finite number")]
    NonFinite {
        /// The chain, from 0.
        chain: usize,
        /// The draw, from 0.
        draw: usize,
    },
    /// Nothing ever moved.
    #[error("constant: every draw of every chain is {value}")]
    Constant {
        /// The value of every draw.
        value: f64,
    },
}

impl Undefined {
    /// The reason in one word, for a column of a table: `draws`, `chains`, `not-finite` or `constant`.
    pub fn word(&self) -> &'static str {
        match self {
            Undefined::TooFewDraws { .. } => "draws",
            Undefined::TooFewChains { .. } => "chains",
            Undefined::NonFinite { .. } => "not-finite",
            Undefined::Constant { .. } => "constant",
        }
    }
}

/// Draws that a split in half leaves with two a half, the fewest with a variance.
pub(super) const MIN_DRAWS: usize = 4;

/// Refuses chains of fewer than `needed` draws and those with a draw that is no number.
pub(super) fn check_finite(chains: &Chains<'_>, needed: usize) -> Result<(), Undefined> {
    let draws = chains.draws();
    if draws < needed {
        return Err(Undefined::TooFewDraws { draws, needed });
    }
    match chains.values().iter().position(|value| !value.is_finite()) {
        Some(at) => Err(Undefined::NonFinite { chain: at / draws, draw: at % draws }),
        None => Ok(()),
    }
}

/// Refuses what [`check_finite`] does, and chains that never move.
pub(super) fn check_moving(chains: &Chains<'_>, needed: usize) -> Result<(), Undefined> {
    check_finite(chains, needed)?;
    match chains.constant() {
        Some(value) => Err(Undefined::Constant { value }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_first_is_named_with_its_place() {
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN, 6.0, f64::INFINITY];
        let chains = Chains::new(&values, 2);
        assert_eq!(check_moving(&chains, 4), Err(Undefined::NonFinite { chain: 1, draw: 1 }));
        assert_eq!(check_moving(&chains, 5), Err(Undefined::TooFewDraws { draws: 4, needed: 5 }));
        let still = [7.0; 8];
        let constant = check_moving(&Chains::new(&still, 2), 4).unwrap_err();
        assert_eq!(constant.to_string(), "constant: every draw of every chain is 7");
        assert_eq!(constant.word(), "constant");
        assert_eq!(check_finite(&Chains::new(&still, 2), 4), Ok(()));
    }

    #[test]
    fn no_draws_are_too_few() {
        assert_eq!(
            check_finite(&Chains::new(&[], 3), 1),
            Err(Undefined::TooFewDraws { draws: 0, needed: 1 })
        );
        assert!(check_finite(&Chains::new(&[], 0), 1).is_err());
    }
}
