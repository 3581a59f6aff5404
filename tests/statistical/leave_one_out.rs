//! The likelihood of each page as draws have it, against enumeration of all states of small pages.
//!
//! Under the posterior of the parameters the mean of 1 / P(x_i | theta) is P(the other pages) / P(all pages), the reciprocal of
//! what leave-one-out cross-validation asks for. Both evidences are sums over all labellings. As in [`super::gibbs_enumeration`] many
//! chains are compared with the exact value by Student's t.

use duramen::inference::GibbsConfig;
use duramen::inference::gibbs::{Kernel, ParameterUse, Sampler};
use duramen::model::{StateSpace, TransitionKind};
use rayon::prelude::*;

use crate::gibbs_enumeration::{Labels, Problem};
use crate::reference::verdict::{Verdict, mean_and_variance, p_of_t};

/// The rate at which each test would fail a right sampler.
const FALSE_ALARM: f64 = 1e-5;

fn check(kernel: Kernel, parameters: ParameterUse) {
    let settings = GibbsConfig {
        sweeps: 250,
        burn_in: 50,
        chains: 48,
        kernel,
        parameters,
        sibling_types: false,
        child_types: false,
        seed: 9,
        ..GibbsConfig::default()
    };
    let mut verdict = Verdict::new();
    for space in [StateSpace::Labels, StateSpace::LabelsAndMixed] {
        for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
            for labels in [Labels::SomeNodes, Labels::Sets] {
                let problem = Problem::new(space, kind, labels);
                let ln_evidence =
                    |problem: &Problem| problem.enumeration(&settings).ln_evidence(&problem.urns);
                let all = ln_evidence(&problem);
                let pages = problem.sampled();
                let sampler = Sampler::new(&problem.model, &pages, &settings).unwrap();
                // The mean over the draws of each chain, for each page.
                let of_chain = |number: u32| {
                    let mut chain = sampler.chain(number);
                    let mut sums = vec![0.0; pages.len()];
                    for sweep in 1..=settings.sweeps {
                        chain.sweep();
                        chain.parameters();
                        if settings.keeps(sweep) {
                            let ln_p = chain.ln_likelihoods();
                            sums.iter_mut().zip(ln_p).for_each(|(sum, ln_p)| *sum += (-ln_p).exp());
                        }
                    }
                    sums
                };
                let chains: Vec<Vec<f64>> = (0..settings.chains).into_par_iter().map(of_chain).collect();
                let draws = f64::from(settings.sweeps - settings.burn_in);
                for left_out in 0..pages.len() {
                    let mut others = Problem::new(space, kind, labels);
                    others.pages.remove(left_out);
                    let ln_exact = ln_evidence(&others) - all;
                    let ratios = chains.iter().map(|sums| sums[left_out] / draws / ln_exact.exp());
                    let (mean, variance) = mean_and_variance(ratios);
                    let t = (mean - 1.0) / variance.sqrt();
                    verdict.add(p_of_t(t, f64::from(settings.chains) - 1.0), || {
                        format!("{}, page {left_out}: {mean:.4} of the exact value", problem.name)
                    });
                }
            }
        }
    }
    verdict.expect_agreement(FALSE_ALARM);
}

#[test]
fn likelihoods_under_drawn_parameters_leave_out_a_page_as_enumeration_does() {
    check(Kernel::SingleSite, ParameterUse::Uncollapsed);
    check(Kernel::Blocked, ParameterUse::Uncollapsed);
}

#[test]
fn likelihoods_under_parameters_that_are_integrated_out_leave_out_a_page_as_enumeration_does() {
    check(Kernel::SingleSite, ParameterUse::Collapsed);
    check(Kernel::Blocked, ParameterUse::Collapsed);
}
