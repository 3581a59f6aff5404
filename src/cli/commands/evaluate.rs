//! `duramen evaluate`: extractors against the gold of a corpus, each page once.

use std::path::{Path, PathBuf};

use clap::Args;

use super::hmt::HmtOptions;
use super::inputs::at_least_one;
use super::layouts::CorpusOptions;
use super::run::{self, Run};
use super::settings::{Setting, parameters_of};
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print};
use crate::cli::progress::Printer;
use crate::error::{Error, Result};
use crate::extract::hmt;
use crate::harness::config::{Experiment, System};
use crate::layout::ENGINES;
use crate::model::known::KNOWN;
use crate::report::experiment;
use crate::studies;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen evaluate --dataset l3s-gn1 --extractor more-than-10-words --extractor everything
  duramen evaluate --dataset wcxb/dev --model model.json -d results/my-model
  duramen evaluate --dataset my-pages --model web --model mine.json
  duramen evaluate --dataset big9 --extractor forest --metrics bigrams,words

Of several models or extractors the first is compared with each other on the same pages. Intervals
are over hosts, over pages where there are fewer than five hosts.

The pages are scored as they are: a model trained on them is flattered, and a note says so.
For honest figures of a model let `duramen run` train it in folds.")]
pub struct Options {
    /// Corpus: a name such as l3s-gn1, wcxb/dev or synth, a manifest, or a folder of pages with their references
    #[arg(long, value_name = "NAME|FILE|FOLDER")]
    dataset: String,
    /// Extractor, see `duramen extractors`
    ///
    /// May be given several times; an option goes to all of them that take it.
    #[arg(long, value_name = "ID", default_value = hmt::ID)]
    extractor: Vec<String>,
    /// Metrics: tokens, nodes, bytes, region-accuracy, words, words-and-characters, shingles, bigrams, rouge-lsum, snippets,
    /// text-edit, code-edit, formula-edit, table-edit and teds (of the Markdown, against a reference in Markdown),
    /// faults (what wrongly kept and missed words cost, by the kinds of their blocks), cut-units (code, tables and lists extracted in part)
    #[arg(long, value_name = "METRICS", value_delimiter = ',', default_value = "tokens,nodes,words")]
    metrics: Vec<String>,
    /// Folder to write into
    ///
    /// For tables, figures and report; without it the tables are printed only.
    #[arg(short = 'd', long, value_name = "DIR", alias = "output", short_alias = 'o')]
    output_dir: Option<PathBuf>,
    /// Use the first N pages of each corpus only
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    max_pages: Option<usize>,
    /// Parameter of the extractor, such as words=20; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    parameters: Vec<String>,
    #[command(flatten)]
    hmt: HmtOptions,
    /// Layout engine: blitz or chromium
    ///
    /// An extractor or a model that reads layouts reads those of this engine, in place of its own.
    #[arg(long, value_name = "ENGINE", value_parser = ENGINES, hide_possible_values = true,
          help_heading = "Layout of pages")]
    layout: Option<String>,
    #[command(flatten)]
    corpora: CorpusOptions,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    options.output_dir.as_deref().map_or(Ok(()), check_folder)?;
    let experiment = experiment(options, printer)?;
    let scratch = tempfile::tempdir().map_err(|error| Error::io(std::env::temp_dir(), error))?;
    let folder = options.output_dir.as_deref().unwrap_or(scratch.path());
    let command = format!("duramen evaluate --dataset {}", options.dataset);
    let run = Run { experiment: &experiment, command, origin: ".".into(), folder };
    let (results, made) = run::extract(&run, &options.corpora, printer)?;
    for table in experiment::score_tables(&results)? {
        print(&format!("{}\n\n{}\n", table.title(), table.to_markdown()))?;
    }
    for table in experiment::difference_tables(&results)? {
        print(&format!("{}\n\n{}\n", table.title(), table.to_markdown()))?;
    }
    if options.output_dir.is_some() {
        experiment::write(&results, &made, folder, &[])?;
        printer.warn(&format!("{}", folder.join("report.html").display()));
    }
    Ok(Outcome::Done)
}

/// The options as an experiment: one split in which no page trains.
fn experiment(options: &Options, printer: &Printer) -> Result<Experiment> {
    let systems = systems(options, printer)?;
    let mut table = toml::toml! {
        question = "Every page is scored once, by extractors that are not trained on the corpus's folds."
        systems = []
        splits = [{ kind = "all-pages", id = "all-pages" }]
    };
    let names: Vec<&str> = systems.iter().map(|system| system.id.as_str()).collect();
    table.insert("title".to_owned(), format!("{} on {}", names.join(", "), options.dataset).into());
    table.insert("dataset".to_owned(), options.dataset.as_str().into());
    let metrics: Vec<toml::Value> = options.metrics.iter().map(|metric| metric.as_str().into()).collect();
    table.insert("metrics".to_owned(), metrics.into());
    if let Some(pages) = options.max_pages.and_then(|pages| i64::try_from(pages).ok()) {
        table.insert("max-pages".to_owned(), pages.into());
    }
    if options.dataset == crate::harness::config::SYNTH {
        table.insert("synth".to_owned(), toml::Table::new().into());
    }
    let systems = systems.into_iter().map(|system| {
        let system = toml::Value::try_from(system);
        system.expect("a system that was made of names and numbers can be written as TOML")
    });
    table.insert("systems".to_owned(), systems.collect::<Vec<_>>().into());
    studies::parse(&table.to_string(), "duramen evaluate")
}

/// The extractors as systems; one that takes a model is a system with each of several.
fn systems(options: &Options, printer: &Printer) -> Result<Vec<System>> {
    let mut settings = options.hmt.settings_beside_model();
    settings.extend(
        options
            .layout
            .iter()
            .map(|engine| Setting::new(format!("--layout {engine}"), "layout", engine.as_str())),
    );
    for parameter in &options.parameters {
        settings.push(Setting::parse(parameter)?);
    }
    let models = options.hmt.models();
    if let Some((number, model)) = models.iter().enumerate().find(|&(n, model)| models[..n].contains(model)) {
        let number = number + 1;
        return Err(Error::usage(
            format!("--model {model} is given again as number {number}"),
            "leave it out",
        ));
    }
    let ids: Vec<&str> = options.extractor.iter().map(String::as_str).collect();
    let with = |model: Option<&String>| {
        let model = model.map(|model| Setting::of_option("model", model));
        let settings: Vec<Setting> = model.into_iter().chain(settings.iter().cloned()).collect();
        parameters_of(&ids, &settings, printer)
    };
    let first = with(models.first())?;
    let mut further = Vec::new();
    for model in models.iter().skip(1) {
        further.push(with(Some(model))?);
    }
    let mut systems: Vec<System> = Vec::new();
    for (number, (&id, parameters)) in ids.iter().zip(first).enumerate() {
        let is_one_of_several = !further.is_empty() && parameters.contains_key("model");
        let tables = further.iter().filter(|_| is_one_of_several).map(|tables| tables[number].clone());
        for mut parameters in std::iter::once(parameters).chain(tables) {
            if id == hmt::ID {
                // Without a model it would be one for the run to train.
                parameters.entry("model").or_insert_with(|| KNOWN[0].name.into());
            }
            let model = parameters.get("model").and_then(toml::Value::as_str).filter(|_| is_one_of_several);
            let name = model.map_or(id.to_owned(), name_of_model);
            let is_taken = |name: &str| systems.iter().any(|system| system.id == name);
            let names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}-{n}")));
            let name = names
                .into_iter()
                .find(|name| !is_taken(name) && (model.is_none() || !ids.contains(&&**name)));
            let name = name.expect("numbers do not end");
            systems.push(System { id: name, parameters, ..System::from_extractor(id) });
        }
    }
    Ok(systems)
}

/// A model's name as that of a system: its own, or its file's without the ending.
fn name_of_model(model: &str) -> String {
    let stem = Path::new(model).file_stem().unwrap_or_default().to_string_lossy();
    let name: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    if name.is_empty() { hmt::ID.to_owned() } else { name }
}
