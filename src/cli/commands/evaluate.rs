//! `duramen evaluate`: extractors against the gold of a corpus.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::super::output::print;
use super::super::progress::Printer;
use super::super::{DataDir, Outcome};
use super::extract::build_extractor;
use super::hmt::HmtOptions;
use super::train::read_corpus;
use crate::error::Result;
use crate::extract::hmt;
use crate::harness::config::{Experiment, Split, System};
use crate::harness::record::{PageResult, RunRecord, RunResults};
use crate::harness::runner::{Observer, extract_and_score};
use crate::report::experiment;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen evaluate --dataset l3s-gn1 --extractor more-than-10-words --extractor everything
  duramen evaluate --dataset wcxb/dev --model model.json -o results/my-model

The pages are scored as they are: a model that was trained on them is flattered, which is then said.
For honest figures of a model let `duramen run` train it in folds.")]
pub struct Options {
    /// Corpus, such as l3s-gn1, wcxb/dev or synth
    #[arg(long, value_name = "NAME")]
    dataset: String,
    /// Extractor, see `duramen extractors`; may be given several times
    #[arg(long, value_name = "ID", default_value = hmt::ID)]
    extractor: Vec<String>,
    /// Folder for tables, figures and report
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Score the first so many pages only
    #[arg(long, value_name = "N")]
    max_pages: Option<usize>,
    #[command(flatten)]
    hmt: HmtOptions,
    #[command(flatten)]
    data: DataDir,
}

/// The name of the one "split": every page is tested once.
const ALL: &str = "all-pages";

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let extractors = options
        .extractor
        .iter()
        .map(|id| build_extractor(id, &[], &options.hmt))
        .collect::<Result<Vec<_>>>()?;
    let corpus = read_corpus(&options.dataset, &options.data.path()?, options.max_pages, printer)?;
    if options.extractor.iter().any(|id| id == hmt::ID) {
        let model = options.hmt.load()?;
        if model.sources().contains_key(&corpus.source()) {
            printer.warn("the model was trained on these very pages: its figures are flattered");
        }
    }
    let mut results = Vec::new();
    for (id, extractor) in options.extractor.iter().zip(&extractors) {
        printer.stage(id, corpus.pages.len());
        let of_extractor: Vec<PageResult> = corpus
            .pages
            .par_iter()
            .map(|page| {
                let (status, scores) = extract_and_score(&**extractor, page);
                printer.tick();
                PageResult {
                    split: ALL.to_owned(),
                    part: 0,
                    system: id.clone(),
                    page: page.page.id().to_owned(),
                    host: page.host.clone(),
                    status,
                    scores,
                }
            })
            .collect();
        results.extend(of_extractor);
    }
    printer.finish();
    let systems = options.extractor.iter().map(|id| System::of_extractor(id)).collect();
    let experiment = Experiment {
        title: format!("{} on {}", options.extractor.join(", "), corpus.label),
        question: "Every page is scored once, by extractors that are not trained on the corpus's folds."
            .to_owned(),
        seed: 1,
        dataset: corpus.label.clone(),
        synth: None,
        max_pages: options.max_pages,
        splits: vec![Split::AllPages { id: ALL.to_owned() }],
        systems,
        convergence: None,
        feature_figures: false,
    };
    let command = format!("duramen evaluate --dataset {}", options.dataset);
    let record = RunRecord::new(&experiment, &corpus, &command, &results);
    let run = RunResults { record, results, convergence: Vec::new(), distributions: Vec::new() };
    for table in experiment::score_tables(&run)? {
        print(&format!("{}\n", table.to_markdown()))?;
    }
    if let Some(folder) = &options.output {
        experiment::write(&run, folder)?;
        printer.warn(&format!("{}", folder.join("report.html").display()));
    }
    Ok(Outcome::Done)
}
