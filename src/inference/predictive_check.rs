//! Posterior predictive checks of one page: statistics of its features, and of features that the model draws in their
//! place.
//!
//! For draws (theta, z) of the posterior, features x_rep ~ p(x | z, theta) are drawn for the same tree and states, and
//! T(x_rep) is compared with T(x) for statistics T that the model need not reproduce (Rubin 1984; Gelman, Meng & Stern
//! 1996): moments, zeros and the largest of a count, the variety of categories, and how often neighbors agree, where the
//! model has features independent given the states.
//!
//! | statistic | of | defined if |
//! |---|---|---|
//! | mean, standard deviation, share of zeros, maximum | geometric counts | there are nodes |
//! | distinct values, share of the most frequent | categories, bins, tags of children | there are values |
//! | agreement of siblings | all but tags: siblings next to each other with the same value (or bin) | two siblings |
//! | agreement with the parent | all but tags: nodes with their parent's value (or bin) | two nodes |
//! | agreement of children | tags of children: pairs of a node's children with the same tag | two siblings |
//!
//! Tags of siblings have no statistics: they are the tags of children once more, written out for each child.

use std::collections::BTreeMap;

use crate::features::{Column, FeatureMatrix};
use crate::model::{Family, Model, Parameters, category};
use crate::rng::Rng;
use crate::view::{NONE, Tree};

/// A statistic of one feature of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistic {
    /// The feature's id.
    pub feature: &'static str,
    /// What it is, such as `mean`.
    pub name: &'static str,
    /// Its value; NaN where it is not defined, such as the agreement of siblings on a page without any.
    pub value: f64,
}

/// All statistics of a page's features under a model, in the order of the features.
///
/// # Panics
/// If `features` are not those of the model for this tree.
///
/// # Cost
/// O(n F log n).
pub fn statistics(model: &Model, tree: &Tree, features: &FeatureMatrix) -> Vec<Statistic> {
    let mut all = Vec::new();
    for ((spec, used), column) in model.specs().iter().zip(&model.config().features).zip(&features.columns) {
        if spec.kind.repeats_children() {
            continue;
        }
        let statistics = match (column.values(), used.family) {
            (None, _) => summarize_tags(tree, column),
            (Some(values), family) => {
                assert_eq!(values.len(), tree.len(), "one value for each node");
                match family {
                    Family::BetaGeometric => {
                        [&summarize_counts(values)[..], &agreement(tree, values)].concat()
                    }
                    Family::DirichletCategorical => {
                        let categories: Vec<u32> =
                            values.iter().map(|&x| category(&spec.kind, family, x) as u32).collect();
                        let counts = categories.iter().map(|&category| (category, 1));
                        [&variety(counts)[..], &agreement(tree, &categories)].concat()
                    }
                }
            }
        };
        all.extend(statistics.into_iter().map(|(name, value)| Statistic { feature: spec.id, name, value }));
    }
    all
}

/// Draws features for a page's tree and states: x_rep ~ p(x | z, theta). The same as
/// [`Parameters::draw_features`] of the model's features.
///
/// # Panics
/// If `states` does not have one state for each node.
pub fn replicate(
    model: &Model,
    parameters: &Parameters,
    tree: &Tree,
    states: &[u8],
    rng: &mut Rng,
) -> FeatureMatrix {
    parameters.draw_features(model.config(), model.specs(), tree, states, rng)
}

fn summarize_counts(values: &[u32]) -> [(&'static str, f64); 4] {
    let n = values.len() as f64;
    let numbers = values.iter().map(|&x| f64::from(x));
    let mean = numbers.clone().sum::<f64>() / n;
    let variance = numbers.map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let zeros = values.iter().filter(|&&x| x == 0).count() as f64;
    let max = values.iter().max().map_or(f64::NAN, |&x| f64::from(x));
    [("mean", mean), ("standard deviation", variance.sqrt()), ("share of zeros", zeros / n), ("maximum", max)]
}

/// Of (category, number): how many categories there are, and the share of the most frequent.
fn variety(counts: impl Iterator<Item = (u32, u32)>) -> [(&'static str, f64); 2] {
    let mut sums = BTreeMap::<u32, u64>::new();
    for (category, number) in counts {
        *sums.entry(category).or_default() += u64::from(number);
    }
    let total: u64 = sums.values().sum();
    let most = sums.values().max().copied().unwrap_or(0);
    [("distinct values", sums.len() as f64), ("share of the most frequent", most as f64 / total as f64)]
}

fn agreement(tree: &Tree, values: &[u32]) -> [(&'static str, f64); 2] {
    let share = |other: fn(&Tree, u32) -> u32| {
        let pairs = (0..tree.len() as u32).map(|v| (v, other(tree, v))).filter(|(_, other)| *other != NONE);
        let (mut same, mut all) = (0u32, 0u32);
        for (v, other) in pairs {
            all += 1;
            same += u32::from(values[v as usize] == values[other as usize]);
        }
        f64::from(same) / f64::from(all)
    };
    [
        ("agreement of siblings", share(Tree::previous_sibling)),
        ("agreement with the parent", share(Tree::parent)),
    ]
}

fn summarize_tags(tree: &Tree, column: &Column) -> Vec<(&'static str, f64)> {
    let nodes = || (0..tree.len() as u32).map(|v| column.tags_at(tree, v));
    let pairs = |n: u64| n as f64 * (n as f64 - 1.0);
    let (mut same, mut all) = (0.0, 0.0);
    for tags in nodes() {
        same += tags.iter().map(|&(_, n)| pairs(n.into())).sum::<f64>();
        all += pairs(tags.iter().map(|&(_, n)| u64::from(n)).sum());
    }
    let mut statistics = variety(nodes().flatten()).to_vec();
    statistics.push(("agreement of children", same / all));
    statistics
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::TagHistograms;
    use crate::inference::simulate::{SimulatedPage, simulate_page};
    use crate::model::{FeatureUse, ModelConfig, PermittedStates};
    use crate::rng;

    const REPLICATES: usize = 4000;

    /// A model with counts, categories, bins and tags of children, and a tree of 300 nodes.
    fn setting() -> (Model, Parameters, Tree, SimulatedPage) {
        let used = [
            ("tag", Family::DirichletCategorical),
            ("words", Family::BetaGeometric),
            ("full-stops", Family::DirichletCategorical),
            ("child-tags", Family::DirichletCategorical),
        ];
        let features = used.map(|(id, family)| FeatureUse { id: id.to_owned(), family }).to_vec();
        let mut config = ModelConfig { features, ..ModelConfig::blocks() };
        // Counts of about 20, never of thousands.
        config.priors.geometric.alpha = 20.0;
        config.priors.geometric.beta = 400.0;
        let model = Model::new(config).unwrap();
        let tree = Tree::from_parents((0..300u32).map(|v| if v == 0 { NONE } else { (v - 1) / 6 }).collect());
        let mut rng = rng::stream(1, "test", &[]);
        let parameters = Parameters::draw(model.config(), model.counts(), &mut rng);
        let permitted = PermittedStates::all(&tree, model.config().states);
        let page = simulate_page(&model, &parameters, &tree, &permitted, &mut rng).unwrap();
        (model, parameters, tree, page)
    }

    /// Each statistic of a page with P(T(x_rep) >= T(x)) over the replicates, equal ones counted half.
    fn check(features: &FeatureMatrix) -> Vec<(Statistic, f64)> {
        let (model, parameters, tree, page) = setting();
        let mut rng = rng::stream(2, "test", &[]);
        let mut results: Vec<(Statistic, f64)> =
            statistics(&model, &tree, features).into_iter().map(|observed| (observed, 0.0)).collect();
        for _ in 0..REPLICATES {
            let replicate = replicate(&model, &parameters, &tree, page.states.as_slice(), &mut rng);
            for ((observed, tail), drawn) in results.iter_mut().zip(statistics(&model, &tree, &replicate)) {
                let order = drawn.value.partial_cmp(&observed.value);
                *tail += order.map_or(f64::NAN, |order| f64::from(order as i8 + 1) / 2.0) / REPLICATES as f64;
            }
        }
        results
    }

    /// The (feature, statistic) that no replicate reaches. With features from the model itself the page and its
    /// replicates are exchangeable: for one statistic it happens with probability 2 / (REPLICATES + 1) at most.
    fn flagged(results: &[(Statistic, f64)]) -> Vec<(&'static str, &'static str)> {
        let extreme = results
            .iter()
            .filter(|(_, p)| *p < 0.1 / REPLICATES as f64 || *p > 1.0 - 0.1 / REPLICATES as f64);
        extreme.map(|(observed, _)| (observed.feature, observed.name)).collect()
    }

    fn values(features: &mut FeatureMatrix, feature: usize) -> &mut Vec<u32> {
        match &mut features.columns[feature] {
            Column::Values(values) => values,
            _ => panic!("values"),
        }
    }

    #[test]
    fn a_page_made_by_the_model_is_not_flagged() {
        let results = check(&setting().3.features);
        // 17 statistics: a false alarm in 118 seeds.
        assert_eq!(results.len(), 4 + 6 + 4 + 3);
        assert_eq!(flagged(&results), []);
        assert!(results.iter().all(|(_, p)| p.is_finite()));
    }

    #[test]
    fn a_heavier_tail_than_the_models_is_flagged_and_nothing_else() {
        let mut features = setting().3.features;
        values(&mut features, 1).iter_mut().step_by(20).for_each(|x| *x = *x * 20 + 100);
        let flagged = flagged(&check(&features));
        assert!(flagged.contains(&("words", "maximum")), "{flagged:?}");
        assert!(flagged.contains(&("words", "standard deviation")), "{flagged:?}");
        assert!(flagged.iter().all(|(feature, _)| *feature == "words"), "{flagged:?}");
    }

    #[test]
    fn values_copied_among_siblings_are_flagged_as_agreement_of_siblings() {
        let (_, _, tree, page) = setting();
        for (feature, id) in [(0, "tag"), (1, "words"), (2, "full-stops")] {
            let mut features = page.features.clone();
            let values = values(&mut features, feature);
            for v in (0..tree.len() as u32).filter(|v| v % 3 == 0 && tree.previous_sibling(*v) != NONE) {
                values[v as usize] = values[tree.previous_sibling(v) as usize];
            }
            let flagged = flagged(&check(&features));
            assert!(flagged.contains(&(id, "agreement of siblings")), "{id}: {flagged:?}");
            assert!(flagged.iter().all(|(feature, _)| *feature == id), "{id}: {flagged:?}");
        }
    }

    #[test]
    fn children_of_one_tag_each_are_flagged() {
        let (_, _, tree, page) = setting();
        let mut features = page.features;
        let rows = (0..tree.len() as u32).map(|v| match tree.children(v).count() as u32 {
            0 => Vec::new(),
            n => vec![(v % 40, n)],
        });
        features.columns[3] = Column::ChildTags(std::sync::Arc::new(TagHistograms::drawn(rows)));
        assert!(flagged(&check(&features)).contains(&("child-tags", "agreement of children")));
    }

    #[test]
    fn statistics_are_what_their_names_say() {
        let model = Model::new(ModelConfig {
            features: vec![
                FeatureUse { id: "words".to_owned(), family: Family::BetaGeometric },
                FeatureUse { id: "full-stops".to_owned(), family: Family::DirichletCategorical },
            ],
            ..ModelConfig::blocks()
        })
        .unwrap();
        // A root with three children.
        let tree = Tree::from_parents(vec![NONE, 0, 0, 0]);
        let columns = vec![Column::Values(vec![0, 4, 4, 0]), Column::Values(vec![4, 5, 6, 7])];
        let found = statistics(&model, &tree, &FeatureMatrix { columns });
        let found: Vec<(&str, f64)> = found.iter().map(|s| (s.name, s.value)).collect();
        assert_eq!(
            found[..6],
            [
                ("mean", 2.0),
                ("standard deviation", 2.0),
                ("share of zeros", 0.5),
                ("maximum", 4.0),
                ("agreement of siblings", 0.5),
                ("agreement with the parent", 1.0 / 3.0),
            ]
        );
        // Bins: 4-5 and 6-7.
        assert_eq!(
            found[6..],
            [
                ("distinct values", 2.0),
                ("share of the most frequent", 0.5),
                ("agreement of siblings", 0.5),
                ("agreement with the parent", 1.0 / 3.0),
            ]
        );
        let alone = Tree::from_parents(vec![NONE]);
        let features = FeatureMatrix { columns: vec![Column::Values(vec![3]), Column::Values(vec![3])] };
        assert!(statistics(&model, &alone, &features)[4].value.is_nan());
    }
}
