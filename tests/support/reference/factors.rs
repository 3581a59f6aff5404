//! `Factor`, one observation that a page with its states makes, and `Urns`, what is known of their probabilities.
//!
//! P(z, x | theta) is the product of the probabilities of a page's factors. With theta at its posterior means it is the
//! product of the predictive probabilities; with theta integrated out each factor is counted before the next is looked
//! at (Pólya's urn).

use duramen::features::{Column, FeatureMatrix, Kind};
use duramen::model::{Family, Model, TransitionKind};
use duramen::rng::Rng;
use duramen::view::{NONE, Tree};
use rand_distr::{Beta, Distribution, Gamma};

/// One observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Factor {
    /// A category of a row of a table with a Dirichlet prior.
    Category { table: usize, row: usize, category: usize },
    /// A count of a column of a table with a Beta prior.
    Count { table: usize, column: usize, x: u32 },
}

/// The tables; those of the features follow in the order of the configuration.
pub const TRANSITIONS: usize = 0;
pub const SIBLINGS: usize = 1;
pub const CHILDREN: usize = 2;
pub const FEATURES: usize = 3;

/// Which of the terms that break the tree are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub siblings: bool,
    pub children: bool,
}

/// The row of the transition to node `v`.
pub fn transition_row(model: &Model, tree: &Tree, z: &[u8], v: u32) -> usize {
    let k = model.config().states.len();
    let state = |node: u32| if node == NONE { k } else { z[node as usize].into() };
    let previous = match model.config().transition {
        TransitionKind::Parent => k,
        TransitionKind::ParentAndPreviousSibling => state(tree.previous_sibling(v)),
    };
    state(tree.parent(v)) * (k + 1) + previous
}

/// The factors of the states alone.
pub fn structure(model: &Model, terms: Terms, tree: &Tree, z: &[u8]) -> Vec<Factor> {
    let state = |v: u32| usize::from(z[v as usize]);
    let mut factors = Vec::new();
    for v in 0..tree.len() as u32 {
        let row = transition_row(model, tree, z, v);
        factors.push(Factor::Category { table: TRANSITIONS, row, category: state(v) });
        for u in 0..tree.len() as u32 {
            if terms.children && tree.parent(u) == v {
                factors.push(Factor::Category { table: CHILDREN, row: state(v), category: state(u) });
            }
            if terms.siblings && u != v && v > 0 && tree.parent(u) == tree.parent(v) {
                factors.push(Factor::Category { table: SIBLINGS, row: state(v), category: state(u) });
            }
        }
    }
    factors
}

/// The column of emission tables for a node in a state.
pub fn column(model: &Model, tree: &Tree, v: u32, state: usize) -> usize {
    let own_table = model.config().inner_tables && !tree.is_leaf(v);
    state + if own_table { model.config().states.len() } else { 0 }
}

/// The factors of the features given the states.
pub fn emissions(model: &Model, tree: &Tree, features: &FeatureMatrix, z: &[u8]) -> Vec<Factor> {
    let mut factors = Vec::new();
    for (f, values) in features.columns.iter().enumerate() {
        let table = FEATURES + f;
        for v in 0..tree.len() as u32 {
            let column = column(model, tree, v, z[v as usize].into());
            let mut of_category = |category: u32, times: u32| {
                let factor = Factor::Category { table, row: column, category: category as usize };
                factors.extend(std::iter::repeat_n(factor, times as usize));
            };
            match values {
                Column::Values(values) => {
                    let x = values[v as usize];
                    match (model.config().features[f].family, &model.specs()[f].kind) {
                        (Family::BetaGeometric, _) => factors.push(Factor::Count { table, column, x }),
                        (_, Kind::Count { bins, .. }) => of_category(bins.bin(x), 1),
                        _ => of_category(x, 1),
                    }
                }
                Column::ChildTags(tags) => {
                    tags.children(v).iter().for_each(|&(tag, n)| of_category(tag, n));
                }
                Column::SiblingTags(tags) => {
                    for u in (1..tree.len() as u32).filter(|&u| u != v && tree.parent(u) == tree.parent(v)) {
                        of_category(tags.own(u), 1);
                    }
                }
            }
        }
    }
    factors
}

/// Prior and counts of all tables.
#[derive(Clone)]
pub struct Urns(pub Vec<Urn>);

/// Prior and counts of one table.
#[derive(Clone)]
pub enum Urn {
    /// gamma + counts \[row\]\[category\], and their sums.
    Dirichlet { categories: usize, cells: Vec<f64>, totals: Vec<f64> },
    /// \[alpha + number, beta + sum\] of each column.
    Beta(Vec<[f64; 2]>),
}

impl Urns {
    /// The prior of a model's configuration.
    pub fn prior(model: &Model) -> Urns {
        let (config, k) = (model.config(), model.config().states.len());
        let rows = |gamma: f64, rows: usize, categories: usize| Urn::Dirichlet {
            categories,
            cells: vec![gamma; rows * categories],
            totals: vec![gamma * categories as f64; rows],
        };
        let gamma = config.priors.transition.gamma;
        let structure = [rows(gamma, (k + 1) * (k + 1), k), rows(gamma, k, k), rows(gamma, k, k)];
        let features = config.features.iter().zip(model.specs()).map(|(used, spec)| match used.family {
            Family::BetaGeometric => {
                Urn::Beta(vec![[config.priors.geometric.alpha, config.priors.geometric.beta]; 2 * k])
            }
            Family::DirichletCategorical => {
                rows(config.priors.categorical.gamma, 2 * k, spec.kind.categories())
            }
        });
        Urns(structure.into_iter().chain(features).collect())
    }

    /// Counts a factor `n` times.
    pub fn add(&mut self, factor: Factor, n: f64) {
        match factor {
            Factor::Category { table, row, category } => match &mut self.0[table] {
                Urn::Dirichlet { categories, cells, totals } => {
                    cells[row * *categories + category] += n;
                    totals[row] += n;
                }
                Urn::Beta(_) => panic!("table {table} holds counts"),
            },
            Factor::Count { table, column, x } => match &mut self.0[table] {
                Urn::Beta(columns) => {
                    columns[column][0] += n;
                    columns[column][1] += n * f64::from(x);
                }
                Urn::Dirichlet { .. } => panic!("table {table} holds categories"),
            },
        }
    }

    /// Counts many.
    pub fn add_all(&mut self, factors: &[Factor], n: f64) {
        factors.iter().for_each(|&factor| self.add(factor, n));
    }

    /// The predictive probability of a factor.
    pub fn p(&self, factor: Factor) -> f64 {
        match factor {
            Factor::Category { table, row, category } => match &self.0[table] {
                Urn::Dirichlet { categories, cells, totals } => {
                    cells[row * categories + category] / totals[row]
                }
                Urn::Beta(_) => panic!("table {table} holds counts"),
            },
            Factor::Count { table, column, x } => match &self.0[table] {
                Urn::Beta(columns) => {
                    let [alpha, beta] = columns[column];
                    // x failures, one after the other, and then the success.
                    let failures = (0..x).map(f64::from).map(|i| (beta + i) / (alpha + beta + i));
                    failures.product::<f64>() * alpha / (alpha + beta + f64::from(x))
                }
                Urn::Dirichlet { .. } => panic!("table {table} holds categories"),
            },
        }
    }

    /// ln P(factors) with the probabilities integrated out.
    pub fn ln_evidence(&mut self, factors: &[Factor]) -> f64 {
        let mut ln = 0.0;
        for &factor in factors {
            ln += self.p(factor).ln();
            self.add(factor, 1.0);
        }
        self.add_all(factors, -1.0);
        ln
    }

    /// A draw of all probabilities.
    pub fn draw(&self, rng: &mut Rng) -> Theta {
        let tables = self.0.iter().map(|urn| match urn {
            Urn::Dirichlet { categories, cells, .. } => {
                cells.chunks(*categories).flat_map(|row| dirichlet(row, rng)).collect()
            }
            Urn::Beta(columns) => {
                columns.iter().map(|&[alpha, beta]| Beta::new(alpha, beta).unwrap().sample(rng)).collect()
            }
        });
        Theta(tables.collect())
    }
}

/// A draw from a Dirichlet distribution.
pub fn dirichlet(shapes: &[f64], rng: &mut Rng) -> Vec<f64> {
    let draws: Vec<f64> = shapes.iter().map(|&shape| Gamma::new(shape, 1.0).unwrap().sample(rng)).collect();
    let total: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| draw / total).collect()
}

/// The probabilities of all tables: those of categories \[row\]\[category\], of counts p of each column.
#[derive(Debug, Clone)]
pub struct Theta(pub Vec<Vec<f64>>);

impl Theta {
    /// ln of the probability of a factor; `urns` knows the tables' shapes.
    pub fn ln_p(&self, urns: &Urns, factor: Factor) -> f64 {
        match factor {
            Factor::Category { table, row, category } => match &urns.0[table] {
                Urn::Dirichlet { categories, .. } => self.0[table][row * categories + category].ln(),
                Urn::Beta(_) => panic!("table {table} holds counts"),
            },
            Factor::Count { table, column, x } => {
                let p = self.0[table][column];
                p.ln() + f64::from(x) * (-p).ln_1p()
            }
        }
    }
}
