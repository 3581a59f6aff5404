//! Log emissions: what the features of a node say of its state.

use super::config::ModelConfig;
use super::parameters::{FeatureParameters, Parameters};
use crate::dist::BetaGeometric;
use crate::features::column::Lookup;
use crate::features::{Column, FeatureMatrix, FeatureSpec, Kind};
use crate::view::Tree;

/// Nodes that all features are added up for before the next: their sums stay in the nearest cache.
const NODES: usize = 64;
/// Counts below this are looked up where p is integrated out; larger ones, which are few, are worked out.
const SMALL: usize = 256;

impl Parameters {
    /// ln p(x_v | state) of all features together, \[node\]\[state\]; states that a node may not have are at minus
    /// infinity.
    pub fn ln_emission(
        &self,
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        tree: &Tree,
        features: &FeatureMatrix,
    ) -> Vec<f64> {
        let terms: Vec<Term<'_>> = (0..self.features.len())
            .map(|feature| self.term(config, specs, tree, features, feature))
            .collect();
        let nodes = Nodes { tree, states: config.states.len(), inner_tables: config.inner_tables };
        let mut ln = vec![0.0; tree.len() * nodes.states];
        nodes.add(&terms, &mut ln);
        for v in 0..tree.len() {
            let permitted = config.states.permitted(tree.is_leaf(v as u32));
            ln[v * nodes.states + permitted..(v + 1) * nodes.states].fill(f64::NEG_INFINITY);
        }
        ln
    }

    /// Adds ln p_f(x_vf | state) of one feature to `ln`, \[node\]\[state\].
    pub fn add_feature(
        &self,
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        tree: &Tree,
        features: &FeatureMatrix,
        feature: usize,
        ln: &mut [f64],
    ) {
        let nodes = Nodes { tree, states: config.states.len(), inner_tables: config.inner_tables };
        nodes.add(&[self.term(config, specs, tree, features, feature)], ln);
    }

    /// ln p of each category of a feature that is a category or binned, \[category\]\[column\]; none of others.
    pub(crate) fn ln_categories(&self, feature: usize) -> Option<&[f64]> {
        match &self.features[feature] {
            FeatureParameters::Categorical(table) => Some(table),
            _ => None,
        }
    }

    /// One feature of a page, made ready.
    fn term<'a>(
        &'a self,
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        tree: &Tree,
        features: &'a FeatureMatrix,
        feature: usize,
    ) -> Term<'a> {
        let width = config.emission_width();
        let values = &features.columns[feature];
        let table = match &self.features[feature] {
            FeatureParameters::Categorical(table) => {
                // The sum over all children of a parent, made once for all of them.
                let mut children_histograms = Vec::new();
                if let Some(histograms) = values.children_histograms() {
                    children_histograms.resize(tree.len() * width, 0.0);
                    for (v, sum) in children_histograms.chunks_exact_mut(width).enumerate() {
                        for &(value, n) in histograms.children(v as u32) {
                            add_times(sum, f64::from(n), &table[value as usize * width..]);
                        }
                    }
                }
                Table::Categories { ln: table, kind: &specs[feature].kind, children_histograms }
            }
            FeatureParameters::GeometricPredictive(posteriors) => {
                let values = values.values().expect("only counts are geometric, see ModelConfig::check");
                let largest = values.iter().copied().max().unwrap_or(0) as usize;
                Table::Predictive { posteriors, small: predictive_table(posteriors, SMALL.min(largest + 1)) }
            }
            FeatureParameters::GeometricDrawn(drawn) => Table::Drawn(drawn),
        };
        Term { values, table }
    }
}

/// What one feature adds to the nodes of a page.
struct Term<'a> {
    values: &'a Column,
    table: Table<'a>,
}

/// What the values of a feature are looked up in. Tables have a row of columns, K for each node or K for leaves and K
/// for inner nodes.
enum Table<'a> {
    /// ln p of categories, and of those of all children of each node.
    Categories { ln: &'a [f64], kind: &'static Kind, children_histograms: Vec<f64> },
    /// A count with p integrated out; with rows for small ones.
    Predictive { posteriors: &'a [BetaGeometric], small: Vec<f64> },
    /// A count, with ln p and ln (1 - p) of each column.
    Drawn(&'a [(f64, f64)]),
}

/// The nodes of a page.
struct Nodes<'a> {
    tree: &'a Tree,
    states: usize,
    inner_tables: bool,
}

impl Nodes<'_> {
    /// Adds all terms.
    fn add(&self, terms: &[Term<'_>], ln: &mut [f64]) {
        // Rows of a length that is known as the program is built are added in vector registers.
        match self.states {
            6 => self.add_rows::<6>(terms, ln.as_chunks_mut().0),
            8 => self.add_rows::<8>(terms, ln.as_chunks_mut().0),
            states => unreachable!("no state space has {states} states"),
        }
    }

    fn add_rows<const K: usize>(&self, terms: &[Term<'_>], ln: &mut [[f64; K]]) {
        let width = if self.inner_tables { 2 * K } else { K };
        for (block, nodes) in ln.chunks_mut(NODES).enumerate() {
            let first = block * NODES;
            let mut columns = [0; NODES];
            if self.inner_tables {
                for (i, column) in columns.iter_mut().enumerate().take(nodes.len()) {
                    *column = if self.tree.is_leaf((first + i) as u32) { 0 } else { K };
                }
            }
            let columns = &columns[..nodes.len()];
            for term in terms {
                term.add(self.tree, first, columns, width, nodes);
            }
        }
    }
}

impl Term<'_> {
    /// Adds the term to the nodes from `first` on, each with the first of its columns.
    fn add<const K: usize>(
        &self,
        tree: &Tree,
        first: usize,
        columns: &[usize],
        width: usize,
        nodes: &mut [[f64; K]],
    ) {
        let range = first..first + nodes.len();
        let block = Block { first, columns, width, nodes };
        match &self.table {
            Table::Categories { ln, kind, children_histograms } => {
                self.values.look_up(tree, range, &mut Categories { block, ln, kind, children_histograms });
            }
            Table::Predictive { posteriors, small } => {
                self.values.look_up(tree, range, &mut Predictive { block, posteriors, small });
            }
            Table::Drawn(drawn) => {
                self.values.look_up(tree, range, &mut Drawn { block, drawn });
            }
        }
    }
}

/// Some nodes that are added to.
struct Block<'a, const K: usize> {
    first: usize,
    columns: &'a [usize],
    width: usize,
    nodes: &'a mut [[f64; K]],
}

impl<const K: usize> Block<'_, K> {
    /// The sums of a node, and the first of its columns.
    #[inline(always)]
    fn at(&mut self, v: usize) -> (&mut [f64; K], usize) {
        let i = v - self.first;
        (&mut self.nodes[i], self.columns[i])
    }
}

struct Categories<'a, const K: usize> {
    block: Block<'a, K>,
    ln: &'a [f64],
    kind: &'static Kind,
    children_histograms: &'a [f64],
}

impl<const K: usize> Lookup for Categories<'_, K> {
    #[inline(always)]
    fn node(&mut self, v: usize, value: u32, times: f64) {
        let row = self.kind.category(value) * self.block.width;
        let (node, column) = self.block.at(v);
        add_times(node, times, states::<K>(&self.ln[row + column..]));
    }

    #[inline(always)]
    fn children(&mut self, v: usize, parent: u32) {
        let row = parent as usize * self.block.width;
        let (node, column) = self.block.at(v);
        add_times(node, 1.0, states::<K>(&self.children_histograms[row + column..]));
    }
}

struct Predictive<'a, const K: usize> {
    block: Block<'a, K>,
    posteriors: &'a [BetaGeometric],
    small: &'a [f64],
}

impl<const K: usize> Lookup for Predictive<'_, K> {
    #[inline(always)]
    fn node(&mut self, v: usize, value: u32, _: f64) {
        let row = value as usize * self.block.width;
        let (node, column) = self.block.at(v);
        match self.small.get(row..) {
            Some(rows) if !rows.is_empty() => add_times(node, 1.0, states::<K>(&rows[column..])),
            _ => {
                for (sum, posterior) in node.iter_mut().zip(&self.posteriors[column..]) {
                    *sum += posterior.ln_predictive(u64::from(value));
                }
            }
        }
    }

    fn children(&mut self, _: usize, _: u32) {
        unreachable!("only counts are geometric, see ModelConfig::check")
    }
}

struct Drawn<'a, const K: usize> {
    block: Block<'a, K>,
    drawn: &'a [(f64, f64)],
}

impl<const K: usize> Lookup for Drawn<'_, K> {
    #[inline(always)]
    fn node(&mut self, v: usize, value: u32, _: f64) {
        let (node, column) = self.block.at(v);
        for (sum, (ln_p, ln_q)) in node.iter_mut().zip(&self.drawn[column..]) {
            *sum += ln_p + f64::from(value) * ln_q;
        }
    }

    fn children(&mut self, _: usize, _: u32) {
        unreachable!("only counts are geometric, see ModelConfig::check")
    }
}

/// The first entries of a row, one for each state.
#[inline(always)]
fn states<const K: usize>(row: &[f64]) -> &[f64; K] {
    row.first_chunk().expect("a column for each state")
}

/// Adds the first entries of a row, so many times.
#[inline(always)]
fn add_times(node: &mut [f64], n: f64, row: &[f64]) {
    node.iter_mut().zip(row).for_each(|(value, ln_p)| *value += n * ln_p);
}

/// [`BetaGeometric::ln_predictive`] of 0 .. `len` as \[count\]\[column\].
fn predictive_table(posteriors: &[BetaGeometric], len: usize) -> Vec<f64> {
    let mut table = vec![0.0; len * posteriors.len()];
    for (column, posterior) in posteriors.iter().enumerate() {
        let values = posterior.ln_predictive_table(len);
        for (row, value) in table.chunks_exact_mut(posteriors.len()).zip(values) {
            row[column] = value;
        }
    }
    table
}
