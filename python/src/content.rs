//! `Content`, a page as Python gives it.

use duramen::{Limits, Page, Result, Source};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyString;

/// The bytes of a page, without a copy of what Python holds.
pub enum Content {
    /// As it came over the network.
    Bytes(PyBackedBytes),
    /// Decoded already.
    Text(PyBackedStr),
}

impl Content {
    /// A page that is `bytes` (or what can be made bytes, such as a `memoryview`), or `str`.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            if let Ok(text) = PyBackedStr::try_from(text.clone()) {
                return Ok(Content::Text(text));
            }
            // Half of a surrogate pair, which no encoding has.
            let replaced = text.call_method1("encode", ("utf-8", "replace"))?;
            let text = replaced.call_method1("decode", ("utf-8",))?;
            return Ok(Content::Text(PyBackedStr::try_from(text.cast_into::<PyString>()?)?));
        }
        if let Ok(bytes) = object.extract::<PyBackedBytes>() {
            return Ok(Content::Bytes(bytes));
        }
        if object.hasattr("__buffer__")? || object.get_type().name()? == "memoryview" {
            let bytes = object.py().import("builtins")?.getattr("bytes")?.call1((object,))?;
            return Ok(Content::Bytes(bytes.extract()?));
        }
        Err(PyTypeError::new_err(format!(
            "a page is str or bytes, and this is {}; read a file with Path.read_bytes()",
            object.get_type().name()?
        )))
    }

    /// Its bytes; of `str` those of UTF-8.
    pub fn bytes(&self) -> Bytes<'_> {
        match self {
            Content::Bytes(bytes) => Bytes { bytes, is_text: false },
            Content::Text(text) => Bytes { bytes: text.as_bytes(), is_text: true },
        }
    }
}

/// The bytes of a page, wherever they are.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    pub bytes: &'a [u8],
    /// Whether they are UTF-8, whatever the page says of itself.
    pub is_text: bool,
}

impl Bytes<'_> {
    /// Parses the page.
    pub fn page(
        self,
        id: &str,
        url: Option<String>,
        charset: Option<&str>,
        keeps_source: bool,
        limits: &Limits,
    ) -> Result<Page> {
        let charset = if self.is_text { Some("utf-8") } else { charset };
        let page = Page::parse(id, url, self.bytes, charset, limits)?;
        Ok(match keeps_source {
            true => page
                .with_source(Source { bytes: self.bytes.to_vec(), http_charset: charset.map(str::to_owned) }),
            false => page,
        })
    }
}
