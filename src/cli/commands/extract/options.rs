//! The options of `duramen extract`.

use std::path::PathBuf;

use clap::Args;

use super::super::hmt::HmtOptions;
use super::super::inputs::{self, Bounds, Source};
use super::super::layouts::LayoutOptions;
use super::formats::Format;
use crate::error::{Error, Result};
use crate::extract::hmt;
use crate::label::Label;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen extract page.html
  curl -s https://example.org/ | duramen extract --markdown --links
  duramen extract --output-format jsonl --nodes page.html
  duramen extract --labels headline,full-text,comments page.html
  duramen extract --input-dir pages --output-dir texts --parallel 2
  duramen extract --input-dir site --extractor forest --feed site.xml --json
  duramen extract --xpath \"//div[@id='content']\" page.html

Extractors that compare the pages of a site (forest, coverage) read all pages first. A site is the
pages of one host, by the address that a page was loaded from, that --page-url gives or that the
page states; pages without an address that are given together are one site.

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
    pub(super) output_dir: Option<PathBuf>,
    /// With --output-dir: leave pages alone whose output is there
    #[arg(long, requires = "output_dir")]
    pub(super) skip_existing: bool,
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
    pub(super) nodes: bool,
    /// Begin text and Markdown with title, author, date, language, site and address
    #[arg(long)]
    pub(super) with_metadata: bool,
    /// Labels to keep: headline, full-text, supplemental, related-content, comments, not-content
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "headline,full-text,supplemental",
        value_name = "LABELS"
    )]
    pub(super) labels: Vec<Label>,
    /// Keep text whose probability of the kept labels is at least this, whatever its own label
    #[arg(long, value_name = "P", value_parser = probability)]
    pub(super) threshold: Option<f64>,
    /// Withhold the text of pages whose expected F1 is below this; their status is `unsure`
    #[arg(long, value_name = "F1", value_parser = probability)]
    pub(super) min_confidence: Option<f64>,
    /// Write links, in Markdown and HTML
    #[arg(long)]
    pub(super) links: bool,
    /// Write images, in Markdown and HTML
    #[arg(long)]
    pub(super) images: bool,
    /// Write the cells of tables as paragraphs
    #[arg(long)]
    pub(super) no_tables: bool,
    /// Extractor, see `duramen extractors`
    #[arg(long, default_value = hmt::ID, value_name = "ID")]
    pub(super) extractor: String,
    /// Parameter of the extractor, such as words=20; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(super) parameters: Vec<String>,
    /// Adapt the model to each site among the pages, by what its pages agree on
    #[arg(long, conflicts_with_all = ["extractor", "parameters", "xpath"])]
    pub(super) adapt: bool,
    /// Keep what this XPath 1.0 selects, such as a wrapper that forest found; the same as --extractor xpath
    #[arg(long, value_name = "EXPR", conflicts_with_all = ["extractor", "parameters", "model"])]
    pub(super) xpath: Option<String>,
    /// RSS or Atom file whose items describe the pages, for forest, coverage, sigfeed and description
    #[arg(long, value_name = "FILE")]
    pub(super) feed: Option<PathBuf>,
    /// Address of the page, where it is read from a file
    #[arg(long, value_name = "URL")]
    pub(super) page_url: Option<String>,
    #[command(flatten)]
    pub(super) bounds: Bounds,
    #[command(flatten)]
    pub(super) hmt: HmtOptions,
    #[command(flatten)]
    pub(super) layout: LayoutOptions,
}

fn probability(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err("a probability from 0 to 1".to_owned()),
    }
}

impl Options {
    /// The format that was asked for, by whichever option.
    pub(super) fn format(&self) -> Format {
        if self.json {
            Format::Json
        } else if self.markdown {
            Format::Markdown
        } else {
            self.output_format
        }
    }

    /// The pages that were named.
    ///
    /// # Errors
    /// [`Error::Usage`] if there are none.
    pub(super) fn sources(&self) -> Result<Vec<Source>> {
        let mut sources: Vec<Source> = self.files.iter().map(|path| Source::file(path)).collect();
        sources.extend(self.urls.iter().cloned().map(Source::Url));
        if let Some(list) = &self.input_file {
            sources.extend(inputs::read_list(list)?);
        }
        if let Some(folder) = &self.input_dir {
            sources.extend(inputs::list_folder(folder)?);
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
}
