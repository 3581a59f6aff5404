//! `duramen extract`: pages in, content out.

mod archives;
mod formats;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod sink;
mod sites;
mod statuses;
mod wanted;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::inputs::{Bounds, Source};
use super::layouts::lay_out;
use super::settings::parameters_of;
use crate::cli::interrupt::stop_flag;
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_file, check_folder};
use crate::cli::progress::Printer;
use crate::cli::remedy::with_options;
use crate::dataset::state_convention;
use crate::document::{self, Document, TokenBudget, csv_header};
use crate::error::{Error, PageProblem, Result};
use crate::extract::feed::Feed;
use crate::extract::pictures::ImageModel;
use crate::extract::render::RenderedPage;
use crate::extract::{ExtractError, Extraction};
use crate::files::write_whole;
use crate::label::LabelSet;
use crate::layout::LayoutEngine;
use crate::page::Page;
use crate::page_work::on_page;
use crate::plural::plural;
use crate::progress::Progress;
pub use options::Options;

use formats::Format;
use sink::Sink;
use sites::Site;
use statuses::{Row, Statuses};

/// Pages handled at a time: enough for every thread, few enough for memory.
const BATCH: usize = 64;

/// One page's output.
struct Done {
    id: String,
    record: RenderedPage,
    /// The text in the format asked for.
    body: String,
    /// Its row in the table of statuses, if there is one.
    row: Option<Row>,
    skipped: bool,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    match extract(options, printer) {
        Err(Error::Interrupted) => {
            printer.error(&format!("interrupted; {}", options.how_to_go_on()));
            Ok(Outcome::Interrupted)
        }
        ended => ended,
    }
}

fn extract(options: &Options, printer: &Printer) -> Result<Outcome> {
    let id = options.extractor();
    let mut parameters = parameters_of(&[id], &options.settings()?, printer)?;
    let mut asked = document::Options::of_system(id, &state_convention(parameters.remove(0))?)?;
    let (sources, archives) = options.inputs(printer)?;
    options.check(&*asked.extractor, &sources, &archives)?;
    options.output_dir.as_deref().map_or(Ok(()), check_folder)?;
    if let Some(path) = &options.output {
        check_file(path)?;
        let is_read = |source: &Source| matches!(source, Source::File { path: page, .. } if page == path);
        let is_archive = archives.contains(path);
        if is_archive || sources.iter().any(is_read) {
            let read = if is_archive { "archive" } else { "page" };
            return Err(Error::usage(
                format!("--output {}: this is the {read} itself", path.display()),
                "name another file",
            ));
        }
    }
    let format = options.format();
    let feed = options.feed.as_deref().map(read_feed).transpose()?;
    let many = sources.len() > 1 || !archives.is_empty();
    let mut bounds = options.bounds(&sources)?;
    let engines = options.layout.open(&asked.extractor.layout_engines())?;
    bounds.keep_source = asked.reads_source || !engines.is_empty();
    let image_model = match &options.image_model {
        Some(path) => Some(Cow::Owned(ImageModel::load(path)?)),
        None => options.images.then(|| Cow::Borrowed(ImageModel::bundled())),
    };
    asked.selection = options.selection();
    asked.tables = !options.no_tables;
    asked.min_confidence = options.min_confidence;
    options.wanted.tell(&mut asked)?;
    options.repeats.tell(&mut asked, printer)?;
    asked.max_tokens = options.max_tokens.map(TokenBudget::words);
    // It tells the images of the article.
    asked.image_model = image_model.filter(|_| !asked.selection.labels.is_disjoint(LabelSet::ARTICLE));
    let mut job = Job {
        options,
        asked,
        format,
        many,
        bounds,
        engines,
        feed,
        described: AtomicUsize::new(0),
        statuses: None,
    };
    if !archives.is_empty() {
        return job.archives(&archives, printer);
    }
    let open = |folder: &PathBuf| Statuses::open(folder, options.skip_existing);
    job.statuses = options.output_dir.as_ref().map(open).transpose()?;
    let names = output_names(&sources, format.extension());
    job.run(&sources.into_iter().zip(names).collect::<Vec<_>>(), printer)
}

/// Counts a page by its status, for who watches.
fn tell_status(page: &Result<Done>, printer: &Printer) {
    if let Ok(page) = page {
        printer.status(if page.skipped { "skipped" } else { page.record.status });
    }
}

fn read_feed(path: &Path) -> Result<Feed> {
    let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
    Feed::parse(&path.display().to_string(), &bytes)
}

/// Where the output of each source goes below the output folder. Of sources with one name (`a/page.html` and
/// `b/page.html`, `page.html` and `page.htm`) the second is numbered, `page-2.txt`, and so on: none overwrites
/// another, nor the files of statuses.
fn output_names(sources: &[Source], extension: &str) -> Vec<PathBuf> {
    let mut names = Names::default();
    for own in statuses::NAMES {
        names.free(PathBuf::from(own));
    }
    sources.iter().map(|source| names.free(source.output_name(extension))).collect()
}

/// Names that are taken.
#[derive(Default)]
struct Names {
    taken: HashSet<PathBuf>,
    numbers: HashMap<PathBuf, u32>,
}

impl Names {
    /// Takes a name, or if it is taken the same with a number before its extension.
    fn free(&mut self, first: PathBuf) -> PathBuf {
        let stem = first.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = first.extension().map_or(String::new(), |end| format!(".{}", end.to_string_lossy()));
        let number = self.numbers.entry(first.clone()).or_insert(1);
        let mut name = first.clone();
        while !self.taken.insert(name.clone()) {
            *number += 1;
            name = first.with_file_name(format!("{stem}-{number}{extension}"));
        }
        name
    }
}

struct Job<'a> {
    options: &'a Options,
    asked: document::Options,
    format: Format,
    many: bool,
    bounds: Bounds,
    engines: Vec<Box<dyn LayoutEngine>>,
    feed: Option<Feed>,
    /// The number of pages that an item of the feed leads to.
    described: AtomicUsize,
    /// Of pages that are written into a folder.
    statuses: Option<Statuses>,
}

impl Job<'_> {
    fn run(mut self, sources: &[(Source, PathBuf)], printer: &Printer) -> Result<Outcome> {
        let (mut done, mut failed, mut skipped) = (0usize, 0usize, 0usize);
        let mut rows = Vec::new();
        if self.many {
            printer.stage("extracting", sources.len());
        }
        let mut sink = match &self.options.output_dir {
            Some(_) => None,
            None => {
                let path = self.options.output.as_deref();
                Some(Sink::open(path, self.format, self.many, self.options.nodes)?)
            }
        };
        // A site must be read whole.
        let reads_sites = self.asked.extractor.reads_whole_sites();
        let batch = if reads_sites { sources.len() } else { BATCH };
        for batch in sources.chunks(batch) {
            let pages = if reads_sites {
                self.sites(batch, printer)
            } else {
                let page = |(source, name): &(Source, PathBuf)| {
                    let page = self.page(source, name);
                    tell_status(&page, printer);
                    printer.step();
                    page
                };
                batch.par_iter().map(page).collect()
            };
            for page in pages {
                let page = page?;
                let (status, problem) = (page.record.status, page.record.problem.as_deref());
                if status != "ok" && !page.skipped {
                    failed += 1;
                    let problem = with_options(problem.unwrap_or(status), &page.record.remedy);
                    printer.error(&format!("{}: {problem}", page.id));
                } else if let Some(problem) = problem.filter(|_| !page.skipped) {
                    printer.warn(&format!("{}: {problem}", page.id));
                }
                skipped += usize::from(page.skipped);
                rows.extend(page.row);
                if let Some(sink) = &mut sink {
                    sink.put(&page.id, page.record, &page.body)?;
                }
                done += 1;
            }
            if stop_flag().load(Ordering::Relaxed) {
                break;
            }
        }
        printer.finish();
        self.note_feed(done, printer);
        if let Some(sink) = sink {
            sink.finish(failed < done || self.format.has_records())?;
        }
        if let Some(statuses) = self.statuses.take() {
            // Of pages that were not reached this time the table keeps what it says.
            rows.extend(
                sources[done..].iter().filter_map(|(source, name)| statuses.known(&source.id(), name)),
            );
            let table = statuses.finish(rows)?;
            printer.warn(&format!(
                "{}, {} written, {skipped} skipped, {failed} failed; {}",
                plural(done, "page"),
                done - failed - skipped,
                table.display()
            ));
        }
        if done < sources.len() {
            return Err(Error::Interrupted);
        }
        Ok(if failed == 0 { Outcome::Done } else { Outcome::SomeFailed })
    }

    /// Extracts one page that stands for itself. Only what would fail for every page is an error.
    fn page(&self, source: &Source, name: &Path) -> Result<Done> {
        if self.is_there(name) {
            return Ok(self.skipped(source, name));
        }
        let page = || self.finish(source, name, Document::of_page(self.read(source)?, &self.asked));
        self.guarded(source, page).or_else(|error| self.unread(source, name, error))
    }

    /// Extracts pages by sites; the results are in the pages' order. Pages whose output is there are read as well: they
    /// are part of their site.
    fn sites(&self, sources: &[(Source, PathBuf)], printer: &Printer) -> Vec<Result<Done>> {
        let read = |(source, _): &(Source, PathBuf)| self.guarded(source, || self.read(source));
        let read: Vec<Result<Page>> = sources.par_iter().map(read).collect();
        let mut done: Vec<Option<Result<Done>>> = Vec::new();
        let mut pages = Vec::new();
        for (number, (page, (source, name))) in read.into_iter().zip(sources).enumerate() {
            done.push(match page {
                Ok(page) => {
                    pages.push((number, page));
                    None
                }
                Err(error) => {
                    let page = self.unread(source, name, error);
                    tell_status(&page, printer);
                    printer.step();
                    Some(page)
                }
            });
        }
        let finish = |Site { numbers, pages }| {
            let found = self.extractions(&pages.iter().collect::<Vec<_>>());
            let pages = numbers.into_par_iter().zip(pages).zip(found).map(|((number, page), found)| {
                let (source, name) = &sources[number];
                let page = match self.is_there(name) {
                    true => Ok(self.skipped(source, name)),
                    false => {
                        let page = || self.finish(source, name, Document::new(page, found, &self.asked));
                        self.guarded(source, page).or_else(|error| self.unread(source, name, error))
                    }
                };
                tell_status(&page, printer);
                printer.step();
                (number, page)
            });
            pages.collect::<Vec<_>>()
        };
        let finished: Vec<_> = sites::by_site(pages).into_par_iter().flat_map(finish).collect();
        for (number, page) in finished {
            done[number] = Some(page);
        }
        done.into_iter()
            .map(|page| page.expect("every page was read and stands in a site, or was not"))
            .collect()
    }

    /// What is found on the pages of a site, which may take as long as all of them.
    fn extractions(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>> {
        let seconds =
            self.bounds.limits().max_seconds.map(|seconds| seconds.saturating_mul(pages.len() as u64));
        let found = on_page(seconds, || self.asked.extractions(pages));
        found.unwrap_or_else(|problem| pages.iter().map(|_| Err(problem.clone().into())).collect())
    }

    /// Does work on a page; a panic, and a time that is up, is an error of this page.
    fn guarded<T>(&self, source: &Source, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let done = on_page(self.bounds.limits().max_seconds, work);
        done.unwrap_or_else(|problem| Err(Error::page(source.id(), problem)))
    }

    /// Whether the output of a page is there and is to be left alone.
    fn is_there(&self, name: &Path) -> bool {
        let folder = self.options.output_dir.as_ref().filter(|_| self.options.skip_existing);
        folder.is_some_and(|folder| folder.join(name).exists())
    }

    /// Reads a page, with what the feed says of it.
    fn read(&self, source: &Source) -> Result<Page> {
        let mut page = source.read(self.options.page_url.as_deref(), &self.bounds)?;
        lay_out(&mut page, self.engines.iter().map(|engine| &**engine))?;
        Ok(match self.feed.as_ref().and_then(|feed| feed.item_of(&page)) {
            Some(item) => {
                self.described.fetch_add(1, Ordering::Relaxed);
                let item = item.clone();
                page.with_feed_item(item)
            }
            None => page,
        })
    }

    /// A page that could not be read; what would fail for every page is an error.
    fn unread(&self, source: &Source, name: &Path, error: Error) -> Result<Done> {
        let Error::Page { problem, .. } = error else { return Err(error) };
        let url = match source {
            Source::Url(url) => Some(url.clone()),
            _ => self.options.page_url.clone(),
        };
        Ok(self.done(source.id(), name, Document::failed(source.id(), url, &problem.into())))
    }

    /// A page with what is known of it; writes its output if there is a folder for it.
    fn finish(&self, source: &Source, name: &Path, document: Document) -> Result<Done> {
        let mut done = self.done(source.id(), name, document);
        if let Some(folder) = &self.options.output_dir
            && done.record.status == "ok"
        {
            let mut text = std::mem::take(&mut done.body);
            if self.format == Format::Csv {
                text = csv_header(self.options.nodes) + &text;
            }
            if let Some((statuses, row)) = self.statuses.as_ref().zip(done.row.as_ref()) {
                statuses.note(row)?;
            }
            write_whole(&folder.join(name), text.as_bytes())?;
        }
        Ok(done)
    }

    /// What is written of a page, as a record and in the format asked for.
    fn done(&self, id: String, name: &Path, document: Document) -> Done {
        let body = self.format.body(&document, self.options);
        let row = self.statuses.as_ref().map(|_| statuses::row(&id, name, &document.record));
        Done { id, record: document.record, body, row, skipped: false }
    }

    /// A page whose output is there.
    fn skipped(&self, source: &Source, name: &Path) -> Done {
        let id = source.id();
        let record = RenderedPage::failed(&*id, None, &ExtractError::Page(PageProblem::Empty));
        let row = self.statuses.as_ref().map(|statuses| statuses.of_skipped(&id, name));
        Done { id, record, body: String::new(), row, skipped: true }
    }

    /// Says it if pages are not in the feed.
    fn note_feed(&self, pages: usize, printer: &Printer) {
        let Some(path) = &self.options.feed else { return };
        let (path, described) = (path.display(), self.described.load(Ordering::Relaxed));
        if described == 0 {
            printer.warn(&format!(
                "{path}: none of its items leads to a page given here; pages are known by their addresses, see \
                 --page-url"
            ));
        } else if described < pages {
            printer.warn(&format!("{path}: its items lead to {described} of {}", plural(pages, "page")));
        }
    }
}
