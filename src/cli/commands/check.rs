//! `duramen data check`: what is in a corpus, and which of its pages do not fit.

use clap::Args;

use super::corpora;
use super::train::TRAINING_PAGES;
use crate::alignment::TRUSTED_SHARE;
use crate::cli::data_dir::DataDir;
use crate::cli::outcome::Outcome;
use crate::cli::output::print;
use crate::cli::progress::Printer;
use crate::dataset::CorpusCheck;
use crate::error::{Error, Result};
use crate::label::Label;
use crate::report::{Cell, Table};
use crate::training::LEAST_PAGES;

/// The most rows of a list in the printed tables.
const MOST_ROWS: usize = 50;

#[derive(Debug, Args)]
pub struct Options {
    /// Folder of pages, manifest, or name of a corpus
    #[arg(value_name = "FOLDER|FILE|NAME")]
    corpus: String,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataDir,
}

/// Checks a corpus; what does not fit is reported and is no error, unless nothing fits.
pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let corpus = corpora::open(&options.corpus, &options.data.path()?, printer)?;
    let check = CorpusCheck::new(&corpus, TRUSTED_SHARE, printer);
    printer.finish();
    match options.json {
        true => {
            let text = serde_json::to_string_pretty(&check).expect("names and finite numbers are JSON");
            print(&format!("{text}\n"))?;
        }
        false => {
            let text = |table: &Table| format!("{}\n\n{}", table.title(), table.to_markdown());
            print(&tables(&check).iter().map(text).collect::<Vec<_>>().join("\n"))?;
            if check.pages > 0 {
                print(&format!("\n{}\n", verdict(&check)))?;
            }
        }
    }
    if check.pages == 0 {
        return Err(Error::data(
            &check.corpus,
            "no page can be used",
            "fix what is listed, or see datasets/README.md for the layouts",
        ));
    }
    Ok(if check.misfits.is_empty() { Outcome::Done } else { Outcome::SomeFailed })
}

/// What the corpus is enough for, in one line.
fn verdict(check: &CorpusCheck) -> String {
    let counted = |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let hosts = check.hosts.len() + usize::from(check.pages_without_host > 0);
    let labelled = match &check.labels {
        Some(labels) => {
            let none = Label::ALL
                .into_iter()
                .filter(|label| labels.words.get(label).is_none_or(|&words| words == 0));
            let none: Vec<&str> = none.map(Label::name).collect();
            match none.is_empty() {
                true => ", words of every label".to_owned(),
                false => format!(", no word of {}", none.join(", ")),
            }
        }
        None => ", texts without labels".to_owned(),
    };
    let (enough, too_few) = match (check.pages, hosts) {
        (pages, _) if pages < LEAST_PAGES => {
            (None, Some("to tell whether `duramen model recalibrate` or `adapt` helps"))
        }
        (pages, hosts) if pages < TRAINING_PAGES || hosts < 2 => (
            Some("`duramen model recalibrate`, and `duramen adapt` if they are of one site"),
            Some("`duramen train`"),
        ),
        _ => (Some("`duramen model recalibrate` and `duramen train`"), None),
    };
    let verdict =
        enough.map(|what| format!("enough for {what}")).into_iter().chain(too_few.map(|what| match enough {
            Some(_) => format!("too few for {what} ({TRAINING_PAGES} pages of several hosts)"),
            None => format!("too few {what} ({LEAST_PAGES} pages)"),
        }));
    format!(
        "Verdict: {} of {}{labelled}; {}",
        counted(check.pages, "page", "pages"),
        counted(hosts, "host", "hosts"),
        verdict.collect::<Vec<_>>().join("; ")
    )
}

fn tables(check: &CorpusCheck) -> Vec<Table> {
    let mut tables = vec![overview(check)];
    let convention = check.convention.stated();
    if !convention.is_empty() {
        let mut table = Table::new("What the references include, and who made them", ["", "stated"]);
        convention.iter().for_each(|(key, value)| table.push([Cell::text(*key), Cell::text(*value)]));
        tables.push(table);
    }
    if let Some(labels) = &check.labels {
        let mut table = Table::new("Words and texts by label", ["label", "words", "texts"]);
        for (label, &words) in &labels.words {
            table.push([Cell::text(label.name()), Cell::Count(words), Cell::Count(labels.texts[label])]);
        }
        tables.push(table);
    }
    if !check.hosts.is_empty() {
        let rows = check.hosts.iter().map(|host| [Cell::text(&host.host), Cell::Count(host.pages as u64)]);
        tables.push(list("Pages by host", ["host", "pages"], rows));
    }
    if !check.languages.is_empty() {
        let rows = check.languages.iter();
        let rows = rows.map(|(language, &pages)| [Cell::text(language), Cell::Count(pages as u64)]);
        tables.push(list("Pages by language", ["language", "pages"], rows));
    }
    if !check.duplicates.is_empty() {
        let rows = check
            .duplicates
            .iter()
            .map(|pages| [Cell::text(pages.same.name()), Cell::text(pages.pages.join(", "))]);
        tables.push(list("Pages that are there more than once", ["the same", "pages"], rows));
    }
    if !check.misfits.is_empty() {
        let rows = check.misfits.iter().map(|misfit| [Cell::text(&misfit.name), Cell::text(&misfit.reason)]);
        tables.push(list("What does not fit", ["page or file", "reason"], rows));
    }
    tables
}

/// A table of the first rows; the title says how many there are.
pub(super) fn list(title: &str, columns: [&str; 2], rows: impl ExactSizeIterator<Item = [Cell; 2]>) -> Table {
    let n = rows.len();
    let title = match n > MOST_ROWS {
        true => format!("{title}: the first {MOST_ROWS} of {n} (--json lists all)"),
        false => format!("{title}: {n}"),
    };
    let mut table = Table::new(title, columns);
    rows.take(MOST_ROWS).for_each(|row| table.push(row));
    table
}

fn overview(check: &CorpusCheck) -> Table {
    let mut table = Table::new(format!("What is in {}", check.corpus), ["", "number"]);
    let mut row = |name: &str, value: Cell| table.push([Cell::text(name), value]);
    row("pages that can be used", Cell::Count(check.pages as u64));
    row("what does not fit (listed below)", Cell::Count(check.misfits.len() as u64));
    if check.listed_as_bad > 0 {
        row("pages left out by the manifest", Cell::Count(check.listed_as_bad as u64));
    }
    row("hosts", Cell::Count(check.hosts.len() as u64));
    row("pages whose host is not known", Cell::Count(check.pages_without_host as u64));
    if let Some(found) = &check.found {
        row("references with words", Cell::Count(found.pages as u64));
        row("words of references", Cell::Count(found.words));
        row(
            "share of them that stands on the pages",
            Cell::number(found.found as f64 / found.words as f64, 4),
        );
        row("mean share of a page", Cell::number(found.mean, 4));
        for (name, share) in
            ["lowest", "at 5 %", "at 25 %", "median", "at 75 %", "highest"].iter().zip(found.quantiles)
        {
            row(&format!("share of a page, {name}"), Cell::number(share, 4));
        }
        row(&format!("pages below {}", found.trusted), Cell::Count(found.below as u64));
    }
    if let Some(comments) = &check.comments {
        row("pages with comments apart", Cell::Count(comments.pages as u64));
        row("words of comments", Cell::Count(comments.words));
        let share = comments.found as f64 / comments.words as f64;
        row("share of them that stands on the pages", Cell::number(share, 4));
    }
    if let Some(labels) = &check.labels {
        row("labelled pages", Cell::Count(labels.pages as u64));
        row("pages with text that has no label", Cell::Count(labels.pages_with_unlabelled_text as u64));
        row("texts that have no label", Cell::Count(labels.unlabelled_texts));
    }
    row("groups of pages that are one", Cell::Count(check.duplicates.len() as u64));
    table
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn the_help_states_the_limits_of_the_verdict() {
        let program = Cli::command();
        let check = program.find_subcommand("data").unwrap().find_subcommand("check").unwrap();
        let help = check.get_after_help().unwrap().to_string();
        assert!(help.contains(&format!("{LEAST_PAGES} pages are the least")), "{help}");
        assert!(help.contains(&format!("{TRAINING_PAGES} pages of several hosts")), "{help}");
    }
}
