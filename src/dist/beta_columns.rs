//! `BetaColumns`, columns of geometric counts that change one by one, with p integrated out.

use statrs::function::beta::ln_beta;

use super::beta_geometric::BetaGeometric;

/// Columns of geometric counts, each with the same Beta prior.
#[derive(Debug, Clone)]
pub struct BetaColumns {
    prior: BetaGeometric,
    columns: Vec<u32>,
    base: Vec<[f64; 2]>,
    /// Number of observations and their sum.
    counts: Vec<[f64; 2]>,
}

impl BetaColumns {
    /// Columns with the \[number, sum\] of the counts that are there at first; `columns` are those in use.
    pub fn new(prior: BetaGeometric, base: Vec<[f64; 2]>, columns: Vec<u32>) -> Self {
        BetaColumns { prior, columns, counts: base.clone(), base }
    }

    fn posterior(&self, column: usize) -> BetaGeometric {
        let [n, sum] = self.counts[column];
        BetaGeometric { alpha: self.prior.alpha + n, beta: self.prior.beta + sum }
    }

    /// ln P(what was added | what was there at first), with p integrated out.
    pub fn ln_evidence(&self) -> f64 {
        self.base.iter().zip(&self.counts).filter(|(base, counts)| base != counts).fold(
            0.0,
            |ln, (base, counts)| {
                let BetaGeometric { alpha, beta } = self.prior;
                ln + ln_beta(alpha + counts[0], beta + counts[1]) - ln_beta(alpha + base[0], beta + base[1])
            },
        )
    }

    /// Adds `n` times a count to a column; takes it away where `n` is negative.
    pub fn add(&mut self, column: usize, x: u32, n: f64) {
        self.counts[column][0] += n;
        self.counts[column][1] += n * f64::from(x);
    }

    /// Goes back to what was there at first.
    pub fn reset(&mut self) {
        self.counts.copy_from_slice(&self.base);
    }

    /// ln P(x) in a column, with p integrated out.
    pub fn ln_predictive(&self, column: usize, x: u32) -> f64 {
        self.posterior(column).ln_predictive_by_product(x)
    }

    /// Whether something was counted in a column at first.
    pub fn is_counted(&self, column: usize) -> bool {
        self.base[column][0] > 0.0
    }

    /// The columns that are in use.
    pub fn in_use(&self) -> &[u32] {
        &self.columns
    }

    /// The posteriors of all columns.
    pub fn posteriors(&self) -> impl Iterator<Item = BetaGeometric> {
        (0..self.counts.len()).map(|column| self.posterior(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::GeometricStatistic;

    #[test]
    fn evidence_and_predictive_are_those_of_the_single_distribution() {
        let prior = BetaGeometric { alpha: 0.7, beta: 2.5 };
        let mut columns = BetaColumns::new(prior, vec![[3.0, 11.0], [0.0, 0.0]], vec![0, 1]);
        assert_eq!(columns.ln_evidence(), 0.0);
        let before = columns.ln_predictive(1, 40);
        columns.add(1, 40, 1.0);
        columns.add(1, 2, 1.0);
        let expected = prior.ln_evidence(GeometricStatistic { n: 2, sum: 42 });
        assert!((columns.ln_evidence() - expected).abs() < 1e-9);
        columns.add(1, 2, -1.0);
        assert!((columns.ln_evidence() - before).abs() < 1e-9, "the first count's own probability");
        columns.reset();
        assert_eq!(columns.ln_predictive(1, 40), before);
    }
}
