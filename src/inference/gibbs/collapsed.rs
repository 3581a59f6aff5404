//! The collapsed single-site kernel: each node given all other nodes, the parameters integrated out exactly.
//!
//! The node is taken out of the counts. A state's weight is then the probability of all that comes back with it,
//! one observation after the other, each counted before the next (Pólya's urn): its own transition, those of its
//! children and of the next sibling, its pairs with siblings and children, its features. This is exact also where
//! several of these fall into one row, which products of posterior means are not.
//!
//! Cost: O(K (children + features)) a node; the other types of siblings O(K^2) more.

use super::pages::PageData;
use super::single_site::draw;
use super::tables::Tables;
use super::weights::{MAX_STATES, Weights};
use crate::dist::DirichletRows;
use crate::model::TransitionKind;
use crate::rng::Rng;
use crate::view::NONE;

/// One page of a chain.
pub(super) struct CollapsedSites<'a> {
    pub page: &'a PageData<'a>,
    pub tables: &'a mut Tables,
    pub states: &'a mut [u8],
    /// \[node\]\[state\], used with the labels of all siblings only.
    pub children_in_state: &'a mut [u32],
}

impl CollapsedSites<'_> {
    /// One sweep; gives the number of nodes whose state changed.
    pub fn sweep(&mut self, rng: &mut Rng) -> u64 {
        let mut changed = 0;
        for v in 0..self.states.len() as u32 {
            if self.page.permitted.at(v).len() == 1 {
                continue;
            }
            let before = self.states[v as usize];
            self.count(v, before.into(), -1.0);
            let state = draw(&self.weights(v)[..self.tables.k], rng);
            self.states[v as usize] = state;
            self.count(v, state.into(), 1.0);
            changed += u64::from(state != before);
        }
        changed
    }

    /// Weights of the node's states while it is out of the counts.
    pub fn weights(&mut self, v: u32) -> [f64; MAX_STATES] {
        let k = self.tables.k;
        let permitted = self.page.permitted.at(v);
        let mut weights = Weights::new();
        self.tables.emission_weights(self.page, v, &mut weights);
        weights.rescale();
        let before = self.states[v as usize];
        for state in permitted.iter() {
            // What a node's neighbors see of it while its state is tried.
            self.states[v as usize] = state as u8;
            weights.ln[state] += self.try_structure(v, state);
        }
        self.states[v as usize] = before;
        let max = permitted.iter().map(|z| weights.ln[z]).fold(f64::NEG_INFINITY, f64::max);
        let mut linear = [0.0; MAX_STATES];
        for state in permitted.iter() {
            linear[state] = (weights.ln[state] - max).exp();
        }
        debug_assert!(k <= linear.len());
        linear
    }

    /// ln P(transitions and pairs that come with the node in this state | all others).
    fn try_structure(&mut self, v: u32, state: usize) -> f64 {
        let mut product = 1.0;
        let mut ln = 0.0;
        self.each_transition(v, |tables, row, z| {
            product *= tables.transitions.p(row, z);
            tables.transitions.add(row, z, 1.0);
            if product < 1e-200 {
                ln += f64::ln(product);
                product = 1.0;
            }
        });
        self.each_transition(v, |tables, row, z| tables.transitions.add(row, z, -1.0));
        if self.tables.children.is_some() {
            self.each_child_type(v, |children, a, z| {
                product *= children.p(a, z);
                children.add(a, z, 1.0);
                if product < 1e-200 {
                    ln += f64::ln(product);
                    product = 1.0;
                }
            });
            self.each_child_type(v, |children, a, z| children.add(a, z, -1.0));
        }
        ln + product.ln() + self.ln_siblings(v, state)
    }

    /// Calls `with` for each transition that a node takes part in: its own, its children's, the next sibling's.
    fn each_transition(&mut self, v: u32, mut with: impl FnMut(&mut Tables, usize, usize)) {
        let k = self.tables.k;
        let tree = self.page.tree;
        let looks_back = self.tables.kind == TransitionKind::ParentAndPreviousSibling;
        let state = |node: u32| if node == NONE { k } else { usize::from(self.states[node as usize]) };
        let own = state(v);
        let parent = state(tree.parent(v));
        let previous = if looks_back { state(tree.previous_sibling(v)) } else { k };
        with(self.tables, parent * (k + 1) + previous, own);
        let mut previous = k;
        for child in tree.children(v) {
            let child = state(child);
            with(self.tables, own * (k + 1) + previous, child);
            if looks_back {
                previous = child;
            }
        }
        let next = tree.next_sibling(v);
        if looks_back && next != NONE {
            with(self.tables, parent * (k + 1) + own, state(next));
        }
    }

    /// Calls `with` for each type of a child that a node takes part in: as the child of its parent, and of its own.
    fn each_child_type(&mut self, v: u32, mut with: impl FnMut(&mut DirichletRows, usize, usize)) {
        let Some(children) = &mut self.tables.children else { return };
        let tree = self.page.tree;
        let state = |node: u32| usize::from(self.states[node as usize]);
        if tree.parent(v) != NONE {
            with(children, state(tree.parent(v)), state(v));
        }
        tree.children(v).for_each(|child| with(children, state(v), state(child)));
    }

    /// The number of a node's siblings in each state, itself left out.
    fn siblings(&self, v: u32) -> Option<[f64; MAX_STATES]> {
        let k = self.tables.k;
        let parent = self.page.tree.parent(v);
        if self.tables.siblings.is_none() || parent == NONE {
            return None;
        }
        let mut siblings = [0.0; MAX_STATES];
        let children = &self.children_in_state[parent as usize * k..][..k];
        siblings.iter_mut().zip(children).for_each(|(n, &children)| *n = children.into());
        Some(siblings)
    }

    /// ln P(all pairs of the node in a state with its siblings, either way round | all other pairs).
    fn ln_siblings(&self, v: u32, state: usize) -> f64 {
        let (Some(pairs), Some(n)) = (&self.tables.siblings, self.siblings(v)) else { return 0.0 };
        let n = &n[..self.tables.k];
        let total: f64 = n.iter().sum();
        let mut ln = -pairs.ln_rising_total(state, total + n[state]);
        for (other, &n) in n.iter().enumerate().filter(|&(_, &n)| n > 0.0) {
            if other == state {
                ln += pairs.ln_rising(state, state, 2.0 * n);
            } else {
                ln += pairs.ln_rising(state, other, n) + pairs.ln_rising(other, state, n);
                ln -= pairs.ln_rising_total(other, n);
            }
        }
        ln
    }

    /// Counts `n` times (1 or -1) all that comes with a node in a state; its state in `states` is that one.
    pub fn count(&mut self, v: u32, state: usize, n: f64) {
        let k = self.tables.k;
        self.each_transition(v, |tables, row, z| tables.transitions.add(row, z, n));
        self.each_child_type(v, |children, a, z| children.add(a, z, n));
        let parent = self.page.tree.parent(v);
        if parent != NONE
            && let Some(pairs) = &mut self.tables.siblings
        {
            let siblings = &mut self.children_in_state[parent as usize * k..][..k];
            // Pairs are with the others, so the node is out of them both times.
            if n < 0.0 {
                siblings[state] -= 1;
            }
            for (other, &times) in siblings.iter().enumerate() {
                pairs.add(state, other, n * f64::from(times));
                pairs.add(other, state, n * f64::from(times));
            }
            if n > 0.0 {
                siblings[state] += 1;
            }
        }
        self.tables.add_emissions(self.page, v, self.page.column(v, state), n);
    }
}
