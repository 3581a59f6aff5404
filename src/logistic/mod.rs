//! Logistic regression: the logistic function, its logarithm, Newton's method, and the weights that rows make most probable.

pub mod multinomial;

/// 1 / (1 + e^-x): the probability of log odds, 0 to 1.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1 + e^x) without overflow: minus the logarithm of [`sigmoid`] of -x.
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The log odds of a probability, which is taken for `least` (above 0) away from 0 and 1.
pub fn logit(probability: f64, least: f64) -> f64 {
    let p = probability.clamp(least, 1.0 - least);
    (p / (1.0 - p)).ln()
}

/// How long Newton's method goes on.
#[derive(Debug, Clone, Copy)]
pub struct Newton {
    /// The most steps.
    pub steps: u32,
    /// How often a step is tried: whole, halved, and so on.
    pub tries: u32,
    /// A halved step whose parts are all smaller than this is not tried.
    pub least_step: f64,
}

impl Newton {
    /// The maximum of a concave function from a start; `step` gives the whole step of Newton's method at a point. A step that
    /// does not gain is halved.
    pub fn maximum<const N: usize>(
        self,
        start: [f64; N],
        value: impl Fn([f64; N]) -> f64,
        step: impl Fn([f64; N]) -> [f64; N],
    ) -> [f64; N] {
        let (mut at, mut best) = (start, value(start));
        for _ in 0..self.steps {
            let whole = step(at);
            let halved =
                (0..self.tries).map(|halvings| whole.map(|part| part * 0.5f64.powi(halvings as i32)));
            let large = halved.enumerate().take_while(|(halvings, step)| {
                *halvings == 0 || !step.iter().all(|part| part.abs() < self.least_step)
            });
            let mut tried = large.map(|(_, step)| {
                let next: [f64; N] = std::array::from_fn(|i| at[i] + step[i]);
                (next, value(next))
            });
            match tried.find(|(_, value)| *value > best) {
                Some(better) => (at, best) = better,
                None => break,
            }
        }
        at
    }
}

/// Rows of values with how probable their outcome is, which a logistic regression is learned from.
pub struct Rows<'a, const N: usize> {
    /// Values and target, 0 to 1. Where there is to be a constant, the first value of each row is 1.
    pub rows: &'a [([f64; N], f64)],
    /// Half of these (0 or more) times the squares of the weights are taken from what is maximized.
    pub penalties: [f64; N],
    /// Added to the second derivatives, as a value may be the same in all rows.
    pub least_curvature: f64,
}

impl<const N: usize> Rows<'_, N> {
    /// The weights that make the targets most probable, from a start, by Newton's method.
    pub fn most_probable_weights(&self, start: [f64; N], newton: Newton) -> [f64; N] {
        newton.maximum(start, |weights| self.value(weights), |weights| self.step(weights))
    }

    fn value(&self, weights: [f64; N]) -> f64 {
        let loss = |(x, target): &([f64; N], f64)| {
            let score = product(&weights, x);
            softplus(score) - target * score
        };
        let squares: f64 = weights.iter().zip(self.penalties).map(|(w, penalty)| penalty * w * w).sum();
        -self.rows.iter().map(loss).sum::<f64>() - squares / 2.0
    }

    fn step(&self, weights: [f64; N]) -> [f64; N] {
        let mut gradient: [f64; N] = std::array::from_fn(|i| self.penalties[i] * weights[i]);
        let diagonal = |i: usize| self.penalties[i] + self.least_curvature;
        let mut hessian: [[f64; N]; N] =
            std::array::from_fn(|i| std::array::from_fn(|j| if i == j { diagonal(i) } else { 0.0 }));
        for (x, target) in self.rows {
            let p = sigmoid(product(&weights, x));
            for (i, row) in hessian.iter_mut().enumerate() {
                gradient[i] += (p - target) * x[i];
                row.iter_mut().zip(x).for_each(|(cell, other)| *cell += p * (1.0 - p) * x[i] * other);
            }
        }
        solve(hessian, gradient).map(|part| -part)
    }
}

fn product<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The solution of a positive definite system of equations, by elimination.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for i in 0..N {
        let pivot = matrix[i];
        for j in i + 1..N {
            let factor = matrix[j][i] / pivot[i];
            matrix[j].iter_mut().zip(pivot).for_each(|(cell, above)| *cell -= factor * above);
            right[j] -= factor * right[i];
        }
    }
    let mut solution = [0.0; N];
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| matrix[i][j] * solution[j]).sum();
        solution[i] = (right[i] - known) / matrix[i][i];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_are_each_other_s_inverse_and_logarithm() {
        for p in [1e-6, 0.2, 0.5, 0.9] {
            assert!((sigmoid(logit(p, 1e-9)) - p).abs() < 1e-12);
            assert!((softplus(logit(p, 1e-9)) + (1.0 - p).ln()).abs() < 1e-12);
        }
        assert_eq!((softplus(1e4), softplus(-1e4), sigmoid(-1e4)), (1e4, 0.0, 0.0));
        assert!(logit(0.0, 1e-9).is_finite() && logit(1.0, 1e-9).is_finite());
    }

    #[test]
    fn a_step_that_goes_too_far_is_halved() {
        let newton = Newton { steps: 100, tries: 60, least_step: 1e-12 };
        // ln cosh is so flat away from 0 that whole steps of Newton's method leave it.
        let [found] =
            newton.maximum([3.0], |[x]: [f64; 1]| -x.cosh().ln(), |[x]| [-x.tanh() * x.cosh().powi(2)]);
        assert!(found.abs() < 1e-6, "{found}");
        let stays = newton.maximum([1.0], |_| f64::NAN, |_| [f64::NAN]);
        assert_eq!(stays, [1.0]);
    }

    #[test]
    fn weights_are_those_of_the_shares_and_a_penalty_makes_them_smaller() {
        let ridge = |rows: &[([f64; 2], f64)], penalty: f64| {
            let newton = Newton { steps: 100, tries: 30, least_step: 1e-9 };
            Rows { rows, penalties: [0.0, penalty], least_curvature: 1e-9 }
                .most_probable_weights([0.0; 2], newton)
        };
        // One in four without the mark, three in four with it: log odds -ln 3 and ln 3.
        let rows = |mark: f64, positive: usize| {
            (0..40).map(move |i| ([1.0, mark], if i < positive { 1.0 } else { 0.0 }))
        };
        let rows: Vec<([f64; 2], f64)> = rows(0.0, 10).chain(rows(1.0, 30)).collect();
        let [constant, weight] = ridge(&rows, 0.0);
        assert!((constant + 3f64.ln()).abs() < 1e-6 && (weight - 2.0 * 3f64.ln()).abs() < 1e-6);
        let [_, smaller] = ridge(&rows, 1.0);
        assert!(0.0 < smaller && smaller < weight);
        let certain: Vec<([f64; 2], f64)> = rows.iter().map(|&(x, _)| (x, x[1])).collect();
        assert!(ridge(&certain, 0.1).iter().all(|weight| weight.is_finite()));
    }
}
