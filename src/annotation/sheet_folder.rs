//! `SheetFolder`, sheets of many pages with the pages themselves, and the answers to them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rand::Rng as _;
use rayon::prelude::*;
use serde_json::Value;

use super::label_folder::Index;
use super::{Agreement, Answer, Fault, LabelFolder, PageToLabel, Sheet};
use crate::dom::Limits;
use crate::error::{Error, Result};
use crate::files::write_whole;
use crate::program::Program;
use crate::progress::Progress;
use crate::rng::stream;
use crate::tokens;

/// The pages of the sheets.
const PAGES: &str = "pages";
/// The sheets that are read twice, and the answers of the second reader.
const SECOND: &str = "second";

/// A folder with a sheet `NAME.txt` of each page, the page as `pages/NAME.html`, an index `pages.jsonl`, and in `second/` the sheets
/// that are to be read twice.
#[derive(Debug)]
pub struct SheetFolder {
    folder: PathBuf,
    index: Index,
}

/// What came of the answers to sheets.
#[derive(Debug, Default)]
pub struct Readings {
    /// Pages with labels now.
    pub labelled: usize,
    /// Sheets without an answer.
    pub without_answer: usize,
    /// Pages of sheets that cannot be read.
    pub damaged: Vec<Error>,
    /// Answers that are refused, with what is wrong in each.
    pub refused: Vec<(PathBuf, Vec<Fault>)>,
    /// Answers to sheets that are not there.
    pub strays: Vec<PathBuf>,
    /// Of the pages that were read twice.
    pub agreement: Agreement,
}

/// A reading of a sheet: the first, or the second of those that are read twice.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    id: String,
    is_second: bool,
}

impl Reading {
    /// Both readings of a sheet.
    fn both(id: &str) -> [Reading; 2] {
        [false, true].map(|is_second| Reading { id: id.to_owned(), is_second })
    }

    /// Its file below a folder of sheets or answers.
    fn path(&self, folder: &Path, ending: &str) -> PathBuf {
        let folder = if self.is_second { folder.join(SECOND) } else { folder.to_owned() };
        folder.join(format!("{}.{ending}", self.id))
    }
}

impl SheetFolder {
    /// Opens a folder of sheets, or begins one.
    ///
    /// # Errors
    /// If its index cannot be read.
    pub fn open(folder: &Path) -> Result<Self> {
        Ok(SheetFolder { folder: folder.to_owned(), index: Index::open(folder)? })
    }

    /// Opens a folder that has sheets.
    ///
    /// # Errors
    /// As [`SheetFolder::open`], and [`Error::Usage`] if there is none in it.
    pub fn existing(folder: &Path) -> Result<Self> {
        let sheets = SheetFolder::open(folder)?;
        match sheets.is_empty() {
            true => Err(Error::usage(
                format!("{} holds no sheets", folder.display()),
                "name the folder that the sheets were written into",
            )),
            false => Ok(sheets),
        }
    }

    /// The number of sheets.
    pub fn len(&self) -> usize {
        self.index.0.len()
    }

    /// Whether there is no sheet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes a page and its sheet, over what was there of it; the index is written by [`SheetFolder::finish`].
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn put(&mut self, page: &PageToLabel) -> Result<Sheet> {
        let sheet = Sheet::new(&page.page);
        page.write(&self.folder.join(PAGES))?;
        let [first, _] = Reading::both(page.page.id());
        write_whole(&first.path(&self.folder, "txt"), sheet.text.as_bytes())?;
        self.index.put(page.facts());
        Ok(sheet)
    }

    /// Writes the index, and of a share of the sheets, drawn at random, a copy for a second reader. Gives the number of copies.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(&self, second_share: f64, seed: u64) -> Result<usize> {
        let n = (second_share * self.len() as f64).round() as usize;
        let mut drawn: Vec<(u64, &String)> = self
            .index
            .0
            .keys()
            .map(|id| (stream(seed, &format!("second reading of {id}"), &[]).next_u64(), id))
            .collect();
        drawn.sort();
        for (_, id) in &drawn[..n] {
            let [first, second] = Reading::both(id);
            let path = first.path(&self.folder, "txt");
            let sheet = std::fs::read(&path).map_err(|error| Error::io(&path, error))?;
            write_whole(&second.path(&self.folder, "txt"), &sheet)?;
        }
        self.index.write(&self.folder)?;
        Ok(n)
    }

    /// All readings: of each sheet the first, and the second where there is a copy for it.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "the program alone asks"))]
    fn readings(&self) -> Vec<Reading> {
        let both = self.index.0.keys().flat_map(|id| Reading::both(id));
        both.filter(|reading| !reading.is_second || reading.path(&self.folder, "txt").is_file()).collect()
    }

    /// A page and its sheet, made again from the page: what was written into the sheet's file does not matter.
    fn page(&self, id: &str, limits: &Limits) -> Result<(PageToLabel, Sheet)> {
        let path = self.folder.join(PAGES).join(format!("{id}.html"));
        let bytes = std::fs::read(&path).map_err(|error| Error::io(&path, error))?;
        let url = self.index.0[id].get("url").and_then(Value::as_str).map(str::to_owned);
        let page = PageToLabel::parse(id, url, bytes, None, limits)?;
        let sheet = Sheet::new(&page.page);
        Ok((page, sheet))
    }

    /// Runs a program on each sheet that has no answer yet: the sheet is its input, what it writes is the answer. What is refused is kept
    /// beside, as `NAME.refused`. Gives the failures, in the order of the sheets: what failed, and why.
    ///
    /// # Errors
    /// [`Error::Io`] if an answer cannot be written; [`Error::Interrupted`] if `is_stopped` says so.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "the program alone asks"))]
    pub(crate) fn ask(
        &self,
        program: &Program,
        answers: &Path,
        limits: &Limits,
        is_stopped: impl Fn() -> bool + Sync,
        progress: &dyn Progress,
    ) -> Result<Vec<(PathBuf, String)>> {
        let mut open = self.readings();
        open.retain(|reading| !reading.path(answers, "txt").exists());
        progress.stage("asking for answers", open.len());
        let ask = |reading: &Reading| -> Result<Option<(PathBuf, String)>> {
            if is_stopped() {
                return Err(Error::Interrupted);
            }
            let path = reading.path(answers, "txt");
            let sheet_path = reading.path(&self.folder, "txt");
            let sheet = match self.page(&reading.id, limits) {
                Ok((_, sheet)) => sheet,
                Err(damaged) => return Ok(Some((sheet_path, damaged.to_string()))),
            };
            let failed = match program.run(sheet.text.clone().into_bytes()) {
                Err(problem) => Some(problem.to_string()),
                Ok(answer) => {
                    let text = String::from_utf8_lossy(&answer);
                    let faults = Answer::read(&text, &sheet).err();
                    let refused = reading.path(answers, "refused");
                    write_whole(if faults.is_some() { &refused } else { &path }, &answer)?;
                    if faults.is_none() && refused.exists() {
                        std::fs::remove_file(&refused).map_err(|error| Error::io(&refused, error))?;
                    }
                    faults.map(|faults| {
                        format!("its answer is refused: {} (it is in {})", faults[0], refused.display())
                    })
                }
            };
            progress.step();
            Ok(failed.map(|problem| (sheet_path, problem)))
        };
        let asked: Result<Vec<_>> = open.par_iter().map(ask).collect();
        Ok(asked?.into_iter().flatten().collect())
    }

    /// Reads the answers to the sheets, `NAME.txt` in a folder, and writes the labels of each page that has a good one. Where a sheet was
    /// read twice, the first answer's labels are written, and the second one's are compared with them.
    ///
    /// # Errors
    /// [`Error::Io`] of an answer, and of the labels.
    pub fn read_answers(
        &self,
        answers: &Path,
        labels: &mut LabelFolder,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Readings> {
        let mut readings = Readings { strays: self.strays(answers)?, ..Readings::default() };
        progress.stage("reading answers", self.len());
        for id in self.index.0.keys() {
            progress.step();
            let (page, sheet) = match self.page(id, limits) {
                Ok(found) => found,
                Err(damaged) => {
                    readings.damaged.push(damaged);
                    continue;
                }
            };
            let [first, second] = Reading::both(id).map(|reading| reading.path(answers, "txt"));
            readings.without_answer += usize::from(!first.exists());
            let mut read = |path: PathBuf| -> Result<Option<Answer>> {
                let bytes = match std::fs::read(&path) {
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                    other => other.map_err(|error| Error::io(&path, error))?,
                };
                match Answer::read(&String::from_utf8_lossy(&bytes), &sheet) {
                    Ok(answer) => Ok(Some(answer)),
                    Err(faults) => {
                        readings.refused.push((path, faults));
                        Ok(None)
                    }
                }
            };
            let (first, second) = (read(first)?, read(second)?);
            let Some(first) = first else { continue };
            labels.put(&page, &first)?;
            readings.labelled += 1;
            if let Some(second) = second {
                let (dom, blocks) = (page.page.dom(), page.page.blocks());
                let words = blocks.leaves().map(|block| tokens::count(&blocks.text(dom, block)));
                let both =
                    first.labels.iter().zip(&second.labels).map(|(first, second)| vec![*first, *second]);
                readings.agreement.add(words.zip(both));
            }
        }
        Ok(readings)
    }

    /// Answers that no sheet is there for.
    fn strays(&self, answers: &Path) -> Result<Vec<PathBuf>> {
        let both = self.index.0.keys().flat_map(|id| Reading::both(id));
        let known: HashSet<PathBuf> = both.map(|reading| reading.path(answers, "txt")).collect();
        let mut strays = Vec::new();
        let mut pending = vec![answers.to_owned()];
        while let Some(folder) = pending.pop() {
            for entry in std::fs::read_dir(&folder).map_err(|error| Error::io(&folder, error))? {
                let path = entry.map_err(|error| Error::io(&folder, error))?.path();
                if path.is_dir() {
                    pending.push(path);
                } else if path.extension().is_some_and(|ending| ending == "txt") && !known.contains(&path) {
                    strays.push(path);
                }
            }
        }
        strays.sort();
        Ok(strays)
    }
}
