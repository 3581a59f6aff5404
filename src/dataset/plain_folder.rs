//! A corpus from the plain folder of its source, such as a clone of a repository: known by the checksum of its pages with their references,
//! since it is no archive of a known checksum.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::corpus::open_at;
use super::inventory::FileRecord;
use super::manifest::{Archive, Manifest, Part};
use crate::dom::digest::hex;
use crate::error::{Error, Result};
use crate::store::write_error;

/// The name that stands for the archive in the list of files.
pub(super) const NAME: &str = "the plain folder of the source";

/// The files of the parts of an archive below a folder, which have the checksums that the manifest states.
pub(super) struct PlainFolder {
    /// What the files' paths are below.
    base: PathBuf,
    roots: Vec<PathBuf>,
    /// The checksum of the first part.
    pub checksum: String,
}

impl PlainFolder {
    /// Looks for the parts of an archive in a folder and below it; nothing where their layout is not there.
    ///
    /// # Errors
    /// [`Error::Data`] if it is there and the manifest states no checksum of the pages, or pages or references are other ones.
    pub fn find(
        manifest: &Manifest,
        archive: &Archive,
        folder: &Path,
        data_dir: &Path,
    ) -> Result<Option<PlainFolder>> {
        let parts: Vec<&Part> =
            manifest.parts.iter().filter(|part| archive.parts.contains(&part.name)).collect();
        let located = |part: &&Part| Some(manifest.locate(part, folder, data_dir)?.0);
        let Some(mut roots) = parts.iter().map(located).collect::<Option<Vec<PathBuf>>>() else {
            return Ok(None);
        };
        let names = archive.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(" or ");
        for part in &parts {
            let label = manifest.label(part);
            let Some(stated) = &part.checksum else {
                // A layout without folders of its own is found anywhere: that is no sign of the corpus.
                if roots.iter().any(|root| root == folder) {
                    return Ok(None);
                }
                let problem = "the manifest states no checksum of its pages, with which a plain folder could be compared";
                return Err(Error::data(&label, problem, format!("take it from its archive, {names}")));
            };
            let corpus = open_at((manifest.clone(), (*part).clone()), folder, data_dir, false)?;
            let found = corpus.checksum()?;
            if found != *stated {
                let problem = format!(
                    "the pages and references in {} are not those of the manifest: their checksum is {found}, not {stated}",
                    folder.display()
                );
                let remedy = format!(
                    "take the version of the source that has them ({}), without conversion of line ends, or the archive {names}",
                    manifest.source
                );
                return Err(Error::data(&label, problem, remedy));
            }
        }
        roots.sort();
        roots.dedup();
        let base = match roots.as_slice() {
            // The name of the folder may say which part it is.
            [root] => root.parent().unwrap_or(root).to_owned(),
            _ => folder.to_owned(),
        };
        let checksum = parts[0].checksum.clone().expect("every part has been compared with its checksum");
        Ok(Some(PlainFolder { base, roots, checksum }))
    }

    /// Copies the files into an empty folder and lists them, without hidden ones; `go_on` hears the bytes so far and may say no.
    ///
    /// # Errors
    /// [`Error::Io`], also for a name that is not UTF-8; [`Error::Interrupted`].
    pub fn copy(
        &self,
        target: &Path,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<BTreeMap<String, FileRecord>> {
        let mut files = BTreeMap::new();
        let mut bytes = 0;
        let mut pending = self.roots.clone();
        while let Some(path) = pending.pop() {
            let failed = |error| Error::io(&path, error);
            if path.is_dir() {
                for entry in fs::read_dir(&path).map_err(failed)? {
                    let entry = entry.map_err(failed)?;
                    let is_link = entry.file_type().map_err(failed)?.is_symlink();
                    // A link could lead anywhere; the corpora have none.
                    if !is_link && !entry.file_name().as_encoded_bytes().starts_with(b".") {
                        pending.push(entry.path());
                    }
                }
                continue;
            }
            let name = path.strip_prefix(&self.base).expect("it is below the base");
            let not_text = || Error::data(path.display(), "its name is not UTF-8", "rename it");
            let parts = name.iter().map(|part| part.to_str().ok_or_else(not_text));
            let name = parts.collect::<Result<Vec<&str>>>()?.join("/");
            if files.contains_key(&name) {
                continue;
            }
            let copy = target.join(&name);
            let folder = copy.parent().expect("it is below the target");
            fs::create_dir_all(folder).map_err(|error| write_error(folder, error))?;
            let content = fs::read(&path).map_err(failed)?;
            let written = File::create_new(&copy).and_then(|mut file| file.write_all(&content));
            written.map_err(|error| write_error(&copy, error))?;
            let length = content.len() as u64;
            files.insert(name, FileRecord { bytes: length, sha256: hex(&Sha256::digest(&content)) });
            bytes += length;
            if !go_on(bytes) {
                return Err(Error::Interrupted);
            }
        }
        Ok(files)
    }
}
