//! R-hat of chains from over-dispersed starts, by number of sweeps.

use serde::{Deserialize, Serialize};

use super::{Convergence, Task};
use crate::diagnostics::{Undefined, largest_rhat};
use crate::error::Result;
use crate::inference::gibbs::{GibbsConfig, SampledPage, Sampler, Start};

/// The numbers of sweeps after which chains are compared.
pub const AGREE_AT: [u32; 10] = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/// How far chains agree after one number of sweeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// Number of sweeps; the first half is left out.
    pub sweeps: u32,
    /// The largest R-hat of ln P(z, x) and of the share of nodes in each state. None where one of them is constant in
    /// each chain and differs between chains: infinitely far.
    pub rhat: Option<f64>,
}

pub(super) fn by_sweeps(
    task: &Task<'_>,
    settings: &GibbsConfig,
    config: &Convergence,
) -> Result<Vec<Agreement>> {
    let Convergence { chains, compared_sweeps: sweeps, .. } = *config;
    let settings = GibbsConfig { chains, sweeps, start: Start::Dispersed, ..*settings };
    let tree = &task.observation.view.tree;
    let digest = task.page.dom().digest().as_u64();
    let pages = [SampledPage::unlabelled(task.model, tree, &task.observation.features, digest)];
    let sampler = Sampler::new(task.model, &pages, &settings)?;
    let k = task.model.config().states.len();
    let rows: Vec<Vec<f64>> = (0..chains)
        .map(|number| {
            let mut chain = sampler.chain(number);
            let mut rows = Vec::with_capacity(settings.sweeps as usize * (k + 1));
            for _ in 0..settings.sweeps {
                chain.sweep();
                let start = rows.len() + 1;
                rows.push(chain.ln_joint());
                rows.resize(start + k, 0.0);
                chain.states(0).iter().for_each(|&state| rows[start + usize::from(state)] += 1.0);
            }
            rows
        })
        .collect();
    let width = k + 1;
    let compared = AGREE_AT.into_iter().filter(|&sweeps| sweeps <= settings.sweeps).map(|sweeps| {
        let draws = (sweeps / 2) as usize;
        let first = sweeps as usize - draws;
        let found = largest_rhat(width, chains as usize, draws, |series, chain, draw| {
            rows[chain][(first + draw) * width + series]
        });
        let rhat = match found {
            Ok(largest) => Some(largest.value).filter(|value| value.is_finite()),
            // Nothing moves, and all chains are at one place.
            Err(Undefined::Constant { .. }) => Some(1.0),
            Err(_) => None,
        };
        Agreement { sweeps, rhat }
    });
    Ok(compared.collect())
}
