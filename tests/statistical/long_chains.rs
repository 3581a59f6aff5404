//! Chains that run for long: what they estimate late is what they estimate early, and what is exact.
//!
//! Each kernel by each use of the parameters runs for `DURAMEN_LONG_SWEEPS` sweeps (default 20,000) on pages whose states can be
//! enumerated. The sweeps of each chain are divided into [`PARTS`] parts. Of the share of a part's sweeps in which something holds, over
//! parts and chains, the mean is held against the exact probability, and the slope against zero: rounding errors that add up, or counts
//! that come apart from the states, would make it move. Both follow Student's t, since parts are far longer than a chain remembers.
//! Seeds are fixed and nothing is tried again.
//!
//! With `DURAMEN_LONG_OUT=FOLDER` the comparisons are written to `FOLDER/long-chains.csv`. `results/reliability` has those of a million
//! sweeps.

use crate::from_environment;
use crate::gibbs_enumeration::{Labels, Problem, samplers};
use crate::reference::verdict::{Verdict, mean_and_variance, p_of_t};
use duramen::inference::GibbsConfig;
use duramen::inference::gibbs::{Kernel, ParameterUse, Sampler};
use duramen::model::{StateSpace, TransitionKind};
use rayon::prelude::*;

/// The rate at which the test would fail right samplers, over all that it compares.
const FALSE_ALARM: f64 = 1e-5;
const CHAINS: u32 = 2;
/// Parts of a chain.
const PARTS: usize = 20;
/// Sweeps before the first part.
const BURN_IN: u32 = 50;
/// Parts in which something holds less often than this are no near normal sample.
const FEW: f64 = 20.0;

/// Shares of parts, or how they move, against what they should be.
struct Comparison {
    what: String,
    exact: f64,
    mean: f64,
    /// Of the mean, in standard errors.
    t_of_mean: f64,
    /// How much the share changes from the first sweep to the last.
    slope: f64,
    t_of_slope: f64,
}

/// Compares the shares of parts, \[chain\]\[part\], with a probability.
fn compare(what: String, exact: f64, shares: &[Vec<f64>]) -> Comparison {
    let all = shares.iter().flatten().copied();
    let (mean, variance) = mean_and_variance(all.clone());
    // Time runs from -1/2 to 1/2, and a slope is the same for all chains.
    let times = || (0..PARTS).map(|part| (part as f64 + 0.5) / PARTS as f64 - 0.5).cycle();
    let of_times: f64 = times().zip(all.clone()).map(|(time, _)| time * time).sum();
    let slope = times().zip(all.clone()).map(|(time, share)| time * (share - mean)).sum::<f64>() / of_times;
    let residuals = times().zip(all.clone()).map(|(time, share)| (share - mean - slope * time).powi(2));
    let of_slope = residuals.sum::<f64>() / (all.count() as f64 - 2.0) / of_times;
    Comparison {
        what,
        exact,
        mean,
        t_of_mean: (mean - exact) / variance.sqrt(),
        slope,
        t_of_slope: slope / of_slope.sqrt(),
    }
}

/// What may hold of the states, its exact probability, and the shares of parts in which it holds, \[chain\]\[part\].
fn shares(problem: &Problem, settings: &GibbsConfig, sweeps: u32) -> Vec<(String, f64, Vec<Vec<f64>>)> {
    let all = problem.enumeration(settings);
    let target = all.target(&problem.urns, settings.kernel, settings.parameters);
    let pages = problem.sampled();
    let sampler = Sampler::new(&problem.model, &pages, settings).unwrap();
    let part = sweeps / PARTS as u32;
    let run = |number| {
        let mut chain = sampler.chain(number);
        (0..BURN_IN).for_each(|_| chain.sweep());
        let visits = |_| {
            let mut visits = vec![0.0; all.len()];
            for _ in 0..part {
                chain.sweep();
                let states = (0..pages.len()).flat_map(|page| chain.states(page));
                visits[all.code(states).expect("every state is permitted")] += 1.0 / f64::from(part);
            }
            visits
        };
        (0..PARTS).map(visits).collect()
    };
    let visits: Vec<Vec<Vec<f64>>> = (0..CHAINS).into_par_iter().map(run).collect();
    let sum =
        |of: &[f64], holds: &[bool]| of.iter().zip(holds).filter(|(_, holds)| **holds).map(|(p, _)| p).sum();
    let indicators = all.indicators(&target).into_iter().map(|(what, holds)| {
        let shares =
            visits.iter().map(|parts| parts.iter().map(|part| sum(part, &holds)).collect()).collect();
        (what, sum(&target, &holds), shares)
    });
    indicators.collect()
}

fn check(kernel: Kernel, parameters: ParameterUse, problem: &Problem, sweeps: u32) -> Vec<Comparison> {
    let settings = GibbsConfig {
        sweeps: BURN_IN + sweeps,
        burn_in: BURN_IN,
        chains: CHAINS,
        kernel,
        parameters,
        // They break the tree, which only single nodes can be drawn with.
        sibling_types: kernel == Kernel::SingleSite,
        child_types: true,
        seed: 11,
        ..GibbsConfig::default()
    };
    let often = |p: f64| p.min(1.0 - p) * f64::from(sweeps) / PARTS as f64 >= FEW;
    let shares = shares(problem, &settings, sweeps).into_iter().filter(|(_, exact, _)| often(*exact));
    shares.map(|(what, exact, shares)| compare(what, exact, &shares)).collect()
}

#[test]
fn estimates_of_long_chains_do_not_move() {
    let sweeps = from_environment("DURAMEN_LONG_SWEEPS", 20_000);
    let problem =
        Problem::new(StateSpace::LabelsAndMixed, TransitionKind::ParentAndPreviousSibling, Labels::SomeNodes);
    let mut verdict = Verdict::new();
    let mut rows = "kernel,parameters,sweeps,what,exact,mean,t_of_mean,slope,t_of_slope\n".to_owned();
    let shares = f64::from(CHAINS) * PARTS as f64;
    for (kernel, parameters) in samplers() {
        for compared in check(kernel, parameters, &problem, sweeps) {
            let Comparison { what, exact, mean, t_of_mean, slope, t_of_slope } = compared;
            let name = format!("{kernel:?} {parameters:?}, {what}");
            verdict.add(p_of_t(t_of_mean, shares - 1.0), || {
                format!("{name}: exact {exact:.5}, mean {mean:.5}, {t_of_mean:.2} standard errors")
            });
            verdict.add(p_of_t(t_of_slope, shares - 2.0), || {
                format!(
                    "{name}: {slope:.5} from the first sweep to the last, {t_of_slope:.2} standard errors"
                )
            });
            rows += &format!(
                "{kernel:?},{parameters:?},{sweeps},\"{what}\",{exact},{mean},{t_of_mean},{slope},{t_of_slope}\n"
            );
        }
    }
    if let Some(folder) = std::env::var_os("DURAMEN_LONG_OUT") {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(std::path::Path::new(&folder).join("long-chains.csv"), rows).unwrap();
    }
    verdict.expect_agreement(FALSE_ALARM);
}

#[test]
fn a_share_that_moves_is_seen() {
    // Ten thousandths a part beside noise of one thousandth.
    let noise =
        |chain: usize, part: usize| if (chain + part * part).is_multiple_of(3) { 1e-3 } else { -5e-4 };
    let shares = |drift: f64| -> Vec<Vec<f64>> {
        let chain = |chain| (0..PARTS).map(|part| 0.3 + noise(chain, part) + drift * part as f64).collect();
        (0..CHAINS as usize).map(chain).collect()
    };
    let degrees = f64::from(CHAINS) * PARTS as f64 - 2.0;
    let p = |drift| p_of_t(compare(String::new(), 0.3, &shares(drift)).t_of_slope, degrees);
    assert!(p(0.0) > 0.05 && p(3e-4) < FALSE_ALARM, "{} {}", p(0.0), p(3e-4));
}
