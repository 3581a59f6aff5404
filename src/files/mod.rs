//! Files and folders that are written atomically, and files of whole lines.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

mod aside;

pub use aside::{Aside, clear_once};

/// Writes a file atomically: aside, then renamed. Its folder is made if missing.
///
/// # Errors
/// [`Error::Io`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes).map_err(|source| Error::io(path, source))?;
    file.finish()
}

/// A file that is written piece by piece, and is there when it is finished.
///
/// Of a link the file that it points to is replaced. What is there and is no file, such as a pipe or `/dev/null`, is written
/// to as it is: it must not be replaced by a file.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    // A folder, not a temporary file, because the latter would be readable by its owner only.
    aside: Option<Aside>,
    file: BufWriter<File>,
}

impl WholeFile {
    /// Begins a file; its folder is made if missing.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn create(path: &Path) -> Result<Self> {
        let created = || -> std::io::Result<Self> {
            let is_file = match std::fs::metadata(path) {
                Ok(known) => known.is_file(),
                Err(_) => true,
            };
            if !is_file {
                let file = BufWriter::new(OpenOptions::new().write(true).open(path)?);
                return Ok(WholeFile { path: path.to_owned(), aside: None, file });
            }
            let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let aside = Aside::within(folder)?;
            let file = BufWriter::new(File::create(aside.path().join("file"))?);
            Ok(WholeFile { path, aside: Some(aside), file })
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
        let finished = self.file.flush().and_then(|()| match &self.aside {
            Some(aside) => std::fs::rename(aside.path().join("file"), &self.path),
            None => Ok(()),
        });
        finished.map_err(|source| Error::io(&self.path, source))
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

/// Lets `write` fill a folder aside and renames it: the whole folder is there, or nothing. A folder at `path` is replaced; the
/// folder that it is in is made if missing.
///
/// # Errors
/// [`Error::Io`], also where something else than a folder is at `path`, and what `write` gives; then nothing is changed.
pub fn write_whole_folder(path: &Path, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |source| Error::io(path, source);
    if path.exists() && !path.is_dir() {
        return Err(failed(std::io::ErrorKind::NotADirectory.into()));
    }
    let aside = Aside::within(parent).map_err(failed)?;
    let new = aside.path().join("new");
    std::fs::create_dir(&new).map_err(failed)?;
    write(&new)?;
    aside.put_folder(&new, path).map_err(failed)
}

/// A file of whole lines that grows at its end: where a run that was cut off says how far it came.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl LineFile {
    /// Opens a file, or makes it with its folder. `keeps` is shown line by line, without its end, what is there, and says
    /// whether the line stays; from the first that does not the file is cut. A last line that was cut off, and what is
    /// not text, is not shown and does not stay.
    ///
    /// # Errors
    /// [`Error::Io`], and what `keeps` gives; then the file is as it was.
    pub fn open(path: &Path, mut keeps: impl FnMut(&str) -> Result<bool>) -> Result<Self> {
        let failed = |source| Error::io(path, source);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let opened = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut lines = BufReader::new(opened.map_err(failed)?);
        let (mut line, mut bytes) = (Vec::new(), 0);
        loop {
            lines.read_until(b'\n', &mut line).map_err(failed)?;
            let Some(text) = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok()) else {
                break;
            };
            if !keeps(text)? {
                break;
            }
            bytes += line.len() as u64;
            line.clear();
        }
        let mut file = lines.into_inner();
        file.set_len(bytes).and_then(|()| file.seek(SeekFrom::Start(bytes))).map_err(failed)?;
        Ok(LineFile { path: path.to_owned(), file, bytes })
    }

    /// Whether it has no line.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Writes one more line, which holds no line break.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn append(&mut self, line: &str) -> Result<()> {
        let line = format!("{line}\n");
        self.file.write_all(line.as_bytes()).map_err(|source| Error::io(&self.path, source))?;
        self.bytes += line.len() as u64;
        Ok(())
    }

    /// Waits until the disk has what was written.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|source| Error::io(&self.path, source))
    }

    /// Removes the file.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(self) -> Result<()> {
        drop(self.file);
        std::fs::remove_file(&self.path).map_err(|source| Error::io(&self.path, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a file as it is opened, of which the first `most` are kept.
    fn shown(path: &Path, most: usize) -> (LineFile, Vec<String>) {
        let mut lines = Vec::new();
        let keeps = |line: &str| {
            lines.push(line.to_owned());
            Ok(lines.len() <= most)
        };
        let file = LineFile::open(path, keeps).unwrap();
        (file, lines)
    }

    #[test]
    fn a_file_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/file");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"one").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"two").unwrap();
        drop(file);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        assert!(WholeFile::create(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_pipe_is_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let [target, link, pipe] = ["target", "link", "pipe"].map(|name| folder.path().join(name));
        std::fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "new");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).unwrap()
        });
        write_whole(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(!std::fs::metadata(&pipe).unwrap().is_file());
    }

    #[test]
    fn a_folder_replaces_folders_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let write = |text: &'static str| move |new: &Path| write_whole(&new.join("file"), text.as_bytes());
        write_whole_folder(&path, write("one")).unwrap();
        write_whole_folder(&path, write("two")).unwrap();
        assert_eq!(std::fs::read_to_string(path.join("file")).unwrap(), "two");
        let error = write_whole_folder(&path.join("file"), write("three")).unwrap_err().to_string();
        assert!(error.contains("file"), "{error}");
        assert_eq!(std::fs::read_to_string(path.join("file")).unwrap(), "two");
    }

    #[test]
    fn lines_are_found_again_and_what_is_not_whole_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/lines");
        let (mut file, lines) = shown(&path, 9);
        assert!(file.is_empty() && lines.is_empty());
        for line in ["one", "two", ""] {
            file.append(line).unwrap();
        }
        file.sync().unwrap();
        assert!(!file.is_empty());
        for rest in ["", "thr", "caf\u{e9}"] {
            std::fs::write(&path, format!("one\ntwo\n\n{rest}")).unwrap();
            assert_eq!(shown(&path, 9).1, ["one", "two", ""], "{rest}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n\n", "{rest}");
        }
        std::fs::write(&path, b"one\n\xff\nthree\n").unwrap();
        let (mut file, lines) = shown(&path, 9);
        assert_eq!(lines, ["one"]);
        file.append("two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        file.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_file_is_cut_from_the_line_that_is_not_kept_and_left_alone_after_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        std::fs::write(&path, "one\ntwo\nthree\ncut").unwrap();
        let refused = LineFile::open(&path, |_| Err(Error::Interrupted));
        assert!(matches!(refused, Err(Error::Interrupted)));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\ncut");
        let (mut file, lines) = shown(&path, 1);
        assert_eq!(lines, ["one", "two"]);
        file.append("other").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\nother\n");
        assert!(shown(&path, 0).0.is_empty());
        assert!(LineFile::open(folder.path(), |_| Ok(true)).is_err());
    }
}
