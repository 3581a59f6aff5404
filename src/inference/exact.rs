//! Exact posteriors from features, for many pages under one model.
//!
//! Where all features are categories or binned counts, emissions are products of table rows: they are multiplied as
//! probabilities, without a logarithm or an exponential, and no emission of the page is written down before it is
//! used. Other models go by way of [`Parameters::ln_emission`].

use super::lanes::{Lanes, any, assembled, map, max, parts, plus, times};
use super::rows::Rows;
use super::upward::Emission;
use super::upward_downward::{posteriors, posteriors_of, rows};
use crate::dist::exponential::exp;
use crate::features::{FeatureMatrix, FeatureSpec};
use crate::model::layers::page_type::mean_over_types;
use crate::model::{ByType, Model, ModelConfig, Observation, Parameters, TransitionKind};
use crate::page_work::read_clock;
use crate::view::Tree;

/// How far apart, in nats, the emissions of two states of a node may be at most where they are multiplied as
/// probabilities: what is left of the range of a float is for the messages.
const FARTHEST: f64 = 600.0;

/// The factors of a leaf are scaled to about 1 where none is above this. Most have one that is.
const SMALL: f64 = 1e-50;

/// A model made ready for exact posteriors.
#[derive(Debug, Clone)]
pub struct Exact(Prepared);

#[derive(Debug, Clone)]
enum Prepared {
    /// Six states that depend on the parent's.
    Six(Factors<6>, Box<Rows<6>>),
    /// Any other categorical model.
    Eight(Factors<8>, Box<Rows<8>>),
    /// A model with other features.
    Other(Box<(ModelConfig, Vec<&'static FeatureSpec>, Parameters)>),
}

impl Exact {
    /// Makes the parameters of a model ready.
    pub fn new(model: &Model, parameters: &Parameters) -> Exact {
        let transition = &parameters.transition;
        let ready = match (transition.states, transition.kind) {
            (6, TransitionKind::Parent) => Factors::new(model, parameters)
                .map(|factors| Prepared::Six(factors, Box::new(rows(transition)))),
            _ => Factors::new(model, parameters)
                .map(|factors| Prepared::Eight(factors, Box::new(rows(transition)))),
        };
        Exact(ready.unwrap_or_else(|| {
            Prepared::Other(Box::new((model.config().clone(), model.specs().to_vec(), parameters.clone())))
        }))
    }

    /// P(state | x) of every node, \[node\]\[state\]; each row sums to 1. The same as
    /// [`posteriors`] of the page's log emissions, to rounding; of a page that may be of several types the mean over them.
    ///
    /// # Panics
    /// If the observation is that of a model with other features.
    pub fn posteriors(&self, observation: &Observation) -> Vec<f64> {
        mean_over_types(self.posteriors_by_type(observation))
    }

    /// The same given each type that the page may be of, with its probability.
    ///
    /// # Panics
    /// If the observation is that of a model with other features.
    pub fn posteriors_by_type(&self, observation: &Observation) -> ByType<Vec<f64>> {
        let tree = &observation.view.tree;
        match observation.by_type.is_empty() {
            true => vec![(1.0, self.posteriors_of(tree, &observation.features))],
            false => {
                observation.by_type.iter().map(|(p, given)| (*p, self.posteriors_of(tree, given))).collect()
            }
        }
    }

    /// P(state | x) of every node of a tree with these features.
    ///
    /// # Panics
    /// If the observation is that of a model with other features.
    fn posteriors_of(&self, tree: &Tree, features: &FeatureMatrix) -> Vec<f64> {
        read_clock();
        match &self.0 {
            Prepared::Six(factors, rows) => posteriors_of(tree, &factors.of(tree, features), rows),
            Prepared::Eight(factors, rows) => posteriors_of(tree, &factors.of(tree, features), rows),
            Prepared::Other(model) => {
                let (config, specs, parameters) = &**model;
                let ln_emission = parameters.ln_emission(config, specs, tree, features);
                posteriors(tree, &ln_emission, &parameters.transition)
            }
        }
    }
}

/// The emissions of a model as factors.
#[derive(Debug, Clone)]
struct Factors<const P: usize> {
    /// 1 for the states that a leaf may have, else 0; the same of inner nodes.
    permitted: [Lanes<P>; 2],
    features: Vec<Table<P>>,
}

/// The factors of one feature.
#[derive(Debug, Clone)]
struct Table<const P: usize> {
    /// The category of each value; larger values have that of the last.
    category: Vec<u16>,
    /// p of each category and state, of leaves and of inner nodes, scaled to maximum 1 over the states.
    rows: Vec<[Lanes<P>; 2]>,
}

impl<const P: usize> Factors<P> {
    /// None of a model that has other features or knows of emissions too far apart.
    fn new(model: &Model, parameters: &Parameters) -> Option<Self> {
        let config = model.config();
        let k = config.states.len();
        let permitted = |is_leaf: bool| -> Lanes<P> {
            let states = config.states.permitted(is_leaf);
            std::array::from_fn(|state| if state < states { 1.0 } else { 0.0 })
        };
        let permitted = [permitted(true), permitted(false)];
        let mut farthest = 0.0;
        let mut features = Vec::new();
        for (index, spec) in model.specs().iter().enumerate() {
            let table = parameters.ln_categories(index)?;
            let category = spec.kind.category_table()?;
            let width = if config.inner_tables { 2 * k } else { k };
            let mut smallest = 0.0f64;
            let rows = table.chunks_exact(width).map(|columns| {
                let mut is_inner = 0;
                permitted.map(|permitted| {
                    let of_kind = &columns[if config.inner_tables { is_inner * k } else { 0 }..][..k];
                    is_inner += 1;
                    let mut ln = [f64::NEG_INFINITY; P];
                    for state in (0..k).filter(|&state| permitted[state] > 0.0) {
                        ln[state] = of_kind[state];
                    }
                    let largest = max(ln);
                    let relative = ln.map(|ln| ln - largest);
                    smallest = relative.into_iter().filter(|ln| ln.is_finite()).fold(smallest, f64::min);
                    exp(relative)
                })
            });
            features.push(Table { category, rows: rows.collect() });
            farthest -= smallest;
        }
        (farthest < FARTHEST).then_some(Factors { permitted, features })
    }

    /// With the values of a page.
    fn of<'a>(&'a self, tree: &'a Tree, features: &'a FeatureMatrix) -> PageFactors<'a, P> {
        let columns = features.columns.iter();
        let values = columns.map(|column| column.values().expect("the model has no feature of many tags"));
        let features: Vec<_> = self.features.iter().zip(values).collect();
        assert_eq!(features.len(), self.features.len(), "a column for each feature");
        PageFactors { tree, permitted: &self.permitted, features }
    }
}

/// The emissions of a page as factors.
struct PageFactors<'a, const P: usize> {
    tree: &'a Tree,
    permitted: &'a [Lanes<P>; 2],
    features: Vec<(&'a Table<P>, &'a [u32])>,
}

impl<const P: usize> PageFactors<'_, P> {
    #[inline(always)]
    fn row(&self, v: usize) -> Lanes<P> {
        let is_inner = usize::from(!self.tree.is_leaf(v as u32));
        let mut factors = self.permitted[is_inner];
        for (table, values) in &self.features {
            let value = (values[v] as usize).min(table.category.len() - 1);
            factors = times(factors, table.rows[usize::from(table.category[value])][is_inner]);
        }
        factors
    }
}

impl<const P: usize> Emission<P> for PageFactors<'_, P> {
    #[inline(always)]
    fn leaf(&self, v: usize) -> (Lanes<P>, f64) {
        let row = self.row(v);
        if any(row, |x| x > SMALL) {
            return (row, 0.0);
        }
        // Features that contradict each other: scaled as where there are children.
        <Self as Emission<P>>::inner(self, v, [1.0; P], [0.0; P])
    }

    #[inline(always)]
    fn inner(&self, v: usize, mantissa: Lanes<P>, exponent: Lanes<P>) -> (Lanes<P>, f64) {
        let (own, own_exponent) = parts(self.row(v));
        let product = times(own, mantissa);
        // What is 0 has no say in the scale.
        let exponent = map(product, plus(own_exponent, exponent), |product, exponent| {
            if product > 0.0 { exponent } else { f64::NEG_INFINITY }
        });
        let largest = max(exponent);
        let weights = assembled(product, exponent.map(|exponent| exponent - largest));
        (weights, largest * std::f64::consts::LN_2)
    }
}
