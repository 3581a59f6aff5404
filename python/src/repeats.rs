//! `RepeatList`, what sites repeat, to be dropped from what is kept.

use std::path::PathBuf;
use std::sync::Arc;

use duramen::extract::repeats;
use pyo3::prelude::*;

use super::errors::raised;
use super::work::guarded;

/// Text that sites repeat over their pages, as a list of `duramen site-repeats --jsonl` has it.
#[pyclass(frozen, module = "duramen._duramen")]
pub struct RepeatList {
    pub list: Arc<repeats::RepeatList>,
}

#[pymethods]
impl RepeatList {
    #[new]
    #[pyo3(signature = (path, *, min_pages = None, min_share = None))]
    fn new(py: Python<'_>, path: PathBuf, min_pages: Option<u64>, min_share: Option<f64>) -> PyResult<Self> {
        guarded(|| {
            let list = py.detach(|| repeats::RepeatList::read(&path, min_pages, min_share));
            Ok(RepeatList { list: Arc::new(list.map_err(raised)?) })
        })
    }

    /// The number of blocks that are dropped, of all sites.
    fn __len__(&self) -> usize {
        self.list.counts().0
    }

    fn __repr__(&self) -> String {
        let (blocks, sites) = self.list.counts();
        format!("<RepeatList: {blocks} blocks of {sites} sites>")
    }
}
