//! `duramen data overlap`: the hosts and pages that corpora share.

use clap::Args;

use super::check::list;
use super::corpora;
use crate::cli::data_dir::DataDir;
use crate::cli::outcome::Outcome;
use crate::cli::output::print;
use crate::cli::progress::Printer;
use crate::dataset::{self, Corpus, Overlap};
use crate::error::Result;
use crate::report::{Cell, Table};

#[derive(Debug, Args)]
pub struct Options {
    /// Folders of pages, manifests, or names of corpora
    #[arg(required = true, num_args = 2.., value_name = "FOLDER|FILE|NAME")]
    corpora: Vec<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataDir,
}

/// Compares each two of the corpora.
pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let data_dir = options.data.path()?;
    // All are looked for before any is read: a missing one is heard of at once.
    let open = |name: &String| corpora::open(name, &data_dir, printer);
    let corpora: Vec<Corpus> = options.corpora.iter().map(open).collect::<Result<_>>()?;
    let overlaps = dataset::overlaps(&corpora, printer);
    printer.finish();
    let overlaps = overlaps?;
    match options.json {
        true => {
            let text = serde_json::to_string_pretty(&overlaps).expect("names and numbers are JSON");
            print(&format!("{text}\n"))?;
        }
        false => {
            let text = |table: &Table| format!("{}\n\n{}", table.title(), table.to_markdown());
            print(&tables(&overlaps).iter().map(text).collect::<Vec<_>>().join("\n"))?;
        }
    }
    Ok(Outcome::Done)
}

fn tables(overlaps: &[Overlap]) -> Vec<Table> {
    let columns = ["corpus", "and", "shared hosts", "pages of them", "and", "shared pages"];
    let mut all = Table::new("What each two corpora share", columns);
    for Overlap { corpora: [a, b], hosts, pages } in overlaps {
        let of = |side: usize| Cell::Count(hosts.iter().map(|host| host.pages[side] as u64).sum());
        let (n_hosts, n_pages) = (Cell::Count(hosts.len() as u64), Cell::Count(pages.len() as u64));
        all.push([Cell::text(a), Cell::text(b), n_hosts, of(0), of(1), n_pages]);
    }
    let mut tables = vec![all];
    for Overlap { corpora: [a, b], hosts, pages } in overlaps {
        if !hosts.is_empty() {
            let pages = |pages: [usize; 2]| Cell::text(format!("{} and {}", pages[0], pages[1]));
            let rows = hosts.iter().map(|host| [Cell::text(&host.host), pages(host.pages)]);
            tables.push(list(&format!("Hosts that {a} and {b} share"), ["host", "pages"], rows));
        }
        if !pages.is_empty() {
            let both = |pages: &[String; 2]| Cell::text(format!("{} and {}", pages[0], pages[1]));
            let rows = pages.iter().map(|page| [Cell::text(page.same.name()), both(&page.pages)]);
            tables.push(list(&format!("Pages that {a} and {b} share"), ["the same", "pages"], rows));
        }
    }
    tables
}
