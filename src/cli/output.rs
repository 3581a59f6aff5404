//! Standard output, and files that are written atomically.

use std::io::Write;
use std::path::Path;

use crate::error::{Error, Result};
use crate::files::{WholeFile, write_whole};

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

/// Whether a file can be written here, asked before long work.
///
/// # Errors
/// [`Error::Usage`] for a folder.
pub fn check_file(path: &Path) -> Result<()> {
    match path.is_dir() {
        true => Err(Error::usage(format!("--output {}: this is a folder", path.display()), "name a file")),
        false => Ok(()),
    }
}

/// Whether a folder can be written here, asked before long work.
///
/// # Errors
/// [`Error::Usage`] for what is there and is no folder.
pub fn check_folder(path: &Path) -> Result<()> {
    match path.exists() && !path.is_dir() {
        true => {
            Err(Error::usage(format!("--output-dir {}: this is a file", path.display()), "name a folder"))
        }
        false => Ok(()),
    }
}

/// Standard output, or a file that appears when it is complete, written piece by piece.
pub struct Output {
    file: Option<WholeFile>,
}

impl Output {
    /// To a file if one is named (`-` is none).
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn new(path: Option<&Path>) -> Result<Self> {
        let path = path.filter(|&path| path != Path::new("-"));
        Ok(Output { file: path.map(WholeFile::create).transpose()? })
    }

    /// One more piece.
    ///
    /// # Errors
    /// As [`print`].
    pub fn put(&mut self, text: &str) -> Result<()> {
        match &mut self.file {
            Some(file) => {
                let written = file.write_all(text.as_bytes());
                written.map_err(|error| Error::io(file.path(), error))
            }
            None => print(text),
        }
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// As [`WholeFile::finish`].
    pub fn finish(self) -> Result<()> {
        self.file.map_or(Ok(()), WholeFile::finish)
    }
}
