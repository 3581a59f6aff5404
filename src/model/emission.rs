//! Log emissions: what the features of a node say of its state.

use super::config::ModelConfig;
use super::parameters::{FeatureParameters, Parameters};
use crate::dist::BetaGeometric;
use crate::features::matrix::TagHistograms;
use crate::features::{Column, FeatureMatrix, FeatureSpec, Kind};
use crate::view::{NONE, Tree};

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
        match (&self.features[feature], &features.columns[feature]) {
            (FeatureParameters::Categorical(table), Column::Values(values)) => {
                Term::Rows { table, kind: &specs[feature].kind, values }
            }
            (FeatureParameters::GeometricPredictive(posteriors), Column::Values(values)) => {
                let largest = values.iter().copied().max().unwrap_or(0) as usize;
                Term::Predictive {
                    posteriors,
                    values,
                    table: predictive_table(posteriors, SMALL.min(largest + 1)),
                }
            }
            (FeatureParameters::GeometricDrawn(drawn), Column::Values(values)) => {
                Term::Drawn { drawn, values }
            }
            (FeatureParameters::Categorical(table), Column::ChildTags(histograms)) => {
                Term::ChildTags { table, histograms }
            }
            (FeatureParameters::Categorical(table), Column::SiblingTags(histograms)) => {
                // The sum over all children of a parent, made once for all of them.
                let mut of_children = vec![0.0; tree.len() * width];
                for (v, sum) in of_children.chunks_exact_mut(width).enumerate() {
                    for &(tag, n) in histograms.children(v as u32) {
                        add_times(sum, f64::from(n), &table[tag as usize * width..]);
                    }
                }
                Term::SiblingTags { table, histograms, of_children }
            }
            _ => unreachable!("only counts are geometric, see ModelConfig::check"),
        }
    }
}

/// What one feature adds to the nodes of a page. Tables have a row of columns, K for each node or K for leaves and K
/// for inner nodes.
enum Term<'a> {
    /// A category or a count that is binned.
    Rows { table: &'a [f64], kind: &'static Kind, values: &'a [u32] },
    /// A count with p integrated out; the table has rows for small ones.
    Predictive { posteriors: &'a [BetaGeometric], values: &'a [u32], table: Vec<f64> },
    /// A count, with ln p and ln (1 - p) of each column.
    Drawn { drawn: &'a [(f64, f64)], values: &'a [u32] },
    /// The tags of the children.
    ChildTags { table: &'a [f64], histograms: &'a TagHistograms },
    /// The tags of the parent's other children.
    SiblingTags { table: &'a [f64], histograms: &'a TagHistograms, of_children: Vec<f64> },
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
        let nodes =
            nodes.iter_mut().zip(columns).enumerate().map(|(i, (node, &column))| (first + i, node, column));
        match self {
            Term::Rows { table, kind, values } => {
                for ((_, node, column), &x) in nodes.zip(&values[first..]) {
                    add(node, &table[kind.category(x) * width + column..]);
                }
            }
            Term::Predictive { posteriors, values, table } => {
                for ((_, node, column), &x) in nodes.zip(&values[first..]) {
                    match table.get(x as usize * width..) {
                        Some(rows) if !rows.is_empty() => add(node, &rows[column..]),
                        _ => {
                            for (value, posterior) in node.iter_mut().zip(&posteriors[column..]) {
                                *value += posterior.ln_predictive(u64::from(x));
                            }
                        }
                    }
                }
            }
            Term::Drawn { drawn, values } => {
                for ((_, node, column), &x) in nodes.zip(&values[first..]) {
                    for (value, (ln_p, ln_q)) in node.iter_mut().zip(&drawn[column..]) {
                        *value += ln_p + f64::from(x) * ln_q;
                    }
                }
            }
            Term::ChildTags { table, histograms } => {
                for (v, node, column) in nodes {
                    for &(tag, n) in histograms.children(v as u32) {
                        add_times(node, f64::from(n), &table[tag as usize * width + column..]);
                    }
                }
            }
            Term::SiblingTags { table, histograms, of_children } => {
                for (v, node, column) in nodes {
                    let parent = tree.parent(v as u32);
                    if parent != NONE {
                        add(node, &of_children[parent as usize * width + column..]);
                        let own = histograms.own(v as u32) as usize;
                        add_times(node, -1.0, &table[own * width + column..]);
                    }
                }
            }
        }
    }
}

/// Adds the first entries of `row` to a node's, one for each state.
fn add<const K: usize>(node: &mut [f64; K], row: &[f64]) {
    let row: &[f64; K] = row.first_chunk().expect("a column for each state");
    node.iter_mut().zip(row).for_each(|(value, ln_p)| *value += ln_p);
}

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
