//! `Sampler` and `Chain`: pages under a model, and one chain over the states of all of them.
//!
//! The target is P(z, theta | x, labels, training counts), with the parameters theta fixed, drawn, integrated out or
//! (the thesis's way) set after each sweep, by [`ParameterUse`]. After a sweep a chain is its states and the
//! positions of its streams, and nothing else: what a checkpoint keeps.

use std::sync::Arc;

use rand::RngExt;
use rayon::prelude::*;

use super::collapsed::CollapsedSites;
use super::page_tables::{Emissions, PageTables, potentials};
use super::pages::{PageData, SampledPage};
use super::replicates::replicated;
use super::settings::{GibbsConfig, Kernel, ParameterUse, Start};
use super::single_site::{Factors, Sites, SitesOfChain};
use super::tables::Tables;
use crate::dist::DirichletCategorical;
use crate::error::{Error, Result};
use crate::inference::joint_draw::JointDraw;
use crate::model::{Model, Parameters, Transition};
use crate::rng::{self, Rng};
use crate::view::NONE;

/// So many chains are swept at a time: enough for what one waits for to be hidden.
const TOGETHER: usize = 4;

/// Pages under a model, ready to be sampled.
pub struct Sampler<'a> {
    model: &'a Model,
    settings: GibbsConfig,
    pages: Vec<PageData<'a>>,
    /// The training counts alone.
    tables: Tables,
    /// The posterior means of the training counts alone.
    parameters: Parameters,
    /// The same for the kernels, where all sweeps of all chains are given them.
    given: Option<Arc<PageTables>>,
}

impl<'a> Sampler<'a> {
    /// Pages with what is known of their states, under a model whose counts are the training.
    ///
    /// # Errors
    /// As [`GibbsConfig::check_model`].
    ///
    /// # Panics
    /// If the features of a page are not those of the model.
    pub fn new(model: &'a Model, pages: &'a [SampledPage<'a>], settings: &GibbsConfig) -> Result<Self> {
        settings.check_model(model)?;
        let mut seen = std::collections::BTreeMap::new();
        let pages: Vec<PageData<'a>> = pages
            .iter()
            .map(|page| {
                let occurrence = seen.entry(page.digest).or_insert(0);
                *occurrence += 1;
                assert_eq!(page.features.columns.len(), model.specs().len(), "the features are the model's");
                PageData::new(model.config(), model.specs(), page, *occurrence - 1)
            })
            .collect();
        let tables = Tables::new(model, settings, &pages);
        let parameters = model.generative_parameters();
        let mut sampler = Sampler { model, settings: *settings, pages, tables, parameters, given: None };
        if settings.parameters == ParameterUse::Fixed {
            sampler.given = Some(Arc::new(PageTables::new(&sampler, &sampler.parameters)));
        }
        Ok(sampler)
    }

    /// The model.
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The settings.
    pub fn settings(&self) -> &GibbsConfig {
        &self.settings
    }

    /// The number of nodes of all pages.
    pub fn nodes(&self) -> usize {
        self.pages.iter().map(|page| page.tree.len()).sum()
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    pub(super) fn page_data(&self) -> std::slice::Iter<'_, PageData<'a>> {
        self.pages.iter()
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// A chain at its start.
    pub fn chain(&self, number: u32) -> Chain<'_, 'a> {
        let states = self.pages.iter().map(|page| self.start(page, number)).collect();
        self.chain_from(number, 0, states)
    }

    /// A chain in given states, one list for each page, as it is after `sweeps` sweeps. With none it is at a start,
    /// and its states do not enter the first sweep's parameters. Its streams are at their beginnings: chains of one
    /// seed and number draw the same numbers, wherever they are.
    ///
    /// # Errors
    /// [`Error::Usage`] if there are not as many lists as pages and as many states as nodes, or a state is not
    /// permitted at its node.
    pub fn chain_in(&self, number: u32, sweeps: u32, states: Vec<Vec<u8>>) -> Result<Chain<'_, 'a>> {
        if states.len() != self.pages.len() {
            return Err(Error::usage(
                format!("states of {} pages for {} pages", states.len(), self.pages.len()),
                "give one list of states for each page",
            ));
        }
        for (number, (page, states)) in self.pages.iter().zip(&states).enumerate() {
            if states.len() != page.tree.len() {
                return Err(Error::usage(
                    format!("page {number}: {} states for {} nodes", states.len(), page.tree.len()),
                    "give one state for each node of the model's view",
                ));
            }
            for (v, &state) in states.iter().enumerate() {
                let permitted = page.permitted.at(v as u32);
                if !permitted.iter().any(|other| other == usize::from(state)) {
                    let names: Vec<&str> =
                        permitted.iter().map(|state| self.model.config().states.name(state)).collect();
                    return Err(Error::usage(
                        format!("page {number}: node {v} is in state {state}, which it may not have"),
                        format!("take one of {}", names.join(", ")),
                    ));
                }
            }
        }
        Ok(self.chain_from(number, sweeps, states))
    }

    fn stream(&self, purpose: &str, number: u32, page: &PageData<'_>) -> Rng {
        let name = [u64::from(number), page.digest, page.occurrence];
        // A page that is there once has the stream that it has alone.
        rng::stream(self.settings.seed, purpose, if page.occurrence == 0 { &name[..2] } else { &name })
    }

    fn start(&self, page: &PageData<'_>, number: u32) -> Vec<u8> {
        let k = self.tables.k;
        let mut rng = self.stream("gibbs-start", number, page);
        let shares = match self.settings.start {
            Start::Uniform => vec![1.0; k],
            Start::Dispersed => {
                // The same for all pages, so that chains differ as a whole.
                let mut rng = rng::stream(self.settings.seed, "gibbs-start", &[u64::from(number)]);
                let prior = DirichletCategorical { gamma: 0.3 };
                prior.ln_draw(std::iter::repeat_n(0.0, k), &mut rng).into_iter().map(f64::exp).collect()
            }
        };
        (0..page.tree.len() as u32)
            .map(|v| {
                let permitted = page.permitted.at(v);
                let total: f64 = permitted.iter().map(|state| shares[state]).sum();
                let mut left = rng.random::<f64>() * total;
                let state = permitted.iter().find(|&state| {
                    left -= shares[state];
                    left < 0.0
                });
                state.or_else(|| permitted.iter().last()).expect("a state is permitted") as u8
            })
            .collect()
    }

    /// A chain that has made `sweeps` sweeps and is in given states; its streams are at their beginnings.
    pub(super) fn chain_from(&self, number: u32, sweeps: u32, states: Vec<Vec<u8>>) -> Chain<'_, 'a> {
        let k = self.tables.k;
        let pairs = self.tables.siblings.is_some();
        let pages = self.pages.iter().zip(states).map(|(page, states)| {
            let mut children_in_state = vec![0; if pairs { states.len() * k } else { 0 }];
            for (v, &state) in states.iter().enumerate().skip(1).filter(|_| pairs) {
                children_in_state[page.tree.parent(v as u32) as usize * k + usize::from(state)] += 1;
            }
            ChainPage {
                states,
                children_in_state,
                rng: self.stream("gibbs", number, page),
                joint: JointDraw::new(),
                moved: Moved::default(),
            }
        });
        let name = [u64::from(number)];
        let mut chain = Chain {
            sampler: self,
            number,
            sweeps,
            pages: pages.collect(),
            tables: self.tables.clone(),
            parameters: self.parameters.clone(),
            given: None,
            parameter_rng: rng::stream(self.settings.seed, "gibbs-parameters", &name),
            record_rng: rng::stream(self.settings.seed, "gibbs-record", &name),
            replicate_rng: rng::stream(self.settings.seed, "gibbs-replicates", &name),
        };
        chain.recount();
        chain
    }
}

/// What moved in a sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moved {
    /// Nodes whose state changed.
    pub nodes: u64,
    /// Proposals of a page's states that were accepted; of the blocked kernel with collapsed parameters only.
    pub accepted: u64,
}

/// One chain.
pub struct Chain<'s, 'a> {
    sampler: &'s Sampler<'a>,
    number: u32,
    sweeps: u32,
    pub(super) pages: Vec<ChainPage>,
    /// Training and the pages' present states.
    tables: Tables,
    /// The parameters of the last sweep.
    pub(super) parameters: Parameters,
    /// The same for the kernels; before the first sweep, and with collapsed parameters, none.
    pub(super) given: Option<Arc<PageTables>>,
    pub(super) parameter_rng: Rng,
    pub(super) record_rng: Rng,
    pub(super) replicate_rng: Rng,
}

/// One page in a chain.
pub(super) struct ChainPage {
    pub states: Vec<u8>,
    /// Number of children in each state, \[node\]\[state\]; with the labels of all siblings only.
    children_in_state: Vec<u32>,
    pub rng: Rng,
    pub joint: JointDraw,
    moved: Moved,
}

impl<'s, 'a> Chain<'s, 'a> {
    /// What it is a chain of.
    pub fn sampler(&self) -> &'s Sampler<'a> {
        self.sampler
    }

    /// Its number, from 0.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Sweeps made.
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// The states of a page's nodes.
    pub fn states(&self, page: usize) -> &[u8] {
        &self.pages[page].states
    }

    /// Statistics of pages that the model makes for the present states.
    pub(super) fn replicate(&mut self) -> Vec<f64> {
        let states: Vec<&[u8]> = self.pages.iter().map(|page| page.states.as_slice()).collect();
        replicated(self.sampler, &states, &mut self.replicate_rng)
    }

    /// What moved in the last sweep.
    pub fn moved(&self) -> Moved {
        self.pages.iter().fold(Moved::default(), |sum, page| Moved {
            nodes: sum.nodes + page.moved.nodes,
            accepted: sum.accepted + page.moved.accepted,
        })
    }

    /// One sweep over all nodes of all pages.
    pub fn sweep(&mut self) {
        let settings = self.sampler.settings;
        match settings.parameters {
            ParameterUse::Collapsed => match settings.kernel {
                Kernel::SingleSite => self.sweep_collapsed(),
                Kernel::Blocked => self.propose_pages(),
            },
            how => {
                self.update_parameters();
                self.sweep_given_parameters();
                if how != ParameterUse::Fixed {
                    self.recount();
                }
            }
        }
        self.sweeps += 1;
    }

    /// One sweep of each of these chains of one sampler. With fixed parameters and the single-site kernel several are swept
    /// at a time, which takes two thirds to four fifths of the time of one after the other. Each draws what it draws alone.
    ///
    /// # Examples
    /// ```
    /// # use duramen::inference::gibbs::{Chain, GibbsConfig, ParameterUse, SampledPage, Sampler};
    /// # use duramen::{dom::Limits, model::{Model, ModelConfig}, page::Page};
    /// # let page = Page::parse("p", None, b"<p>a<p>b c<ul><li>d</ul>", None, &Limits::default())?;
    /// # let mut model = Model::new(ModelConfig::preset("blocks")?)?;
    /// # model.observe(&page, |_| [1, 1, 0, 0, 0, 0], "made")?;
    /// # let seen = model.observation(&page)?;
    /// let pages = [SampledPage::unlabelled(&model, &seen.view.tree, &seen.features, 0)];
    /// let settings = GibbsConfig { parameters: ParameterUse::Fixed, ..GibbsConfig::default() };
    /// let sampler = Sampler::new(&model, &pages, &settings)?;
    /// let mut chains: Vec<Chain> = (0..4).map(|number| sampler.chain(number)).collect();
    /// Chain::sweep_together(&mut chains.iter_mut().collect::<Vec<_>>());
    /// assert!(chains.iter().all(|chain| chain.sweeps() == 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the chains are not of one sampler.
    pub fn sweep_together(chains: &mut [&mut Chain<'s, 'a>]) {
        let Some(sampler) = chains.first().map(|chain| chain.sampler) else { return };
        assert!(chains.iter().all(|chain| std::ptr::eq(chain.sampler, sampler)), "chains of one sampler");
        let settings = &sampler.settings;
        if (settings.parameters, settings.kernel) != (ParameterUse::Fixed, Kernel::SingleSite) {
            return chains.iter_mut().for_each(|chain| chain.sweep());
        }
        for chains in chains.chunks_mut(TOGETHER) {
            match chains {
                [a, b, c, d] => Self::sweep_several(sampler, [a, b, c, d]),
                [a, b, c] => Self::sweep_several(sampler, [a, b, c]),
                [a, b] => Self::sweep_several(sampler, [a, b]),
                alone => alone.iter_mut().for_each(|chain| chain.sweep()),
            }
        }
    }

    /// One sweep of each by the single-site kernel under the sampler's parameters.
    fn sweep_several<const N: usize>(sampler: &Sampler<'a>, mut chains: [&mut Chain<'s, 'a>; N]) {
        for chain in &mut chains {
            chain.update_parameters();
            chain.sweeps += 1;
        }
        let given = sampler.given.as_ref().expect("parameters are fixed");
        let factors = given.factors.as_ref().expect("made for the single-site kernel");
        let mut pages = chains.each_mut().map(|chain| chain.pages.iter_mut());
        let pages: Vec<[&mut ChainPage; N]> = (0..sampler.pages.len())
            .map(|_| pages.each_mut().map(|pages| pages.next().expect("chains of the same pages")))
            .collect();
        pages.into_par_iter().zip(&sampler.pages).zip(&given.pages).for_each(
            |((mut pages, data), emissions)| {
                let chains = pages.each_mut().map(|page| page.of_chain());
                let changed = Sites { page: data, factors, emission: &emissions.linear, chains }.sweep();
                pages.into_iter().zip(changed).for_each(|(page, nodes)| page.moved.nodes = nodes);
            },
        );
    }

    /// Takes the parameters of the next sweep from the counts.
    fn update_parameters(&mut self) {
        let sampler = self.sampler;
        // As in the thesis, the first sweep has no sweep before it: random states teach nothing.
        let tables = if self.sweeps == 0 { &sampler.tables } else { &self.tables };
        let rng = match sampler.settings.parameters {
            ParameterUse::Fixed => {
                self.given = sampler.given.clone();
                return;
            }
            ParameterUse::Uncollapsed => Some(&mut self.parameter_rng),
            _ => None,
        };
        tables.take_parameters(rng, &mut self.parameters);
        self.given = Some(Arc::new(PageTables::new(sampler, &self.parameters)));
    }

    /// Given the parameters pages are independent, and each has its own stream.
    fn sweep_given_parameters(&mut self) {
        let given = &**self.given.as_ref().expect("made by update_parameters");
        let pages = self.pages.par_iter_mut().zip(&self.sampler.pages).zip(&given.pages);
        pages.for_each(|((page, data), emissions)| match &given.factors {
            Some(factors) => [page.moved.nodes] = page.sites(data, factors, emissions).sweep(),
            None => page.draw_all(data, &emissions.ln, &given.potentials),
        });
    }

    fn sweep_collapsed(&mut self) {
        for (page, data) in self.pages.iter_mut().zip(&self.sampler.pages) {
            let mut sites = CollapsedSites {
                page: data,
                tables: &mut self.tables,
                states: &mut page.states,
                children_in_state: &mut page.children_in_state,
            };
            page.moved.nodes = sites.sweep(&mut page.rng);
        }
    }

    /// Metropolis-Hastings on whole pages: states proposed from the tree whose parameters are the posterior means
    /// given all other pages, accepted by the ratio of the collapsed probabilities to the proposal's.
    fn propose_pages(&mut self) {
        for (page, data) in self.pages.iter_mut().zip(&self.sampler.pages) {
            let ln_before = self.tables.ln_evidence();
            self.tables.add_page(data, &page.states, -1.0);
            self.tables.take_parameters(None, &mut self.parameters);
            let mut ln_emission = self.parameters.ln_emission(
                self.sampler.model.config(),
                self.sampler.model.specs(),
                data.tree,
                data.features,
            );
            data.permitted.restrict(&mut ln_emission);
            let transition = potentials(&self.parameters, self.tables.children.is_some());
            let mut filtered = page.joint.filter(data.tree, &ln_emission, &transition);
            let mut proposed = page.states.clone();
            filtered.draw(&mut page.rng, &mut proposed);
            let ln_proposal = filtered.ln_probability(&page.states) - filtered.ln_probability(&proposed);
            self.tables.add_page(data, &proposed, 1.0);
            let ln_ratio = self.tables.ln_evidence() - ln_before + ln_proposal;
            if page.rng.random::<f64>().ln() < ln_ratio {
                let changed = page.states.iter().zip(&proposed).filter(|(a, b)| a != b).count();
                page.moved = Moved { nodes: changed as u64, accepted: 1 };
                page.states = proposed;
            } else {
                page.moved = Moved::default();
                self.tables.add_page(data, &proposed, -1.0);
                self.tables.add_page(data, &page.states, 1.0);
            }
        }
    }

    /// Counts the pages' present states anew.
    pub(super) fn recount(&mut self) {
        if self.sampler.settings.parameters == ParameterUse::Fixed {
            return;
        }
        self.tables.reset();
        for (page, data) in self.pages.iter().zip(&self.sampler.pages) {
            self.tables.add_page(data, &page.states, 1.0);
        }
    }

    /// ln P(z, x | training counts): states and features of all pages with the parameters integrated out; with fixed
    /// parameters, ln P(z, x | theta). The labels of all siblings and of children enter as factors of the product.
    pub fn ln_joint(&self) -> f64 {
        if self.sampler.settings.parameters != ParameterUse::Fixed {
            return self.tables.ln_evidence();
        }
        let Some(given) = &self.given else { return f64::NAN };
        let (k, transition) = (self.tables.k, &given.potentials);
        let mut ln = 0.0;
        for ((page, data), emissions) in self.pages.iter().zip(&self.sampler.pages).zip(&given.pages) {
            let state = |node: u32| if node == NONE { k } else { usize::from(page.states[node as usize]) };
            for v in 0..page.states.len() as u32 {
                let previous = transition.previous(state(data.tree.previous_sibling(v)));
                let row = transition.row(state(data.tree.parent(v)), previous);
                ln += row[state(v)] + emissions.ln[v as usize * k + state(v)];
            }
            if self.tables.siblings.is_some() {
                let ln_pairs = &self.parameters.ln_sibling;
                for children in page.children_in_state.chunks_exact(k) {
                    for (a, &n) in children.iter().enumerate().filter(|&(_, &n)| n > 0) {
                        for (b, &m) in children.iter().enumerate() {
                            ln += f64::from(n) * f64::from(m - u32::from(a == b)) * ln_pairs[a * k + b];
                        }
                    }
                }
            }
        }
        ln
    }

    /// The weights that the kernel gives the states of a node, and ln of the joint probability with the node in each
    /// of them, everything else as it is.
    #[cfg(test)]
    pub(super) fn full_conditional(&mut self, page: usize, v: u32) -> (Vec<f64>, Vec<f64>) {
        let k = self.tables.k;
        let data = &self.sampler.pages[page];
        let before = self.pages[page].states[v as usize];
        let mut ln_joint = vec![f64::NEG_INFINITY; k];
        for state in data.permitted.at(v).iter() {
            let changed = |states: &mut Vec<Vec<u8>>| states[page][v as usize] = state as u8;
            let mut states: Vec<Vec<u8>> = self.pages.iter().map(|page| page.states.clone()).collect();
            changed(&mut states);
            let mut other = self.sampler.chain_from(self.number, self.sweeps, states);
            if self.sampler.settings.parameters == ParameterUse::Fixed {
                other.update_parameters();
            }
            ln_joint[state] = other.ln_joint();
        }
        let own = &mut self.pages[page];
        let weights = match &self.given {
            Some(given) => {
                let factors = given.factors.as_ref().expect("made for the single-site kernel");
                own.sites(data, factors, &given.pages[page]).full_conditional(v, factors.looks_back)[0][..k]
                    .to_vec()
            }
            None => {
                let mut sites = CollapsedSites {
                    page: data,
                    tables: &mut self.tables,
                    states: &mut own.states,
                    children_in_state: &mut own.children_in_state,
                };
                sites.count(v, before.into(), -1.0);
                let weights = sites.weights(v)[..k].to_vec();
                sites.count(v, before.into(), 1.0);
                weights
            }
        };
        (weights, ln_joint)
    }

    /// Parameters that belong to the present states: those of the last sweep, and where they are integrated out a
    /// draw from their posterior. Of categories that are on no page they say nothing.
    pub fn parameters(&mut self) -> &Parameters {
        if self.sampler.settings.parameters == ParameterUse::Collapsed {
            self.tables.take_parameters(Some(&mut self.record_rng), &mut self.parameters);
        }
        &self.parameters
    }
}

impl ChainPage {
    fn sites<'c>(
        &'c mut self,
        page: &'c PageData<'c>,
        factors: &'c Factors,
        emissions: &'c Emissions,
    ) -> Sites<'c, 1> {
        Sites { page, factors, emission: &emissions.linear, chains: [self.of_chain()] }
    }

    fn of_chain(&mut self) -> SitesOfChain<'_> {
        let ChainPage { states, children_in_state, rng, .. } = self;
        SitesOfChain { states, children_in_state, rng }
    }

    fn draw_all(&mut self, data: &PageData<'_>, ln_emission: &[f64], potentials: &Transition) {
        let before = self.states.clone();
        self.joint.draw(data.tree, ln_emission, potentials, &mut self.rng, &mut self.states);
        self.moved.nodes = before.iter().zip(&self.states).filter(|(a, b)| a != b).count() as u64;
    }
}
