//! The hidden Markov tree as an extractor: a trained model, and how states are inferred.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

mod build;
mod decide;
mod given;
mod posteriors;
mod title_block;
pub(crate) mod units;

use super::{ExtractError, Extraction, PageExtractor};
use crate::error::{PageProblem, Result};
use crate::inference::exact::Exact;
use crate::inference::gibbs::{self, GibbsConfig, SampledPage};
use crate::inference::upward_downward::{Marginals, upward_downward};
use crate::inference::viterbi::viterbi;
use crate::label::Label;
use crate::model::decision::Decision;
use crate::model::layers::page_type::mean_over_types;
use crate::model::{ByType, Model, Observation, Parameters, Site};
use crate::page::Page;
pub(super) use build::ENTRIES;
pub use build::{check_decision, from_model, from_parameters};
pub(crate) use posteriors::posteriors_of_nodes;

/// The extractor's name on the command line and in experiments.
pub const ID: &str = "hmt";

/// How the states of a page are inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inference {
    /// Exact marginals. Leaves out the labels of all siblings, which break the tree.
    Exact,
    /// The most probable states of the whole page; posteriors are then 0 or 1.
    Viterbi,
    /// The thesis's sampler.
    Gibbs(GibbsConfig),
}

/// The hidden Markov tree.
#[derive(Debug)]
pub struct Hmt {
    id: String,
    model: Model,
    parameters: Parameters,
    /// The parameters for exact posteriors.
    ready: Exact,
    inference: Inference,
    decision: Decision,
    /// Whether the decision is the model's own.
    is_own_decision: bool,
}

impl Hmt {
    /// An extractor named `id` of a trained model, with the model's own decision.
    ///
    /// # Errors
    /// As [`GibbsConfig::check_model`].
    pub fn new(id: impl Into<String>, model: Model, inference: Inference) -> Result<Self> {
        if let Inference::Gibbs(config) = &inference {
            config.check_model(&model)?;
        }
        let parameters = model.parameters();
        let ready = Exact::new(&model, &parameters);
        let decision = model.config().decision;
        Ok(Hmt { id: id.into(), model, parameters, ready, inference, decision, is_own_decision: true })
    }

    /// The same with another decision.
    ///
    /// # Errors
    /// As [`Decision::check`].
    pub fn with_decision(self, decision: Decision) -> Result<Self> {
        decision.check()?;
        Ok(Hmt { decision, is_own_decision: false, ..self })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model's predictive parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// How states are inferred.
    pub fn inference(&self) -> Inference {
        self.inference
    }

    /// The page as the model sees it, its log emissions, and the exact marginals under the model.
    ///
    /// # Errors
    /// As [`Model::observation`].
    pub fn exact(&self, page: &Page) -> Result<(Observation, Vec<f64>, Marginals), PageProblem> {
        let observation = self.model.observation(page)?;
        let ln_emission = self.model.ln_emission(&self.parameters, &observation);
        let marginals = upward_downward(&observation.view.tree, &ln_emission, &self.parameters.transition);
        Ok((observation, ln_emission, marginals))
    }

    /// The exact posteriors alone of a page that the model has seen: faster than [`Hmt::exact`]. Shape: nodes of the
    /// view x states; rows sum to 1.
    pub fn exact_posteriors(&self, observation: &Observation) -> Array2<f64> {
        self.by_node(self.ready.posteriors(observation))
    }

    /// P(state) of every node of the model's view by the chosen inference. Shape: nodes of the view x states; rows sum
    /// to 1.
    ///
    /// # Errors
    /// As [`Model::observation`].
    pub fn state_posteriors(&self, page: &Page) -> Result<(Observation, Array2<f64>), PageProblem> {
        let (observation, posteriors) = self.posteriors_by_type(page)?;
        Ok((observation, self.by_node(mean_over_types(posteriors))))
    }

    /// P(state), \[node\]\[state\], given each type that the page may be of. Inference that is not exact takes the page for one
    /// of its most probable type.
    fn posteriors_by_type(&self, page: &Page) -> Result<(Observation, ByType<Vec<f64>>), PageProblem> {
        let observation = self.model.observation(page)?;
        let posterior = match &self.inference {
            Inference::Exact => {
                let posteriors = self.ready.posteriors_by_type(&observation);
                return Ok((observation, posteriors));
            }
            Inference::Viterbi => {
                let ln_emission = self.model.ln_emission(&self.parameters, &observation);
                let tree = &observation.view.tree;
                let (states, _) = viterbi(tree, &ln_emission, &self.parameters.transition);
                let k = self.parameters.transition.states;
                let mut posterior = vec![0.0; states.len() * k];
                for (row, &state) in posterior.chunks_exact_mut(k).zip(&states) {
                    row[state as usize] = 1.0;
                }
                posterior
            }
            Inference::Gibbs(config) => {
                let page = SampledPage::unlabelled(
                    &self.model,
                    &observation.view.tree,
                    &observation.features,
                    page.dom().digest().as_u64(),
                );
                gibbs::average(&self.model, page, config, |_, _, _| ())
                    .expect("the settings were checked by Hmt::new")
            }
        };
        Ok((observation, vec![(1.0, posterior)]))
    }

    fn by_node(&self, posterior: Vec<f64>) -> Array2<f64> {
        let states = self.parameters.transition.states;
        Array2::from_shape_vec((posterior.len() / states, states), posterior).expect("a row for each node")
    }
}

impl PageExtractor for Hmt {
    fn id(&self) -> &str {
        &self.id
    }

    fn layout_engines(&self) -> Vec<&str> {
        self.model.config().layout.as_deref().into_iter().collect()
    }

    fn gives_probabilities(&self) -> bool {
        // Of the most probable states each has probability 1.
        self.inference != Inference::Viterbi
    }

    fn tells_comments(&self) -> bool {
        // A split of probabilities that are 0 or 1 is none.
        let is_split = self.model.layers().comment_split.is_some() && self.inference == Inference::Viterbi;
        self.model.tells_comments() && !is_split
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let (observation, posteriors) = self.posteriors_by_type(page)?;
        self.extraction(page, &observation, posteriors, self.model.layers().site.as_ref())
    }
}

impl Hmt {
    /// The extraction, by exact inference, of a page that the model has seen.
    ///
    /// # Errors
    /// [`PageProblem::Empty`] of a page without text.
    pub fn extraction_of(&self, page: &Page, observation: &Observation) -> Result<Extraction, ExtractError> {
        self.extraction_at(page, observation, self.model.layers().site.as_ref())
    }

    /// The same as of a page of a site.
    ///
    /// # Errors
    /// As [`Hmt::extraction_of`].
    pub fn extraction_at(
        &self,
        page: &Page,
        observation: &Observation,
        site: Option<&Site>,
    ) -> Result<Extraction, ExtractError> {
        self.extraction(page, observation, self.ready.posteriors_by_type(observation), site)
    }

    fn extraction(
        &self,
        page: &Page,
        observation: &Observation,
        mut posteriors: ByType<Vec<f64>>,
        site: Option<&Site>,
    ) -> Result<Extraction, ExtractError> {
        let view = &observation.view;
        if view.texts.is_empty() {
            return Err(PageProblem::Empty.into());
        }
        let states = self.parameters.transition.states;
        let supplemental = self.model.supplemental_split().zip(observation.supplemental.as_ref());
        // Probabilities that are 0 or 1 cannot be split.
        let supplemental = supplemental.filter(|_| self.gives_probabilities());
        for (_, rows) in &mut posteriors {
            if let Some((split, inputs)) = supplemental {
                split.apply(view, inputs, rows, states);
            }
            if let Some(site) = site {
                site.pool(page, view, rows, states);
            }
            if let Some(recalibration) = &self.model.layers().recalibration {
                recalibration.apply(view, rows, states);
            }
        }
        let of_nodes = |rows: &[f64]| posteriors_of_nodes(page, view, rows, states, Label::ALL);
        let by_type = match posteriors.len() {
            1 => Vec::new(),
            _ => posteriors.iter().map(|(p, rows)| (*p, of_nodes(rows))).collect(),
        };
        let posterior = mean_over_types(posteriors);
        let mut extraction = Extraction::from_posteriors(of_nodes(&posterior));
        extraction.page_type = observation.page_type;
        extraction.by_type = by_type;
        self.decide(page, view, &mut extraction);
        // It was learned of the model's own decision.
        if self.is_own_decision {
            extraction.page_confidence = self.model.layers().page_confidence.clone();
        }
        self.split_comments(page, observation, &mut extraction, posterior);
        Ok(extraction)
    }
}
