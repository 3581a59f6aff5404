//! `Knn`, global anomaly scores by the distance to the nearest rows: k-NN and k-th-NN.
//!
//! Ramaswamy, Rastogi & Shim (2000) for the k-th distance, Angiulli & Pizzuti (2002) for the mean over the k nearest; equal
//! to PyOD's `KNN(method="largest")` and `KNN(method="mean")` with Euclidean distance.

use ndarray::{Array2, ArrayView2};

use super::distinct::DistinctRows;
use super::neighbors::{Nearest, nearest};
use crate::error::{Error, Result};

/// Scores rows by the Euclidean distance to their k nearest rows.
///
/// # Examples
/// ```
/// use duramen::outlier::{Distance, FewRows, Knn};
/// use ndarray::array;
///
/// let rows = array![[0.0], [1.0], [3.0], [10.0]];
/// let knn = Knn { k: vec![1, 2], distance: Distance::Mean, few_rows: FewRows::Refuse };
/// let fitted = knn.fit(rows.view())?;
/// assert_eq!(fitted.decision_scores(), array![[1.0, 1.0, 2.0, 7.0], [2.0, 1.5, 2.5, 8.0]]);
/// assert_eq!(fitted.decision_function(array![[10.0]].view())?, array![[0.0], [3.5]]);
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knn {
    /// Numbers of neighbors, 1 and up each, in any order; one search serves all.
    pub k: Vec<usize>,
    /// What is made of the distances.
    pub distance: Distance,
    /// What is done if there are fewer rows than neighbors asked for.
    pub few_rows: FewRows,
}

/// What is made of the distances to the nearest rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// The distance to the k-th nearest: k-th-NN.
    Kth,
    /// The mean distance to the k nearest: k-NN.
    Mean,
}

/// What is done where a row has fewer than k others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FewRows {
    /// An error, as in PyOD.
    Refuse,
    /// All others are its neighbors; a row alone scores 0.
    UseAll,
}

/// A detector and the rows that it was fitted to.
#[derive(Debug)]
pub struct FittedKnn {
    detector: Knn,
    rows: DistinctRows,
    scores: Array2<f64>,
}

impl Knn {
    /// Fits to rows (shape: rows x columns) and scores them: a row is not among its own neighbors, one that equals it
    /// is.
    ///
    /// # Errors
    /// [`Error::Usage`] if a k is 0; [`Error::Data`] if there are not more rows than the largest k, unless
    /// [`FewRows::UseAll`], if there are no columns, or if a value is not a number between -1e150 and 1e150.
    pub fn fit(&self, rows: ArrayView2<'_, f64>) -> Result<FittedKnn> {
        let distinct = DistinctRows::new(rows, rows.ncols())?;
        let mut fitted =
            FittedKnn { detector: self.clone(), rows: distinct, scores: Array2::default((0, 0)) };
        let others = rows.nrows().saturating_sub(1);
        fitted.scores = fitted.scores_of(&fitted.rows, others, true)?;
        Ok(fitted)
    }
}

impl FittedKnn {
    /// The score of each row that it was fitted to, for each k in the order given. Shape: k x rows.
    pub fn decision_scores(&self) -> ArrayView2<'_, f64> {
        self.scores.view()
    }

    /// The score of each of other rows, for each k: its neighbors are rows fitted to, one that equals it among them.
    /// Shape: k x rows.
    ///
    /// # Errors
    /// [`Error::Data`] if there are other columns, or values as [`Knn::fit`] refuses them.
    pub fn decision_function(&self, rows: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        self.scores_of(&DistinctRows::new(rows, self.rows.columns)?, self.rows.of_row.len(), false)
    }

    fn scores_of(&self, queries: &DistinctRows, others: usize, leave_out: bool) -> Result<Array2<f64>> {
        let Knn { k, distance, few_rows } = &self.detector;
        if k.contains(&0) {
            return Err(Error::usage("k is 0", "give the number of neighbors, 1 and up"));
        }
        let most = k.iter().copied().max().unwrap_or(1);
        if most > others && *few_rows == FewRows::Refuse {
            let problem = format!("k = {most}, and a row has {others} others");
            return Err(Error::data("k nearest neighbors", problem, "give more rows or a smaller k"));
        }
        let ks: Vec<u64> = k.iter().map(|&k| k.min(others) as u64).collect();
        let of_distinct =
            nearest(queries, &self.rows, most.min(others).max(1) as u64, leave_out, |nearest| {
                ks.iter().map(|&k| score(nearest, k, *distance)).collect::<Vec<f64>>()
            });
        Ok(Array2::from_shape_fn((ks.len(), queries.of_row.len()), |(i, row)| {
            of_distinct[queries.of_row[row] as usize][i]
        }))
    }
}

/// The score of a row by its nearest; 0 without any.
fn score(nearest: &Nearest, k: u64, distance: Distance) -> f64 {
    let (mut sum, mut seen, mut kth) = (0.0, 0, 0.0);
    for &(square, count) in nearest {
        let used = count.min(k - seen);
        if used == 0 {
            break;
        }
        kth = square.sqrt();
        sum += kth * used as f64;
        seen += used;
    }
    match distance {
        Distance::Kth => kth,
        Distance::Mean => sum / seen.max(1) as f64,
    }
}
