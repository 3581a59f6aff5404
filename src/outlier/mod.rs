//! Outlier scores of the rows of a matrix: each detector is fitted to rows and scores them, higher for what differs more.
//!
//! [`Knn`] measures how far the nearest rows are, [`Hbos`] how rare each value is in its column. Both give the scores of
//! PyOD 2.0.5 (`decision_scores_` of what they are fitted to, `decision_function` of other rows), to rounding, on every
//! machine and with any number of threads the same.
//!
//! Rows are an `ndarray::ArrayView2<f64>` of shape rows x columns, as an estimator of scikit-learn takes `X`.

mod distinct;
mod hbos;
mod histogram;
mod knn;
mod neighbors;

pub use hbos::{Bins, FittedHbos, Hbos};
pub use knn::{Distance, FewRows, FittedKnn, Knn};
