//! Files and folders that are whole or not there.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Error, Result};

/// Writes a file aside and renames it, so that it is whole or not there. Its folder is made if missing.
///
/// # Errors
/// [`Error::Io`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes).map_err(|source| Error::io(path, source))?;
    file.finish()
}

/// A file that is written piece by piece, and is there when it is finished.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    // A folder, not a temporary file, because the latter would be readable by its owner only.
    aside: TempDir,
    file: BufWriter<File>,
}

impl WholeFile {
    /// Begins a file; its folder is made if missing.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(path: &Path) -> Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let created = || -> std::io::Result<Self> {
            std::fs::create_dir_all(folder)?;
            let aside = tempfile::tempdir_in(folder)?;
            let file = BufWriter::new(File::create(aside.path().join("file"))?);
            Ok(WholeFile { path: path.to_owned(), aside, file })
        };
        created().map_err(|source| Error::io(path, source))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in its place, over what was there.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(mut self) -> Result<()> {
        let finished = self.file.flush();
        let renamed = finished.and_then(|()| std::fs::rename(self.aside.path().join("file"), &self.path));
        renamed.map_err(|source| Error::io(&self.path, source))
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
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
