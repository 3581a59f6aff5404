//! Errors of the library as exceptions of `duramen._errors`.

use duramen::Error;
use pyo3::PyErr;
use pyo3::exceptions::PyKeyboardInterrupt;

mod exceptions {
    pyo3::import_exception!(duramen._errors, DataError);
    pyo3::import_exception!(duramen._errors, FileError);
    pyo3::import_exception!(duramen._errors, InternalError);
    pyo3::import_exception!(duramen._errors, ModelError);
    pyo3::import_exception!(duramen._errors, NotConvergedError);
    pyo3::import_exception!(duramen._errors, PageError);
    pyo3::import_exception!(duramen._errors, UsageError);
}
pub use exceptions::{DataError, InternalError, ModelError, UsageError};
use exceptions::{FileError, NotConvergedError, PageError};

/// The exception of an error.
pub fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Io { .. } => FileError::new_err(text),
        Error::Usage { .. } => UsageError::new_err(text),
        Error::Data { .. } => DataError::new_err(text),
        Error::Page { .. } => PageError::new_err(text),
        Error::Model { .. } => ModelError::new_err(text),
        Error::NotConverged { .. } => NotConvergedError::new_err(text),
        Error::Interrupted => PyKeyboardInterrupt::new_err(text),
    }
}
