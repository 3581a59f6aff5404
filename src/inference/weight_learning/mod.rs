//! Learning the [`Weights`] of a model by the marginal likelihood of what is known of pages.
//!
//! Naive Bayes multiplies features that say the same as if each were news, and is too sure. Exponents temper it; after
//! them the log tables are refined. Both are chosen so that the *marginals* of exact inference agree with the labels,
//! node by node, which is what a decision reads:
//!
//! loss = mean over pages of ( sum_v omega_v * -ln sum_{s in S_v} mu_v(s)  +  lambda * (1 - soft F1) )
//!   + pull_w / 2 * sum (w - w_0)^2 + pull_r / 2 * sum r^2
//!
//! where S_v are the states that the label of node v permits, mu_v the exact posterior of its state, and omega_v the
//! weight of the node: sqrt(words) + 1 for a leaf, [a constant](WeightLearning::inner_weight) for an inner node, scaled
//! to sum 1 on each page. Probabilities have [a floor](PROBABILITY_FLOOR) in the logarithm: a wrong label counts as an
//! error and not without bound. Soft F1 is over the words of the leaves that are wholly inside or outside the content,
//! with p_v = mu_v(content) and y_v of 0 or 1, and with one word of smoothing, so that a page without content asks for
//! none:
//!
//! soft F1 = (2 sum words p y + 1) / (sum words p + sum words y + 1)
//!
//! **Gradient.** With v = d loss / d mu at the marginals, d loss / d (log emissions) = Cov(state indicators, v) is the
//! derivative of the marginals themselves as the log emissions are tilted by v, since their Jacobian is a covariance
//! and so symmetric: (mu(theta + eps v) - mu(theta - eps v)) / (2 eps), two more passes of inference and nothing
//! else. The same difference of the joint marginals gives d loss / d (log transitions). Sums of these by category are
//! the gradient of the refinement; their products with the log tables are that of the exponents.
//!
//! **Descent.** First the exponents, all else as counted; then, from there, the refinement. Both by Adam over batches of
//! pages in an order that the seed gives; after an epoch that does not lower the loss of the held-out pages the rate
//! is halved and learning goes on from the best weights so far, until [`WeightLearning::patience`] such epochs in a row.
//! Hold out whole hosts, and leave their pages out of the model's counts too, or early stopping sees what was learned.
//!
//! Pages are worked on in parallel and summed in fixed groups: the result is the same at any number of threads.
//!
//! References: Kakade, Teh & Roweis 2002 and Altun, Johnson & Hofmann 2003 (marginal likelihood of labels); Domke 2013,
//! "Learning graphical model parameters with approximate marginal inference" (the derivative as two more passes of
//! inference); Kingma & Ba 2015 (Adam).

mod descent;
mod objective;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::features::{Column, FeatureMatrix, catalogue};
use crate::label::LabelSet;
use crate::model::{Layer, Model, Observation, PermittedStates, Refinement, TransitionExponents, Weights};
use crate::page::Page;
use crate::progress::Progress;

use super::expected_counts::{PartialPage, check_tree};
use descent::{Descent, descend};
pub use objective::{Gradient, PROBABILITY_FLOOR, gradient, loss};

/// The refinement is rounded to multiples of this, so that model files are small.
const REFINEMENT_UNIT: f64 = 1e-4;

/// A page to learn weights from.
#[derive(Debug, Clone)]
pub struct WeightPage {
    /// What is observed and what is known of its states.
    pub partial: PartialPage,
    /// The words of each node.
    pub words: Vec<u32>,
}

impl WeightPage {
    /// A page with what is known of its states.
    ///
    /// # Errors
    /// As [`PartialPage::new`].
    pub fn new(
        page: &Page,
        observation: Observation,
        permitted: PermittedStates,
        source: &str,
    ) -> Result<Self> {
        let spec = catalogue::find("words").expect("the catalogue has the number of words");
        let of_words = FeatureMatrix::new(page, &observation.view, &[spec], None);
        let words = of_words.columns.into_iter().next().and_then(Column::into_values);
        let words = words.expect("the number of words is a count");
        Ok(WeightPage { partial: PartialPage::new(observation, permitted, source)?, words })
    }
}

/// How weights are learned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct WeightLearning {
    /// The exponent that all start with and are pulled to. Range above 0 to 1, default 0.2.
    pub start: f64,
    /// The weight of an inner node, where a leaf of no words has 1. Range 0 (leaves only) to 100, default 0.05.
    pub inner_weight: f64,
    /// lambda, the share of soft F1 in the loss: it moves probabilities up, so that a threshold of .5 gives a better F1, and
    /// away from what they say. Range 0 to 100, default 0: the decision by expected F1 does the same to better ones.
    pub soft_f1: f64,
    /// The labels that soft F1 counts as content. Default headline, full text and supplemental.
    pub content: LabelSet,
    /// The L2 regularisation of exponents towards the start. Range 0 to 1, default 0.0001.
    #[serde(alias = "exponent-pull")]
    pub exponent_l2: f64,
    /// The L2 penalty of the refinement, a Gaussian prior at 0. Range 0 to 1, default 0.0001.
    #[serde(alias = "refinement-pull")]
    pub refinement_l2: f64,
    /// The learning rate of exponents. Range above 0 to 1, default 0.02.
    pub exponent_rate: f64,
    /// The learning rate of the refinement. Range above 0 to 1, default 0.02.
    pub refinement_rate: f64,
    /// The most epochs for the exponents. Range 0 to 10000, default 40.
    pub exponent_epochs: u32,
    /// The most epochs for the refinement; none leaves it out. Range 0 to 10000, default 20.
    pub refinement_epochs: u32,
    /// Epochs in a row without a lower loss of the held-out pages that end learning. Range 1 to 100, default 3.
    pub patience: u32,
    /// Pages in a batch. Range 1 to 1000000, default 32.
    pub batch: u32,
    /// The seed of the order of the pages. Default 1.
    pub seed: u64,
}

impl Default for WeightLearning {
    fn default() -> Self {
        WeightLearning {
            start: 0.2,
            inner_weight: 0.05,
            soft_f1: 0.0,
            content: LabelSet::ARTICLE,
            exponent_l2: 1e-4,
            refinement_l2: 1e-4,
            exponent_rate: 0.02,
            refinement_rate: 0.02,
            exponent_epochs: 40,
            refinement_epochs: 20,
            patience: 3,
            batch: 32,
            seed: 1,
        }
    }
}

impl WeightLearning {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the parameter, its range and its default.
    pub fn check(&self) -> Result<()> {
        let default = WeightLearning::default();
        let in_range = |name: &str, value: f64, low: f64, high: f64, open: bool, default: f64| {
            if (low..=high).contains(&value) && !(open && value == low) {
                return Ok(());
            }
            let from = if open { format!("above {low}") } else { format!("from {low}") };
            Err(Error::usage(
                format!("{name} of weight learning is {value}"),
                format!("it must be {from} to {high}; the default is {default}"),
            ))
        };
        in_range("start", self.start, 0.0, 1.0, true, default.start)?;
        in_range("inner-weight", self.inner_weight, 0.0, 100.0, false, default.inner_weight)?;
        in_range("soft-f1", self.soft_f1, 0.0, 100.0, false, default.soft_f1)?;
        in_range("exponent-l2", self.exponent_l2, 0.0, 1.0, false, default.exponent_l2)?;
        in_range("refinement-l2", self.refinement_l2, 0.0, 1.0, false, default.refinement_l2)?;
        in_range("exponent-rate", self.exponent_rate, 0.0, 1.0, true, default.exponent_rate)?;
        in_range("refinement-rate", self.refinement_rate, 0.0, 1.0, true, default.refinement_rate)?;
        for (name, value, low, high, default) in [
            ("exponent-epochs", self.exponent_epochs, 0, 10_000, default.exponent_epochs),
            ("refinement-epochs", self.refinement_epochs, 0, 10_000, default.refinement_epochs),
            ("patience", self.patience, 1, 100, default.patience),
            ("batch", self.batch, 1, 1_000_000, default.batch),
        ] {
            in_range(name, value.into(), low.into(), high.into(), false, default.into())?;
        }
        if self.content.is_empty() || self.content == LabelSet::ALL {
            return Err(Error::usage(
                format!("content of weight learning is '{}'", self.content),
                "name some labels and not all; the default is headline,full-text,supplemental",
            ));
        }
        Ok(())
    }
}

/// What is being learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The exponents.
    Exponents,
    /// The changes to the tables.
    Refinement,
}

/// One epoch: every page that is not held out was seen once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// What was being learned.
    pub stage: Stage,
    /// Its number in the stage; 0 is the start, before any page.
    pub number: u32,
    /// The mean loss of the pages learned from, each under the weights of its batch; none at the start.
    pub loss: Option<f64>,
    /// The mean loss of the held-out pages after it, without the pulls.
    pub held_out: f64,
    /// The learning rate.
    pub rate: f64,
}

/// What learning ended with.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedWeights {
    /// The exponents, and the refinement where there was a stage for it.
    pub weights: Weights,
    /// All epochs.
    pub epochs: Vec<Epoch>,
}

/// Learns the weights of a model from pages; of those that are `held_out` only the loss is taken, for early stopping.
/// Weights that the model has are not looked at. Each epoch is a step of the stage that the caller began.
///
/// # Errors
/// [`Error::Usage`] for settings out of range, a configuration with geometric features or the types of siblings or
/// children, no page to learn from or none held out, and a list `held_out` of another length.
///
/// # Panics
/// If the features of a page are not those of the model.
///
/// # Cost
/// Each epoch three passes of exact inference for every page, O(n K^3), and O(n K) for each feature, in parallel.
pub fn learn(
    model: &Model,
    pages: &[WeightPage],
    held_out: &[bool],
    settings: &WeightLearning,
    progress: &dyn Progress,
) -> Result<LearnedWeights> {
    settings.check()?;
    check_tree(model.config())?;
    let mut weights = Weights::uniform(model.config(), settings.start)?;
    if held_out.len() != pages.len() {
        return Err(Error::usage(
            format!("{} marks of held-out pages for {} pages", held_out.len(), pages.len()),
            "give one mark for each page",
        ));
    }
    let side = |held: bool| -> Vec<&WeightPage> {
        pages.iter().zip(held_out).filter(|(_, is_held)| **is_held == held).map(|(page, _)| page).collect()
    };
    let (learned_from, held) = (side(false), side(true));
    if learned_from.is_empty() || held.is_empty() {
        return Err(Error::usage(
            format!("weights are to be learned from {} pages, {} held out", learned_from.len(), held.len()),
            "give pages of at least two hosts, and hold out some and not all",
        ));
    }
    let model = model.clone().without_layer::<Weights>();
    let mut epochs = Vec::new();
    let mut tell = |epoch: Epoch| {
        progress.step();
        epochs.push(epoch);
    };
    let problem = Descent { model: &model, pages: &learned_from, held_out: &held, settings };
    weights = descend(&problem, Stage::Exponents, &weights, &mut tell)?;
    if settings.refinement_epochs > 0 {
        weights.refinement = Some(Refinement::zero(model.config())?);
        weights = descend(&problem, Stage::Refinement, &weights, &mut tell)?;
    }
    weights.check(model.config())?;
    Ok(LearnedWeights { weights, epochs })
}

/// The mean of weights of one configuration, number by number: log tables are linear in them, so that it is the geometric
/// mean of their factors. Weights that were learned with different pages held out, and so ended elsewhere, agree near
/// the pages of training and differ far from them (Wortsman et al. 2022, "Model soups").
///
/// # Errors
/// [`Error::Usage`] for none.
///
/// # Panics
/// If they are not of one configuration, or some have a refinement and others have not.
pub fn mean(all: &[Weights]) -> Result<Weights> {
    let Some(first) = all.first() else {
        return Err(Error::usage("the mean of no weights", "give pages to learn weights from"));
    };
    let mean_of = |stage| {
        let mut sums = numbers(first, stage);
        for weights in &all[1..] {
            let added = numbers(weights, stage);
            assert_eq!(added.len(), sums.len(), "weights of one configuration");
            sums.iter_mut().zip(added).for_each(|(sum, x)| *sum += x);
        }
        sums.iter_mut().for_each(|sum| *sum /= all.len() as f64);
        rounded(&sums, stage)
    };
    let mean = with_numbers(first, Stage::Exponents, &mean_of(Stage::Exponents));
    Ok(with_numbers(&mean, Stage::Refinement, &mean_of(Stage::Refinement)))
}

/// The numbers of weights that a stage changes, in a fixed order.
fn numbers(weights: &Weights, stage: Stage) -> Vec<f64> {
    match (stage, &weights.refinement) {
        (Stage::Exponents, _) => {
            let TransitionExponents { root, first, other } = weights.transition;
            weights.features.iter().flatten().copied().chain([root, first, other]).collect()
        }
        (Stage::Refinement, Some(refinement)) => {
            let tables = refinement.features.iter().chain([&refinement.transition]);
            tables.flatten().map(|&change| f64::from(change)).collect()
        }
        (Stage::Refinement, None) => Vec::new(),
    }
}

/// The numbers as they are kept.
fn rounded(x: &[f64], stage: Stage) -> Vec<f64> {
    match stage {
        Stage::Exponents => x.to_vec(),
        Stage::Refinement => x.iter().map(|x| (x / REFINEMENT_UNIT).round() * REFINEMENT_UNIT).collect(),
    }
}

/// The weights with other numbers for what a stage changes, kept in range: exponents of at least 0.
fn with_numbers(weights: &Weights, stage: Stage, numbers: &[f64]) -> Weights {
    let mut weights = weights.clone();
    let mut numbers = numbers.iter().copied();
    let mut next = || numbers.next().expect("as many numbers as there were");
    match (stage, &mut weights.refinement) {
        (Stage::Exponents, _) => {
            weights.features.iter_mut().flatten().for_each(|exponent| *exponent = next());
            weights.transition = TransitionExponents { root: next(), first: next(), other: next() };
        }
        (Stage::Refinement, Some(refinement)) => {
            let Refinement { features, transition } = refinement;
            let tables = features.iter_mut().chain([transition]);
            tables.flatten().for_each(|change| *change = next() as f32);
        }
        (Stage::Refinement, None) => {}
    }
    weights
}
