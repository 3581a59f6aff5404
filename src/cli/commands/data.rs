//! `duramen data`: corpora.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::check;
use super::hmt::SEED;
use super::overlap;
use super::warc;
use super::web_page::AgentOptions;

use crate::cli::data_dir::DataDir;
use crate::cli::interrupt::stop_flag;
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print};
use crate::cli::progress::Printer;
use crate::dataset::synth::{self, SynthConfig};
use crate::dataset::{self, FetchOptions, LabelReport, Redistribution, Verified};
use crate::error::Result;
use crate::label::Label;
use crate::plural::plural;
use crate::report::{Cell, Table};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the known corpora, and which are there
    #[command(after_help = "Example:\n  duramen data list")]
    List(List),
    /// Fetch a corpus: checksum first, unpacked aside, offline afterwards
    #[command(after_help = "\
Examples:
  duramen data fetch l3s-gn1 --mirror ../shared/datasets
  git clone https://github.com/geodrome/page-signal
  duramen data fetch l3s-gn1 --mirror page-signal
  duramen data fetch wcxb/test --mirror https://example.org/archives --accept-sha256 SHA256

The folder of a corpus's source, such as a clone of its repository, is taken if its pages have the
checksum that the manifest states.

A corpus part is named NAME/PART, such as wcxb/test; NAME alone is its first part. A path to a
manifest of your own may stand for the name.")]
    Fetch(Fetch),
    /// Compare fetched corpora with the list of files written when they were fetched
    #[command(after_help = "\
Example:
  duramen data verify l3s-gn1

A corpus in a folder of your own is compared with the checksum that its manifest states, if it does.")]
    Verify(Verify),
    /// Say what is in a corpus: pages, hosts, labels, how much of the references stands on the pages, what does not fit
    #[command(after_help = "\
Examples:
  duramen data check my-pages
  duramen data check my-corpus.toml --json
  duramen data check wcxb/dev

The verdict: 5 pages are the least that tell whether `duramen model recalibrate` or `adapt` helps,
100 pages of several hosts the least that are worth a model of their own (`duramen train`).

Exit codes: 0 everything fits, 1 some pages, files or lines do not fit, 3 no page can be used.")]
    Check(check::Options),
    /// Say which hosts and pages corpora share
    #[command(after_help = "\
Examples:
  duramen data overlap wcxb/dev l3s-gn1 my-pages
  duramen data overlap waddle dragnet --json

No part of an experiment's split trains on a page that it tests, nor on another of its host: what
corpora share is left out of the training pages. `train` takes what it is given.")]
    Overlap(overlap::Options),
    /// Move the labels of an annotated corpus to its original pages, and report how many found their node
    #[command(after_help = "Example:\n  duramen data labels l3s-gn1")]
    Labels(Labels),
    /// Write a synthetic corpus in the layout of L3S-GN1
    #[command(after_help = "Example:\n  duramen data synth --sites 20 --pages-per-site 5 --seed 7 -d pages")]
    Synth(Synth),
    /// Write pages of corpora as a web archive (WARC)
    #[command(after_help = "\
Examples:
  duramen data warc synth -o pages.warc.gz
  duramen data warc wcxb/dev l3s-gn1 -o pages.warc.gz

Each page is a gzip member. A page without an address gets urn:duramen:CORPUS:ID.")]
    Warc(warc::Options),
}

#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    data: DataDir,
}

#[derive(Debug, Args)]
pub struct Fetch {
    /// Corpora, such as l3s-gn1 or wcxb/dev
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// Folder of archives, URL under which they lie, or folder of the corpus's source [default: the manifest's mirrors]
    #[arg(long, value_name = "DIR|URL", env = "DURAMEN_MIRROR")]
    mirror: Option<String>,
    /// SHA-256 to accept for an archive whose checksum the manifest does not state
    #[arg(long, value_name = "HEX")]
    accept_sha256: Option<String>,
    /// Fetch again, and replace what is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    agent: AgentOptions,
    #[command(flatten)]
    data: DataDir,
}

#[derive(Debug, Args)]
pub struct Verify {
    /// Corpora by name, manifests, or folders of your own [default: all fetched corpora that are there]
    #[arg(value_name = "NAME|FILE|FOLDER")]
    names: Vec<String>,
    #[command(flatten)]
    data: DataDir,
}

#[derive(Debug, Args)]
pub struct Labels {
    /// Annotated corpus: a name, a manifest, or a folder of your own
    #[arg(value_name = "NAME|FILE|FOLDER")]
    name: String,
    #[command(flatten)]
    data: DataDir,
}

#[derive(Debug, Args)]
pub struct Synth {
    /// Number of sites
    #[arg(long, value_name = "N", default_value_t = SynthConfig::default().sites)]
    sites: usize,
    /// Pages of each site
    #[arg(long, value_name = "N", default_value_t = SynthConfig::default().pages_per_site)]
    pages_per_site: usize,
    #[arg(long, value_name = "N", default_value_t = SynthConfig::default().seed, help = SEED)]
    seed: u64,
    /// Folder to write into
    ///
    /// A folder `duramen-synth` is made there.
    #[arg(short = 'd', long, value_name = "DIR", alias = "output", short_alias = 'o')]
    output_dir: PathBuf,
}

pub fn run(command: &Command, printer: &Printer) -> Result<Outcome> {
    match command {
        Command::List(options) => list(options),
        Command::Fetch(options) => fetch(options, printer),
        Command::Verify(options) => verify(options, printer),
        Command::Check(options) => check::run(options, printer),
        Command::Overlap(options) => overlap::run(options, printer),
        Command::Labels(options) => labels(options, printer),
        Command::Synth(options) => make(options, printer),
        Command::Warc(options) => warc::run(options, printer),
    }
}

fn list(options: &List) -> Result<Outcome> {
    let data_dir = options.data.path()?;
    let mut text = String::new();
    for status in dataset::list(&data_dir)? {
        let pages = status.pages.map_or("?".to_owned(), |pages| pages.to_string());
        let there = status.folder.map_or("not fetched".to_owned(), |folder| folder.display().to_string());
        let shared = match status.redistribution {
            Redistribution::Yes => "may be passed on",
            _ => "may not be passed on",
        };
        text += &format!(
            "{:<30} {:>6} pages  {}\n{:30} licence: {}, {shared}\n{:30} references: {}\n{:30} {there}\n",
            status.label, pages, status.title, "", status.licence, "", status.convention, ""
        );
    }
    print(&text)?;
    Ok(Outcome::Done)
}

fn fetch(options: &Fetch, printer: &Printer) -> Result<Outcome> {
    let data_dir = options.data.path()?;
    let fetch_options = FetchOptions {
        mirror: options.mirror.clone(),
        accept_sha256: options.accept_sha256.clone(),
        user_agent: options.agent.user_agent.clone(),
        force: options.force,
    };
    for name in &options.names {
        let (manifest, part) = dataset::resolve(name)?;
        let report = dataset::fetch(&manifest, &part, &data_dir, &fetch_options, printer, stop_flag());
        printer.finish();
        let report = report?;
        let state = if report.already_there { "was there" } else { "fetched" };
        printer.warn(&format!("licence of {}: {}", report.label, manifest.licence.notice));
        print(&format!(
            "{} {state}: {}, {} in {}\n",
            report.label,
            plural(report.files, "file"),
            plural(report.bytes, "byte"),
            report.folder.display()
        ))?;
    }
    Ok(Outcome::Done)
}

fn verify(options: &Verify, printer: &Printer) -> Result<Outcome> {
    let data_dir = options.data.path()?;
    let mut names = options.names.clone();
    if names.is_empty() {
        let there = dataset::list(&data_dir)?.into_iter().filter(|status| status.folder.is_some());
        names = there.map(|status| status.label).collect();
        if names.is_empty() {
            printer.warn(&format!(
                "no corpus in {}; fetch one with `duramen data fetch NAME`",
                data_dir.display()
            ));
        }
    }
    for name in &names {
        let (manifest, part) = dataset::resolve(name)?;
        let verified = dataset::verify(&manifest, &part, &data_dir, printer, stop_flag());
        printer.finish();
        print(&match verified? {
            Verified::Files { label, files, bytes } => {
                let (files, bytes) = (plural(files, "file"), plural(bytes, "byte"));
                format!("{label} is as fetched: {files}, {bytes}\n")
            }
            Verified::Folder { label, pages, checksum, is_stated: true } => {
                let pages = plural(pages, "page");
                format!("{label} is as its manifest states: {pages}, checksum {checksum}\n")
            }
            Verified::Folder { label, pages, checksum, is_stated: false } => {
                let pages = plural(pages, "page");
                format!("{label}: {pages} can be read, no checksum is stated to compare with {checksum}\n")
            }
        })?;
    }
    Ok(Outcome::Done)
}

fn labels(options: &Labels, printer: &Printer) -> Result<Outcome> {
    let corpus = dataset::open(&options.name, &options.data.path()?)?.with_bad_pages();
    let report = LabelReport::new(&corpus, printer);
    printer.finish();
    let report = report?;
    let title = format!(
        "Annotated tokens of {} that found their node, {}",
        corpus.label(),
        plural(report.pages, "page")
    );
    let mut table = Table::new(title, ["label", "annotated", "found", "share"]);
    let labels = Label::ALL.into_iter().map(Label::name).zip(report.by_label);
    for (name, (annotated, found)) in labels.chain([("all", report.all())]) {
        let share = Cell::number(found as f64 / annotated.max(1) as f64, 5);
        table.push([Cell::text(name), Cell::Count(annotated), Cell::Count(found), share]);
    }
    print(&table.to_markdown())?;
    let title = format!("Pages under {:.0} %", dataset::LISTED_BELOW * 100.0);
    let mut table = Table::new(title, ["page", "share", "reason"]);
    for (id, share, reason) in report.listed {
        let reason = reason.map_or_else(|| Cell::missing("the manifest lists none"), Cell::text);
        table.push([Cell::text(id), Cell::number(share, 4), reason]);
    }
    print(&format!("\n{}", table.to_markdown()))?;
    Ok(Outcome::Done)
}

fn make(options: &Synth, printer: &Printer) -> Result<Outcome> {
    let config = SynthConfig {
        sites: options.sites,
        pages_per_site: options.pages_per_site,
        seed: options.seed,
        ..SynthConfig::default()
    };
    check_folder(&options.output_dir)?;
    let pages = synth::generate(&config)?;
    let folder = synth::write(&pages, &options.output_dir)?;
    let (pages, sites) = (plural(pages.len(), "page"), plural(options.sites, "site"));
    printer.detail(&format!("{pages} of {sites}"));
    print(&format!("{}\n", folder.display()))?;
    Ok(Outcome::Done)
}
