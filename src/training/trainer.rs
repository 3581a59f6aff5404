//! `Trainer`: a model from labelled pages, pages with a reference text and pages without labels.
//!
//! 1. **Scores.** If the model has features such as `content-score`, their trees are grown; each page gets its scores from
//!    trees that have not seen its site.
//! 2. **Counts.** Labelled pages are counted; what other pages permit is counted as EM expects it to be. Without any
//!    labelled page or model to start from, text in a gold counts as full text, and headings that show its title as
//!    headline.
//! 3. **Priors**, if empirical ones are asked for.
//! 4. **Weights.** Exponents and, from there, changes of the tables are learned by the marginal likelihood of what is
//!    known, each time with another fold held out to end it, and averaged; then how far the model's own confidence can be
//!    believed.
//!
//! Folds are by host throughout; nothing is learned from a page's own score.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use rayon::prelude::*;

use super::page::{TrainingPage, UnlabelledPages};
use super::settings::TrainingSettings;
use super::{boosted, weights};
use crate::dataset::labelled::{LabelledPage, PageGold};
use crate::dataset::split::folds_by_corpus;
use crate::error::{Error, PageProblem, Remedy, Result, Setting};
use crate::features::catalogue::SCORES;
use crate::inference::PartialPage;
use crate::inference::em::{self, Em};
use crate::model::layers::boosted_scores::PageScores;
use crate::model::{Counts, Model, ModelConfig, Observation, PermittedStates};
use crate::progress::Progress;

/// Trains models of one configuration, in one way, on whole corpora or on parts of them.
///
/// Same pages, configuration and settings give the same model file, at any number of threads and order of pages.
///
/// # Examples
/// ```
/// use duramen::{LabelledCorpus, ModelConfig, Silent, SynthConfig, Trainer, TrainingPage, TrainingSettings};
///
/// let corpus = SynthConfig { sites: 2, pages_per_site: 1, ..SynthConfig::default() };
/// let corpus = LabelledCorpus::synthetic(&corpus, None, false)?;
/// let (pages, left_out) = TrainingPage::from_corpus(&corpus, &Silent);
/// assert!(left_out.is_empty());
/// let trainer = Trainer::new(ModelConfig::blocks(), TrainingSettings::default())?;
/// let model = trainer.train(pages, &[], &Silent)?.model;
/// assert_eq!(model.pages(), 2);
/// # Ok::<(), duramen::Error>(())
/// ```
pub struct Trainer<'a> {
    config: ModelConfig,
    settings: TrainingSettings,
    start: Option<Model>,
    /// The counts of pages that were [counted ahead](Trainer::count_ahead), by the page's address: pages are borrowed for
    /// as long as the trainer lives, so that each has its own.
    counted: Mutex<HashMap<usize, Counts>>,
    pages: std::marker::PhantomData<&'a LabelledPage>,
}

/// What is there before weights are learned.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The model with its scores and the counts of the pages whose states are known.
    pub model: Model,
    /// The other pages, for EM.
    pub partial: Vec<PartialPage>,
    /// What the model sees of each page, with scores of trees that have not seen the page's site; none of a page that
    /// could not be laid out, and of none if no weights are to be learned.
    pub observations: Vec<Option<Observation>>,
    /// The fold of each page.
    pub folds: Vec<usize>,
}

/// A trained model.
#[derive(Debug)]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// How EM went; none if there was no page for it.
    pub em: Option<Em>,
}

impl Trained {
    /// The model, if any page taught it something. An experiment goes on with one that knows its priors alone; nobody asks for
    /// such a model.
    ///
    /// # Errors
    /// [`Error::Data`] for a model of no page.
    pub fn not_empty(self) -> Result<Self> {
        if self.em.is_none() && self.model.pages() == 0 {
            return Err(Error::data(
                "training",
                "there is nothing to learn from: no page has labels, or a text of which enough was found on it",
                Remedy::from("see that the texts are those of the pages; or ")
                    .set("learn by EM", Setting::Em),
            ));
        }
        Ok(self)
    }
}

impl<'a> Trainer<'a> {
    /// A trainer for models of a configuration.
    ///
    /// # Errors
    /// As [`ModelConfig::check`] and [`TrainingSettings::check`].
    pub fn new(config: ModelConfig, settings: TrainingSettings) -> Result<Self> {
        config.check()?;
        settings.check()?;
        Ok(Trainer {
            config,
            settings,
            start: None,
            counted: Mutex::default(),
            pages: std::marker::PhantomData,
        })
    }

    /// The same with a model whose parameters the first iteration of EM takes; none of its counts stays.
    ///
    /// # Errors
    /// [`Error::Usage`] if EM is not asked for, and as [`em::check_config`].
    pub fn starting_from(self, start: Model) -> Result<Self> {
        if self.settings.em.is_none() {
            return Err(Error::usage(
                "a model to start from without EM",
                "ask for EM, or leave the model out",
            ));
        }
        em::check_config(&self.config, Some(start.config()))?;
        Ok(Trainer { start: Some(start), ..self })
    }

    /// The configuration of the models.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// How they are trained.
    pub fn settings(&self) -> &TrainingSettings {
        &self.settings
    }

    /// Whether this trainer can use a page.
    ///
    /// # Errors
    /// [`Error::Usage`] for a reference text without EM: the states of its nodes are not known, only what they may be.
    pub fn check_page(&self, page: &LabelledPage) -> Result<()> {
        match (&page.gold, &self.settings.em) {
            (PageGold::Text(_), None) => Err(Error::usage(
                format!("{}: it has reference text and no labels of nodes", page.page.id()),
                Remedy::from("train on a corpus with labels, such as l3s-gn1 or synth; or ")
                    .set("learn weights too", Setting::Weights)
                    .set(", or learn by EM", Setting::Em),
            )),
            _ => Ok(()),
        }
    }

    /// Trains a model on pages and, by EM, on pages without labels. If some pages have reference texts and the model learns what
    /// corpora include, labels are read as the article that is extracted by default: supplemental text that is no caption, such
    /// as the author's name and the date, is not content. A page that could not be laid out teaches nothing to a
    /// model that needs layouts.
    ///
    /// # Errors
    /// As [`Trainer::check_page`], [`em::learn`] and [`crate::inference::weight_learning::learn`]; [`Error::Data`] for no
    /// pages, and if the scores' trees have nothing to learn from.
    ///
    /// # Cost
    /// Of counting, reading each page's features once. EM adds an inference of each page that is not labelled in every
    /// iteration; weights three inferences of each page in every epoch; scores what growing trees costs for every fold.
    pub fn train(
        &self,
        pages: Vec<TrainingPage<'a>>,
        unlabelled: &[UnlabelledPages],
        progress: &dyn Progress,
    ) -> Result<Trained> {
        let pages = self.by_convention(pages);
        let counted = self.count(&pages, unlabelled, progress)?;
        self.finish(counted, &pages, progress)
    }

    /// The pages, their labels read by [`Convention::ARTICLE`](crate::convention::Convention::ARTICLE) where the model learns
    /// what the reference texts of other corpora include.
    fn by_convention(&self, pages: Vec<TrainingPage<'a>>) -> Vec<TrainingPage<'a>> {
        let learns_conventions = self.config.boosted.as_ref().is_some_and(|boosted| boosted.conventions);
        match learns_conventions && !pages.iter().all(TrainingPage::is_labelled) {
            true => pages.into_par_iter().map(TrainingPage::read_as_article).collect(),
            false => pages,
        }
    }

    /// The rest of [`Trainer::train`], from what was [counted](Trainer::count) on.
    ///
    /// # Errors
    /// As [`Trainer::train`].
    pub fn finish(
        &self,
        mut counted: Counted,
        pages: &[TrainingPage<'a>],
        progress: &dyn Progress,
    ) -> Result<Trained> {
        let em = self.expect(&mut counted, progress)?;
        if self.settings.empirical_priors {
            counted.model = counted.model.with_empirical_priors()?;
        }
        let model = match &self.settings.weights {
            Some(_) if counted.folds.iter().any(|&fold| fold > 0) => self.weigh(counted, pages, progress)?,
            _ => counted.model,
        };
        Ok(Trained { model, em })
    }

    /// Counts pages with labels once for all the models that will be trained on some of them: the folds of a corpus share
    /// the counts of a page. Has no effect for models with boosted scores, which are other features in each fold.
    ///
    /// # Errors
    /// As [`Trainer::check_page`]; what a page whose features cannot be read gives.
    pub fn count_ahead(&self, pages: &[&'a LabelledPage], progress: &dyn Progress) -> Result<()> {
        if self.config.boosted.is_some() {
            return Ok(());
        }
        let model = Model::new(self.config.clone())?;
        progress.stage("counting", pages.len());
        let count = |page: &&'a LabelledPage| -> Result<Option<(usize, Counts)>> {
            self.check_page(page)?;
            let page = TrainingPage::new(page, "").map_err(|problem| Error::page(page.page.id(), problem))?;
            let observation = observation(&model, &page, None)?;
            progress.step();
            let Some(observation) = observation.filter(|_| page.is_labelled()) else { return Ok(None) };
            let counts = counts_of(&model, &page, &observation)?;
            Ok(Some((address(page.labelled), counts)))
        };
        let counted: Vec<_> = pages.par_iter().map(count).collect::<Result<_>>()?;
        self.counted.lock().expect("no thread panics while it counts").extend(counted.into_iter().flatten());
        Ok(())
    }

    /// Learns scores, counts the pages whose states are known, and takes the others in as far as they are.
    ///
    /// # Errors
    /// As [`Trainer::train`].
    pub fn count(
        &self,
        pages: &[TrainingPage<'a>],
        unlabelled: &[UnlabelledPages],
        progress: &dyn Progress,
    ) -> Result<Counted> {
        pages.iter().try_for_each(|page| self.check_page(page.labelled))?;
        if pages.is_empty() && unlabelled.is_empty() {
            return Err(Error::data(
                "the training pages",
                "there are none",
                "give a corpus that can be read",
            ));
        }
        let config = without_unknown_scores(&self.config, pages);
        let mut model = Model::new(config.clone())?;
        let folds = self.folds(pages)?;
        let scores = match &config.boosted {
            None => None,
            Some(settings) => {
                let learned =
                    boosted::learn(settings, &config.scores(), config.view, pages, &folds, progress)?;
                model = model.with_layer(learned.scores)?;
                Some(learned.of_pages)
            }
        };
        progress.stage("counting", pages.len());
        let text_as_labels = self.text_as_labels(pages);
        let known = self.counted.lock().expect("no thread panics while it counts");
        let take_in = |mut sum: Sum, (i, page): (usize, &TrainingPage<'_>)| -> Result<Sum> {
            if self.settings.weights.is_none()
                && let Some(counts) = known.get(&address(page.labelled)).filter(|_| page.is_labelled())
            {
                sum.add(counts, &model.source_of(&page.labelled.page, &page.source))?;
                progress.step();
                return Ok(sum);
            }
            let scores = scores.as_ref().map(|of_pages| of_pages[i].clone());
            let seen = observation(&model, page, scores)?;
            progress.step();
            let Some(seen) = seen else { return Ok(sum) };
            let source = model.source_of(&page.labelled.page, &page.source);
            let space = config.states;
            if let Some(states) = page.states(&seen, space, text_as_labels) {
                sum.counts.observe(&config, model.specs(), &seen.view.tree, &seen.features, &states);
                *sum.sources.entry(source).or_default() += 1;
            } else if !text_as_labels {
                let permitted = page.permitted(&seen, space, &self.settings.text_gold, false)?;
                sum.partial.push((i, PartialPage::new(seen.clone(), permitted, &source)?));
            }
            if self.settings.weights.is_some() {
                sum.observations.push((i, seen));
            }
            Ok(sum)
        };
        let empty = || Sum::empty(&config);
        let sum = pages
            .par_iter()
            .enumerate()
            .try_fold(|| empty().expect("the configuration was checked"), take_in);
        let mut sum = sum.try_reduce(|| empty().expect("the configuration was checked"), Sum::merge)?;
        drop(known);
        sum.partial.sort_by_key(|&(i, _)| i);
        let mut partial: Vec<PartialPage> = sum.partial.into_iter().map(|(_, page)| page).collect();
        for folder in unlabelled {
            partial.extend(unknown(&model, folder)?);
        }
        let mut observations: Vec<Option<Observation>> = pages.iter().map(|_| None).collect();
        for (i, observation) in sum.observations {
            observations[i] = Some(observation);
        }
        Ok(Counted { model: model.with_counts(sum.counts, sum.sources), partial, observations, folds })
    }

    /// Lets EM count the pages whose states are not known.
    fn expect(&self, counted: &mut Counted, progress: &dyn Progress) -> Result<Option<Em>> {
        let Some(config) = self.settings.em.as_ref().filter(|_| !counted.partial.is_empty()) else {
            return Ok(None);
        };
        let start = self.start.as_ref().unwrap_or(&counted.model);
        progress.stage("expectation and maximization", config.iterations as usize);
        let em = em::learn(&counted.model, start, &counted.partial, config, progress)?;
        counted.model = em.model.clone();
        Ok(Some(em))
    }

    /// The counted model with learned weights: the mean of those learned with one fold of the hosts held out to know when
    /// to stop, over [`TrainingSettings::held_out_folds`] of them. Without settings for weights, those of the default.
    ///
    /// # Errors
    /// As [`crate::inference::weight_learning::learn`].
    pub fn weigh(
        &self,
        counted: Counted,
        pages: &[TrainingPage<'a>],
        progress: &dyn Progress,
    ) -> Result<Model> {
        weights::learn(counted, pages, &self.settings, self.text_as_labels(pages), progress)
    }

    /// Whether text in a gold counts as full text: where nothing else tells labels apart.
    fn text_as_labels(&self, pages: &[TrainingPage<'a>]) -> bool {
        self.start.is_none() && !pages.iter().any(TrainingPage::is_labelled)
    }

    /// The fold of each page, by its corpus and host; all in one where no folds are needed or there are too few hosts for
    /// two.
    fn folds(&self, pages: &[TrainingPage<'a>]) -> Result<Vec<usize>> {
        let hosts: Vec<String> = pages.iter().map(|page| page.labelled.host.clone()).collect();
        let mut distinct: Vec<&String> = hosts.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let n = self.settings.folds.min(distinct.len());
        let is_needed = self.config.boosted.is_some() || self.settings.weights.is_some();
        if n < 2 || !is_needed {
            return Ok(vec![0; pages.len()]);
        }
        let corpora: Vec<&str> = pages.iter().map(|page| page.source.as_str()).collect();
        folds_by_corpus(&corpora, &hosts, n, self.settings.seed)
    }
}

/// What is known of pages, added up in any order.
struct Sum {
    counts: Counts,
    sources: BTreeMap<String, u64>,
    partial: Vec<(usize, PartialPage)>,
    observations: Vec<(usize, Observation)>,
}

impl Sum {
    fn empty(config: &ModelConfig) -> Result<Self> {
        let counts = Counts::empty(config)?;
        Ok(Sum { counts, sources: BTreeMap::new(), partial: Vec::new(), observations: Vec::new() })
    }

    fn add(&mut self, counts: &Counts, source: &str) -> Result<()> {
        self.counts.merge(counts)?;
        *self.sources.entry(source.to_owned()).or_default() += 1;
        Ok(())
    }

    fn merge(mut self, other: Sum) -> Result<Self> {
        self.counts.merge(&other.counts)?;
        for (source, pages) in other.sources {
            *self.sources.entry(source).or_default() += pages;
        }
        self.partial.extend(other.partial);
        self.observations.extend(other.observations);
        Ok(self)
    }
}

fn address(page: &LabelledPage) -> usize {
    std::ptr::from_ref(page).addr()
}

/// What a model sees of a page; nothing if it needs a layout and the page could not be laid out, which was reported when it
/// failed.
fn observation(
    model: &Model,
    page: &TrainingPage<'_>,
    scores: Option<PageScores>,
) -> Result<Option<Observation>> {
    let page = &page.labelled.page;
    let seen = match scores {
        None => model.observation(page),
        Some(scores) => model.observation_with_scores(page, scores),
    };
    match seen {
        Ok(observation) => Ok(Some(observation)),
        Err(PageProblem::NoLayout { .. }) => Ok(None),
        Err(problem) => Err(Error::page(page.id(), problem)),
    }
}

/// The counts of a page whose labels are known.
fn counts_of(model: &Model, page: &TrainingPage<'_>, seen: &Observation) -> Result<Counts> {
    let states = page.states(seen, model.config().states, false).expect("the labels are known");
    let mut counts = Counts::empty(model.config())?;
    counts.observe(model.config(), model.specs(), &seen.view.tree, &seen.features, &states);
    Ok(counts)
}

/// Pages of which nothing is known, for EM.
fn unknown(model: &Model, unlabelled: &UnlabelledPages) -> Result<Vec<PartialPage>> {
    let partial = unlabelled.pages.par_iter().map(|page| {
        let seen = model.observation(page).map_err(|problem| Error::page(page.id(), problem))?;
        let permitted = PermittedStates::all(&seen.view.tree, model.config().states);
        PartialPage::new(seen, permitted, &model.source_of(page, &unlabelled.source))
    });
    partial.collect()
}

/// The configuration without the scores that no page can teach: those of single labels where no page has labels.
fn without_unknown_scores(config: &ModelConfig, pages: &[TrainingPage<'_>]) -> ModelConfig {
    let mut config = config.clone();
    if !pages.iter().any(TrainingPage::is_labelled) {
        let is_of_label = |id: &str| SCORES.iter().any(|&(score, labels)| score == id && labels.len() == 1);
        config.features.retain(|feature| !is_of_label(&feature.id));
    }
    config
}
