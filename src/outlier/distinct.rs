//! Equal rows of a matrix taken together: what is the same for equal rows is computed once.

use rayon::prelude::*;

use super::Matrix;

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
    /// The distinct rows. Their order depends on nothing but the rows themselves.
    pub fn new(matrix: Matrix<'_>) -> DistinctRows {
        let mut order: Vec<u32> = (0..matrix.rows() as u32).collect();
        let row = |i: u32| matrix.row(i as usize);
        // No value is NaN, so that all rows compare; 0 equals -0.
        order.par_sort_unstable_by(|&a, &b| row(a).partial_cmp(row(b)).unwrap_or(std::cmp::Ordering::Equal));
        let columns = matrix.columns();
        let mut distinct =
            DistinctRows { values: Vec::new(), counts: Vec::new(), of_row: vec![0; matrix.rows()], columns };
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
        distinct
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
