//! Outlier scores are those of PyOD on the same matrices, and what they must be by their definition.

use std::cmp::Ordering;

use duramen::outlier::{Bins, Distance, FewRows, Hbos, Knn};
use ndarray::{ArrayView2, aview2};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

/// What two scores may differ by, as a share of the larger (of 1 where both are below it).
const TOLERANCE: f64 = 1e-11;

#[derive(Deserialize)]
struct File {
    /// The versions of what computed the scores.
    by: String,
    cases: Vec<Case>,
}

/// A case of `scripts/outlier_reference.py`.
#[derive(Deserialize)]
struct Case {
    name: String,
    rows: Vec<Vec<f64>>,
    others: Vec<Vec<f64>>,
    knn: Vec<KnnScores>,
    hbos: Vec<HbosScores>,
}

#[derive(Deserialize)]
struct KnnScores {
    k: usize,
    method: String,
    decision_scores: Vec<f64>,
    decision_function: Vec<f64>,
}

#[derive(Deserialize)]
struct HbosScores {
    bins: NumberOfBins,
    alpha: f64,
    tol: f64,
    decision_scores: Vec<f64>,
    decision_function: Option<Vec<f64>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOfBins {
    Given(usize),
    Named(String),
}

fn reference() -> File {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/references/outlier.json");
    let file: File = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.by.starts_with("pyod 2.0.5") && file.cases.len() > 10);
    file
}

/// A matrix that owns its values.
#[derive(Clone)]
struct Rows {
    values: Vec<f64>,
    columns: usize,
}

impl Rows {
    fn of(rows: &[Vec<f64>]) -> Rows {
        Rows { values: rows.concat(), columns: rows[0].len() }
    }

    fn matrix(&self) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape((self.len(), self.columns), &self.values).unwrap()
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns..][..self.columns]
    }

    fn len(&self) -> usize {
        self.values.len() / self.columns
    }

    fn in_order(&self, order: &[usize]) -> Rows {
        Rows { values: order.iter().flat_map(|&i| self.row(i)).copied().collect(), columns: self.columns }
    }
}

fn check(what: &str, ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (i, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        let scale = ours.abs().max(theirs.abs()).max(1.0);
        assert!((ours - theirs).abs() <= TOLERANCE * scale, "{what}, row {i}: {ours}, PyOD {theirs}");
    }
}

#[test]
fn distances_to_nearest_rows_are_those_of_pyod() {
    for case in reference().cases {
        let (rows, others) = (Rows::of(&case.rows), Rows::of(&case.others));
        for (method, distance) in [("largest", Distance::Kth), ("mean", Distance::Mean)] {
            let expected: Vec<&KnnScores> = case.knn.iter().filter(|knn| knn.method == method).collect();
            let k = expected.iter().map(|knn| knn.k).collect();
            let fitted = Knn { k, distance, few_rows: FewRows::Refuse }.fit(rows.matrix()).unwrap();
            let of_others = fitted.decision_function(others.matrix()).unwrap();
            for (i, expected) in expected.into_iter().enumerate() {
                let what = format!("{}, {method}, k = {}", case.name, expected.k);
                check(&what, &fitted.decision_scores().row(i).to_vec(), &expected.decision_scores);
                check(&format!("{what}, others"), &of_others.row(i).to_vec(), &expected.decision_function);
            }
        }
    }
}

#[test]
fn histogram_scores_are_those_of_pyod() {
    let mut chosen = 0;
    for case in reference().cases {
        let (rows, others) = (Rows::of(&case.rows), Rows::of(&case.others));
        for expected in &case.hbos {
            let bins = match &expected.bins {
                NumberOfBins::Given(bins) => Bins::Static(*bins),
                NumberOfBins::Named(name) if name == "auto" => Bins::Auto,
                NumberOfBins::Named(name) => panic!("{name}"),
            };
            let what = format!("{}, {bins:?}, alpha {}, tol {}", case.name, expected.alpha, expected.tol);
            let fitted = Hbos { bins, alpha: expected.alpha, tol: expected.tol }.fit(rows.matrix()).unwrap();
            check(&what, fitted.decision_scores(), &expected.decision_scores);
            if let Some(of_others) = &expected.decision_function {
                let what = format!("{what}, others");
                check(&what, &fitted.decision_function(others.matrix()).unwrap(), of_others);
            } else {
                chosen += 1;
            }
        }
    }
    assert!(chosen > 10);
}

/// Rows of few distinct values, and of many; more than a tile of them.
fn made_matrices() -> Vec<Rows> {
    let mut source = ChaCha8Rng::seed_from_u64(7);
    let mut made = |rows: usize, columns: usize, value: fn(&mut ChaCha8Rng) -> f64| Rows {
        values: (0..rows * columns).map(|_| value(&mut source)).collect(),
        columns,
    };
    vec![
        made(700, 3, |source| source.random_range(-2.0..2.0)),
        made(900, 2, |source| f64::from(source.random_range(0..6))),
        made(300, 33, |source| source.random_range(0.0..1.0)),
        made(200, 5, |source| f64::from(source.random_range(0..2)) * source.random_range(-1.0..1.0)),
        made(65, 1, |source| f64::from(source.next_u32())),
        made(1, 4, |source| source.random_range(0.0..1.0)),
    ]
}

/// The distances of each row to all others, ascending.
fn sorted_distances(rows: &Rows, i: usize) -> Vec<f64> {
    let square = |j: usize| rows.row(i).iter().zip(rows.row(j)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let mut all: Vec<f64> = (0..rows.len()).filter(|&j| j != i).map(|j| square(j).sqrt()).collect();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn the_search_finds_what_a_look_at_all_pairs_finds() {
    for rows in made_matrices() {
        let k = vec![1, 10, 64, 65, 500, 5000];
        for distance in [Distance::Kth, Distance::Mean] {
            let knn = Knn { k: k.clone(), distance, few_rows: FewRows::UseAll };
            let fitted = knn.fit(rows.matrix()).unwrap();
            for i in 0..rows.len() {
                let all = sorted_distances(&rows, i);
                for (&k, scores) in k.iter().zip(fitted.decision_scores().outer_iter()) {
                    let used = &all[..k.min(all.len())];
                    let expected = match distance {
                        Distance::Kth => used.last().copied().unwrap_or(0.0),
                        Distance::Mean => used.iter().sum::<f64>() / used.len().max(1) as f64,
                    };
                    assert!(
                        (scores[i] - expected).abs() <= 1e-12 * expected,
                        "{k} {i}: {} {expected}",
                        scores[i]
                    );
                }
            }
        }
    }
}

/// The scores of a matrix by each detector.
fn all_scores(rows: &Rows) -> Vec<Vec<f64>> {
    let mut all = Vec::new();
    for distance in [Distance::Kth, Distance::Mean] {
        let knn = Knn { k: vec![1, 3, 100], distance, few_rows: FewRows::UseAll };
        let fitted = knn.fit(rows.matrix()).unwrap();
        all.extend(fitted.decision_scores().outer_iter().map(|scores| scores.to_vec()));
    }
    for bins in [Bins::Static(10), Bins::Auto, Bins::Dynamic(None), Bins::Dynamic(Some(7))] {
        let hbos = Hbos { bins, ..Hbos::default() };
        all.push(hbos.fit(rows.matrix()).unwrap().decision_scores().to_vec());
    }
    all
}

#[test]
fn the_order_of_the_rows_and_the_number_of_threads_change_no_bit() {
    for rows in made_matrices() {
        let scores = all_scores(&rows);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|i| i.wrapping_mul(2_654_435_761) % 1009);
        let single = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let permuted = single.install(|| all_scores(&rows.in_order(&order)));
        for (scores, permuted) in scores.iter().zip(permuted) {
            let expected: Vec<f64> = order.iter().map(|&i| scores[i]).collect();
            assert!(expected.iter().zip(&permuted).all(|(a, b)| a.total_cmp(b) == Ordering::Equal));
        }
    }
}

#[test]
fn k_more_copies_of_a_row_make_its_distances_zero_and_move_no_row_away() {
    for rows in made_matrices() {
        let knn = Knn { k: vec![5], distance: Distance::Mean, few_rows: FewRows::UseAll };
        let mut more = rows.clone();
        for _ in 0..5 {
            more.values.extend_from_slice(rows.row(0));
        }
        let before = knn.fit(rows.matrix()).unwrap();
        let after = knn.fit(more.matrix()).unwrap();
        assert_eq!(after.decision_scores()[[0, 0]], 0.0);
        assert_eq!(after.decision_scores()[[0, rows.len() + 4]], 0.0);
        if rows.len() > 5 {
            let (before, after) = (before.decision_scores(), after.decision_scores());
            assert!(before.iter().zip(after).all(|(before, after)| after <= before));
        }
    }
}

#[test]
fn rows_fitted_to_are_their_own_neighbors_when_they_are_scored_as_others() {
    let rows = &made_matrices()[0];
    let knn = Knn { k: vec![1, 2], distance: Distance::Kth, few_rows: FewRows::Refuse };
    let fitted = knn.fit(rows.matrix()).unwrap();
    let again = fitted.decision_function(rows.matrix()).unwrap();
    assert!(again.row(0).iter().all(|&score| score == 0.0));
    assert_eq!(again.row(1), fitted.decision_scores().row(0));
}

#[test]
fn bins_of_equal_count_are_as_high_as_counted_by_hand() {
    // Twelve values in three bins of a share of four: 0 0 0 0 0 | 1 2 4 4 | 8 8, and 9, which alone has no width.
    let rows = Rows { values: vec![4.0, 0.0, 0.0, 8.0, 0.0, 1.0, 9.0, 0.0, 2.0, 0.0, 4.0, 8.0], columns: 1 };
    let fitted = Hbos { bins: Bins::Dynamic(Some(3)), ..Hbos::default() }.fit(rows.matrix()).unwrap();
    // Heights 5/1, 4/7 and 3/1.
    let score = |height: f64| (5.0 / height).log10();
    let expected: Vec<f64> = rows
        .values
        .iter()
        .map(|&value| match value {
            0.0 => score(5.0),
            8.0.. => score(3.0),
            _ => score(4.0 / 7.0),
        })
        .collect();
    check("dynamic", fitted.decision_scores(), &expected);
    // Outside, and between values.
    let others = fitted.decision_function(aview2(&[[-0.1], [0.5], [7.9], [9.0], [9.1]])).unwrap();
    let rarest = score(4.0 / 7.0);
    check("others", &others, &[rarest, 0.0, rarest, score(3.0), rarest]);
}

#[test]
fn a_largest_value_alone_is_as_wide_as_the_bin_before_it_so_that_two_values_are_told_by_their_counts() {
    for (low, high) in [(0.0, 1.0), (16.0, 40.0)] {
        let rows = Rows { values: vec![low, high, low, low, low], columns: 1 };
        let fitted = Hbos { bins: Bins::Dynamic(None), ..Hbos::default() }.fit(rows.matrix()).unwrap();
        let rare = 4.0_f64.log10();
        check("two values", fitted.decision_scores(), &[0.0, rare, 0.0, 0.0, 0.0]);
    }
}

#[test]
fn a_value_more_frequent_than_a_share_begins_a_bin_of_its_own() {
    // Shares of two: 1 | 2 2 2 | 5 6.
    let rows = Rows { values: vec![1.0, 2.0, 2.0, 2.0, 5.0, 6.0], columns: 1 };
    let fitted = Hbos { bins: Bins::Dynamic(Some(3)), ..Hbos::default() }.fit(rows.matrix()).unwrap();
    let heights = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0];
    let expected: Vec<f64> = heights.iter().map(|height| (2.0_f64 / height).log10()).collect();
    check("own bin", fitted.decision_scores(), &expected);
}

#[test]
fn columns_without_difference_and_numbers_too_near_to_part_tell_nothing() {
    let rows = Rows { values: vec![3.0, 1.0, 3.0, 1.0 + f64::EPSILON, 3.0, 1.0, 3.0, 1.0], columns: 2 };
    for bins in [Bins::Static(10), Bins::Auto] {
        let fitted = Hbos { bins, ..Hbos::default() }.fit(rows.matrix()).unwrap();
        assert!(
            fitted.decision_scores().iter().all(|score| *score == fitted.decision_scores()[0]),
            "{bins:?}"
        );
    }
    let alike = Rows { values: vec![1e300_f64.sqrt(); 8], columns: 2 };
    for scores in all_scores(&alike) {
        assert!(scores.iter().all(|score| *score == scores[0] && score.is_finite()));
    }
}

#[test]
fn what_cannot_be_scored_is_refused_with_the_reason() {
    let message = |error: duramen::Error| error.to_string();
    let rows = Rows { values: vec![1.0, 2.0, 3.0], columns: 1 };
    let knn = Knn { k: vec![2, 3], distance: Distance::Kth, few_rows: FewRows::Refuse };
    assert_eq!(
        message(knn.fit(rows.matrix()).unwrap_err()),
        "k nearest neighbors: k = 3, and a row has 2 others; give more rows or a smaller k"
    );
    assert!(Knn { k: vec![0], ..knn.clone() }.fit(rows.matrix()).is_err());
    let fitted = Knn { k: vec![2], ..knn.clone() }.fit(rows.matrix()).unwrap();
    assert!(
        message(fitted.decision_function(aview2(&[[1.0, 2.0]])).unwrap_err())
            .contains("2 columns, fitted to 1")
    );
    let none = aview2(&[[0.0; 3]; 0]);
    assert_eq!(
        Knn { few_rows: FewRows::UseAll, ..knn.clone() }.fit(none).unwrap().decision_scores().shape(),
        [2, 0]
    );
    assert!(Hbos::default().fit(none).is_err());
    assert!(Hbos { bins: Bins::Static(0), ..Hbos::default() }.fit(rows.matrix()).is_err());
    assert!(Hbos { alpha: 0.0, ..Hbos::default() }.fit(rows.matrix()).is_err());
    assert!(Hbos { tol: 1.0, ..Hbos::default() }.fit(rows.matrix()).is_err());
    assert_eq!(
        message(knn.fit(aview2(&[[1.0, 2.0], [3.0, 1e200]])).unwrap_err()),
        format!("matrix: the value in row 1, column 1 is {}; give numbers from -1e150 to 1e150", 1e200)
    );
    for wrong in [aview2(&[[f64::NAN]]), aview2(&[[0.0; 0]])] {
        assert!(knn.fit(wrong).is_err() && Hbos::default().fit(wrong).is_err());
    }
}
