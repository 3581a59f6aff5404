//! `duramen reproduce`: a paper's experiment, and its published numbers beside ours.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::layouts::CorpusOptions;
use super::run::{self, Run};
use crate::cli::outcome::Outcome;
use crate::cli::output::{check_folder, print};
use crate::cli::progress::Printer;
use crate::error::Result;
use crate::report::experiment;
use crate::studies;

/// A paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// Langkilde 2015: the hidden Markov tree against its two baselines
    Thesis,
    /// Kohlschütter, Fankhauser & Nejdl 2010: shallow text features
    Boilerpipe,
    /// Oita & Senellart 2012: FOREST and its baselines
    Forest,
    /// Pappas, Katsimpras & Stamatatos 2012: the SD algorithm
    Sd,
    /// Potvin & Villemaire 2018: visual outliers
    VisualOutlier,
    /// Joshi & Liu 2009: the article's text and images
    ArticleImages,
}

impl Paper {
    fn name(self) -> &'static str {
        match self {
            Paper::Thesis => "thesis",
            Paper::Boilerpipe => "boilerpipe",
            Paper::Forest => "forest",
            Paper::Sd => "sd",
            Paper::VisualOutlier => "visual-outlier",
            Paper::ArticleImages => "article-images",
        }
    }

    /// The experiment, part of the program so that it can be run anywhere.
    fn experiment(self) -> &'static str {
        match self {
            Paper::Thesis => include_str!("../../../experiments/thesis/experiment.toml"),
            Paper::Boilerpipe => include_str!("../../../experiments/boilerpipe/experiment.toml"),
            Paper::Forest => include_str!("../../../experiments/forest/experiment.toml"),
            Paper::Sd => include_str!("../../../experiments/sd/experiment.toml"),
            Paper::VisualOutlier => include_str!("../../../experiments/visual-outlier/experiment.toml"),
            Paper::ArticleImages => include_str!("../../../experiments/article-images/experiment.toml"),
        }
    }

    /// The paper's numbers.
    fn published(self) -> &'static str {
        match self {
            Paper::Thesis => include_str!("../../../experiments/thesis/published.toml"),
            Paper::Boilerpipe => include_str!("../../../experiments/boilerpipe/published.toml"),
            Paper::Forest => include_str!("../../../experiments/forest/published.toml"),
            Paper::Sd => include_str!("../../../experiments/sd/published.toml"),
            Paper::VisualOutlier => include_str!("../../../experiments/visual-outlier/published.toml"),
            Paper::ArticleImages => include_str!("../../../experiments/article-images/published.toml"),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  duramen data fetch l3s-gn1 --mirror ../shared/datasets && duramen reproduce thesis

The same as `duramen run experiments/PAPER`, followed by the paper's tables beside ours. What was
published, what we got and why they differ is in experiments/PAPER/README.md.")]
pub struct Options {
    /// Paper
    #[arg(value_enum, value_name = "PAPER")]
    paper: Paper,
    /// Folder to write into
    ///
    /// For tables, figures, run.json and report.html [default: results/PAPER]
    #[arg(short = 'd', long, value_name = "DIR", alias = "out", short_alias = 'o')]
    output_dir: Option<PathBuf>,
    #[command(flatten)]
    corpora: CorpusOptions,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let name = options.paper.name();
    let experiment = studies::parse(options.paper.experiment(), name)?;
    let experiment = studies::with_published(experiment, options.paper.published(), name)?;
    let folder = options.output_dir.clone().unwrap_or_else(|| Path::new("results").join(name));
    check_folder(&folder)?;
    let run = Run {
        experiment: &experiment,
        command: format!("duramen run experiments/{name}"),
        origin: ".".into(),
        folder: &folder,
    };
    let results = run::write(&run, &[], &options.corpora, printer)?;
    for (published, table) in experiment.published.iter().zip(experiment::published_tables(&results)?) {
        print(&format!("{}\n\n{}\n{}\n\n", table.title(), table.to_markdown(), published.difference.trim()))?;
    }
    print(&format!("{}\n", folder.join("report.html").display()))?;
    Ok(Outcome::Done)
}
