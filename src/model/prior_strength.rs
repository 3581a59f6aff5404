//! The strength of the Dirichlet priors by empirical Bayes: what makes the counts most probable.
//!
//! With the rows of all tables integrated out, the counts have the probability (the Dirichlet-multinomial; of a sample
//! in its order)
//!
//! P(counts | gamma) = prod over rows of  G(n gamma) / G(n gamma + sum c) * prod_i G(gamma + c_i) / G(gamma)
//!
//! Its maximum is one number for all categorical features of a model and one for its transitions. Strong priors (gamma
//! above 1) make rows alike; weak ones (near 0) leave to what was never seen next to no probability. Rows without counts
//! have no say. Found on a grid of ln gamma and then by golden section, since the sum over rows may have several maxima.
//!
//! References: Minka 2000, "Estimating a Dirichlet distribution"; MacKay & Peto 1995, "A hierarchical Dirichlet
//! language model".

use super::config::Priors;
use super::counts::FeatureCounts;
use super::hmt::Model;
use crate::dist::DirichletCategorical;
use crate::error::Result;

/// The range of gamma.
const RANGE: (f64, f64) = (1e-4, 1e3);
/// Points of the grid: ten to a decade.
const POINTS: usize = 71;
/// ln gamma is found to this.
const TOLERANCE: f64 = 1e-6;

/// The priors of a model with the strengths of its categorical features and of its transitions at their most probable;
/// each stays as it is where nothing was counted. Geometric priors are left alone. For [`Model::with_priors`].
pub fn empirical_priors(model: &Model) -> Priors {
    let counts = model.counts();
    let unit = counts.unit();
    let width = model.config().emission_width();
    let row = |numbers: &mut dyn Iterator<Item = &u64>| -> Vec<f64> {
        numbers.map(|&number| number as f64 * unit).collect()
    };
    let transitions: Vec<Vec<f64>> =
        counts.transitions.chunks_exact(counts.states).map(|counts| row(&mut counts.iter())).collect();
    let mut columns = Vec::new();
    for feature in &counts.features {
        if let FeatureCounts::Categorical(counts) = feature {
            columns.extend((0..width).map(|column| row(&mut counts.iter().skip(column).step_by(width))));
        }
    }
    let priors = model.config().priors;
    Priors {
        transition: strength(&transitions).unwrap_or(priors.transition),
        categorical: strength(&columns).unwrap_or(priors.categorical),
        ..priors
    }
}

impl Model {
    /// The model under its [`empirical_priors`].
    ///
    /// # Errors
    /// As [`Model::with_priors`].
    pub fn with_empirical_priors(self) -> Result<Self> {
        let priors = empirical_priors(&self);
        self.with_priors(priors)
    }
}

/// The prior under which rows of counts are most probable; none where nothing was counted.
fn strength(rows: &[Vec<f64>]) -> Option<DirichletCategorical> {
    let rows: Vec<&[f64]> =
        rows.iter().filter(|row| row.iter().any(|&count| count > 0.0)).map(Vec::as_slice).collect();
    if rows.is_empty() {
        return None;
    }
    let prior = |ln_gamma: f64| DirichletCategorical { gamma: ln_gamma.exp() };
    let ln_evidence =
        |ln_gamma: f64| -> f64 { rows.iter().map(|row| prior(ln_gamma).ln_evidence(row)).sum() };
    let (low, high) = (RANGE.0.ln(), RANGE.1.ln());
    let step = (high - low) / (POINTS - 1) as f64;
    let on_grid: Vec<f64> = (0..POINTS).map(|point| ln_evidence(low + point as f64 * step)).collect();
    let best = (0..POINTS).max_by(|&a, &b| on_grid[a].total_cmp(&on_grid[b])).expect("a grid has points");
    let at = |point: f64| (low + point * step).clamp(low, high);
    let (mut left, mut right) = (at(best as f64 - 1.0), at(best as f64 + 1.0));
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let inner = |left: f64, right: f64| (right - ratio * (right - left), left + ratio * (right - left));
    let (mut a, mut b) = inner(left, right);
    let (mut of_a, mut of_b) = (ln_evidence(a), ln_evidence(b));
    while right - left > TOLERANCE {
        if of_a >= of_b {
            (right, b, of_b) = (b, a, of_a);
            a = inner(left, right).0;
            of_a = ln_evidence(a);
        } else {
            (left, a, of_a) = (a, b, of_b);
            b = inner(left, right).1;
            of_b = ln_evidence(b);
        }
    }
    Some(prior((left + right) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_strength_of_a_fine_grid_makes_the_counts_more_probable() {
        let tables: [&[&[f64]]; 4] = [
            &[&[3.0, 0.0, 1.0], &[0.0, 9.0, 2.0], &[0.0; 3]],
            &[&[50.0, 51.0, 49.0, 50.0]],
            &[&[7.0, 0.0, 0.0], &[0.0, 0.0, 9.0]],
            &[&[0.5, 2.25], &[4.0, 0.125]],
        ];
        for table in tables {
            let rows: Vec<Vec<f64>> = table.iter().map(|row| row.to_vec()).collect();
            let found = strength(&rows).unwrap();
            let of =
                |prior: DirichletCategorical| -> f64 { rows.iter().map(|row| prior.ln_evidence(row)).sum() };
            let decades = (RANGE.1 / RANGE.0).ln();
            let grid = (0..=20_000).map(|i| RANGE.0 * (decades * f64::from(i) / 2e4).exp());
            let best = grid.map(|gamma| of(DirichletCategorical { gamma })).fold(f64::NEG_INFINITY, f64::max);
            // ln G of thousands is rounded to some 1e-8.
            assert!(of(found) >= best - 1e-6, "{table:?}: {} at {found:?}, {best}", of(found));
        }
    }

    #[test]
    fn rows_alike_ask_for_a_strong_prior_and_rows_of_one_category_for_a_weak_one() {
        let alike = strength(&vec![vec![30.0, 30.0, 30.0]; 20]).unwrap().gamma;
        let apart: Vec<Vec<f64>> =
            (0..20).map(|i| (0..5).map(|j| f64::from(u8::from(i % 5 == j)) * 9.0).collect()).collect();
        let apart = strength(&apart).unwrap().gamma;
        assert!(alike > 30.0 && apart < 0.1, "{alike} {apart}");
    }

    #[test]
    fn a_model_that_has_counted_nothing_keeps_its_priors() {
        let model = Model::new(crate::model::ModelConfig::blocks()).unwrap();
        assert_eq!(empirical_priors(&model), model.config().priors);
    }
}
