//! Boosted trees are those of LightGBM on the same rows, those worked out by hand on small ones, and what they must be by
//! their definition.

use std::collections::BTreeMap;

use crate::support::{StepCount, mixed};
use duramen::boosting::{BoostedTrees, BoostingSettings, Loss, TrainingRows};
use duramen::progress::Silent;
use serde::Deserialize;
use serde_json::{Value, json};

/// Columns with their target and weights.
#[derive(Clone)]
struct Table {
    columns: Vec<Vec<u32>>,
    target: Vec<f32>,
    weights: Vec<f32>,
    groups: Option<Vec<u32>>,
}

impl Table {
    /// With weights of 1.
    fn new(columns: Vec<Vec<u32>>, target: Vec<f32>) -> Table {
        let weights = vec![1.0; target.len()];
        Table { columns, target, weights, groups: None }
    }

    /// Rows of `values.len()` features with so many values each; the target is made of a row and its number.
    fn drawn(rows: u64, values: &[u64], target: impl Fn(&[u32], u64) -> f32) -> Table {
        let width = values.len() as u64;
        let row = |i: u64| -> Vec<u32> {
            values.iter().zip(i * width..).map(|(&values, x)| (mixed(x) % values) as u32).collect()
        };
        let table: Vec<Vec<u32>> = (0..rows).map(row).collect();
        let columns = (0..values.len()).map(|j| table.iter().map(|row| row[j]).collect()).collect();
        Table::new(columns, table.iter().zip(0..).map(|(row, i)| target(row, i)).collect())
    }

    fn columns(&self) -> Vec<&[u32]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    fn learn(&self, loss: Loss, settings: &BoostingSettings) -> duramen::Result<BoostedTrees> {
        let columns = self.columns();
        let rows = TrainingRows {
            columns: &columns,
            target: &self.target,
            weights: &self.weights,
            groups: self.groups.as_deref(),
        };
        BoostedTrees::learn(&rows, loss, settings, &Silent)
    }

    /// The scores, by the trees learned from it, of its rows.
    fn own_scores(&self, loss: Loss, settings: &BoostingSettings) -> Vec<f64> {
        self.learn(loss, settings).unwrap().score_all(&self.columns()).unwrap()
    }
}

/// All rows and features for each tree, leaves of one row allowed.
fn plain() -> BoostingSettings {
    BoostingSettings { min_rows: 1, feature_share: 1.0, row_share: 1.0, ..BoostingSettings::default() }
}

/// A table with an interaction and noise, large enough that default draws matter.
fn noisy(rows: u64) -> Table {
    Table::drawn(rows, &[2, 5, 400, 40, 100_000, 8], |x, i| {
        let sum = if x[0] == 0 { x[1] * x[2] / 20 } else { 40 - x[3] } + x[4] / 2000 + 5 * (x[5] % 3);
        if u64::from(sum) + mixed(1_000_000 + i) % 40 > 75 { 1.0 } else { 0.0 }
    })
}

fn assert_near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= tolerance, "{i}: {a} {b}");
    }
}

#[derive(Deserialize)]
struct References {
    by: String,
    cases: Vec<Case>,
}

/// A case of `scripts/boosting_reference.py`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Case {
    name: String,
    loss: Loss,
    weighted: bool,
    settings: BoostingSettings,
    first_tree: FirstTree,
    mean_loss: f64,
}

#[derive(Deserialize)]
struct FirstTree {
    features: Vec<u32>,
    gains: Vec<f64>,
    scores: Vec<f64>,
}

#[test]
fn trees_are_those_of_lightgbm() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/references/boosting.json");
    let file: References = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.by.starts_with("lightgbm 4.") && file.cases.len() == 4);
    for case in &file.cases {
        let mut table = Table::drawn(3000, &[2, 5, 17, 40, 60, 8], |x, i| {
            let first = if x[0] == 0 { x[1] * x[2] } else { 40 - x[3] };
            let y = u64::from(first + x[4].abs_diff(30) + 5 * (x[5] % 3)) + mixed(1_000_000 + i) % 60;
            match case.loss {
                Loss::Logistic => f32::from(u8::from(y > 80)),
                Loss::Squared => y as f32 / 16.0,
            }
        });
        if case.weighted {
            table.weights = (0..3000_u16).map(|i| f32::from(1 + i % 3)).collect();
        }
        let first_rows: Vec<&[u32]> =
            table.columns.iter().map(|column| &column[..case.first_tree.scores.len()]).collect();

        let first = table.learn(case.loss, &BoostingSettings { trees: 1, ..case.settings }).unwrap();
        let written = serde_json::to_value(&first).unwrap();
        assert_eq!(written["trees"][0]["feature"], json!(case.first_tree.features), "{}", case.name);
        let mut gains = vec![0.0; 6];
        for (&feature, gain) in case.first_tree.features.iter().zip(&case.first_tree.gains) {
            gains[feature as usize] += gain;
        }
        for (ours, theirs) in first.gains().iter().zip(gains) {
            assert!((ours - theirs).abs() <= 1e-4 * theirs, "{}: {ours} {theirs}", case.name);
        }
        assert_near(&first.score_all(&first_rows).unwrap(), &case.first_tree.scores, 1e-6);

        let trees = table.learn(case.loss, &case.settings).unwrap();
        let loss = |score: f64, target: f64| match case.loss {
            Loss::Logistic => score.exp().ln_1p() - target * score,
            Loss::Squared => (score - target).powi(2) / 2.0,
        };
        let scores = trees.score_all(&table.columns()).unwrap();
        let losses = scores.iter().zip(&table.target).map(|(&score, &target)| loss(score, target.into()));
        let weights = || table.weights.iter().map(|&weight| f64::from(weight));
        let mean_loss =
            losses.zip(weights()).map(|(loss, weight)| loss * weight).sum::<f64>() / weights().sum::<f64>();
        assert!(
            (mean_loss / case.mean_loss - 1.0).abs() < 0.01,
            "{}: {mean_loss} {}",
            case.name,
            case.mean_loss
        );
    }
}

#[test]
fn one_split_is_the_one_worked_out_by_hand() {
    let table = Table::new(vec![vec![9, 0, 5, 0]], vec![5.0, 1.0, 3.0, 1.0]);
    let settings = BoostingSettings { trees: 1, leaves: 2, l2: 1.0, learning_rate: 0.5, ..plain() };
    let trees = table.learn(Loss::Squared, &settings).unwrap();
    // The mean is 2.5. Parting 0 from 5: 3^2 / (2 + 1) twice; parting 5 from 9: 2.5^2 / (3 + 1) + 2.5^2 / (1 + 1), less.
    assert_near(trees.gains(), &[6.0], 1e-7);
    // Leaves -+3 / (2 + 1) times 0.5; the cut is halfway, at 2.
    let scores = trees.score_all(&[&[0, 2, 3, 5, u32::MAX]]).unwrap();
    assert_near(&scores, &[2.0, 2.0, 3.0, 3.0, 3.0], 1e-7);

    let table = Table::new(vec![vec![1, 8]], vec![0.25, 0.75]);
    let settings = BoostingSettings { trees: 1, leaves: 2, l2: 0.25, learning_rate: 1.0, ..plain() };
    // Probability 0.5: gradients +-0.25, second derivatives 0.25.
    assert_near(&table.own_scores(Loss::Logistic, &settings), &[-0.5, 0.5], 1e-7);
}

#[test]
fn the_second_tree_starts_from_the_scores_of_the_first() {
    let table = Table::new(vec![vec![1, 8]], vec![0.25, 0.75]);
    let settings = BoostingSettings { trees: 2, leaves: 2, l2: 0.25, learning_rate: 1.0, ..plain() };
    let p = 1.0 / (1.0 + 0.5_f64.exp());
    let second = -(p - 0.25) / (p * (1.0 - p) + 0.25);
    let score = -0.5 + second;
    assert_near(&table.own_scores(Loss::Logistic, &settings), &[score, -score], 1e-6);
}

#[test]
fn an_interaction_without_effects_of_its_parts_is_learned() {
    let table = Table::drawn(1000, &[2, 2, 7], |x, _| if x[0] == x[1] { 1.0 } else { 0.0 });
    let settings = BoostingSettings { leaves: 4, ..plain() };
    let trees = table.learn(Loss::Logistic, &settings).unwrap();
    let scores = trees.score_all(&[&[0, 0, 1, 1], &[0, 1, 0, 1], &[3, 3, 3, 3]]).unwrap();
    assert!(scores[0] > 3.0 && scores[1] < -3.0 && scores[2] < -3.0 && scores[3] > 3.0, "{scores:?}");
}

#[test]
fn a_monotone_transformation_of_a_feature_changes_nothing() {
    let table = noisy(3000);
    let settings = BoostingSettings { trees: 20, ..BoostingSettings::default() };
    let scores = table.own_scores(Loss::Logistic, &settings);
    let mut transformed = table.clone();
    transformed.columns[2].iter_mut().for_each(|x| *x = *x * *x + 3);
    transformed.columns[4].iter_mut().for_each(|x| *x += 4_000_000_000);
    assert_eq!(transformed.own_scores(Loss::Logistic, &settings), scores);
}

#[test]
fn a_weight_is_that_of_a_row_repeated() {
    let mut weighted =
        Table::drawn(600, &[2, 5, 40], |x, i| ((x[0] * x[2] + x[1]) as f32 + (i % 7) as f32) / 92.0);
    let mut repeated = Table::new(vec![Vec::new(); 3], Vec::new());
    for row in 0..600 {
        let times = 1 + mixed(row as u64) as usize % 3;
        weighted.weights[row] = times as f32;
        for (column, of) in repeated.columns.iter_mut().zip(&weighted.columns) {
            column.extend(vec![of[row]; times]);
        }
        repeated.target.extend(vec![weighted.target[row]; times]);
    }
    repeated.weights = vec![1.0; repeated.target.len()];
    let settings = BoostingSettings { trees: 20, leaves: 8, ..plain() };
    for loss in [Loss::Logistic, Loss::Squared] {
        let by_repeated = repeated.learn(loss, &settings).unwrap().score_all(&weighted.columns()).unwrap();
        assert_near(&weighted.own_scores(loss, &settings), &by_repeated, 1e-6);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let table = noisy(4000);
    let learn = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| table.learn(Loss::Logistic, &BoostingSettings::default()).unwrap())
    };
    let one = learn(1);
    for threads in [2, 3, 8] {
        assert_eq!(learn(threads), one);
    }
}

#[test]
fn the_seed_decides_what_is_drawn_and_groups_are_drawn_whole() {
    let mut table = noisy(2000);
    let settings = BoostingSettings { trees: 5, ..BoostingSettings::default() };
    let first = table.learn(Loss::Logistic, &settings).unwrap();
    assert_eq!(table.learn(Loss::Logistic, &settings).unwrap(), first);
    assert_ne!(table.learn(Loss::Logistic, &BoostingSettings { seed: 2, ..settings }).unwrap(), first);
    // Two groups of which one is drawn: a tree is learned from rows of one target, and has nothing to split.
    table.groups = Some(table.target.iter().map(|&target| 77 * target as u32).collect());
    let half = BoostingSettings { row_share: 0.5, leaves: 2, min_rows: 1, ..settings };
    let trees = serde_json::to_value(table.learn(Loss::Logistic, &half).unwrap()).unwrap();
    assert_eq!(trees["trees"], json!([]));
}

#[test]
fn rows_that_a_tree_is_not_learned_from_get_its_values_too() {
    // Two groups of equal rows of which one is drawn each time: the first tree fits both, and leaves nothing to others.
    let column: Vec<u32> = (0..16).collect();
    let target: Vec<f32> = (0..16_u8).map(|x| f32::from(x % 8)).collect();
    let mut table = Table::new(vec![[column.clone(), column].concat()], [target.clone(), target].concat());
    table.groups = Some((0..32).map(|row| row / 16).collect());
    let settings = BoostingSettings { trees: 9, learning_rate: 1.0, l2: 0.0, row_share: 0.5, ..plain() };
    let trees = table.learn(Loss::Squared, &settings).unwrap();
    assert_eq!(serde_json::to_value(&trees).unwrap()["trees"].as_array().unwrap().len(), 1);
    let targets: Vec<f64> = table.target.iter().map(|&target| f64::from(target)).collect();
    assert_eq!(trees.score_all(&table.columns()).unwrap(), targets);
}

#[test]
fn leaves_hold_the_fewest_rows_asked_for_and_are_not_too_many() {
    let table = noisy(2000);
    let settings = BoostingSettings { min_rows: 60, leaves: 12, trees: 10, l2: 0.0, ..plain() };
    let trees = serde_json::to_value(table.learn(Loss::Logistic, &settings).unwrap()).unwrap();
    for tree in trees["trees"].as_array().unwrap() {
        let mut rows_of_leaf: BTreeMap<usize, usize> = BTreeMap::new();
        for row in 0..2000 {
            *rows_of_leaf.entry(leaf(tree, |feature| table.columns[feature][row])).or_default() += 1;
        }
        assert_eq!(rows_of_leaf.len(), tree["value"].as_array().unwrap().len());
        assert!(rows_of_leaf.len() > 4 && rows_of_leaf.len() <= 12);
        assert!(rows_of_leaf.values().all(|&rows| rows >= 60), "{rows_of_leaf:?}");
    }
}

/// The leaf of a row, by what is written of a tree.
fn leaf(tree: &Value, row: impl Fn(usize) -> u32) -> usize {
    let number = |name: &str, i: usize| tree[name][i].as_u64().unwrap();
    let splits = tree["leaf"].as_array().unwrap().len();
    (0..splits).fold(0, |leaf, i| {
        let is_above = u64::from(row(number("feature", i) as usize)) > number("cut", i);
        if number("leaf", i) == leaf as u64 && is_above { i + 1 } else { leaf }
    })
}

#[test]
fn scores_are_those_of_the_trees_as_written_whatever_rows_stand_beside() {
    let table = noisy(1000);
    let settings = BoostingSettings { min_rows: 5, ..BoostingSettings::default() };
    let trees = table.learn(Loss::Logistic, &settings).unwrap();
    let written = serde_json::to_value(&trees).unwrap();
    let mut columns = table.columns.clone();
    // Values never seen.
    columns.iter_mut().for_each(|column| column.extend([0, 1 << 31, u32::MAX]));
    let all: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
    let scores = trees.score_all(&all).unwrap();
    assert_eq!(scores.len(), 1003);
    for (row, &score) in scores.iter().enumerate() {
        let values = written["trees"].as_array().unwrap().iter().map(|tree| {
            let value = &tree["value"][leaf(tree, |feature| columns[feature][row])];
            f64::from(value.as_f64().unwrap() as f32)
        });
        assert_eq!(values.fold(written["base"].as_f64().unwrap(), |sum, value| sum + value), score);
        let alone: Vec<&[u32]> = columns.iter().map(|column| &column[row..=row]).collect();
        assert_eq!(trees.score_all(&alone).unwrap(), [score]);
    }
    let none: Vec<&[u32]> = vec![&[]; 6];
    assert!(trees.score_all(&none).unwrap().is_empty());
}

#[test]
fn what_is_written_is_read_to_the_same_bits_and_is_small() {
    let table = noisy(6000);
    let settings = BoostingSettings { min_rows: 10, ..BoostingSettings::default() };
    let trees = table.learn(Loss::Logistic, &settings).unwrap();
    let text = serde_json::to_string(&trees).unwrap();
    let read: BoostedTrees = serde_json::from_str(&text).unwrap();
    assert_eq!(read, trees);
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    assert_eq!(read.score_all(&table.columns()).unwrap(), trees.score_all(&table.columns()).unwrap());
    // By way of a value, too, as in the body of a model file.
    assert_eq!(serde_json::from_value::<BoostedTrees>(serde_json::to_value(&trees).unwrap()).unwrap(), trees);
    assert!(text.matches("\"leaf\"").count() == 150 && text.len() < 250_000, "{}", text.len());
}

#[test]
fn hostile_text_is_refused() {
    let good = json!({
        "loss": "logistic", "base": 0.5, "gains": [1.0, 2.0],
        "trees": [{"leaf": [0, 0], "feature": [1, 0], "cut": [3, 9], "value": [0.5, -0.5, 1.0]}],
    });
    assert!(serde_json::from_value::<BoostedTrees>(good.clone()).is_ok());
    let many_leaves =
        json!({"leaf": vec![0; 256], "feature": vec![0; 256], "cut": vec![0; 256], "value": vec![0.0; 257]});
    let changes: [(&str, Value); 17] = [
        ("/loss", json!("cubic")),
        ("/base", json!(null)),
        ("/base", json!("NaN")),
        ("/gains", json!([])),
        ("/gains", json!([1.0])),
        ("/gains/0", json!(null)),
        ("/trees/0/leaf", json!([0, 2])),
        ("/trees/0/leaf", json!([1, 0])),
        ("/trees/0/leaf", json!([0, -1])),
        ("/trees/0/leaf", json!([0])),
        ("/trees/0/feature", json!([1, 2])),
        ("/trees/0/feature", json!([1, 0, 0])),
        ("/trees/0/cut", json!([3])),
        ("/trees/0/cut", json!([3, 4_294_967_296_u64])),
        ("/trees/0/value", json!([0.5, -0.5])),
        ("/trees/0/value/1", json!(1e39)),
        ("/trees/0", many_leaves),
    ];
    for (place, value) in changes {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = value.clone();
        assert!(serde_json::from_value::<BoostedTrees>(bad).is_err(), "{place} {value}");
    }
    let mut more = good.clone();
    more["more"] = json!(1);
    assert!(serde_json::from_value::<BoostedTrees>(more).is_err());
    assert!(serde_json::from_str::<BoostedTrees>(&good.to_string().replace("0.5,", "1e999,")).is_err());
}

#[test]
fn a_constant_target_gives_its_constant_without_trees() {
    let mut table = noisy(500);
    let settings = BoostingSettings { l2: 0.0, ..plain() };
    for (loss, target, score) in [
        (Loss::Squared, 0.3_f32, f64::from(0.3_f32)),
        (Loss::Squared, 0.0, 0.0),
        (Loss::Logistic, 0.5, 0.0),
        (Loss::Logistic, 1.0, (0.999_999_f64 / 0.000_001).ln()),
        (Loss::Logistic, 0.0, -(0.999_999_f64 / 0.000_001).ln()),
    ] {
        table.target.fill(target);
        let trees = table.learn(loss, &settings).unwrap();
        assert_eq!(serde_json::to_value(&trees).unwrap()["trees"], json!([]), "{loss:?} {target}");
        assert_near(&trees.score_all(&table.columns()).unwrap(), &[score; 500], 1e-9);
    }
}

#[test]
fn constant_features_and_few_rows_give_the_mean() {
    let constant = Table::new(vec![vec![4; 3], vec![0; 3]], vec![1.0, 2.0, 6.0]);
    assert_eq!(constant.own_scores(Loss::Squared, &plain()), [3.0; 3]);
    let few = Table::new(vec![vec![4, 5, 6]], vec![1.0, 2.0, 6.0]);
    assert_eq!(few.own_scores(Loss::Squared, &BoostingSettings::default()), [3.0; 3]);
    let mut one = Table::new(vec![vec![4]], vec![2.5]);
    assert_eq!(one.own_scores(Loss::Squared, &plain()), [2.5]);
    one.weights[0] = 1e-30;
    assert_near(&one.own_scores(Loss::Squared, &plain()), &[2.5], 1e-12);
}

#[test]
fn extreme_targets_and_weights_give_finite_scores() {
    let mut table = noisy(300);
    for (i, (target, weight)) in table.target.iter_mut().zip(&mut table.weights).enumerate() {
        *target = if i % 2 == 0 { 1e15 } else { -1e15 };
        *weight = if i % 3 == 0 { 1e15 } else { 1e-15 };
    }
    let settings = BoostingSettings { l2: 0.0, learning_rate: 1.0, ..plain() };
    assert!(table.own_scores(Loss::Squared, &settings).iter().all(|score| score.is_finite()));
    table.target.iter_mut().for_each(|target| *target = target.signum().max(0.0));
    assert!(table.own_scores(Loss::Logistic, &settings).iter().all(|score| score.is_finite()));
}

#[test]
fn features_that_matter_gain_more() {
    let table = Table::drawn(2000, &[10, 10, 10], |x, _| (3 * x[0] + x[1]) as f32);
    let trees = table.learn(Loss::Squared, &plain()).unwrap();
    let gains = trees.gains();
    assert!(gains[0] > 5.0 * gains[1] && gains[1] > 100.0 * gains[2], "{gains:?}");
}

#[test]
fn of_equal_splits_the_first_feature_and_the_smallest_cut_are_taken() {
    let column = vec![1, 1, 3, 3];
    let table = Table::new(vec![vec![0; 4], column.clone(), column], vec![0.0, 0.0, 1.0, 1.0]);
    let settings = BoostingSettings { trees: 1, ..plain() };
    let trees = serde_json::to_value(table.learn(Loss::Squared, &settings).unwrap()).unwrap();
    assert_eq!(trees["trees"][0]["feature"], json!([1]));
    // Cutting off either end gains the same.
    let table = Table::new(vec![vec![0, 1, 2]], vec![0.0, 1.0, 0.0]);
    let settings = BoostingSettings { leaves: 2, ..settings };
    let trees = serde_json::to_value(table.learn(Loss::Squared, &settings).unwrap()).unwrap();
    assert_eq!(trees["trees"][0]["cut"], json!([0]));
    // Both leaves of the first split gain the same by a second.
    let table = Table::new(vec![vec![0, 1, 2, 3]], vec![0.0, 1.0, 10.0, 11.0]);
    let settings = BoostingSettings { leaves: 3, l2: 0.0, ..settings };
    let trees = serde_json::to_value(table.learn(Loss::Squared, &settings).unwrap()).unwrap();
    assert_eq!(trees["trees"][0]["leaf"], json!([0, 0]));
}

#[test]
fn every_tree_is_told_of() {
    let table = noisy(300);
    let columns = table.columns();
    let rows =
        TrainingRows { columns: &columns, target: &table.target, weights: &table.weights, groups: None };
    let told = StepCount::default();
    let settings = BoostingSettings { trees: 4, ..plain() };
    BoostedTrees::learn(&rows, Loss::Squared, &settings, &told).unwrap();
    assert_eq!(told.steps(), 4);
}

#[test]
fn wrong_rows_are_refused_with_a_word_on_what_is_wrong() {
    let good = noisy(100);
    let wrong = |change: &dyn Fn(&mut Table), loss: Loss| {
        let mut table = good.clone();
        change(&mut table);
        table.learn(loss, &plain()).expect_err("refused").to_string()
    };
    let messages = [
        wrong(&|table| table.columns.clear(), Loss::Squared),
        wrong(&|table| *table = Table::new(vec![Vec::new()], Vec::new()), Loss::Squared),
        wrong(&|table| table.columns[3].truncate(99), Loss::Squared),
        wrong(&|table| table.weights.push(1.0), Loss::Squared),
        wrong(&|table| table.groups = Some(vec![1; 7]), Loss::Squared),
        wrong(&|table| table.target[5] = f32::NAN, Loss::Squared),
        wrong(&|table| table.target[5] = f32::NEG_INFINITY, Loss::Squared),
        wrong(&|table| table.target[5] = 1.5, Loss::Logistic),
        wrong(&|table| table.weights[6] = -1.0, Loss::Logistic),
        wrong(&|table| table.weights[6] = f32::NAN, Loss::Logistic),
        wrong(&|table| table.weights.fill(0.0), Loss::Logistic),
    ];
    let told = [
        "there are no features",
        "there are 0;",
        "feature 3: 99 values, and 100 targets",
        "weights: 101 values",
        "groups: 7 values",
        "the target of row 5 is NaN",
        "the target of row 5 is -inf",
        "the target of row 5 is 1.5; give numbers from 0 to 1",
        "the weight of row 6 is -1",
        "the weight of row 6 is NaN",
        "all weights are 0",
    ];
    for (message, told) in messages.iter().zip(told) {
        assert!(message.contains(told), "{message}");
    }
    let trees = good.learn(Loss::Logistic, &plain()).unwrap();
    assert!(trees.score_all(&good.columns()[1..]).is_err());
    assert!(trees.score_all(&[&[1], &[1], &[1, 2], &[1], &[1], &[1]]).is_err());
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let of = |text: &str| serde_json::from_str::<BoostingSettings>(text);
    for (field, value) in [
        ("trees", "0"),
        ("learning-rate", "1.5"),
        ("leaves", "257"),
        ("min-rows", "0"),
        ("max-cuts", "256"),
        ("l2", "-1"),
        ("feature-share", "0"),
        ("row-share", "-0.5"),
    ] {
        let settings = of(&format!("{{\"{field}\": {value}}}")).unwrap();
        let message = settings.check().unwrap_err().to_string();
        assert!(message.starts_with(&format!("{field} is {value}; ")), "{message}");
        assert!(noisy(50).learn(Loss::Squared, &settings).is_err());
    }
    assert!(BoostingSettings { l2: f64::NAN, ..plain() }.check().is_err());
    assert!(of("{\"tree\": 5}").is_err());
    assert_eq!(of("{}").unwrap(), BoostingSettings::default());
}
