//! What chains drew, as ArviZ's `InferenceData`.
//!
//! | group | arrays |
//! |---|---|
//! | `posterior` | parameters and `state_share`, by chain and draw; `states`, those of all nodes, if kept |
//! | `sample_stats` | `lp`, `moved`, `accepted`, by chain and draw |
//! | `node_data` | `state_probability` of each node by chain: the share of draws in each state |
//! | `prior_only_data` | by the name of a parameter: 1 where neither training nor any draw of the states says anything of it, else 0 |
//! | `posterior_predictive` | `*_statistics` of each feature on replicated pages, by chain and every tenth draw |
//! | `observed_data` | each feature by node (not tags of children and siblings, which are several); `*_statistics` |

use super::chain::Sampler;
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
        let (mut posterior, mut stats) = self.draws_by_variable()?;
        let (chains, draws) = (self.chains.len(), self.draws as usize);
        if config.keep_states {
            let states: Vec<u8> = self.chains.iter().flat_map(|chain| chain.states.iter().copied()).collect();
            posterior.insert_coordinate("node", Coordinate::Names(nodes.to_vec()))?;
            let array = Array::new(["chain", "draw", "node"], [chains, draws, nodes.len()], states)?;
            posterior.insert("states", array)?;
        }
        for group in [&mut posterior, &mut stats] {
            group.number_draws(chains, draws)?;
        }
        data.insert("posterior", posterior)?;
        data.insert("sample_stats", stats)?;
        if node_states {
            data.insert(NODE_DATA, self.node_states(sampler, nodes)?)?;
        }
        data.insert(PRIOR_ONLY, self.prior_only(sampler)?)?;
        let mut observed = observed_data(sampler, nodes)?;
        data.insert("posterior_predictive", self.replicates(sampler, &mut observed)?)?;
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

    /// The groups `posterior` and `sample_stats`, from rows to arrays.
    fn draws_by_variable(&self) -> Result<(Group, Group)> {
        let (mut posterior, mut stats) = (Group::new(), Group::new());
        let width = self.monitor.width();
        let mut start = 0;
        for variable in self.monitor.variables() {
            let end = start + variable.len();
            let rows = self.chains.iter().flat_map(|chain| chain.rows.chunks_exact(width));
            let values: Vec<f64> = rows.flat_map(|row| row[start..end].iter().copied()).collect();
            let names = variable.dims.iter().map(|(name, _)| name.as_str());
            let dims: Vec<&str> = ["chain", "draw"].into_iter().chain(names).collect();
            let lengths = variable.dims.iter().map(|(_, places)| places.len());
            let shape: Vec<usize> =
                [self.chains.len(), self.draws as usize].into_iter().chain(lengths).collect();
            let group = if variable.is_posterior { &mut posterior } else { &mut stats };
            for (name, places) in &variable.dims {
                group.insert_coordinate(name, Coordinate::Names(places.clone()))?;
            }
            group.insert(&variable.name, Array::new(dims, shape, values)?)?;
            start = end;
        }
        Ok((posterior, stats))
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
        let mut skipped = self.monitor.width() - prior_only.len();
        let mut group = Group::new();
        for variable in self.monitor.variables() {
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

    /// Statistics of replicated pages; those of the pages themselves go to `observed`.
    fn replicates(&self, sampler: &Sampler<'_>, observed: &mut Group) -> Result<Group> {
        let statistics = PageStatistics::new(sampler);
        let width = statistics.names.len();
        let draws = (self.draws as usize).div_ceil(REPLICATED);
        let mut group = Group::new();
        let kept = (0..draws).map(|draw| (draw * REPLICATED) as i64).collect();
        group.insert_coordinate("chain", Coordinate::numbers(self.chains.len()))?;
        group.insert_coordinate("draw", Coordinate::Integers(kept))?;
        let mut start = 0;
        for of_feature in statistics.names.chunk_by(|a, b| a.0 == b.0) {
            let end = start + of_feature.len();
            let id = of_feature[0].0.replace('-', "_");
            let (name, dim) = (format!("{id}_statistics"), format!("{id}_statistic"));
            let rows = self.chains.iter().flat_map(|chain| chain.replicates.chunks_exact(width.max(1)));
            let values: Vec<f64> = rows.flat_map(|row| row[start..end].iter().copied()).collect();
            let names = || Coordinate::Names(of_feature.iter().map(|(_, name)| (*name).to_owned()).collect());
            group.insert_coordinate(&dim, names())?;
            let shape = [self.chains.len(), draws, of_feature.len()];
            group.insert(&name, Array::new(["chain", "draw", dim.as_str()], shape, values)?)?;
            observed.insert_coordinate(&dim, names())?;
            let own = statistics.observed[start..end].to_vec();
            observed.insert(&name, Array::new([dim.as_str()], [of_feature.len()], own)?)?;
            start = end;
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
