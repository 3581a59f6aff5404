//! `duramen compare`: two systems on the same pages.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::cli::outcome::Outcome;
use crate::cli::output::print;
use crate::dataset::labelled::GoldText;
use crate::error::{Error, Result};
use crate::eval::{Bootstrap, EvaluationView};
use crate::harness::compare::{Comparison, Pair, Side, compare};
use crate::harness::record::RunResults;
use crate::report::experiment::store;
use crate::report::{Cell, Table};
use crate::scoring::{Measure, Metric, ScoreName};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen compare results/quickstart:hmt results/quickstart:more-than-10-words
  duramen compare results/old:hmt results/new:hmt --score tokens/main-text/f1 --top 20

The difference is first minus second, on the pages that both have; its interval is a bootstrap over
hosts. A score is METRIC/GOLD/MEASURE: tokens, nodes or bytes against complete, main-text, content or
article; words, words-and-characters, bigrams, shingles, rouge-lsum or snippets against text (a corpus
with text) or article, headline-full-text, full-text (a corpus with labels); precision, recall, f1 or
accuracy; text-edit, code-edit, formula-edit, table-edit or teds against text, as teds/text/similarity;
or region-accuracy. The folders must hold what `duramen run` wrote, with their `pages`.")]
pub struct Options {
    /// Folder of a finished run and a system in it
    #[arg(value_name = "RESULTS:SYSTEM")]
    first: Name,
    /// The other
    #[arg(value_name = "RESULTS:SYSTEM")]
    second: Name,
    /// Split [default: the first of the first run]
    #[arg(long, value_name = "ID")]
    split: Option<String>,
    /// Score [default: every F1 that both have; pages by the first of them]
    #[arg(long, value_name = "SCORE")]
    score: Option<ScoreName>,
    /// How many pages to list each way
    #[arg(long, value_name = "N", default_value_t = 10, alias = "pages")]
    top: usize,
    /// Write CSV
    #[arg(long, conflicts_with = "top")]
    csv: bool,
}

/// A folder and a system, split at the last colon.
#[derive(Debug, Clone)]
struct Name {
    folder: PathBuf,
    system: String,
}

impl FromStr for Name {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Name, String> {
        match text.rsplit_once(':') {
            Some((folder, system)) if !folder.is_empty() && !system.is_empty() => {
                Ok(Name { folder: folder.into(), system: system.to_owned() })
            }
            _ => Err("write RESULTS:SYSTEM, such as results/quickstart:hmt".to_owned()),
        }
    }
}

pub fn run(options: &Options) -> Result<Outcome> {
    let (first, _) = store::load(&options.first.folder)?;
    let other = match options.second.folder == options.first.folder {
        true => None,
        false => Some(store::load(&options.second.folder)?.0),
    };
    let second = other.as_ref().unwrap_or(&first);
    check_same_data(&first, second)?;
    let split = options
        .split
        .clone()
        .or_else(|| first.record.experiment.splits.first().map(|split| split.id().to_owned()))
        .ok_or_else(|| Error::usage("the first run has no split", "run it again"))?;
    let scores = options.score.map_or_else(all_f1, |score| vec![score]);
    let bootstrap = Bootstrap { seed: first.record.seed, ..Bootstrap::default() };
    let sides = (
        Side { run: &first, system: &options.first.system },
        Side { run: second, system: &options.second.system },
    );
    let compared = scores.into_iter().map(|score| compare(sides.0, sides.1, &split, score, &bootstrap));
    let comparisons: Vec<Comparison> = compared.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    let Some(main) = comparisons.first() else {
        return Err(Error::usage(
            "the two have no page with such a score in common",
            "choose another --split or --score",
        ));
    };
    if options.csv {
        print(&pages("Pages", &main.pages, options).to_csv()?)?;
        return Ok(Outcome::Done);
    }
    show(&summary(&comparisons, options))?;
    let better: Vec<Pair> =
        main.pages.iter().filter(|pair| pair.difference() > 0.0).take(options.top).cloned().collect();
    let worse: Vec<Pair> =
        main.pages.iter().rev().filter(|pair| pair.difference() < 0.0).take(options.top).cloned().collect();
    for (list, title) in [(better, "first is better"), (worse, "second is better")] {
        if !list.is_empty() {
            let title = format!("Pages where the {title}: {}", main.score.describe());
            show(&pages(&title, &list, options))?;
        }
    }
    Ok(Outcome::Done)
}

fn show(table: &Table) -> Result<()> {
    print(&format!("{}\n\n{}\n", table.title(), table.to_markdown()))
}

fn check_same_data(first: &RunResults, second: &RunResults) -> Result<()> {
    for (name, corpus) in &first.record.corpora {
        if let Some(other) = second.record.corpora.get(name)
            && other.checksum != corpus.checksum
        {
            return Err(Error::data(
                name,
                "the two runs were on different data of this name",
                "run both on the same data",
            ));
        }
    }
    Ok(())
}

/// Every F1, the most telling first.
fn all_f1() -> Vec<ScoreName> {
    let levels = [Metric::Tokens, Metric::Nodes, Metric::Bytes];
    let views = [
        EvaluationView::MainText,
        EvaluationView::Content,
        EvaluationView::Article,
        EvaluationView::Complete,
    ];
    let of_labels = levels
        .into_iter()
        .flat_map(|level| views.map(|view| ScoreName::from_labels(level, view, Measure::F1)));
    let texts =
        [Metric::Words, Metric::WordsAndCharacters, Metric::Bigrams, Metric::Shingles, Metric::RougeLsum];
    let golds = [GoldText::Text, GoldText::Article, GoldText::HeadlineFullText, GoldText::FullText];
    let of_text = texts
        .into_iter()
        .flat_map(|metric| golds.map(|gold| ScoreName::from_text(metric, gold, Measure::F1)));
    of_labels.chain(of_text).chain([ScoreName::region_accuracy()]).collect()
}

fn summary(comparisons: &[Comparison], options: &Options) -> Table {
    let title = format!("{} minus {}", options.first.system, options.second.system);
    let columns = ["score", "first", "second", "difference, 95 % interval over hosts", "pages", "hosts"];
    let mut table = Table::new(title, columns);
    for comparison in comparisons {
        table.push([
            Cell::text(comparison.score.to_string()),
            Cell::number(comparison.first.value, 3),
            Cell::number(comparison.second.value, 3),
            Cell::score(&comparison.difference, 3),
            Cell::Count(comparison.difference.documents as u64),
            Cell::Count(comparison.difference.hosts as u64),
        ]);
    }
    table
}

fn pages(title: &str, pairs: &[Pair], options: &Options) -> Table {
    let first = format!("first: {}", options.first.system);
    let second = format!("second: {}", options.second.system);
    let columns = ["page", "host", &first, &second, "difference"];
    let mut table = Table::new(title, columns);
    for pair in pairs {
        table.push([
            Cell::text(&pair.page),
            Cell::text(&pair.host),
            Cell::number(pair.first, 3),
            Cell::number(pair.second, 3),
            Cell::number(pair.difference(), 3),
        ]);
    }
    table
}
