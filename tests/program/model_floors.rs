//! The gate: every model of `models/` reaches its floors (`tests/floors.toml`) on real corpora that it was not trained on.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use duramen::dataset;
use duramen::eval::Calibration;
use duramen::harness::config::Experiment;
use duramen::harness::corpora::Corpora;
use duramen::harness::record::PageResult;
use duramen::layout::Engines;
use duramen::model::Model;
use duramen::progress::Silent;
use duramen::scoring::ScoreName;
use duramen::studies::{self, Resources};
use serde::{Deserialize, Serialize};

use crate::support;

/// The corpora, each with the score of its text.
const CORPORA: [(&str, &str); 6] = [
    ("l3s-gn1", "words/article/f1"),
    ("wcxb", "words/text/f1"),
    ("cleaneval", "words/text/f1"),
    ("cleanportaleval", "words/text/f1"),
    ("big9", "words/text/f1"),
    ("blocks152", "words/text/f1"),
];
/// The most pages of a corpus that are scored: evenly spaced among those that may be.
const PAGES: usize = 120;
/// Floors have four decimals: what is measured, rounded down.
const DECIMALS: f64 = 1e4;
/// What says that floors are to be written: `raise` or `lower`.
const VARIABLE: &str = "DURAMEN_FLOORS";
const HEAD: &str = "\
# The least that each model of models/ must reach on corpora that it was not trained on, held by tests/program/model_floors.rs:
# pages of hosts that train the model are left out, and of the others at most 120 are taken, evenly spaced.
#
# word-f1      mean F1 of the words of the extracted text
# confidence   1 - |mean of the F1 that the model expects - mean of its real F1|
# calibration  1 - expected calibration error of a token's probability of being content
#
# Written by: DURAMEN_FLOORS=raise cargo test --test program model_floors
# which raises floors and adds new ones. Only DURAMEN_FLOORS=lower takes what is measured where that is less; say in the commit why.
";

/// The floors of a model on a corpus, or what it reaches there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Floor {
    model: String,
    corpus: String,
    /// The checksum of the corpus, over pages and gold.
    digest: String,
    pages: usize,
    word_f1: f64,
    confidence: f64,
    calibration: f64,
}

impl Floor {
    fn metrics(&self) -> [(&'static str, f64); 3] {
        [("word-f1", self.word_f1), ("confidence", self.confidence), ("calibration", self.calibration)]
    }

    fn is_of(&self, other: &Floor) -> bool {
        self.model == other.model && self.corpus == other.corpus
    }

    fn rounded_down(&self) -> Floor {
        let down = |value: f64| (value * DECIMALS).floor() / DECIMALS;
        Floor {
            word_f1: down(self.word_f1),
            confidence: down(self.confidence),
            calibration: down(self.calibration),
            ..self.clone()
        }
    }

    /// The higher of both in each metric.
    fn or_higher(&self, other: &Floor) -> Floor {
        Floor {
            word_f1: self.word_f1.max(other.word_f1),
            confidence: self.confidence.max(other.confidence),
            calibration: self.calibration.max(other.calibration),
            ..self.clone()
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Floors {
    floors: Vec<Floor>,
}

/// What a model reaches on a corpus.
struct Measured {
    reached: Floor,
    /// The pages with the lowest F1.
    worst: Vec<String>,
}

/// What is wrong, in words; nothing if every floor is reached.
fn faults(floors: &Floors, measured: &[Measured]) -> Vec<String> {
    let mut faults = Vec::new();
    for Measured { reached, worst } in measured {
        let of = format!("model '{}' on {}", reached.model, reached.corpus);
        let Some(floor) = floors.floors.iter().find(|floor| floor.is_of(reached)) else {
            faults.push(format!("{of}: no floor; {VARIABLE}=raise adds it"));
            continue;
        };
        if (&floor.digest, floor.pages) != (&reached.digest, reached.pages) {
            faults.push(format!(
                "{of}: floors are of {} pages of the corpus {}, and there are {} of {}; {VARIABLE}=lower takes what is measured",
                floor.pages, floor.digest, reached.pages, reached.digest
            ));
            continue;
        }
        for ((metric, least), (_, value)) in floor.metrics().into_iter().zip(reached.metrics()) {
            // Not a number is a fall too.
            if !matches!(value.partial_cmp(&least), Some(Ordering::Greater | Ordering::Equal)) {
                faults.push(format!(
                    "{of}: {metric} is {value:.5}, below its floor of {least}; worst pages: {}",
                    worst.join(", ")
                ));
            }
        }
    }
    for floor in &floors.floors {
        if !measured.iter().any(|measured| measured.reached.is_of(floor)) {
            faults.push(format!(
                "model '{}' on {}: a floor of what is not measured; {VARIABLE}=lower removes it",
                floor.model, floor.corpus
            ));
        }
    }
    faults
}

/// The floors raised to what is measured, with those that were missing.
fn raised(floors: &Floors, measured: &[Measured]) -> Floors {
    let mut raised = floors.clone();
    for Measured { reached, .. } in measured {
        let reached = reached.rounded_down();
        match raised.floors.iter_mut().find(|floor| floor.is_of(&reached)) {
            Some(floor) if (&floor.digest, floor.pages) == (&reached.digest, reached.pages) => {
                *floor = floor.or_higher(&reached);
            }
            Some(_) => {}
            None => raised.floors.push(reached),
        }
    }
    raised
}

/// The floors as measured.
fn as_measured(measured: &[Measured]) -> Floors {
    Floors { floors: measured.iter().map(|measured| measured.reached.rounded_down()).collect() }
}

/// The models of the repository: name and file.
fn models() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<(String, PathBuf)> = files
        .filter(|file| file.extension().is_some_and(|ending| ending == "json"))
        .map(|file| (file.file_stem().unwrap().to_str().unwrap().to_owned(), file))
        .collect();
    models.sort();
    models
}

/// One split of every page of a corpus, and each model of these as a system.
fn experiment(corpus: &str, models: &[&(String, PathBuf)]) -> Experiment {
    let mut text = format!(
        "title = \"Floors\"\nquestion = \"Does every model reach its floors?\"\ndataset = \"{corpus}\"\n\
         splits = [{{ kind = \"all-pages\", id = \"all\" }}]\n"
    );
    for (name, file) in models {
        // A literal string: paths of Windows have backslashes.
        let file = file.display();
        text += &format!(
            "[[systems]]\nid = \"{name}\"\nextractor = \"hmt\"\nparameters = {{ model = '{file}' }}\n"
        );
    }
    if models.is_empty() {
        text += "[[systems]]\nid = \"nothing\"\nextractor = \"nothing\"\n";
    }
    studies::parse(&text, "floors").unwrap()
}

/// The pages of all corpora; none where the archives are not there.
fn every_corpus() -> Option<Corpora> {
    let mut corpora = Corpora::new();
    for (name, _) in CORPORA {
        let data_dir = support::corpus(name)?;
        corpora.extend(
            studies::read_pages(&experiment(name, &[]), &data_dir, &Engines::default(), &Silent).unwrap(),
        );
    }
    Some(corpora)
}

/// The corpora, by their label, that a model was trained on.
fn trained_on(model: &Path) -> BTreeSet<String> {
    let model = Model::load(model).unwrap();
    let recalibration = model.layers().recalibration.as_ref().map(|line| line.sources().keys());
    let sources = model.sources().keys().chain(recalibration.into_iter().flatten());
    sources.map(|source| source.split('@').next().unwrap_or_default().to_owned()).collect()
}

/// The hosts of a corpus.
fn hosts_of(label: &str, corpora: &Corpora) -> BTreeSet<String> {
    if let Some(corpus) = corpora.get(label) {
        return corpus.pages.iter().map(|page| page.host.clone()).collect();
    }
    let data_dir = support::corpus(label).expect("the other archives are there");
    let corpus = dataset::open(label, &data_dir).unwrap();
    (0..corpus.len()).map(|index| corpus.read(index).unwrap().host).collect()
}

/// Every model on every corpus that it was not trained on.
fn measure(mut corpora: Corpora) -> Vec<Measured> {
    let models: Vec<((String, PathBuf), BTreeSet<String>)> =
        models().into_iter().map(|model| (model.clone(), trained_on(&model.1))).collect();
    let trained: BTreeSet<&String> = models.iter().flat_map(|(_, trained)| trained).collect();
    let hosts: BTreeMap<&String, BTreeSet<String>> =
        trained.into_iter().map(|label| (label, hosts_of(label, &corpora))).collect();
    let mut measured = Vec::new();
    for (name, score) in CORPORA {
        let mut whole = corpora.remove(name).expect("it was read");
        let label = whole.label.clone();
        for (model, trained) in models.iter().filter(|(_, trained)| !trained.contains(&label)) {
            // Pages of hosts that train the model are put aside.
            let seen: BTreeSet<&String> = trained.iter().flat_map(|label| &hosts[label]).collect();
            let (aside, unseen): (Vec<_>, Vec<_>) =
                std::mem::take(&mut whole.pages).into_iter().partition(|page| seen.contains(&page.host));
            let (all, taken) = (unseen.len(), unseen.len().min(PAGES));
            let kept: BTreeSet<usize> = (0..taken).map(|i| i * all / taken).collect();
            let (scored, rest): (Vec<_>, Vec<_>) =
                unseen.into_iter().enumerate().partition(|(number, _)| kept.contains(number));
            whole.pages = scored.into_iter().map(|(_, page)| page).collect();
            if !whole.pages.is_empty() {
                let mut one = Corpora::new();
                one.insert(name.to_owned(), whole);
                measured.push(on_corpus(model, name, score, &one));
                whole = one.remove(name).expect("it was put there");
            }
            whole.pages.extend(rest.into_iter().map(|(_, page)| page).chain(aside));
            whole.pages.sort_by(|a, b| a.page.id().cmp(b.page.id()));
        }
    }
    measured
}

/// What a model reaches on the pages of a corpus.
fn on_corpus(model: &(String, PathBuf), name: &str, score: &str, corpora: &Corpora) -> Measured {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let (results, _) = studies::run(
        &experiment(name, &[model]),
        corpora,
        Resources { data_dir: Path::new("unused"), engines: &Engines::default() },
        "test",
        &journal,
        &AtomicBool::new(false),
        &Silent,
    )
    .unwrap();
    let corpus = &corpora[name];
    let results: Vec<&PageResult> = results.results.iter().collect();
    assert_eq!(results.len(), corpus.pages.len(), "{} on {name}", model.0);
    reached(&model.0, &corpus.label, &corpus.checksum, score.parse().unwrap(), &results)
}

/// What one model reaches on one corpus.
fn reached(model: &str, corpus: &str, digest: &str, score: ScoreName, results: &[&PageResult]) -> Measured {
    let f1 = |result: &PageResult| score.of(&result.scores).expect("every page has a gold text");
    let expected = |result: &PageResult| result.scores.confidence.unwrap_or_default();
    let mean = |value: &dyn Fn(&PageResult) -> f64| {
        results.iter().map(|result| value(result)).sum::<f64>() / results.len() as f64
    };
    let mut calibration = Calibration::default();
    results.iter().filter_map(|result| result.scores.calibration.as_ref()).for_each(|of| calibration += of);
    let mut by_f1 = results.to_vec();
    by_f1.sort_by(|a, b| f1(a).total_cmp(&f1(b)));
    let shown = |result: &&PageResult| {
        format!("{} (F1 {:.3}, expected {:.3}, {})", result.page, f1(result), expected(result), result.status)
    };
    Measured {
        reached: Floor {
            model: model.to_owned(),
            corpus: corpus.to_owned(),
            digest: digest.to_owned(),
            pages: results.len(),
            word_f1: mean(&f1),
            confidence: 1.0 - (mean(&expected) - mean(&f1)).abs(),
            calibration: 1.0 - calibration.expected_error().expect("every model gives probabilities"),
        },
        worst: by_f1.iter().take(5).map(shown).collect(),
    }
}

#[test]
fn every_model_reaches_its_floors_on_corpora_that_it_was_not_trained_on() {
    let Some(corpora) = every_corpus() else { return };
    let measured = measure(corpora);
    assert!(measured.iter().any(|of| of.reached.model == "web"), "the default model is scored");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/floors.toml");
    let mut floors: Floors = toml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let written = match std::env::var(VARIABLE).as_deref() {
        Err(_) => None,
        Ok("raise") => Some(raised(&floors, &measured)),
        Ok("lower") => Some(as_measured(&measured)),
        Ok(other) => panic!("{VARIABLE} is '{other}'; write raise or lower"),
    };
    if let Some(written) = written {
        std::fs::write(&file, format!("{HEAD}\n{}", toml::to_string(&written).unwrap())).unwrap();
        floors = written;
    }
    let faults = faults(&floors, &measured);
    assert!(
        faults.is_empty(),
        "{}\n{VARIABLE}=lower lowers floors; say in the commit why",
        faults.join("\n")
    );
}

/// A model's floor, or what it reaches.
fn floor(model: &str, word_f1: f64, digest: &str) -> Floor {
    Floor {
        model: model.into(),
        corpus: "big9".into(),
        digest: digest.into(),
        pages: 3,
        word_f1,
        confidence: 0.9,
        calibration: 0.8,
    }
}

fn measured(model: &str, word_f1: f64, digest: &str) -> Vec<Measured> {
    vec![Measured { reached: floor(model, word_f1, digest), worst: vec!["page-7 (F1 0.1)".into()] }]
}

#[test]
fn a_fall_another_corpus_and_what_is_missing_are_told_and_a_rise_is_not() {
    let floors = Floors { floors: vec![floor("web", 0.95, "d")] };
    assert!(faults(&floors, &measured("web", 0.95, "d")).is_empty());
    assert!(faults(&floors, &measured("web", 0.96, "d")).is_empty());
    let told = faults(&floors, &measured("web", 0.94, "d")).join("\n");
    for part in ["'web'", "big9", "word-f1", "0.94", "0.95", "page-7"] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(faults(&floors, &measured("web", f64::NAN, "d")).len(), 1);
    assert!(faults(&floors, &measured("web", 0.99, "e"))[0].contains("the corpus d"));
    let other = faults(&floors, &measured("news", 0.99, "d"));
    assert!(other[0].contains("'news' on big9: no floor") && other[1].contains("'web'"), "{other:?}");
}

#[test]
fn floors_are_raised_and_added_and_lowered_only_by_word() {
    let floors = Floors { floors: vec![floor("web", 0.95, "d")] };
    assert_eq!(raised(&floors, &measured("web", 0.96789, "d")).floors[0].word_f1, 0.9678);
    assert_eq!(raised(&floors, &measured("web", 0.94, "d")), floors);
    assert_eq!(raised(&floors, &measured("web", 0.99, "e")), floors);
    assert_eq!(raised(&floors, &measured("news", 0.5, "d")).floors.len(), 2);
    assert_eq!(as_measured(&measured("web", 0.94, "d")).floors, [floor("web", 0.94, "d")]);
}
