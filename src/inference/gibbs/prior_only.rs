//! Which parameters are of the prior alone: those of which neither training nor any draw of the states says anything.

use super::chain::Sampler;
use super::monitor::UsedStates;
use super::tables::FeatureTable;
use crate::dist::DirichletRows;
use crate::model::{StateSet, TransitionKind};
use crate::view::NONE;

/// Whether a parameter is of the prior alone, in the order of the monitor's parameters. `seen` has for each node of all
/// pages the states that some draw has it in.
///
/// A row is if it was not counted in training and no node can have been in it. Of a transition's row the probability of a
/// state without any count is too, whichever row it is.
pub(super) fn prior_only(sampler: &Sampler<'_>, used: UsedStates, seen: &[StateSet]) -> Vec<bool> {
    let tables = sampler.tables();
    let k = tables.k;
    let rows = VisitedRows::new(sampler, seen);
    let known = sampler.model().states_with_counts().or(rows.leaf).or(rows.inner);
    let mut prior = Vec::new();
    let mut push_states = |is_visited: bool, counted: bool| {
        prior.extend((0..k).map(|state| !(is_visited || counted) || !known.contains(state)));
    };
    for a in used.inner.iter() {
        let previous: Vec<usize> = match tables.kind {
            TransitionKind::Parent => vec![k],
            TransitionKind::ParentAndPreviousSibling => used.any().iter().chain([k]).collect(),
        };
        for s in previous {
            let row = a * (k + 1) + s;
            push_states(rows.transitions[row], tables.transitions.is_counted(row));
        }
    }
    push_states(true, true);
    for (pairs, is_visited) in [(&tables.siblings, rows.leaf.or(rows.inner)), (&tables.children, rows.inner)]
    {
        for (state, pairs) in (0..k).flat_map(|state| pairs.as_ref().map(|pairs| (state, pairs))) {
            push_states(is_visited.contains(state), pairs.is_counted(state));
        }
    }
    let inner_tables = sampler.model().config().inner_tables;
    let is_visited = |column: u32| rows.used().has_column(column, k, inner_tables);
    for table in &tables.features {
        for &column in table.columns().iter().filter(|&&column| used.has_column(column, k, inner_tables)) {
            let (counted, values) = match table {
                FeatureTable::Dirichlet(rows) => (rows.is_counted(column as usize), width(rows)),
                FeatureTable::Beta(columns) => (columns.is_counted(column as usize), 1),
            };
            prior.extend(std::iter::repeat_n(!(counted || is_visited(column)), values));
        }
    }
    prior
}

/// The probabilities that a row of categories is written down as.
fn width(rows: &DirichletRows) -> usize {
    rows.in_use().1.len() + usize::from(rows.has_others())
}

/// The rows that nodes can have been in.
struct VisitedRows {
    leaf: StateSet,
    inner: StateSet,
    /// \[parent\]\[previous sibling or start\]; by the states of each node alone, so that there may be too many.
    transitions: Vec<bool>,
}

impl VisitedRows {
    fn new(sampler: &Sampler<'_>, mut seen: &[StateSet]) -> Self {
        let tables = sampler.tables();
        let k = tables.k;
        let none = StateSet::first(0);
        let mut rows = VisitedRows { leaf: none, inner: none, transitions: vec![false; (k + 1) * (k + 1)] };
        for page in sampler.page_data() {
            let (of_page, others) = seen.split_at(page.tree.len());
            seen = others;
            for (v, &states) in of_page.iter().enumerate() {
                let v = v as u32;
                let of_kind = if page.tree.is_leaf(v) { &mut rows.leaf } else { &mut rows.inner };
                *of_kind = of_kind.or(states);
                if v == 0 {
                    continue;
                }
                let previous = page.tree.previous_sibling(v);
                let previous = match tables.kind {
                    TransitionKind::ParentAndPreviousSibling if previous != NONE => {
                        of_page[previous as usize]
                    }
                    _ => StateSet::only(k),
                };
                for a in of_page[page.tree.parent(v) as usize].iter() {
                    previous.iter().for_each(|s| rows.transitions[a * (k + 1) + s] = true);
                }
            }
        }
        rows
    }

    fn used(&self) -> UsedStates {
        UsedStates { leaf: self.leaf, inner: self.inner }
    }
}
