//! Quantiles of the pooled draws.

use super::undefined::check_finite;
use super::{Chains, Diagnostic};

/// The quantile at `p` (0 to 1) of all draws, by linear interpolation (Hyndman & Fan 1996, type 7: the default of R,
/// NumPy and ArviZ).
///
/// # Errors
/// [`Undefined`](super::Undefined): no draws, or one that is not finite.
///
/// # Examples
/// ```
/// use duramen::diagnostics::{Chains, quantile};
///
/// let draws = [8.0, 1.0, 4.0, 2.0];
/// assert_eq!(quantile(&Chains::new(&draws, 2), 0.5), Ok(3.0));
/// ```
pub fn quantile(chains: &Chains<'_>, p: f64) -> Diagnostic {
    check_finite(chains, 1)?;
    Ok(quantile_of_sorted(&chains.sorted(), p))
}

/// The same of ascending, non-empty values.
pub fn quantile_of_sorted(sorted: &[f64], p: f64) -> f64 {
    let position = p * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_type_seven() {
        assert_eq!(quantile_of_sorted(&[1.0, 2.0, 4.0, 8.0], 0.5), 3.0);
        assert_eq!(quantile_of_sorted(&[1.0, 2.0, 4.0, 8.0], 0.25), 1.75);
        assert_eq!(quantile_of_sorted(&[1.0, 2.0, 4.0, 8.0], 1.0), 8.0);
        assert_eq!(quantile_of_sorted(&[3.0], 0.975), 3.0);
    }
}
