//! `Hbos`, the histogram-based outlier score: how rare each value of a row is in its column, columns taken as independent.
//!
//! Goldstein & Dengel (2012), "Histogram-based Outlier Score (HBOS): A fast Unsupervised Anomaly Detection Algorithm".

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::distinct::DistinctRows;
use super::histogram::{Histogram, best_bins};
use crate::error::{Error, Result};

/// Scores rows by the histograms of their columns.
///
/// # Examples
/// ```
/// use duramen::outlier::Hbos;
/// use ndarray::Array2;
///
/// let rows = Array2::from_shape_fn((50, 1), |(i, _)| if i == 7 { 100.0 } else { (i % 5) as f64 });
/// let fitted = Hbos::default().fit(rows.view())?;
/// let scores = fitted.decision_scores();
/// assert!(scores.iter().enumerate().all(|(i, score)| i == 7 || *score < scores[7]));
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hbos {
    /// How each column is split; default 10 bins of equal width.
    pub bins: Bins,
    /// Added to densities so that an empty bin has a logarithm, above 0 and below 1, default 0.1. Not used by
    /// [`Bins::Dynamic`].
    pub alpha: f64,
    /// The share of a bin's width by which a value may stand outside the range and still belong to the outermost bin,
    /// above 0 and below 1, default 0.5. Further out a value gets the score of the rarest bin. Not used by
    /// [`Bins::Dynamic`], where every value outside the range does.
    pub tol: f64,
}

impl Default for Hbos {
    fn default() -> Self {
        Hbos { bins: Bins::Static(10), alpha: 0.1, tol: 0.5 }
    }
}

/// How a column's range is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bins {
    /// So many bins of equal width, 1 and up: PyOD's `HBOS(n_bins=...)`. The score is the sum of -log2(density + alpha).
    Static(usize),
    /// Bins of equal width, in each column as many as are best by Birgé & Rozenholc (2006): PyOD's `HBOS(n_bins="auto")`, which
    /// departs from them in two ways (see the code). PyOD counts the bins anew for other rows, which fails or
    /// takes wrong bins if they are not as many; here the bins are those fitted.
    Auto,
    /// So many bins of equal count, 1 and up; if none is given the square root of the number of rows, rounded, as the paper
    /// advises. The score is the sum of log10(1 / height), the highest bin of each column being 1 high.
    ///
    /// Of equal values the paper says that they may not be split, so that a bin may hold more than its share N / bins. Here a
    /// bin takes values until it holds its share (rounded down), then all that equal the last; a value that alone is more
    /// than a share begins a bin; each bin ends where the next begins, the last at the largest value. So far that is
    /// the authors' own implementation for RapidMiner. If the largest value is the only one of the last bin, which then
    /// has no width, that joins it with the bin before it, and a column of two values tells nothing; here it is as
    /// wide as the bin before it, and the heights of two values are how often they are there, as the paper
    /// has it for categories.
    Dynamic(Option<usize>),
}

/// A detector and the histograms that it was fitted to.
#[derive(Debug)]
pub struct FittedHbos {
    histograms: Vec<Histogram>,
    scores: Vec<f64>,
}

impl Hbos {
    /// Makes the histograms of the columns and scores the rows (shape: rows x columns).
    ///
    /// # Errors
    /// [`Error::Usage`] if the number of bins is 0 or `alpha` or `tol` is out of range; [`Error::Data`] if there are
    /// no rows or no columns, or if a value is not a number between -1e150 and 1e150.
    pub fn fit(&self, rows: ArrayView2<'_, f64>) -> Result<FittedHbos> {
        if matches!(self.bins, Bins::Static(0) | Bins::Dynamic(Some(0))) {
            return Err(Error::usage("the number of bins is 0", "1 and up; the default is 10"));
        }
        for (name, value, default) in [("alpha", self.alpha, 0.1), ("tol", self.tol, 0.5)] {
            if !(value > 0.0 && value < 1.0) {
                let remedy = format!("above 0 and below 1; the default is {default}");
                return Err(Error::usage(format!("{name} is {value}"), remedy));
            }
        }
        if rows.nrows() == 0 {
            return Err(Error::data("HBOS", "there are no rows", "give one or more"));
        }
        let distinct = DistinctRows::new(rows, rows.ncols())?;
        let histogram = |column: usize| {
            let values = distinct.column(column);
            match self.bins {
                Bins::Static(bins) => Histogram::with_equal_widths(&values, bins, self.alpha, self.tol),
                Bins::Auto => Histogram::with_equal_widths(&values, best_bins(&values), self.alpha, self.tol),
                Bins::Dynamic(bins) => {
                    let bins = bins.unwrap_or_else(|| (rows.nrows() as f64).sqrt().round() as usize);
                    Histogram::with_equal_counts(&values, bins)
                }
            }
        };
        let histograms: Vec<Histogram> = (0..rows.ncols()).into_par_iter().map(histogram).collect();
        let scores = scores(&histograms, &distinct);
        Ok(FittedHbos { histograms, scores })
    }
}

impl FittedHbos {
    /// The score of each row that it was fitted to.
    pub fn decision_scores(&self) -> &[f64] {
        &self.scores
    }

    /// The score of each of other rows.
    ///
    /// # Errors
    /// [`Error::Data`] if there are other columns, or values as [`Hbos::fit`] refuses them.
    pub fn decision_function(&self, rows: ArrayView2<'_, f64>) -> Result<Vec<f64>> {
        Ok(scores(&self.histograms, &DistinctRows::new(rows, self.histograms.len())?))
    }
}

/// The sums over columns, in the order of the columns.
fn scores(histograms: &[Histogram], rows: &DistinctRows) -> Vec<f64> {
    let score = |i: usize| {
        histograms.iter().zip(rows.row(i)).map(|(histogram, &value)| histogram.score(value)).sum::<f64>()
    };
    rows.spread(&(0..rows.len()).into_par_iter().map(score).collect::<Vec<f64>>())
}
