//! `Model`, a trained hidden Markov tree, and `Counts`, what it learns from pages by counting.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

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
    Error, Hmt, Inference, LabelSet, Limits, ModelConfig, Page, PageExtractor, PageProblem, Result,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};
use rayon::prelude::*;

use super::content::Content;
use super::corpus::Corpus;
use super::errors::{ModelError, UsageError, raised};
use super::labels::{GivenPages, PageReference, labelled};
use super::sample::Chains;
use super::work::{Work, guarded, run};

/// A trained hidden Markov tree: what `duramen.Model` has from Rust. A method that gives a model gives one of the class that it is
/// called on.
#[pyclass(frozen, eq, subclass, module = "duramen._duramen")]
#[derive(PartialEq)]
pub struct Model {
    pub model: Arc<duramen::Model>,
}

/// A model as an instance of `class`.
fn made<'py>(class: &Bound<'py, PyType>, model: duramen::Model) -> PyResult<Bound<'py, PyAny>> {
    class.call1((Model { model: Arc::new(model) },))
}

/// A configuration: the name of a preset, or TOML.
fn config_of(config: &str) -> Result<ModelConfig> {
    if !config.contains('\n') && !config.contains('=') {
        return ModelConfig::preset(config);
    }
    ModelConfig::from_toml(config, "config")
}

fn of_bytes(bytes: &[u8], subject: &str) -> PyResult<duramen::Model> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| ModelError::new_err(format!("{subject}: it is not text")))?;
    duramen::Model::from_json(text, subject).map_err(raised)
}

/// The pages to learn from: a corpus, or pages with what is known of them.
enum Pages<'a> {
    Corpus(&'a LabelledCorpus, Vec<usize>),
    Listed(GivenPages, String),
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
        Ok(Pages::Listed(GivenPages::new(pages, labels, urls, ids)?, source.to_owned()))
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
            Pages::Listed(pages, source) => (pages.labelled(work)?, source),
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
    #[new]
    fn new(model: &Bound<'_, Model>) -> Self {
        Model { model: model.get().model.clone() }
    }

    /// A model that is in the package (`web`, `web-blocks`) or was fetched by `duramen model fetch`.
    #[classmethod]
    #[pyo3(signature = (name = "web"))]
    fn bundled<'py>(class: &Bound<'py, PyType>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let known = duramen::model::known::KnownModel::find(name).map_err(raised)?;
            made(class, class.py().detach(|| duramen::Model::by_name(known.name)).map_err(raised)?)
        })
    }

    /// A model from its file.
    #[classmethod]
    fn load<'py>(class: &Bound<'py, PyType>, path: PathBuf) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| made(class, class.py().detach(|| duramen::Model::load(&path)).map_err(raised)?))
    }

    /// Writes the model's file, which the program reads as well; atomically: aside, then renamed.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        guarded(|| py.detach(|| self.model.save(&path)).map_err(raised))
    }

    /// A model from the bytes of its file.
    #[classmethod]
    fn from_bytes<'py>(class: &Bound<'py, PyType>, data: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| made(class, of_bytes(data, "the bytes of a model")?))
    }

    /// The bytes of the model's file; equal models have equal bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        guarded(|| Ok(PyBytes::new(py, self.model.to_json().as_bytes())))
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        guarded(|| Ok((this.get_type().getattr("from_bytes")?, (this.get().to_bytes(this.py())?,))))
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

    /// The names of its features.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.model.config().features.iter().map(|feature| feature.id.clone()).collect()
    }

    /// Whether it has learned weights over its counts; without, it can be sampled from.
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
    fn without_weights<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| made(&this.get_type(), counted(&this.get().model)))
    }

    /// What the model was counted from. Not of models with boosted scores.
    #[getter]
    fn counts(&self) -> PyResult<Counts> {
        guarded(|| match self.model.config().boosted {
            Some(_) => Err(raised(no_parts())),
            None => Ok(Counts { model: counted(&self.model) }),
        })
    }

    /// Trains a model on pages with what is known of their text.
    ///
    /// Args:
    ///     pages: A `Corpus`, or the pages.
    ///     labels: What is known of each page, see `Known`.
    ///     urls: Addresses of the pages: folds are grouped by their hosts.
    ///     ids: Names of the pages in errors.
    ///     indices: Of a corpus the pages to train on; default all.
    ///     config: `blocks`, `thesis`, `boosted`, or a configuration as TOML.
    ///     weights: Learn weights over the counts; default for `boosted` alone. Needs pages of two hosts.
    ///     em_iterations: The most iterations of EM over pages whose labels are not all known; default none.
    ///     empirical_priors: Take the priors that make the counts most probable.
    ///     source: What the model notes as the source of its pages.
    ///     threads: Default one for each core. The model is the same for any number.
    ///     progress: True for a bar, by tqdm, or a function that is called with stage, done and steps.
    ///
    /// Raises:
    ///     UsageError: Labels do not fit their pages, or cannot be used as asked for.
    ///     PageError: A page cannot be read, or its labels not placed on it.
    #[classmethod]
    #[pyo3(signature = (pages, labels = None, *, urls = None, ids = None, indices = None, config = "blocks", weights = None,
                        em_iterations = None, empirical_priors = false, source = "pages", threads = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn train<'py>(
        class: &Bound<'py, PyType>,
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
    ) -> PyResult<Bound<'py, PyAny>> {
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
            let model = run(class.py(), threads, progress, |work| {
                pages.with(work, |pages| {
                    Ok(Trainer::new(config, settings)?.train(pages, &[], work)?.not_empty()?.model)
                })
            })?;
            made(class, model)
        })
    }

    /// Counts pages: what training does with a part of them. Counts are whole numbers and add up exactly, in any order, so
    /// that parts may be counted anywhere: `Model.from_counts(a.merge(b))` is the model of both.
    ///
    /// Of a page with a text the words found on it count as content, its headline apart; a page on which too little of the text
    /// is found is not counted (`Counts.n_pages`).
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
    #[classmethod]
    #[pyo3(signature = (counts, *, empirical_priors = false))]
    fn from_counts<'py>(
        class: &Bound<'py, PyType>,
        counts: &Bound<'_, Counts>,
        empirical_priors: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let model = counts.get().model.clone();
            let model = if empirical_priors { model.with_empirical_priors().map_err(raised)? } else { model };
            made(class, model)
        })
    }

    /// The model adapted to a site, by what its pages agree on and what is known of some of them.
    ///
    /// With the text or labels of five pages or more these are held out in turn, and the model comes back as it is if
    /// adapting makes its text no better there; `strength`, where it is given, is used whatever they say.
    #[pyo3(signature = (pages, labels = None, *, urls = None, strength = None, label_weight = None, threads = None,
                        progress = None))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn adapt<'py>(
        this: &Bound<'py, Self>,
        pages: &Bound<'_, PyAny>,
        labels: Option<Vec<Bound<'_, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        strength: Option<f64>,
        label_weight: Option<f64>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let model = &*this.get().model;
            let given = GivenPages::new(pages.try_iter()?.collect::<PyResult<_>>()?, labels, urls, None)?;
            let model = run(this.py(), threads, progress, |work| {
                let settings = AdaptSettings { strength, label_weight };
                settings.check()?;
                let known = |(page, known): (Page, &PageReference)| match known {
                    PageReference::Nothing => Ok(KnownPage::unknown(page)),
                    known => labelled(page, known).map(KnownPage::known),
                };
                let pages: Vec<KnownPage> =
                    given.parse(work)?.into_par_iter().map(known).collect::<Result<_>>()?;
                let adapted = adapt(model, &pages, settings, work)?;
                adapted.describe("the model", "adapt", 0).iter().for_each(|line| work.note(line));
                Ok(adapted.model)
            })?;
            made(&this.get_type(), model)
        })
    }

    /// The model with the line between content and the rest where the references of these pages draw it.
    ///
    /// Five pages or more are held out in turn, and the model comes back as it is if its text gets no better there, unless
    /// `always`.
    #[pyo3(signature = (pages, labels = None, *, urls = None, indices = None, always = false, threads = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn recalibrate<'py>(
        this: &Bound<'py, Self>,
        pages: &Bound<'_, PyAny>,
        labels: Option<Vec<Bound<'_, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        indices: Option<Vec<usize>>,
        always: bool,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let model = &*this.get().model;
            let pages = Pages::new(pages, labels, urls, None, indices, "pages")?;
            let model = run(this.py(), threads, progress, |work| {
                pages.with(work, |pages| {
                    if always {
                        return Ok(recalibrate(model, &pages, work)?.model);
                    }
                    let (recalibrated, held_out) = recalibrate_if_better(model, &pages, work)?;
                    if let Some(held_out) = held_out {
                        let taken = if held_out.taken.is_none() { "; kept as it is" } else { "" };
                        work.note(&format!("{}{taken}", held_out.describe("recalibrated")));
                    }
                    Ok(recalibrated.model)
                })
            })?;
            made(&this.get_type(), model)
        })
    }

    /// How good the article is that the model extracts from each page of a corpus, or from the pages of these indices.
    #[pyo3(signature = (corpus, indices = None, *, threads = None, progress = None))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        corpus: &Bound<'_, Corpus>,
        indices: Option<Vec<usize>>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        guarded(|| {
            let corpus = corpus.get();
            let pages = corpus.indices(indices)?;
            let pages: Vec<&LabelledPage> = pages.into_iter().map(|i| &corpus.corpus.pages[i]).collect();
            let rows: Vec<(String, String, Option<f64>, Option<f64>)> = run(py, threads, progress, |work| {
                let hmt = Hmt::new("hmt", (*self.model).clone(), Inference::Exact)?;
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
            })?;
            let score = py.import("duramen._model")?.getattr("Score")?;
            rows.into_iter().map(|row| score.call1(row)).collect()
        })
    }

    /// A page with every block colored by label, and the reasons for each, as one HTML file.
    #[pyo3(name = "_explain_html", signature = (content, *, url = None, id = None))]
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
                let hmt = Hmt::new("hmt", (*self.model).clone(), Inference::Exact)?;
                let extraction = hmt.extract_page(&page).map_err(|error| error.on(&page))?;
                let options = ExplainOptions { keep: LabelSet::ARTICLE, ..ExplainOptions::default() };
                Ok(explain_html(&page, &hmt, &extraction, &options))
            })
        })
    }

    /// Runs chains of the Gibbs sampler over the states of pages and the parameters.
    ///
    /// Args:
    ///     pages: One page, or several, which share the parameters.
    ///     node_labels: What is known of nodes: `{"xpath": "//h1", "states": ["headline"]}`, with `"page"` for one page alone.
    ///     urls: Addresses of the pages.
    ///     ids: Names of the pages.
    ///     chains: Chains of the sampler.
    ///     sweeps: Sweeps of each chain.
    ///     burn_in: Sweeps at the beginning of each chain that are left out.
    ///     thin: Of the sweeps after burn-in, every how many is kept.
    ///     seed: Seed of all random numbers; the same gives the same draws at any number of threads.
    ///     kernel: `single-site` or `blocked`; default blocked, with labels of all siblings single-site.
    ///     parameters: `fixed`, `after-sweep`, `uncollapsed` or `collapsed`.
    ///     start: `uniform` or `dispersed`.
    ///     states: Labels that text may have, such as `["headline", "full-text"]`; default those that the model has counts of,
    ///         which the logger `duramen` tells if others are left out. The mixed states of inner nodes stay.
    ///     all_states: Sample also states that the model has no counts of, which chains exchange with each other.
    ///     keep_states: Keep the states of all nodes for every draw.
    ///     until_rhat: Go on, in steps of `sweeps`, until the largest R-hat is below this.
    ///     max_sweeps: The most sweeps with `until_rhat`.
    ///     store: Folder of a zarr store to write to; default one that is removed.
    ///     threads: Default one for each core.
    ///     progress: True for a bar, by tqdm, or a function that is called with stage, done and steps.
    ///
    /// Returns:
    ///     The draws as ArviZ has them: InferenceData, or from ArviZ 1 on an xarray DataTree. Needs arviz and zarr.
    ///
    /// Raises:
    ///     UsageError: The model has learned weights, which are no part of what is sampled; or a setting is wrong.
    #[pyo3(signature = (pages, *, node_labels = None, urls = None, ids = None, chains = 4, sweeps = 4000, burn_in = 1000,
                        thin = 1, seed = 1, kernel = None, parameters = None, start = "dispersed", states = None,
                        all_states = false, keep_states = false, until_rhat = None, max_sweeps = None, store = None,
                        threads = None, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "options of one piece of work")]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        pages: &Bound<'py, PyAny>,
        node_labels: Option<Vec<Bound<'py, PyAny>>>,
        urls: Option<Vec<Option<String>>>,
        ids: Option<Vec<String>>,
        chains: u32,
        sweeps: u32,
        burn_in: u32,
        thin: u32,
        seed: u64,
        kernel: Option<String>,
        parameters: Option<String>,
        start: &str,
        states: Option<Vec<String>>,
        all_states: bool,
        keep_states: bool,
        until_rhat: Option<f64>,
        max_sweeps: Option<u32>,
        store: Option<PathBuf>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let pages = match pages.is_instance_of::<PyString>() || pages.is_instance_of::<PyBytes>() {
                true => vec![pages.clone()],
                false => pages.try_iter()?.collect::<PyResult<_>>()?,
            };
            let given = GivenPages::new(pages, None, urls, ids)?;
            let json = py.import("json")?;
            let line = |label: Bound<'py, PyAny>| {
                json.call_method1("dumps", (py.get_type::<PyDict>().call1((label,))?,))?.extract::<String>()
            };
            let lines = node_labels.map(|labels| labels.into_iter().map(line).collect::<PyResult<Vec<_>>>());
            let labels = lines.transpose()?.map(|lines| lines.join("\n"));
            let chains = Chains {
                chains,
                sweeps,
                burn_in,
                thin,
                seed,
                kernel,
                parameters,
                start: start.to_owned(),
                states,
                all_states,
                keep_states,
                until_rhat,
                max_sweeps,
            };
            let folder = py.import("tempfile")?.call_method0("TemporaryDirectory")?;
            let store = match store {
                Some(store) => store,
                None => folder.getattr("name")?.extract::<PathBuf>()?.join("draws.zarr"),
            };
            let ran = run(py, threads, progress, |work| {
                chains.run(&self.model, &given, labels.as_deref(), &store, work)
            });
            let draws = ran.and_then(|()| py.import("duramen._model")?.call_method1("_open_draws", (store,)));
            folder.call_method0("cleanup")?;
            draws
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

/// The counts of a model, without learned weights.
fn counted(model: &duramen::Model) -> duramen::Model {
    model.clone().without_layer::<duramen::model::Weights>()
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
