//! Files that are whole or not there.

use std::path::Path;

use crate::error::{Error, Result};

/// Writes a file aside and renames it, so that it is whole or not there. Its folder is made if missing.
///
/// # Errors
/// [`Error::Io`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        // A folder, not a temporary file, because the latter would be readable by its owner only.
        let aside = tempfile::tempdir_in(folder)?;
        let file = aside.path().join("file");
        std::fs::write(&file, bytes)?;
        std::fs::rename(&file, path)
    };
    written().map_err(|source| Error::io(path, source))
}
