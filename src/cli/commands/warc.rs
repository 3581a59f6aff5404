//! `duramen data warc`: pages of corpora as a web archive.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;

use super::inputs::at_least_one;
use crate::cli::data_dir::DataDir;
use crate::cli::interrupt::stop_flag;
use crate::cli::outcome::Outcome;
use crate::cli::output::check_file;
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::dataset::synth::{self, SynthConfig};
use crate::dataset::{self, Document};
use crate::error::{Error, Result};
use crate::files::WholeFile;
use crate::plural::plural;
use crate::progress::Progress;
use crate::warc::{EPOCH, WarcWriter};

#[derive(Debug, Args)]
pub struct Options {
    /// Corpora, such as l3s-gn1; `synth` for pages of our own
    #[arg(required = true, value_name = "NAME|FILE|FOLDER")]
    names: Vec<String>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Use the first N pages of each corpus only
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    max_pages: Option<usize>,
    #[command(flatten)]
    data: DataDir,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    check_file(&options.output)?;
    let failed = |error| Error::io(&options.output, error);
    let mut writer = WarcWriter::new(WholeFile::create(&options.output)?).map_err(failed)?;
    let (mut pages, mut left_out) = (0, 0);
    for name in &options.names {
        let mut add = |id: &str, url: Option<&str>, html: &[u8]| {
            // A page must have an address; those of a corpus may have none.
            let stated = url.map_or_else(|| format!("urn:duramen:{name}:{id}"), str::to_owned);
            pages += 1;
            writer.page(&stated, EPOCH, html).map_err(failed)
        };
        let most = options.max_pages.unwrap_or(usize::MAX);
        if name == "synth" {
            for page in synth::generate(&SynthConfig::default())?.into_iter().take(most) {
                add(&page.id, Some(&page.url), &page.original)?;
            }
            continue;
        }
        let corpus = dataset::open(name, &options.data.path()?)?;
        let n = corpus.len().min(most);
        printer.stage(&format!("writing {name}"), n);
        for index in 0..n {
            match corpus.read(index) {
                Ok(Document { id, url, html, .. }) => add(&id, url.as_deref(), &html)?,
                Err(error) => {
                    printer.error(&told(&error));
                    left_out += 1;
                }
            }
            printer.step();
            if stop_flag().load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
        }
    }
    printer.finish();
    writer.into_inner().finish()?;
    let pages = plural(pages, "page");
    printer.warn(&format!("{}: {pages}, {left_out} left out", options.output.display()));
    Ok(if left_out == 0 { Outcome::Done } else { Outcome::SomeFailed })
}
