//! `Corpus`, labelled pages: read from disk, or made.

use std::path::PathBuf;

use duramen::dataset::labelled::{LabelledCorpus, LabelledPage};
use duramen::dataset::open;
use duramen::dataset::split::folds_by_host;
use duramen::dataset::synth::SynthConfig;
use duramen::store::default_data_dir;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::errors::{UsageError, raised};
use super::work::{guarded, run};

/// Labelled pages: a corpus of `duramen data list`, a folder of pages with their references, or pages of our own.
#[pyclass(frozen, module = "duramen._duramen")]
pub struct Corpus {
    pub corpus: LabelledCorpus,
}

#[pymethods]
impl Corpus {
    /// Reads a corpus by its name, its manifest or its folder.
    #[staticmethod]
    #[pyo3(signature = (name, data_dir = None, max_pages = None, threads = None, progress = None))]
    fn read(
        py: Python<'_>,
        name: &str,
        data_dir: Option<PathBuf>,
        max_pages: Option<usize>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        guarded(|| {
            let corpus = run(py, threads, progress, |work| {
                let data_dir = match data_dir {
                    Some(folder) => folder,
                    None => default_data_dir()?,
                };
                LabelledCorpus::read(&open(name, &data_dir)?, max_pages, true, work)
            })?;
            Ok(Corpus { corpus })
        })
    }

    /// Pages of our own, the same for the same seed.
    #[staticmethod]
    #[pyo3(signature = (sites = 40, pages_per_site = 5, seed = 0))]
    fn synthetic(py: Python<'_>, sites: usize, pages_per_site: usize, seed: u64) -> PyResult<Self> {
        guarded(|| {
            let config = SynthConfig { sites, pages_per_site, seed, ..SynthConfig::default() };
            let corpus = run(py, None, None, |_| LabelledCorpus::synthetic(&config, None, true))?;
            Ok(Corpus { corpus })
        })
    }

    fn __len__(&self) -> usize {
        self.corpus.pages.len()
    }

    /// The corpus with its checksum: what a model notes as a source.
    #[getter]
    fn source(&self) -> String {
        self.corpus.source()
    }

    /// The pages that could not be used, with the reason.
    #[getter]
    fn left_out(&self) -> Vec<(String, String)> {
        self.corpus.left_out.clone()
    }

    /// The names of the pages.
    #[getter]
    fn ids(&self) -> Vec<String> {
        self.corpus.pages.iter().map(|page| page.page.id().to_owned()).collect()
    }

    /// The addresses of the pages, as far as they are known.
    #[getter]
    fn urls(&self) -> Vec<Option<String>> {
        self.corpus.pages.iter().map(|page| page.page.url().map(str::to_owned)).collect()
    }

    /// The registered domains of the pages: what folds are grouped by.
    #[getter]
    fn hosts(&self) -> Vec<String> {
        self.corpus.pages.iter().map(|page| page.host.clone()).collect()
    }

    /// A page as it came.
    fn html<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| {
            let page = &self.page(index)?.page;
            Ok(PyBytes::new(py, &page.source().expect("sources are kept").bytes))
        })
    }

    /// The reference texts of a page, by what they include.
    fn texts<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyDict>> {
        guarded(|| {
            let dict = PyDict::new(py);
            let texts = &self.page(index)?.gold_texts;
            texts.iter().try_for_each(|(kind, text)| dict.set_item(kind.name(), text))?;
            Ok(dict)
        })
    }

    /// The fold of each page, 0 to n - 1; the pages of a host are in one.
    #[pyo3(signature = (n = 5, seed = 1))]
    fn folds(&self, n: usize, seed: u64) -> PyResult<Vec<usize>> {
        guarded(|| {
            let hosts: Vec<String> = self.corpus.pages.iter().map(|page| page.host.clone()).collect();
            folds_by_host(&hosts, n, seed).map_err(raised)
        })
    }
}

impl Corpus {
    fn page(&self, index: usize) -> PyResult<&LabelledPage> {
        let n = self.corpus.pages.len();
        let missing =
            || UsageError::new_err(format!("page {index} of a corpus of {n}; pages are numbered from 0"));
        self.corpus.pages.get(index).ok_or_else(missing)
    }

    /// These indices, if there are such pages; those of all pages if none are given.
    pub fn indices(&self, indices: Option<Vec<usize>>) -> PyResult<Vec<usize>> {
        let indices = indices.unwrap_or_else(|| (0..self.corpus.pages.len()).collect());
        indices.iter().try_for_each(|&index| self.page(index).map(drop))?;
        Ok(indices)
    }
}
