//! Chains side by side: in parallel, with what they drew written down, a stopping rule, and checkpoints.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::chain::{Chain, Sampler};
use super::checkpoint::Checkpoint;
use super::monitor::{Monitor, VariableGroup};
use super::replicates::REPLICATED;
use super::settings::GibbsConfig;
use crate::diagnostics::{LargestRhat, Undefined, largest_rhat};
use crate::error::{Error, Result};

/// When chains end, and what of them is kept beside the parameters.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RunConfig {
    /// Go on, in steps of the settings' sweeps, until the largest R-hat is below this. Range above 1, such as 1.01.
    /// Default: end after the settings' sweeps.
    pub until_rhat: Option<f64>,
    /// The most sweeps of a run that goes on until chains agree. Range from the settings' sweeps up. Default 20 times
    /// these.
    pub max_sweeps: Option<u32>,
    /// Whether the states of all nodes are kept for every draw. Default no.
    pub keep_states: bool,
}

impl RunConfig {
    /// Checks the ranges beside those of the settings.
    ///
    /// # Errors
    /// [`Error::Usage`] with the parameter, its range and its default.
    pub fn check(&self, settings: &GibbsConfig) -> Result<()> {
        let sweeps = settings.sweeps;
        let draws = (sweeps - settings.burn_in).div_ceil(settings.thin);
        if let Some(rhat) = self.until_rhat {
            if !(rhat > 1.0 && rhat.is_finite()) {
                return Err(Error::usage(
                    format!("until-rhat is {rhat}"),
                    "until-rhat must be above 1, such as 1.01; the default is a fixed number of sweeps",
                ));
            }
            if draws < 4 {
                return Err(Error::usage(
                    format!("until-rhat is given, and {sweeps} sweeps keep {draws} draws"),
                    "R-hat needs 4 draws or more: raise sweeps, or lower burn-in or thin",
                ));
            }
        }
        match self.max_sweeps {
            Some(_) if self.until_rhat.is_none() => Err(Error::usage(
                "max-sweeps goes with until-rhat",
                "give until-rhat, or the number of sweeps by sweeps alone",
            )),
            Some(max) if max < sweeps => Err(Error::usage(
                format!("max-sweeps is {max}, below {sweeps} sweeps"),
                "max-sweeps must be at least sweeps; the default is 20 times these",
            )),
            _ => Ok(()),
        }
    }

    /// The most sweeps.
    pub fn limit(&self, sweeps: u32) -> u32 {
        match self.until_rhat {
            None => sweeps,
            Some(_) => self.max_sweeps.unwrap_or(sweeps.saturating_mul(20)),
        }
    }
}

/// Is told how chains go.
pub trait SweepObserver: Sync {
    /// A chain has made a sweep.
    fn swept(&self, chain: &Chain<'_, '_>);
    /// The stopping rule was looked at after `sweeps` sweeps; there will be `more` of them, or none.
    fn checked(&self, sweeps: u32, rhat: Result<LargestRhat, Undefined>, more: u32);
    /// `sweeps` sweeps of each chain were found in a checkpoint.
    fn resumed(&self, sweeps: u32);
}

/// What a chain drew.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChainDraws {
    /// Rows of the [`Monitor`], one for each draw.
    pub rows: Vec<f64>,
    /// The states of all nodes of all pages, for each draw; empty unless asked for.
    pub states: Vec<u8>,
    /// Statistics of replicated pages, of every [`REPLICATED`](super::REPLICATED)th draw from the first.
    pub replicates: Vec<f64>,
    /// How many draws found a node in a state, \[node of all pages\]\[state\].
    pub visits: Vec<u32>,
}

/// What chains drew.
pub struct Run {
    /// What the numbers are.
    pub monitor: Monitor,
    /// The draws of each chain.
    pub chains: Vec<ChainDraws>,
    /// Sweeps of each chain.
    pub sweeps: u32,
    /// Draws of each chain.
    pub draws: u32,
    /// The largest R-hat at the end, where the stopping rule asks for it.
    pub rhat: Option<Result<LargestRhat, Undefined>>,
}

/// One chain at work.
pub(super) struct Worker<'s, 'a> {
    pub chain: Chain<'s, 'a>,
    pub drawn: ChainDraws,
}

/// Runs all chains of a sampler, in parallel. The result depends on settings, model and pages alone: not on the
/// number of threads, nor on whether it was interrupted.
///
/// With a folder for `checkpoint`, chains are kept there after every round of sweeps and taken up from there if
/// they are of the same model, pages and settings; the caller removes it when the draws are stored.
///
/// # Errors
/// As [`RunConfig::check`]; [`Error::Interrupted`] once `stop` is set; [`Error::Io`] and [`Error::Data`] of the
/// checkpoint.
///
/// # Cost
/// Of a sweep: O(n K) single-site, O(n K^2) or O(n K^3) blocked, and O(n K F) for the emissions unless parameters are
/// fixed; of a draw: the number of parameters in use.
pub fn run(
    sampler: &Sampler<'_>,
    config: &RunConfig,
    checkpoint: Option<&Path>,
    stop: &AtomicBool,
    observer: &dyn SweepObserver,
) -> Result<Run> {
    let settings = *sampler.settings();
    config.check(&settings)?;
    let monitor = Monitor::new(sampler);
    let mut workers: Vec<Worker<'_, '_>> = (0..settings.chains)
        .map(|number| Worker {
            chain: sampler.chain(number),
            drawn: ChainDraws {
                visits: vec![0; sampler.nodes() * sampler.model().config().states.len()],
                ..ChainDraws::default()
            },
        })
        .collect();
    let mut checkpoint = match checkpoint {
        Some(folder) => Some(Checkpoint::open(folder, sampler, config, &monitor, &mut workers)?),
        None => None,
    };
    let mut sweeps = workers[0].chain.sweeps();
    if sweeps > 0 {
        observer.resumed(sweeps);
    }
    let limit = config.limit(settings.sweeps);
    // Long enough that a checkpoint costs little, short enough that little is lost.
    let round = u32::try_from(20_000_000 / sampler.nodes().max(1)).unwrap_or(u32::MAX).clamp(1, 1000);
    // Chains that are swept together share a thread; what they draw does not depend on it.
    let at_once = workers.len().div_ceil(rayon::current_num_threads());
    let mut rhat = None;
    let mut target = settings.sweeps.min(limit);
    loop {
        while sweeps < target {
            let n = round.min(target - sweeps);
            workers.par_chunks_mut(at_once).try_for_each(|workers| {
                for _ in 0..n {
                    if stop.load(Ordering::Relaxed) {
                        return Err(Error::Interrupted);
                    }
                    Chain::sweep_together(
                        &mut workers.iter_mut().map(|worker| &mut worker.chain).collect::<Vec<_>>(),
                    );
                    for worker in &mut *workers {
                        worker.keep(&monitor, config.keep_states);
                        observer.swept(&worker.chain);
                    }
                }
                Ok(())
            })?;
            sweeps += n;
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.save(&workers)?;
            }
        }
        let Some(threshold) = config.until_rhat else { break };
        let found = monitor.largest_rhat(&workers);
        let agree = matches!(found, Ok(largest) if largest.value < threshold);
        rhat = Some(found);
        target = if agree { sweeps } else { sweeps.saturating_add(settings.sweeps).min(limit) };
        observer.checked(sweeps, found, target - sweeps);
        if target == sweeps {
            break;
        }
    }
    let draws =
        u32::try_from(workers[0].drawn.rows.len() / monitor.width()).expect("draws are sweeps at most");
    let chains = workers.into_iter().map(|worker| worker.drawn).collect();
    Ok(Run { monitor, chains, sweeps, draws, rhat })
}

impl Worker<'_, '_> {
    /// Keeps what was drawn by the last sweep, if that is kept.
    fn keep(&mut self, monitor: &Monitor, keep_states: bool) {
        if !self.chain.sampler().settings().keeps(self.chain.sweeps()) {
            return;
        }
        let draw = self.drawn.rows.len() / monitor.width();
        monitor.write(&mut self.chain, &mut self.drawn.rows);
        if draw.is_multiple_of(REPLICATED) {
            self.drawn.replicates.extend(self.chain.replicate());
        }
        let k = self.chain.sampler().model().config().states.len();
        let pages = (0..self.chain.sampler().pages()).map(|page| self.chain.states(page));
        for (visits, &state) in self.drawn.visits.chunks_exact_mut(k).zip(pages.flatten()) {
            visits[usize::from(state)] += 1;
        }
        if keep_states {
            for page in 0..self.chain.sampler().pages() {
                self.drawn.states.extend_from_slice(self.chain.states(page));
            }
        }
    }
}

impl Monitor {
    /// The largest R-hat of all that is written down but the sampler's own statistics; `lp` is looked at too.
    fn largest_rhat(&self, workers: &[Worker<'_, '_>]) -> Result<LargestRhat, Undefined> {
        let mut places = Vec::new();
        let mut start = 0;
        for variable in self.variables() {
            if variable.group == VariableGroup::Posterior || variable.name == "lp" {
                places.extend(start..start + variable.len());
            }
            start += variable.len();
        }
        let draws = workers[0].drawn.rows.len() / self.width();
        largest_rhat(places.len(), workers.len(), draws, |series, chain, draw| {
            workers[chain].drawn.rows[draw * self.width() + places[series]]
        })
    }
}
