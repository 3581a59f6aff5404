//! Weights of a multinomial logistic regression are those of scikit-learn on the same rows, and of two outcomes those of
//! Newton's method.

use duramen::logistic::multinomial::{MultinomialWeights, SparseRow, most_probable_weights};
use duramen::logistic::{Newton, Rows};
use serde::Deserialize;

use crate::support::mixed;

const COLUMNS: usize = 12;
const PENALTY: f64 = 0.25;

/// As scripts/multinomial_reference.py makes them: the values of a row, its outcome, its weight.
fn rows() -> Vec<([f32; COLUMNS], usize, f64)> {
    let value = |number: u64| if number.is_multiple_of(3) { (number / 3 % 8 + 1) as f32 / 4.0 } else { 0.0 };
    let row = |row: usize| {
        let values: [f32; COLUMNS] =
            std::array::from_fn(|column| value(mixed((row * COLUMNS + column) as u64)));
        let sum = |outcome: usize| values.iter().skip(outcome).step_by(4).sum::<f32>();
        // Of equal sums the first.
        let most = (0..4).rev().max_by(|&a, &b| sum(a).total_cmp(&sum(b))).unwrap();
        let outcome = if row.is_multiple_of(5) { mixed(row as u64) as usize % 4 } else { most };
        (values, outcome, if row.is_multiple_of(2) { 1.0 } else { 0.5 })
    };
    (0..300).map(row).collect()
}

fn learn(rows: &[([f32; COLUMNS], usize, f64)], outcomes: usize) -> MultinomialWeights {
    let sparse = |values: &[f32; COLUMNS]| -> Vec<(u32, f32)> {
        (0..).zip(values.iter().copied()).filter(|(_, value)| *value != 0.0).collect()
    };
    let values: Vec<Vec<(u32, f32)>> = rows.iter().map(|(values, ..)| sparse(values)).collect();
    let rows: Vec<SparseRow<'_>> = rows
        .iter()
        .zip(&values)
        .map(|(&(_, outcome, weight), values)| SparseRow { values, outcome, weight })
        .collect();
    most_probable_weights(&rows, COLUMNS, outcomes, PENALTY)
}

#[test]
fn weights_are_those_of_scikit_learn() {
    #[derive(Deserialize)]
    struct Reference {
        constants: Vec<f64>,
        weights: Vec<Vec<f64>>,
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/references/multinomial.json");
    let reference: Reference = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let learned = learn(&rows(), 4);
    // Constants are the same but for what all have in common.
    let centred = |constants: &[f64]| -> Vec<f64> {
        let mean = constants.iter().sum::<f64>() / constants.len() as f64;
        constants.iter().map(|constant| constant - mean).collect()
    };
    close(&centred(&learned.constants), &centred(&reference.constants));
    close(&learned.weights, &reference.weights.concat());
}

#[test]
fn two_outcomes_are_those_of_newton_s_method() {
    let two: Vec<_> = rows().into_iter().map(|(values, outcome, _)| (values, outcome % 2, 1.0)).collect();
    let learned = learn(&two, 2);
    let dense = |&(values, outcome, _): &([f32; COLUMNS], usize, f64)| {
        let mut row = [1.0; 1 + COLUMNS];
        row[1..].iter_mut().zip(values).for_each(|(to, value)| *to = value.into());
        (row, outcome as f64)
    };
    let dense: Vec<_> = two.iter().map(dense).collect();
    // The weights of both are opposite halves of their difference, on which the penalty is half as large.
    let mut penalties = [PENALTY / 2.0; 1 + COLUMNS];
    penalties[0] = 0.0;
    let newton = Newton { steps: 100, tries: 30, least_step: 1e-12 };
    let exact = Rows { rows: &dense, penalties, least_curvature: 0.0 };
    let exact = exact.most_probable_weights([0.0; 1 + COLUMNS], newton);
    let both = [&learned.constants[..], &learned.weights].concat();
    let differences: Vec<f64> = both.chunks(2).map(|pair| pair[1] - pair[0]).collect();
    close(&differences, &exact);
}

fn close(own: &[f64], expected: &[f64]) {
    assert_eq!(own.len(), expected.len());
    for (own, expected) in own.iter().zip(expected) {
        assert!((own - expected).abs() < 1e-3, "{own} for {expected}");
    }
}
