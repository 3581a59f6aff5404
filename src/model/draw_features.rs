//! Features drawn from a model: the emissions run forward.

use std::sync::Arc;

use rand::{Rng, RngExt};
use rand_distr::{Binomial, Distribution};

use super::config::{Family, ModelConfig};
use super::parameters::{FeatureParameters, Parameters};
use crate::dist::BetaGeometric;
use crate::features::{Column, FeatureMatrix, FeatureSpec, Kind, TagHistograms};
use crate::view::Tree;

impl Parameters {
    /// Draws every feature of every node from p(x_vf | z_v), given the nodes' states.
    ///
    /// A binned count is given by the smallest count of its bin, which is counted and weighed as any other of the bin.
    /// Tags of children and of siblings are drawn as the model has them, one for each child or sibling independently of
    /// the children's own tags. Under predictive parameters every node has a p of its own, drawn from its posterior.
    ///
    /// # Panics
    /// If `states` does not have one state for each node.
    ///
    /// # Cost
    /// O(n F log m) for m categories; for tags O(min(children, m) log m) a node.
    pub fn draw_features<R: Rng>(
        &self,
        config: &ModelConfig,
        specs: &[&'static FeatureSpec],
        tree: &Tree,
        states: &[u8],
        rng: &mut R,
    ) -> FeatureMatrix {
        assert_eq!(states.len(), tree.len(), "one state for each node");
        // The table column that each node draws from.
        let from: Vec<usize> = (0u32..)
            .zip(states)
            .map(|(v, &state)| config.emission_offset(tree.is_leaf(v)) + usize::from(state))
            .collect();
        let columns = self.features.iter().zip(specs).zip(&config.features).map(|((feature, spec), used)| {
            match (feature, &spec.kind) {
                (FeatureParameters::GeometricPredictive(posteriors), _) => {
                    let count = |&column: &usize| predictive_count(&posteriors[column], rng);
                    Column::Values(from.iter().map(count).collect())
                }
                (FeatureParameters::GeometricDrawn(drawn), _) => {
                    Column::Values(from.iter().map(|&column| count(drawn[column].1, rng)).collect())
                }
                (FeatureParameters::Categorical(ln), kind) => {
                    let tables = Categories::from_columns(ln, config.emission_width());
                    draw_categories(&tables, kind, used.family, tree, &from, rng)
                }
            }
        });
        FeatureMatrix { columns: columns.collect() }
    }
}

/// A geometric count by inversion: the largest x with (1 - p)^x >= u for uniform u; counts end at 2^32 - 1.
fn count<R: Rng>(ln_one_minus_p: f64, rng: &mut R) -> u32 {
    let u = 1.0 - rng.random::<f64>();
    (u.ln() / ln_one_minus_p) as u32
}

fn predictive_count<R: Rng>(posterior: &BetaGeometric, rng: &mut R) -> u32 {
    let p = posterior.draw(rng);
    count((-p).ln_1p(), rng)
}

fn draw_categories<R: Rng>(
    tables: &[Categories],
    kind: &Kind,
    family: Family,
    tree: &Tree,
    from: &[usize],
    rng: &mut R,
) -> Column {
    debug_assert!(family == Family::DirichletCategorical);
    match kind.numbers_of_values(tree) {
        None => {
            let value = |&column: &usize| kind.smallest_value(tables[column].draw(rng));
            Column::Values(from.iter().map(value).collect())
        }
        Some(numbers) => {
            let rows = numbers.iter().zip(from).map(|(&n, &column)| tables[column].draw_many(n, rng));
            Column::ChildTags(Arc::new(TagHistograms::drawn(rows)))
        }
    }
}

/// A categorical distribution.
struct Categories {
    /// The probability of each category and all before it.
    cumulative: Vec<f64>,
}

impl Categories {
    /// Those of a table of ln p, \[category\]\[column\].
    fn from_columns(ln: &[f64], width: usize) -> Vec<Categories> {
        let of_column = |column: usize| {
            let cumulative = ln.iter().skip(column).step_by(width).scan(0.0, |sum, ln| {
                *sum += ln.exp();
                Some(*sum)
            });
            Categories { cumulative: cumulative.collect() }
        };
        (0..width).map(of_column).collect()
    }

    fn total(&self) -> f64 {
        self.cumulative.last().copied().unwrap_or(0.0)
    }

    fn draw<R: Rng>(&self, rng: &mut R) -> usize {
        let u = rng.random::<f64>() * self.total();
        // Rounding may leave u at the total, which no category is above.
        self.cumulative.partition_point(|&sum| sum <= u).min(self.cumulative.len() - 1)
    }

    /// The numbers of each category among `n` draws, (category, number) of those drawn. No more work for many draws
    /// than for some hundred: then each number is a binomial one of the draws left.
    fn draw_many<R: Rng>(&self, n: u64, rng: &mut R) -> Vec<(u32, u32)> {
        if n <= 2 * self.cumulative.len() as u64 {
            let mut drawn: Vec<u32> = (0..n).map(|_| self.draw(rng) as u32).collect();
            drawn.sort_unstable();
            return drawn.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32)).collect();
        }
        let (mut left, mut before) = (n, 0.0);
        let mut drawn = Vec::new();
        for (category, &sum) in self.cumulative.iter().enumerate() {
            let share = ((sum - before) / (self.total() - before)).clamp(0.0, 1.0);
            let number = match category + 1 == self.cumulative.len() {
                true => left,
                false => Binomial::new(left, share).expect("a share is a probability").sample(rng),
            };
            if number > 0 {
                drawn.push((category as u32, number as u32));
            }
            left -= number;
            before = sum;
            if left == 0 {
                break;
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Counts, FeatureUse};
    use crate::rng;
    use crate::view::NONE;

    /// Nodes 1 .. n below one root.
    fn star(n: usize) -> Tree {
        Tree::from_parents((0..=n).map(|v| if v == 0 { NONE } else { 0 }).collect())
    }

    fn config(features: &[(&str, Family)]) -> ModelConfig {
        let features =
            features.iter().map(|&(id, family)| FeatureUse { id: id.to_owned(), family }).collect();
        ModelConfig { features, ..ModelConfig::blocks() }
    }

    /// The drawn values of the leaves of a star, all in one state.
    fn drawn(config: &ModelConfig, parameters: &Parameters, n: usize) -> Vec<u32> {
        let specs = config.check().unwrap();
        let mut rng = rng::stream(1, "test", &[]);
        let matrix = parameters.draw_features(config, &specs, &star(n), &vec![2; n + 1], &mut rng);
        match &matrix.columns[0] {
            Column::Values(values) => values[1..].to_vec(),
            _ => panic!("values"),
        }
    }

    /// Whether a share of `n` is within five standard errors of its probability: a false alarm in 1.7 million.
    fn is_near(hits: usize, n: usize, p: f64) -> bool {
        (hits as f64 / n as f64 - p).abs() < 5.0 * (p * (1.0 - p) / n as f64).sqrt() + 1e-12
    }

    #[test]
    fn every_value_is_drawn_as_often_as_its_emission_says() {
        use Family::{BetaGeometric, DirichletCategorical};
        let n = 40_000;
        for (id, family) in
            [("words", BetaGeometric), ("words", DirichletCategorical), ("tag", DirichletCategorical)]
        {
            let mut config = config(&[(id, family)]);
            config.priors.geometric.alpha = 3.0;
            config.priors.geometric.beta = 7.0;
            let specs = config.check().unwrap();
            let counts = Counts::empty(&config).unwrap();
            let mut rng = rng::stream(2, "test", &[]);
            for parameters in
                [Parameters::predictive(&config, &counts), Parameters::draw(&config, &counts, &mut rng)]
            {
                let values = drawn(&config, &parameters, n);
                for value in [0, 1, 2, 5, 12] {
                    let features = FeatureMatrix { columns: vec![Column::Values(vec![value; 2])] };
                    let ln = parameters.ln_emission(&config, &specs, &star(1), &features);
                    let hits = values.iter().filter(|&&x| x == value).count();
                    // A bin is drawn as its smallest count.
                    let is_drawn = match (&specs[0].kind, family) {
                        (Kind::Count { bins, .. }, DirichletCategorical) => {
                            bins.smallest(bins.bin(value) as usize) == value
                        }
                        _ => true,
                    };
                    let p = ln[config.states.len() + 2].exp();
                    assert!(
                        is_near(hits, n, if is_drawn { p } else { 0.0 }),
                        "{id} {family:?} {value}: {hits}, {p}"
                    );
                }
            }
        }
    }

    #[test]
    fn tags_of_children_and_siblings_are_as_many_as_these_and_as_frequent_as_their_table_says() {
        let config = config(&[
            ("child-tags", Family::DirichletCategorical),
            ("sibling-tags", Family::DirichletCategorical),
        ]);
        let specs = config.check().unwrap();
        let counts = Counts::empty(&config).unwrap();
        let mut rng = rng::stream(3, "test", &[]);
        let parameters = Parameters::draw(&config, &counts, &mut rng);
        // Few siblings are drawn one by one, many by their numbers.
        for n in [5, 2000] {
            let mut hits = std::collections::BTreeMap::<u32, u64>::new();
            let tree = star(n);
            let states = vec![2; n + 1];
            let rounds = 40_000 / n;
            for _ in 0..rounds {
                let matrix = parameters.draw_features(&config, &specs, &tree, &states, &mut rng);
                let [Column::ChildTags(children), Column::ChildTags(siblings)] = matrix.columns.as_slice()
                else {
                    panic!("tags")
                };
                let sum = |tags: &[(u32, u32)]| tags.iter().map(|(_, n)| *n as usize).sum::<usize>();
                assert_eq!((sum(children.children(0)), sum(children.children(1))), (n, 0));
                assert_eq!((sum(siblings.children(0)), sum(siblings.children(1))), (0, n - 1));
                for &(tag, number) in siblings.children(1) {
                    *hits.entry(tag).or_default() += u64::from(number);
                }
            }
            let total = (rounds * (n - 1)) as f64;
            // The table's own probabilities, from the emission of one sibling with the tag.
            for tag in [0u32, 1, 7] {
                let one = |tags: Vec<(u32, u32)>| {
                    let column =
                        Column::ChildTags(Arc::new(TagHistograms::drawn(vec![vec![], tags].into_iter())));
                    let none =
                        Column::ChildTags(Arc::new(TagHistograms::drawn(vec![vec![], vec![]].into_iter())));
                    let features = FeatureMatrix { columns: vec![none, column] };
                    parameters.ln_emission(&config, &specs, &star(1), &features)[config.states.len() + 2]
                };
                let p = (one(vec![(tag, 1)]) - one(vec![])).exp();
                let share = hits.get(&tag).copied().unwrap_or(0) as f64 / total;
                assert!((share - p).abs() < 5.0 * (p * (1.0 - p) / total).sqrt(), "{n} {tag}: {share}, {p}");
            }
        }
    }
}
