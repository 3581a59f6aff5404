//! What chains drew, as ArviZ's `InferenceData`.
//!
//! | group | arrays |
//! |---|---|
//! | `posterior` | parameters and `state_share`, by chain and draw; `states`, those of all nodes, if kept |
//! | `sample_stats` | `lp`, `moved`, `accepted`, by chain and draw |
//! | `node_data` | `state_probability` of each node by chain: the share of draws in each state |
//! | `prior_only_data` | by the name of a parameter: 1 where neither training nor any draw of the states says anything of it, else 0 |
//! | `log_likelihood` | `features`: ln P(features of a page given the parameters) with its states summed out, by chain, draw and page |
//! | `prior` | what `posterior` has but for `states`: 500 draws that know of the pages their trees and labels alone |
//! | `posterior_predictive` | `*_statistics` of each feature on replicated pages, by chain and every tenth draw |
//! | `prior_predictive` | the same for each draw of `prior` |
//! | `observed_data` | each feature by node (not tags of children and siblings, which are several); `*_statistics` |
//!
//! `log_likelihood`, `prior` and `prior_predictive` are there if [`GibbsConfig::has_likelihood`](super::GibbsConfig::has_likelihood).

use std::ops::Range;

use super::chain::Sampler;
use super::monitor::{Variable, VariableGroup};
use super::prior::Prior;
use super::replicates::{PageStatistics, REPLICATED};
use super::run::{Run, RunConfig};
use crate::dom::digest::hex;
use crate::draws::{Array, Coordinate, Group, InferenceData};
use crate::error::Result;
use crate::model::StateSet;

/// The name of the group with the probabilities of nodes.
pub const NODE_DATA: &str = "node_data";
/// The name of the group that tells which parameters are of the prior alone.
pub const PRIOR_ONLY: &str = "prior_only_data";

impl Run {
    /// All draws with their names. `nodes` names the nodes of all pages, in order; `pages` the pages.
    ///
    /// # Errors
    /// None that a sampler's own names can cause; as [`Group::insert`].
    ///
    /// # Panics
    /// If the number of names is not that of nodes or pages.
    pub fn inference_data(
        &self,
        sampler: &Sampler<'_>,
        config: &RunConfig,
        pages: &[String],
        nodes: &[String],
        node_states: bool,
    ) -> Result<InferenceData> {
        assert_eq!((pages.len(), nodes.len()), (sampler.pages(), sampler.nodes()), "all are named");
        let mut data = InferenceData::new();
        let (mut posterior, stats) =
            (self.draws_of(VariableGroup::Posterior)?, self.draws_of(VariableGroup::SampleStats)?);
        let (chains, draws) = (self.chains.len(), self.draws as usize);
        if config.keep_states {
            let states: Vec<u8> = self.chains.iter().flat_map(|chain| chain.states.iter().copied()).collect();
            posterior.insert_coordinate("node", Coordinate::Names(nodes.to_vec()))?;
            let array = Array::new(["chain", "draw", "node"], [chains, draws, nodes.len()], states)?;
            posterior.insert("states", array)?;
        }
        data.insert("posterior", posterior)?;
        data.insert("sample_stats", stats)?;
        if node_states {
            data.insert(NODE_DATA, self.node_states(sampler, nodes)?)?;
        }
        data.insert(PRIOR_ONLY, self.prior_only(sampler)?)?;
        let statistics = PageStatistics::new(sampler);
        let mut observed = observed_data(sampler, nodes)?;
        statistics.insert(&mut observed)?;
        let replicates: Vec<&[f64]> = self.chains.iter().map(|chain| &*chain.replicates).collect();
        data.insert("posterior_predictive", statistics.replicates(&replicates, REPLICATED)?)?;
        if self.monitor.has_likelihood() {
            let mut likelihood = self.draws_of(VariableGroup::LogLikelihood)?;
            likelihood.insert_coordinate("page", Coordinate::Names(pages.to_vec()))?;
            data.insert("log_likelihood", likelihood)?;
            let prior = Prior::draw(sampler, &self.monitor);
            let width = self.of_posterior().map(Variable::len).sum();
            let group = draws_by_variable(places(self.of_posterior()), &[&prior.rows], width)?;
            data.insert("prior", group)?;
            data.insert("prior_predictive", statistics.replicates(&[&prior.replicates], 1)?)?;
        }
        data.insert("observed_data", observed)?;
        let settings = serde_json::to_value(sampler.settings()).expect("settings are a table");
        data.set_attribute("settings", settings);
        data.set_attribute("seed", sampler.settings().seed);
        data.set_attribute("sweeps", self.sweeps);
        let space = sampler.model().config().states;
        let states = self.monitor.states().iter().map(|state| space.name(state));
        data.set_attribute("states", states.collect::<Vec<_>>());
        data.set_attribute("model", sampler.model().digest());
        data.set_attribute("fingerprint", sampler.fingerprint(config));
        let digests = sampler.page_data().map(|page| hex(&page.digest.to_be_bytes()));
        data.set_attribute("page_digests", digests.collect::<Vec<_>>());
        data.set_attribute("pages", pages.to_vec());
        Ok(data)
    }

    fn of_posterior(&self) -> impl Iterator<Item = &Variable> {
        self.monitor.variables().iter().filter(|variable| variable.group == VariableGroup::Posterior)
    }

    /// The variables of a group, from rows to arrays.
    fn draws_of(&self, group: VariableGroup) -> Result<Group> {
        let rows: Vec<&[f64]> = self.chains.iter().map(|chain| &*chain.rows).collect();
        let places = places(self.monitor.variables().iter());
        draws_by_variable(places.filter(|(variable, _)| variable.group == group), &rows, self.monitor.width())
    }

    /// The group [`PRIOR_ONLY`].
    fn prior_only(&self, sampler: &Sampler<'_>) -> Result<Group> {
        let k = sampler.model().config().states.len();
        let seen: Vec<StateSet> = (0..sampler.nodes())
            .map(|node| {
                let is_seen =
                    |state: &usize| self.chains.iter().any(|chain| chain.visits[node * k + state] > 0);
                (0..k).filter(is_seen).map(StateSet::only).fold(StateSet::first(0), StateSet::or)
            })
            .collect();
        let prior_only = self.monitor.prior_only(sampler, &seen);
        let mut cells = prior_only.iter().map(|&prior| u8::from(prior));
        let mut skipped = self.of_posterior().map(Variable::len).sum::<usize>() - prior_only.len();
        let mut group = Group::new();
        for variable in self.of_posterior() {
            if skipped > 0 {
                skipped -= variable.len();
                continue;
            }
            let shape: Vec<usize> = variable.dims.iter().map(|(_, places)| places.len()).collect();
            for (name, places) in &variable.dims {
                group.insert_coordinate(name, Coordinate::Names(places.clone()))?;
            }
            let dims = variable.dims.iter().map(|(name, _)| name.as_str());
            let values: Vec<u8> = cells.by_ref().take(variable.len()).collect();
            group.insert(&variable.name, Array::new(dims, shape, values)?)?;
        }
        Ok(group)
    }

    fn node_states(&self, sampler: &Sampler<'_>, nodes: &[String]) -> Result<Group> {
        let space = sampler.model().config().states;
        let draws = f64::from(self.draws);
        let visits = self.chains.iter().flat_map(|chain| &chain.visits);
        let shares: Vec<f64> = visits.map(|&visits| f64::from(visits) / draws).collect();
        let mut group = Group::new();
        group.insert_coordinate("chain", Coordinate::numbers(self.chains.len()))?;
        group.insert_coordinate("node", Coordinate::Names(nodes.to_vec()))?;
        let states = (0..space.len()).map(|state| space.name(state).to_owned()).collect();
        group.insert_coordinate("state", Coordinate::Names(states))?;
        let shape = [self.chains.len(), nodes.len(), space.len()];
        group.insert("state_probability", Array::new(["chain", "node", "state"], shape, shares)?)?;
        Ok(group)
    }
}

/// Each variable with its place in a row.
fn places<'a>(
    variables: impl Iterator<Item = &'a Variable>,
) -> impl Iterator<Item = (&'a Variable, Range<usize>)> {
    variables.scan(0, |end, variable| {
        let start = *end;
        *end += variable.len();
        Some((variable, start..*end))
    })
}

/// Variables of rows, those of each chain one after the other, as arrays.
fn draws_by_variable<'a>(
    places: impl Iterator<Item = (&'a Variable, Range<usize>)>,
    chains: &[&[f64]],
    width: usize,
) -> Result<Group> {
    let mut group = Group::new();
    let draws = chains.first().map_or(0, |rows| rows.len() / width);
    for (variable, place) in places {
        let rows = chains.iter().flat_map(|rows| rows.chunks_exact(width));
        let values: Vec<f64> = rows.flat_map(|row| row[place.clone()].iter().copied()).collect();
        let names = variable.dims.iter().map(|(name, _)| name.as_str());
        let dims: Vec<&str> = ["chain", "draw"].into_iter().chain(names).collect();
        let lengths = variable.dims.iter().map(|(_, places)| places.len());
        let shape: Vec<usize> = [chains.len(), draws].into_iter().chain(lengths).collect();
        for (name, places) in &variable.dims {
            group.insert_coordinate(name, Coordinate::Names(places.clone()))?;
        }
        group.insert(&variable.name, Array::new(dims, shape, values)?)?;
    }
    group.number_draws(chains.len(), draws)?;
    Ok(group)
}

impl PageStatistics {
    /// The statistics of replicated pages of each chain, one of every so many draws.
    fn replicates(&self, chains: &[&[f64]], every: usize) -> Result<Group> {
        let mut group = Group::new();
        let width = self.names.len().max(1);
        let draws = chains.first().map_or(0, |rows| rows.len() / width);
        let kept = (0..draws).map(|draw| (draw * every) as i64).collect();
        group.insert_coordinate("chain", Coordinate::numbers(chains.len()))?;
        group.insert_coordinate("draw", Coordinate::Integers(kept))?;
        for (name, dim, place) in self.features() {
            let rows = chains.iter().flat_map(|rows| rows.chunks_exact(width));
            let values: Vec<f64> = rows.flat_map(|row| row[place.clone()].iter().copied()).collect();
            let shape = [chains.len(), draws, place.len()];
            group.insert_coordinate(&dim, self.labels(place))?;
            group.insert(&name, Array::new(["chain", "draw", dim.as_str()], shape, values)?)?;
        }
        Ok(group)
    }

    /// Adds those of the pages as they are.
    fn insert(&self, observed: &mut Group) -> Result<()> {
        for (name, dim, place) in self.features() {
            let own = self.observed[place.clone()].to_vec();
            observed.insert_coordinate(&dim, self.labels(place))?;
            observed.insert(&name, Array::new([dim.as_str()], [own.len()], own)?)?;
        }
        Ok(())
    }

    /// Of each feature the array, its dimension, and its places in a row.
    fn features(&self) -> impl Iterator<Item = (String, String, Range<usize>)> {
        self.names.chunk_by(|a, b| a.0 == b.0).scan(0, |end, of_feature| {
            let start = *end;
            *end += of_feature.len();
            let id = of_feature[0].0.replace('-', "_");
            Some((format!("{id}_statistics"), format!("{id}_statistic"), start..*end))
        })
    }

    fn labels(&self, place: Range<usize>) -> Coordinate {
        Coordinate::Names(self.names[place].iter().map(|(_, name)| (*name).to_owned()).collect())
    }
}

fn observed_data(sampler: &Sampler<'_>, nodes: &[String]) -> Result<Group> {
    let mut group = Group::new();
    group.insert_coordinate("node", Coordinate::Names(nodes.to_vec()))?;
    for (f, spec) in sampler.model().specs().iter().enumerate() {
        let columns = sampler.page_data().map(|page| &page.features.columns[f]);
        let values =
            columns.map(|column| Some(column.values()?.iter().map(|&x| i64::from(x)).collect::<Vec<i64>>()));
        let Some(values) = values.collect::<Option<Vec<_>>>() else { continue };
        let array =
            Array::new(["node"], [nodes.len()], values.concat())?.with_attribute("long_name", spec.name);
        group.insert(&spec.id.replace('-', "_"), array)?;
    }
    Ok(group)
}
