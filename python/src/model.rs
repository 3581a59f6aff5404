//! `Model`, a trained hidden Markov tree, and `Counts`, what it learns from pages by counting.

use std::collections::BTreeMap;
use std::path::PathBuf;

use duramen::dataset::labelled::GoldText;
use duramen::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
use duramen::inference::EmConfig;
use duramen::progress::Progress;
use duramen::report::explain::{ExplainOptions, explain_html};
use duramen::scoring::{self, Measure, Metric, ScoreName};
use duramen::training::{
    AdaptSettings, KnownPage, Learning, Trainer, TrainingPage, TrainingSettings, adapt, recalibrate,
    recalibrate_if_better,
};
use duramen::{
    Error, ExtractError, Hmt, Inference, LabelSet, Limits, ModelConfig, Page, PageExtractor, PageProblem,
    Result,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

use super::content::Content;
use super::corpus::Corpus;
use super::errors::{ModelError, UsageError, raised};
use super::labels::{Given, Known, labelled};
use super::sample::Chains;
use super::work::{Work, guarded, run};

/// A trained hidden Markov tree.
#[pyclass(frozen, eq, module = "duramen._duramen")]
#[derive(PartialEq)]
pub struct Model {
    pub model: duramen::Model,
}

/// A configuration: the name of a preset, or TOML.
fn config_of(config: &str) -> Result<ModelConfig> {
    if !config.contains('\n') && !config.contains('=') {
        return ModelConfig::preset(config);
    }
    let config: ModelConfig =
        toml::from_str(config).map_err(|error| Error::from_toml("config", &error, "docs/MODEL.md"))?;
    config.check()?;
    Ok(config)
}

fn of_bytes(bytes: &[u8], subject: &str) -> PyResult<duramen::Model> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| ModelError::new_err(format!("{subject}: it is not text")))?;
    duramen::Model::from_json(text, subject).map_err(raised)
}

/// The pages to learn from: a corpus, or pages with what is known of them.
enum Pages<'a> {
    Corpus(&'a LabelledCorpus, Vec<usize>),
    Given(Given, String),
}

impl<'a> Pages<'a> {
    fn new(
        pages: &'a Bound<'_, PyAny>,
        labels: Option<Vec<Bound<'_, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        ids: Option<Vec<String>>,
        indices: Option<Vec<usize>>,
        source: &str,
    ) -> PyResult<Self> {
        if let Ok(corpus) = pages.cast::<Corpus>() {
            if labels.is_some() || urls.is_some() || ids.is_some() {
                return Err(UsageError::new_err(
                    "labels, urls and ids have no effect on a corpus, which has its own; leave them out",
                ));
            }
            let corpus = corpus.get();
            return Ok(Pages::Corpus(&corpus.corpus, corpus.indices(indices)?));
        }
        if indices.is_some() {
            return Err(UsageError::new_err("indices are of the pages of a corpus; give fewer pages"));
        }
        let pages: Vec<Bound<'_, PyAny>> = pages.try_iter()?.collect::<PyResult<_>>()?;
        Ok(Pages::Given(Given::new(pages, labels, urls, ids)?, source.to_owned()))
    }

    /// Lets `learn` have the pages, aligned.
    fn with<T>(&self, work: &Work, learn: impl FnOnce(Vec<TrainingPage<'_>>) -> Result<T>) -> Result<T> {
        let (given, source) = match self {
            Pages::Corpus(corpus, indices) => {
                let (aligned, left_out) = TrainingPage::from_pages(corpus, indices, work);
                return match left_out.into_iter().next() {
                    None => learn(aligned),
                    Some((page, problem)) => Err(Error::page(page, PageProblem::Failed(problem))),
                };
            }
            Pages::Given(pages, source) => (pages.labelled(work)?, source),
        };
        work.stage("aligning", given.len());
        let aligned: Vec<TrainingPage<'_>> = given
            .par_iter()
            .map(|page| {
                let aligned = TrainingPage::new(page, source);
                work.step();
                aligned.map_err(|problem| Error::page(page.page.id(), problem))
            })
            .collect::<Result<_>>()?;
        learn(aligned)
    }
}

#[pymethods]
impl Model {
    /// A model that is in the package, or fetched by `duramen model fetch`: web, web-blocks and others.
    #[staticmethod]
    #[pyo3(signature = (name = "web"))]
    fn bundled(py: Python<'_>, name: &str) -> PyResult<Self> {
        guarded(|| {
            let known = duramen::model::known::KnownModel::find(name).map_err(raised)?;
            let model = py.detach(|| duramen::Model::by_name(known.name)).map_err(raised)?;
            Ok(Model { model })
        })
    }

    /// A model from its file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        guarded(|| Ok(Model { model: py.detach(|| duramen::Model::load(&path)).map_err(raised)? }))
    }

    /// Writes the model's file, which the program reads as well; atomically: aside, then renamed.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        guarded(|| py.detach(|| self.model.save(&path)).map_err(raised))
    }

    /// A model from the bytes of its file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        guarded(|| Ok(Model { model: of_bytes(bytes, "the bytes of a model")? }))
    }

    /// The bytes of the model's file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| Ok(PyBytes::new(py, self.model.to_json().as_bytes())))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        guarded(|| Ok((py.get_type::<Model>().getattr("from_bytes")?, (self.to_bytes(py)?,))))
    }

    /// The SHA-256 of what was learned: equal for equal models.
    #[getter]
    fn sha256(&self) -> PyResult<String> {
        guarded(|| Ok(self.model.digest()))
    }

    /// The number of pages that it learned from.
    #[getter]
    fn n_pages(&self) -> u64 {
        self.model.pages()
    }

    /// The number of pages by source.
    #[getter]
    fn sources(&self) -> BTreeMap<String, u64> {
        self.model.sources().clone()
    }

    /// The names of its hidden states.
    #[getter]
    fn states(&self) -> Vec<String> {
        let space = self.model.config().states;
        (0..space.len()).map(|state| space.name(state).to_owned()).collect()
    }

    /// Its features.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.model.config().features.iter().map(|feature| feature.id.clone()).collect()
    }

    /// Whether it has learned weights over its counts; if not, it can be sampled from.
    #[getter]
    fn has_weights(&self) -> bool {
        self.model.layers().weights.is_some()
    }

    fn __repr__(&self) -> String {
        let weights = if self.model.layers().weights.is_some() { "with" } else { "without" };
        format!(
            "Model({} pages, {} features, {weights} learned weights, sha256 {}...)",
            self.model.pages(),
            self.model.config().features.len(),
            &self.model.digest()[..12]
        )
    }

    /// The counts alone, without learned weights: the generative model.
    fn without_weights(&self) -> Self {
        Model { model: self.model.clone().without_layer::<duramen::model::Weights>() }
    }

    /// What the model was counted from. Equal counts have equal bytes.
    #[getter]
    fn counts(&self) -> PyResult<Counts> {
        guarded(|| match self.model.config().boosted {
            Some(_) => Err(raised(no_parts())),
            None => Ok(Counts { model: self.model.clone().without_layer::<duramen::model::Weights>() }),
        })
    }

    /// Trains a model.
    #[staticmethod]
    #[pyo3(signature = (pages, labels = None, *, urls = None, ids = None, indices = None, config = "blocks", weights = None,
                        em_iterations = None, empirical_priors = false, source = "pages", threads = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn train(
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        labels: Option<Vec<Bound<'_, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        ids: Option<Vec<String>>,
        indices: Option<Vec<usize>>,
        config: &str,
        weights: Option<bool>,
        em_iterations: Option<u32>,
        empirical_priors: bool,
        source: &str,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        guarded(|| {
            let config = config_of(config).map_err(raised)?;
            let learns = weights.unwrap_or(config.boosted.is_some());
            let mut settings =
                if learns { Learning::default().settings() } else { TrainingSettings::default() };
            settings.empirical_priors = empirical_priors;
            if let Some(iterations) = em_iterations {
                settings.em = Some(EmConfig { iterations, ..EmConfig::default() });
            }
            let pages = Pages::new(pages, labels, urls, ids, indices, source)?;
            let model = run(py, threads, progress, |work| {
                pages.with(work, |pages| {
                    Ok(Trainer::new(config, settings)?.train(&pages, &[], work)?.not_empty()?.model)
                })
            })?;
            Ok(Model { model })
        })
    }

    /// Counts pages: what training does with a part of the pages, for counts that are added up anywhere.
    #[staticmethod]
    #[pyo3(signature = (pages, labels = None, *, urls = None, ids = None, indices = None, config = "blocks", source = "pages",
                        threads = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn count(
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        labels: Option<Vec<Bound<'_, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        ids: Option<Vec<String>>,
        indices: Option<Vec<usize>>,
        config: &str,
        source: &str,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Counts> {
        guarded(|| {
            let config = config_of(config).map_err(raised)?;
            if config.boosted.is_some() {
                return Err(raised(no_parts()));
            }
            let pages = Pages::new(pages, labels, urls, ids, indices, source)?;
            let model =
                run(py, threads, progress, |work| pages.with(work, |pages| count(&config, pages, work)))?;
            Ok(Counts { model })
        })
    }

    /// The model of counts: the same as one that was trained on all their pages.
    #[staticmethod]
    #[pyo3(signature = (counts, *, empirical_priors = false))]
    fn from_counts(counts: &Bound<'_, Counts>, empirical_priors: bool) -> PyResult<Self> {
        guarded(|| {
            let model = counts.get().model.clone();
            let model = if empirical_priors { model.with_empirical_priors().map_err(raised)? } else { model };
            Ok(Model { model })
        })
    }

    /// Adapts the model to a site, by what its pages agree on and what is known of them.
    #[pyo3(signature = (pages, labels = None, *, urls = None, strength = None, label_weight = None, threads = None,
                        progress = None))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn adapt(
        &self,
        py: Python<'_>,
        pages: Vec<Bound<'_, PyAny>>,
        labels: Option<Vec<Bound<'_, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        strength: Option<f64>,
        label_weight: Option<f64>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        guarded(|| {
            let given = Given::new(pages, labels, urls, None)?;
            let model = run(py, threads, progress, |work| {
                let settings = AdaptSettings { strength, label_weight };
                settings.check()?;
                let known = |(page, known): (Page, &Known)| match known {
                    Known::Nothing => Ok(KnownPage::unknown(page)),
                    known => labelled(page, known).map(KnownPage::known),
                };
                let pages: Vec<KnownPage> =
                    given.parse(work)?.into_par_iter().map(known).collect::<Result<_>>()?;
                let adapted = adapt(&self.model, &pages, settings, work)?;
                adapted.describe("the model", "adapt", 0).iter().for_each(|line| work.note(line));
                Ok(adapted.model)
            })?;
            Ok(Model { model })
        })
    }

    /// The model with the line between content and the rest where the references of these pages draw it.
    #[pyo3(signature = (pages, labels = None, *, urls = None, indices = None, always = false, threads = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn recalibrate(
        &self,
        py: Python<'_>,
        pages: &Bound<'_, PyAny>,
        labels: Option<Vec<Bound<'_, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        indices: Option<Vec<usize>>,
        always: bool,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        guarded(|| {
            let pages = Pages::new(pages, labels, urls, None, indices, "pages")?;
            let model = run(py, threads, progress, |work| {
                pages.with(work, |pages| {
                    if always {
                        return Ok(recalibrate(&self.model, &pages, work)?.model);
                    }
                    let (recalibrated, held_out) = recalibrate_if_better(&self.model, &pages, work)?;
                    if let Some(held_out) = held_out {
                        let taken = if held_out.taken.is_none() { "; kept as it is" } else { "" };
                        work.note(&format!("{}{taken}", held_out.describe("recalibrated")));
                    }
                    Ok(recalibrated.model)
                })
            })?;
            Ok(Model { model })
        })
    }

    /// The F1 of words of the article that the model extracts from each page of a corpus, with the F1 that it expects: tuples
    /// of page, host, F1 (None where a page has no reference text or failed) and confidence.
    #[pyo3(signature = (corpus, indices = None, threads = None, progress = None))]
    #[expect(clippy::type_complexity, reason = "rows, which Score in Python names")]
    fn score(
        &self,
        py: Python<'_>,
        corpus: &Bound<'_, Corpus>,
        indices: Option<Vec<usize>>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(String, String, Option<f64>, Option<f64>)>> {
        guarded(|| {
            let corpus = corpus.get();
            let pages = corpus.indices(indices)?;
            let pages: Vec<&LabelledPage> = pages.into_iter().map(|i| &corpus.corpus.pages[i]).collect();
            run(py, threads, progress, |work| {
                let hmt = Hmt::new("hmt", self.model.clone(), Inference::Exact)?;
                work.stage("scoring", pages.len());
                let score = |page: &&LabelledPage| {
                    let extraction = hmt.extract_page(&page.page).ok();
                    let scores = scoring::score(page, extraction.as_ref(), &[Metric::WordsAndCharacters]);
                    work.step();
                    let name =
                        |gold: GoldText| ScoreName::from_text(Metric::WordsAndCharacters, gold, Measure::F1);
                    let f1 = scores.texts.keys().next().and_then(|&gold| name(gold).of(&scores));
                    (page.page.id().to_owned(), page.host.clone(), f1, scores.confidence)
                };
                Ok(pages.par_iter().map(score).collect())
            })
        })
    }

    /// A page with every block colored by label, and the reasons for each, as one HTML file.
    #[pyo3(signature = (content, *, url = None, id = None))]
    fn explain_html(
        &self,
        py: Python<'_>,
        content: &Bound<'_, PyAny>,
        url: Option<String>,
        id: Option<String>,
    ) -> PyResult<String> {
        guarded(|| {
            let content = Content::of(content)?;
            let id = id.or_else(|| url.clone()).unwrap_or_else(|| "page".to_owned());
            run(py, Some(1), None, |_| {
                let page = content.bytes().page(&id, url, None, false, &Limits::default())?;
                let hmt = Hmt::new("hmt", self.model.clone(), Inference::Exact)?;
                let extraction = hmt.extract_page(&page).map_err(|error| failed(&page, error))?;
                let options = ExplainOptions { keep: LabelSet::ARTICLE, ..ExplainOptions::default() };
                Ok(explain_html(&page, &hmt, &extraction, &options))
            })
        })
    }

    /// Runs chains over the states of pages and the parameters, and writes what they drew as a zarr store in ArviZ's layout.
    #[pyo3(signature = (store, pages, labels, urls, ids, chains, sweeps, burn_in, thin, seed, kernel, parameters, start,
                        states, all_states, keep_states, until_rhat, max_sweeps, threads, progress))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn sample_to(
        &self,
        py: Python<'_>,
        store: PathBuf,
        pages: Vec<Bound<'_, PyAny>>,
        labels: Option<String>,
        urls: Option<Vec<Option<String>>>,
        ids: Option<Vec<String>>,
        chains: u32,
        sweeps: u32,
        burn_in: u32,
        thin: u32,
        seed: u64,
        kernel: Option<String>,
        parameters: Option<String>,
        start: String,
        states: Option<Vec<String>>,
        all_states: bool,
        keep_states: bool,
        until_rhat: Option<f64>,
        max_sweeps: Option<u32>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        guarded(|| {
            let given = Given::new(pages, None, urls, ids)?;
            let chains = Chains {
                chains,
                sweeps,
                burn_in,
                thin,
                seed,
                kernel,
                parameters,
                start,
                states,
                all_states,
                keep_states,
                until_rhat,
                max_sweeps,
            };
            run(py, threads, progress, |work| {
                chains.run(&self.model, &given, labels.as_deref(), &store, work)
            })
        })
    }
}

/// A model of counts alone; pages with a reference text count where it was found.
fn count(config: &ModelConfig, pages: Vec<TrainingPage<'_>>, work: &Work) -> Result<duramen::Model> {
    // Apart, since what a text teaches depends on whether there are labels beside it, and parts must add up.
    let (texts, labelled): (Vec<TrainingPage<'_>>, Vec<TrainingPage<'_>>) =
        pages.into_iter().partition(|page| matches!(page.labelled.gold, PageGold::Text(_)));
    let of_texts = TrainingSettings { em: Some(EmConfig::default()), ..TrainingSettings::default() };
    let mut model = duramen::Model::new(config.clone())?;
    for (pages, settings) in [(labelled, TrainingSettings::default()), (texts, of_texts)] {
        if !pages.is_empty() {
            model.merge(&Trainer::new(config.clone(), settings)?.count(&pages, &[], work)?.model)?;
        }
    }
    Ok(model)
}

fn failed(page: &Page, error: ExtractError) -> Error {
    match error {
        ExtractError::Page(problem) => Error::page(page.id(), problem),
        other => Error::page(page.id(), PageProblem::Failed(other.to_string())),
    }
}

fn no_parts() -> Error {
    Error::usage(
        "a model with boosted scores cannot be counted by parts: its trees are grown of all pages",
        "count with the configuration blocks or thesis, or train on all pages",
    )
}

/// What pages teach a model: numbers that add up exactly, in any order.
#[pyclass(frozen, eq, module = "duramen._duramen")]
#[derive(PartialEq)]
pub struct Counts {
    model: duramen::Model,
}

#[pymethods]
impl Counts {
    /// Both together, as if all their pages had been counted at once.
    fn merge(&self, other: &Bound<'_, Counts>) -> PyResult<Self> {
        guarded(|| {
            let mut model = self.model.clone();
            model.merge(&other.get().model).map_err(raised)?;
            Ok(Counts { model })
        })
    }

    fn __add__(&self, other: &Bound<'_, Counts>) -> PyResult<Self> {
        guarded(|| self.merge(other))
    }

    /// Counts from their bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        guarded(|| {
            let model = of_bytes(bytes, "the bytes of counts")?;
            match model.layers().weights.is_some() || model.config().boosted.is_some() {
                true => Err(ModelError::new_err(
                    "the bytes of counts: they are of a model that learned more than counts",
                )),
                false => Ok(Counts { model }),
            }
        })
    }

    /// The bytes: those of the file of the counted model.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| Ok(PyBytes::new(py, self.model.to_json().as_bytes())))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        guarded(|| Ok((py.get_type::<Counts>().getattr("from_bytes")?, (self.to_bytes(py)?,))))
    }

    /// The SHA-256 of the counts: equal for equal counts.
    #[getter]
    fn sha256(&self) -> PyResult<String> {
        guarded(|| Ok(self.model.digest()))
    }

    /// The number of pages.
    #[getter]
    fn n_pages(&self) -> u64 {
        self.model.pages()
    }

    /// The number of nodes.
    #[getter]
    fn n_nodes(&self) -> u64 {
        self.model.counts().nodes
    }

    fn __repr__(&self) -> String {
        let digest = self.model.digest();
        format!(
            "Counts({} pages, {} nodes, sha256 {}...)",
            self.model.pages(),
            self.model.counts().nodes,
            &digest[..12]
        )
    }
}
