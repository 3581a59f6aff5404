//! Pages of web archives (WARC), one row a page; with --output-dir in parts, so that a run that was cut off goes on where it
//! stopped.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::sink::Sink;
use super::{Done, Job, Names};
use crate::cli::commands::layouts::lay_out;
use crate::cli::commands::reading::{Counts, Reading};
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
use crate::plural::plural;
use crate::progress::Progress;
use crate::warc::WarcPage;

/// Of a folder of parts, the file that says how far they go.
const JOURNAL: &str = "journal.jsonl";

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
        let limits = self.bounds.limits();
        match &self.options.output_dir {
            Some(folder) => {
                for (archive, name) in archives.iter().zip(folder_names(archives)) {
                    let Some(reading) = Reading::open(archive, limits, printer) else { continue };
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
                    let Some(mut reading) = Reading::open(archive, limits, printer) else { continue };
                    n_opened += 1;
                    printer.stage_of_bytes(&reading.name, Some(reading.bytes));
                    while self.write_batch(&mut reading, &mut sink, printer)? {
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

    /// Extracts the pages of an archive into parts in a folder of its own; whether all went well.
    fn in_parts(&self, mut reading: Reading, folder: &Path, printer: &Printer) -> Result<bool> {
        let extension = self.format.extension();
        let run = self.options.digest(&reading.name, reading.bytes);
        let mut journal = Journal::open(folder, &run, extension, self.options.skip_existing)?;
        printer.stage_of_bytes(&reading.name, Some(reading.bytes));
        if let Some(counts) = journal.counts.take() {
            reading.skip(counts);
            printer.warn(&format!(
                "{}: going on after {}",
                reading.name,
                plural(reading.counts.pages, "page")
            ));
        }
        let mut more = !journal.is_finished;
        while more {
            let path = part_path(folder, journal.parts, extension);
            let mut sink = Sink::open(Some(&path), self.format, true, self.options.nodes)?;
            let before = reading.counts.pages;
            while more && reading.counts.pages < before + self.options.part_pages() as u64 {
                more = self.write_batch(&mut reading, &mut sink, printer)?;
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

    /// Writes the pages among the next records; false at the end of the archive.
    fn write_batch(&self, reading: &mut Reading, sink: &mut Sink, printer: &Printer) -> Result<bool> {
        let (pages, more) = reading.batch(|archive, page| self.archived(archive, page), printer)?;
        for Done { id, record, body, .. } in pages {
            printer.status(record.status);
            let (status, problem) = (record.status, record.problem.as_deref());
            reading.counts.failed += u64::from(status != "ok");
            if let Some(problem) = problem.or((status != "ok").then_some(status)) {
                printer.detail(&format!("{id}: {problem}"));
            }
            sink.put(&id, record, &body)?;
        }
        Ok(more)
    }

    /// Extracts a page of an archive.
    fn archived(&self, archive: &str, page: WarcPage) -> Result<Done> {
        let limits = self.bounds.limits();
        let WarcPage { record_id, url, date, charset, body } = page;
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
        match on_page(limits.max_seconds, page).map_err(named).flatten() {
            Err(Error::Page { problem, .. }) => {
                Ok(finish(Document::failed(&*record_id, url.clone(), &problem.into())))
            }
            done => done,
        }
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
