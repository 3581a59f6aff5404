//! The outlier detectors, fitted.

use duramen::outlier::{Bins, Distance, FewRows, Hbos, Knn};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use super::errors::UsageError;
use super::work::{guarded, run};

/// Histograms of columns, fitted: `duramen.outlier.HBOS`.
#[pyclass(frozen, module = "duramen._duramen")]
pub struct FittedHbos {
    fitted: duramen::outlier::FittedHbos,
}

#[pymethods]
impl FittedHbos {
    #[new]
    fn new(
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        bins: &str,
        n_bins: usize,
        alpha: f64,
        tol: f64,
    ) -> PyResult<Self> {
        guarded(|| {
            let bins = match bins {
                "static" => Bins::Static(n_bins),
                "auto" => Bins::Auto,
                "dynamic" => Bins::Dynamic((n_bins > 0).then_some(n_bins)),
                other => {
                    return Err(UsageError::new_err(format!(
                        "bins is '{other}'; it is static, auto or dynamic"
                    )));
                }
            };
            let rows: PyReadonlyArray2<'_, f64> = rows.extract()?;
            let rows = rows.as_array();
            let fitted = run(py, None, None, |_| Hbos { bins, alpha, tol }.fit(rows))?;
            Ok(FittedHbos { fitted })
        })
    }

    /// The score of each row that it was fitted to.
    fn decision_scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        guarded(|| Ok(PyArray1::from_slice(py, self.fitted.decision_scores())))
    }

    /// The score of each of other rows.
    fn decision_function<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        guarded(|| {
            let rows: PyReadonlyArray2<'_, f64> = rows.extract()?;
            let rows = rows.as_array();
            Ok(PyArray1::from_vec(py, run(py, None, None, |_| self.fitted.decision_function(rows))?))
        })
    }
}

/// Rows to compare with: `duramen.outlier.KNN`.
#[pyclass(frozen, module = "duramen._duramen")]
pub struct FittedKnn {
    fitted: duramen::outlier::FittedKnn,
}

#[pymethods]
impl FittedKnn {
    #[new]
    fn new(py: Python<'_>, rows: &Bound<'_, PyAny>, k: usize, method: &str) -> PyResult<Self> {
        guarded(|| {
            let distance = match method {
                "largest" => Distance::Kth,
                "mean" => Distance::Mean,
                other => {
                    return Err(UsageError::new_err(format!("method is '{other}'; it is largest or mean")));
                }
            };
            let knn = Knn { k: vec![k], distance, few_rows: FewRows::Refuse };
            let rows: PyReadonlyArray2<'_, f64> = rows.extract()?;
            let rows = rows.as_array();
            Ok(FittedKnn { fitted: run(py, None, None, |_| knn.fit(rows))? })
        })
    }

    /// The score of each row that it was fitted to.
    fn decision_scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        guarded(|| Ok(PyArray1::from_iter(py, self.fitted.decision_scores().iter().copied())))
    }

    /// The score of each of other rows.
    fn decision_function<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        guarded(|| {
            let rows: PyReadonlyArray2<'_, f64> = rows.extract()?;
            let rows = rows.as_array();
            let scores = run(py, None, None, |_| self.fitted.decision_function(rows))?;
            Ok(PyArray1::from_iter(py, scores))
        })
    }
}
