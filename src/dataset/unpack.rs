//! Unpacking of tar (gz, xz, zst) and zip archives that may be cut, damaged or hostile.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Component, Path};

use sha2::{Digest, Sha256};

use super::archive::Form;
use super::inventory::{self, FileRecord};
use crate::dom::digest::hex;
use crate::error::{Error, Result};
use crate::store::write_error;

/// The most that an archive may unpack to; a corpus beyond it is taken for an attack or an accident.
#[derive(Debug, Clone, Copy)]
struct Limits {
    bytes: u64,
    files: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bytes: 8 << 30, files: 1_000_000 }
    }
}

/// Unpacks `archive` into the empty folder `target` and lists what it held; `go_on` hears the bytes unpacked so far
/// and says whether to go on.
///
/// # Errors
/// [`Error::Data`] if the archive is cut, damaged, over the limits, or has an entry that is neither file nor folder
/// or lies outside `target`; also if the disk is full. [`Error::Interrupted`] if not to go on.
pub(super) fn unpack(
    archive: &Path,
    form: Form,
    target: &Path,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<BTreeMap<String, FileRecord>> {
    unpack_within(archive, form, target, Limits::default(), go_on)
}

fn unpack_within(
    archive: &Path,
    form: Form,
    target: &Path,
    limits: Limits,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<BTreeMap<String, FileRecord>> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = File::open(archive).map_err(|e| Error::io(archive, e))?;
    let mut unpacker = Unpacker { name: &name, target, limits, go_on, bytes: 0, files: BTreeMap::new() };
    let file = BufReader::new(file);
    match form {
        Form::Zip => unpacker.zip(file)?,
        Form::TarGz => unpacker.tar(flate2::bufread::MultiGzDecoder::new(file))?,
        Form::TarXz => unpacker.tar(liblzma::bufread::XzDecoder::new_multi_decoder(file))?,
        Form::TarZst => {
            let decoder = zstd::stream::read::Decoder::with_buffer(file).map_err(|e| unpacker.damaged(e))?;
            unpacker.tar(decoder)?;
        }
    }
    Ok(unpacker.files)
}

struct Unpacker<'a> {
    name: &'a str,
    target: &'a Path,
    limits: Limits,
    go_on: &'a mut dyn FnMut(u64) -> bool,
    bytes: u64,
    files: BTreeMap<String, FileRecord>,
}

impl Unpacker<'_> {
    fn tar(&mut self, decoder: impl Read) -> Result<()> {
        let mut archive = tar::Archive::new(decoder);
        for entry in archive.entries().map_err(|e| self.damaged(e))? {
            let mut entry = entry.map_err(|e| self.damaged(e))?;
            let path = String::from_utf8(entry.path_bytes().into_owned())
                .map_err(|e| self.refused(&String::from_utf8_lossy(e.as_bytes()), "its name is not UTF-8"))?;
            use tar::EntryType;
            match entry.header().entry_type() {
                EntryType::XGlobalHeader => {}
                EntryType::Directory => self.folder(&path)?,
                EntryType::Regular | EntryType::Continuous => {
                    let size = entry.size();
                    self.file(&path, &mut entry, size)?;
                }
                _ => return Err(self.refused(&path, "it is neither a file nor a folder")),
            }
        }
        // The compressed stream's own checksum stands at its end, after the last block that tar asks for.
        let rest = &mut archive.into_inner().take(self.limits.bytes);
        io::copy(rest, &mut io::sink()).map_err(|e| self.damaged(e))?;
        Ok(())
    }

    fn zip(&mut self, file: impl Read + io::Seek) -> Result<()> {
        let mut archive = zip::ZipArchive::new(file).map_err(|e| self.damaged(e))?;
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(|e| self.damaged(e))?;
            let path = entry.name().map_err(|e| self.damaged(e))?.into_owned();
            let kind = entry.unix_mode().map_or(0, |mode| mode & 0o170000);
            if entry.is_dir() {
                self.folder(&path)?;
            } else if matches!(kind, 0 | 0o100000) {
                let size = entry.size();
                self.file(&path, &mut entry, size)?;
            } else {
                return Err(self.refused(&path, "it is neither a file nor a folder"));
            }
        }
        Ok(())
    }

    fn folder(&self, path: &str) -> Result<()> {
        let folder = self.target.join(self.checked(path)?);
        fs::create_dir_all(&folder).map_err(|e| write_error(&folder, e))
    }

    fn file(&mut self, path: &str, content: &mut dyn Read, size: u64) -> Result<()> {
        let path = self.checked(path)?;
        if path.is_empty() || path == inventory::FILE_NAME {
            return Err(self.refused(&path, "a file cannot have this name"));
        }
        if self.files.len() >= self.limits.files {
            return Err(
                self.refused(&path, &format!("the archive has more than {} files", self.limits.files))
            );
        }
        let target = self.target.join(&path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(|e| write_error(folder, e))?;
        }
        let mut file = File::create_new(&target).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => self.refused(&path, "the archive holds it twice"),
            _ => write_error(&target, e),
        })?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            let n = match content.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(self.damaged(e)),
            };
            length += n as u64;
            self.bytes += n as u64;
            if self.bytes > self.limits.bytes {
                return Err(
                    self.refused(&path, &format!("the archive holds more than {} bytes", self.limits.bytes))
                );
            }
            file.write_all(&buffer[..n]).map_err(|e| write_error(&target, e))?;
            hash.update(&buffer[..n]);
            if !(self.go_on)(self.bytes) {
                return Err(Error::Interrupted);
            }
        }
        if length != size {
            return Err(self.damaged(format!("{path} has {length} bytes instead of {size}")));
        }
        self.files.insert(path, FileRecord { bytes: length, sha256: hex(&hash.finalize()) });
        Ok(())
    }

    /// The path without `.` parts, if it stays inside the target folder on every platform.
    fn checked(&self, path: &str) -> Result<String> {
        if path.contains(['\\', '\0', ':']) {
            return Err(self.refused(path, "its path has a backslash, a colon or a NUL"));
        }
        let mut parts = Vec::new();
        for part in Path::new(path).components() {
            match part {
                Component::Normal(name) => parts.push(name.to_str().expect("a part of a string")),
                Component::CurDir => {}
                _ => return Err(self.refused(path, "its path leads out of the target folder")),
            }
        }
        Ok(parts.join("/"))
    }

    fn refused(&self, path: &str, problem: &str) -> Error {
        Error::data(
            self.name,
            format!("entry '{path}': {problem}"),
            "do not use this archive; take it from another mirror",
        )
    }

    fn damaged(&self, e: impl ToString) -> Error {
        let problem = format!("the archive is cut or damaged ({})", e.to_string());
        Error::data(self.name, problem, "download it again or take it from another mirror")
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Unpacks a zip of three files of 100,000 zeros, which is itself a thousand times smaller.
    fn unpack_zeros(limits: Limits) -> Result<BTreeMap<String, FileRecord>> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a", "b", "c"] {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(&[0; 100_000]).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("zeros.zip");
        fs::write(&path, zip.finish().unwrap().into_inner()).unwrap();
        let target = folder.path().join("target");
        fs::create_dir(&target).unwrap();
        unpack_within(&path, Form::Zip, &target, limits, &mut |_| true)
    }

    #[test]
    fn an_archive_unpacks_up_to_its_limits_and_not_beyond() {
        assert_eq!(unpack_zeros(Limits { bytes: 300_000, files: 3 }).unwrap().len(), 3);
        let error = unpack_zeros(Limits { bytes: 299_999, files: 3 }).unwrap_err();
        assert!(error.exit_code() == 3 && error.to_string().contains("more than 299999 bytes"), "{error}");
        let error = unpack_zeros(Limits { bytes: 300_000, files: 2 }).unwrap_err();
        assert!(error.exit_code() == 3 && error.to_string().contains("more than 2 files"), "{error}");
    }
}
