//! `WarcRecords`, the pages of a web archive, for readers that share it.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Mutex;

use duramen::warc::{Damage, HEADERS, RawRecord, WarcReader};
use duramen::{Error, Limits};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::errors::{InternalError, raised};
use super::work::guarded;

type Items = Box<dyn Iterator<Item = Result<RawRecord, Damage>> + Send>;

/// An iterator over the pages of a web archive whose member begins in a range of bytes: tuples of record id, address, date,
/// charset of the HTTP header, body (None if it cannot be decoded) and what is wrong (None if nothing is).
#[pyclass(module = "duramen._duramen")]
pub struct WarcRecords {
    items: Mutex<Items>,
    /// Places that could not be read.
    damage: Vec<(u64, String)>,
}

type Row<'py> =
    (String, Option<String>, Option<String>, Option<String>, Option<Bound<'py, PyBytes>>, Option<String>);

#[pymethods]
impl WarcRecords {
    #[new]
    #[pyo3(signature = (path, start = 0, end = None))]
    fn new(path: PathBuf, start: u64, end: Option<u64>) -> PyResult<Self> {
        guarded(|| {
            let failed = |error| raised(Error::io(&path, error));
            let file = File::open(&path).map_err(failed)?;
            let most = Limits::default().max_bytes as u64 + HEADERS;
            let items = WarcReader::in_range(file, most, start..end.unwrap_or(u64::MAX)).map_err(failed)?;
            Ok(WarcRecords { items: Mutex::new(Box::new(items)), damage: Vec::new() })
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Row<'py>>> {
        guarded(|| {
            let most = Limits::default().max_bytes;
            let poisoned = |_| InternalError::new_err("reading this archive panicked before");
            let (page, damage) = py.detach(|| {
                let mut damage = Vec::new();
                let mut items = self.items.lock().map_err(poisoned)?;
                for item in items.by_ref() {
                    match item {
                        Ok(record) => {
                            if let Ok(page) = record.page(most) {
                                return Ok((Some(page), damage));
                            }
                        }
                        Err(Damage { offset, problem }) => damage.push((offset, problem)),
                    }
                }
                Ok::<_, PyErr>((None, damage))
            })?;
            self.damage.extend(damage);
            Ok(page.map(|page| {
                let (body, problem) = match page.body {
                    Ok(body) => (Some(PyBytes::new(py, &body)), None),
                    Err(problem) => (None, Some(problem.to_string())),
                };
                (page.record_id, page.url, page.date, page.charset, body, problem)
            }))
        })
    }

    /// The places that could not be read so far: byte in the file, and what is wrong there.
    #[getter]
    fn damage(&self) -> Vec<(u64, String)> {
        self.damage.clone()
    }
}
