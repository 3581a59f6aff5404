//! `Tables`, the counts that a chain changes: those of training, and on top those of the pages' present states.
//!
//! With the parameters integrated out all that a chain knows of them is here; the mathematics is in
//! [`dist`](crate::dist).

use super::pages::PageData;
use super::settings::GibbsConfig;
use super::weights::Weights;
use crate::dist::{BetaColumns, CellOrder, DirichletRows, GeometricStatistic};
use crate::model::counts::FeatureCounts;
use crate::model::parameters::FeatureParameters;
use crate::model::{Model, Parameters, TransitionKind};
use crate::rng::Rng;
use crate::view::NONE;

/// The table of one feature.
#[derive(Clone)]
pub(super) enum FeatureTable {
    Dirichlet(DirichletRows),
    Beta(BetaColumns),
}

impl FeatureTable {
    /// The columns that a node can be in.
    pub fn columns(&self) -> &[u32] {
        match self {
            FeatureTable::Dirichlet(rows) => rows.in_use().0,
            FeatureTable::Beta(columns) => columns.in_use(),
        }
    }
}

/// All counts that a chain changes.
#[derive(Clone)]
pub(super) struct Tables {
    pub k: usize,
    pub kind: TransitionKind,
    /// Rows are (parent or root) (K + 1) + (previous sibling or start).
    pub transitions: DirichletRows,
    /// Empty unless the labels of all siblings are sampled with.
    pub siblings: Option<DirichletRows>,
    /// Empty unless the labels of children are sampled with.
    pub children: Option<DirichletRows>,
    pub features: Vec<FeatureTable>,
}

impl Tables {
    /// The counts of a model, and which of their cells the pages can touch.
    pub fn new(model: &Model, settings: &GibbsConfig, pages: &[PageData<'_>]) -> Tables {
        let (config, counts) = (model.config(), model.counts());
        let k = config.states.len();
        let unit = counts.unit();
        let count =
            |numbers: &[u64]| numbers.iter().map(|&n| n as f64 * unit).collect::<Vec<f64>>().into_iter();
        let states: Vec<u32> = (0..k as u32).collect();
        let rows = |parents: std::ops::Range<usize>| {
            parents.flat_map(|a| match config.transition {
                TransitionKind::Parent => a * (k + 1) + k..(a + 1) * (k + 1),
                TransitionKind::ParentAndPreviousSibling => a * (k + 1)..(a + 1) * (k + 1),
            })
        };
        // The root has no siblings.
        let transition_rows = rows(0..k).chain([k * (k + 1) + k]).map(|row| row as u32).collect();
        let of_states = |numbers: &[u64]| {
            let prior = config.priors.transition;
            DirichletRows::new(prior, count(numbers), k, CellOrder::RowMajor, states.clone(), states.clone())
        };
        let columns: Vec<u32> = if config.inner_tables {
            (0..config.states.permitted(true)).chain(k..2 * k).map(|column| column as u32).collect()
        } else {
            states.clone()
        };
        let features = counts.features.iter().enumerate().map(|(f, feature)| match feature {
            FeatureCounts::Geometric(statistics) => {
                let base: Vec<[f64; 2]> = statistics
                    .iter()
                    .map(|&GeometricStatistic { n, sum }| [n, sum].map(|x| x as f64 * unit))
                    .collect();
                FeatureTable::Beta(BetaColumns::new(config.priors.geometric, base, columns.clone()))
            }
            FeatureCounts::Categorical(counts) => {
                let categories = model.specs()[f].kind.categories();
                let mut seen = vec![false; categories];
                pages.iter().for_each(|page| page.values[f].for_each_possible(|x| seen[x as usize] = true));
                let live = (0..categories as u32).filter(|&category| seen[category as usize]).collect();
                FeatureTable::Dirichlet(DirichletRows::new(
                    config.priors.categorical,
                    count(counts),
                    categories,
                    CellOrder::CategoryMajor,
                    columns.clone(),
                    live,
                ))
            }
        });
        Tables {
            k,
            kind: config.transition,
            transitions: DirichletRows::new(
                config.priors.transition,
                count(&counts.transitions),
                k,
                CellOrder::RowMajor,
                transition_rows,
                states.clone(),
            ),
            siblings: settings.uses_sibling_types(config).then(|| of_states(&counts.siblings)),
            children: settings.uses_child_types(config).then(|| of_states(&counts.child_types())),
            features: features.collect(),
        }
    }

    /// Takes all pages away.
    pub fn reset(&mut self) {
        self.transitions.reset();
        self.siblings.iter_mut().chain(&mut self.children).for_each(DirichletRows::reset);
        for feature in &mut self.features {
            match feature {
                FeatureTable::Dirichlet(rows) => rows.reset(),
                FeatureTable::Beta(columns) => columns.reset(),
            }
        }
    }

    /// Adds `n` times (1 or -1) a page in given states.
    pub fn add_page(&mut self, page: &PageData<'_>, states: &[u8], n: f64) {
        let k = self.k;
        let mut siblings = vec![0.0; k];
        for v in 0..page.tree.len() as u32 {
            let state = states[v as usize] as usize;
            self.transitions.add(self.transition_row(page, states, v), state, n);
            self.add_emissions(page, v, page.column(v, state), n);
            if let Some(children) = &mut self.children
                && v > 0
            {
                children.add(states[page.tree.parent(v) as usize].into(), state, n);
            }
            if let Some(pairs) = &mut self.siblings {
                siblings.fill(0.0);
                page.tree.children(v).for_each(|child| siblings[states[child as usize] as usize] += 1.0);
                for a in 0..k {
                    for b in 0..k {
                        pairs.add(
                            a,
                            b,
                            n * siblings[a] * (siblings[b] - f64::from(u8::from(a == b))).max(0.0),
                        );
                    }
                }
            }
        }
    }

    /// The row of the transition that leads to a node.
    pub fn transition_row(&self, page: &PageData<'_>, states: &[u8], v: u32) -> usize {
        let state = |node: u32| if node == NONE { self.k } else { states[node as usize].into() };
        let previous = match self.kind {
            TransitionKind::Parent => self.k,
            TransitionKind::ParentAndPreviousSibling => state(page.tree.previous_sibling(v)),
        };
        state(page.tree.parent(v)) * (self.k + 1) + previous
    }

    /// Adds `n` times the features of a node to a column.
    pub fn add_emissions(&mut self, page: &PageData<'_>, v: u32, column: usize, n: f64) {
        for (table, values) in self.features.iter_mut().zip(&page.values) {
            match table {
                FeatureTable::Dirichlet(rows) => values.for_each(page.tree, v, |category, times| {
                    rows.add(column, category as usize, n * f64::from(times));
                }),
                FeatureTable::Beta(columns) => {
                    values.for_each(page.tree, v, |x, times| columns.add(column, x, n * f64::from(times)));
                }
            }
        }
    }

    /// ln P(features of a node | its column), parameters integrated out, for the columns from `first` on; a part as
    /// a quotient of products and the rest as a logarithm.
    pub fn emission_weights(&self, page: &PageData<'_>, v: u32, weights: &mut Weights) {
        let first = page.column(v, 0);
        let k = self.k;
        for (f, (table, values)) in self.features.iter().zip(&page.values).enumerate() {
            match (table, values.values()) {
                (FeatureTable::Dirichlet(rows), Some(categories)) => {
                    let category = categories[v as usize] as usize;
                    rows.multiply_p(first, category, &mut weights.above[..k], &mut weights.below[..k]);
                    // Counts are below 2^53 each: sixteen of them stay within a double.
                    if f % 16 == 15 {
                        weights.rescale();
                    }
                }
                (FeatureTable::Dirichlet(rows), None) => {
                    weights.add_independent(k, rows, first, |add| values.for_each(page.tree, v, add));
                }
                (FeatureTable::Beta(columns), Some(counts)) => {
                    for (state, ln) in weights.ln[..k].iter_mut().enumerate() {
                        *ln += columns.ln_predictive(first + state, counts[v as usize]);
                    }
                }
                (FeatureTable::Beta(_), None) => {
                    unreachable!("only counts are geometric, see ModelConfig::check")
                }
            }
        }
    }

    /// ln P(states and features of all pages | training), all parameters integrated out.
    pub fn ln_evidence(&self) -> f64 {
        let rows = [Some(&self.transitions), self.siblings.as_ref(), self.children.as_ref()];
        let structure: f64 = rows.into_iter().flatten().map(DirichletRows::ln_evidence).sum();
        let features = self.features.iter().map(|feature| match feature {
            FeatureTable::Dirichlet(rows) => rows.ln_evidence(),
            FeatureTable::Beta(columns) => columns.ln_evidence(),
        });
        structure + features.sum::<f64>()
    }

    /// Sets `parameters` to the posterior means, or with a stream to a draw from the posterior. Probabilities of
    /// categories that are on no page stay as they were.
    pub fn take_parameters(&self, mut rng: Option<&mut Rng>, parameters: &mut Parameters) {
        let mut take = |rows: &DirichletRows, ln: &mut [f64]| match &mut rng {
            Some(rng) => rows.write_ln_draw(*rng, ln),
            None => rows.write_ln_means(ln),
        };
        take(&self.transitions, &mut parameters.transition.ln);
        if let Some(rows) = &self.siblings {
            take(rows, &mut parameters.ln_sibling);
        }
        if let Some(rows) = &self.children {
            take(rows, &mut parameters.ln_child);
        }
        for (table, feature) in self.features.iter().zip(&mut parameters.features) {
            match table {
                FeatureTable::Dirichlet(rows) => match feature {
                    FeatureParameters::Categorical(ln) => match &mut rng {
                        Some(rng) => rows.write_ln_draw(*rng, ln),
                        None => rows.write_ln_means(ln),
                    },
                    _ => unreachable!("tables and parameters are of one configuration"),
                },
                FeatureTable::Beta(columns) => {
                    let posteriors = columns.posteriors();
                    *feature = match &mut rng {
                        None => FeatureParameters::GeometricPredictive(posteriors.collect()),
                        Some(rng) => FeatureParameters::GeometricDrawn(
                            posteriors
                                .map(|posterior| {
                                    let p = posterior.draw(*rng);
                                    (p.ln(), (-p).ln_1p())
                                })
                                .collect(),
                        ),
                    };
                }
            }
        }
    }
}
