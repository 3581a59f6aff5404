//! The study of which pages to label, on pages of our own.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use duramen::Error;
use duramen::annotation::Order;
use duramen::harness::Corpora;
use duramen::harness::config::Experiment;
use duramen::harness::provenance::Provenance;
use duramen::harness::record::RunResults;
use duramen::layout::Engines;
use duramen::progress::{Progress, Silent};
use duramen::report::experiment;
use duramen::studies::active_learning::{ActiveLearning, LabelledSoFar};
use duramen::studies::{self, Resources, results_of};

const TOML: &str = r#"
title = "Which pages to label"
question = "How many?"
dataset = "synth"
metrics = ["words"]
plots = []

[synth]
sites = 12
pages_per_site = 3

[[splits]]
kind = "folds-by-host"
id = "folds"
folds = 2

[[systems]]
id = "more-than-10-words"
extractor = "more-than-10-words"

[active-learning]
model = "blocks"
orders = ["diverse", "uncertain", "random"]
pages = [10, 14]
pool = 16
"#;

fn parse(text: &str) -> Experiment {
    studies::parse(text, "test.toml").unwrap()
}

fn corpora(experiment: &Experiment) -> Corpora {
    studies::read_pages(experiment, Path::new("unused"), &Engines::default(), &Silent).unwrap()
}

fn run(
    experiment: &Experiment,
    folder: &Path,
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Result<RunResults, Error> {
    let engines = Engines::default();
    let resources = Resources { data_dir: Path::new("unused"), engines: &engines };
    let journal = folder.join("journal.jsonl");
    Ok(studies::run(experiment, &corpora(experiment), resources, "test", &journal, stop, progress)?.0)
}

fn steps(results: &RunResults) -> Vec<LabelledSoFar> {
    results_of::<ActiveLearning>(results).unwrap().unwrap()
}

#[test]
fn orders_begin_alike_and_go_on_as_the_model_says() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = parse(TOML);
    let results = run(&experiment, folder.path(), &AtomicBool::new(false), &Silent).unwrap();
    let steps = steps(&results);
    assert_eq!(steps.len(), 2 * 3 * 2);
    for part in steps.chunks(6) {
        let orders: Vec<(Order, usize)> = part.iter().map(|step| (step.order, step.pages)).collect();
        let expected =
            [Order::Diverse, Order::Uncertain, Order::Random].map(|order| [(order, 10), (order, 14)]);
        assert_eq!(orders, expected.concat());
        for pair in part.chunks(2) {
            let [first, second] = pair else { unreachable!("two numbers of pages") };
            assert_eq!(first.labelled, part[0].labelled, "the same pages are drawn for all orders");
            assert_eq!(first.f1, part[0].f1);
            assert_eq!(second.labelled[..10], first.labelled);
            let mut distinct = second.labelled.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!((distinct.len(), second.labelled.len()), (14, 14));
            assert!((0.5..=1.0).contains(&second.f1) && second.sites >= first.sites);
        }
        assert_ne!(part[1].labelled, part[5].labelled);
    }
    assert_ne!(steps[0].labelled, steps[6].labelled, "each part draws anew");
    // Its section of the report.
    experiment::write(&results, &Provenance::default(), folder.path(), &[]).unwrap();
    let table = std::fs::read_to_string(folder.path().join("tables/active-learning.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 3 * 2);
    assert!(folder.path().join("figures/active-learning-folds.svg").is_file());
}

/// Asks for the end after some steps.
struct StopAfter<'a> {
    left: std::sync::atomic::AtomicUsize,
    stop: &'a AtomicBool,
}

impl Progress for StopAfter<'_> {
    fn stage(&self, _: &str, _: usize) {}

    fn note(&self, _: &str) {}

    fn step(&self) {
        use std::sync::atomic::Ordering::Relaxed;
        if self.left.fetch_sub(1, Relaxed) == 1 {
            self.stop.store(true, Relaxed);
        }
    }
}

#[test]
fn a_study_that_is_stopped_goes_on_where_it_was() {
    let experiment = parse(TOML);
    let whole = tempfile::tempdir().unwrap();
    let expected = steps(&run(&experiment, whole.path(), &AtomicBool::new(false), &Silent).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    // The test pages of the system come first.
    let pages = corpora(&experiment)["synth"].pages.len();
    let progress = StopAfter { left: (pages + 3).into(), stop: &stop };
    let error = run(&experiment, folder.path(), &stop, &progress).expect_err("it was stopped");
    assert!(matches!(error, Error::Interrupted), "{error}");
    let resumed = steps(&run(&experiment, folder.path(), &AtomicBool::new(false), &Silent).unwrap());
    assert_eq!(resumed, expected);
}

#[test]
fn what_cannot_be_studied_is_refused_by_its_key() {
    for (from, to, problem) in [
        ("pages = [10, 14]", "pages = [14, 10]", "active-learning.pages"),
        ("pages = [10, 14]", "pages = [4, 10]", "active-learning.pages"),
        ("pool = 16", "pool = 12", "active-learning.pool"),
        ("orders = [\"diverse\", \"uncertain\", \"random\"]", "orders = []", "active-learning.orders"),
        ("\"diverse\"", "\"best\"", "best"),
    ] {
        let text = TOML.replace(from, to);
        let error = studies::parse(&text, "test.toml").unwrap_err().to_string();
        assert!(error.contains(problem), "{to}: {error}");
    }
}
