//! From when on text counts as repeated: what the options mean in all commands that have them.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::cli::progress::Printer;
use crate::document;
use crate::error::Result;
use crate::extract::repeats::RepeatList;
use crate::plural::plural;

/// The help of `--min-pages`.
pub const MIN_PAGES: &str = "Text is repeated that is on at least N pages of its site";
/// The help of `--min-share`.
pub const MIN_SHARE: &str =
    "Text is repeated that is on at least this share of the pages of its site, from 0 to 1";

/// A number of pages: 2 and up.
pub fn two_or_more(text: &str) -> std::result::Result<u64, String> {
    text.parse().ok().filter(|&number| number > 1).ok_or_else(|| "a whole number, 2 and up".to_owned())
}

/// A share.
pub fn share(text: &str) -> std::result::Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a share from 0 to 1".to_owned())
}

/// What of the repeated text is dropped.
#[derive(Debug, Clone, Args)]
pub struct DropOptions {
    /// Drop the text that a list of `duramen site-repeats --jsonl` has for the page's site [default: nothing]
    ///
    /// Not all that a site repeats is boilerplate: references have by-lines, notes on the author and notices too. Of the words that are dropped,
    /// 19 % [9, 36] stand in the reference texts of six corpora, and F1 rises by .009 [.002, .015], most of it on one of them; on
    /// three it falls, by up to .003. With --min-share 0.75 it is 16 % [8, 28] and .005 [.002, .008]. These corpora have 2 to 93 pages
    /// of a site; measure on your own before you rely on it (`experiments/site-repeats`).
    #[arg(long, value_name = "FILE")]
    drop_repeats: Option<PathBuf>,
    #[arg(long, value_name = "N", value_parser = two_or_more, requires = "drop_repeats", help = MIN_PAGES)]
    min_pages: Option<u64>,
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "drop_repeats", help = MIN_SHARE)]
    min_share: Option<f64>,
}

impl DropOptions {
    /// Asks for it.
    ///
    /// # Errors
    /// As [`RepeatList::read`].
    pub fn tell(&self, asked: &mut document::Options, printer: &Printer) -> Result<()> {
        let Some(path) = &self.drop_repeats else { return Ok(()) };
        let list = RepeatList::read(path, self.min_pages, self.min_share)?;
        let (blocks, sites) = list.counts();
        let (blocks, sites) = (plural(blocks, "repeated block"), plural(sites, "site"));
        printer.warn(&format!("{}: {blocks} of {sites} dropped", path.display()));
        asked.repeats = Some(Arc::new(list));
        Ok(())
    }
}
