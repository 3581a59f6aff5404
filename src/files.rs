//! Files and folders that are whole or not there.

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

/// Lets `write` fill a folder aside and renames it, so that it is whole or not there. What was at `path` is replaced; the
/// folder that it is in is made if missing.
///
/// # Errors
/// [`Error::Io`], and what `write` gives; then nothing is changed.
pub fn write_whole_folder(path: &Path, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |source| Error::io(path, source);
    std::fs::create_dir_all(parent).map_err(failed)?;
    let aside = tempfile::tempdir_in(parent).map_err(failed)?;
    let (new, old) = (aside.path().join("new"), aside.path().join("old"));
    std::fs::create_dir(&new).map_err(failed)?;
    write(&new)?;
    if path.exists() {
        // A folder cannot be renamed onto another one that holds something.
        std::fs::rename(path, &old).map_err(failed)?;
    }
    std::fs::rename(&new, path).map_err(failed)
}
