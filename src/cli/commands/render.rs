//! `duramen render`: the box and the computed style of every element of a page, and its picture.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use super::inputs::{self, Bounds, Source};
use super::layouts::CorpusOptions;
use super::web_page::WebOptions;
#[cfg(feature = "chromium")]
use super::web_page::check_address;
#[cfg(feature = "chromium")]
use crate::cli::config_file::is_from_file;
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print, write};
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::dataset;
use crate::dom::xpath::XPaths;
use crate::dom::{Limits, NodeKind};
use crate::error::{Error, Result};
use crate::files::write_whole;
use crate::index::NodeId;
#[cfg(feature = "chromium")]
use crate::layout::chromium::LoadConfig;
use crate::layout::{ENGINES, Engines, Layout, LayoutEngine, PROPERTIES, Picture};
use crate::page::{self, Page};
use crate::plural::plural;
use crate::progress::Progress;
use crate::report::boxes::with_boxes;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen render page.html                                     a JSON line for each element
  duramen render page.html --layout chromium --screenshot page.png
  duramen render --input-dir pages --output-dir layouts        a file for each page
  duramen render --dataset l3s-gn1                             lay out a corpus once, for runs to come

A line has the node's id, its XPath and tag, the border box x, y, width, height in pixels from the top
left corner of a page 1366 pixels wide (null where nothing is rendered), and the computed styles. blitz
needs nothing installed. chromium runs a browser with scripts off and without network. With
--layout-cache, or --dataset, pages that were laid out before are not laid out again, so that work that
was interrupted goes on.")]
pub struct Options {
    /// Page to lay out; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["url", "input_dir", "dataset"],
          conflicts_with_all = ["url", "input_dir", "dataset"])]
    file: Option<PathBuf>,
    /// Page on the web
    ///
    /// With the engine chromium its scripts run, and what they made of it is laid out.
    #[arg(short = 'u', long = "URL", value_name = "URL", alias = "url", conflicts_with_all = ["input_dir", "dataset"])]
    url: Option<String>,
    /// Folder of pages, with the folders below
    #[arg(long, short_alias = 'i', value_name = "DIR", requires = "output_dir", conflicts_with = "dataset")]
    input_dir: Option<PathBuf>,
    /// Corpus: a name such as l3s-gn1, wcxb/dev or synth, a manifest, or a folder of pages with their references
    ///
    /// Its layouts are kept; how many is all that is printed.
    #[arg(long, value_name = "NAME|FILE|FOLDER")]
    dataset: Option<String>,
    /// Layout engine: blitz or chromium
    #[arg(long, value_name = "ENGINE", default_value = "blitz", value_parser = ENGINES, hide_possible_values = true,
          alias = "engine", short_alias = 'e')]
    layout: String,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["input_dir", "dataset"])]
    output: Option<PathBuf>,
    /// Folder to write into
    ///
    /// A file of JSON lines for each page of --input-dir.
    #[arg(short = 'd', long, value_name = "DIR", requires = "input_dir")]
    output_dir: Option<PathBuf>,
    /// PNG file for a picture of the page with the boxes of its elements
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input_dir", "dataset"])]
    screenshot: Option<PathBuf>,
    /// HTML file for the page as its scripts left it, with --URL and the engine chromium
    // `--html` was its name; elsewhere that asks for a format.
    #[arg(long, value_name = "FILE", requires = "url", alias = "html")]
    page_html: Option<PathBuf>,
    #[command(flatten)]
    web: WebOptions,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    corpora: CorpusOptions,
}

/// One element, a line of JSON.
#[derive(Serialize)]
struct Element<'a> {
    node: u32,
    xpath: String,
    tag: &'a str,
    x: Option<f32>,
    y: Option<f32>,
    width: Option<f32>,
    height: Option<f32>,
    styles: Option<Map<String, Value>>,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    options.output_dir.as_deref().map_or(Ok(()), check_folder)?;
    if let Some(name) = &options.dataset {
        options.bounds.loading(&options.web, &[])?;
        let engine = options.corpora.engines()?.open(&options.layout)?;
        return render_corpus(name, &options.corpora.data.path()?, &*engine, printer);
    }
    let engines = options.corpora.engines.engines();
    if let (Some(url), "chromium") = (&options.url, &*options.layout) {
        return render_address(url, options, &engines, printer);
    }
    if options.page_html.is_some() {
        return Err(Error::usage(
            "--page-html without a browser",
            "add --layout chromium, whose pages run their scripts",
        ));
    }
    let engine = engines.open(&options.layout)?;
    let bounds = options.bounds.keeping_source(true);
    match (&options.input_dir, &options.output_dir) {
        (Some(input), Some(output)) => {
            render_folder(input, output, &*engine, &bounds.loading(&options.web, &[])?, printer)
        }
        _ => render_page(options, &*engine, &bounds),
    }
}

/// Says that there is no browser.
#[cfg(not(feature = "chromium"))]
fn render_address(_url: &str, _options: &Options, engines: &Engines, _printer: &Printer) -> Result<Outcome> {
    engines.open("chromium").map(|_| Outcome::Done)
}

/// Loads a page in a browser and lays out what its scripts made of it.
#[cfg(feature = "chromium")]
fn render_address(url: &str, options: &Options, engines: &Engines, printer: &Printer) -> Result<Outcome> {
    if options.web.agent.user_agent.is_some() && !is_from_file("user-agent") {
        return Err(Error::usage("--user-agent has no effect: the browser loads the page", "leave it out"));
    }
    if let Some(seconds) = options.web.timeout.filter(|_| !is_from_file("timeout")) {
        return Err(Error::usage(
            format!("--timeout {seconds} has no effect: the browser loads the page"),
            "bound loading and layout together by --layout-timeout SECONDS",
        ));
    }
    let config = LoadConfig { timeout: engines.timeout, ..LoadConfig::default() };
    let named = |problem| Error::page(url, problem);
    check_address(url, &options.web)?;
    let loaded = engines.chromium()?.load(url, &config).map_err(named)?;
    // Of a page that leads to another nothing is given out either.
    check_address(&loaded.url, &options.web)?;
    if let Some(status) = loaded.status.filter(|status| *status >= 400) {
        printer
            .warn(&format!("{url}: the server answered with status {status}; this is the page that it sent"));
    }
    let limits = options.bounds.limits();
    let page = Page::parse(url, Some(loaded.url.clone()), loaded.html.as_bytes(), Some("utf-8"), &limits)?;
    let layout = loaded.layout(page.dom()).map_err(named)?;
    if let Some(path) = &options.screenshot {
        write_whole(path, &with_boxes(&loaded.png, page.dom(), &layout)?)?;
    }
    if let Some(path) = &options.page_html {
        write_whole(path, loaded.html.as_bytes())?;
    }
    write(options.output.as_deref(), &lines(&page, &layout))?;
    Ok(Outcome::Done)
}

fn render_page(options: &Options, engine: &dyn LayoutEngine, bounds: &Bounds) -> Result<Outcome> {
    let source = Source::one(options.file.as_deref(), options.url.as_deref());
    let bounds = bounds.loading(&options.web, std::slice::from_ref(&source))?;
    let page = source.read(None, &bounds)?;
    let named = |problem| Error::page(page.id(), problem);
    let layout = match &options.screenshot {
        None => engine.layout(&page.layout_input()).map_err(named)?,
        Some(path) => {
            let Picture { layout, png } = engine.picture(&page.layout_input()).map_err(named)?;
            write_whole(path, &with_boxes(&png, page.dom(), &layout)?)?;
            layout
        }
    };
    write(options.output.as_deref(), &lines(&page, &layout))?;
    Ok(Outcome::Done)
}

/// Lays out the pages of a folder; a page that fails is reported and does not stop the others.
fn render_folder(
    input: &Path,
    output: &Path,
    engine: &dyn LayoutEngine,
    bounds: &Bounds,
    printer: &Printer,
) -> Result<Outcome> {
    let sources = inputs::list_folder(input, inputs::is_page, printer)?;
    let failed = each(sources.len(), printer, |index| {
        let source = &sources[index];
        let page = source.read(None, bounds)?;
        let layout =
            engine.layout(&page.layout_input()).map_err(|problem| Error::page(page.id(), problem))?;
        write_whole(&output.join(source.output_name("jsonl")), lines(&page, &layout).as_bytes())
    });
    printer.warn(&format!("{} laid out, {failed} failed", plural(sources.len() - failed, "page")));
    Ok(outcome(failed))
}

/// Lays out the pages of a corpus, for the engine to keep.
fn render_corpus(
    name: &str,
    data_dir: &Path,
    engine: &dyn LayoutEngine,
    printer: &Printer,
) -> Result<Outcome> {
    let corpus = dataset::open(name, data_dir)?;
    let failed = each(corpus.len(), printer, |index| {
        let document = corpus.read(index)?;
        let page = Page::parse(document.id, document.url, &document.html, None, &Limits::default())?
            .with_source(page::Source { bytes: document.html, http_charset: None });
        engine.layout(&page.layout_input()).map_err(|problem| Error::page(page.id(), problem)).map(|_| ())
    });
    let pages = plural(corpus.len() - failed, "page");
    print(&format!("{pages} laid out by {}, {failed} failed\n", engine.id()))?;
    Ok(outcome(failed))
}

/// Does `work` for each of `pages` pages in parallel, tells of those that fail, and gives their number.
fn each(pages: usize, printer: &Printer, work: impl Fn(usize) -> Result<()> + Sync) -> usize {
    printer.stage("laying out", pages);
    let done: Vec<Result<()>> = (0..pages)
        .into_par_iter()
        .map(|index| {
            let done = work(index);
            printer.step();
            done
        })
        .collect();
    printer.finish();
    let failed = done.into_iter().filter_map(Result::err);
    failed.inspect(|error| printer.error(&told(error))).count()
}

fn outcome(failed: usize) -> Outcome {
    if failed == 0 { Outcome::Done } else { Outcome::SomeFailed }
}

/// A line for each element of a page.
fn lines(page: &Page, layout: &Layout) -> String {
    let dom = page.dom();
    let paths = XPaths::new(dom);
    let mut lines = Vec::new();
    for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element) {
        let rect = layout.rect(id);
        let element = Element {
            node: id.0,
            xpath: paths.of(id),
            tag: dom.name(id),
            x: rect.map(|rect| rect.x),
            y: rect.map(|rect| rect.y),
            width: rect.map(|rect| rect.width),
            height: rect.map(|rect| rect.height),
            styles: styles(layout, id),
        };
        serde_json::to_writer(&mut lines, &element).expect("a vector takes all that is written");
        lines.write_all(b"\n").expect("a vector takes all that is written");
    }
    String::from_utf8(lines).expect("JSON is UTF-8")
}

fn styles(layout: &Layout, id: NodeId) -> Option<Map<String, Value>> {
    let values = layout.style_values(layout.style_number(id)?);
    Some(PROPERTIES.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value.into())).collect())
}
