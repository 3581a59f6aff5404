//! `duramen explain`: one HTML page that shows why each block was kept or removed.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::Args;

use super::hmt::HmtOptions;
use super::inputs::{Bounds, Source};
use super::layouts::LayoutOptions;
use super::web_page::WebOptions;
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_file, write};
use crate::cli::progress::Printer;
use crate::error::{Error, Result};
use crate::extract::PageExtractor;
use crate::label::LabelSet;
use crate::layout::Picture;
use crate::report::explain::{ExplainOptions, PagePicture, explain_html};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen explain page.html -o why.html
  duramen explain --URL https://example.org/ -o why.html
  duramen explain page.html --layout blitz -o why.html     with the page's picture

Open the file in a browser: every block is colored by label and probability, removed text is dimmed,
and a click shows what each feature, the parent and the siblings contributed. The tab Result shows what is written.")]
pub struct Options {
    /// Page to read; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "url", conflicts_with = "url")]
    file: Option<PathBuf>,
    /// Page on the web
    #[arg(short = 'u', long = "URL", value_name = "URL", alias = "url")]
    url: Option<String>,
    /// File to write [default: standard output, unless that is a terminal]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    web: WebOptions,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    hmt: HmtOptions,
    #[command(flatten)]
    layout: LayoutOptions,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    options.output.as_deref().map_or(Ok(()), check_file)?;
    if options.output.is_none() && std::io::stdout().is_terminal() {
        return Err(Error::usage(
            "the explanation is HTML, and this is a terminal",
            "name a file by --output",
        ));
    }
    let source = Source::one(options.file.as_deref(), options.url.as_deref());
    let bounds = options.bounds.loading(&options.web, std::slice::from_ref(&source))?;
    // An engine draws the page's picture, whether the model reads its layouts or not.
    let mut hmt = options.hmt.build(None, printer)?;
    if hmt.model().config().layout.is_some() && options.layout.layout.is_some() {
        hmt = options.hmt.build(options.layout.setting(), printer)?;
    }
    if hmt.model().layers().site.is_some() {
        printer.warn("the reasons shown are the general model's; labels and probabilities also include what was learned from the site");
    }
    // At most one: a model reads the engine that is asked for.
    let mut engines = hmt.layout_engines();
    engines.extend(options.layout.layout.as_deref());
    let engine = options.layout.open(&engines)?.pop();
    let bounds = bounds.keeping_source(engine.is_some());
    let mut page = source.read(None, &bounds)?;
    let mut picture = None;
    if let Some(engine) = &engine {
        let failed = |problem| Error::page(page.id(), problem);
        picture = Some(engine.picture(&page.layout_input()).map_err(failed)?);
        // What is drawn has drawings of another size than what models read.
        let layout = engine.layout(&page.layout_input()).map_err(failed)?;
        page = page.with_layout(layout);
    }
    let extraction = hmt.extract_page(&page).map_err(|error| error.on(&page))?;
    let keep = LabelSet::ARTICLE;
    let picture = picture.as_ref().map(|Picture { layout, png }| PagePicture { layout, png });
    let options_of_page = ExplainOptions { keep, picture, ..ExplainOptions::default() };
    let html = explain_html(&page, &hmt, &extraction, &options_of_page);
    write(options.output.as_deref(), &html)?;
    if let Some(path) = &options.output {
        printer.warn(&format!("{}: open it in a browser", path.display()));
    }
    Ok(Outcome::Done)
}
