//! Standard output, and files that are whole or not there.

use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};
use crate::files::write_whole;

/// Writes to standard output.
///
/// # Errors
/// [`Error::Io`]; a closed pipe too, which `main` takes for the end.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Error::io("standard output", error))
}

/// Writes to a file if one is named (`-` is none), else to standard output.
///
/// # Errors
/// [`Error::Io`].
pub fn write(path: Option<&Path>, text: &str) -> Result<()> {
    match path {
        Some(path) if path != Path::new("-") => write_whole(path, text.as_bytes()),
        _ => print(text),
    }
}
