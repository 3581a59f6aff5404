//! The journal of a run: a line for every finished page (of a system, or of a study), so that a killed run goes on where it stopped.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::record::PageResult;
use crate::error::Result;
use crate::files::LineFile;

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

/// A file of JSON lines, the first naming the run it belongs to.
pub struct Journal<T> {
    file: Mutex<LineFile>,
    done: HashMap<String, T>,
}

impl<T: Entry> Journal<T> {
    /// Opens the journal at `path` of the run named `run`: a digest of everything that its results depend on.
    ///
    /// Results of another run are dropped; a last line cut short by a kill is dropped alone.
    ///
    /// # Errors
    /// [`crate::error::Error::Io`].
    pub fn open(path: &Path, run: &str) -> Result<Self> {
        let header = serde_json::json!({ "duramen-journal": 1, "run": run }).to_string();
        let mut done = HashMap::new();
        let mut is_first = true;
        let mut file = LineFile::open(path, |line| {
            if std::mem::take(&mut is_first) {
                return Ok(line == header);
            }
            let entry = serde_json::from_str::<T>(line).ok();
            Ok(entry.map(|entry| done.insert(entry.key(), entry)).is_some())
        })?;
        if file.is_empty() {
            file.append(&header)?;
        }
        Ok(Journal { file: Mutex::new(file), done })
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
    /// [`crate::error::Error::Io`].
    pub fn append(&self, entry: &T) -> Result<()> {
        let line = serde_json::to_string(entry).expect("an entry has no keys that are not strings");
        self.file.lock().expect("no thread panics while it writes").append(&line)
    }

    /// Removes the journal of a run that is complete.
    ///
    /// # Errors
    /// [`crate::error::Error::Io`].
    pub fn remove(self) -> Result<()> {
        self.file.into_inner().expect("no thread panics while it writes").remove()
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
            page_type: None,
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
