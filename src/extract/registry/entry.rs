//! `ExtractorInfo`, what the registry knows of an extractor.

use super::parameters::{Parameter, Values};
use crate::error::Result;
use crate::extract::Extractor;

/// One entry of the [list](super::list).
#[derive(Debug, Clone, Copy)]
pub struct ExtractorInfo {
    /// The name used on the command line and in results.
    pub id: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The work that describes it.
    pub reference: &'static str,
    /// What it needs that a page may come without, such as a layout or a feed; empty if any page will do.
    pub needs: &'static [&'static str],
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Whether it reads the page's bytes as they came ([`Page::source`](crate::page::Page::source)), so that a run
    /// must keep them.
    pub reads_source: bool,
    pub(crate) build: fn(&Values<'_>) -> Result<Box<dyn Extractor>>,
}
