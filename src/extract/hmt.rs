//! The hidden Markov tree as an extractor: a trained model, and how states are inferred.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::registry::{self, ExtractorInfo, OnlyWith, Parameter, Range, Values};
use super::site_hmt::SiteHmt;
use super::title_block::title_block;
use super::{ExtractError, Extraction, Extractor, PageExtractor};
use crate::convention::{Convention, Inclusion};
use crate::error::{Error, PageProblem, Result};
use crate::index::{NodeId, NodeMap};
use crate::inference::exact::Exact;
use crate::inference::gibbs::{self, GibbsConfig, SampledPage};
use crate::inference::upward_downward::{Marginals, upward_downward};
use crate::inference::viterbi::viterbi;
use crate::label::{Label, LabelSet};
use crate::model::Observation;
use crate::model::decision::{Decision, LeafChance};
use crate::model::{Model, PageTypeProbabilities, Parameters, Site};
use crate::page::Page;
use crate::view::{PageView, ViewNode};

/// The extractor's name on the command line and in experiments.
pub const ID: &str = "hmt";

/// A parameter of the hidden Markov tree's sampler.
const fn sampler(name: &'static str, min: i64, default: i64, what: &'static str) -> Parameter {
    Parameter {
        name,
        range: Range::Integer { min, max: 1_000_000_000, default },
        what,
        only_with: Some(OnlyWith { parameter: "inference", values: &["gibbs"], implied: false }),
    }
}

pub(super) const ENTRIES: &[ExtractorInfo] = &[ExtractorInfo {
    id: ID,
    summary: "the Bayesian hidden Markov tree, with a probability for every node",
    reference: "Langkilde 2015; docs/MODEL.md",
    needs: &[],
    parameters: &[
        Parameter {
            name: "model",
            range: Range::Text { default: "web" },
            what: "web, or another of `duramen model list`, or a file made by `duramen train`",
            only_with: None,
        },
        Parameter {
            name: "inference",
            range: Range::Choice { options: &["exact", "viterbi", "gibbs"], default: "exact" },
            what: "how states are inferred",
            only_with: None,
        },
        Parameter {
            name: "layout",
            range: Range::Choice { options: &["model", "blitz", "chromium"], default: "model" },
            what: "engine whose layouts a model with features of the page's look reads; another than the one it was \
                   trained with must be asked for here",
            only_with: None,
        },
        Parameter {
            name: "convention",
            range: Range::Text { default: "article" },
            what: "what counts as content: article, everything, or the convention of a corpus, by its name",
            only_with: None,
        },
        Parameter {
            name: "generative",
            range: Range::Flag { default: false },
            what: "leave the model's learned weights out",
            only_with: None,
        },
        Parameter {
            name: "decision",
            range: Range::Choice {
                options: &["model", "most-probable", "expected-f", "threshold"],
                default: "model",
            },
            what: "how labels are chosen from posteriors; model is what the model says",
            only_with: None,
        },
        Parameter {
            name: "beta",
            range: Range::Number { min: 0.01, max: 100.0, default: 1.0 },
            what: "weight of recall against precision",
            only_with: Some(OnlyWith { parameter: "decision", values: &["expected-f"], implied: true }),
        },
        Parameter {
            name: "probability",
            range: Range::Number { min: 0.0, max: 1.0, default: 0.5 },
            what: "least probability of content that is kept",
            only_with: Some(OnlyWith { parameter: "decision", values: &["threshold"], implied: true }),
        },
        Parameter {
            name: "adapt",
            range: Range::Flag { default: false },
            what: "adapt the model to each site by what its pages agree on",
            only_with: None,
        },
        sampler("sweeps", 1, 30, "sweeps of the Gibbs sampler"),
        sampler("burn-in", 0, 20, "sweeps at the beginning that are not averaged"),
        sampler("chains", 1, 1, "chains that are averaged together"),
        sampler("seed", 0, 1, "seed of the sampler"),
    ],
    reads_source: false,
    build,
}];

fn build(values: &Values<'_>) -> Result<Box<dyn Extractor>> {
    let hmt = from_values(values)?;
    Ok(if values.flag("adapt") { Box::new(SiteHmt::new(hmt)?) } else { Box::new(hmt) })
}

/// The tree that `parameters` of the extractor [`ID`] describe, for who needs more of it than an extractor has; `adapt`
/// is not looked at.
///
/// # Errors
/// As [`registry::build`].
pub fn from_parameters(parameters: &registry::Parameters) -> Result<Hmt> {
    let values =
        Values::check(ID, ENTRIES[0].parameters, parameters).map_err(registry::Refused::into_error)?;
    from_values(&values)
}

/// The tree of a model that is no file, under the other parameters of the extractor [`ID`]; `adapt` is not looked at.
///
/// # Errors
/// As [`registry::build`]; [`Error::Usage`] for the parameter `model`, which would have no effect.
pub fn from_model(model: Model, parameters: &registry::Parameters) -> Result<Hmt> {
    if parameters.contains_key("model") {
        return Err(Error::usage("parameter 'model' has no effect beside a model", "leave it out"));
    }
    let values =
        Values::check(ID, ENTRIES[0].parameters, parameters).map_err(registry::Refused::into_error)?;
    of_model(model, "this", &values)
}

fn from_values(values: &Values<'_>) -> Result<Hmt> {
    let name = values.text("model");
    of_model(Model::by_name(name)?, name, values)
}

/// The tree of a model; `name` is what errors call it.
fn of_model(mut model: Model, name: &str, values: &Values<'_>) -> Result<Hmt> {
    let no_effect = |what: String, remedy: &str| Err(Error::usage(format!("{what} has no effect"), remedy));
    if values.flag("generative") {
        if model.weights().is_none() {
            return no_effect(
                format!("generative with model '{name}', which has no learned weights,"),
                "leave generative out: the model is its counts alone",
            );
        }
        model = model.without_weights();
    }
    if let engine @ ("blitz" | "chromium") = values.text("layout") {
        if model.config().layout.is_none() {
            return no_effect(
                format!("layout '{engine}' with model '{name}', which has no feature of the layout,"),
                "leave layout out, or name a model that was trained with a layout",
            );
        }
        model.read_layouts_of(engine)?;
    }
    // That of the article is the model's own, and every model has it.
    let convention = values.text("convention");
    if convention != "article" {
        model = model.with_convention(convention.parse()?)?;
    }
    let inference = match values.text("inference") {
        "exact" => Inference::Exact,
        "viterbi" => Inference::Viterbi,
        _ => Inference::Gibbs(GibbsConfig {
            sweeps: values.small("sweeps"),
            burn_in: values.small("burn-in"),
            chains: values.small("chains"),
            seed: values.small("seed").into(),
            ..GibbsConfig::default()
        }),
    };
    let hmt = Hmt::new(ID, model, inference)?;
    let decision = match values.text("decision") {
        "most-probable" => Decision::MostProbable,
        "expected-f" => Decision::ExpectedF { beta: values.number("beta") },
        "threshold" => Decision::Threshold { probability: values.number("probability") },
        _ => return Ok(hmt),
    };
    check_decision(&inference)?;
    hmt.with_decision(decision)
}

/// Whether there is anything to decide of states that are inferred so.
///
/// # Errors
/// [`Error::Usage`] if not: where each probability is 0 or 1, every decision keeps the same text.
pub fn check_decision(inference: &Inference) -> Result<()> {
    match inference {
        Inference::Viterbi => Err(Error::usage(
            "a decision with inference viterbi has no effect, since its probabilities are 0 or 1",
            "leave the decision out, or infer exactly",
        )),
        _ => Ok(()),
    }
}

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

    /// How labels are chosen.
    pub fn decision(&self) -> Decision {
        self.decision
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
        let observation = self.model.observation(page)?;
        let posterior = match &self.inference {
            Inference::Exact => self.exact_posteriors(&observation),
            Inference::Viterbi => {
                let ln_emission = self.model.ln_emission(&self.parameters, &observation);
                let tree = &observation.view.tree;
                let (states, _) = viterbi(tree, &ln_emission, &self.parameters.transition);
                let k = self.parameters.transition.states;
                let mut posterior = Array2::zeros((states.len(), k));
                for (v, &state) in states.iter().enumerate() {
                    posterior[[v, state as usize]] = 1.0;
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
                let averages = gibbs::average(&self.model, page, config, |_, _, _| ())
                    .expect("the settings were checked by Hmt::new");
                self.by_node(averages)
            }
        };
        Ok((observation, posterior))
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
        let is_split = self.model.comment_split().is_some() && self.inference == Inference::Viterbi;
        self.model.tells_comments() && !is_split
    }

    fn extract_page(&self, page: &Page) -> Result<Extraction, ExtractError> {
        let (observation, posterior) = self.state_posteriors(page)?;
        self.extraction(page, &observation, posterior, self.model.site())
    }
}

impl Hmt {
    /// The extraction, by exact inference, of a page that the model has seen.
    ///
    /// # Errors
    /// [`PageProblem::Empty`] of a page without text.
    pub fn extraction_of(&self, page: &Page, observation: &Observation) -> Result<Extraction, ExtractError> {
        self.extraction_at(page, observation, self.model.site())
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
        self.extraction(page, observation, self.exact_posteriors(observation), site)
    }

    fn extraction(
        &self,
        page: &Page,
        observation: &Observation,
        mut posterior: Array2<f64>,
        site: Option<&Site>,
    ) -> Result<Extraction, ExtractError> {
        let view = &observation.view;
        if view.texts.is_empty() {
            return Err(PageProblem::Empty.into());
        }
        let states = posterior.ncols();
        let rows = posterior.as_slice_mut().expect("row after row in standard layout");
        if let Some(site) = site {
            site.pool(page, view, rows, states);
        }
        if let Some(recalibration) = self.model.recalibration() {
            recalibration.apply(view, rows, states);
        }
        let mut extraction =
            Extraction::from_posteriors(posteriors_of_nodes(page, view, posterior.view(), Label::ALL));
        extraction.page_type = observation.page_type;
        self.decide(page, view, &mut extraction);
        // It was learned of the model's own decision.
        if self.is_own_decision {
            extraction.page_confidence = self.model.page_confidence().cloned();
        }
        self.split_comments(page, observation, &mut extraction, posterior);
        Ok(extraction)
    }

    /// Tells readers' comments from the rest of what is not content, if the model has learned that. Comes last, so that no
    /// decision on content, and no score of it, depends on it.
    fn split_comments(
        &self,
        page: &Page,
        observation: &Observation,
        extraction: &mut Extraction,
        mut posterior: Array2<f64>,
    ) {
        let (Some(split), Some(inputs)) = (self.model.comment_split(), &observation.comments) else { return };
        // Its probabilities are 0 or 1: there is nothing to split.
        if self.inference == Inference::Viterbi {
            return;
        }
        let (view, states) = (&observation.view, posterior.ncols());
        let rows = posterior.as_slice_mut().expect("row after row in standard layout");
        split.apply(view, inputs, rows, states);
        // Of other labels it changes nothing.
        let moved = [Label::NotContent, Label::Comments];
        let of_nodes = posteriors_of_nodes(page, view, posterior.view(), moved);
        let Extraction { labels, posteriors: Some(posteriors), .. } = extraction else { return };
        for (id, own) in of_nodes.iter() {
            moved.iter().zip(own).for_each(|(label, p)| posteriors[id][label.index()] = *p);
            let [not_content, comments] = *own;
            if comments > not_content && labels[id] == Label::NotContent {
                labels[id] = Label::Comments;
            }
        }
    }

    /// The decision for a page: the model's own depends on the type of the page, if it has learned that.
    fn decision_for(&self, page_type: Option<&PageTypeProbabilities>) -> Decision {
        match (self.decision, self.model.page_type_decision(), page_type) {
            (Decision::ExpectedF { beta }, Some(by_type), Some(page_type)) if self.is_own_decision => {
                Decision::ExpectedF { beta: beta * by_type.factor(page_type) }
            }
            (decision, ..) => decision,
        }
    }

    /// Whether the block that repeats the page's title is kept whatever the decision says of it: under the model's own
    /// decision, where the convention includes headlines (that of the article does, as a label of their own). Where a corpus
    /// has taught the model its line, or the user has chosen a decision, that says itself how much is kept.
    fn keeps_title(&self) -> bool {
        let convention = self.model.convention();
        let takes_in = convention == Convention::ARTICLE || convention.headline == Some(Inclusion::In);
        takes_in && self.is_own_decision && self.model.recalibration().is_none()
    }

    /// Labels text by the decision.
    fn decide(&self, page: &Page, view: &PageView, extraction: &mut Extraction) {
        if self.decision == Decision::MostProbable {
            return;
        }
        let decision = self.decision_for(extraction.page_type.as_ref());
        let Extraction { labels, posteriors: Some(posteriors), cutoff, .. } = &mut *extraction else {
            return;
        };
        let is_content = |label: Label| LabelSet::ARTICLE.contains(label);
        let of_content = |node: &ViewNode| LabelSet::ARTICLE.probability(&posteriors[view.texts_of(node)[0]]);
        let chance = |node: &ViewNode| LeafChance {
            content: of_content(node),
            words: view.words_of(node).iter().map(|&words| f64::from(words)).sum(),
        };
        let chances: Vec<LeafChance> = view.text_leaves().map(chance).collect();
        if let Some(content) = decision.content(&chances) {
            let kept =
                chances.iter().zip(&content).filter(|(_, kept)| **kept).map(|(chance, _)| chance.content);
            *cutoff = kept.min_by(f64::total_cmp);
            for (node, content) in view.text_leaves().zip(content) {
                for &id in view.texts_of(node) {
                    // The first of equals, as everywhere.
                    let allowed = Label::ALL.into_iter().rev().filter(|&label| is_content(label) == content);
                    let best = allowed
                        .max_by(|a, b| posteriors[id][a.index()].total_cmp(&posteriors[id][b.index()]));
                    labels[id] = best.expect("there are labels of both kinds");
                }
            }
            let is_kept = |node: &ViewNode| is_content(labels[view.texts_of(node)[0]]);
            let title = if self.keeps_title() { title_block(page, view, is_kept, of_content) } else { None };
            title.iter().flat_map(|node| view.texts_of(node)).for_each(|&id| labels[id] = Label::Headline);
        }
    }
}

/// Posteriors of all nodes, of some labels, from those of a view (shape: nodes of the view x states): a shown text node has
/// those of its leaf; an element's are those of its text, weighted by words; what shows no text is not content.
fn posteriors_of_nodes<const N: usize>(
    page: &Page,
    view: &PageView,
    posterior: ArrayView2<'_, f64>,
    labels: [Label; N],
) -> NodeMap<[f64; N]> {
    let dom = page.dom();
    let mut sums = vec![[0.0; N]; dom.len()];
    let mut weights = vec![0.0; dom.len()];
    // Both in document order; the view may hold text of scripts too.
    let mut shown = dom.shown_texts().peekable();
    for (v, node) in view.nodes.iter().enumerate() {
        // Text stands in leaves; a leaf's states are the labels themselves.
        if !view.tree.is_leaf(v as u32) {
            continue;
        }
        let of_leaf = labels.map(|label| posterior[[v, label.index()]]);
        for (&id, &words) in view.texts_of(node).iter().zip(view.words_of(node)) {
            while shown.next_if(|&other| other < id).is_some() {}
            if shown.peek() == Some(&id) {
                // Texts without a word (a lone dash) weigh little, and not nothing.
                let words = f64::from(words).max(0.01);
                sums[id.index()] = of_leaf.map(|p| p * words);
                weights[id.index()] = words;
            }
        }
    }
    let not_content = labels.map(|label| f64::from(u8::from(label == Label::NotContent)));
    // Below a node all is summed up when its turn comes.
    for index in (0..dom.len()).rev() {
        let (sum, words) = (sums[index], weights[index]);
        if words == 0.0 {
            sums[index] = not_content;
            continue;
        }
        if let Some(parent) = dom.parent(NodeId::from_index(index)) {
            weights[parent.index()] += words;
            sums[parent.index()].iter_mut().zip(sum).for_each(|(above, own)| *above += own);
        }
        sums[index] = sum.map(|p| p / words);
    }
    sums.into_iter().collect()
}
