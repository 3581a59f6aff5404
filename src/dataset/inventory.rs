//! The list of a fetched folder's files with size and SHA-256, written at fetch time and verified later.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Remedy, Result, Setting};
use crate::store::sha256_of_file;

/// The list's own name in the folder that it lists.
pub(super) const FILE_NAME: &str = "duramen-files.json";

/// What was unpacked, from which archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Inventory {
    /// The archive's file name.
    pub archive: String,
    /// The archive's SHA-256.
    pub sha256: String,
    /// The files by their path with forward slashes.
    pub files: BTreeMap<String, FileRecord>,
}

/// Size and checksum of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileRecord {
    pub bytes: u64,
    pub sha256: String,
}

impl Inventory {
    /// The list in `folder`; `None` if the folder has none.
    pub fn read(folder: &Path) -> Result<Option<Inventory>> {
        let path = folder.join(FILE_NAME);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(e) => return Err(Error::io(&path, e)),
        };
        let fault = |e: serde_json::Error| {
            Error::data(
                path.display(),
                e.to_string(),
                Remedy::by("fetch the corpus again", Setting::FetchAgain),
            )
        };
        serde_json::from_slice(&text).map(Some).map_err(fault)
    }

    /// Writes the list into `folder`.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(self).expect("names and numbers are JSON");
        fs::write(folder.join(FILE_NAME), text)
    }

    /// How the files of `folder` differ from the list, one line a file, sorted by path; empty if they do not.
    /// `go_on` hears the bytes read so far and may say no.
    pub fn differences(&self, folder: &Path, go_on: &mut dyn FnMut(u64) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut read = 0;
        for (path, record) in &self.files {
            match sha256_of_file(&folder.join(path)) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => found.push(format!("{path} is missing")),
                Err(e) => found.push(format!("{path}: {e}")),
                Ok((bytes, _)) if bytes != record.bytes => {
                    found.push(format!("{path} has {bytes} bytes instead of {}", record.bytes));
                }
                Ok((_, sha256)) if sha256 != record.sha256 => found.push(format!("{path} has changed")),
                Ok(_) => {}
            }
            read += record.bytes;
            if !go_on(read) {
                break;
            }
        }
        found
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|record| record.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_tells_missing_cut_and_changed_files_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = BTreeMap::new();
        for name in ["a", "b", "c", "d"] {
            fs::write(folder.path().join(name), "text").unwrap();
            let (bytes, sha256) = sha256_of_file(&folder.path().join(name)).unwrap();
            files.insert(name.to_owned(), FileRecord { bytes, sha256 });
        }
        let list = Inventory { archive: "x.zip".into(), sha256: "0".repeat(64), files };
        list.write(folder.path()).unwrap();
        let list = Inventory::read(folder.path()).unwrap().unwrap();
        assert_eq!(list.differences(folder.path(), &mut |_| true), Vec::<String>::new());
        fs::remove_file(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("b"), "tex").unwrap();
        fs::write(folder.path().join("c"), "tent").unwrap();
        let expected = ["a is missing", "b has 3 bytes instead of 4", "c has changed"];
        assert_eq!(list.differences(folder.path(), &mut |_| true), expected);
    }

    #[test]
    fn a_folder_without_list_has_none() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Inventory::read(folder.path()).unwrap(), None);
        assert_eq!(Inventory::read(&folder.path().join("nowhere")).unwrap(), None);
    }
}
