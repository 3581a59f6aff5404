//! `Weights`, a layer of learned exponents and additive changes over the log tables that a model's counts give.
//!
//! With the layer the factors of a page's posterior are
//!
//! p_f(x_vf | z_v)^w_f * exp(r_f\[x_vf\]\[z_v\])   and   A\[z_pa, z_ps\]\[z_v\]^w_A * exp(r_A\[z_pa, z_ps\]\[z_v\])
//!
//! in place of p_f and A. Exponents w below 1 temper the evidence of features that depend on each other, which naive
//! Bayes counts again and again; the refinement r moves single entries of the tables. Counts stay as they are. The
//! product is no longer normalized, which exact inference, Viterbi and joint draws need not: they give the posterior
//! of states that is proportional to it. What is defined by the *generative* model (EM, Gibbs sampling, simulation,
//! predictive checks) takes the counts alone. How weights are learned: `inference::weight_learning`.

use serde::{Deserialize, Serialize};

use super::layer::Layer;
use crate::error::{Error, Result};
use crate::features::catalogue;
use crate::model::config::{Family, ModelConfig};
use crate::model::parameters::{FeatureParameters, Parameters};

/// The largest exponent.
const MAX_EXPONENT: f64 = 10.0;
/// The largest change of an entry, in nats.
const MAX_CHANGE: f32 = 50.0;

/// Exponents of all tables, and changes to their entries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The exponents of each feature, in the model's order: one, or where inner nodes have tables of their own two, of
    /// leaves and of inner nodes. Range 0 to 10; 1 leaves a table as the counts give it, 0 takes the feature out.
    pub features: Vec<Vec<f64>>,
    /// The exponents of the transition.
    pub transition: TransitionExponents,
    /// What is added to the tables after that; none changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refinement: Option<Refinement>,
}

/// The exponents of the rows of the transition, each from 0 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionExponents {
    /// Of the root's row.
    pub root: f64,
    /// Of the rows of first children; of all but the root's where the transition does not look at the sibling before.
    pub first: f64,
    /// Of the other rows.
    pub other: f64,
}

/// Changes to log tables, in nats: from -50 to 50.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refinement {
    /// Of each feature, \[category\]\[column\] as its counts.
    pub features: Vec<Vec<f32>>,
    /// Of the transition, \[parent or root\]\[previous sibling or start\]\[state\].
    pub transition: Vec<f32>,
}

impl Weights {
    /// The same exponent for everything, and no refinement.
    ///
    /// # Errors
    /// As [`Layer::check`].
    pub fn uniform(config: &ModelConfig, exponent: f64) -> Result<Self> {
        let weights = Weights {
            features: vec![vec![exponent; tables(config)]; config.features.len()],
            transition: TransitionExponents { root: exponent, first: exponent, other: exponent },
            refinement: None,
        };
        weights.check(config)?;
        Ok(weights)
    }
}

impl Layer for Weights {
    /// A wrong shape, a number out of range, or a geometric feature, which has no table of categories to weigh.
    fn check(&self, config: &ModelConfig) -> Result<()> {
        let specs = config.check()?;
        check_length("weights.features", self.features.len(), specs.len(), "one list for each feature")?;
        for (used, exponents) in config.features.iter().zip(&self.features) {
            if used.family == Family::BetaGeometric {
                return Err(Error::usage(
                    format!("feature '{}' is beta-geometric, which cannot be weighted", used.id),
                    "write family = \"dirichlet-categorical\", or use the model without weights",
                ));
            }
            let field = format!("weights.features of '{}'", used.id);
            check_length(&field, exponents.len(), tables(config), "one for each kind of table")?;
            exponents.iter().try_for_each(|&exponent| check_exponent(&field, exponent))?;
        }
        let TransitionExponents { root, first, other } = self.transition;
        for (row, exponent) in [("root", root), ("first", first), ("other", other)] {
            check_exponent(&format!("weights.transition.{row}"), exponent)?;
        }
        self.refinement.as_ref().map_or(Ok(()), |refinement| refinement.check(config))
    }

    fn line(&self) -> Option<(&'static str, String)> {
        let TransitionExponents { root, first, other } = self.transition;
        let refined = if self.refinement.is_some() { "and a refinement of the tables" } else { "alone" };
        Some((
            "weights",
            format!(
                "exponents {refined}, not in the tables below; transition: root {root:.3}, first child {first:.3}, others \
                 {other:.3}"
            ),
        ))
    }
}

impl Refinement {
    /// No change.
    ///
    /// # Errors
    /// As [`ModelConfig::check`].
    pub fn zero(config: &ModelConfig) -> Result<Self> {
        let lengths = lengths(config)?;
        let k = config.states.len();
        Ok(Refinement {
            features: lengths.into_iter().map(|length| vec![0.0; length]).collect(),
            transition: vec![0.0; (k + 1) * (k + 1) * k],
        })
    }

    fn check(&self, config: &ModelConfig) -> Result<()> {
        let (expected, k) = (lengths(config)?, config.states.len());
        let field = "weights.refinement.features";
        check_length(field, self.features.len(), expected.len(), "one table for each feature")?;
        for ((table, used), length) in self.features.iter().zip(&config.features).zip(expected) {
            check_changes(&format!("{field} of '{}'", used.id), table, length)?;
        }
        check_changes("weights.refinement.transition", &self.transition, (k + 1) * (k + 1) * k)
    }
}

impl Parameters {
    /// The parameters under weights: log tables times their exponents, plus the refinement. With exponents of 1 and
    /// without refinement they are the same to the bit. The types of siblings and of children, which exact inference
    /// leaves out, are not weighted.
    ///
    /// # Panics
    /// If the weights are not of this configuration, see [`Layer::check`].
    pub fn weighted(mut self, config: &ModelConfig, weights: &Weights) -> Self {
        assert_eq!(weights.features.len(), self.features.len(), "weights of each feature");
        let (k, width) = (config.states.len(), config.emission_width());
        for (feature, exponents) in self.features.iter_mut().zip(&weights.features) {
            let FeatureParameters::Categorical(table) = feature else {
                panic!("geometric features have no weights, see Layer::check")
            };
            for row in table.chunks_exact_mut(width) {
                for (columns, exponent) in row.chunks_exact_mut(k).zip(exponents) {
                    columns.iter_mut().for_each(|ln| *ln *= exponent);
                }
            }
        }
        for (row, ln) in self.transition.ln.chunks_exact_mut(k).enumerate() {
            let exponent = weights.transition.row(row, k);
            ln.iter_mut().for_each(|ln| *ln *= exponent);
        }
        if let Some(refinement) = &weights.refinement {
            let add = |table: &mut [f64], changes: &[f32]| {
                table.iter_mut().zip(changes).for_each(|(ln, &change)| *ln += f64::from(change));
            };
            for (feature, changes) in self.features.iter_mut().zip(&refinement.features) {
                if let FeatureParameters::Categorical(table) = feature {
                    add(table, changes);
                }
            }
            add(&mut self.transition.ln, &refinement.transition);
        }
        self
    }
}

impl TransitionExponents {
    /// That of the row with this number, (parent or root) (K + 1) + (previous sibling or start), of K states.
    pub(crate) fn row(&self, row: usize, k: usize) -> f64 {
        let mut exponents = *self;
        *exponents.row_mut(row, k)
    }

    /// The same, to be changed.
    pub(crate) fn row_mut(&mut self, row: usize, k: usize) -> &mut f64 {
        match (row / (k + 1) == k, row % (k + 1) == k) {
            (true, _) => &mut self.root,
            (false, true) => &mut self.first,
            (false, false) => &mut self.other,
        }
    }
}

/// The number of exponents of a feature.
fn tables(config: &ModelConfig) -> usize {
    if config.inner_tables { 2 } else { 1 }
}

/// The number of entries of each feature's table.
fn lengths(config: &ModelConfig) -> Result<Vec<usize>> {
    let width = config.emission_width();
    let of = |id: &str| catalogue::find(id).map_or(0, |spec| spec.kind.categories() * width);
    config.check()?;
    Ok(config.features.iter().map(|used| of(&used.id)).collect())
}

fn check_length(field: &str, found: usize, expected: usize, what: &str) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::usage(
        format!("{field} has {found} entries, the model's configuration {expected}"),
        format!("give {what}, as learned for this configuration"),
    ))
}

fn check_exponent(field: &str, exponent: f64) -> Result<()> {
    if (0.0..=MAX_EXPONENT).contains(&exponent) {
        return Ok(());
    }
    Err(Error::usage(
        format!("{field} is {exponent}"),
        format!("an exponent must be from 0 to {MAX_EXPONENT}; 1 changes nothing"),
    ))
}

fn check_changes(field: &str, changes: &[f32], expected: usize) -> Result<()> {
    check_length(field, changes.len(), expected, "one change for each entry of the table")?;
    match changes.iter().find(|change| !(-MAX_CHANGE..=MAX_CHANGE).contains(*change)) {
        None => Ok(()),
        Some(change) => Err(Error::usage(
            format!("{field} holds {change}"),
            format!("a change must be from -{MAX_CHANGE} to {MAX_CHANGE} nats"),
        )),
    }
}
