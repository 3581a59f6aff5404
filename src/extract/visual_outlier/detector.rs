//! What scores extracted nodes by their looks: one of the paper's two detectors, in its variants.

use ndarray::ArrayView2;

use crate::error::Result;
use crate::outlier::{Bins, Distance, FewRows, Hbos, Knn};

/// A detector of visual outliers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detector {
    /// Distance to the k nearest nodes. Where there are fewer others than k, all of them are taken: a page or a site may have
    /// fewer nodes than the paper's corpus.
    Knn {
        /// Number of neighbors, 1 and up.
        k: usize,
        /// Mean over them, as the paper's k-NN, or that of the last, its k-th-NN.
        distance: Distance,
    },
    /// Histograms of the columns.
    Hbos(Bins),
}

impl Detector {
    /// The score of each row (shape: nodes x columns), higher for what looks less like the rest.
    ///
    /// # Errors
    /// [`crate::Error::Usage`] if k or the number of bins is 0.
    pub fn scores(&self, rows: ArrayView2<'_, f64>) -> Result<Vec<f64>> {
        if rows.nrows() == 0 {
            return Ok(Vec::new());
        }
        match *self {
            Detector::Knn { k, distance } => {
                let fitted = Knn { k: vec![k], distance, few_rows: FewRows::UseAll }.fit(rows)?;
                Ok(fitted.decision_scores().row(0).to_vec())
            }
            Detector::Hbos(bins) => {
                Ok(Hbos { bins, ..Hbos::default() }.fit(rows)?.decision_scores().to_vec())
            }
        }
    }
}
