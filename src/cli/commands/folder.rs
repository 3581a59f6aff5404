//! Pages of a folder, some with their text beside them: what people have who label pages of their own.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::super::progress::Printer;
use super::inputs::{self, Bounds, Source};
use super::layouts::lay_out;
use crate::error::{Error, Result};
use crate::layout::LayoutEngine;
use crate::page::Page;
use crate::progress::Progress;

/// The pages of a folder and the folders below.
pub struct Folder {
    /// Each page with what stands in `page.txt` beside `page.html`, if that is there.
    pub pages: Vec<(Page, Option<String>)>,
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
    let sources = inputs::list_folder(folder)?;
    printer.stage("reading pages", sources.len());
    let read = |source: &Source| {
        let page = page_and_text(source, bounds, engine);
        printer.step();
        page
    };
    let read: Vec<Result<(Page, Option<String>)>> = sources.par_iter().map(read).collect();
    printer.finish();
    let mut pages = Vec::new();
    for page in read {
        match page {
            Ok(page) => pages.push(page),
            Err(error) => printer.warn(&format!("left out {error}")),
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

fn page_and_text(
    source: &Source,
    bounds: &Bounds,
    engine: Option<&dyn LayoutEngine>,
) -> Result<(Page, Option<String>)> {
    let mut page = source.read(None, bounds)?;
    lay_out(&mut page, engine)?;
    let read = |path: PathBuf| {
        let text = std::fs::read(&path).map_err(|error| Error::io(&path, error))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    Ok((page, text_beside(source).map(read).transpose()?))
}

/// `page.txt` of `page.html` or `page.html.gz`, if it is there.
fn text_beside(source: &Source) -> Option<PathBuf> {
    let Source::File { path, .. } = source else { return None };
    let plain =
        if path.extension().is_some_and(|end| end == "gz") { path.with_extension("") } else { path.clone() };
    Some(plain.with_extension("txt")).filter(|path: &PathBuf| Path::is_file(path))
}
