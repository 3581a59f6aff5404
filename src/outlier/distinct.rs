//! Equal rows of a matrix taken together: what is the same for equal rows is computed once.

use ndarray::ArrayView2;
use rayon::prelude::*;

use crate::error::{Error, Result};

/// The largest magnitude of a value: sums of squared differences of such values are finite.
const LARGEST: f64 = 1e150;

/// The distinct rows of a matrix, in ascending order column by column, and how often each is there.
#[derive(Debug)]
pub(super) struct DistinctRows {
    /// The values of the distinct rows, one row after another.
    pub values: Vec<f64>,
    /// How many rows of the matrix equal each distinct row.
    pub counts: Vec<u64>,
    /// The distinct row of each row of the matrix.
    pub of_row: Vec<u32>,
    pub columns: usize,
}

impl DistinctRows {
    /// The distinct rows of a matrix that must have `columns` columns. Their order depends on nothing but the rows
    /// themselves.
    ///
    /// # Errors
    /// [`Error::Data`] if there are other columns or none, or if a value is not a number between -1e150 and 1e150:
    /// squares of larger ones overflow.
    pub fn new(matrix: ArrayView2<'_, f64>, columns: usize) -> Result<DistinctRows> {
        check(matrix, columns)?;
        let (rows, matrix) = (matrix.nrows(), matrix.as_standard_layout());
        let values = matrix.as_slice().expect("row after row in standard layout");
        let mut order: Vec<u32> = (0..rows as u32).collect();
        let row = |i: u32| &values[i as usize * columns..][..columns];
        // No value is NaN, so that all rows compare; 0 equals -0.
        order.par_sort_unstable_by(|&a, &b| row(a).partial_cmp(row(b)).unwrap_or(std::cmp::Ordering::Equal));
        let mut distinct =
            DistinctRows { values: Vec::new(), counts: Vec::new(), of_row: vec![0; rows], columns };
        for &i in &order {
            let is_known = !distinct.counts.is_empty() && distinct.row(distinct.len() - 1) == row(i);
            if is_known {
                *distinct.counts.last_mut().expect("not empty") += 1;
            } else {
                distinct.values.extend_from_slice(row(i));
                distinct.counts.push(1);
            }
            distinct.of_row[i as usize] = distinct.len() as u32 - 1;
        }
        Ok(distinct)
    }

    /// The number of distinct rows.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns..][..self.columns]
    }

    /// The distinct values of a column, ascending, and how often each is there.
    pub fn column(&self, column: usize) -> Vec<(f64, u64)> {
        let mut all: Vec<(f64, u64)> =
            self.counts.iter().enumerate().map(|(i, &count)| (self.row(i)[column], count)).collect();
        all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        all.dedup_by(|next, kept| {
            let is_equal = next.0 == kept.0;
            if is_equal {
                kept.1 += next.1;
            }
            is_equal
        });
        all
    }

    /// What was found for each distinct row, given to each row of the matrix.
    pub fn spread(&self, of_distinct: &[f64]) -> Vec<f64> {
        self.of_row.iter().map(|&i| of_distinct[i as usize]).collect()
    }
}

fn check(matrix: ArrayView2<'_, f64>, columns: usize) -> Result<()> {
    if matrix.ncols() != columns {
        let problem = format!("{} columns, fitted to {columns}", matrix.ncols());
        let remedy = "give rows with the columns of those that the detector was fitted to";
        return Err(Error::data("matrix", problem, remedy));
    }
    if columns == 0 {
        return Err(Error::data("matrix", "there are no columns", "give one value or more for each row"));
    }
    match matrix.indexed_iter().find(|(_, value)| value.is_nan() || value.abs() > LARGEST) {
        Some(((row, column), value)) => Err(Error::data(
            "matrix",
            format!("the value in row {row}, column {column} is {value}"),
            "give numbers from -1e150 to 1e150",
        )),
        None => Ok(()),
    }
}
