//! `World`, parameters, states and features drawn from the prior: what the sampler has to agree with on average.
//!
//! The joint distribution is p(theta, z, x) ~ p(theta | training) P(z | theta) P(x | z, theta), z among the permitted
//! states, where P(z | theta) may be unnormalized (types of siblings and children, states forbidden at leaves). So z
//! is drawn first, by enumeration with theta integrated out, then theta given z, then x given both: exact, and
//! independent from draw to draw.

use duramen::features::{Column, FeatureMatrix};
use duramen::inference::gibbs::SampledPage;
use duramen::model::{Family, Model, Parameters, PermittedStates};
use duramen::rng::Rng;
use duramen::view::{NONE, Tree};
use rand::RngExt;

use super::factors::{
    CHILDREN, FEATURES, SIBLINGS, TRANSITIONS, Terms, Theta, Urn, Urns, column, dirichlet, emissions,
    structure,
};

/// Pages without features under a model with [`super::training::TWO_FEATURES`].
pub struct World {
    pub model: Model,
    pub terms: Terms,
    /// Trees, and the states that are permitted.
    pub pages: Vec<(Tree, PermittedStates)>,
    /// Prior and training.
    urns: Urns,
    /// All permitted states of all pages, each with the probability of it and those before.
    states: Vec<(f64, Vec<Vec<u8>>)>,
}

/// One draw of everything.
#[derive(Debug, Clone)]
pub struct Draw {
    pub theta: Theta,
    pub states: Vec<Vec<u8>>,
    pub features: Vec<FeatureMatrix>,
}

impl World {
    pub fn new((model, urns): (Model, Urns), terms: Terms, pages: Vec<(Tree, PermittedStates)>) -> Self {
        let mut all = vec![Vec::new()];
        for (tree, permitted) in &pages {
            all.iter_mut().for_each(|states| states.push(Vec::new()));
            for v in 0..tree.len() as u32 {
                let longer = |states: &Vec<Vec<u8>>| -> Vec<Vec<Vec<u8>>> {
                    let with = |state: usize| {
                        let mut states = states.clone();
                        states.last_mut().unwrap().push(state as u8);
                        states
                    };
                    permitted.at(v).iter().map(with).collect()
                };
                all = all.iter().flat_map(longer).collect();
            }
        }
        assert!(all.len() <= 100_000, "{} configurations are too many", all.len());
        let mut world = World { model, terms, pages, urns, states: Vec::new() };
        let mut urns = world.urns.clone();
        let weights: Vec<f64> = all.iter().map(|z| urns.ln_evidence(&world.structure(z)).exp()).collect();
        let total: f64 = weights.iter().sum();
        let mut sum = 0.0;
        for (states, weight) in all.into_iter().zip(weights) {
            sum += weight / total;
            world.states.push((sum, states));
        }
        world
    }

    fn structure(&self, states: &[Vec<u8>]) -> Vec<super::factors::Factor> {
        let pages = self.pages.iter().zip(states);
        pages.flat_map(|((tree, _), z)| structure(&self.model, self.terms, tree, z)).collect()
    }

    /// Draws everything anew.
    pub fn draw(&self, rng: &mut Rng) -> Draw {
        let u = rng.random::<f64>();
        let place = self.states.partition_point(|(sum, _)| *sum <= u).min(self.states.len() - 1);
        let states = self.states[place].1.clone();
        let mut urns = self.urns.clone();
        urns.add_all(&self.structure(&states), 1.0);
        let theta = urns.draw(rng);
        let features = self.features(&theta, &states, rng);
        Draw { theta, states, features }
    }

    /// Features of all pages given parameters and states.
    pub fn features(&self, theta: &Theta, states: &[Vec<u8>], rng: &mut Rng) -> Vec<FeatureMatrix> {
        let pages = self.pages.iter().zip(states).map(|((tree, _), z)| {
            let columns = (FEATURES..self.urns.0.len()).map(|table| {
                let value = |v: u32| {
                    let column = column(&self.model, tree, v, z[v as usize].into());
                    match &self.urns.0[table] {
                        Urn::Dirichlet { categories, .. } => {
                            let mut left = rng.random::<f64>();
                            let row = &theta.0[table][column * categories..][..*categories];
                            let found = row.iter().position(|p| {
                                left -= p;
                                left < 0.0
                            });
                            found.unwrap_or(categories - 1) as u32
                        }
                        // The number of failures before the first success, by inversion.
                        Urn::Beta(_) => {
                            ((1.0 - rng.random::<f64>()).ln() / (-theta.0[table][column]).ln_1p()) as u32
                        }
                    }
                };
                Column::Values((0..tree.len() as u32).map(value).collect())
            });
            FeatureMatrix { columns: columns.collect() }
        });
        pages.collect()
    }

    /// The pages as the sampler takes them; `digest` names their streams.
    pub fn sampled<'a>(
        &'a self,
        features: &'a [FeatureMatrix],
        permitted: &[PermittedStates],
        digest: u64,
    ) -> Vec<SampledPage<'a>> {
        let pages = self.pages.iter().zip(features).zip(permitted);
        pages
            .map(|(((tree, _), features), permitted)| SampledPage {
                tree,
                features,
                permitted: permitted.clone(),
                digest,
                words: Vec::new(),
            })
            .collect()
    }

    /// The states that are permitted, page by page.
    pub fn permitted(&self) -> Vec<PermittedStates> {
        self.pages.iter().map(|(_, permitted)| permitted.clone()).collect()
    }

    /// A chain's parameters as numbers. Of the categories that are on no page it draws only the sum, which is split
    /// here as their Dirichlet distribution is.
    pub fn theta(&self, parameters: &Parameters, features: &[FeatureMatrix], rng: &mut Rng) -> Theta {
        let exp = |ln: &[f64]| ln.iter().map(|ln| ln.exp()).collect::<Vec<f64>>();
        let mut tables =
            vec![exp(&parameters.transition.ln), exp(&parameters.ln_sibling), exp(&parameters.ln_child)];
        for f in 0..self.model.specs().len() {
            let table = match &self.urns.0[FEATURES + f] {
                Urn::Beta(_) => self.emission(parameters, f, 1),
                Urn::Dirichlet { categories, cells, .. } => {
                    let mut live = vec![false; *categories];
                    for features in features {
                        let Column::Values(values) = &features.columns[f] else {
                            panic!("values are simulated")
                        };
                        values.iter().for_each(|&x| live[x as usize] = true);
                    }
                    let of =
                        |is_live: bool| (0..*categories).filter(|&c| live[c] == is_live).collect::<Vec<_>>();
                    let (live, others) = (of(true), of(false));
                    let mut table = self.emission(parameters, f, *categories);
                    for (p, cells) in table.chunks_mut(*categories).zip(cells.chunks(*categories)) {
                        let left = 1.0 - live.iter().map(|&c| p[c]).sum::<f64>();
                        let shapes: Vec<f64> = others.iter().map(|&c| cells[c]).collect();
                        for (&c, share) in others.iter().zip(dirichlet(&shapes, rng)) {
                            p[c] = left.max(0.0) * share;
                        }
                    }
                    table
                }
            };
            tables.push(table);
        }
        Theta(tables)
    }

    /// P(value | column) of the first values of a feature, \[column\]\[value\], read from the emissions of a tree with a
    /// leaf and an inner node for each of them.
    fn emission(&self, parameters: &Parameters, f: usize, values: usize) -> Vec<f64> {
        let k = self.model.config().states.len();
        // Even nodes are a path of inner nodes, odd ones their leaves.
        let parents = (0..2 * values as u32).map(|v| if v == 0 { NONE } else { (v - 1) / 2 * 2 });
        let tree = Tree::from_parents(parents.collect());
        let mut columns = vec![Column::Values(Vec::new()); self.model.specs().len()];
        columns[f] = Column::Values((0..2 * values as u32).map(|v| v / 2).collect());
        let mut ln = vec![0.0; tree.len() * k];
        let features = FeatureMatrix { columns };
        parameters.add_feature(self.model.config(), self.model.specs(), &tree, &features, f, &mut ln);
        let mut table = vec![0.0; 2 * k * values];
        for (v, node) in ln.chunks(k).enumerate() {
            for (state, ln) in node.iter().enumerate() {
                table[column(&self.model, &tree, v as u32, state) * values + v / 2] = ln.exp();
            }
        }
        table
    }

    /// ln P(x | z, theta).
    pub fn ln_likelihood(&self, draw: &Draw) -> f64 {
        let pages = self.pages.iter().zip(&draw.features).zip(&draw.states);
        pages
            .flat_map(|(((tree, _), features), z)| emissions(&self.model, tree, features, z))
            .map(|factor| draw.theta.ln_p(&self.urns, factor))
            .sum()
    }

    /// The names of [`World::quantities`].
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.parameter_quantities().into_iter().map(|(name, ..)| name).collect();
        let of_states = [
            "share of state 0",
            "share of state 1",
            "share of state 2",
            "share of children like their parent",
        ];
        names.extend(of_states.map(str::to_owned));
        names
    }

    /// Some parameters by name, table and place.
    fn parameter_quantities(&self) -> Vec<(String, usize, usize)> {
        let k = self.model.config().states.len();
        let root = (k * (k + 1) + k) * k;
        let mut chosen = vec![
            ("A[root][0]".to_owned(), TRANSITIONS, root),
            ("A[root][1]".to_owned(), TRANSITIONS, root + 1),
            ("A[0, first][0]".to_owned(), TRANSITIONS, k * k),
            ("A[1, first][2]".to_owned(), TRANSITIONS, (k + 1 + k) * k + 2),
        ];
        if self.model.config().transition == duramen::model::TransitionKind::ParentAndPreviousSibling {
            chosen.push(("A[0, 1][1]".to_owned(), TRANSITIONS, k + 1));
        }
        if self.terms.siblings {
            chosen.push(("B[0][0]".to_owned(), SIBLINGS, 0));
            chosen.push(("B[1][0]".to_owned(), SIBLINGS, k));
        }
        if self.terms.children {
            chosen.push(("C[0][0]".to_owned(), CHILDREN, 0));
            chosen.push(("C[1][0]".to_owned(), CHILDREN, k));
        }
        for (f, used) in self.model.config().features.iter().enumerate() {
            for (column, what) in
                [(0, "a leaf in 0"), (k, "an inner node in 0"), (k + 1, "an inner node in 1")]
            {
                let stride = match &self.urns.0[FEATURES + f] {
                    Urn::Dirichlet { categories, .. } => *categories,
                    Urn::Beta(_) => 1,
                };
                let what = match used.family {
                    Family::DirichletCategorical => format!("P({} 0) of {what}", used.id),
                    Family::BetaGeometric => format!("p of {} of {what}", used.id),
                };
                chosen.push((what, FEATURES + f, column * stride));
            }
        }
        chosen
    }

    /// Numbers that parameters and states are looked at by.
    pub fn quantities(&self, theta: &Theta, states: &[Vec<u8>]) -> Vec<f64> {
        let chosen = self.parameter_quantities();
        let mut values: Vec<f64> = chosen.iter().map(|&(_, table, place)| theta.0[table][place]).collect();
        let nodes: usize = states.iter().map(Vec::len).sum();
        for state in 0..3 {
            let there = states.iter().flatten().filter(|&&z| z == state).count();
            values.push(there as f64 / nodes as f64);
        }
        let mut alike = 0;
        for ((tree, _), z) in self.pages.iter().zip(states) {
            alike += (1..z.len()).filter(|&v| z[v] == z[tree.parent(v as u32) as usize]).count();
        }
        values.push(alike as f64 / nodes as f64);
        values
    }
}
