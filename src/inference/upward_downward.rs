//! Exact marginals of a hidden Markov tree by passing messages up and down (the tree's forward-backward).
//!
//! The children of a node are a chain: each depends on the parent and, where the model says so, on the sibling
//! before. For a parent in state a and children c_1 .. c_m the message up is
//!
//! M(a) = sum over z_1 .. z_m of prod_i A\[a, z_i-1\]\[z_i\] b_i(z_i),   b_i(z) = e_i(z) M_i(z).
//!
//! `upward.rs` makes it, along the siblings `sibling_chain.rs`, and `downward.rs` the posteriors. All numbers are in the same order for every
//! processor, with and without wide vector registers: the same input gives the same bytes.
//!
//! References: Crouse, Nowak & Baraniuk 1998 (upward-downward); Durand, Gonçalvès & Guédon 2004 (scaling).

use super::downward::Observer;
use super::lanes::{Lanes, plus, times};
use super::rows::Rows;
use super::upward::{Emission, KEPT_NODES, LnEmission, Upward};
use crate::model::{Transition, TransitionKind};
use crate::view::Tree;

/// The exact posterior of every node's state.
#[derive(Debug, Clone, PartialEq)]
pub struct Marginals {
    /// P(z_v = state | x), \[node\]\[state\]; each row sums to 1.
    pub posterior: Vec<f64>,
    /// ln P(x): the evidence of the page.
    pub ln_evidence: f64,
    /// ln of the message from the children of each node, \[node\]\[state\]: what the subtree below says of it.
    pub ln_from_children: Vec<f64>,
    /// What the rest of the page, parent and siblings, says of each state, \[node\]\[state\], up to one factor for
    /// each node. The posterior is proportional to emission times message from the children times this; unlike
    /// the posterior it cannot underflow where emissions differ by hundreds of nats.
    pub outside: Vec<f64>,
}

/// Marginals and evidence of one page.
///
/// `ln_emission` is \[node\]\[state\]; a state at minus infinity is not permitted there, at least one of each node
/// must be. Cost: O(n K^2), with the previous sibling O(n K^3); memory O(n K) and O(m K^2) for the most children
/// m of one node.
///
/// # Panics
/// If `ln_emission` does not have n K entries, or K is more than 8.
pub fn upward_downward(tree: &Tree, ln_emission: &[f64], transition: &Transition) -> Marginals {
    marginals(tree, ln_emission, transition, None)
}

/// The marginals of [`upward_downward`], and to `visit` the joint posterior of each node with those it depends on:
/// node, state a of its parent (K for the root), state s of the sibling before (K for none, and everywhere where the
/// transition does not look at it), and P(z_pa = a, z_ps = s, z_v = z | x) for every state z. Combinations of a and s
/// whose probability is 0 are left out. What expected counts are sums of.
///
/// # Panics
/// As [`upward_downward`].
pub fn transition_marginals(
    tree: &Tree,
    ln_emission: &[f64],
    transition: &Transition,
    mut visit: impl FnMut(u32, usize, usize, &[f64]),
) -> Marginals {
    let marginals = marginals(tree, ln_emission, transition, Some(&mut visit));
    let k = transition.states;
    if !tree.is_empty() {
        visit(0, k, k, &marginals.posterior[..k]);
    }
    marginals
}

/// Adds `weight` times the joint posteriors that [`transition_marginals`] tells to `sums`, \[a\]\[s\]\[z\] as the table of the
/// transition, and gives the posteriors: the same numbers, without a call for each.
///
/// # Panics
/// As [`upward_downward`], and if `sums` is not as long as the table.
pub fn add_joint_posteriors(
    tree: &Tree,
    ln_emission: &[f64],
    transition: &Transition,
    weight: f64,
    sums: &mut [f64],
) -> Vec<f64> {
    assert_eq!(ln_emission.len(), tree.len() * transition.states, "one emission for each node and state");
    assert_eq!(sums.len(), transition.ln.len(), "one sum for each entry of the transition");
    match (transition.states, transition.kind) {
        (6, TransitionKind::Parent) => add_joints_of::<6>(tree, ln_emission, transition, weight, sums),
        _ => add_joints_of::<8>(tree, ln_emission, transition, weight, sums),
    }
}

fn add_joints_of<const P: usize>(
    tree: &Tree,
    ln_emission: &[f64],
    transition: &Transition,
    weight: f64,
    sums: &mut [f64],
) -> Vec<f64> {
    if tree.is_empty() {
        return Vec::new();
    }
    let k = transition.states;
    let emission = LnEmission { ln: ln_emission, states: k };
    let rows = rows::<P>(transition);
    let mut of_rows: Vec<Lanes<P>> = sums.chunks_exact(k).map(with_spare_lanes).collect();
    let observer =
        JointSums { states: k, first: rows.first, rows: rows.by_parent(), weight, sums: &mut of_rows };
    let kernel = MarginalsKernel { tree, emission, rows, ln_from_children: &mut [], observer };
    let (posterior, _) = in_widest_registers(kernel);
    let root = &mut of_rows[k * (k + 1) + k];
    root.iter_mut().zip(&posterior[..k]).for_each(|(sum, p)| *sum += weight * p);
    sums.chunks_exact_mut(k).zip(&of_rows).for_each(|(sums, row)| sums.copy_from_slice(&row[..k]));
    posterior
}

/// The posteriors of [`upward_downward`] alone, in half the time.
///
/// # Panics
/// As [`upward_downward`].
pub fn posteriors(tree: &Tree, ln_emission: &[f64], transition: &Transition) -> Vec<f64> {
    let k = transition.states;
    assert_eq!(ln_emission.len(), tree.len() * k, "one emission for each node and state");
    let emission = LnEmission { ln: ln_emission, states: k };
    match (k, transition.kind) {
        (6, TransitionKind::Parent) => posteriors_of(tree, &emission, &rows::<6>(transition)),
        _ => posteriors_of(tree, &emission, &rows::<8>(transition)),
    }
}

/// The posteriors under a transition that is made ready, whatever emissions come from.
pub(super) fn posteriors_of<const P: usize>(
    tree: &Tree,
    emission: &impl Emission<P>,
    rows: &Rows<P>,
) -> Vec<f64> {
    if tree.is_empty() {
        return Vec::new();
    }
    in_widest_registers(Posteriors { tree, emission, rows })
}

/// States in rows of the fewest lanes there is code for.
fn marginals(
    tree: &Tree,
    ln_emission: &[f64],
    transition: &Transition,
    visit: Option<&mut Visit<'_>>,
) -> Marginals {
    assert_eq!(ln_emission.len(), tree.len() * transition.states, "one emission for each node and state");
    match (transition.states, transition.kind) {
        (6, TransitionKind::Parent) => marginals_of::<6>(tree, ln_emission, transition, visit),
        _ => marginals_of::<8>(tree, ln_emission, transition, visit),
    }
}

/// What [`transition_marginals`] calls.
type Visit<'a> = dyn FnMut(u32, usize, usize, &[f64]) + 'a;

fn marginals_of<const P: usize>(
    tree: &Tree,
    ln_emission: &[f64],
    transition: &Transition,
    visit: Option<&mut Visit<'_>>,
) -> Marginals {
    let k = transition.states;
    let mut marginals = Marginals {
        posterior: Vec::new(),
        ln_evidence: 0.0,
        ln_from_children: vec![0.0; ln_emission.len()],
        outside: vec![0.0; ln_emission.len()],
    };
    if tree.is_empty() {
        return marginals;
    }
    let emission = LnEmission { ln: ln_emission, states: k };
    let rows = rows::<P>(transition);
    let Marginals { ln_from_children, outside, .. } = &mut marginals;
    let outside_recorder = OutsideRecorder { states: k, outside };
    (marginals.posterior, marginals.ln_evidence) = match visit {
        None => in_widest_registers(MarginalsKernel {
            tree,
            emission,
            rows,
            ln_from_children,
            observer: outside_recorder,
        }),
        Some(visit) => {
            let observer =
                JointRecorder { outside_recorder, first: rows.first, rows: rows.by_parent(), visit };
            in_widest_registers(MarginalsKernel { tree, emission, rows, ln_from_children, observer })
        }
    };
    marginals
}

/// Runs a kernel compiled for the widest vector registers that the processor has.
///
/// AVX2 pays: on 209 real pages 1617 instructions a node in place of 3018 of the portable code (SSE2) for 8 states with
/// the previous sibling, 502 in place of 658 for 6 states without; see `results/speed`.
pub(super) fn in_widest_registers<K: pulp::NullaryFnOnce>(kernel: K) -> K::Output {
    pulp::Arch::new().dispatch(kernel)
}

/// A transition made ready, which takes about as long as inference on a dozen nodes.
pub(super) fn rows<const P: usize>(transition: &Transition) -> Rows<P> {
    in_widest_registers(MakeRows(transition))
}

struct MakeRows<'a, const P: usize>(&'a Transition);

impl<const P: usize> pulp::NullaryFnOnce for MakeRows<'_, P> {
    type Output = Rows<P>;

    #[inline(always)]
    fn call(self) -> Rows<P> {
        Rows::new(self.0)
    }
}

/// The kernel of [`posteriors`].
struct Posteriors<'a, E, const P: usize> {
    tree: &'a Tree,
    emission: &'a E,
    rows: &'a Rows<P>,
}

impl<E: Emission<P>, const P: usize> pulp::NullaryFnOnce for Posteriors<'_, E, P> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn call(self) -> Vec<f64> {
        let mut upward = Upward::default();
        upward.pass(self.tree, self.rows, self.emission, &mut [], KEPT_NODES);
        upward.pass_down(self.tree, self.rows, &mut ());
        without_spare_lanes(upward.weights, self.rows.states)
    }
}

/// The kernel of all else.
struct MarginalsKernel<'a, O, const P: usize> {
    tree: &'a Tree,
    emission: LnEmission<'a>,
    rows: Rows<P>,
    ln_from_children: &'a mut [f64],
    observer: O,
}

impl<O: Observer<P>, const P: usize> pulp::NullaryFnOnce for MarginalsKernel<'_, O, P> {
    type Output = (Vec<f64>, f64);

    #[inline(always)]
    fn call(mut self) -> (Vec<f64>, f64) {
        let mut upward = Upward::default();
        upward.pass(self.tree, &self.rows, &self.emission, self.ln_from_children, KEPT_NODES);
        let ln_evidence = upward.pass_down(self.tree, &self.rows, &mut self.observer);
        (without_spare_lanes(upward.weights, self.rows.states), ln_evidence)
    }
}

/// Rows of P lanes as rows of K states.
fn without_spare_lanes<const P: usize>(rows: Vec<Lanes<P>>, states: usize) -> Vec<f64> {
    if states == P {
        return rows.into_flattened();
    }
    let mut flat = Vec::with_capacity(rows.len() * states);
    rows.iter().for_each(|row| flat.extend_from_slice(&row[..states]));
    flat
}

/// A row of K states as one of P lanes.
fn with_spare_lanes<const P: usize>(row: &[f64]) -> Lanes<P> {
    std::array::from_fn(|lane| row.get(lane).copied().unwrap_or(0.0))
}

/// Keeps what is outside of each node.
struct OutsideRecorder<'a> {
    states: usize,
    outside: &'a mut [f64],
}

impl<const P: usize> Observer<P> for OutsideRecorder<'_> {
    #[inline(always)]
    fn outside(&mut self, v: u32, outside: Lanes<P>) {
        let k = self.states;
        self.outside[v as usize * k..(v as usize + 1) * k].copy_from_slice(&outside[..k]);
    }
}

/// Tells the joints as well.
struct JointRecorder<'a, const P: usize> {
    outside_recorder: OutsideRecorder<'a>,
    /// A\[a, start\]\[z\] as \[a\]\[z\].
    first: [Lanes<P>; P],
    /// A\[a, s\]\[z\] as \[a\]\[s\]\[z\].
    rows: Vec<[Lanes<P>; P]>,
    visit: &'a mut Visit<'a>,
}

impl<const P: usize> Observer<P> for JointRecorder<'_, P> {
    const JOINT: bool = true;

    #[inline(always)]
    fn outside(&mut self, v: u32, outside: Lanes<P>) {
        self.outside_recorder.outside(v, outside);
    }

    #[inline(always)]
    fn joint(&mut self, v: u32, a: usize, s: usize, above: f64, below: Lanes<P>) {
        let k = self.outside_recorder.states;
        let (row, s) = if s == P { (self.first[a], k) } else { (self.rows[a][s], s) };
        let joint = times(times(row, below), [above; P]);
        (self.visit)(v, a, s, &joint[..k]);
    }
}

/// Adds the joints up.
struct JointSums<'a, const P: usize> {
    states: usize,
    /// A\[a, start\]\[z\] as \[a\]\[z\].
    first: [Lanes<P>; P],
    /// A\[a, s\]\[z\] as \[a\]\[s\]\[z\].
    rows: Vec<[Lanes<P>; P]>,
    /// What each is multiplied by.
    weight: f64,
    /// \[a\]\[s\] of K + 1 each.
    sums: &'a mut [Lanes<P>],
}

impl<const P: usize> Observer<P> for JointSums<'_, P> {
    const JOINT: bool = true;

    #[inline(always)]
    fn joint(&mut self, _: u32, a: usize, s: usize, above: f64, below: Lanes<P>) {
        let k = self.states;
        let (row, s) = if s == P { (self.first[a], k) } else { (self.rows[a][s], s) };
        let joint = times(times(row, below), [above; P]);
        let sums = &mut self.sums[a * (k + 1) + s];
        *sums = plus(*sums, times([self.weight; P], joint));
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    /// A problem of `n` nodes, of which the first child of the root and the last inner node have hundreds of children.
    fn problem(n: usize, k: usize, kind: TransitionKind) -> (Tree, Vec<f64>, Transition) {
        const MANY: usize = 500;
        let mut rng = crate::rng::stream(1, "kernels", &[n as u64, k as u64]);
        let mut parents = vec![crate::view::NONE, 0];
        parents.extend([1; MANY]);
        parents.push(0);
        while parents.len() < n - MANY {
            let last = parents.len() as u32 - 1;
            let parent = if rng.random_bool(0.2) { last } else { parents[last as usize] };
            parents.push(if rng.random_bool(0.05) { parents[parent as usize].min(parent) } else { parent });
        }
        parents.extend([n as u32 - MANY as u32 - 1; MANY]);
        let ln_emission = (0..n * k).map(|_| rng.random_range(-40.0..0.0)).collect();
        let ln = (0..(k + 1) * (k + 1) * k).map(|_| rng.random_range(-9.0..-2.0)).collect();
        (Tree::from_parents(parents), ln_emission, Transition { kind, states: k, ln })
    }

    #[test]
    fn messages_that_are_made_again_are_those_that_were_kept() {
        let (tree, ln_emission, transition) = problem(3000, 8, TransitionKind::ParentAndPreviousSibling);
        let (emission, rows) = (LnEmission { ln: &ln_emission, states: 8 }, Rows::<8>::new(&transition));
        let with = |keep: usize| {
            let mut upward = Upward::default();
            upward.pass(&tree, &rows, &emission, &mut [], keep);
            let ln_evidence = upward.pass_down(&tree, &rows, &mut ());
            (upward.weights, ln_evidence)
        };
        let all = with(3000);
        for keep in [0, 100, 700, 1500, 2999] {
            assert!(with(keep) == all, "{keep} kept");
        }
    }

    #[test]
    fn joints_that_are_added_up_are_those_that_are_told() {
        for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
            for k in [3, 6, 7, 8] {
                let (tree, ln_emission, transition) = problem(3000, k, kind);
                let mut told: Vec<f64> = (0..transition.ln.len()).map(|i| i as f64 / 7.0).collect();
                let mut added = told.clone();
                let visit = |_, a: usize, s: usize, joint: &[f64]| {
                    let sums = &mut told[(a * (k + 1) + s) * k..][..k];
                    sums.iter_mut().zip(joint).for_each(|(sum, p)| *sum += 0.3 * p);
                };
                let marginals = transition_marginals(&tree, &ln_emission, &transition, visit);
                let posterior = add_joint_posteriors(&tree, &ln_emission, &transition, 0.3, &mut added);
                assert_eq!(posterior, marginals.posterior);
                assert_eq!(added, told, "{kind:?}, {k} states");
            }
        }
    }

    #[test]
    fn wide_registers_change_no_bit() {
        for kind in [TransitionKind::Parent, TransitionKind::ParentAndPreviousSibling] {
            for k in [3, 6, 8] {
                let (tree, ln_emission, transition) = problem(3000, k, kind);
                let emission = LnEmission { ln: &ln_emission, states: k };
                let portable_rows = Rows::<8>::new(&transition);
                let portable = pulp::NullaryFnOnce::call(Posteriors {
                    tree: &tree,
                    emission: &emission,
                    rows: &portable_rows,
                });
                let dispatched = posteriors_of(&tree, &emission, &rows::<8>(&transition));
                let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&portable), bits(&dispatched), "{kind:?}, {k} states");
                assert_eq!(
                    bits(&upward_downward(&tree, &ln_emission, &transition).posterior),
                    bits(&posteriors(&tree, &ln_emission, &transition))
                );
            }
        }
    }
}
