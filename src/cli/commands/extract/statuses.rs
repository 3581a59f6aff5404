//! `pages.csv`, the status of every page of an output folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::document::csv;
use crate::error::Result;
use crate::extract::render::RenderedPage;
use crate::files::{LineFile, write_whole};
use crate::tokens;

const TABLE: &str = "pages.csv";
/// The rows of a run that has not ended, each written before the output of its page: of what is there the row is known, also if the
/// run is killed.
const JOURNAL: &str = ".pages.jsonl";
/// The files, which no page's output may be named like.
pub(super) const NAMES: [&str; 2] = [TABLE, JOURNAL];
const COLUMNS: [&str; 5] = ["page", "status", "problem", "output", "words_kept"];

pub(super) type Row = Vec<String>;

/// A page and its output.
type Key = (String, PathBuf);

fn key(page: &str, output: &Path) -> Key {
    (page.to_owned(), output.to_owned())
}

/// The row of a page.
pub(super) fn row(page: &str, output: &Path, record: &RenderedPage) -> Row {
    vec![
        page.to_owned(),
        record.status.to_owned(),
        record.problem.clone().unwrap_or_default(),
        if record.status == "ok" { output.display().to_string() } else { String::new() },
        tokens::count(&record.text).to_string(),
    ]
}

/// The statuses of an output folder.
pub(super) struct Statuses {
    folder: PathBuf,
    /// What runs before said of their pages.
    former: HashMap<Key, Row>,
    journal: Mutex<LineFile>,
}

impl Statuses {
    /// Opens those of a folder; with `goes_on` what runs before said counts for pages whose output is left alone. A table that cannot
    /// be read as such says nothing.
    pub(super) fn open(folder: &Path, goes_on: bool) -> Result<Self> {
        let mut former = HashMap::new();
        let mut know = |row: Row| former.insert(key(&row[0], Path::new(&row[3])), row);
        if goes_on && let Ok(table) = ::csv::Reader::from_path(folder.join(TABLE)) {
            let rows = table.into_records().filter_map(std::result::Result::ok);
            let rows = rows.map(|row| row.iter().map(str::to_owned).collect::<Row>());
            rows.filter(|row| row.len() == COLUMNS.len()).for_each(|row| drop(know(row)));
        }
        let journal = LineFile::open(&folder.join(JOURNAL), |line| {
            let row =
                serde_json::from_str::<Row>(line).ok().filter(|row| goes_on && row.len() == COLUMNS.len());
            Ok(row.map(&mut know).is_some())
        })?;
        Ok(Statuses { folder: folder.to_owned(), former, journal: Mutex::new(journal) })
    }

    /// Notes the row of a page whose output is about to be written.
    pub(super) fn note(&self, row: &Row) -> Result<()> {
        let line = serde_json::to_string(row).expect("texts can be written as JSON");
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).append(&line)
    }

    /// The row of a page whose output is left alone: that of the run that wrote it, if it is known.
    pub(super) fn of_skipped(&self, page: &str, output: &Path) -> Row {
        let unknown = || [page, "skipped", "", &output.display().to_string(), ""].map(str::to_owned).to_vec();
        self.known(page, output).unwrap_or_else(unknown)
    }

    /// What a run before said of a page.
    pub(super) fn known(&self, page: &str, output: &Path) -> Option<Row> {
        self.former.get(&key(page, output)).cloned()
    }

    /// Writes the table; its path.
    pub(super) fn finish(self, rows: Vec<Row>) -> Result<PathBuf> {
        let path = self.folder.join(TABLE);
        let header = COLUMNS.map(str::to_owned).to_vec();
        write_whole(&path, csv(std::iter::once(header).chain(rows)).as_bytes())?;
        self.journal.into_inner().unwrap_or_else(PoisonError::into_inner).remove()?;
        Ok(path)
    }
}
