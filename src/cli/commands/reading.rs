//! A web archive as commands read it: some records at a time, spread over threads, with counts of what they were.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::inputs::unreadable;
use crate::cli::progress::Printer;
use crate::dom::Limits;
use crate::error::Result;
use crate::plural::plural;
use crate::progress::Progress;
use crate::warc::{Damage, HEADERS, NoPage, RawRecord, WarcPage, WarcReader};

/// Records that are read before work on their pages begins.
const BATCH: usize = 256;
/// So many damaged places of an archive are told one by one.
const TOLD: u64 = 10;
/// The name of an archive that is piped in.
const STDIN: &str = "standard input";

/// What an archive held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Records and damaged places that were read.
    items: u64,
    pub pages: u64,
    /// Pages without text or confidence enough, and those that could not be read.
    pub failed: u64,
    damaged: u64,
    /// Records that are no pages, by the reason.
    others: BTreeMap<String, u64>,
}

/// What one item of an archive gave.
enum Item<T> {
    Page(T),
    NoPage(NoPage),
    Damage(Damage),
}

/// An archive that is being read.
pub struct Reading {
    pub name: String,
    pub bytes: u64,
    pub counts: Counts,
    reader: WarcReader<File>,
    limits: Limits,
}

impl Reading {
    /// Opens an archive; if that fails, says why.
    pub fn open(archive: &Path, limits: Limits, printer: &Printer) -> Option<Self> {
        let problem = match Reading::opened(archive, limits) {
            Ok(reading) => return Some(reading),
            Err(problem) => problem,
        };
        printer.error(&match archive == Path::new("-") {
            true => format!("{STDIN}: {problem}"),
            false => format!("{}: {}", archive.display(), unreadable(archive, &problem)),
        });
        None
    }

    /// Standard input is copied to a file first, since reading goes back where there is damage.
    fn opened(archive: &Path, limits: Limits) -> io::Result<Self> {
        let (name, file) = if archive == Path::new("-") {
            let mut spool = tempfile::tempfile()?;
            io::copy(&mut io::stdin().lock(), &mut spool)?;
            spool.seek(SeekFrom::Start(0))?;
            (STDIN.to_owned(), spool)
        } else {
            let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, File::open(archive)?)
        };
        let bytes = file.metadata()?.len();
        let reader = WarcReader::new(file, limits.max_bytes as u64 + HEADERS)?;
        Ok(Reading { name, bytes, counts: Counts::default(), reader, limits })
    }

    /// Passes over what was read before.
    pub fn skip(&mut self, counts: Counts) {
        self.reader.by_ref().take(counts.items as usize).for_each(drop);
        self.counts = counts;
    }

    /// What `work` makes of the pages among the next records, in their order, and whether there are more. It is given the archive's name.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn batch<T: Send>(
        &mut self,
        work: impl Fn(&str, WarcPage) -> Result<T> + Sync,
        printer: &Printer,
    ) -> Result<(Vec<T>, bool)> {
        let items: Vec<Result<RawRecord, Damage>> = self.reader.by_ref().take(BATCH).collect();
        let (n_items, is_end) = (items.len() as u64, items.len() < BATCH);
        let last = items.iter().rev().find_map(|item| item.as_ref().ok().map(|record| record.offset));
        let done = |item: Result<RawRecord, Damage>| {
            Ok(match item.map(|record| record.page(self.limits.max_bytes)) {
                Ok(Ok(page)) => Item::Page(work(&self.name, page)?),
                Ok(Err(reason)) => Item::NoPage(reason),
                Err(damage) => Item::Damage(damage),
            })
        };
        let done: Vec<Result<Item<T>>> = items.into_par_iter().map(done).collect();
        let mut pages = Vec::new();
        for item in done {
            match item? {
                Item::Page(page) => pages.push(page),
                Item::NoPage(reason) => *self.counts.others.entry(reason.to_string()).or_default() += 1,
                Item::Damage(Damage { offset, problem }) => {
                    self.counts.damaged += 1;
                    if self.counts.damaged <= TOLD {
                        printer.error(&format!("{}: byte {offset}: {problem}", self.name));
                    }
                }
            }
        }
        self.counts.items += n_items;
        self.counts.pages += pages.len() as u64;
        printer.done(last.unwrap_or(0));
        Ok((pages, !is_end))
    }

    /// Says what the archive held; whether all of it could be read and extracted.
    pub fn tell(&self, printer: &Printer) -> bool {
        let Counts { pages, failed, damaged, others, .. } = &self.counts;
        let n_others: u64 = others.values().sum();
        let mut text = format!("{}: {}, {failed} failed", self.name, plural(*pages, "page"));
        if n_others > 0 {
            let reasons = others.iter().map(|(reason, n)| format!("{n} {reason}"));
            let reasons: Vec<String> = reasons.collect();
            text += &format!("; {} ({})", plural(n_others, "other record"), reasons.join(", "));
        }
        if *damaged > 0 {
            text += &format!("; {}, the records there are lost", plural(*damaged, "damaged place"));
        }
        printer.warn(&text);
        *failed == 0 && *damaged == 0
    }
}
