//! `Exchanged`, labels that chains have exchanged with each other: what no number of sweeps brings together.
//!
//! The nodes that the first chain has in a state are compared with those that another has in each state. Where they are
//! mostly those of a different state, the chains hold one grouping of the nodes under different names (label switching).

use crate::diagnostics::{Chains, rhat};
use crate::draws::{Coordinate, InferenceData};

/// Labels that mean different nodes in different chains.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchanged {
    /// The labels, as the draws name them.
    pub labels: Vec<String>,
    /// The largest R-hat of the shares of states as they are named.
    pub rhat: f64,
    /// The same with each chain's states renamed to those of the first chain that have most nodes in common.
    pub rhat_renamed: f64,
}

impl Exchanged {
    /// Compares the chains; nothing where each label means the same nodes in all, or where draws do not say.
    pub fn find(data: &InferenceData) -> Option<Exchanged> {
        let nodes = data.group("node_data")?;
        let array = nodes.array("state_probability")?;
        let &[chains, count, k] = array.shape() else { return None };
        // Subsets of states are enumerated.
        if chains < 2 || count == 0 || k > 12 {
            return None;
        }
        let probabilities: Vec<f64> = array.to_f64().iter().copied().collect();
        let of_chain = |chain: usize| &probabilities[chain * count * k..][..count * k];
        let mut renamed = vec![(0..k).collect::<Vec<usize>>()];
        let mut moved = vec![false; k];
        for chain in 1..chains {
            let overlap = overlaps(of_chain(0), of_chain(chain), k);
            let best = best_match(&overlap, k);
            let changed: Vec<usize> = (0..k).filter(|&state| best[state] != state).collect();
            let sum = |name: &dyn Fn(usize) -> usize| -> f64 {
                changed.iter().map(|&state| overlap[state * k + name(state)]).sum()
            };
            // Twice the nodes in common, and a node at least: states that are hardly ever there match by chance.
            let (as_named, as_matched) = (sum(&|state| state), sum(&|state| best[state]));
            if as_matched > 2.0 * as_named && as_matched >= 1.0 {
                changed.iter().for_each(|&state| moved[state] = true);
                renamed.push(best);
            } else {
                renamed.push((0..k).collect());
            }
        }
        let Some(Coordinate::Names(names)) = nodes.coordinates().get("state") else { return None };
        let labels: Vec<String> = (0..k).filter(|&s| moved[s]).map(|s| names[s].clone()).collect();
        if labels.is_empty() {
            return None;
        }
        let shares = data.group("posterior")?.series("state_share").ok()?;
        let as_named: Vec<Vec<usize>> = vec![(0..k).collect(); chains];
        let largest = |names: &[Vec<usize>]| {
            let of_state = (0..k).filter_map(|state| {
                let rows =
                    (0..chains).flat_map(|chain| shares[names[chain][state]].chains.row(chain).to_vec());
                rhat(&Chains::new(rows.collect::<Vec<f64>>(), chains)).ok()
            });
            of_state.fold(1.0, f64::max)
        };
        (shares.len() == k).then(|| Exchanged {
            labels,
            rhat: largest(&as_named),
            rhat_renamed: largest(&renamed),
        })
    }
}

/// How many nodes two chains have in common, \[state of the first\]\[state of the other\], in expectation at most.
fn overlaps(first: &[f64], other: &[f64], k: usize) -> Vec<f64> {
    let mut overlap = vec![0.0; k * k];
    for (p, q) in first.chunks_exact(k).zip(other.chunks_exact(k)) {
        for (a, &p) in p.iter().enumerate() {
            for (b, &q) in q.iter().enumerate() {
                overlap[a * k + b] += f64::min(p, q);
            }
        }
    }
    overlap
}

/// The one-to-one match of states with the largest sum; of equal ones the one that changes fewest first states.
fn best_match(overlap: &[f64], k: usize) -> Vec<usize> {
    // best[set]: of the first |set| states matched with those of the set, the sum and the last one's match.
    let mut best = vec![(f64::NEG_INFINITY, 0); 1 << k];
    best[0].0 = 0.0;
    for set in 1..1usize << k {
        let state = set.count_ones() as usize - 1;
        for other in (0..k).filter(|other| set >> other & 1 == 1) {
            // A name is kept unless another is better by more than rounding.
            let kept = if other == state { 1e-6 } else { 0.0 };
            let sum = best[set & !(1 << other)].0 + overlap[state * k + other] + kept;
            if sum > best[set].0 {
                best[set] = (sum, other);
            }
        }
    }
    let mut matched = vec![0; k];
    let mut set = (1 << k) - 1;
    for state in (0..k).rev() {
        matched[state] = best[set].1;
        set &= !(1 << matched[state]);
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_matched_by_the_nodes_they_have_and_empty_ones_keep_their_names() {
        // The other chain has states 0 and 2 exchanged; no node is in state 1 or 3.
        let first = [1.0, 0.0, 0.0, 0.0, 0.9, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0, 0.0];
        let other = [0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 0.9, 0.0, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(best_match(&overlaps(&first, &other, 4), 4), [2, 1, 0, 3]);
        assert_eq!(best_match(&overlaps(&first, &first, 4), 4), [0, 1, 2, 3]);
    }
}
