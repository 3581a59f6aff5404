//! The options of `duramen extract`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sha2::{Digest, Sha256};

use super::formats::{Format, FormatOptions, Tables};
use super::wanted::WantedOptions;
use crate::cli::commands::hmt::HmtOptions;
use crate::cli::commands::inputs::{self, Bounds, PageTime, Source};
use crate::cli::commands::layouts::LayoutOptions;
use crate::cli::commands::repeat_options::DropOptions;
use crate::cli::commands::settings::Setting;
use crate::cli::commands::web_page::WebOptions;
use crate::cli::progress::Printer;
use crate::dom::digest::hex;
use crate::error::{Error, Result};
use crate::extract::render::Selection;
use crate::extract::{Extractor, hmt, xpath};
use crate::label::Label;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  duramen extract page.html
  duramen extract page.html -o page.txt
  curl -s https://example.org/ | duramen extract --markdown --links
  duramen extract --output-format jsonl --nodes page.html
  duramen extract --labels headline,full-text,comments page.html
  duramen extract --input-dir pages --output-dir texts --threads 2
  duramen extract --input-dir site --extractor sigfeed --feed site.xml --json
  duramen extract --xpath \"//div[@id='content']\" page.html
  duramen extract --output-format parquet -o crawl.parquet crawl.warc.gz
  duramen extract --output-format jsonl -d crawls --skip-existing *.warc.gz

Web archives (.warc, .warc.gz, .warc.zst, also on standard input) give a row for each page in them:
answers with HTML and a status of success. Other records are counted by what they are. Where an
archive is damaged or cut the position is reported, and reading continues after it; an archive that
cannot be opened is reported too. The others go on, and the exit code is 1. With --output-dir each
archive has a folder of parts; with --skip-existing an interrupted run continues after the last
part; no record is lost or duplicated.

Extractors that compare the pages of a site (forest, coverage) read all pages first. A site is the
pages of one host, by the address that a page was loaded from, that --page-url gives or that the
page states; pages without an address that are given together are one site.

A page that fails is a line on standard error and a row with its status (empty, too-large, timeout,
error, n/a) in JSON and CSV and in OUTPUT-DIR/pages.csv; the others go on, and the exit code is 1.")]
pub struct Options {
    /// Pages to read; `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Page on the web
    ///
    /// May be given several times.
    #[arg(short = 'u', long = "URL", value_name = "URL", alias = "url")]
    urls: Vec<String>,
    /// File with one URL per line
    #[arg(short, long, value_name = "FILE")]
    input_file: Option<PathBuf>,
    /// Folder of pages, with the folders below
    #[arg(long, value_name = "DIR")]
    input_dir: Option<PathBuf>,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE", conflicts_with = "output_dir")]
    pub(super) output: Option<PathBuf>,
    /// Folder to write into
    ///
    /// One file per page, and pages.csv with the status of each.
    #[arg(short = 'd', long, value_name = "DIR")]
    pub(super) output_dir: Option<PathBuf>,
    /// With --output-dir: leave pages alone whose output is there
    #[arg(long, requires = "output_dir")]
    pub(super) skip_existing: bool,
    /// Pages of a part, or a few more, where a web archive is extracted into parts (--output-dir) [default: 10000]
    #[arg(long, value_name = "N", value_parser = inputs::at_least_one)]
    part_pages: Option<usize>,
    #[command(flatten)]
    format: FormatOptions,
    /// With json, jsonl or csv: every text node with XPath, label and probabilities
    #[arg(long)]
    pub(super) nodes: bool,
    /// With json or jsonl: the kept content as a tree of blocks (headings, lists, tables, code), as `structure`
    ///
    /// Includes links and images with --links and --images.
    #[arg(long)]
    pub(super) structure: bool,
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
    labels: Vec<Label>,
    /// Keep readers' comments as well
    ///
    /// The same as --labels headline,full-text,supplemental,comments, and not to be given with --labels. In JSON they are also in
    /// `comments`. On a forum readers' posts are the text anyway.
    #[arg(long, conflicts_with = "labels")]
    comments: bool,
    /// Leave readers' comments out, the default; not to be given with --labels
    #[arg(long, conflicts_with_all = ["labels", "comments"])]
    no_comments: bool,
    /// Keep text whose probability of the kept labels is at least this, whatever its own label
    #[arg(long, value_name = "P", value_parser = probability)]
    pub(super) threshold: Option<f64>,
    /// Keep text that the page hides from its readers too
    ///
    /// By default text is left out that is not displayed, not visible, without size, outside the page or of the colour of its background, by
    /// the attributes of elements, or by the layout with --layout. JSON counts its words as `hidden_words`.
    #[arg(long)]
    hidden: bool,
    /// Withhold the text of pages whose expected F1 is below this; their status is `unsure`
    #[arg(long, value_name = "F1", value_parser = probability)]
    pub(super) min_confidence: Option<f64>,
    #[command(flatten)]
    pub(super) wanted: WantedOptions,
    #[command(flatten)]
    pub(super) repeats: DropOptions,
    /// Keep at most so many tokens of a page: the most probable blocks, in page order
    ///
    /// A token is a word. What belongs together (code, a table, a quotation) is kept whole or not at all, and a heading only with something
    /// below it. The headline comes first.
    #[arg(long, value_name = "N", value_parser = inputs::at_least_one)]
    pub(super) max_tokens: Option<usize>,
    /// Write links, in Markdown, HTML and XML
    #[arg(long)]
    pub(super) links: bool,
    /// Write images, in Markdown, HTML, XML and JSON
    #[arg(long)]
    pub(super) images: bool,
    /// Model of images, made by `duramen model images` [default: the one in the program]
    #[arg(long, value_name = "FILE", requires = "images")]
    pub(super) image_model: Option<PathBuf>,
    /// How data tables are written in Markdown [default: gfm]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(super) tables: Option<Tables>,
    /// Write the cells of tables as paragraphs
    #[arg(long, conflicts_with = "tables")]
    pub(super) no_tables: bool,
    /// Extractor, see `duramen extractors`
    #[arg(long, default_value = hmt::ID, value_name = "ID")]
    extractor: String,
    /// Parameter of the extractor, such as words=20; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    /// Adapt the model to each site among the pages, by what its pages agree on
    #[arg(long)]
    adapt: bool,
    /// Keep what this XPath 1.0 selects, such as a wrapper that forest found; the same as --extractor xpath
    #[arg(long, value_name = "EXPR", conflicts_with = "extractor")]
    xpath: Option<String>,
    /// RSS or Atom file whose items describe the pages
    ///
    /// For sigfeed and description, and for forest and coverage with --set signifiers=feed.
    #[arg(long, value_name = "FILE")]
    pub(super) feed: Option<PathBuf>,
    /// Address of the page, where it is read from a file
    #[arg(long, value_name = "URL")]
    pub(super) page_url: Option<String>,
    #[command(flatten)]
    web: WebOptions,
    #[command(flatten)]
    time: PageTime,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    hmt: HmtOptions,
    #[command(flatten)]
    pub(super) layout: LayoutOptions,
}

/// Pages of a part where no number is given.
const PART_PAGES: usize = 10_000;

fn probability(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err("a probability from 0 to 1".to_owned()),
    }
}

impl Options {
    /// What is kept.
    pub(super) fn selection(&self) -> Selection {
        let selection = Selection {
            labels: self.labels.iter().copied().collect(),
            threshold: self.threshold,
            hidden: self.hidden,
        };
        if self.comments { selection.with_comments() } else { selection }
    }

    /// The extractor that was asked for.
    pub(super) fn extractor(&self) -> &str {
        if self.xpath.is_some() { xpath::ID } else { &self.extractor }
    }

    /// What was asked of it.
    ///
    /// # Errors
    /// As [`Setting::parse`].
    pub(super) fn settings(&self) -> Result<Vec<Setting>> {
        let mut settings = self.hmt.settings();
        settings.extend(self.layout.setting());
        if self.adapt {
            settings.push(Setting::new("--adapt", "adapt", true));
        }
        if let Some(expression) = &self.xpath {
            settings.push(Setting::new("--xpath", "expression", expression.as_str()));
        }
        for parameter in &self.parameters {
            settings.push(Setting::parse(parameter)?);
        }
        Ok(settings)
    }

    /// The pages of a part of an archive.
    pub(super) fn part_pages(&self) -> usize {
        self.part_pages.unwrap_or(PART_PAGES)
    }

    /// The bounds on pages, where these are read.
    ///
    /// # Errors
    /// As [`Bounds::loading`].
    pub(super) fn bounds(&self, sources: &[Source]) -> Result<Bounds> {
        Ok(self.bounds.loading(&self.web, sources)?.within(&self.time))
    }

    /// Whether every option has an effect on what is written.
    ///
    /// # Errors
    /// [`Error::Usage`] for one that has none.
    pub(super) fn check(
        &self,
        extractor: &dyn Extractor,
        sources: &[Source],
        archives: &[PathBuf],
    ) -> Result<()> {
        let format = self.format();
        if !archives.is_empty() {
            self.check_archives(extractor)?;
        }
        if self.part_pages.is_some() && (archives.is_empty() || self.output_dir.is_none()) {
            return Err(Error::usage(
                "--part-pages has no effect: only web archives with --output-dir are extracted into parts",
                "leave it out, or name archives and add --output-dir DIR",
            ));
        }
        #[cfg(feature = "parquet")]
        if format == Format::Parquet && self.output_dir.is_none() && self.output.is_none() {
            return Err(Error::usage("a Parquet table cannot go to standard output", "add --output FILE"));
        }
        #[cfg(feature = "parquet")]
        if format == Format::Parquet && self.output_dir.is_some() && archives.is_empty() {
            return Err(Error::usage(
                "--output-dir with Parquet: a table of one page is of no use",
                "name the table with --output FILE",
            ));
        }
        let (is_text, is_json, is_marked_up) = (
            matches!(format, Format::Txt | Format::Markdown),
            matches!(format, Format::Json | Format::Jsonl),
            format == Format::Markdown || format.is_document(),
        );
        let without_effect = [
            (
                "--nodes",
                self.nodes && !is_json && format != Format::Csv,
                "use --output-format jsonl, json or csv",
            ),
            ("--structure", self.structure && !is_json, "use --output-format jsonl or json"),
            ("--tables", self.tables.is_some() && format != Format::Markdown, "use --output-format markdown"),
            (
                "--with-metadata",
                self.with_metadata && !is_text,
                "use --output-format txt or markdown; the others have it anyway",
            ),
            (
                "--links",
                self.links && !is_marked_up && !self.structure,
                "use --output-format markdown, html, xml or xmltei, or json with --structure",
            ),
            (
                "--images",
                self.images && !is_marked_up && !is_json,
                "use --output-format markdown, html, xml, xmltei, json or jsonl",
            ),
        ];
        if let Some((option, _, remedy)) = without_effect.into_iter().find(|(_, ignored, _)| *ignored) {
            let format = format.to_possible_value().expect("no format is skipped");
            return Err(Error::usage(
                format!("{option} has no effect on {}", format.get_name()),
                format!("leave it out, or {remedy}"),
            ));
        }
        let id = extractor.id();
        if !extractor.gives_probabilities() {
            let asked = [
                ("--threshold", self.threshold.is_some()),
                ("--min-confidence", self.min_confidence.is_some()),
                ("--max-tokens", self.max_tokens.is_some()),
            ];
            if let Some((option, _)) = asked.into_iter().find(|(_, is_given)| *is_given) {
                return Err(Error::usage(
                    format!("{option} needs probabilities, which this extractor ({id}) does not give"),
                    "leave it out, or use the extractor hmt with exact inference or gibbs",
                ));
            }
        }
        if self.comments && !extractor.tells_comments() {
            return Err(Error::usage(
                format!(
                    "--comments has no effect: this extractor ({id}), as it is set, does not tell comments"
                ),
                "leave it out, or use the extractor hmt with the model web",
            ));
        }
        if self.feed.is_some() && !extractor.reads_feed() {
            return Err(Error::usage(
                format!("--feed has no effect: this extractor ({id}) reads no feed"),
                "leave it out, or use sigfeed or description, or forest or coverage with --set signifiers=feed",
            ));
        }
        if self.page_url.is_some()
            && archives.is_empty()
            && sources.iter().all(|source| matches!(source, Source::Url(_)))
        {
            return Err(Error::usage(
                "--page-url has no effect: pages on the web have their own address",
                "leave it out",
            ));
        }
        if sources.len() > 1 && format.is_document() && self.output_dir.is_none() {
            return Err(Error::usage(several_documents(format), "add --output-dir DIR"));
        }
        Ok(())
    }

    /// Whether every option has an effect on the pages of archives.
    fn check_archives(&self, extractor: &dyn Extractor) -> Result<()> {
        let without_effect = [
            ("--page-url", self.page_url.is_some(), "the archive has the address of each page"),
            ("--feed", self.feed.is_some(), "a feed describes the pages of one site"),
        ];
        if let Some((option, _, why)) = without_effect.into_iter().find(|(_, is_given, _)| *is_given) {
            return Err(Error::usage(
                format!("{option} has no effect on a web archive: {why}"),
                "leave it out",
            ));
        }
        if extractor.reads_whole_sites() {
            return Err(Error::usage(
                format!(
                    "extractor {} reads whole sites, and an archive is read page by page",
                    extractor.id()
                ),
                "use an extractor of single pages, such as hmt",
            ));
        }
        if self.format().is_document() {
            return Err(Error::usage(
                several_documents(self.format()),
                "use --output-format jsonl, parquet or another",
            ));
        }
        Ok(())
    }

    /// A digest of the options on which the output of an archive depends, and of the archive.
    pub(super) fn digest(&self, archive: &str, bytes: u64) -> String {
        let same = Options {
            files: Vec::new(),
            input_dir: None,
            output: None,
            output_dir: None,
            skip_existing: false,
            part_pages: Some(self.part_pages()),
            ..self.clone()
        };
        let text = format!("{} {archive} {bytes} {same:?}", env!("CARGO_PKG_VERSION"));
        hex(&Sha256::digest(text))
    }

    /// The format that was asked for, by whichever option.
    pub(super) fn format(&self) -> Format {
        self.format.format()
    }

    /// How a run that was interrupted goes on.
    pub(super) fn how_to_go_on(&self) -> &'static str {
        match (&self.output_dir, self.skip_existing) {
            (Some(_), true) => "finished work is kept, run the same command again to go on",
            (Some(_), false) => "finished work is kept, run the same command with --skip-existing to go on",
            (None, _) => "a run can only go on with --output-dir, and there with --skip-existing",
        }
    }

    /// The pages that were named, or the web archives.
    ///
    /// # Errors
    /// [`Error::Usage`] if there are none, or both.
    pub(super) fn inputs(&self, printer: &Printer) -> Result<(Vec<Source>, Vec<PathBuf>)> {
        let (archives, pages): (Vec<Source>, Vec<Source>) =
            self.sources(printer)?.into_iter().partition(Source::is_archive);
        if let (Some(page), Some(archive)) = (pages.first(), archives.first()) {
            return Err(Error::usage(
                format!("{} is a page, and {} a web archive", page.id(), archive.id()),
                "extract pages and archives in two runs",
            ));
        }
        let path = |source| match source {
            Source::File { path, .. } => path,
            _ => PathBuf::from("-"),
        };
        Ok((pages, archives.into_iter().map(path).collect()))
    }

    fn sources(&self, printer: &Printer) -> Result<Vec<Source>> {
        let mut sources: Vec<Source> = self.files.iter().map(|path| Source::file(path)).collect();
        sources.extend(self.urls.iter().cloned().map(Source::Url));
        if let Some(list) = &self.input_file {
            sources.extend(inputs::read_list(list)?);
        }
        if let Some(folder) = &self.input_dir {
            sources.extend(inputs::list_folder(folder, inputs::is_page_or_archive, printer)?);
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

fn several_documents(format: Format) -> &'static str {
    match format {
        Format::Html => "several pages cannot be one HTML document",
        _ => "several pages cannot be one XML document",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn an_interrupted_run_says_how_it_goes_on() {
        let told = |arguments: &[&str]| {
            Line::try_parse_from([&["extract", "page.html"], arguments].concat())
                .unwrap()
                .options
                .how_to_go_on()
        };
        assert!(told(&["-d", "out"]).ends_with("with --skip-existing to go on"));
        assert!(told(&["-d", "out", "--skip-existing"]).ends_with("run the same command again to go on"));
        assert!(!told(&[]).contains("again"));
    }
}
