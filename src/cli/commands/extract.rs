//! `duramen extract`: pages in, content out.

mod formats;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;
use rayon::prelude::*;

use super::super::Outcome;
use super::super::interrupt::stop_flag;
use super::super::output::print;
use super::super::progress::Printer;
use super::hmt::HmtOptions;
use super::inputs::{self, Bounds, Source};
use crate::error::{Error, PageProblem, Result};
use crate::extract::hmt;
use crate::extract::render::{RenderOptions, RenderedPage, Selection, node_records};
use crate::extract::{ExtractError, Extractor, registry};
use crate::files::write_whole;
use crate::label::{Label, LabelSet};
use formats::{Format, Record, csv, csv_header};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen extract page.html
  curl -s https://example.org/ | duramen extract --markdown --links
  duramen extract --output-format jsonl --nodes page.html
  duramen extract --labels headline,full-text,comments page.html
  duramen extract --input-dir pages --output-dir texts --parallel 2

A page that fails is a line on standard error and a row with its status (empty, too-large, timeout,
error, n/a) in JSON and CSV and in OUTPUT-DIR/pages.csv; the others go on, and the exit code is 1.")]
pub struct Options {
    /// Pages to read; `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Page on the web to load and extract; may be given several times
    #[arg(short = 'u', long = "URL", value_name = "URL", visible_alias = "url")]
    urls: Vec<String>,
    /// File with an address a line
    #[arg(short, long, value_name = "FILE")]
    input_file: Option<PathBuf>,
    /// Folder of pages, with the folders below
    #[arg(long, value_name = "DIR")]
    input_dir: Option<PathBuf>,
    /// Folder to write an output a page into, and pages.csv with the status of each
    #[arg(short, long, value_name = "DIR")]
    output_dir: Option<PathBuf>,
    /// With --output-dir: leave pages alone whose output is there
    #[arg(long, requires = "output_dir")]
    skip_existing: bool,
    /// Format
    #[arg(long, value_enum, default_value = "txt")]
    output_format: Format,
    /// The same as --output-format json
    #[arg(long, conflicts_with_all = ["output_format", "markdown"])]
    json: bool,
    /// The same as --output-format markdown
    #[arg(long, conflicts_with = "output_format")]
    markdown: bool,
    /// With json, jsonl or csv: every text node with XPath, label and probabilities
    #[arg(long)]
    nodes: bool,
    /// Begin text and Markdown with title, author, date, language, site and address
    #[arg(long)]
    with_metadata: bool,
    /// Labels to keep: headline, full-text, supplemental, related-content, comments, not-content
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "headline,full-text,supplemental",
        value_name = "LABELS"
    )]
    labels: Vec<Label>,
    /// Keep text whose probability of the kept labels is at least this, whatever its own label
    #[arg(long, value_name = "P", value_parser = probability)]
    threshold: Option<f64>,
    /// Write links, in Markdown and HTML
    #[arg(long)]
    links: bool,
    /// Write images, in Markdown and HTML
    #[arg(long)]
    images: bool,
    /// Write the cells of tables as paragraphs
    #[arg(long)]
    no_tables: bool,
    /// Extractor, see `duramen extractors`
    #[arg(long, default_value = hmt::ID, value_name = "ID")]
    extractor: String,
    /// Parameter of the extractor, such as words=20; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// Address of the page, where it is read from a file
    #[arg(long, value_name = "URL")]
    page_url: Option<String>,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    hmt: HmtOptions,
}

fn probability(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err("a probability from 0 to 1".to_owned()),
    }
}

/// The file with the status of every page.
const STATUSES: &str = "pages.csv";

/// Pages handled at a time: enough for every thread, few enough for memory.
const BATCH: usize = 64;

/// One page's output.
struct Done {
    id: String,
    /// Where its output goes below the output folder.
    name: PathBuf,
    record: Record,
    /// The text in the format asked for.
    body: String,
    skipped: bool,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let format = if options.json {
        Format::Json
    } else if options.markdown {
        Format::Markdown
    } else {
        options.output_format
    };
    if options.nodes && !matches!(format, Format::Json | Format::Jsonl | Format::Csv) {
        return Err(Error::usage(
            "--nodes goes with JSON, JSON lines or CSV",
            "add --output-format jsonl, json or csv",
        ));
    }
    let sources = sources(options)?;
    if sources.len() > 1 && format == Format::Html && options.output_dir.is_none() {
        return Err(Error::usage("several pages cannot be one HTML document", "add --output-dir DIR"));
    }
    let extractor = build_extractor(&options.extractor, &options.parameters, &options.hmt)?;
    let job = Job { options, format, extractor: &*extractor, many: sources.len() > 1 };
    let names = output_names(&sources, format.extension());
    job.run(&sources.into_iter().zip(names).collect::<Vec<_>>(), printer)
}

/// Where the output of each source goes below the output folder. Of sources with one name (`a/page.html` and
/// `b/page.html`, `page.html` and `page.htm`) the second is numbered, `page-2.txt`, and so on: none overwrites
/// another, nor the table of statuses.
fn output_names(sources: &[Source], extension: &str) -> Vec<PathBuf> {
    let mut taken = HashSet::from([PathBuf::from(STATUSES)]);
    let mut numbers: HashMap<PathBuf, u32> = HashMap::new();
    let free = |source: &Source| {
        let first = source.output_name(extension);
        let stem = first.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let number = numbers.entry(first.clone()).or_insert(1);
        let mut name = first.clone();
        while !taken.insert(name.clone()) {
            *number += 1;
            name = first.with_file_name(format!("{stem}-{number}.{extension}"));
        }
        name
    };
    sources.iter().map(free).collect()
}

fn sources(options: &Options) -> Result<Vec<Source>> {
    let mut sources: Vec<Source> = options.files.iter().map(|path| Source::file(path)).collect();
    sources.extend(options.urls.iter().cloned().map(Source::Url));
    if let Some(list) = &options.input_file {
        sources.extend(inputs::of_list(list)?);
    }
    if let Some(folder) = &options.input_dir {
        sources.extend(inputs::of_folder(folder)?);
    }
    if sources.is_empty() && inputs::stdin_is_piped() {
        sources.push(Source::Stdin);
    }
    if sources.is_empty() {
        return Err(Error::usage(
            "no page to extract",
            "name files, --input-dir DIR or --URL URL, or pipe a page in; see `duramen extract --help`",
        ));
    }
    Ok(sources)
}

/// The extractor by its id: the hidden Markov tree by its own options, any other by `--set`.
///
/// # Errors
/// [`Error::Usage`] for unknown names, as [`registry::build`].
pub fn build_extractor(id: &str, parameters: &[String], hmt: &HmtOptions) -> Result<Box<dyn Extractor>> {
    let mut table = registry::Parameters::new();
    for parameter in parameters {
        let Some((name, value)) = parameter.split_once('=') else {
            return Err(Error::usage(
                format!("--set {parameter}"),
                "write NAME=VALUE, such as --set words=20",
            ));
        };
        // A value that is no number or truth value is a word.
        let value = toml::from_str::<toml::Table>(&format!("value = {value}"))
            .ok()
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| toml::Value::String(value.to_owned()));
        table.insert(name.trim().to_owned(), value);
    }
    if id == hmt::ID && table.is_empty() {
        return Ok(Box::new(hmt.build()?));
    }
    if hmt.model.is_some() && id != hmt::ID {
        return Err(Error::usage(
            format!("--model goes with the extractor {} and not with {id}", hmt::ID),
            "leave --model or --extractor out",
        ));
    }
    registry::build(id, &table)
}

struct Job<'a> {
    options: &'a Options,
    format: Format,
    extractor: &'a dyn Extractor,
    many: bool,
}

impl Job<'_> {
    fn run(&self, sources: &[(Source, PathBuf)], printer: &Printer) -> Result<Outcome> {
        let (mut done, mut failed, mut skipped) = (0usize, 0usize, 0usize);
        let mut statuses = Vec::new();
        if self.many {
            printer.steps("extracting", sources.len() as u64);
        }
        if self.options.output_dir.is_none() {
            self.begin()?;
        }
        for batch in sources.chunks(BATCH) {
            let pages: Vec<Result<Done>> = batch
                .par_iter()
                .map(|(source, name)| {
                    let page = self.page(source, name.clone());
                    printer.tick();
                    page
                })
                .collect();
            for page in pages {
                let page = page?;
                if page.record.page.status != "ok" && !page.skipped {
                    failed += 1;
                    let problem = page.record.page.problem.as_deref().unwrap_or(page.record.page.status);
                    printer.error(&format!("{}: {problem}", page.id));
                }
                skipped += usize::from(page.skipped);
                match &self.options.output_dir {
                    Some(_) => statuses.push(self.status_row(&page)),
                    None => self.write(&page, done == 0)?,
                }
                done += 1;
            }
            if stop_flag().load(Ordering::Relaxed) {
                break;
            }
        }
        printer.finish();
        match &self.options.output_dir {
            Some(folder) => {
                let header = ["page", "status", "problem", "output", "words_kept"].map(str::to_owned);
                let text = csv(std::iter::once(header.to_vec()).chain(statuses))?;
                write_whole(&folder.join(STATUSES), text.as_bytes())?;
                printer.warn(&format!(
                    "{done} pages, {} written, {skipped} skipped, {failed} failed; {}",
                    done - failed - skipped,
                    folder.join(STATUSES).display()
                ));
            }
            None => self.end()?,
        }
        if done < sources.len() {
            return Err(Error::Interrupted);
        }
        Ok(if failed == 0 { Outcome::Done } else { Outcome::SomeFailed })
    }

    /// Extracts one page, and writes its output if there is a folder for it. Only what would fail for every page
    /// is an error.
    fn page(&self, source: &Source, name: PathBuf) -> Result<Done> {
        if self.options.skip_existing
            && let Some(folder) = &self.options.output_dir
            && folder.join(&name).exists()
        {
            let page = RenderedPage::failed(source.id(), None, &ExtractError::Page(PageProblem::Empty));
            let record = Record { page, nodes: None };
            return Ok(Done { id: source.id(), name, record, body: String::new(), skipped: true });
        }
        let page = match source.read(self.options.page_url.as_deref(), &self.options.bounds) {
            Ok(page) => page,
            Err(Error::Page { problem, .. }) => return Ok(self.failure(source, name, &problem.into())),
            Err(other) => return Err(other),
        };
        let extraction = match self.extractor.extract_site(&[&page]).pop() {
            Some(Ok(extraction)) => extraction,
            Some(Err(error)) => return Ok(self.failure(source, name, &error)),
            None => {
                let problem = PageProblem::Failed("the extractor gave no result".to_owned());
                return Ok(self.failure(source, name, &problem.into()));
            }
        };
        let options = self.options;
        let selection = Selection {
            labels: options.labels.iter().copied().collect::<LabelSet>(),
            threshold: options.threshold,
        };
        let render =
            RenderOptions { links: options.links, images: options.images, tables: !options.no_tables };
        let kept = selection.kept(&page, &extraction)?;
        let record = Record {
            page: RenderedPage::new(&page, &extraction, &selection, &kept, &render),
            nodes: options.nodes.then(|| node_records(&page, &extraction, &kept)),
        };
        let mut body = self.format.body(&record, &page, &kept, &render, options.with_metadata)?;
        if let Some(folder) = &options.output_dir
            && record.page.status == "ok"
        {
            let mut text = std::mem::take(&mut body);
            if self.format == Format::Csv {
                text = csv(std::iter::once(csv_header(options.nodes)))? + &text;
            }
            write_whole(&folder.join(&name), text.as_bytes())?;
        }
        Ok(Done { id: source.id(), name, record, body, skipped: false })
    }

    fn failure(&self, source: &Source, name: PathBuf, error: &ExtractError) -> Done {
        let url = match source {
            Source::Url(url) => Some(url.clone()),
            _ => self.options.page_url.clone(),
        };
        let page = RenderedPage::failed(source.id(), url, error);
        let record = Record { page, nodes: self.options.nodes.then(Vec::new) };
        let body = self.format.data(&record).unwrap_or_default();
        Done { id: source.id(), name, record, body, skipped: false }
    }

    fn status_row(&self, page: &Done) -> Vec<String> {
        let status = if page.skipped { "skipped" } else { page.record.page.status };
        let is_written = status == "ok" || status == "skipped";
        let words = if page.skipped {
            String::new()
        } else {
            crate::tokens::count(&page.record.page.text).to_string()
        };
        vec![
            page.id.clone(),
            status.to_owned(),
            if page.skipped { String::new() } else { page.record.page.problem.clone().unwrap_or_default() },
            if is_written { page.name.display().to_string() } else { String::new() },
            words,
        ]
    }

    /// What stands before all pages on standard output.
    fn begin(&self) -> Result<()> {
        match self.format {
            Format::Json if self.many => print("[\n"),
            Format::Csv => print(&csv(std::iter::once(csv_header(self.options.nodes)))?),
            _ => Ok(()),
        }
    }

    /// One page on standard output.
    fn write(&self, page: &Done, first: bool) -> Result<()> {
        match self.format {
            Format::Txt | Format::Markdown if self.many => {
                let gap = if first { "" } else { "\n" };
                print(&format!("{gap}==> {} <==\n{}", page.id, page.body))
            }
            Format::Json if self.many => {
                let comma = if first { "" } else { ",\n" };
                print(&format!("{comma}{}", page.body.trim_end()))
            }
            _ => print(&page.body),
        }
    }

    /// What stands after all pages.
    fn end(&self) -> Result<()> {
        if self.format == Format::Json && self.many { print("\n]\n") } else { Ok(()) }
    }
}
