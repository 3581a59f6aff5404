//! `duramen annotate`: labels in the browser, or by reading on sheets.

mod browser;
mod pages;
mod review;
mod server;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::hmt::SEED;
use super::inputs::{Bounds, at_least_one};
use crate::annotation::{Agreement, LabelFolder, Order, Readings, SheetFolder};
use crate::cli::data_dir::DataDir;
use crate::cli::interrupt::stop_flag;
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print};
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::error::{Error, Result};
use crate::label::Label;
use crate::plural::plural;
use crate::program::Program;

/// What the reader of a sheet is told.
const GUIDE: &str = include_str!("../../../docs/ANNOTATION.md");
/// Characters of a sheet that are a token of a language model, about.
const CHARS_OF_TOKEN: usize = 4;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen annotate pages/ -d labels               in the browser, page by page
  duramen annotate --sheets pages/ -d sheets      a sheet of each page: its text blocks, numbered
  duramen annotate --guide                        how sheets are read and answered
  duramen annotate --answers answers --sheets sheets -d labels
  duramen annotate --answers answers --sheets sheets -d labels --ask ./my-reader
  duramen train --dataset labels -o mine.json     the folder of labels is a corpus
  duramen annotate --review l3s-gn1 -d reviewed   which labels of a corpus are wrong?
  duramen annotate pages/ --beside boilerpipe-article -d compared
  duramen annotate page.html --beside draws -d sampled     # draws of `duramen sample page.html -d draws`

The answer to sheets/a/story.txt is answers/a/story.txt. It begins with the first line of the sheet:
  sheet 5d41402a
  H 10; C 12-40, 43; S 41; K 60-92; kind article")]
pub struct Options {
    /// Pages: files, folders, web archives, corpora by name; with --answers the folder of sheets
    #[arg(value_name = "FILE|DIR|NAME", required_unless_present = "guide")]
    inputs: Vec<String>,
    /// Folder to write into
    #[arg(
        short = 'd',
        long,
        value_name = "DIR",
        alias = "output",
        short_alias = 'o',
        required_unless_present = "guide"
    )]
    output_dir: Option<PathBuf>,
    /// Label by reading: write each page as a sheet
    #[arg(long)]
    sheets: bool,
    /// Folder of answers to the sheets
    #[arg(long, value_name = "DIR", requires = "sheets")]
    answers: Option<PathBuf>,
    /// Program that answers the sheets that have no answer yet: each sheet is its input, and its output the answer
    #[arg(long, value_name = "PROGRAM", requires = "answers")]
    ask: Option<String>,
    /// Seconds that the program may take for one sheet
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "ask",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    ask_timeout: u64,
    /// Share of the sheets that are read twice, in the folder second; drawn at random
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share, conflicts_with = "answers",
          requires = "sheets")]
    second: f64,
    #[arg(long, value_name = "N", default_value_t = 1, help = SEED, conflicts_with = "answers")]
    seed: u64,
    /// Use the first N pages of each corpus only
    #[arg(long, value_name = "N", value_parser = at_least_one, conflicts_with = "answers")]
    max_pages: Option<usize>,
    /// Review the labels of corpora, those first that are least probable by a model that has not seen their site
    #[arg(long, conflicts_with = "answers")]
    review: bool,
    /// Model: web, or another of `duramen model list`, or a model file
    ///
    /// It says what the rest of a page is [default: web]. With --review it says how probable labels are, and must not have seen their
    /// sites [default: five models, each trained on the corpora without some sites]
    #[arg(short, long, value_name = "NAME|FILE", conflicts_with = "answers")]
    model: Option<String>,
    /// Another extractor, or model, to compare: pages on which the two disagree come first
    ///
    /// Of a folder of `duramen sample` the posterior of each block, the mean over chains.
    #[arg(long, value_name = "NAME|FILE|DIR", conflicts_with_all = ["sheets", "review", "order"])]
    beside: Option<String>,
    /// Order of the pages
    #[arg(long, value_enum, default_value = "diverse", conflicts_with_all = ["sheets", "review"])]
    order: OrderName,
    /// Name of who labels; the labels of several are kept apart, and compared
    #[arg(long, value_name = "NAME", conflicts_with = "sheets")]
    annotator: Option<String>,
    /// Port of the loopback to serve on [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, conflicts_with = "sheets")]
    port: u16,
    /// Print the address, and open no browser
    #[arg(long, conflicts_with = "sheets")]
    no_open: bool,
    /// Print how sheets are read and answered, and nothing else
    #[arg(long, exclusive = true)]
    guide: bool,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    data: DataDir,
}

/// The order of the pages.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum OrderName {
    /// The least certain page first
    Uncertain,
    /// Uncertain pages first that have what no page before them has
    Diverse,
    /// By name
    Name,
    /// At random
    Random,
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Order {
        match name {
            OrderName::Uncertain => Order::Uncertain,
            OrderName::Diverse => Order::Diverse,
            OrderName::Name => Order::Name,
            OrderName::Random => Order::Random,
        }
    }
}

/// A share: 0 to 1.
fn share(text: &str) -> std::result::Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "a share, 0 to 1".to_owned())
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let Some(output) = &options.output_dir else {
        print(GUIDE)?;
        return Ok(Outcome::Done);
    };
    check_folder(output)?;
    match &options.answers {
        None if options.sheets && options.review => review::write_sheets(options, output, printer),
        None if options.sheets => write_sheets(options, output, printer),
        None => browser::label(options, output, printer),
        Some(answers) => read_answers(options, answers, output, printer),
    }
}

fn write_sheets(options: &Options, output: &Path, printer: &Printer) -> Result<Outcome> {
    let mut sheets = SheetFolder::open(output)?;
    let (mut written, mut chars) = (0, 0);
    let most = options.max_pages.unwrap_or(usize::MAX);
    let left_out = pages::for_each(&options.inputs, most, &options.bounds, &options.data, printer, |page| {
        let sheet = sheets.put(&page)?;
        written += 1;
        chars += sheet.text.chars().count();
        Ok(())
    })?;
    let second = sheets.finish(options.second, options.seed)?;
    let tokens = (chars / CHARS_OF_TOKEN).checked_div(written).unwrap_or(0);
    printer.warn(&format!(
        "{}: {} of {tokens} tokens each, about; {second} of {} to be read twice; {} left out",
        output.display(),
        plural(written, "sheet"),
        sheets.len(),
        plural(left_out, "page"),
    ));
    Ok(if left_out == 0 { Outcome::Done } else { Outcome::SomeFailed })
}

fn read_answers(options: &Options, answers: &Path, output: &Path, printer: &Printer) -> Result<Outcome> {
    let [sheets] = &*options.inputs else {
        return Err(Error::usage(
            format!("{} folders of sheets", options.inputs.len()),
            "with --answers, name the one that the answers are to",
        ));
    };
    let sheets = SheetFolder::existing(Path::new(sheets))?;
    let limits = options.bounds.limits();
    let mut failed = 0;
    if let Some(line) = &options.ask {
        let program = Program::parse(line, "--ask", Duration::from_secs(options.ask_timeout))?;
        let program =
            program.ok_or_else(|| Error::usage("--ask names no program", "name one, with its arguments"))?;
        let is_stopped = || stop_flag().load(Ordering::Relaxed);
        let failures = sheets.ask(&program, answers, &limits, is_stopped, printer)?;
        printer.finish();
        failed = failures.len();
        for (sheet, problem) in failures {
            printer.error(&format!("{}: {problem}", sheet.display()));
        }
    }
    let mut labels = LabelFolder::open(output)?;
    let readings = sheets.read_answers(answers, &mut labels, &limits, printer)?;
    printer.finish();
    labels.write_index()?;
    let Readings { labelled, without_answer, damaged, refused, strays, agreement } = readings;
    for error in &damaged {
        printer.error(&told(error));
    }
    for (path, fault) in
        refused.iter().flat_map(|(path, faults)| faults.iter().map(move |fault| (path, fault)))
    {
        printer.error(&format!("{}, {fault}", path.display()));
    }
    for path in &strays {
        printer.error(&format!("{}: there is no sheet of this name", path.display()));
    }
    printer.warn(&format!(
        "{}: {} labelled; {} refused, {} without an answer",
        output.display(),
        plural(labelled, "page"),
        plural(refused.len(), "answer"),
        plural(without_answer, "sheet"),
    ));
    if agreement.pages > 0 {
        print(&agreement_table(&agreement))?;
    }
    if labelled == 0 {
        return Err(Error::data(
            answers.display(),
            "no answer in it can be used",
            "answer sheets/NAME.txt in NAME.txt, as `duramen annotate --guide` says",
        ));
    }
    let is_whole = damaged.is_empty() && refused.is_empty() && strays.is_empty() && failed == 0;
    Ok(if is_whole { Outcome::Done } else { Outcome::SomeFailed })
}

/// How far the two readers of the same sheets agree.
fn agreement_table(agreement: &Agreement) -> String {
    let number = |value: Option<f64>| value.map_or("n/a".to_owned(), |value| format!("{value:.3}"));
    let mut text = format!("Agreement on {} labelled twice, over words\n\n", plural(agreement.pages, "page"));
    text += "| label           | kappa | alpha | F1    |\n| --------------- | ----: | ----: | ----: |\n";
    let mut row = |name: &str, of: Option<Label>| {
        let [kappa, alpha, f1] =
            [agreement.kappa(of), agreement.alpha(of), of.and_then(|label| agreement.f1(label))].map(number);
        text += &format!("| {name:15} | {kappa:>5} | {alpha:>5} | {f1:>5} |\n");
    };
    row("all", None);
    Label::ALL.into_iter().for_each(|label| row(label.name(), Some(label)));
    text
}
