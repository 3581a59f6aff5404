//! Geweke's z: is the beginning of a chain like its end?

use super::autocorrelation::Deviations;
use super::chains::mean;
use super::undefined::check_moving;
use super::{Chains, Diagnostic, Undefined};

/// Fewer draws leave too few in the first tenth for a spectrum.
const MIN_DRAWS: usize = 50;

/// The mean of a chain's first tenth less that of its last half, in standard errors: about standard normal where the
/// chain is stationary (Geweke 1992).
///
/// As `geweke.diag` of R's coda does it, because ArviZ no longer has it: the squared standard error of a mean is the
/// spectral density at frequency zero over the number of draws, and the density that of an autoregression fitted by the
/// Yule-Walker equations, its order chosen by AIC. Where a window is constant its density is 0, as in coda; unlike
/// there, a window that is a straight line is fitted like any other, and the order stays two below the number of draws.
///
/// # Errors
/// [`Undefined`]: fewer than 50 draws, a draw that is not finite, both windows constant.
pub fn geweke(chain: &[f64]) -> Diagnostic {
    check_moving(&Chains::new(chain, 1), MIN_DRAWS)?;
    let steps = chain.len() as f64 - 1.0;
    let first = &chain[..=(0.1 * steps).ceil() as usize];
    let last = &chain[(chain.len() as f64 - 0.5 * steps).floor() as usize - 1..];
    let error = spectrum_at_zero(first) / first.len() as f64 + spectrum_at_zero(last) / last.len() as f64;
    if error == 0.0 {
        return Err(Undefined::Constant { value: last[0] });
    }
    Ok((mean(first) - mean(last)) / error.sqrt())
}

/// The spectral density at frequency zero of the autoregression that fits best.
fn spectrum_at_zero(window: &[f64]) -> f64 {
    let n = window.len();
    let deviations = Deviations::new(window);
    let max_order = (n - 2).min((10.0 * (n as f64).log10()).floor() as usize);
    let autocovariance: Vec<f64> = (0..=max_order).map(|lag| deviations.autocovariance(lag)).collect();
    if window.iter().all(|value| *value == window[0]) {
        return 0.0;
    }
    // Durbin's recursion over the order.
    let mut coefficients: Vec<f64> = Vec::new();
    let mut variance = autocovariance[0];
    let criterion = |variance: f64, order: usize| n as f64 * variance.ln() + 2.0 * order as f64;
    let density = |variance: f64, coefficients: &[f64]| {
        let unbiased = variance * n as f64 / (n - coefficients.len() - 1) as f64;
        unbiased / (1.0 - coefficients.iter().sum::<f64>()).powi(2)
    };
    let mut best = (criterion(variance, 0), density(variance, &[]));
    for order in 1..=max_order {
        let explained: f64 =
            coefficients.iter().enumerate().map(|(i, c)| c * autocovariance[order - 1 - i]).sum();
        let reflection = (autocovariance[order] - explained) / variance;
        let before = coefficients.clone();
        for (c, mirrored) in coefficients.iter_mut().zip(before.iter().rev()) {
            *c -= reflection * mirrored;
        }
        coefficients.push(reflection);
        variance *= 1.0 - reflection * reflection;
        let found = criterion(variance, order);
        if found < best.0 {
            best = (found, density(variance, &coefficients));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;
    use rand::RngExt;

    #[test]
    fn a_chain_that_starts_elsewhere_is_told_from_one_that_does_not() {
        let mut random = rng::stream(3, "test", &[]);
        let noise: Vec<f64> = (0..1000).map(|_| random.random()).collect();
        // Beyond 4.5 standard errors once in 150,000 seeds.
        assert!(geweke(&noise).unwrap().abs() < 4.5);
        let far: Vec<f64> =
            noise.iter().enumerate().map(|(i, x)| if i < 150 { x + 0.5 } else { *x }).collect();
        assert!(geweke(&far).unwrap() > 4.5);
    }

    #[test]
    fn a_chain_that_jumps_once_has_no_error_to_divide_by() {
        let jump: Vec<f64> = (0..100).map(|i| if i < 30 { 0.0 } else { 1.0 }).collect();
        assert_eq!(geweke(&jump), Err(Undefined::Constant { value: 1.0 }));
        assert_eq!(geweke(&jump[..49]), Err(Undefined::TooFewDraws { draws: 49, needed: 50 }));
    }

    #[test]
    fn the_spectrum_of_an_autoregression_is_that_of_theory() {
        let mut random = rng::stream(4, "test", &[]);
        let mut x = 0.0;
        let chain: Vec<f64> = (0..20_000)
            .map(|_| {
                x = 0.5 * x + random.random::<f64>() - 0.5;
                x
            })
            .collect();
        // Variance of the noise over (1 - .5)^2.
        let ratio = spectrum_at_zero(&chain) / (1.0 / 12.0 / 0.25);
        assert!((ratio - 1.0).abs() < 0.2, "{ratio}");
    }
}
