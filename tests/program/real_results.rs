//! Real pages give what is committed: the labels that found their node, and the figures in `results/`.

use crate::support;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use duramen::dataset::labelled::LabelledCorpus;
use duramen::dataset::{self, LabelReport};
use duramen::layout::Engines;
use duramen::model::ModelConfig;
use duramen::progress::Silent;
use duramen::report::experiment;
use duramen::scoring::ScoreName;
use duramen::studies::{self, Resources};
use duramen::training::{Learning, Trainer, TrainingPage};

#[test]
fn nearly_all_annotated_tokens_of_l3s_gn1_find_their_node_and_every_exception_has_a_reason() {
    let Some(data_dir) = support::corpus("l3s-gn1") else { return };
    let corpus = dataset::open("l3s-gn1", &data_dir).unwrap().with_bad_pages();
    let report = LabelReport::new(&corpus, &Silent).unwrap();
    assert_eq!(report.pages, 621);
    assert!(report.share() >= 0.995, "pooled share {}", report.share());
    let mut listed: Vec<&str> =
        corpus.manifest().partial_labels.iter().map(|page| page.id.as_str()).collect();
    listed.sort_unstable();
    let found: Vec<&str> = report.listed.iter().map(|(id, ..)| id.as_str()).collect();
    assert_eq!(found, listed, "the pages under 97 % are those that the manifest explains");
}

#[test]
fn hmt_blocks_reaches_its_floor_and_the_committed_tables_come_out_again() {
    let Some(data_dir) = support::corpus("l3s-gn1") else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let experiment = studies::load(&root.join("experiments/blocks")).unwrap();
    let engines = Engines::default();
    let pages = studies::read_pages(&experiment, &data_dir, &engines, &Silent).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let command = "duramen run experiments/blocks";
    let (results, _) = studies::run(
        &experiment,
        &pages,
        Resources { data_dir: &data_dir, engines: &engines },
        command,
        &journal,
        &AtomicBool::new(false),
        &Silent,
    )
    .unwrap();
    let main_text: ScoreName = "tokens/main-text/f1".parse().unwrap();
    let found: Vec<f64> = results
        .results
        .iter()
        .filter(|result| result.system == "hmt-blocks")
        .map(|result| main_text.of(&result.scores).expect("L3S-GN1 has labels"))
        .collect();
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    assert!(mean >= 0.94, "mean main-text F1 of hmt-blocks in host-grouped folds: {mean}");
    for table in experiment::score_tables(&results).unwrap().iter().zip(["folds-token", "folds-node"]) {
        let (table, name) = table;
        let committed =
            std::fs::read_to_string(root.join(format!("results/blocks/tables/{name}.csv"))).unwrap();
        assert_eq!(table.to_csv().unwrap(), committed, "{name}");
    }
}

/// Runs a few systems on one split of a committed experiment, and finds their rows in its committed table.
fn rows_come_out_again(name: &str, corpus: &str, split: &str, table: &str, systems: &[&str]) {
    let Some(data_dir) = support::corpus(corpus) else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut experiment = studies::load(&root.join("experiments").join(name)).unwrap();
    let splits = experiment.splits.clone();
    experiment.splits.retain(|of| of.id() == split);
    experiment.systems.retain(|system| systems.contains(&system.id.as_str()));
    experiment.sweeps.clear();
    experiment.published.clear();
    experiment.studies = Default::default();
    let engines = Engines { worker: Some(env!("CARGO_BIN_EXE_duramen").into()), ..Engines::default() };
    let pages = studies::read_pages(&experiment, &data_dir, &engines, &Silent).unwrap();
    for (name, pages) in &pages {
        assert!(pages.layouts.iter().all(|layout| layout.failures.is_empty()), "{name}: {:?}", pages.layouts);
    }
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let (mut results, _) = studies::run(
        &experiment,
        &pages,
        Resources { data_dir: &data_dir, engines: &engines },
        "test",
        &journal,
        &AtomicBool::new(false),
        &Silent,
    )
    .unwrap();
    let committed =
        std::fs::read_to_string(root.join(format!("results/{name}/tables/{split}-{table}.csv"))).unwrap();
    // Drawn as one of several splits: a split alone may have intervals over pages.
    results.record.experiment.splits = splits;
    // A remark on a missing cell is a column more, which other rows then have too.
    let is_there = |row: &&str| committed.lines().any(|line| line.starts_with(row));
    let tables = experiment::score_tables(&results).unwrap();
    let rows = tables.iter().map(|table| table.to_csv().unwrap());
    let found = rows.map(|csv| csv.lines().skip(1).filter(is_there).count()).max().unwrap_or_default();
    assert_eq!(found, systems.len(), "{name}, {split}: rows of {systems:?} that are as committed");
}

#[test]
fn the_committed_rows_of_boilerpipe_on_cleaneval_come_out_again() {
    rows_come_out_again(
        "boilerpipe",
        "cleaneval/final",
        "cleaneval-final",
        "text-text",
        &["boilerpipe-article", "boilerpipe-canola"],
    );
}

#[test]
fn the_committed_rows_of_forest_and_its_baselines_on_cleanportaleval_come_out_again() {
    rows_come_out_again(
        "forest",
        "cleanportaleval",
        "cleanportaleval",
        "text-text",
        &["forest-tf-idf", "forest-title-description", "coverage", "sigfeed-title-description"],
    );
}

#[test]
fn the_committed_rows_of_sd_on_l3s_gn1_come_out_again() {
    rows_come_out_again("sd", "l3s-gn1", "l3s-gn1", "token", &["sd", "everything"]);
}

#[test]
fn every_page_is_laid_out_by_blitz_and_the_committed_rows_come_out_again() {
    rows_come_out_again("engines", "l3s-gn1", "folds", "token", &["blocks-blitz"]);
    rows_come_out_again("visual-outlier", "l3s-gn1", "l3s-gn1", "token", &["boilerpipe-article-knn"]);
}

#[test]
fn the_model_of_counts_in_the_program_is_trained_again() {
    let Some(data_dir) = support::corpus("wcxb/dev") else { return };
    let corpus = dataset::open("wcxb/dev", &data_dir).unwrap();
    let corpus = LabelledCorpus::read(&corpus, None, false, &Silent).unwrap();
    let (pages, left_out) = TrainingPage::from_corpus(&corpus, &Silent);
    assert!(left_out.is_empty(), "{left_out:?}");
    let learning = Learning { weights: false, ..Learning::default() };
    let trainer = Trainer::new(ModelConfig::blocks(), learning.settings()).unwrap();
    let model = trainer.train(pages, &[], &Silent).unwrap().model;
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/web-blocks.json");
    if std::env::var("DURAMEN_UPDATE_DOCS").is_ok_and(|value| value == "1") {
        std::fs::write(&committed, model.to_json()).unwrap();
    }
    assert!(
        model.to_json() == std::fs::read_to_string(committed).unwrap(),
        "models/web-blocks.json is another"
    );
}
