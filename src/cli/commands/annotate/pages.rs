//! The pages that are to be labelled: of files, folders, web archives and corpora, one after another.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::annotation::{PageToLabel, page_name};
use crate::cli::commands::inputs::{
    Bounds, Source, is_archive, is_page_or_archive, list_folder, read_file, unreadable,
};
use crate::cli::data_dir::DataDir;
use crate::cli::interrupt::stop_flag;
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::dataset::{self, Document, Manifest};
use crate::error::{Error, PageProblem, Result};
use crate::progress::Progress;
use crate::warc::{Damage, HEADERS, WarcPage, WarcReader};

/// Gives each page to `take`, of each input at most so many, and says why others are left out. Gives their number.
///
/// # Errors
/// For an input that is not there, what `take` gives, and [`Error::Interrupted`].
pub(super) fn for_each(
    inputs: &[String],
    most: usize,
    bounds: &Bounds,
    data: &DataDir,
    printer: &Printer,
    take: impl FnMut(PageToLabel) -> Result<()>,
) -> Result<usize> {
    let mut pages = Pages { bounds, printer, take, left: most, left_out: 0, names: BTreeSet::new() };
    for input in inputs {
        pages.left = most;
        let path = Path::new(input);
        let first = input.split('/').next().unwrap_or_default();
        let is_corpus =
            Manifest::names().any(|known| known == first) || !path.exists() || input.ends_with(".toml");
        if is_corpus {
            let corpus = dataset::open(input, &data.path()?)?;
            pages.documents(corpus.len(), |index| corpus.read(index))?;
        } else if path.is_dir() {
            pages.folder(path)?;
        } else {
            pages.file(path, path.file_name().map_or(path, Path::new))?;
        }
    }
    printer.finish();
    Ok(pages.left_out)
}

/// A name for a page that no other has.
pub(super) fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let name = page_name(name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
    free.expect("there is no end of numbers")
}

struct Pages<'a, F> {
    bounds: &'a Bounds,
    printer: &'a Printer,
    take: F,
    /// How many pages of the input may still be taken.
    left: usize,
    left_out: usize,
    /// The names that pages have.
    names: BTreeSet<String>,
}

impl<F: FnMut(PageToLabel) -> Result<()>> Pages<'_, F> {
    /// One more page, or why it is left out.
    fn page(&mut self, name: &str, page: impl FnOnce(String) -> Result<PageToLabel>) -> Result<()> {
        if stop_flag().load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let name = free_name(name, &self.names);
        match page(name.clone()).and_then(|page| match page.page.blocks().is_empty() {
            true => Err(Error::page(page.page.id(), PageProblem::Empty)),
            false => Ok(page),
        }) {
            Ok(page) => {
                self.names.insert(name);
                self.left -= 1;
                (self.take)(page)?;
            }
            Err(error) => self.leave_out(&told(&error)),
        }
        self.printer.step();
        Ok(())
    }

    fn leave_out(&mut self, why: &str) {
        self.left_out += 1;
        self.printer.error(why);
    }

    /// A page or an archive.
    fn file(&mut self, path: &Path, name: &Path) -> Result<()> {
        if is_archive(path) {
            return self.archive(path, name);
        }
        let limits = self.bounds.limits();
        self.page(&name.to_string_lossy(), |id| {
            PageToLabel::parse(id, None, read_file(path, &limits)?, None, &limits)
        })
    }

    /// The pages of a folder, with the addresses that its index states, and its archives.
    fn folder(&mut self, folder: &Path) -> Result<()> {
        let sources = list_folder(folder, is_page_or_archive, self.printer)?;
        if sources.iter().any(|source| matches!(source, Source::File { path, .. } if !is_archive(path))) {
            let pages = dataset::open_pages(folder)?;
            let n = pages.ids_without_reference().count();
            self.documents(n, |index| pages.read_without_reference(index))?;
            self.documents(pages.len(), |index| pages.read(index))?;
        }
        for source in &sources {
            if let Source::File { path, name } = source
                && is_archive(path)
            {
                self.archive(path, name)?;
            }
        }
        Ok(())
    }

    fn archive(&mut self, path: &Path, name: &Path) -> Result<()> {
        let limits = self.bounds.limits();
        let opened = std::fs::File::open(path)
            .and_then(|file| WarcReader::new(file, limits.max_bytes as u64 + HEADERS));
        let reader = match opened {
            Ok(reader) => reader,
            Err(problem) => {
                self.leave_out(&format!("{}: {}", path.display(), unreadable(path, &problem)));
                return Ok(());
            }
        };
        let name = name.to_string_lossy();
        let stem =
            [".zst", ".gz", ".warc"].iter().fold(&*name, |name, end| name.strip_suffix(end).unwrap_or(name));
        let mut number = 0;
        for item in reader {
            if self.left == 0 {
                break;
            }
            let record = match item {
                Ok(record) => record,
                Err(Damage { offset, problem }) => {
                    self.leave_out(&format!("{}: byte {offset}: {problem}", path.display()));
                    continue;
                }
            };
            // Requests and pictures are no pages, and not left out.
            let Ok(WarcPage { url, charset, body, .. }) = record.page(limits.max_bytes) else { continue };
            number += 1;
            self.page(&format!("{stem}/{number:06}"), |id| {
                let bytes = body.map_err(|problem| Error::page(&id, problem))?;
                PageToLabel::parse(id, url, bytes, charset.as_deref(), &limits)
            })?;
        }
        Ok(())
    }

    fn documents(&mut self, n: usize, read: impl Fn(usize) -> Result<Document>) -> Result<()> {
        let n = n.min(self.left);
        self.printer.stage("reading pages", n);
        for index in 0..n {
            let limits = self.bounds.limits();
            match read(index) {
                Ok(Document { id, url, html, .. }) => {
                    self.page(&id, |id| PageToLabel::parse(id, url, html, None, &limits))?;
                }
                Err(error) => self.leave_out(&told(&error)),
            }
        }
        Ok(())
    }
}
