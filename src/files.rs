//! Files that are whole or not there.

use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};

/// Writes a file aside and renames it, so that it is whole or not there. Its folder is made if missing.
///
/// # Errors
/// [`Error::Io`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut aside = tempfile::Builder::new().prefix(".duramen-").tempfile_in(folder)?;
        aside.write_all(bytes)?;
        aside.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| Error::io(path, error))
}
