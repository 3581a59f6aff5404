//! `Model`, a configuration with its counts and where they came from.

use std::collections::BTreeMap;

use crate::convention::{Convention, Inclusion};
use crate::error::{Error, PageProblem, Result};
use crate::features::measures::Measures;
use crate::features::{FeatureMatrix, FeatureSpec};
use crate::index::NodeId;
use crate::label::Label;
use crate::layout;
use crate::page::Page;
use crate::view::{PageView, Tree};

use super::config::{ModelConfig, Priors};
use super::counts::Counts;
use super::layers::boosted_scores::{BoostedScores, OfPage, PageScores, ScoreInputs};
use super::layers::label_split::{SplitInputs, SupplementalSplit};
use super::layers::page_type::{ByType, PageType, PageTypeProbabilities};
use super::layers::weights::Weights;
use super::layers::{Layers, OfModel};
use super::parameters::Parameters;
use super::states::{StateSet, TargetStates};

/// A trained hidden Markov tree: configuration, counts, sources.
///
/// Training is counting: [`Model::observe`] a page at a time, in any order, or [`Model::merge`] models trained
/// apart. What inference needs is made of the counts by [`Model::parameters`], under learned [`Weights`] if there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    config: ModelConfig,
    counts: Counts,
    /// Pages by source, such as a data set with its checksum.
    sources: BTreeMap<String, u64>,
    specs: Vec<&'static FeatureSpec>,
    /// What the boosted scores look at; empty without such.
    score_inputs: Vec<&'static FeatureSpec>,
    layers: Layers,
    /// What is extracted, of a model that was taught by corpora that differ in it. No part of the file.
    convention: Convention,
}

// The catalogue holds function pointers; specs are equal where their ids are.
impl PartialEq for FeatureSpec {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// A page as a model sees it: tree and features.
#[derive(Debug, Clone)]
pub struct Observation {
    /// The tree.
    pub view: PageView,
    /// The features of its nodes; of a model whose scores depend on the type of the page, given the most probable type, or the
    /// type that a corpus states.
    pub features: FeatureMatrix,
    /// P(type) of the page, if the model tells types.
    pub page_type: Option<PageTypeProbabilities>,
    /// The features given each type that the page may well be of, with its probability. None where it can be
    /// of one alone, that of `features`.
    pub by_type: ByType<FeatureMatrix>,
    /// What readers' comments are told by, if the model tells them apart in a second step.
    pub comments: Option<SplitInputs>,
    /// What supplemental text is told by, if the model tells it apart in a step of its own and the convention includes by-lines.
    pub supplemental: Option<SplitInputs>,
}

impl Model {
    /// A model that has seen no page: its posterior is its prior.
    ///
    /// # Errors
    /// As [`ModelConfig::check`].
    pub fn new(config: ModelConfig) -> Result<Self> {
        let specs = config.check()?;
        let counts = Counts::empty(&config)?;
        let score_inputs =
            config.boosted.as_ref().map_or_else(|| Ok(Vec::new()), |boosted| boosted.check())?;
        Ok(Model {
            config,
            counts,
            sources: BTreeMap::new(),
            specs,
            score_inputs,
            layers: Layers::default(),
            convention: Convention::ARTICLE,
        })
    }

    /// A model with given counts and layers.
    ///
    /// # Errors
    /// As [`ModelConfig::check`] and [`Layer::check`](super::Layer::check).
    pub(crate) fn from_parts(
        config: ModelConfig,
        counts: Counts,
        sources: BTreeMap<String, u64>,
        layers: Layers,
    ) -> Result<Self> {
        layers.iter().try_for_each(|layer| layer.check(&config))?;
        Ok(Model { counts, sources, layers, ..Model::new(config)? })
    }

    /// The model with other counts of the same features, from other sources, and without weights.
    pub(crate) fn with_counts(&self, counts: Counts, sources: BTreeMap<String, u64>) -> Self {
        let mut model = Model { counts, sources, ..self.clone() };
        Weights::put(&mut model.layers, None);
        model
    }

    /// What was learned beyond the counts.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The model with this layer in place of its own, and without those that were learned over that: see [`Layers`].
    ///
    /// # Errors
    /// As [`Layer::check`](super::Layer::check).
    pub fn with_layer<L: OfModel>(mut self, layer: L) -> Result<Self> {
        layer.check(&self.config)?;
        L::put(&mut self.layers, Some(layer));
        Ok(self)
    }

    /// The model without this layer and those that were learned over it; one that has none stays as it is. Without
    /// [`Weights`] it is generative: the counts alone.
    pub fn without_layer<L: OfModel>(mut self) -> Self {
        if L::of(&self.layers).is_some() {
            L::put(&mut self.layers, None);
        }
        self
    }

    /// The configuration.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// Lets the model read the layouts of another engine than the one it was trained with.
    ///
    /// # Errors
    /// [`Error::Usage`] if it has no feature of the layout, or there is no such engine.
    pub fn read_layouts_of(&mut self, engine: &str) -> Result<()> {
        layout::check_name(engine)?;
        if self.config.layout.is_none() {
            return Err(Error::usage(
                format!("layout is '{engine}', and the model has no feature of the layout"),
                "leave it out, or use a model trained with a configuration such as blocks+blitz",
            ));
        }
        self.config.layout = Some(engine.to_owned());
        Ok(())
    }

    /// The model that keeps what a convention says, in place of [`Convention::ARTICLE`].
    ///
    /// # Errors
    /// [`Error::Usage`] if nothing of the model depends on it: it does not split supplemental text from what is not content, and
    /// it has no boosted scores, or those were learned of corpora that do not differ in what they include.
    pub fn with_convention(self, convention: Convention) -> Result<Self> {
        let is_read = self.layers.scores.as_ref().is_some_and(BoostedScores::reads_convention);
        if !is_read && self.layers.supplemental_split.is_none() {
            return Err(Error::usage(
                "a convention has no effect on this model",
                "leave the convention out, or use a model that was trained on corpora that differ in it, such as web",
            ));
        }
        Ok(Model { convention, ..self })
    }

    /// What is extracted.
    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// What the boosted scores of a page are made from; nothing of a model without that feature.
    pub fn score_inputs(&self, measures: &Measures<'_>) -> ScoreInputs {
        let with_page_type = self.layers.scores.as_ref().is_some_and(BoostedScores::tells_page_type);
        ScoreInputs::new(measures, &self.score_inputs, with_page_type)
    }

    /// The counts.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Whether readers' comments are among the labels that it gives: it has learned to split them from what is not content, or
    /// has counted nodes of them.
    pub fn tells_comments(&self) -> bool {
        let states = self.config.states.len();
        let mut counted = self.counts.transitions.iter().skip(Label::Comments.index()).step_by(states);
        self.layers.comment_split.is_some() || counted.any(|&count| count > 0)
    }

    /// How supplemental text is told from what is not content, if the model has learned that and the convention includes by-lines.
    pub fn supplemental_split(&self) -> Option<&SupplementalSplit> {
        let split = self.layers.supplemental_split.as_ref();
        split.filter(|_| self.convention.byline == Some(Inclusion::In))
    }

    /// The model with other priors, and the same counts and weights.
    ///
    /// # Errors
    /// As [`ModelConfig::check`].
    pub fn with_priors(mut self, priors: Priors) -> Result<Self> {
        self.config.priors = priors;
        self.config.check()?;
        Ok(self)
    }

    /// The states that some node counted was in: by labels of nodes, or in expectation by EM.
    pub fn states_with_counts(&self) -> StateSet {
        let k = self.config.states.len();
        let counted = |state: &usize| self.counts.transitions.iter().skip(*state).step_by(k).any(|&n| n > 0);
        (0..k).filter(counted).map(StateSet::only).fold(StateSet::first(0), StateSet::or)
    }

    /// The catalogue entries of the features, in the configuration's order.
    pub fn specs(&self) -> &[&'static FeatureSpec] {
        &self.specs
    }

    /// Pages seen, by source.
    pub fn sources(&self) -> &BTreeMap<String, u64> {
        &self.sources
    }

    /// All pages seen.
    pub fn pages(&self) -> u64 {
        self.sources.values().sum()
    }

    /// The tree and features of a page, from the page alone.
    ///
    /// # Errors
    /// [`PageProblem::NoLayout`] if the model has features of the layout and the page was not laid out by its engine.
    ///
    /// # Panics
    /// If the model has boosted scores for features and none were learned: see [`Layers::scores`].
    pub fn observation(&self, page: &Page) -> Result<Observation, PageProblem> {
        self.observation_given(page, None)
    }

    /// The same of a page whose type is known; a model that tells no types does not look at it.
    ///
    /// # Errors
    /// As [`Model::observation`].
    ///
    /// # Panics
    /// As [`Model::observation`].
    pub fn observation_given(
        &self,
        page: &Page,
        page_type: Option<PageType>,
    ) -> Result<Observation, PageProblem> {
        self.observe_page(page, |view, measures| {
            if self.config.boosted.is_none() {
                return PageScores::default();
            }
            let scores = self.layers.scores.as_ref().expect("the boosted scores were learned");
            let inputs = self.score_inputs(measures);
            let mut probabilities = scores.page_type(&inputs);
            if let (Some(probabilities), Some(known)) = (&mut probabilities, page_type) {
                *probabilities = PageType::ALL.map(|other| f64::from(u8::from(other == known)));
            }
            let page_type = probabilities.as_ref().map(PageType::most_probable);
            let of_page = OfPage { page_type, convention: self.convention };
            scores.of_page(&view.tree, &inputs, of_page, probabilities)
        })
    }

    /// As [`Model::observation`], with the boosted scores from elsewhere: a page that they were learned from must not be
    /// scored by them.
    ///
    /// # Errors
    /// As [`Model::observation`].
    pub fn observation_with_scores(
        &self,
        page: &Page,
        scores: PageScores,
    ) -> Result<Observation, PageProblem> {
        self.observe_page(page, |_, _| scores)
    }

    fn observe_page(
        &self,
        page: &Page,
        scores: impl FnOnce(&PageView, &Measures<'_>) -> PageScores,
    ) -> Result<Observation, PageProblem> {
        let layout = match &self.config.layout {
            None => None,
            Some(engine) => {
                Some(page.layout(engine).ok_or_else(|| PageProblem::NoLayout { engine: engine.clone() })?)
            }
        };
        let view = PageView::new(page, self.config.view);
        let mut measures = Measures::new(page, &view, layout);
        let PageScores { values, page_type, by_type } = scores(&view, &measures);
        let comments = self.layers.comment_split.as_ref().map(|split| split.inputs(&measures));
        let supplemental = self.supplemental_split().map(|split| split.inputs(&measures));
        measures.scores = values;
        let features = FeatureMatrix::from_measures(&measures, &self.specs);
        let given = |(p, values): (f64, Vec<Vec<u32>>)| {
            measures.scores = values;
            (p, features.with_scores(&measures, &self.specs))
        };
        let by_type = by_type.into_iter().map(given).collect();
        Ok(Observation { view, features, page_type, by_type, comments, supplemental })
    }

    /// Learns from one page: `tokens` says for a text node how many tokens of each label it has.
    ///
    /// `source` names where the page came from, for the model's record; the version of the engine that laid the page out
    /// is added to it.
    ///
    /// # Errors
    /// As [`Model::observation`].
    pub fn observe(
        &mut self,
        page: &Page,
        tokens: impl Fn(NodeId) -> [u32; Label::COUNT],
        source: &str,
    ) -> Result<(), PageProblem> {
        let observation = self.observation(page)?;
        let states = TargetStates::from_tokens(&observation.view, self.config.states, tokens);
        let source = self.source_of(page, source);
        self.observe_states(&observation.view.tree, &observation.features, &states, &source);
        Ok(())
    }

    /// What the model notes as the source of a page that it learns from: where the page came from, and the version of the
    /// engine that laid it out if the model reads layouts.
    pub fn source_of(&self, page: &Page, source: &str) -> String {
        let layout = self.config.layout.as_ref().and_then(|engine| page.layout(engine));
        match layout {
            Some(layout) => format!("{source} laid out by {}", layout.engine()),
            None => source.to_owned(),
        }
    }

    /// Learns from a tree with known states: what [`Model::observe`] makes of a page.
    pub fn observe_states(
        &mut self,
        tree: &Tree,
        features: &FeatureMatrix,
        states: &TargetStates,
        source: &str,
    ) {
        self.counts.observe(&self.config, &self.specs, tree, features, states);
        *self.sources.entry(source.to_owned()).or_default() += 1;
    }

    /// Adds another model's counts: the same as having trained on both their pages. Weights stay as they are.
    ///
    /// # Errors
    /// [`Error::Usage`] if the configurations differ, the sum is larger than a model can hold, or the other has weights
    /// that this one has not; then nothing is changed.
    pub fn merge(&mut self, other: &Model) -> Result<()> {
        self.check_same_config(other)?;
        if other.layers.weights.is_some() && self.layers.weights != other.layers.weights {
            return Err(Error::usage(
                "the model to merge in has learned weights that the other has not",
                "drop the weights of the model to merge in; weights are learned anew after merging",
            ));
        }
        self.counts.merge(&other.counts)?;
        for (source, pages) in &other.sources {
            *self.sources.entry(source.clone()).or_default() += pages;
        }
        Ok(())
    }

    /// Takes another model's counts away: the same as never having seen its pages. Weights stay as they are.
    ///
    /// # Errors
    /// [`Error::Usage`] if the configurations differ or the other's pages are not all in this model; then nothing
    /// is changed.
    pub fn subtract(&mut self, other: &Model) -> Result<()> {
        self.check_same_config(other)?;
        let mut sources = self.sources.clone();
        for (source, &pages) in &other.sources {
            let left = sources.get(source).copied().unwrap_or(0).checked_sub(pages).ok_or_else(|| {
                Error::usage(
                    format!("the model to subtract has {pages} pages of '{source}', more than the other"),
                    "subtract only what was merged or trained in",
                )
            })?;
            if left == 0 {
                sources.remove(source);
            } else {
                sources.insert(source.clone(), left);
            }
        }
        self.counts.subtract(&other.counts)?;
        self.sources = sources;
        Ok(())
    }

    fn check_same_config(&self, other: &Model) -> Result<()> {
        if self.config == other.config {
            if self.layers.scores != other.layers.scores {
                return Err(Error::usage(
                    "the models differ in their boosted scores, and so in features",
                    "merge and subtract only models that were counted with the same scores",
                ));
            }
            return Ok(());
        }
        Err(Error::usage(
            "the models differ in their configuration",
            "merge and subtract only models trained with the same view, states, features and priors \
             (compare them with `duramen model show`)",
        ))
    }

    /// The parameters of exact inference and Viterbi: the [generative](Self::generative_parameters) ones, under the
    /// weights if there are.
    pub fn parameters(&self) -> Parameters {
        let parameters = self.generative_parameters();
        match &self.layers.weights {
            None => parameters,
            Some(weights) => parameters.weighted(&self.config, weights),
        }
    }

    /// The predictive parameters of the counts alone: posterior means, everything integrated out node by node.
    pub fn generative_parameters(&self) -> Parameters {
        Parameters::predictive(&self.config, &self.counts)
    }

    /// ln p(x_v | state), \[node\]\[state\], of a page under given parameters.
    pub fn ln_emission(&self, parameters: &Parameters, observation: &Observation) -> Vec<f64> {
        parameters.ln_emission(&self.config, &self.specs, &observation.view.tree, &observation.features)
    }
}
