//! `duramen train`: a model from labelled pages.

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;

use super::super::progress::Printer;
use super::super::{DataDir, Outcome};
use crate::dataset;
use crate::dataset::synth::SynthConfig;
use crate::error::{Error, Result};
use crate::harness::corpus::LabelledCorpus;
use crate::harness::runner::{Observer, observe};
use crate::model::{Model, ModelConfig};

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  duramen train --dataset l3s-gn1 --data-dir data -o model.json
  duramen extract --model model.json page.html")]
pub struct Options {
    /// Corpus to train on, such as l3s-gn1 or synth; may be given several times
    #[arg(long, required = true, value_name = "NAME")]
    dataset: Vec<String>,
    /// Configuration: thesis, blocks, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "blocks")]
    config: String,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Train on the first so many pages of each corpus only
    #[arg(long, value_name = "N")]
    max_pages: Option<usize>,
    #[command(flatten)]
    data: DataDir,
}

/// The configuration of a preset's name or of a TOML file.
pub(super) fn configuration(name: &str) -> Result<ModelConfig> {
    if !name.ends_with(".toml") {
        return ModelConfig::preset(name);
    }
    let text = std::fs::read_to_string(name).map_err(|error| Error::io(name, error))?;
    let config: ModelConfig = toml::from_str(&text).map_err(|error| {
        Error::usage(format!("{name}: {}", error.to_string().trim_end()), "see docs/MODEL.md for an example")
    })?;
    config.check()?;
    Ok(config)
}

/// The labelled pages of a corpus by name, `synth` for pages of our own.
fn read_corpus(
    name: &str,
    data_dir: &Path,
    max_pages: Option<usize>,
    printer: &Printer,
) -> Result<LabelledCorpus> {
    let labelled = if name == "synth" {
        LabelledCorpus::synthetic(&SynthConfig::default(), max_pages, false)
    } else {
        let corpus = dataset::open(name, data_dir)?;
        printer.stage("reading pages", max_pages.unwrap_or(corpus.len()).min(corpus.len()));
        LabelledCorpus::read(&corpus, max_pages, false, || printer.tick())
    };
    printer.finish();
    let labelled = labelled?;
    for (page, reason) in &labelled.left_out {
        printer.detail(&format!("left out {page}: {reason}"));
    }
    printer.warn(&format!(
        "{}: {} pages, {} left out",
        labelled.label,
        labelled.pages.len(),
        labelled.left_out.len()
    ));
    Ok(labelled)
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let mut model = Model::new(configuration(&options.config)?)?;
    let data_dir = options.data.path()?;
    for name in &options.dataset {
        let corpus = read_corpus(name, &data_dir, options.max_pages, printer)?;
        let source = corpus.source();
        printer.stage("counting", corpus.pages.len());
        let config = model.config().clone();
        // Counts add up exactly, so pages may be counted in any order.
        let counted: Result<Model> = corpus
            .pages
            .par_iter()
            .map(|page| {
                let mut of_page = Model::new(config.clone())?;
                observe(&mut of_page, page, &source)?;
                printer.tick();
                Ok(of_page)
            })
            .try_reduce(
                || Model::new(config.clone()).expect("the configuration was checked"),
                |mut a, b| {
                    a.merge(&b)?;
                    Ok(a)
                },
            );
        printer.finish();
        model.merge(&counted?)?;
    }
    model.save(&options.output)?;
    printer.warn(&format!(
        "{}: {} pages, {} nodes",
        options.output.display(),
        model.pages(),
        model.counts().nodes
    ));
    Ok(Outcome::Done)
}
