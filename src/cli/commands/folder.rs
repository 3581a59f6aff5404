//! Pages of a folder of which nothing is known.

use std::path::Path;

use rayon::prelude::*;

use super::inputs::{self, Bounds, Source};
use super::layouts::lay_out;
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::error::{Error, Result};
use crate::layout::LayoutEngine;
use crate::page::Page;
use crate::progress::Progress;

/// The pages of a folder and the folders below.
pub struct Folder {
    /// The pages.
    pub pages: Vec<Page>,
    /// How many could not be read; each was told of.
    pub left_out: usize,
}

/// Reads the pages of a folder.
///
/// # Errors
/// As [`inputs::list_folder`], and [`Error::Data`] if no page can be read.
pub fn read(
    folder: &Path,
    bounds: &Bounds,
    engine: Option<&dyn LayoutEngine>,
    printer: &Printer,
) -> Result<Folder> {
    let bounds = &bounds.keeping_source(engine.is_some());
    let sources = inputs::list_folder(folder, inputs::is_page, printer)?;
    printer.stage("reading pages", sources.len());
    let read = |source: &Source| -> Result<Page> {
        let mut page = source.read(None, bounds)?;
        lay_out(&mut page, engine)?;
        printer.step();
        Ok(page)
    };
    let read: Vec<Result<Page>> = sources.par_iter().map(read).collect();
    printer.finish();
    let mut pages = Vec::new();
    for page in read {
        match page {
            Ok(page) => pages.push(page),
            Err(error) => printer.warn(&format!("left out {}", told(&error))),
        }
    }
    if pages.is_empty() {
        return Err(Error::data(
            folder.display(),
            "none of its pages can be read",
            "give pages as HTML files",
        ));
    }
    let left_out = sources.len() - pages.len();
    Ok(Folder { pages, left_out })
}
