//! `Verdict`, the most extreme of many comparisons, judged at a rate of false alarms for all of them together.

use statrs::function::beta::beta_reg;
use statrs::function::gamma::gamma_ur;

/// The most extreme of many comparisons.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The smallest p-value.
    pub p: f64,
    /// Of how many.
    pub comparisons: usize,
    /// Which it is.
    pub what: String,
}

impl Verdict {
    /// Nothing compared yet.
    pub fn new() -> Self {
        Verdict { p: 1.0, comparisons: 0, what: "nothing was compared".into() }
    }

    /// Adds a comparison.
    pub fn add(&mut self, p: f64, what: impl FnOnce() -> String) {
        self.comparisons += 1;
        // A value that is not a number is as bad as can be.
        if p < self.p || p.is_nan() {
            self.p = if p.is_nan() { 0.0 } else { p };
            self.what = what();
        }
    }

    /// Adds the comparisons of another.
    pub fn merge(&mut self, other: Verdict) {
        self.comparisons += other.comparisons;
        if other.p < self.p {
            (self.p, self.what) = (other.p, other.what);
        }
    }

    /// Bonferroni: the chance, at most, of a value as extreme among so many if nothing is wrong.
    pub fn familywise(&self) -> f64 {
        (self.p * self.comparisons as f64).min(1.0)
    }

    /// Fails unless what was compared agrees.
    #[track_caller]
    pub fn expect_agreement(&self, false_alarm: f64) {
        assert!(self.comparisons > 0, "nothing was compared");
        assert!(self.familywise() >= false_alarm, "{self}");
        println!("{self}");
    }

    /// Fails unless the planted error is caught, with room: at the square of the rate of false alarms.
    #[track_caller]
    pub fn expect_alarm(&self, false_alarm: f64, planted: &str) {
        assert!(self.familywise() < false_alarm * false_alarm, "{planted} is not caught: {self}");
        println!("caught: {planted}: {self}");
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "smallest p of {}: {:.3e} ({})", self.comparisons, self.p, self.what)
    }
}

/// The chance of a value of Student's t at least this far from 0, either way.
pub fn p_of_t(t: f64, degrees: f64) -> f64 {
    if t.is_nan() { f64::NAN } else { beta_reg(degrees / 2.0, 0.5, degrees / (degrees + t * t)) }
}

/// The chance of a value of chi-squared at least this large.
pub fn p_of_chi_squared(value: f64, degrees: f64) -> f64 {
    if value == 0.0 { 1.0 } else { gamma_ur(degrees / 2.0, value / 2.0) }
}

/// Mean and variance of the mean of independent values.
pub fn mean_and_variance(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, variance / n)
}
