//! `LabelledCorpus`: the labelled pages of a corpus, and what could not be used.

use rayon::prelude::*;

use super::layouts::LayoutRecord;
use super::page::{LabelledPage, NO_REFERENCE};
use crate::convention::Convention;
use crate::dataset::synth::{self, SynthConfig};
use crate::dataset::{self, Corpus, Document, Gold};
use crate::dom::Limits;
use crate::error::{Error, Result};
use crate::host;
use crate::page::Page;
use crate::progress::Progress;

/// Labelled pages of a corpus, and what could not be used.
#[derive(Debug)]
pub struct LabelledCorpus {
    /// The corpus's name and part.
    pub label: String,
    /// The checksum over pages and gold.
    pub checksum: String,
    /// The pages in the order of their ids.
    pub pages: Vec<LabelledPage>,
    /// Pages that could not be read or have no gold, with the reason.
    pub left_out: Vec<(String, String)>,
    /// By which engines the pages were laid out.
    pub layouts: Vec<LayoutRecord>,
    /// What the corpus states that its references include.
    pub convention: Convention,
}

impl LabelledCorpus {
    /// Reads the pages of a corpus in parallel, the first `max_pages` of them if given. A page that cannot be
    /// used is listed and does not stop the others. With `keep_sources` the pages keep their bytes, for extractors
    /// that read them.
    ///
    /// # Errors
    /// If the corpus's checksum cannot be computed or no page is left.
    pub fn read(
        corpus: &Corpus,
        max_pages: Option<usize>,
        keep_sources: bool,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let n = max_pages.unwrap_or(usize::MAX).min(corpus.len());
        progress.stage(&format!("reading {}", corpus.label()), n);
        let pages = (0..n)
            .into_par_iter()
            .map(|index| {
                let page = corpus
                    .read(index)
                    .and_then(|document| LabelledPage::read(document, &Limits::default(), keep_sources));
                progress.step();
                page
            })
            .collect();
        let mut labelled =
            Self::sort(corpus.label(), corpus.checksum()?, corpus.convention(), pages, corpus.ids())?;
        let listed = corpus.left_out().map(|page| (page.id.clone(), page.reason.clone()));
        let without = corpus.ids_without_reference().map(|id| (id.to_owned(), NO_REFERENCE.to_owned()));
        let misfits = corpus.misfits().iter().map(|misfit| (misfit.name.clone(), misfit.reason.clone()));
        labelled.left_out.extend(listed.chain(without).chain(misfits));
        Ok(labelled)
    }

    /// The pages of a synthetic corpus, the first `max_pages` of them if given.
    ///
    /// # Errors
    /// As [`synth::generate`].
    pub fn synthetic(config: &SynthConfig, max_pages: Option<usize>, keep_sources: bool) -> Result<Self> {
        let mut pages = synth::generate(config)?;
        pages.truncate(max_pages.unwrap_or(usize::MAX));
        let ids: Vec<String> = pages.iter().map(|page| page.id.clone()).collect();
        let checksum = dataset::checksum_of(
            pages.iter().map(|page| (&*page.id, &*page.original, Some(&*page.annotated))),
        );
        let documents = pages.into_par_iter().map(|page| {
            let host = host::registered_domain(&page.url).unwrap_or_default();
            let document = Document {
                id: page.id,
                url: Some(page.url),
                site: host.clone(),
                host,
                language: None,
                page_type: None,
                html: page.original,
                gold: Gold::Annotated(page.annotated),
            };
            LabelledPage::read(document, &Limits::default(), keep_sources)
        });
        let (label, ids) = ("synth".to_owned(), ids.iter().map(String::as_str));
        Self::sort(label, checksum, Convention::default(), documents.collect(), ids)
    }

    /// Pages of one's own with their text, under a label.
    pub fn from_texts(label: &str, pages: Vec<(Page, String)>) -> Self {
        let digests: Vec<String> = pages.iter().map(|(page, _)| page.dom().digest().to_string()).collect();
        let sums = digests.iter().zip(&pages);
        let sums = sums.map(|(digest, (_, text))| ("", digest.as_bytes(), Some(text.as_bytes())));
        let checksum = dataset::checksum_of(sums);
        let pages = pages.into_iter().map(|(page, text)| LabelledPage::from_text(page, text)).collect();
        LabelledCorpus {
            label: label.to_owned(),
            checksum,
            pages,
            left_out: Vec::new(),
            layouts: Vec::new(),
            convention: Convention::default(),
        }
    }

    /// The corpus with its checksum: what a model notes as a source.
    pub fn source(&self) -> String {
        format!("{}@{}", self.label, self.checksum)
    }

    fn sort<'a>(
        label: String,
        checksum: String,
        convention: Convention,
        results: Vec<Result<LabelledPage>>,
        ids: impl Iterator<Item = &'a str>,
    ) -> Result<Self> {
        let remedy = "`duramen data check` lists what is wrong with each page";
        let (pages, left_out) = usable_pages(&label, results, ids, remedy)?;
        Ok(LabelledCorpus { label, checksum, pages, left_out, layouts: Vec::new(), convention })
    }
}

/// Pages left out: their ids, each with the reason.
pub type LeftOut = Vec<(String, String)>;

/// The pages that could be read, and the ids of the others.
///
/// # Errors
/// [`Error::Data`] with `remedy` if there is none.
pub(crate) fn usable_pages<'a, T>(
    label: &str,
    results: Vec<Result<T>>,
    ids: impl Iterator<Item = &'a str>,
    remedy: &str,
) -> Result<(Vec<T>, LeftOut)> {
    let mut pages = Vec::new();
    let mut left_out = LeftOut::new();
    for (result, id) in results.into_iter().zip(ids) {
        match result {
            Ok(page) => pages.push(page),
            Err(error) => left_out.push((id.to_owned(), error.reason_for(id))),
        }
    }
    if pages.is_empty() {
        let first = left_out.first().map_or(String::new(), |(id, reason)| format!("; {id}: {reason}"));
        return Err(Error::data(label, format!("no page could be used{first}"), remedy));
    }
    Ok((pages, left_out))
}
