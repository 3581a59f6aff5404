//! The parameters of a sweep in the forms that its kernels read.

use rayon::prelude::*;

use super::chain::Sampler;
use super::settings::Kernel;
use super::single_site::{Factors, Row, linear_emissions};
use crate::model::{Parameters, Transition};

/// Parameters, and what they say of each page.
pub(super) struct PageTables {
    /// A, times C where the labels of children are emissions.
    pub potentials: Transition,
    /// Of the single-site kernel only.
    pub factors: Option<Factors>,
    pub pages: Vec<Emissions>,
}

/// The emissions of a page.
pub(super) struct Emissions {
    /// ln P(x_v | z), \[node\]\[state\]; minus infinity where a label forbids the state.
    pub ln: Vec<f64>,
    /// As [`linear_emissions`] gives them, for the single-site kernel only.
    pub linear: Vec<Row>,
}

impl PageTables {
    pub fn new(sampler: &Sampler<'_>, parameters: &Parameters) -> Self {
        let tables = sampler.tables();
        let (model, states) = (sampler.model(), tables.k);
        let single_site = sampler.settings().kernel == Kernel::SingleSite;
        let potentials = potentials(parameters, tables.children.is_some());
        let ln_sibling = tables.siblings.is_some().then_some(&*parameters.ln_sibling);
        let factors = single_site.then(|| Factors::new(&potentials, ln_sibling));
        let pages = sampler.page_data().as_slice().par_iter().map(|page| {
            let mut ln = parameters.ln_emission(model.config(), model.specs(), page.tree, page.features);
            page.permitted.restrict(&mut ln);
            let linear = if single_site { linear_emissions(&ln, states) } else { Vec::new() };
            Emissions { ln, linear }
        });
        PageTables { pages: pages.collect(), potentials, factors }
    }
}

/// A, times C where the labels of children are emissions.
pub(super) fn potentials(parameters: &Parameters, child_types: bool) -> Transition {
    let mut transition = parameters.transition.clone();
    let k = transition.states;
    if child_types {
        for (row, ln) in transition.ln.chunks_exact_mut(k).enumerate().take(k * (k + 1)) {
            let ln_child = &parameters.ln_child[row / (k + 1) * k..][..k];
            ln.iter_mut().zip(ln_child).for_each(|(ln, child)| *ln += child);
        }
    }
    transition
}
