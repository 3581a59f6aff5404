//! `SampledStates`, the states that chains may be in: by default those that the model has counts of.
//!
//! A state without counts has the prior's parameters alone. Once parameters are drawn it is a free component of a mixture,
//! and several such states can be exchanged without a change of the density: chains then take them in different orders
//! (label switching), and no number of sweeps brings the chains together.

use super::pages::SampledPage;
use crate::error::{Error, Result, did_you_mean};
use crate::label::Label;
use crate::model::{Model, NodeLabels, StateSet};

/// The states that chains may be in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SampledStates {
    /// Those with counts, and those that labels of nodes name; all of a model that has no counts at all. The default.
    #[default]
    Counted,
    /// All.
    All,
    /// These labels, by their names, and of the mixed states of inner nodes those with counts.
    Labels(Vec<String>),
}

impl SampledStates {
    /// The set of these states under a model, with what is known of nodes.
    ///
    /// # Errors
    /// [`Error::Usage`] for a name that is no label's, with the nearest, and for an empty list.
    pub fn set(&self, model: &Model, labels: Option<&NodeLabels>) -> Result<StateSet> {
        let all = StateSet::first(model.config().states.len());
        let counted = match model.states_with_counts() {
            none if none.is_empty() => all,
            some => some,
        };
        let names = match self {
            SampledStates::All => return Ok(all),
            SampledStates::Counted => {
                return Ok(labels.map_or(counted, |labels| counted.or(labels.states())));
            }
            SampledStates::Labels(names) => names,
        };
        if names.is_empty() {
            return Err(Error::usage(
                "states is empty",
                "name one label or more; the default is those counted",
            ));
        }
        let known = Label::ALL.map(Label::name);
        let mixed = counted.iter().filter(|&state| state >= Label::COUNT).map(StateSet::only);
        mixed
            .map(Ok)
            .chain(names.iter().map(|name| {
                let label = known.iter().position(|known| known == name);
                label.map(StateSet::only).ok_or_else(|| {
                    Error::usage(
                        format!("states names '{name}', which is no label"),
                        did_you_mean(name, known),
                    )
                })
            }))
            .try_fold(StateSet::first(0), |set, state| Ok(set.or(state?)))
    }
}

impl SampledPage<'_> {
    /// Leaves of what each node may have these states alone.
    ///
    /// # Errors
    /// [`Error::Usage`] if a node is left without a state.
    pub fn within(mut self, model: &Model, states: StateSet) -> Result<Self> {
        self.permitted = self.permitted.within(model.config().states, states)?;
        Ok(self)
    }
}
