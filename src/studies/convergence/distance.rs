//! Total variation between averages of a chain and the exact marginals.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::Task;
use crate::error::Result;
use crate::inference::gibbs::{GibbsConfig, SampledPage, Sampler};

/// The distance of a page after one number of sweeps, of which the last third is averaged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    /// Number of sweeps.
    pub sweeps: u32,
    /// Total variation distance between sampled and exact distribution of a node's state, mean over nodes: from 0
    /// (equal) to 1.
    pub total_variation: f64,
    /// Distance that the same number of *independent* draws from the exact marginals has: the Monte Carlo error
    /// that is left when the chain mixes perfectly.
    pub independent: f64,
    /// Share of nodes whose most probable state differs.
    pub argmax_differs: f64,
}

/// One chain from a uniform start, as in the thesis; looked at after each of `sweeps`.
pub(super) fn by_sweeps(task: &Task<'_>, settings: &GibbsConfig, sweeps: &[u32]) -> Result<Vec<Distance>> {
    let tree = &task.observation.view.tree;
    let digest = task.page.dom().digest().as_u64();
    let pages = [SampledPage::unlabelled(task.model, tree, &task.observation.features, digest)];
    let sampler = Sampler::new(task.model, &pages, settings)?;
    let mut chain = sampler.chain(0);
    let k = task.model.config().states.len();
    let mut visits = vec![vec![0u32; tree.len() * k]; sweeps.len()];
    for sweep in 1..=settings.sweeps {
        chain.sweep();
        for (visits, &last) in visits.iter_mut().zip(sweeps) {
            if sweep > last - last / 3 && sweep <= last {
                for (node, &state) in visits.chunks_exact_mut(k).zip(chain.states(0)) {
                    node[usize::from(state)] += 1;
                }
            }
        }
    }
    let distance = |(visits, &sweeps): (&Vec<u32>, &u32)| {
        let draws = sweeps / 3;
        let mut rng = crate::rng::stream(settings.seed, "independent-draws", &[digest, u64::from(sweeps)]);
        let mut sum = Distance { sweeps, total_variation: 0.0, independent: 0.0, argmax_differs: 0.0 };
        for (exact, visits) in task.exact.chunks_exact(k).zip(visits.chunks_exact(k)) {
            let sampled: Vec<f64> = visits.iter().map(|&n| f64::from(n) / f64::from(draws)).collect();
            sum.total_variation += total_variation(exact, &sampled);
            sum.independent += total_variation(exact, &independent_draws(exact, draws, &mut rng));
            sum.argmax_differs += f64::from(u8::from(argmax(exact) != argmax(&sampled)));
        }
        let nodes = tree.len().max(1) as f64;
        Distance {
            total_variation: sum.total_variation / nodes,
            independent: sum.independent / nodes,
            argmax_differs: sum.argmax_differs / nodes,
            ..sum
        }
    };
    Ok(visits.iter().zip(sweeps).map(distance).collect())
}

fn independent_draws(p: &[f64], draws: u32, rng: &mut crate::rng::Rng) -> Vec<f64> {
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
