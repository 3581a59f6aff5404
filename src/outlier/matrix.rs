//! The matrix that detectors take: rows of numbers by reference.

use crate::error::{Error, Result};

/// The largest magnitude of a value: sums of squared differences of such values are finite.
const LARGEST: f64 = 1e150;

/// Rows of finite numbers, one after another in a slice.
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a> {
    values: &'a [f64],
    columns: usize,
}

impl<'a> Matrix<'a> {
    /// The rows of `columns` numbers in `values`; there may be none.
    ///
    /// # Errors
    /// [`Error::Data`] if there are no columns, if the last row is cut short, or if a value is not a number between
    /// -1e150 and 1e150: squares of larger ones overflow.
    ///
    /// # Examples
    /// ```
    /// use duramen::outlier::Matrix;
    /// assert_eq!(Matrix::new(&[1.0, 2.0, 3.0, 4.0], 2)?.rows(), 2);
    /// assert!(Matrix::new(&[1.0, 2.0, 3.0], 2).is_err());
    /// assert!(Matrix::new(&[f64::NAN], 1).is_err());
    /// # Ok::<(), duramen::Error>(())
    /// ```
    pub fn new(values: &'a [f64], columns: usize) -> Result<Matrix<'a>> {
        if columns == 0 || !values.len().is_multiple_of(columns) {
            let problem = format!("{} values are no rows of {columns}", values.len());
            return Err(Error::data(
                "matrix",
                problem,
                "give one value or more for each row, of each the same number",
            ));
        }
        match values.iter().position(|value| value.is_nan() || value.abs() > LARGEST) {
            Some(i) => Err(Error::data(
                "matrix",
                format!("the value in row {}, column {} is {}", i / columns, i % columns, values[i]),
                "give numbers from -1e150 to 1e150",
            )),
            None => Ok(Matrix { values, columns }),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns
    }

    /// The number of columns, at least 1.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The values of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &'a [f64] {
        &self.values[row * self.columns..][..self.columns]
    }

    /// An error if `other` has another number of columns.
    pub(super) fn check_columns(self, fitted: usize) -> Result<()> {
        if self.columns == fitted {
            return Ok(());
        }
        let problem = format!("{} columns, fitted to {fitted}", self.columns);
        Err(Error::data(
            "matrix",
            problem,
            "give rows with the columns of those that the detector was fitted to",
        ))
    }
}
