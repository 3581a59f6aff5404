//! The journal of a run: a line for every finished page (of a system, or of a study), so that a killed run goes on where it stopped.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::record::PageResult;
use crate::error::{Error, Result};

/// What a journal keeps.
pub trait Entry: Serialize + DeserializeOwned {
    /// What finds it again.
    fn key(&self) -> String;
}

/// The key of names, none of which can run into the next.
pub fn key_of(names: &[&str]) -> String {
    serde_json::to_string(names).expect("names are text")
}

impl PageResult {
    /// The key of a page's result under a system.
    pub fn key_of(split: &str, part: usize, system: &str, page: &str) -> String {
        key_of(&[split, &part.to_string(), system, page])
    }
}

impl Entry for PageResult {
    fn key(&self) -> String {
        PageResult::key_of(&self.split, self.part, &self.system, &self.page)
    }
}

/// An append-only file of JSON lines, the first naming the run it belongs to.
pub struct Journal<T> {
    path: PathBuf,
    file: Mutex<File>,
    done: HashMap<String, T>,
}

impl<T: Entry> Journal<T> {
    /// Opens the journal at `path` of the run named `run`: a digest of everything that its results depend on.
    ///
    /// Results of another run are dropped; a last line cut short by a kill is dropped alone.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn open(path: &Path, run: &str) -> Result<Self> {
        let io = |error| Error::io(path, error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let header = serde_json::json!({ "duramen-journal": 1, "run": run }).to_string();
        let mut done = HashMap::new();
        let mut whole = 0u64;
        if let Ok(file) = File::open(path) {
            let mut lines = BufReader::new(file);
            let mut line = String::new();
            while let Ok(bytes) = lines.read_line(&mut line) {
                let is_header = whole == 0;
                if bytes == 0 || !line.ends_with('\n') || (is_header && line.trim_end() != header) {
                    break;
                }
                if !is_header {
                    let Ok(entry) = serde_json::from_str::<T>(&line) else { break };
                    done.insert(entry.key(), entry);
                }
                whole += bytes as u64;
                line.clear();
            }
        }
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(io)?;
        file.set_len(whole).map_err(io)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).map_err(io)?;
        if whole == 0 {
            writeln!(file, "{header}").map_err(io)?;
        }
        Ok(Journal { path: path.to_owned(), file: Mutex::new(file), done })
    }

    /// The number of results found from an earlier run.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether no results were found from an earlier run.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// What an earlier run finished under this key.
    pub fn find(&self, key: &str) -> Option<&T> {
        self.done.get(key)
    }

    /// Appends a result.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn append(&self, entry: &T) -> Result<()> {
        let mut line = serde_json::to_string(entry).expect("an entry has no keys that are not strings");
        line.push('\n');
        let mut file = self.file.lock().expect("no thread panics while it writes");
        file.write_all(line.as_bytes()).map_err(|error| Error::io(&self.path, error))
    }

    /// Removes the journal of a run that is complete.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(self) -> Result<()> {
        drop(self.file);
        std::fs::remove_file(&self.path).map_err(|error| Error::io(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::PageScores;

    fn result(page: &str) -> PageResult {
        PageResult {
            split: "folds".into(),
            part: 1,
            system: "hmt".into(),
            page: page.into(),
            host: "a.example".into(),
            status: "ok".into(),
            scores: PageScores::default(),
        }
    }

    #[test]
    fn finished_pages_are_found_again_and_a_cut_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/journal.jsonl");
        let journal = Journal::open(&path, "run").unwrap();
        journal.append(&result("a")).unwrap();
        journal.append(&result("b")).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let journal = Journal::open(&path, "run").unwrap();
        assert!(journal.find(&result("a").key()).is_some());
        assert!(journal.find(&result("b").key()).is_none());
        journal.append(&result("b")).unwrap();
        drop(journal);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn results_of_another_run_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        Journal::open(&path, "run").unwrap().append(&result("a")).unwrap();
        assert!(Journal::<PageResult>::open(&path, "other").unwrap().is_empty());
    }
}
