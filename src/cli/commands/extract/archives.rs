//! Pages of web archives (WARC), one row a page; with --output-dir in parts, so that a run that was cut off goes on where it
//! stopped.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::sink::Sink;
use super::{Done, Job, Names};
use crate::cli::commands::inputs::unreadable;
use crate::cli::commands::layouts::lay_out;
use crate::cli::interrupt::stop_flag;
use crate::cli::outcome::Outcome;
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::extract::render::Archived;
use crate::files::{LineFile, clear_once};
use crate::page::{Page, Source};
use crate::page_work::on_page;
use crate::progress::Progress;
use crate::warc::{Damage, HEADERS, NoPage, RawRecord, WarcPage, WarcReader};

/// Records that are read before their pages are extracted.
const BATCH: usize = 256;
/// So many damaged places of an archive are told one by one.
const TOLD: u64 = 10;
/// The name of an archive that is piped in.
const STDIN: &str = "standard input";
/// Of a folder of parts, the file that says how far they go.
const JOURNAL: &str = "journal.jsonl";

/// What an archive held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    /// Records and damaged places that were read.
    items: u64,
    pages: u64,
    /// Pages without text or confidence enough, and those that could not be read.
    failed: u64,
    damaged: u64,
    /// Records that are no pages, by the reason.
    others: BTreeMap<String, u64>,
}

/// What one item of an archive gave.
enum Row {
    Page(Box<Done>),
    NoPage(NoPage),
    Damage(Damage),
}

/// A line of a journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Entry {
    /// What the parts are of: a digest of the archive's name and size, of the options and of the version.
    Archive { run: String },
    /// So many parts are in their places, and what was read for them.
    Part { parts: usize, counts: Counts },
    /// The end of the archive, and what all of it held.
    End { counts: Counts },
}

impl Job<'_> {
    /// Extracts the pages of archives. One that cannot be opened is told and passed over.
    pub(super) fn archives(&self, archives: &[PathBuf], printer: &Printer) -> Result<Outcome> {
        let (mut all_done, mut n_opened) = (true, 0);
        match &self.options.output_dir {
            Some(folder) => {
                for (archive, name) in archives.iter().zip(folder_names(archives)) {
                    let Some(reading) = self.opened(archive, printer) else { continue };
                    n_opened += 1;
                    match self.in_parts(reading, &folder.join(name), printer) {
                        // A folder that holds parts of something else does not keep the other archives waiting.
                        Err(error @ Error::Usage { .. }) if archives.len() > 1 => {
                            printer.error(&told(&error));
                            all_done = false;
                        }
                        done => all_done &= done?,
                    }
                }
            }
            None => {
                let path = self.options.output.as_deref();
                let mut sink = Sink::open(path, self.format, true, self.options.nodes)?;
                for archive in archives {
                    let Some(mut reading) = self.opened(archive, printer) else { continue };
                    n_opened += 1;
                    printer.stage_of_bytes(&reading.name, Some(reading.bytes));
                    while reading.write_batch(self, &mut sink, printer)? {
                        if stop_flag().load(Ordering::Relaxed) {
                            return Err(Error::Interrupted);
                        }
                    }
                    printer.finish();
                    all_done &= reading.tell(printer);
                }
                sink.finish(n_opened > 0)?;
            }
        }
        if n_opened == 0 {
            printer.error("no archive could be read; what to do stands above, with the name of each");
        }
        Ok(if all_done && n_opened == archives.len() { Outcome::Done } else { Outcome::SomeFailed })
    }

    /// Opens an archive; if that fails, says why.
    fn opened(&self, archive: &Path, printer: &Printer) -> Option<Reading> {
        let problem = match Reading::open(archive, self) {
            Ok(reading) => return Some(reading),
            Err(problem) => problem,
        };
        printer.error(&match archive == Path::new("-") {
            true => format!("{STDIN}: {problem}"),
            false => format!("{}: {}", archive.display(), unreadable(archive, &problem)),
        });
        None
    }

    /// Extracts the pages of an archive into parts in a folder of its own; whether all went well.
    fn in_parts(&self, mut reading: Reading, folder: &Path, printer: &Printer) -> Result<bool> {
        let extension = self.format.extension();
        let run = self.options.digest(&reading.name, reading.bytes);
        let mut journal = Journal::open(folder, &run, extension, self.options.skip_existing)?;
        printer.stage_of_bytes(&reading.name, Some(reading.bytes));
        if let Some(counts) = journal.counts.take() {
            reading.skip(counts);
            printer.warn(&format!("{}: going on after {} pages", reading.name, reading.counts.pages));
        }
        let mut more = !journal.is_finished;
        while more {
            let path = part_path(folder, journal.parts, extension);
            let mut sink = Sink::open(Some(&path), self.format, true, self.options.nodes)?;
            let before = reading.counts.pages;
            while more && reading.counts.pages < before + self.options.part_pages() as u64 {
                more = reading.write_batch(self, &mut sink, printer)?;
                if stop_flag().load(Ordering::Relaxed) {
                    return Err(Error::Interrupted);
                }
            }
            if reading.counts.pages > before || journal.parts == 0 {
                sink.finish(true)?;
                journal.parts += 1;
                journal.add(&Entry::Part { parts: journal.parts, counts: reading.counts.clone() })?;
            }
        }
        if !journal.is_finished {
            journal.add(&Entry::End { counts: reading.counts.clone() })?;
        }
        printer.finish();
        Ok(reading.tell(printer))
    }

    /// The row of a record.
    fn row(&self, archive: &str, record: RawRecord) -> Result<Row> {
        let limits = self.bounds.limits();
        let WarcPage { record_id, url, date, charset, body } = match record.page(limits.max_bytes) {
            Ok(page) => page,
            Err(reason) => return Ok(Row::NoPage(reason)),
        };
        let read = |bytes: Vec<u8>| -> Result<Page> {
            let page = Page::parse(&*record_id, url.clone(), &bytes, charset.as_deref(), &limits)?;
            let source = Source { bytes, http_charset: charset };
            let mut page = if self.bounds.keep_source { page.with_source(source) } else { page };
            lay_out(&mut page, self.engines.iter().map(|engine| &**engine))?;
            Ok(page)
        };
        let finish = |mut document: Document| {
            document.record.archived = Some(Archived { archive: archive.to_owned(), crawled: date.clone() });
            self.done(record_id.clone(), Path::new(""), document)
        };
        let named = |problem| Error::page(&*record_id, problem);
        let page = || {
            let page = body.map_err(named).and_then(read)?;
            Ok(finish(Document::of_page(page, &self.asked)))
        };
        let done = match on_page(limits.max_seconds, page).map_err(named).flatten() {
            Err(Error::Page { problem, .. }) => {
                finish(Document::failed(&*record_id, url.clone(), &problem.into()))
            }
            done => done?,
        };
        Ok(Row::Page(Box::new(done)))
    }
}

/// An archive that is being read.
struct Reading {
    name: String,
    bytes: u64,
    reader: WarcReader<File>,
    counts: Counts,
}

impl Reading {
    /// Opens an archive; standard input is copied to a file first, since reading goes back where there is damage.
    fn open(archive: &Path, job: &Job<'_>) -> io::Result<Self> {
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
        let most = job.bounds.limits().max_bytes as u64 + HEADERS;
        Ok(Reading { name, bytes, reader: WarcReader::new(file, most)?, counts: Counts::default() })
    }

    /// Passes over what parts hold already.
    fn skip(&mut self, counts: Counts) {
        self.reader.by_ref().take(counts.items as usize).for_each(drop);
        self.counts = counts;
    }

    /// Writes the pages among the next records; false at the end of the archive.
    fn write_batch(&mut self, job: &Job<'_>, sink: &mut Sink, printer: &Printer) -> Result<bool> {
        let items: Vec<Result<RawRecord, Damage>> = self.reader.by_ref().take(BATCH).collect();
        let row = |item: Result<RawRecord, Damage>| match item {
            Ok(record) => job.row(&self.name, record),
            Err(damage) => Ok(Row::Damage(damage)),
        };
        let (n_items, is_end) = (items.len() as u64, items.len() < BATCH);
        let last = items.iter().rev().find_map(|item| item.as_ref().ok().map(|record| record.offset));
        let rows: Vec<Result<Row>> = items.into_par_iter().map(row).collect();
        for row in rows {
            match row? {
                Row::Page(page) => {
                    self.counts.pages += 1;
                    printer.status(page.record.status);
                    let (status, problem) = (page.record.status, page.record.problem.as_deref());
                    self.counts.failed += u64::from(status != "ok");
                    if let Some(problem) = problem.or((status != "ok").then_some(status)) {
                        printer.detail(&format!("{}: {problem}", page.id));
                    }
                    let Done { id, record, body, .. } = *page;
                    sink.put(&id, record, &body)?;
                }
                Row::NoPage(reason) => *self.counts.others.entry(reason.to_string()).or_default() += 1,
                Row::Damage(Damage { offset, problem }) => {
                    self.counts.damaged += 1;
                    if self.counts.damaged <= TOLD {
                        printer.error(&format!("{}: byte {offset}: {problem}", self.name));
                    }
                }
            }
        }
        self.counts.items += n_items;
        printer.done(last.unwrap_or(0));
        Ok(!is_end)
    }

    /// Says what the archive held; whether all of it could be read and extracted.
    fn tell(&self, printer: &Printer) -> bool {
        let Counts { pages, failed, damaged, others, .. } = &self.counts;
        let n_others: u64 = others.values().sum();
        let mut text = format!("{}: {pages} pages, {failed} failed", self.name);
        if n_others > 0 {
            let reasons = others.iter().map(|(reason, n)| format!("{n} {reason}"));
            let reasons: Vec<String> = reasons.collect();
            text += &format!("; {n_others} other records ({})", reasons.join(", "));
        }
        if *damaged > 0 {
            text += &format!("; {damaged} damaged places, the records there are lost");
        }
        printer.warn(&text);
        *failed == 0 && *damaged == 0
    }
}

/// How far the parts of an archive go: a line for each, written after it is in its place.
struct Journal {
    file: LineFile,
    /// The number of parts that are in their places.
    parts: usize,
    /// What was read for them, where a run goes on.
    counts: Option<Counts>,
    /// Whether they hold the whole archive.
    is_finished: bool,
}

impl Journal {
    /// Opens the journal of a folder: with `goes_on` what an earlier run of the same name left, else a new one, without
    /// parts.
    ///
    /// # Errors
    /// [`Error::Usage`] if the parts are of something else; [`Error::Io`].
    fn open(folder: &Path, run: &str, extension: &str, goes_on: bool) -> Result<Self> {
        clear_once(folder);
        let (mut parts, mut counts, mut is_finished) = (0, None, false);
        let file = LineFile::open(&folder.join(JOURNAL), |line| {
            if !goes_on {
                return Ok(false);
            }
            match serde_json::from_str(line) {
                Ok(Entry::Archive { run: other }) if other != run => {
                    return Err(Error::usage(
                        format!("{} was made from another archive or with other options", folder.display()),
                        "name another folder, or leave --skip-existing out to begin again",
                    ));
                }
                Ok(Entry::Archive { .. }) => {}
                Ok(Entry::Part { parts: so_far, counts: of_them }) => {
                    (parts, counts) = (so_far, Some(of_them));
                }
                Ok(Entry::End { counts: of_all }) => (is_finished, counts) = (true, Some(of_all)),
                Err(_) => return Ok(false),
            }
            Ok(true)
        })?;
        // Parts that the journal does not name would stay beside those of this run.
        for number in parts.. {
            let part = part_path(folder, number, extension);
            if !part.exists() {
                break;
            }
            std::fs::remove_file(&part).map_err(|error| Error::io(&part, error))?;
        }
        let mut journal = Journal { file, parts, counts, is_finished };
        if journal.file.is_empty() {
            journal.add(&Entry::Archive { run: run.to_owned() })?;
        }
        Ok(journal)
    }

    fn add(&mut self, entry: &Entry) -> Result<()> {
        let line = serde_json::to_string(entry).expect("an entry has no keys that are not strings");
        self.file.append(&line)?;
        self.file.sync()
    }
}

fn part_path(folder: &Path, number: usize, extension: &str) -> PathBuf {
    folder.join(format!("part-{number:05}.{extension}"))
}

/// The folders of archives below the output folder: their names without what they end in.
fn folder_names(archives: &[PathBuf]) -> Vec<PathBuf> {
    let mut names = Names::default();
    let name = |archive: &PathBuf| {
        let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = match name.to_lowercase().find(".warc") {
            Some(end) if name.is_char_boundary(end) => &name[..end],
            _ if name == "-" => "stdin",
            _ => &name,
        };
        names.free(PathBuf::from(stem))
    };
    archives.iter().map(name).collect()
}
