//! Multinomial logistic regression over rows of which most values are 0: which of some outcomes, by a sum of weights each.
//!
//! The weights maximize what is concave, by the limited-memory method of Liu & Nocedal (1989), "On the limited memory BFGS
//! method for large scale optimization", on one thread: the same bits wherever it runs.

use std::collections::VecDeque;

/// Steps that are remembered.
const MEMORY: usize = 10;
/// The most steps.
const STEPS: usize = 200;
/// Steps end where no part of the gradient is larger, as a share of the weight of all rows.
const LEAST_GRADIENT: f64 = 1e-5;
/// A step gains at least this share of what its slope promises.
const LEAST_GAIN: f64 = 1e-4;
/// How often a step that does not gain is halved.
const HALVINGS: u32 = 40;

/// A row to learn from.
#[derive(Debug, Clone, Copy)]
pub struct SparseRow<'a> {
    /// The values that are not 0, with the numbers of their columns.
    pub values: &'a [(u32, f32)],
    /// The number of its outcome.
    pub outcome: usize,
    /// What it counts, above 0.
    pub weight: f64,
}

/// What is learned.
#[derive(Debug, Clone, PartialEq)]
pub struct MultinomialWeights {
    /// The constant of each outcome.
    pub constants: Vec<f64>,
    /// \[column\]\[outcome\], one after the other.
    pub weights: Vec<f64>,
}

/// The weights that make the outcomes most probable, less half of `penalty` (above 0) times the sum of the squares of all
/// but the constants. Linear in the values, in each of at most 200 steps.
///
/// # Panics
/// If a column or an outcome is not below `columns` or `outcomes`.
pub fn most_probable_weights(
    rows: &[SparseRow<'_>],
    columns: usize,
    outcomes: usize,
    penalty: f64,
) -> MultinomialWeights {
    let objective = Objective { rows, outcomes, penalty };
    // The constants come first.
    let mut at = vec![0.0; (1 + columns) * outcomes];
    let (mut loss, mut gradient) = objective.at(&at);
    let least = LEAST_GRADIENT * rows.iter().map(|row| row.weight).sum::<f64>();
    let mut steps: VecDeque<Step> = VecDeque::new();
    for _ in 0..STEPS {
        if gradient.iter().all(|part| part.abs() <= least) {
            break;
        }
        let direction = direction(&gradient, &steps);
        let slope = product(&direction, &gradient);
        // Nothing is known of the curvature at first: a step of length 1.
        let whole = if steps.is_empty() { 1.0 / product(&gradient, &gradient).sqrt() } else { 1.0 };
        let tried = (0..HALVINGS).map(|halvings| whole * 0.5f64.powi(halvings as i32)).find_map(|length| {
            let next: Vec<f64> = at.iter().zip(&direction).map(|(at, part)| at + length * part).collect();
            let (next_loss, next_gradient) = objective.at(&next);
            (next_loss <= loss + LEAST_GAIN * length * slope).then_some((next, next_loss, next_gradient))
        });
        let Some((next, next_loss, next_gradient)) = tried else { break };
        let by = difference(&next, &at);
        let of_gradient = difference(&next_gradient, &gradient);
        let curvature = product(&by, &of_gradient);
        if curvature > 0.0 {
            steps.truncate(MEMORY - 1);
            steps.push_front(Step { by, of_gradient, curvature });
        }
        (at, loss, gradient) = (next, next_loss, next_gradient);
    }
    let weights = at.split_off(outcomes);
    MultinomialWeights { constants: at, weights }
}

/// A step with how the gradient changed by it.
struct Step {
    by: Vec<f64>,
    of_gradient: Vec<f64>,
    /// The product of both, above 0.
    curvature: f64,
}

/// Minus the gradient, by the curvature that the steps have seen, the last one first.
fn direction(gradient: &[f64], steps: &VecDeque<Step>) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|part| -part).collect();
    let mut shares = Vec::with_capacity(steps.len());
    for step in steps {
        let share = product(&step.by, &direction) / step.curvature;
        add(&mut direction, -share, &step.of_gradient);
        shares.push(share);
    }
    if let Some(last) = steps.front() {
        let scale = last.curvature / product(&last.of_gradient, &last.of_gradient);
        direction.iter_mut().for_each(|part| *part *= scale);
    }
    for (step, share) in steps.iter().zip(shares).rev() {
        let back = product(&step.of_gradient, &direction) / step.curvature;
        add(&mut direction, share - back, &step.by);
    }
    direction
}

struct Objective<'a> {
    rows: &'a [SparseRow<'a>],
    outcomes: usize,
    penalty: f64,
}

impl Objective<'_> {
    /// What is minimized, with its gradient.
    fn at(&self, at: &[f64]) -> (f64, Vec<f64>) {
        let n = self.outcomes;
        let (constants, weights) = at.split_at(n);
        let mut gradient: Vec<f64> = Vec::with_capacity(at.len());
        gradient.resize(n, 0.0);
        gradient.extend(weights.iter().map(|weight| self.penalty * weight));
        let mut loss = self.penalty / 2.0 * product(weights, weights);
        let mut scores = vec![0.0; n];
        for row in self.rows {
            scores.copy_from_slice(constants);
            for &(column, value) in row.values {
                add(&mut scores, value.into(), &weights[column as usize * n..][..n]);
            }
            let own = scores[row.outcome];
            let ln_sum = softmax(&mut scores);
            loss += row.weight * (ln_sum - own);
            scores[row.outcome] -= 1.0;
            scores.iter_mut().for_each(|slack| *slack *= row.weight);
            add(&mut gradient[..n], 1.0, &scores);
            for &(column, value) in row.values {
                add(&mut gradient[(1 + column as usize) * n..][..n], value.into(), &scores);
            }
        }
        (loss, gradient)
    }
}

/// Makes probabilities of scores, which are logarithms of them but for a constant; gives the logarithm of the sum before.
pub fn softmax(scores: &mut [f64]) -> f64 {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter_mut().for_each(|score| *score = (*score - most).exp());
    let sum: f64 = scores.iter().sum();
    scores.iter_mut().for_each(|p| *p /= sum);
    most + sum.ln()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(sum: &mut [f64], times: f64, more: &[f64]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += times * more);
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_of_far_scores_are_finite() {
        let mut scores = [1e4, 1e4, -1e4];
        assert!((softmax(&mut scores) - 1e4 - 2f64.ln()).abs() < 1e-9);
        assert_eq!(scores, [0.5, 0.5, 0.0]);
    }

    #[test]
    fn constants_alone_are_those_of_the_shares() {
        let rows: Vec<SparseRow<'_>> =
            [0, 0, 0, 1].map(|outcome| SparseRow { values: &[], outcome, weight: 2.0 }).into();
        let learned = most_probable_weights(&rows, 0, 2, 1.0);
        assert!((learned.constants[0] - learned.constants[1] - 3f64.ln()).abs() < 1e-4);
        assert!(learned.weights.is_empty());
    }
}
