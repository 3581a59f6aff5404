//! The extension module `duramen._duramen`: what `duramen/__init__.py` and its modules are made of.
//!
//! Work is done without the interpreter's lock, on threads of its own that are made for each call: a pool that was made before
//! a `fork` would hang in the child. A panic in a page becomes that page's status, and elsewhere an exception.

mod batch;
mod content;
mod corpus;
mod errors;
mod extractor;
mod labels;
mod model;
mod outlier;
mod records;
mod repeats;
mod sample;
mod work;

/// The extension module.
#[pyo3::pymodule(gil_used = false)]
mod _duramen {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::batch::extract_batch;
    #[pymodule_export]
    use super::corpus::Corpus;
    #[pymodule_export]
    use super::extractor::{Extracted, Extractor, extractors};
    #[pymodule_export]
    use super::model::{Counts, Model};
    #[pymodule_export]
    use super::outlier::{FittedHbos, FittedKnn};
    #[pymodule_export]
    use super::records::WarcRecords;
    #[pymodule_export]
    use super::repeats::RepeatList;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("LABELS", duramen::Label::ALL.map(duramen::Label::name).to_vec())
    }
}
