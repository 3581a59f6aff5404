//! The loss of a model's marginals on pages, and its gradient in the log tables by two more passes of inference.

use rayon::prelude::*;

use super::{WeightLearning, WeightPage};
use crate::features::column::Tally;
use crate::features::{Column, FeatureSpec};
use crate::inference::upward_downward::{add_joint_posteriors, posteriors};
use crate::model::{Model, ModelConfig, Parameters, StateSet, TransitionExponents, Weights};
use crate::view::Tree;

/// Added to the probability of a label in the logarithm (and taken out of its maximum, so that a label of probability 1
/// costs nothing): a node costs -ln of this at most.
pub const PROBABILITY_FLOOR: f64 = 1e-5;
/// How far the log emissions of a page are tilted for the difference, in nats summed over its nodes. The error of the
/// difference is of the order of its square, 1e-6; that of rounding of 1e-12.
const TILT: f64 = 1e-3;
/// Pages whose gradients are added up before they meet those of others, whatever the number of threads.
const GROUP: usize = 4;

/// The mean loss of pages under a model and its weights, without the pulls.
///
/// # Panics
/// If there are no pages, or their features are not those of the model.
pub fn loss(model: &Model, pages: &[&WeightPage], settings: &WeightLearning) -> f64 {
    let parameters = model.parameters();
    let of_page = |page: &&WeightPage| {
        let ln_emission = ln_emission(model, &parameters, page);
        let posterior = posteriors(&page.partial.tree, &ln_emission, &parameters.transition);
        page_loss(page, model.config(), settings, &posterior, None)
    };
    // Collected in the order of the pages, so that the sum is the same at any number of threads.
    let losses: Vec<f64> = pages.par_iter().map(of_page).collect();
    losses.iter().sum::<f64>() / pages.len() as f64
}

/// The mean loss of pages with its derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradient {
    /// The mean loss, without the pulls.
    pub loss: f64,
    /// Its derivatives in ln p of each category, \[category\]\[column\] for each feature: those in the refinement.
    pub features: Vec<Vec<f64>>,
    /// Its derivatives in the log transitions.
    pub transition: Vec<f64>,
}

/// The [`loss`] and its derivatives.
///
/// # Panics
/// As [`loss`], and if a feature is geometric.
pub fn gradient(model: &Model, pages: &[&WeightPage], settings: &WeightLearning) -> Gradient {
    let parameters = model.parameters();
    let none = || Gradient {
        loss: 0.0,
        features: (0..model.specs().len())
            .map(|feature| {
                vec![0.0; parameters.ln_categories(feature).expect("no feature is geometric").len()]
            })
            .collect(),
        transition: vec![0.0; parameters.transition.ln.len()],
    };
    let of_group = |group: &[&WeightPage]| {
        let mut sum = none();
        group.iter().for_each(|page| sum.add_page(model, &parameters, page, settings));
        sum
    };
    let groups: Vec<Gradient> = pages.par_chunks(GROUP).map(of_group).collect();
    let mut mean = none();
    groups.iter().for_each(|group| mean.add(group));
    mean.divide(pages.len() as f64);
    mean
}

impl Gradient {
    /// The derivatives in the exponents: the sums of those in the log tables times the tables of the counts alone.
    pub fn exponents(&self, model: &Model) -> (Vec<Vec<f64>>, TransitionExponents) {
        let (config, parameters) = (model.config(), model.generative_parameters());
        let (k, width) = (config.states.len(), config.emission_width());
        let of_feature = |(feature, gradient): (usize, &Vec<f64>)| {
            let ln = parameters.ln_categories(feature).expect("no feature is geometric");
            let mut exponents = vec![0.0; width / k];
            for (entry, (ln, gradient)) in ln.iter().zip(gradient).enumerate() {
                exponents[entry % width / k] += ln * gradient;
            }
            exponents
        };
        let mut rows = TransitionExponents { root: 0.0, first: 0.0, other: 0.0 };
        let (ln, gradient) = (&parameters.transition.ln, &self.transition);
        for (row, (ln, gradient)) in ln.chunks_exact(k).zip(gradient.chunks_exact(k)).enumerate() {
            *rows.row_mut(row, k) += ln.iter().zip(gradient).map(|(ln, gradient)| ln * gradient).sum::<f64>();
        }
        (self.features.iter().enumerate().map(of_feature).collect(), rows)
    }

    /// Adds a page.
    fn add_page(
        &mut self,
        model: &Model,
        parameters: &Parameters,
        page: &WeightPage,
        settings: &WeightLearning,
    ) {
        let (config, tree) = (model.config(), &page.partial.tree);
        let ln_emission = ln_emission(model, parameters, page);
        let posterior = posteriors(tree, &ln_emission, &parameters.transition);
        let mut tilt = vec![0.0; ln_emission.len()];
        self.loss += page_loss(page, config, settings, &posterior, Some(&mut tilt));
        let k = config.states.len();
        let size = |node: &[f64]| node.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let norm: f64 = tilt.chunks_exact(k).map(size).sum();
        if norm == 0.0 {
            return;
        }
        let step = TILT / norm;
        let mut along = |by: f64| -> Vec<f64> {
            let tilted: Vec<f64> = ln_emission.iter().zip(&tilt).map(|(ln, tilt)| ln + by * tilt).collect();
            add_joint_posteriors(tree, &tilted, &parameters.transition, 0.5 / by, &mut self.transition)
        };
        let (ahead, behind) = (along(step), along(-step));
        let difference = |(ahead, behind): (f64, &f64)| (ahead - behind) * (0.5 / step);
        let of_nodes: Vec<f64> = ahead.into_iter().zip(&behind).map(difference).collect();
        let nodes = Nodes { config, tree, gradient: &of_nodes };
        let columns = page.partial.features.columns.iter().zip(model.specs());
        for (table, (column, spec)) in self.features.iter_mut().zip(columns) {
            nodes.collect(column, spec, table);
        }
    }

    fn add(&mut self, other: &Gradient) {
        let add = |sums: &mut [f64], more: &[f64]| sums.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
        self.loss += other.loss;
        self.features.iter_mut().zip(&other.features).for_each(|(sums, more)| add(sums, more));
        add(&mut self.transition, &other.transition);
    }

    fn divide(&mut self, n: f64) {
        self.loss /= n;
        self.features.iter_mut().chain([&mut self.transition]).flatten().for_each(|x| *x /= n);
    }
}

fn ln_emission(model: &Model, parameters: &Parameters, page: &WeightPage) -> Vec<f64> {
    parameters.ln_emission(model.config(), model.specs(), &page.partial.tree, &page.partial.features)
}

/// The loss of a page from its marginals; puts d loss / d mu, less the mean of each node, in `tilt`.
fn page_loss(
    page: &WeightPage,
    config: &ModelConfig,
    settings: &WeightLearning,
    posterior: &[f64],
    mut tilt: Option<&mut Vec<f64>>,
) -> f64 {
    let (tree, k) = (&page.partial.tree, config.states.len());
    let content =
        settings.content.iter().fold(StateSet::first(0), |set, label| set.or(StateSet::only(label.index())));
    let weight = |v: u32| match tree.is_leaf(v) {
        true => f64::from(page.words[v as usize]).sqrt() + 1.0,
        false => settings.inner_weight,
    };
    let of_set = |v: u32, set: StateSet| -> f64 {
        set.iter().take_while(|&state| state < k).map(|state| posterior[v as usize * k + state]).sum()
    };
    let mut add = |v: u32, set: StateSet, value: f64| {
        if let Some(tilt) = &mut tilt {
            set.iter().for_each(|state| tilt[v as usize * k + state] += value);
        }
    };
    let nodes = 0..tree.len() as u32;
    let all: f64 = nodes.clone().map(weight).sum();
    let mut loss = 0.0;
    let (mut shared, mut both) = (1.0, 1.0);
    let mut scored = Vec::new();
    for v in nodes {
        let permitted = page.partial.permitted.at(v);
        let omega = if all > 0.0 { weight(v) / all } else { 0.0 };
        let p = of_set(v, permitted) + PROBABILITY_FLOOR;
        loss -= omega * (p / (1.0 + PROBABILITY_FLOOR)).ln();
        add(v, permitted, -omega / p);
        let in_content = permitted.and(content);
        let is_content = in_content == permitted;
        if tree.is_leaf(v) && (is_content || in_content.is_empty()) {
            let (words, y) = (f64::from(page.words[v as usize]), f64::from(u8::from(is_content)));
            let p = of_set(v, content);
            shared += 2.0 * words * p * y;
            both += words * (p + y);
            scored.push((v, words, y));
        }
    }
    loss += settings.soft_f1 * (1.0 - shared / both);
    for (v, words, y) in scored {
        add(v, content, -settings.soft_f1 * words * (2.0 * y * both - shared) / (both * both));
    }
    if let Some(tilt) = tilt {
        // A constant for all states of a node tilts nothing.
        for (tilt, posterior) in tilt.chunks_exact_mut(k).zip(posterior.chunks_exact(k)) {
            let mean: f64 = tilt.iter().zip(posterior).map(|(tilt, p)| tilt * p).sum();
            tilt.iter_mut().for_each(|tilt| *tilt -= mean);
        }
    }
    loss
}

/// The nodes of a page with the derivatives of the loss in their log emissions, \[node\]\[state\].
struct Nodes<'a> {
    config: &'a ModelConfig,
    tree: &'a Tree,
    gradient: &'a [f64],
}

impl Nodes<'_> {
    /// The first column of a node's states in emission tables, and its derivatives.
    fn at(&self, v: u32) -> (usize, &[f64]) {
        let k = self.config.states.len();
        (self.config.emission_offset(self.tree.is_leaf(v)), &self.gradient[v as usize * k..][..k])
    }

    /// Adds to a feature's table, \[category\]\[column\], the derivatives of the nodes that read the entry.
    fn collect(&self, column: &Column, spec: &FeatureSpec, table: &mut [f64]) {
        column.tally(self.tree, &mut Derivatives { nodes: self, spec, table });
    }
}

/// The derivatives in one feature's table, \[category\]\[column\].
struct Derivatives<'a> {
    nodes: &'a Nodes<'a>,
    spec: &'a FeatureSpec,
    table: &'a mut [f64],
}

impl Derivatives<'_> {
    fn add(&mut self, value: u32, times: f64, first: usize, gradient: &[f64]) {
        let start = self.spec.kind.category(value) * self.nodes.config.emission_width() + first;
        let row = &mut self.table[start..][..gradient.len()];
        row.iter_mut().zip(gradient).for_each(|(sum, x)| *sum += times * x);
    }
}

impl Tally for Derivatives<'_> {
    fn node(&mut self, v: u32, value: u32, times: i32) {
        let (first, gradient) = self.nodes.at(v);
        self.add(value, times.into(), first, gradient);
    }

    fn children(&mut self, parent: u32, values: &[(u32, u32)]) {
        let mut children_histograms = vec![0.0; self.nodes.config.emission_width()];
        for child in self.nodes.tree.children(parent) {
            let (first, gradient) = self.nodes.at(child);
            children_histograms[first..].iter_mut().zip(gradient).for_each(|(sum, x)| *sum += x);
        }
        for &(value, n) in values {
            self.add(value, n.into(), 0, &children_histograms);
        }
    }
}

/// The derivatives in the numbers that a stage changes, in the order of [`super::numbers`] with the L2 penalties.
pub(super) fn derive_stage(
    gradient: &Gradient,
    model: &Model,
    weights: &Weights,
    stage: super::Stage,
    settings: &WeightLearning,
) -> Vec<f64> {
    let penalized = |derivatives: Vec<f64>, l2: f64, to: f64| -> Vec<f64> {
        let numbers = super::numbers(weights, stage);
        derivatives.iter().zip(numbers).map(|(derivative, x)| derivative + l2 * (x - to)).collect()
    };
    match stage {
        super::Stage::Exponents => {
            let (features, TransitionExponents { root, first, other }) = gradient.exponents(model);
            let all = features.into_iter().flatten().chain([root, first, other]).collect();
            penalized(all, settings.exponent_l2, settings.start)
        }
        super::Stage::Refinement => {
            let all = gradient.features.iter().chain([&gradient.transition]).flatten().copied().collect();
            penalized(all, settings.refinement_l2, 0.0)
        }
    }
}
