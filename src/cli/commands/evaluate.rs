//! `duramen evaluate`: extractors against the gold of a corpus, each page once.

use std::path::PathBuf;

use clap::Args;

use super::super::Outcome;
use super::super::output::print;
use super::super::progress::Printer;
use super::hmt::HmtOptions;
use super::layouts::CorpusOptions;
use super::run::{self, Run};
use crate::error::{Error, Result};
use crate::extract::hmt;
use crate::harness::config::{Experiment, System};
use crate::report::experiment;
use crate::studies;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen evaluate --dataset l3s-gn1 --extractor more-than-10-words --extractor everything
  duramen evaluate --dataset wcxb/dev --model model.json -o results/my-model
  duramen evaluate --dataset big9 --extractor forest --metrics bigrams,words

The pages are scored as they are: a model that was trained on them is flattered, which is then said.
For honest figures of a model let `duramen run` train it in folds.")]
pub struct Options {
    /// Corpus: a name such as l3s-gn1, wcxb/dev or synth, a manifest, or a folder of pages with their references
    #[arg(long, value_name = "NAME|FILE|FOLDER")]
    dataset: String,
    /// Extractor, see `duramen extractors`; may be given several times
    #[arg(long, value_name = "ID", default_value = hmt::ID)]
    extractor: Vec<String>,
    /// Metrics: tokens, nodes, bytes, region-accuracy, words, shingles, bigrams, rouge-lsum, snippets
    #[arg(long, value_name = "METRICS", value_delimiter = ',', default_value = "tokens,nodes,words")]
    metrics: Vec<String>,
    /// Folder for tables, figures and report
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Score the first so many pages only
    #[arg(long, value_name = "N")]
    max_pages: Option<usize>,
    #[command(flatten)]
    hmt: HmtOptions,
    #[command(flatten)]
    corpora: CorpusOptions,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let experiment = experiment(options)?;
    let scratch = tempfile::tempdir().map_err(|error| Error::io(std::env::temp_dir(), error))?;
    let folder = options.output.as_deref().unwrap_or(scratch.path());
    let command = format!("duramen evaluate --dataset {}", options.dataset);
    let run = Run { experiment: &experiment, command, origin: ".".into(), folder };
    let (results, made) = run::extract(&run, &options.corpora, printer)?;
    for table in experiment::score_tables(&results)? {
        print(&format!("{}\n\n{}\n", table.title(), table.to_markdown()))?;
    }
    if options.output.is_some() {
        experiment::write(&results, &made, folder, &[])?;
        printer.warn(&format!("{}", folder.join("report.html").display()));
    }
    Ok(Outcome::Done)
}

/// The options as an experiment: one split in which no page trains.
fn experiment(options: &Options) -> Result<Experiment> {
    let mut table = toml::toml! {
        question = "Every page is scored once, by extractors that are not trained on the corpus's folds."
        systems = []
        splits = [{ kind = "all-pages", id = "all-pages" }]
    };
    let title = format!("{} on {}", options.extractor.join(", "), options.dataset);
    table.insert("title".to_owned(), title.into());
    table.insert("dataset".to_owned(), options.dataset.as_str().into());
    let metrics: Vec<toml::Value> = options.metrics.iter().map(|metric| metric.as_str().into()).collect();
    table.insert("metrics".to_owned(), metrics.into());
    if let Some(pages) = options.max_pages.and_then(|pages| i64::try_from(pages).ok()) {
        table.insert("max-pages".to_owned(), pages.into());
    }
    if options.dataset == crate::harness::config::SYNTH {
        table.insert("synth".to_owned(), toml::Table::new().into());
    }
    let systems = options.extractor.iter().map(|id| {
        let mut system = System::from_extractor(id);
        if id == hmt::ID {
            system.parameters = options.hmt.parameters()?;
        }
        let system = toml::Value::try_from(system);
        Ok(system.expect("a system that was made of names and numbers can be written as TOML"))
    });
    table.insert("systems".to_owned(), systems.collect::<Result<Vec<_>>>()?.into());
    studies::parse(&table.to_string(), "duramen evaluate")
}
