//! Learning a whole model from labelled pages and pages with a gold of text: scores, counts, weights.
//!
//! 1. **Scores.** If the model has features such as `content-score`, their trees are grown; each page gets its scores from
//!    trees that have not seen its site.
//! 2. **Counts.** Labelled pages are counted; pages with a gold of text permit sets of states and are counted as EM
//!    expects them to be. Without any labelled page, text in the gold counts as full text, and headings that show its
//!    title as headline.
//! 3. **Weights.** Exponents and, from there, changes of the tables are learned by the marginal likelihood of what is
//!    known, each time with another fold held out to end it, and averaged.
//!
//! Folds are by site throughout; nothing is learned from a page's own score.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{boosted, confidence, training_set};
use crate::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
use crate::dataset::split::folds_by_host;
use crate::dataset::transfer::{Found, GoldTokens};
use crate::error::{Error, PageProblem, Result};
use crate::features::catalogue::SCORES;
use crate::index::NodeId;
use crate::inference::weight_learning::{self, WeightLearning, WeightPage};
use crate::inference::{EmConfig, PartialPage, em};
use crate::label::{Label, LabelSet};
use crate::model::{
    Model, ModelConfig, Observation, PermittedStates, StateSpace, TargetStates, TextGoldLabels, Weights,
};
use crate::progress::Progress;

/// How a model is learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Learning {
    /// Parts of the sites, each scored by trees grown on the others. Range 2 to 100, default 5; at most one a site.
    pub folds: usize,
    /// The most iterations of EM over pages with a gold of text. Range 1 to 10000, default 10.
    pub em_iterations: u32,
    /// What a gold of text permits.
    pub text_gold: TextGoldLabels,
    /// Whether the priors of transitions and categories are those that make the counts most probable
    /// ([`crate::model::empirical_priors`]). Default no: those of the configuration.
    pub empirical_priors: bool,
    /// Whether exponents and changes of the tables are learned; else the model is generative. Default yes.
    pub weights: bool,
    /// How they are.
    pub weight_learning: WeightLearning,
    /// How many of the folds are held out in turn to end the learning of weights; the weights are the mean over them. One
    /// leaves much to chance far from the pages of training. Range 1 to 100, default 5; at most as many as folds.
    pub held_out_folds: usize,
    /// The seed of the folds. Default 1.
    pub seed: u64,
}

impl Default for Learning {
    fn default() -> Self {
        Learning {
            folds: 5,
            em_iterations: 10,
            text_gold: TextGoldLabels::default(),
            empirical_priors: false,
            weights: true,
            weight_learning: WeightLearning::default(),
            held_out_folds: 5,
            seed: 1,
        }
    }
}

impl Learning {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the setting, its range and its default.
    pub fn check(&self) -> Result<()> {
        for (name, value, low) in [("folds", self.folds, 2), ("held-out-folds", self.held_out_folds, 1)] {
            if !(low..=100).contains(&value) {
                return Err(Error::usage(
                    format!("learning.{name} is {value}"),
                    format!("it must be from {low} to 100; the default is 5"),
                ));
            }
        }
        self.em().check()?;
        self.text_gold.check()?;
        self.weight_learning.check()
    }

    fn em(&self) -> EmConfig {
        EmConfig { iterations: self.em_iterations, ..EmConfig::default() }
    }
}

/// A page to learn from.
pub struct TrainingPage<'a> {
    /// The page with its gold.
    pub labelled: &'a LabelledPage,
    /// Where it came from.
    pub source: String,
    /// What is known of its text.
    pub(super) known: Known<'a>,
}

/// What is known of the text of a page.
pub(super) enum Known<'a> {
    Labels(&'a GoldTokens),
    Text {
        /// Where the gold stands on the page, and its headline wherever that stands.
        article: Found,
        /// The text nodes of the headline.
        headline: Vec<NodeId>,
    },
}

impl Known<'_> {
    /// Whether the gold was found on the page: else text that was not found would pass for not content.
    pub(super) fn is_trusted(&self) -> bool {
        match self {
            Known::Labels(_) => true,
            Known::Text { article, .. } => article.is_trusted(),
        }
    }

    /// The tokens of a text node that are of these labels, and all, if that is known. A gold of text tells the article
    /// from the rest and nothing else.
    pub(super) fn counts(&self, id: NodeId, labels: LabelSet) -> Option<(u32, u32)> {
        match self {
            Known::Labels(gold) => {
                let counts = gold.counts(id);
                Some((labels.iter().map(|label| counts[label.index()]).sum(), counts.iter().sum()))
            }
            Known::Text { article, .. } => (labels == LabelSet::ARTICLE).then(|| article.counts(id)),
        }
    }

    /// Whether most tokens of some text are of these labels, if that is known.
    pub(super) fn is_of(&self, texts: &[NodeId], labels: LabelSet) -> Option<bool> {
        let (inside, all) = texts.iter().try_fold((0, 0), |sum: (u32, u32), &id| {
            let (inside, all) = self.counts(id, labels)?;
            Some((sum.0 + inside, sum.1 + all))
        })?;
        (all > 0).then_some(2 * inside >= all)
    }
}

impl<'a> TrainingPage<'a> {
    /// A page of a corpus. A gold of text is looked for on the page.
    ///
    /// # Errors
    /// As [`training_set::find_article`].
    pub fn new(labelled: &'a LabelledPage, source: &str) -> Result<Self, PageProblem> {
        let known = match &labelled.gold {
            PageGold::Tokens(gold) => Known::Labels(gold),
            PageGold::Text(gold) => {
                let (article, headline) = training_set::find_article(labelled.page.dom(), gold)?;
                Known::Text { article, headline }
            }
        };
        Ok(TrainingPage { labelled, source: source.to_owned(), known })
    }

    /// The pages of a corpus, and those that could not be aligned with the reason.
    pub fn of_corpus(
        corpus: &'a LabelledCorpus,
        progress: &dyn Progress,
    ) -> (Vec<Self>, Vec<(String, String)>) {
        let all: Vec<usize> = (0..corpus.pages.len()).collect();
        Self::of_pages(corpus, &all, progress)
    }

    /// The same of some pages, by their indices.
    pub fn of_pages(
        corpus: &'a LabelledCorpus,
        pages: &[usize],
        progress: &dyn Progress,
    ) -> (Vec<Self>, Vec<(String, String)>) {
        let source = corpus.source();
        let read = |&index: &usize| {
            let page = &corpus.pages[index];
            let made = TrainingPage::new(page, &source);
            progress.step();
            made.map_err(|problem| (page.page.id().to_owned(), problem.to_string()))
        };
        let made: Vec<_> = pages.par_iter().map(read).collect();
        let (mut pages, mut left_out) = (Vec::new(), Vec::new());
        for page in made {
            match page {
                Ok(page) => pages.push(page),
                Err(reason) => left_out.push(reason),
            }
        }
        (pages, left_out)
    }
}

/// Learns a model from pages.
///
/// # Errors
/// As [`ModelConfig::check`], [`em::learn`] and `boosted::learn`; [`Error::Data`] for no pages.
pub fn learn(
    config: &ModelConfig,
    pages: &[TrainingPage<'_>],
    learning: &Learning,
    progress: &dyn Progress,
) -> Result<Model> {
    let counted = Counted::new(config, pages, learning, progress)?;
    match learning.weights && counted.folds.iter().any(|&fold| fold > 0) {
        true => counted.weigh(pages, learning, progress),
        false => Ok(counted.model),
    }
}

/// What is there before weights are learned.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The model with its scores and counts.
    pub model: Model,
    /// What it sees of each page, with scores of trees that have not seen the page's site.
    pub observations: Vec<Observation>,
    /// The fold of each page.
    pub folds: Vec<usize>,
}

impl Counted {
    /// Learns scores and counts.
    ///
    /// # Errors
    /// As [`learn`].
    pub fn new(
        config: &ModelConfig,
        pages: &[TrainingPage<'_>],
        learning: &Learning,
        progress: &dyn Progress,
    ) -> Result<Self> {
        learning.check()?;
        if pages.is_empty() {
            return Err(Error::data(
                "the training pages",
                "there are none",
                "give a corpus that can be read",
            ));
        }
        let config = &of_what_is_known(config, pages);
        let mut model = Model::new(config.clone())?;
        let hosts: Vec<String> = pages.iter().map(|page| page.labelled.host.clone()).collect();
        let mut distinct: Vec<&String> = hosts.iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let n_folds = learning.folds.min(distinct.len());
        let folds =
            if n_folds < 2 { vec![0; pages.len()] } else { folds_by_host(&hosts, n_folds, learning.seed)? };
        let scores = match &config.boosted {
            None => None,
            Some(of) => {
                let scores = config.scores();
                let trees: usize = scores.iter().map(|&score| of.settings_of(score).trees).sum();
                progress.stage("growing trees", trees * (n_folds.max(1) + 1));
                let learned = boosted::learn(of, &scores, config.view, pages, &folds, progress)?;
                model = model.with_scores(learned.scores)?;
                Some(learned.values)
            }
        };
        progress.stage("counting", pages.len());
        let observe = |(i, page): (usize, &TrainingPage<'_>)| -> Result<Observation> {
            let observation = match &scores {
                None => model.observation(&page.labelled.page),
                Some(values) => model.observation_with_scores(&page.labelled.page, values[i].clone()),
            };
            progress.step();
            observation.map_err(|problem| Error::page(page.labelled.page.id(), problem))
        };
        let observations: Vec<Observation> =
            pages.par_iter().enumerate().map(observe).collect::<Result<_>>()?;
        count(&mut model, pages, &observations, learning, progress)?;
        if learning.empirical_priors {
            model = model.with_empirical_priors()?;
        }
        Ok(Counted { model, observations, folds })
    }

    /// The model with learned weights: the mean of those learned with one fold of the sites held out to know when to
    /// stop, over [`Learning::held_out_folds`] of them.
    ///
    /// # Errors
    /// As [`weight_learning::learn`].
    pub fn weigh(
        self,
        pages: &[TrainingPage<'_>],
        learning: &Learning,
        progress: &dyn Progress,
    ) -> Result<Model> {
        let settings = &learning.weight_learning;
        let has_labels = has_labels(pages);
        let (mut known, mut folds) = (Vec::new(), Vec::new());
        for ((page, observation), fold) in pages.iter().zip(&self.observations).zip(self.folds) {
            if page.known.is_trusted() && !observation.view.tree.is_empty() {
                let permitted = permitted(page, observation, &self.model, &learning.text_gold, has_labels)?;
                let observation = observation.clone();
                known.push(WeightPage::new(&page.labelled.page, observation, permitted, &page.source)?);
                folds.push(fold);
            }
        }
        let mut held_out: Vec<usize> = folds.clone();
        held_out.sort_unstable();
        held_out.dedup();
        held_out.truncate(learning.held_out_folds);
        let epochs = (settings.exponent_epochs + settings.refinement_epochs) as usize;
        progress.stage("learning weights", held_out.len() * epochs);
        let learn = |held_out: usize| {
            let held_out: Vec<bool> = folds.iter().map(|&fold| fold == held_out).collect();
            let learned =
                weight_learning::learn(&self.model, &known, &held_out, settings, |_| progress.step())?;
            Ok(learned.weights)
        };
        // Each works on its pages in parallel, and waits for the longest of a batch: together they keep all threads busy.
        let weights: Vec<Weights> = held_out.into_par_iter().map(learn).collect::<Result<_>>()?;
        let model = self.model.with_weights(weight_learning::mean(&weights)?)?;
        let observed: Vec<_> = pages.iter().zip(&self.observations).collect();
        Ok(match confidence::learn(&model, &observed)? {
            Some(learned) => model.with_page_confidence(learned),
            None => model,
        })
    }
}

/// The configuration without the scores that no page can teach: those of single labels where no page has labels.
fn of_what_is_known(config: &ModelConfig, pages: &[TrainingPage<'_>]) -> ModelConfig {
    let mut config = config.clone();
    if !has_labels(pages) {
        let is_of_label = |id: &str| SCORES.iter().any(|&(score, labels)| score == id && labels.len() == 1);
        config.features.retain(|feature| !is_of_label(&feature.id));
    }
    config
}

/// Counts the pages into the model.
fn count(
    model: &mut Model,
    pages: &[TrainingPage<'_>],
    observations: &[Observation],
    learning: &Learning,
    progress: &dyn Progress,
) -> Result<()> {
    let space = model.config().states;
    let has_labels = has_labels(pages);
    let mut partial = Vec::new();
    for (page, observation) in pages.iter().zip(observations) {
        if let Some(states) = page.states(observation, space, has_labels) {
            model.observe_states(&observation.view.tree, &observation.features, &states, &page.source);
        } else if has_labels {
            let permitted = permitted(page, observation, model, &learning.text_gold, has_labels)?;
            partial.push(PartialPage::new(observation.clone(), permitted, &page.source)?);
        }
    }
    if !partial.is_empty() {
        progress.stage("expectation and maximization", learning.em_iterations as usize);
        *model = em::learn(model, model, &partial, &learning.em(), |_| progress.step())?.model;
    }
    Ok(())
}

/// Whether any page has labels.
fn has_labels(pages: &[TrainingPage<'_>]) -> bool {
    pages.iter().any(|page| matches!(page.known, Known::Labels(_)))
}

impl TrainingPage<'_> {
    /// The states of the page's nodes, if they are known. A gold of text alone does not tell labels apart; where no page
    /// does, text in it is full text, and headings that show its title are the headline, in the gold or not.
    fn states(&self, observation: &Observation, space: StateSpace, has_labels: bool) -> Option<TargetStates> {
        let tokens: Box<dyn Fn(NodeId) -> [u32; Label::COUNT]> = match &self.known {
            Known::Labels(gold) => Box::new(|id| gold.counts(id)),
            Known::Text { article, headline } if !has_labels && self.known.is_trusted() => Box::new(|id| {
                let (inside, all) = article.counts(id);
                let is_headline = headline.binary_search(&id).is_ok();
                let label = if is_headline { Label::Headline } else { Label::FullText };
                let mut counts = [0; Label::COUNT];
                counts[label.index()] = inside;
                counts[Label::NotContent.index()] = all - inside;
                counts
            }),
            Known::Text { .. } => return None,
        };
        Some(TargetStates::from_tokens(&observation.view, space, tokens))
    }
}

/// The states that the gold of a page permits, for a model that was learned from other pages.
///
/// # Errors
/// [`Error::Page`] if a gold of text cannot be aligned.
pub fn permitted_states(
    page: &LabelledPage,
    observation: &Observation,
    model: &Model,
) -> Result<PermittedStates> {
    let named = |problem| Error::page(page.page.id(), problem);
    let page = TrainingPage::new(page, "").map_err(named)?;
    permitted(&page, observation, model, &TextGoldLabels::default(), true)
}

/// The states that a page's gold permits.
fn permitted(
    page: &TrainingPage<'_>,
    observation: &Observation,
    model: &Model,
    labels: &TextGoldLabels,
    has_labels: bool,
) -> Result<PermittedStates> {
    let space = model.config().states;
    if let Some(states) = page.states(observation, space, has_labels) {
        return Ok(PermittedStates::of_states(&states));
    }
    match &page.known {
        Known::Text { article, .. } => training_set::permitted(&observation.view, space, labels, article),
        Known::Labels(_) => unreachable!("the states of labelled pages are known"),
    }
}
