//! How far averages of the Gibbs sampler are from the exact marginals of the same tree model.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::config::Convergence;
use super::plan::Part;
use super::runner::{Corpora, Observer, observe};
use crate::error::{Error, Result};
use crate::inference::gibbs::{self, GibbsConfig, ParameterUse, SampledPage};
use crate::inference::upward_downward::upward_downward;
use crate::model::Model;
use crate::page::Page;

/// The distance at one number of sweeps, averaged over pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConvergenceRow {
    /// Number of sweeps, of which the last third is averaged.
    pub sweeps: u32,
    /// Whether the page's own counts enter the posterior, as the thesis has it. Then the sampler's target is not
    /// exactly the model that the marginals are of.
    pub page_counts: bool,
    /// Total variation distance between sampled and exact distribution of a node's state, mean over nodes: from 0
    /// (equal) to 1.
    pub total_variation: f64,
    /// Distance that the same number of *independent* draws from the exact marginals has: the Monte Carlo error
    /// that is left when the chain mixes perfectly.
    pub independent: f64,
    /// Share of nodes whose most probable state differs.
    pub argmax_differs: f64,
    /// Pages compared.
    pub pages: usize,
    /// Nodes of all of them.
    pub nodes: usize,
}

/// Compares on test pages of `part`, with a model trained on its training pages.
///
/// # Errors
/// [`Error::Interrupted`]; as [`observe`].
pub fn compare(
    config: &Convergence,
    corpora: &Corpora,
    part: &Part,
    seed: u64,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Vec<ConvergenceRow>> {
    let mut model_config = config.model.resolve()?;
    model_config.sibling_types = false;
    let mut model = Model::new(model_config)?;
    let training = &corpora[&part.training_dataset];
    for &page in &part.trains {
        observe(&mut model, &training.pages[page], &training.label)?;
    }
    let tested = &corpora[&part.dataset].pages;
    let pages: Vec<&Page> = part.tests.iter().take(config.pages).map(|&page| &tested[page].page).collect();
    observer.stage("convergence", pages.len() * config.sweeps.len() * 2);
    let mut rows = Vec::new();
    for page_counts in [false, true] {
        for &sweeps in &config.sweeps {
            let parameters = if page_counts { ParameterUse::AfterSweep } else { ParameterUse::Fixed };
            let gibbs =
                GibbsConfig { sweeps, burn_in: sweeps - sweeps / 3, parameters, seed, ..Default::default() };
            let distances: Result<Vec<Distance>> = pages
                .par_iter()
                .map(|page| {
                    if stop.load(Ordering::Relaxed) {
                        return Err(Error::Interrupted);
                    }
                    let distance = distance(&model, page, &gibbs)?;
                    observer.step();
                    Ok(distance)
                })
                .collect();
            rows.push(average(&distances?, sweeps, page_counts));
        }
    }
    Ok(rows)
}

struct Distance {
    nodes: usize,
    total_variation: f64,
    independent: f64,
    argmax_differs: usize,
}

fn average(distances: &[Distance], sweeps: u32, page_counts: bool) -> ConvergenceRow {
    let nodes: usize = distances.iter().map(|distance| distance.nodes).sum();
    let mean = |sum: f64| sum / nodes.max(1) as f64;
    ConvergenceRow {
        sweeps,
        page_counts,
        total_variation: mean(distances.iter().map(|d| d.total_variation).sum()),
        independent: mean(distances.iter().map(|d| d.independent).sum()),
        argmax_differs: mean(distances.iter().map(|d| d.argmax_differs as f64).sum()),
        pages: distances.len(),
        nodes,
    }
}

fn distance(model: &Model, page: &Page, config: &GibbsConfig) -> Result<Distance> {
    let observation = model.observation(page);
    let parameters = model.parameters();
    let tree = &observation.view.tree;
    let ln_emission = model.ln_emission(&parameters, &observation);
    let exact = upward_downward(tree, &ln_emission, &parameters.transition).posterior;
    let digest = page.dom().digest().as_u64();
    let sampled_page = SampledPage::unlabelled(model, tree, &observation.features, digest);
    let sampled = gibbs::average(model, sampled_page, config, |_, _, _| ())?;
    let k = parameters.transition.states;
    let draws = config.sweeps - config.burn_in;
    let mut distance =
        Distance { nodes: tree.len(), total_variation: 0.0, independent: 0.0, argmax_differs: 0 };
    let mut rng = crate::rng::stream(config.seed, "independent-draws", &[digest, u64::from(config.sweeps)]);
    for (p, q) in exact.chunks_exact(k).zip(sampled.chunks_exact(k)) {
        distance.total_variation += total_variation(p, q);
        distance.independent += total_variation(p, &independent_draws(p, draws, &mut rng));
        distance.argmax_differs += usize::from(argmax(p) != argmax(q));
    }
    Ok(distance)
}

fn independent_draws(p: &[f64], draws: u32, rng: &mut crate::rng::Rng) -> Vec<f64> {
    use rand::RngExt;
    let mut shares = vec![0.0; p.len()];
    for _ in 0..draws {
        let mut left = rng.random::<f64>();
        let state = p.iter().position(|&p| {
            left -= p;
            left < 0.0
        });
        shares[state.unwrap_or_else(|| argmax(p))] += 1.0 / f64::from(draws);
    }
    shares
}

fn total_variation(p: &[f64], q: &[f64]) -> f64 {
    p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
}

fn argmax(p: &[f64]) -> usize {
    (0..p.len()).rev().max_by(|&a, &b| p[a].total_cmp(&p[b])).unwrap_or(0)
}
