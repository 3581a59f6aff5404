//! `duramen site-repeats`: the text that each site of a crawl repeats, counted.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use rayon::prelude::*;

use super::hmt::HmtOptions;
use super::inputs::{self, Bounds, PageTime, Source};
use super::reading::Reading;
use super::repeat_options::{MIN_PAGES, MIN_SHARE, share, two_or_more};
use super::settings::{Setting, parameters_of};
use crate::cli::interrupt::stop_flag;
use crate::cli::outcome::Outcome;
use crate::cli::output::{Output, check_file};
use crate::cli::progress::Printer;
use crate::cli::remedy::with_options;
use crate::dataset::state_convention;
use crate::document;
use crate::error::{Error, PageProblem, Result};
use crate::extract::repeats::{PageBlocks, PagesRead, RepeatBounds, RepeatCounter, RepeatedBlock, Repeats};
use crate::extract::{ExtractError, hmt};
use crate::page::{self, Page};
use crate::page_work::on_page;
use crate::plural::plural;
use crate::progress::Progress;
use crate::report::{Cell, Table};
use crate::warc::WarcPage;

/// Pages handled at a time.
const BATCH: usize = 64;
/// The most rows of a table.
const ROWS: usize = 50;
/// The most characters of a text in a table.
const CHARACTERS: usize = 60;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen site-repeats crawl.warc.gz
  duramen site-repeats --jsonl -o repeats.jsonl *.warc.gz
  duramen site-repeats --input-dir pages --min-pages 10 --min-share 0.2
  duramen extract --drop-repeats repeats.jsonl --min-share 0.5 --output-format jsonl crawl.warc.gz

A block is a paragraph, heading, item of a list or cell, by its exact text with white space folded. A site is the
registered domain of a page's address, or of the address that the page states; pages without one
are one site. A page that is there twice, by its address or its text, counts once.

Written are all sites, and of each the blocks that are on at least so many of its pages: on how many,
how often the extractor kept them and how often not. The kept words of a site are those in repeated
blocks and those in others; the pages read are those counted, failed, empty and duplicates. The table
shows the sites with most repeated words and the blocks with most kept words; JSON lines have all,
and are what `extract --drop-repeats` reads.

What repeats is not always boilerplate: `duramen extract --help` says what dropping it costs.

Memory grows with the distinct blocks: some 80 bytes for each and 40 for each page. Of a crawl that
is too large for that, count the sites in several runs. Nothing is written before all is counted.

A page that fails is told and counted, the others go on, and the exit code is 1.")]
pub struct Options {
    /// Pages and web archives to read; `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Folder of pages, with the folders below
    #[arg(long, value_name = "DIR")]
    input_dir: Option<PathBuf>,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write JSON lines
    #[arg(long)]
    jsonl: bool,
    #[arg(long, value_name = "N", default_value_t = RepeatBounds::default().pages, value_parser = two_or_more, help = MIN_PAGES)]
    min_pages: u64,
    #[arg(long, value_name = "SHARE", default_value_t = RepeatBounds::default().share, value_parser = share, help = MIN_SHARE)]
    min_share: f64,
    /// Extractor, see `duramen extractors`
    #[arg(long, default_value = hmt::ID, value_name = "ID")]
    extractor: String,
    /// Parameter of the extractor, such as words=20; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    #[command(flatten)]
    time: PageTime,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    hmt: HmtOptions,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let mut counting = Counting::new(options, printer)?;
    let (archives, pages): (Vec<Source>, Vec<Source>) =
        options.sources(printer)?.into_iter().partition(Source::is_archive);
    if let Some(path) = &options.output {
        check_file(path)?;
        let is_read = |source: &Source| matches!(source, Source::File { path: read, .. } if read == path);
        if archives.iter().chain(&pages).any(is_read) {
            let what = format!("--output {}: this is read", path.display());
            return Err(Error::usage(what, "name another file"));
        }
    }
    counting.pages(&pages, printer)?;
    let mut all_read = true;
    for archive in &archives {
        all_read &= counting.archive(archive, printer)?;
    }
    printer.finish();
    let Counting { pages, counter, .. } = counting;
    let repeats = Repeats { pages, least: options.least(), sites: counter.finish() };
    let mut output = Output::new(options.output.as_deref())?;
    if options.jsonl {
        repeats.json_lines().try_for_each(|line| output.put(&line))?;
    } else {
        output.put(&shown(&repeats))?;
    }
    output.finish()?;
    let PagesRead { read, counted, failed, empty, duplicates } = repeats.pages;
    let blocks: usize = repeats.sites.iter().map(|site| site.blocks.len()).sum();
    printer.warn(&format!(
        "{}: {counted} counted, {failed} failed, {empty} empty, {}; {} on {}",
        plural(read, "page"),
        plural(duplicates, "duplicate"),
        plural(blocks, "repeated block"),
        plural(repeats.sites.iter().filter(|site| !site.blocks.is_empty()).count(), "site"),
    ));
    Ok(if all_read && failed == 0 { Outcome::Done } else { Outcome::SomeFailed })
}

impl Options {
    fn sources(&self, printer: &Printer) -> Result<Vec<Source>> {
        let mut sources: Vec<Source> = self.files.iter().map(|path| Source::file(path)).collect();
        if let Some(folder) = &self.input_dir {
            sources.extend(inputs::list_folder(folder, inputs::is_page_or_archive, printer)?);
        }
        match sources.is_empty() {
            true => Err(Error::usage("no page to count", "name files, web archives, or --input-dir DIR")),
            false => Ok(sources),
        }
    }

    fn least(&self) -> RepeatBounds {
        RepeatBounds { pages: self.min_pages, share: self.min_share }
    }
}

/// What is counted, and how pages are read for it.
struct Counting {
    asked: document::Options,
    bounds: Bounds,
    counter: RepeatCounter,
    pages: PagesRead,
}

impl Counting {
    fn new(options: &Options, printer: &Printer) -> Result<Self> {
        let mut settings = options.hmt.settings();
        for parameter in &options.parameters {
            settings.push(Setting::parse(parameter)?);
        }
        let id = options.extractor.as_str();
        let mut parameters = parameters_of(&[id], &settings, printer)?;
        let asked = document::Options::of_system(id, &state_convention(parameters.remove(0))?)?;
        let needs = match &asked.extractor {
            extractor if extractor.reads_whole_sites() => {
                Some("reads whole sites, and pages are read one by one")
            }
            extractor if !extractor.layout_engines().is_empty() => {
                Some("reads layouts, and no page is laid out here")
            }
            _ => None,
        };
        if let Some(why) = needs {
            return Err(Error::usage(format!("extractor {id} {why}"), "use another, such as hmt"));
        }
        let bounds = options.bounds.within(&options.time).keeping_source(asked.reads_source);
        let counter = RepeatCounter::new(options.least())?;
        Ok(Counting { asked, bounds, counter, pages: PagesRead::default() })
    }

    /// Counts the pages of files.
    fn pages(&mut self, sources: &[Source], printer: &Printer) -> Result<()> {
        if !sources.is_empty() {
            printer.stage("counting", sources.len());
        }
        for batch in sources.chunks(BATCH) {
            let look = |source: &Source| {
                let blocks = self.blocks(|| source.read(None, &self.bounds));
                printer.step();
                blocks
            };
            let looked: Vec<Result<PageBlocks, ExtractError>> = batch.par_iter().map(look).collect();
            for (source, blocks) in batch.iter().zip(looked) {
                if let Some(problem) = self.add(blocks, printer) {
                    printer.error(&format!("{}: {problem}", source.id()));
                }
            }
            if stop_flag().load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    }

    /// Counts the pages of an archive; whether all of it could be read.
    fn archive(&mut self, archive: &Source, printer: &Printer) -> Result<bool> {
        let path = match archive {
            Source::File { path, .. } => path,
            _ => Path::new("-"),
        };
        let Some(mut reading) = Reading::open(path, self.bounds.limits(), printer) else { return Ok(false) };
        printer.stage_of_bytes(&reading.name, Some(reading.bytes));
        loop {
            let look = |_: &str, page: WarcPage| {
                let WarcPage { record_id, url, charset, body, .. } = page;
                let blocks = self.blocks(|| {
                    let bytes = body.map_err(|problem| Error::page(&*record_id, problem))?;
                    let limits = self.bounds.limits();
                    let page = Page::parse(&*record_id, url, &bytes, charset.as_deref(), &limits)?;
                    Ok(match self.bounds.keep_source {
                        true => page.with_source(page::Source { bytes, http_charset: charset }),
                        false => page,
                    })
                });
                Ok((record_id, blocks))
            };
            let (looked, more) = reading.batch(look, printer)?;
            for (id, blocks) in looked {
                if let Some(problem) = self.add(blocks, printer) {
                    reading.counts.failed += 1;
                    printer.detail(&format!("{id}: {problem}"));
                }
            }
            if stop_flag().load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            if !more {
                break;
            }
        }
        printer.finish();
        Ok(reading.tell(printer))
    }

    /// The blocks of a page, with what the extractor keeps of them.
    fn blocks(&self, read: impl FnOnce() -> Result<Page>) -> Result<PageBlocks, ExtractError> {
        let blocks = || -> Result<PageBlocks, ExtractError> {
            let page = read()?;
            let extraction = self.asked.extractions(&[&page]).remove(0)?;
            Ok(PageBlocks::new(&page, &self.asked.selection.kept(&page, &extraction)?))
        };
        let blocks = on_page(self.bounds.limits().max_seconds, blocks);
        blocks.unwrap_or_else(|problem| Err(problem.into()))
    }

    /// Counts a page; why not, if it failed.
    fn add(&mut self, blocks: Result<PageBlocks, ExtractError>, printer: &Printer) -> Option<String> {
        self.pages.read += 1;
        let (of_status, status, problem) = match blocks {
            Err(ExtractError::Page(PageProblem::Empty)) => (&mut self.pages.empty, "empty", None),
            Ok(blocks) if blocks.is_empty() => (&mut self.pages.empty, "empty", None),
            Ok(blocks) => match self.counter.add(blocks) {
                true => (&mut self.pages.counted, "ok", None),
                false => (&mut self.pages.duplicates, "duplicate", None),
            },
            Err(ExtractError::Page(problem)) => {
                let told = with_options(&problem.to_string(), &problem.remedy());
                (&mut self.pages.failed, problem.status(), Some(told))
            }
            Err(missing) => (&mut self.pages.failed, "n/a", Some(missing.to_string())),
        };
        *of_status += 1;
        printer.status(status);
        problem
    }
}

/// What is shown to readers: the sites with most repeated words, and the blocks with most kept words.
fn shown(repeats: &Repeats) -> String {
    let mut sites: Vec<_> = repeats.sites.iter().filter(|site| !site.blocks.is_empty()).collect();
    sites.sort_by_key(|site| std::cmp::Reverse(site.repeated_words));
    let columns = ["site", "pages", "repeated blocks", "kept words", "in repeated blocks", "in others"];
    let mut of_sites = Table::new(title("Sites with repeated text", sites.len()), columns);
    for site in sites.iter().take(ROWS) {
        let counts =
            [site.pages, site.blocks.len() as u64, site.kept_words, site.repeated_words, site.other_words];
        of_sites.push(std::iter::once(Cell::text(&site.site)).chain(counts.map(Cell::Count)));
    }
    let mut blocks: Vec<(&str, &RepeatedBlock)> =
        sites.iter().flat_map(|site| site.blocks.iter().map(|block| (&*site.site, block))).collect();
    blocks.sort_by_key(|(_, block)| std::cmp::Reverse(block.words * block.kept));
    let columns = ["site", "text", "words", "pages", "of", "kept", "left out"];
    let mut of_blocks = Table::new(title("Repeated blocks", blocks.len()), columns);
    for (site, block) in blocks.iter().take(ROWS) {
        let counts = [block.words, block.pages, block.of, block.kept, block.left_out];
        of_blocks.push(
            [Cell::text(*site), Cell::text(start(&block.text))].into_iter().chain(counts.map(Cell::Count)),
        );
    }
    [of_sites, of_blocks].map(|table| format!("{}\n\n{}", table.title(), table.to_markdown())).join("\n")
}

fn title(what: &str, n: usize) -> String {
    match n > ROWS {
        true => format!("{what}: the first {ROWS} of {n}; JSON lines have all"),
        false => format!("{what}: {n}"),
    }
}

/// The start of a text.
fn start(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
