//! Why a node has its label: the log posterior of its states taken apart into what each feature, the parent, the
//! siblings and the children say.
//!
//! For a node v and a state s the exact posterior is a product, so its logarithm is a sum:
//!
//! ln P(z_v = s | x) = const + sum_f ln p_f(x_vf | s) + ln M_v(s) + ln O_v(s)
//!
//! where M_v is the message from the children and O_v ("outside") all that the rest of the page says. Differences
//! between two states, the log-odds, add up without the constant. Outside is split in two:
//!
//! - **parent**: ln sum_a pi(a) Abar\[a\]\[s\], with pi the posterior of the parent's state from its own features and
//!   everything above and beside it, but none of its children (so v's own evidence does not come back to it through
//!   the parent). Abar is the transition as it is for a first child where v is one, and otherwise its average
//!   over the states of the previous sibling, each weighted by how often training saw it under that parent (prior
//!   plus counts).
//! - **siblings**: the rest, ln O_v minus the parent's part: what the siblings say directly through the previous
//!   and the next one, and what all of them say of the parent. For an only child it is 0.
//!
//! The labels of all siblings (the thesis's feature 6) are no part of exact inference and have no share here.

use crate::dist::special::{ln_sum_exp, normalize_ln};
use crate::features::{Column, FeatureSpec, Kind};
use crate::inference::Marginals;
use crate::model::{Family, Model, Observation, Parameters, TransitionKind};
use crate::view::{NONE, Tree};

use crate::dom::Tag;

/// What the parts say of one node, each in nats for each state that the node may have.
///
/// A part has a meaning only up to a constant; compare states by [`NodeContributions::ln_odds`].
#[derive(Debug, Clone, PartialEq)]
pub struct NodeContributions {
    /// The node of the view.
    pub node: u32,
    /// ln p_f(x_vf | state) of each feature of the model, in its order.
    pub features: Vec<FeatureContribution>,
    /// What the parent says.
    pub parent: Vec<f64>,
    /// What the siblings say.
    pub siblings: Vec<f64>,
    /// What the subtree below says; all 0 for a leaf.
    pub children: Vec<f64>,
}

/// What one feature says of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureContribution {
    /// The feature's id in the catalogue.
    pub id: &'static str,
    /// What it is, in words.
    pub name: &'static str,
    /// Its value as a person reads it: `23 words (16-23)`, `p`, `3 li, 1 div`. In parentheses the bin, where the
    /// model bins the count.
    pub value: String,
    /// ln p(value | state).
    pub ln_p: Vec<f64>,
}

/// The log-odds of one state against another, part by part. Positive parts speak for the first.
#[derive(Debug, Clone, PartialEq)]
pub struct LnOdds {
    /// Of each feature, in the model's order.
    pub features: Vec<f64>,
    /// Of the parent.
    pub parent: f64,
    /// Of the siblings.
    pub siblings: f64,
    /// Of the children.
    pub children: f64,
}

impl LnOdds {
    /// The sum of all parts: ln P(state | x) - ln P(other | x).
    pub fn total(&self) -> f64 {
        self.features.iter().sum::<f64>() + self.parent + self.siblings + self.children
    }
}

impl NodeContributions {
    /// The log-odds of `state` against `other`, part by part.
    ///
    /// # Panics
    /// If the node may not have one of the states.
    pub fn ln_odds(&self, state: usize, other: usize) -> LnOdds {
        let odds = |ln: &[f64]| ln[state] - ln[other];
        LnOdds {
            features: self.features.iter().map(|feature| odds(&feature.ln_p)).collect(),
            parent: odds(&self.parent),
            siblings: odds(&self.siblings),
            children: odds(&self.children),
        }
    }

    /// P(state | x) of the states that the node may have: the exact posterior, put together from the parts.
    pub fn posterior(&self) -> Vec<f64> {
        let mut posterior: Vec<f64> = (0..self.parent.len())
            .map(|state| {
                let features: f64 = self.features.iter().map(|feature| feature.ln_p[state]).sum();
                features + self.parent[state] + self.siblings[state] + self.children[state]
            })
            .collect();
        normalize_ln(&mut posterior);
        posterior
    }
}

/// Takes the posteriors of `nodes` apart. `ln_emission` and `marginals` are those of the same page under the same
/// parameters, as [`crate::extract::hmt::Hmt::exact`] gives them.
///
/// Cost: O(n K) for each feature, whatever the number of nodes asked for; memory O(n K).
///
/// # Panics
/// If a node is not one of the page's.
pub fn contributions(
    model: &Model,
    parameters: &Parameters,
    observation: &Observation,
    ln_emission: &[f64],
    marginals: &Marginals,
    nodes: &[u32],
) -> Vec<NodeContributions> {
    let k = parameters.transition.states;
    let tree = &observation.view.tree;
    let mean_rows = mean_rows(model, parameters);
    let permitted = |v: u32| model.config().states.permitted(tree.is_leaf(v));
    let mut all: Vec<NodeContributions> = nodes
        .iter()
        .map(|&v| {
            let states = permitted(v);
            let at = v as usize * k;
            let (parent, siblings) = split_outside(v, tree, parameters, &mean_rows, ln_emission, marginals);
            NodeContributions {
                node: v,
                features: Vec::with_capacity(model.specs().len()),
                parent: parent[..states].to_vec(),
                siblings: siblings[..states].to_vec(),
                children: marginals.ln_from_children[at..at + states].to_vec(),
            }
        })
        .collect();
    let mut ln = vec![0.0; tree.len() * k];
    for (index, spec) in model.specs().iter().enumerate() {
        ln.fill(0.0);
        parameters.add_feature(model.config(), model.specs(), tree, &observation.features, index, &mut ln);
        let family = model.config().features[index].family;
        for node in &mut all {
            let at = node.node as usize * k;
            node.features.push(FeatureContribution {
                id: spec.id,
                name: spec.name,
                value: value(spec, family, &observation.features.columns[index], tree, node.node),
                ln_p: ln[at..at + permitted(node.node)].to_vec(),
            });
        }
    }
    all
}

/// The parent's and the siblings' part of outside, for all K states.
fn split_outside(
    v: u32,
    tree: &Tree,
    parameters: &Parameters,
    mean_rows: &[f64],
    ln_emission: &[f64],
    marginals: &Marginals,
) -> (Vec<f64>, Vec<f64>) {
    let transition = &parameters.transition;
    let k = transition.states;
    let parent = tree.parent(v);
    if parent == NONE {
        return (transition.row(k, k).to_vec(), vec![0.0; k]);
    }
    let at = parent as usize * k;
    let mut of_parent: Vec<f64> =
        (at..at + k).map(|index| ln_emission[index] + marginals.outside[index].ln()).collect();
    normalize_ln(&mut of_parent);
    let is_first = tree.previous_sibling(v) == NONE;
    let from_parent: Vec<f64> = (0..k)
        .map(|state| {
            let terms = of_parent.iter().enumerate().map(|(a, p)| {
                p * if is_first { transition.row(a, k)[state].exp() } else { mean_rows[a * k + state] }
            });
            terms.sum::<f64>().ln()
        })
        .collect();
    let mut outside: Vec<f64> =
        marginals.outside[v as usize * k..][..k].iter().map(|value| value.ln()).collect();
    let ln_total = ln_sum_exp(&outside);
    outside.iter_mut().for_each(|value| *value -= ln_total);
    let siblings = outside.iter().zip(&from_parent).map(|(all, parent)| all - parent).collect();
    (from_parent, siblings)
}

/// Abar: for each state of the parent the transition averaged over the previous sibling's state, \[parent\]\[state\].
fn mean_rows(model: &Model, parameters: &Parameters) -> Vec<f64> {
    let transition = &parameters.transition;
    let k = transition.states;
    let prior = model.config().priors.transition.gamma * k as f64;
    let mut rows = vec![0.0; k * k];
    for (a, mean) in rows.chunks_exact_mut(k).enumerate() {
        // Without the previous sibling in the model there is one row, kept under "none".
        let previous = match transition.kind {
            TransitionKind::Parent => k..k + 1,
            TransitionKind::ParentAndPreviousSibling => 0..k,
        };
        let mut total = 0.0;
        for s in previous {
            let start = (a * (k + 1) + s) * k;
            let seen: f64 = model.counts().transitions[start..start + k].iter().map(|&n| n as f64).sum();
            let weight = prior + seen * model.counts().unit();
            total += weight;
            for (value, ln_p) in mean.iter_mut().zip(transition.row(a, s)) {
                *value += weight * ln_p.exp();
            }
        }
        mean.iter_mut().for_each(|value| *value /= total);
    }
    rows
}

/// A feature's value at a node as a person reads it.
fn value(spec: &FeatureSpec, family: Family, column: &Column, tree: &Tree, v: u32) -> String {
    match (column.values(), &spec.kind) {
        (Some(values), Kind::Count { unit, bins, .. }) => {
            let x = values[v as usize];
            let unit = if x == 1 { singular(unit) } else { unit };
            let bin = bins.name(bins.bin(x) as usize);
            if family == Family::BetaGeometric || bin == x.to_string() {
                format!("{x} {unit}")
            } else {
                format!("{x} {unit} ({bin})")
            }
        }
        (Some(values), kind) => kind.category_name(values[v as usize] as usize),
        (None, _) => tags(column.tags_at(tree, v)),
    }
}

fn singular(unit: &str) -> &str {
    match unit {
        "leaves" => "leaf",
        _ => unit.strip_suffix('s').unwrap_or(unit),
    }
}

/// The most frequent tags of a histogram, with their numbers.
fn tags(mut histogram: Vec<(u32, u32)>) -> String {
    const SHOWN: usize = 4;
    if histogram.is_empty() {
        return "none".to_owned();
    }
    histogram.sort_by_key(|&(tag, n)| (std::cmp::Reverse(n), tag));
    let mut names: Vec<String> =
        histogram.iter().take(SHOWN).map(|&(tag, n)| format!("{n} {}", Tag::names()[tag as usize])).collect();
    let others: u32 = histogram.iter().skip(SHOWN).map(|&(_, n)| n).sum();
    if others > 0 {
        names.push(format!("{others} others"));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_each_unit_of_the_catalogue_is_named_in_the_singular() {
        let units = crate::features::catalogue::all().filter_map(|feature| feature.kind.unit());
        let ones: std::collections::BTreeSet<&str> = units.map(singular).collect();
        assert!(ones.contains("leaf") && ones.contains("word"), "{ones:?}");
        assert!(ones.iter().all(|one| !one.ends_with('s') && *one != "leave"), "{ones:?}");
    }
}
