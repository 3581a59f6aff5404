//! `Enumeration`, all states of some small pages together, and the distribution over them that each sampler has.

use std::collections::BTreeMap;

use duramen::dist::special::normalize_ln;
use duramen::features::FeatureMatrix;
use duramen::inference::gibbs::{Kernel, ParameterUse};
use duramen::model::{Model, PermittedStates};
use duramen::view::{NONE, Tree};

use super::factors::{Factor, Terms, Urns, emissions, structure};

/// Sweeps in which the law of a chain must come to rest, to 1e-12: then it has forgotten its start, to 1e-2, in a sixth
/// of them.
const MOST_SWEEPS: usize = 240;

/// A page and what is known of its states.
pub struct KnownPage {
    pub tree: Tree,
    pub features: FeatureMatrix,
    pub permitted: PermittedStates,
}

/// All configurations of the nodes of all pages, each a number.
pub struct Enumeration {
    /// The permitted states of every node, page after page.
    sets: Vec<Vec<u8>>,
    /// What one step in a node's states adds to the number of a configuration.
    strides: Vec<usize>,
    /// The pairs of parent and child and of neighboring siblings.
    pairs: Vec<(usize, usize)>,
    distinct: Vec<Factor>,
    /// Of every configuration, places in `distinct`.
    factors: Vec<Vec<u32>>,
}

impl Enumeration {
    pub fn new(model: &Model, terms: Terms, pages: &[KnownPage]) -> Self {
        let nodes = |page: &KnownPage| 0..page.tree.len() as u32;
        let sets: Vec<Vec<u8>> = pages
            .iter()
            .flat_map(|page| nodes(page).map(|v| page.permitted.at(v).iter().map(|z| z as u8).collect()))
            .collect();
        let mut len = 1;
        let mut strides = Vec::new();
        for set in &sets {
            strides.push(len);
            len *= set.len();
        }
        assert!(len <= 20_000, "{len} configurations are too many");
        let mut pairs = Vec::new();
        let mut first = 0;
        for page in pages {
            for v in nodes(page) {
                for other in [page.tree.parent(v), page.tree.previous_sibling(v)] {
                    if other != NONE {
                        pairs.push((first + other as usize, first + v as usize));
                    }
                }
            }
            first += page.tree.len();
        }
        let mut all = Enumeration { sets, strides, pairs, distinct: Vec::new(), factors: Vec::new() };
        let mut places = BTreeMap::new();
        for code in 0..len {
            let mut states = all.states(code);
            let mut factors = Vec::new();
            for page in pages {
                let rest = states.split_off(page.tree.len());
                factors.extend(structure(model, terms, &page.tree, &states));
                factors.extend(emissions(model, &page.tree, &page.features, &states));
                states = rest;
            }
            let places = factors.into_iter().map(|factor| {
                *places.entry(factor).or_insert_with(|| {
                    all.distinct.push(factor);
                    all.distinct.len() as u32 - 1
                })
            });
            all.factors.push(places.collect());
        }
        all
    }

    /// The number of configurations.
    pub fn len(&self) -> usize {
        self.factors.len()
    }

    /// The states of all nodes of a configuration.
    pub fn states(&self, code: usize) -> Vec<u8> {
        self.sets.iter().zip(&self.strides).map(|(set, stride)| set[code / stride % set.len()]).collect()
    }

    /// The number of a configuration; none if a state is not permitted.
    pub fn code<'s>(&self, states: impl Iterator<Item = &'s u8>) -> Option<usize> {
        let mut code = 0;
        for ((state, set), stride) in states.zip(&self.sets).zip(&self.strides) {
            code += stride * set.iter().position(|other| other == state)?;
        }
        Some(code)
    }

    /// P(z | x, theta) with every factor's probability as the urns predict it.
    pub fn given_parameters(&self, urns: &Urns) -> Vec<f64> {
        let ln_p: Vec<f64> = self.distinct.iter().map(|&factor| urns.p(factor).ln()).collect();
        let mut ln: Vec<f64> = self
            .factors
            .iter()
            .map(|places| places.iter().map(|&place| ln_p[place as usize]).sum())
            .collect();
        normalize_ln(&mut ln);
        ln
    }

    /// P(z | x) with the parameters integrated out.
    pub fn collapsed(&self, urns: &Urns) -> Vec<f64> {
        let mut urns = urns.clone();
        let mut ln: Vec<f64> = (0..self.len()).map(|code| urns.ln_evidence(&self.factors_of(code))).collect();
        normalize_ln(&mut ln);
        ln
    }

    /// ln P(x) with the parameters and all states integrated out: of features, and of states that are permitted.
    pub fn ln_evidence(&self, urns: &Urns) -> f64 {
        let mut urns = urns.clone();
        let ln: Vec<f64> = (0..self.len()).map(|code| urns.ln_evidence(&self.factors_of(code))).collect();
        let largest = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + ln.iter().map(|ln| (ln - largest).exp()).sum::<f64>().ln()
    }

    /// The factors of a configuration.
    pub fn factors_of(&self, code: usize) -> Vec<Factor> {
        self.factors[code].iter().map(|&place| self.distinct[place as usize]).collect()
    }

    /// The distribution that stays as it is when states z are replaced by those of a sweep whose parameters are the
    /// posterior means given z: no posterior, but where the thesis's sampler ends up.
    fn after_sweep(&self, urns: &Urns, kernel: Kernel) -> Vec<f64> {
        let mut urns = urns.clone();
        let steps: Vec<Vec<f64>> = (0..self.len())
            .map(|code| {
                let factors = self.factors_of(code);
                urns.add_all(&factors, 1.0);
                let target = self.given_parameters(&urns);
                urns.add_all(&factors, -1.0);
                match kernel {
                    Kernel::Blocked => target,
                    Kernel::SingleSite => {
                        let mut distribution = vec![0.0; self.len()];
                        distribution[code] = 1.0;
                        self.sweep(&target, &mut distribution);
                        distribution
                    }
                }
            })
            .collect();
        let mut distribution = vec![1.0 / self.len() as f64; self.len()];
        for _ in 0..MOST_SWEEPS {
            let mut next = vec![0.0; self.len()];
            for (p, step) in distribution.iter().zip(&steps) {
                next.iter_mut().zip(step).for_each(|(sum, to)| *sum += p * to);
            }
            let change: f64 = next.iter().zip(&distribution).map(|(a, b)| (a - b).abs()).sum();
            distribution = next;
            if change < 1e-12 {
                return distribution;
            }
        }
        panic!("the chain is not at rest after {MOST_SWEEPS} sweeps: too slow to be sampled");
    }

    /// The law of the states after one sweep of single nodes in order, each from its full conditional under `target`,
    /// from their law before.
    pub fn sweep(&self, target: &[f64], law: &mut [f64]) {
        for (set, &stride) in self.sets.iter().zip(&self.strides).filter(|(set, _)| set.len() > 1) {
            for first in (0..self.len()).filter(|code| code / stride % set.len() == 0) {
                let codes = || (0..set.len()).map(|digit| first + digit * stride);
                let mass: f64 = codes().map(|code| law[code]).sum();
                if mass == 0.0 {
                    continue;
                }
                let total: f64 = codes().map(|code| target[code]).sum();
                codes().for_each(|code| law[code] = mass * target[code] / total);
            }
        }
    }

    /// The distribution that a sampler is to draw from.
    pub fn target(&self, urns: &Urns, kernel: Kernel, parameters: ParameterUse) -> Vec<f64> {
        match parameters {
            ParameterUse::Fixed => self.given_parameters(urns),
            ParameterUse::AfterSweep => self.after_sweep(urns, kernel),
            ParameterUse::Uncollapsed | ParameterUse::Collapsed => self.collapsed(urns),
        }
    }

    /// Functions of the states whose means tell distributions apart, with names: whether a node is in a state, whether
    /// two that depend on each other are in the same, and whether all is as in one of the configurations that are
    /// most probable under `target`.
    pub fn indicators(&self, target: &[f64]) -> Vec<(String, Vec<bool>)> {
        let all: Vec<Vec<u8>> = (0..self.len()).map(|code| self.states(code)).collect();
        let of = |test: &dyn Fn(&[u8]) -> bool| all.iter().map(|z| test(z)).collect::<Vec<bool>>();
        let mut indicators = Vec::new();
        for (v, set) in self.sets.iter().enumerate().filter(|(_, set)| set.len() > 1) {
            for &state in set {
                indicators.push((format!("node {v} in state {state}"), of(&|z| z[v] == state)));
            }
        }
        for &(u, v) in &self.pairs {
            indicators.push((format!("nodes {u} and {v} alike"), of(&|z| z[u] == z[v])));
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| target[b].total_cmp(&target[a]).then(a.cmp(&b)));
        for &code in order.iter().take(10) {
            indicators.push((format!("states {:?}", all[code]), of(&|z| z == all[code])));
        }
        indicators
    }
}
