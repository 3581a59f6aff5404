//! `duramen train`: a model from labelled pages, and with EM from partly labelled and unlabelled ones.

use std::path::{Path, PathBuf};

use clap::Args;

use super::inputs::{Bounds, at_least_one};
use super::layouts::CorpusOptions;
use super::{corpora, folder};
use crate::alignment::TRUSTED_SHARE;
use crate::cli::outcome::Outcome;
use crate::cli::output::check_file;
use crate::cli::progress::Printer;
use crate::dataset::Manifest;
use crate::dataset::labelled::{LabelledCorpus, PageGold};
use crate::dataset::synth::SynthConfig;
use crate::error::{Error, Result};
use crate::inference::EmConfig;
use crate::inference::em::{self, Em};
use crate::label::{Label, LabelSet};
use crate::layout::LayoutEngine;
use crate::model::{Model, ModelConfig, TextGoldLabels};
use crate::plural::plural;
use crate::training::{
    Learning, TextGoldReport, Trained, Trainer, TrainingPage, TrainingSettings, UnlabelledPages,
    strip_for_training,
};
use crate::view::View;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen train --dataset l3s-gn1 --data-dir data -o model.json
  duramen extract --model model.json page.html
  duramen train --dataset my-pages -o mine.json     page.txt beside page.html
  duramen train --config boosted --dataset l3s-gn1 --dataset wcxb/dev -o web.json
  duramen train --weights --dataset l3s-gn1 -o weighted.json
  duramen train --em 10 --dataset l3s-gn1 --dataset wcxb/dev --unlabelled pages -o model.json

With --em, pages with a reference text say which states their nodes may have, and pages without labels
say nothing of them: both are counted by what exact inference expects of them, again and again, with
labelled pages counted as ever. The configuration must be without sibling-types (blocks is).

A configuration with boosted scores (boosted is) is learned in three steps: the trees of the scores,
each page scored by trees of other sites; the counts, of pages with a reference text as with --em 10;
and the weights. --weights alone adds the last step to another configuration.")]
pub struct Options {
    /// Corpus: a name such as l3s-gn1, wcxb/dev or synth, a manifest, or a folder of pages with their references
    ///
    /// May be given several times.
    #[arg(long, required_unless_present = "unlabelled", value_name = "NAME|FILE|FOLDER")]
    dataset: Vec<String>,
    /// Configuration: thesis, blocks, boosted, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "blocks")]
    config: String,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Use the first N pages of each corpus only
    #[arg(long, value_name = "N", requires = "dataset", value_parser = at_least_one)]
    max_pages: Option<usize>,
    /// Learn weights over the counted tables, by the marginal likelihood of the labels
    ///
    /// On without it where all pages have a reference text and no labels of nodes
    #[arg(long, conflicts_with_all = ["unlabelled", "start_model"])]
    weights: bool,
    /// Take the priors that make the counts most probable (empirical Bayes), in place of the configuration's
    #[arg(long)]
    empirical_priors: bool,
    #[command(flatten)]
    corpora: CorpusOptions,
    #[command(flatten)]
    em: EmOptions,
    #[command(flatten)]
    bounds: Bounds,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Pages that are not labelled")]
struct EmOptions {
    /// Learn from pages without labels as well, in at most N iterations of expectation-maximisation (EM)
    #[arg(long, value_name = "N")]
    em: Option<u32>,
    /// End iterations when the objective gains less than this share of its size
    ///
    /// [default: 1e-6]
    #[arg(long, requires = "em", value_name = "T")]
    tolerance: Option<f64>,
    /// Folder of pages without labels, with the folders below; may be given several times
    #[arg(long, requires = "em", value_name = "DIR")]
    unlabelled: Vec<PathBuf>,
    /// Labels that the text of a reference may have; text outside it may have the others
    #[arg(long, alias = "gold-labels", requires = "em", value_name = "LABELS", value_delimiter = ',',
          default_values = ["headline", "full-text", "supplemental"])]
    reference_labels: Vec<Label>,
    /// Model whose parameters the first iteration starts from; its counts are not kept
    /// [default: what the labelled pages give]
    #[arg(long, requires = "em", value_name = "NAME|FILE", alias = "start")]
    start_model: Option<String>,
}

/// Fewer pages than these are few to train on: a trained model with a few of them is better.
pub(super) const TRAINING_PAGES: usize = 100;

/// The configuration of a preset's name or of a TOML file.
pub(super) fn configuration(name: &str) -> Result<ModelConfig> {
    if !name.ends_with(".toml") {
        return ModelConfig::preset(name);
    }
    let text = std::fs::read_to_string(name).map_err(|error| Error::io(name, error))?;
    ModelConfig::from_toml(&text, name)
}

/// The labelled pages of a corpus by name, `synth` for pages of our own.
pub(super) fn read_corpus(
    name: &str,
    data_dir: &Path,
    max_pages: Option<usize>,
    engine: Option<&dyn LayoutEngine>,
    printer: &Printer,
) -> Result<LabelledCorpus> {
    // An engine with a parser of its own takes the bytes.
    let (mut labelled, manifest) = read_pages(name, data_dir, max_pages, engine.is_some(), printer)?;
    if let Some(engine) = engine {
        labelled.lay_out(engine, printer);
        printer.finish();
    }
    corpora::tell_left_out(name, manifest.as_ref(), &labelled, printer);
    Ok(labelled)
}

/// The same without their layouts, and the manifest of the corpus; `keep_sources` keeps the bytes of the pages.
pub(super) fn read_pages(
    name: &str,
    data_dir: &Path,
    max_pages: Option<usize>,
    keep_sources: bool,
    printer: &Printer,
) -> Result<(LabelledCorpus, Option<Manifest>)> {
    let read = || match name {
        "synth" => Ok((LabelledCorpus::synthetic(&SynthConfig::default(), max_pages, keep_sources)?, None)),
        _ => {
            let corpus = corpora::open(name, data_dir, printer)?;
            let labelled = LabelledCorpus::read(&corpus, max_pages, keep_sources, printer)?;
            Ok((labelled, Some(corpus.manifest().clone())))
        }
    };
    let read = read();
    printer.finish();
    read
}

/// The pages of a corpus to train on, less those that cannot be aligned.
pub(super) fn align<'a>(corpus: &'a LabelledCorpus, printer: &Printer) -> Vec<TrainingPage<'a>> {
    let (aligned, left_out) = TrainingPage::from_corpus(corpus, printer);
    printer.finish();
    for (page, reason) in &left_out {
        printer.detail(&format!("left out {page}: {reason}"));
    }
    aligned
}

/// Says how far a reference text was found, if the corpus has one.
fn tell(label: &str, report: &TextGoldReport, left_out: usize, printer: &Printer) {
    for (page, share) in &report.listed {
        let share = share
            .map_or("a reference without words".to_owned(), |s| format!("{s:.3} of its reference found"));
        printer.detail(&format!("taken without labels {page}: {share}"));
    }
    let (found, all) = report.tokens;
    if all > 0 {
        printer.warn(&format!(
            "{label}: {:.4} of the reference's words found on their pages; {} below {TRUSTED_SHARE} taken without \
             labels (-v lists them), {left_out} that could not be aligned left out",
            found as f64 / all as f64,
            plural(report.listed.len(), "page"),
        ));
    }
}

impl EmOptions {
    /// The settings, if pages that are not labelled are to be learned from.
    fn settings(&self) -> Result<Option<(EmConfig, TextGoldLabels)>> {
        let Some(iterations) = self.em else { return Ok(None) };
        let tolerance = self.tolerance.unwrap_or(EmConfig::default().tolerance);
        let config = EmConfig { iterations, tolerance };
        config.check()?;
        let labels =
            TextGoldLabels::with_inside(self.reference_labels.iter().copied().collect::<LabelSet>())?;
        Ok(Some((config, labels)))
    }
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    check_file(&options.output)?;
    let em = options.em.settings()?;
    let config = configuration(&options.config)?;
    let mut learns = options.weights || config.boosted.is_some();
    if learns && (!options.em.unlabelled.is_empty() || options.em.start_model.is_some()) {
        return Err(Error::usage(
            "--unlabelled and --start-model with a model that learns scores or weights",
            "leave them out; to use unlabelled pages, see `duramen adapt`",
        ));
    }
    let start = options.em.start_model.as_deref().map(Model::by_name).transpose()?;
    if em.is_some() && !learns {
        // Heard of before the pages are read.
        em::check_config(&config, start.as_ref().map(Model::config))?;
    }
    let data_dir = options.corpora.data.path()?;
    let engine = config.layout.as_deref().map(|name| options.corpora.engines()?.open(name)).transpose()?;
    let read = |name: &String| -> Result<LabelledCorpus> {
        let mut corpus = read_corpus(name, &data_dir, options.max_pages, engine.as_deref(), printer)?;
        if engine.is_none() && config.view == View::Blocks {
            strip_for_training(&mut corpus);
        }
        Ok(corpus)
    };
    let corpora: Vec<LabelledCorpus> = options.dataset.iter().map(read).collect::<Result<_>>()?;
    if !learns && em.is_none() && corpora.iter().all(has_texts_alone) {
        learns = true;
        printer.warn("there are reference texts and no labels of nodes: trained as with --weights");
        let pages: usize = corpora.iter().map(|corpus| corpus.pages.len()).sum();
        if pages < TRAINING_PAGES {
            printer.warn(&format!(
                "{} to train on: that is few; try `duramen adapt` first, or for pages of several sites `duramen model \
                 recalibrate`, which start from a trained model",
                plural(pages, "page"),
            ));
        }
    }
    let mut settings = if learns { Learning::default().settings() } else { TrainingSettings::default() };
    settings.empirical_priors = options.empirical_priors;
    if let Some((config, text_gold)) = em {
        (settings.em, settings.text_gold) = (Some(config), text_gold);
    }
    let mut trainer = Trainer::new(config, settings)?;
    if let Some(start) = start {
        trainer = trainer.starting_from(start)?;
    }
    let mut pages = Vec::new();
    for corpus in &corpora {
        corpus.pages.iter().try_for_each(|page| trainer.check_page(page))?;
        let aligned = align(corpus, printer);
        let left_out = corpus.pages.len() - aligned.len();
        tell(&corpus.label, &TextGoldReport::new(&aligned), left_out, printer);
        pages.extend(aligned);
    }
    let read = |name: &PathBuf| options.unlabelled(name, engine.as_deref(), printer);
    let unlabelled: Vec<UnlabelledPages> = options.em.unlabelled.iter().map(read).collect::<Result<_>>()?;
    let trained = trainer.train(pages, &unlabelled, printer);
    printer.finish();
    let Trained { model, em: went } = trained?.not_empty()?;
    match (&em, &went) {
        (Some((config, _)), Some(went)) => tell_of_em(went, config, printer),
        (Some(_), None) if !learns && corpora.iter().all(has_labels_alone) => {
            return Err(Error::usage(
                "EM has no page to learn from: all pages are labelled",
                "add pages with a reference text or without labels, or leave --em out: labelled pages are only counted",
            ));
        }
        _ => {}
    }
    model.save(&options.output)?;
    printer.warn(&format!(
        "{}: {}, {}",
        options.output.display(),
        plural(model.pages(), "page"),
        plural(model.counts().nodes, "node"),
    ));
    Ok(Outcome::Done)
}

/// Whether all pages of a corpus have a reference text and no labels.
fn has_texts_alone(corpus: &LabelledCorpus) -> bool {
    corpus.pages.iter().all(|page| matches!(page.gold, PageGold::Text(_)))
}

/// Whether all pages of a corpus have labels of their nodes. Of a reference text that was found whole every label may be
/// known as well, so that nothing is left for EM, but only who asks for EM can learn from it.
fn has_labels_alone(corpus: &LabelledCorpus) -> bool {
    corpus.pages.iter().all(|page| matches!(page.gold, PageGold::Tokens(_)))
}

impl Options {
    /// The pages of a folder, of which nothing is known.
    fn unlabelled(
        &self,
        name: &Path,
        engine: Option<&dyn LayoutEngine>,
        printer: &Printer,
    ) -> Result<UnlabelledPages> {
        let folder = folder::read(name, &self.bounds, engine, printer)?;
        let (pages, left_out) = (folder.pages.len(), folder.left_out);
        printer.warn(&format!("{}: {}, {left_out} left out", name.display(), plural(pages, "page")));
        Ok(UnlabelledPages::new(folder.pages))
    }
}

fn tell_of_em(went: &Em, config: &EmConfig, printer: &Printer) {
    for iteration in &went.iterations {
        let gain = iteration.gain.map_or(String::new(), |gain| format!(", gain {gain:.2e}"));
        printer.warn(&format!("iteration {}: objective {:.1}{gain}", iteration.number, iteration.objective));
    }
    let n = went.iterations.len();
    printer.warn(&match went.converged {
        true => format!("the objective gains less than {} after {n} iterations", config.tolerance),
        false => format!("{n} iterations done"),
    });
}
