//! Runs of experiments: the same bytes whatever the threads and interruptions, failures counted, hosts kept apart.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use duramen::dataset::labelled::GoldText;
use duramen::dataset::labelled::{LabelledCorpus, LabelledPage, PageGold};
use duramen::dataset::transfer::transfer_labels;
use duramen::dom::Limits;
use duramen::error::Error;
use duramen::extract::hmt::{Hmt, Inference};
use duramen::extract::{ExtractError, Extraction, Extractor, PageExtractor};
use duramen::harness::config::Experiment;
use duramen::harness::provenance::Provenance;
use duramen::harness::record::{RunRecord, RunResults};
use duramen::harness::{Corpora, work};
use duramen::layout::Engines;
use duramen::model::{Model, PageType};
use duramen::page::Page;
use duramen::progress::{Progress, Silent};
use duramen::report::experiment;
use duramen::scoring::ScoreName;
use duramen::scoring::{Measure, Metric};
use duramen::studies::sd::SdStudy;
use duramen::studies::visual_outlier::VisualOutlierStudy;
use duramen::studies::{self, Resources};

/// No study of these experiments reads pages of its own.
fn resources() -> Resources<'static> {
    static ENGINES: Engines =
        Engines { worker: None, chromium: None, timeout: Duration::from_secs(30), cache: None };
    Resources { data_dir: Path::new("unused"), engines: &ENGINES }
}

const TOML: &str = r#"
title = "A small run"
question = "Is it the same again?"
seed = 5
dataset = "synth"

[synth]
sites = 6
pages_per_site = 2
seed = 2

[[splits]]
kind = "folds-by-host"
id = "folds"
folds = 3

[[splits]]
kind = "random"
id = "random"
repeats = 2

[[systems]]
id = "blocks"
extractor = "hmt"
model = "blocks"

[[systems]]
id = "gibbs"
extractor = "hmt"
model = "thesis"
inference = "gibbs"
gibbs = { sweeps = 4, burn-in = 2, parameters = "uncollapsed" }

[[systems]]
id = "long"
extractor = "more-than-10-words"
"#;

/// How other experiments of synthetic pages begin.
const HEAD: &str = "title = \"A test\"\nquestion = \"Does it hold?\"\ndataset = \"synth\"\n";

/// The same with one split, for tests that draw all its figures.
fn one_split() -> String {
    let (before, rest) = TOML.split_once("[[splits]]\nkind = \"random\"").unwrap();
    let (_, systems) = rest.split_once("[[systems]]").unwrap();
    format!("{before}[[systems]]{systems}")
}

fn parse(text: &str) -> Experiment {
    studies::parse(text, "test.toml").unwrap()
}

fn corpora(experiment: &Experiment) -> Corpora {
    studies::read_pages(experiment, Path::new("unused"), &Engines::default(), &Silent).unwrap()
}

fn run(experiment: &Experiment, corpora: &Corpora, folder: &Path) -> RunResults {
    let journal = folder.join("pages/journal.jsonl");
    studies::run(experiment, corpora, resources(), "test", &journal, &AtomicBool::new(false), &Silent)
        .unwrap()
        .0
}

/// Every file below a folder with its bytes.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(current) = pending.pop() {
        for entry in std::fs::read_dir(current).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    files
}

fn assert_same(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in a {
        assert!(*bytes == b[name], "{name} differs");
    }
}

#[test]
fn a_results_folder_has_the_same_bytes_at_one_and_two_threads() {
    let whole = format!(
        "{}\n[convergence]\nmodels = [{{ id = \"blocks\", model = \"blocks\" }}]\npages = 2\nsweeps = [3, 9, 21]\nkernels = [{{ id = \"joint\", kernel = \"joint\", parameters = \"uncollapsed\" }}]\n",
        one_split().replacen("seed = 5", "seed = 5\nfeature-figures = true", 1)
    );
    let experiment = parse(&whole);
    let of_threads = |threads| {
        let folder = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let corpora = corpora(&experiment);
            let results = run(&experiment, &corpora, folder.path());
            experiment::write(
                &results,
                &Provenance::default(),
                folder.path(),
                &["folds-distribution".to_owned()],
            )
            .unwrap();
        });
        files(folder.path())
    };
    let one = of_threads(1);
    assert_same(&one, &of_threads(2));
    for name in ["run.json", "report.html", "pages/results.jsonl", "tables/convergence-sweeps-needed.csv"] {
        assert!(one.contains_key(name), "{name} is among {:?}", one.keys().collect::<Vec<_>>());
    }
    for end in [".csv", ".md", ".svg", ".png"] {
        assert!(one.keys().any(|name| name.ends_with(end)), "{end}");
    }
    assert!(!one.contains_key("pages/journal.jsonl"), "the journal of a whole run is removed");
    let record: serde_json::Value = serde_json::from_slice(&one["run.json"]).unwrap();
    let corpus = &record["corpora"]["synth"];
    assert_eq!((corpus["pages"].as_u64(), corpus["hosts"].as_u64()), (Some(12), Some(6)));
    let report = String::from_utf8(one["report.html"].clone()).unwrap();
    for outside in ["src=\"http", "href=\"http", "src=\"figures", "@import"] {
        assert!(!report.contains(outside), "the report stands alone: {outside}");
    }
}

/// What a report says first of these systems, and the report.
fn lead(systems: &str) -> (String, String) {
    let experiment = parse(&format!(
        "{HEAD}[synth]\nsites = 6\npages_per_site = 2\n[[splits]]\nkind = \"folds-by-host\"\nid = \"folds\"\nfolds = 3\n{systems}"
    ));
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora(&experiment), folder.path());
    experiment::write(&results, &Provenance::default(), folder.path(), &[]).unwrap();
    let report = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    let (_, first) = report.split_once("<h2>Result</h2>\n<p>").unwrap();
    (first.split_once("</p>").unwrap().0.to_owned(), report.clone())
}

#[test]
fn a_report_says_first_what_came_out_and_when_nothing_differs() {
    let system =
        |id: &str, extractor: &str| format!("[[systems]]\nid = \"{id}\"\nextractor = \"{extractor}\"\n");
    let (all, again, none) =
        (system("all", "everything"), system("again", "everything"), system("none", "nothing"));
    let (alone, _) = lead(&all);
    assert!(
        alone.starts_with("all reaches 0.") && alone.ends_with("no other system to compare it with."),
        "{alone}"
    );
    let (same, report) = lead(&format!("{all}{again}"));
    assert!(same.starts_with("Nothing differs: all 2 systems reach 0."), "{same}");
    assert!(!report.contains(" best\">"), "equal scores are not the best");
    let (best, report) = lead(&format!("{none}{all}"));
    assert!(best.starts_with("all is the best of 2 systems on synth, with 0."), "{best}");
    assert!(
        best.contains("ahead of the next, none; the 95 % interval of the difference, 0.")
            && best.ends_with("excludes zero.")
    );
    let table = &report[..report.find("<details>").unwrap()];
    assert!(
        table.contains("<svg") && table.contains("<td class=\"number best\">0."),
        "figure and table stand first"
    );
    let (level, report) = lead(&format!("{none}{all}{again}"));
    assert!(level.contains("holds zero: these pages do not tell the two apart."), "{level}");
    assert!(report.contains(" \u{2248} <small>["), "what is not told apart is marked");
}

/// Sets a flag after a number of extractions.
struct StopAfter {
    left: AtomicUsize,
    is_extracting: AtomicBool,
    stop: AtomicBool,
    extracted: AtomicUsize,
}

impl StopAfter {
    fn new(steps: usize) -> Self {
        StopAfter { left: steps.into(), is_extracting: false.into(), stop: false.into(), extracted: 0.into() }
    }
}

impl Progress for StopAfter {
    fn stage(&self, name: &str, _steps: usize) {
        self.is_extracting.store(name.starts_with("extracting"), Ordering::Relaxed);
    }
    fn step(&self) {
        if self.is_extracting.load(Ordering::Relaxed) {
            self.extracted.fetch_add(1, Ordering::Relaxed);
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
    fn note(&self, _text: &str) {}
}

#[test]
fn a_run_that_is_stopped_goes_on_from_its_journal_and_ends_in_the_same_bytes() {
    let experiment = parse(&one_split());
    let corpora = corpora(&experiment);
    let uninterrupted = tempfile::tempdir().unwrap();
    let expected = run(&experiment, &corpora, uninterrupted.path());
    experiment::write(&expected, &Provenance::default(), uninterrupted.path(), &[]).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("pages/journal.jsonl");
    let mut lines_before = 0;
    // Stopped at once, and in the middle of a later system.
    for steps in [1, 15] {
        let observer = StopAfter::new(steps);
        let result =
            studies::run(&experiment, &corpora, resources(), "test", &journal, &observer.stop, &observer);
        let error = result.expect_err("the run was stopped");
        assert!(matches!(error, Error::Interrupted), "{error}");
        assert_eq!(error.exit_code(), 130);
        let mut text = std::fs::read_to_string(&journal).unwrap();
        let lines = text.lines().count();
        assert!(lines >= lines_before && lines > 1, "finished pages are kept: {lines}");
        lines_before = lines;
        // A process that is killed may leave a line cut short.
        text += "{\"split\":\"folds\",\"par";
        std::fs::write(&journal, text).unwrap();
    }
    let observer = StopAfter::new(usize::MAX);
    let (results, _) =
        studies::run(&experiment, &corpora, resources(), "test", &journal, &observer.stop, &observer)
            .unwrap();
    assert_eq!(results.results, expected.results);
    experiment::write(&results, &Provenance::default(), folder.path(), &[]).unwrap();
    assert_same(&files(uninterrupted.path()), &files(folder.path()));
}

/// What a journal holds is taken as it is, which shows that it is used; and only by the run that it is of.
#[test]
fn finished_pages_are_not_extracted_again_unless_the_experiment_has_changed() {
    let experiment = parse(TOML);
    let corpora = corpora(&experiment);
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let stopped = |experiment: &Experiment| {
        let observer = StopAfter::new(5);
        studies::run(experiment, &corpora, resources(), "test", &journal, &observer.stop, &observer)
            .unwrap_err();
        let text =
            std::fs::read_to_string(&journal).unwrap().replace("\"status\":\"ok\"", "\"status\":\"marked\"");
        assert!(text.contains("marked"));
        std::fs::write(&journal, text).unwrap();
    };
    let marked = |results: &RunResults| results.results.iter().filter(|r| r.status == "marked").count();
    let go_on = |experiment: &Experiment| {
        studies::run(experiment, &corpora, resources(), "test", &journal, &AtomicBool::new(false), &Silent)
            .unwrap()
            .0
    };
    stopped(&experiment);
    assert!(marked(&go_on(&experiment)) >= 5);
    stopped(&experiment);
    let other = parse(&TOML.replacen("seed = 5", "seed = 6", 1));
    assert_eq!(marked(&go_on(&other)), 0, "another seed is another run");
}

#[test]
fn no_host_is_on_both_sides_of_folds_and_each_page_is_tested_once() {
    let experiment = parse(TOML);
    let corpora = corpora(&experiment);
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora, folder.path()).results;
    for system in ["blocks", "gibbs", "long"] {
        let mut parts_of_host: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        let mut pages = Vec::new();
        for result in results.iter().filter(|r| r.split == "folds" && r.system == system) {
            parts_of_host.entry(&result.host).or_default().insert(result.part);
            pages.push(result.page.as_str());
        }
        assert_eq!(parts_of_host.len(), 6);
        assert!(parts_of_host.values().all(|parts| parts.len() == 1), "{parts_of_host:?}");
        let parts: BTreeSet<usize> = parts_of_host.values().flatten().copied().collect();
        assert_eq!(parts, BTreeSet::from([0, 1, 2]));
        let expected: BTreeSet<&str> = corpora["synth"].pages.iter().map(|page| page.page.id()).collect();
        assert_eq!((pages.len(), pages.into_iter().collect::<BTreeSet<_>>()), (12, expected));
        for part in 0..2 {
            let tested =
                results.iter().filter(|r| r.split == "random" && r.system == system && r.part == part);
            assert_eq!(tested.count(), 6, "half of the pages");
        }
    }
}

#[test]
fn the_model_of_a_fold_has_not_seen_the_pages_that_it_tests() {
    let experiment = parse(TOML);
    let corpora = corpora(&experiment);
    let pages = &corpora["synth"].pages;
    let parts = duramen::harness::plan::parts(&experiment, &corpora).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora, folder.path()).results;
    for part in &parts {
        // Trained from nothing on the training pages alone, one after another.
        let mut model = duramen::model::Model::new(duramen::model::ModelConfig::blocks()).unwrap();
        for &page in &part.training[0].1 {
            assert!(!part.tests.contains(&page));
            let LabelledPage { page, gold: PageGold::Tokens(gold), .. } = &pages[page] else {
                panic!("synthetic pages have labels")
            };
            model.observe(page, |id| gold.counts(id), "x").unwrap();
        }
        let hmt =
            duramen::extract::hmt::Hmt::new("hmt", model, duramen::extract::hmt::Inference::Exact).unwrap();
        for &index in &part.tests {
            let page = &pages[index];
            let (mut scored, _) = work::extract_and_score(&hmt, &[page], &experiment.metrics);
            let (status, scores) = scored.remove(0);
            let result = results.iter().find(|r| {
                (r.split == part.split && r.part == part.number)
                    && r.system == "blocks"
                    && r.page == page.page.id()
            });
            let result = result.expect("each test page has its result");
            assert_eq!((&result.status, &result.scores), (&status, &scores));
        }
    }
}

#[test]
fn a_page_that_fails_is_counted_as_an_empty_extraction_and_named_in_the_record() {
    let experiment = parse(TOML);
    let mut corpora = corpora(&experiment);
    // A page without shown text, whose annotation has some: the model can give no labels.
    let page = Page::parse("empty-page", None, b"<script>x</script>", None, &Limits::default()).unwrap();
    let gold = transfer_labels(page.dom(), b"<p class='x-nc-sel2'>words that are gone</p>").unwrap().gold;
    let gold = PageGold::Tokens(gold);
    let page = LabelledPage {
        page,
        host: "empty.example".into(),
        site: "empty.example".into(),
        page_type: None,
        gold,
        gold_texts: Vec::new(),
    };
    corpora.get_mut("synth").unwrap().pages.push(page);
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora, folder.path());
    let of_page = |system: &str| -> Vec<&str> {
        let found = results.results.iter().filter(|r| r.page == "empty-page" && r.system == system);
        found.map(|r| r.status.as_str()).collect()
    };
    let blocks = of_page("blocks");
    assert!(!blocks.is_empty() && blocks.iter().all(|status| *status == "empty"), "{blocks:?}");
    let failures = &results.record.failures;
    let counted: u64 = ["folds", "random"]
        .iter()
        .filter_map(|split| failures.get(*split)?.get("blocks")?.get("empty"))
        .sum();
    assert_eq!(counted, blocks.len() as u64);
    assert!(of_page("long").iter().all(|status| *status == "ok"));
    assert!(failures.values().all(|systems| !systems.contains_key("long")));
    let others = results.results.iter().filter(|r| r.page != "empty-page");
    assert!(others.clone().count() > 0 && others.clone().all(|r| r.status == "ok"));
    let record = serde_json::to_string(&results.record).unwrap();
    assert!(record.contains("\"failures\":{\"folds\":{\"blocks\":{\"empty\":"), "{record}");
}

#[test]
fn an_extraction_that_fails_has_the_scores_of_keeping_nothing() {
    let experiment = parse(&TOML.replacen("more-than-10-words", "nothing", 1));
    let corpora = corpora(&experiment);
    let nothing =
        duramen::extract::registry::build("nothing", &duramen::extract::registry::Parameters::new()).unwrap();
    for page in &corpora["synth"].pages {
        let (scored, _) = work::extract_and_score(&*nothing, &[page], &Metric::ALL);
        let failed = duramen::scoring::score(page, None, &Metric::ALL);
        assert!(failed.tokens.is_some() && !failed.texts.is_empty());
        assert_eq!(failed, scored[0].1);
    }
}

/// Gives each page of a site the number of its pages as text, has nothing for some pages, and falls over on others.
struct Odd;

impl Extractor for Odd {
    fn id(&self) -> &str {
        "odd"
    }
    fn extract_site(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>> {
        let extract = |page: &&Page| {
            assert!(!page.id().contains("panic"), "a fault of the extractor");
            if page.id().contains("without") {
                return Err(ExtractError::MissingInput("a feed"));
            }
            let mut extraction = Extraction::from_full_text(page.dom(), std::iter::empty());
            extraction.text = Some(format!("{} pages", pages.len()));
            Ok(extraction)
        };
        pages.iter().map(extract).collect()
    }
}

fn labelled(id: &str) -> LabelledPage {
    let page = Page::parse(id, None, b"<p>3 pages", None, &Limits::default()).unwrap();
    let gold = PageGold::Text(duramen::dataset::TextGold { text: "3 pages".into(), ..Default::default() });
    let gold_texts = vec![(GoldText::Text, "3 pages".into())];
    LabelledPage {
        page,
        host: "a.example".into(),
        site: "a.example".into(),
        page_type: None,
        gold,
        gold_texts,
    }
}

#[test]
fn a_missing_input_is_no_score_and_a_panic_is_a_counted_failure() {
    let (plain, without) = (labelled("plain"), labelled("without"));
    let site = [&plain, &without, &plain];
    let (scored, _) = work::extract_and_score(&Odd, &site, &[Metric::Words]);
    let f1 = ScoreName::from_text(Metric::Words, GoldText::Text, Measure::F1);
    let seen: Vec<_> = scored.iter().map(|(status, scores)| (status.as_str(), f1.of(scores))).collect();
    assert_eq!(seen, [("ok", Some(1.0)), ("n/a", None), ("ok", Some(1.0))], "the text is the system's own");
    let panics = labelled("panic");
    let (scored, _) = work::extract_and_score(&Odd, &[&panics], &[Metric::Words]);
    assert_eq!((scored[0].0.as_str(), f1.of(&scored[0].1)), ("panic", Some(0.0)));
}

#[test]
fn a_sweep_runs_a_system_at_each_value_and_a_split_may_train_on_another_corpus() {
    let sweep = "\n[[sweeps]]\nid = \"length\"\ntitle = \"Words\"\nparameter = \"words\"\nvalues = [2, 40]\n\
                 score = \"tokens/content/recall\"\nsystems = [\"long\", \"blocks\"]\n";
    let text = format!(
        "{}{sweep}",
        TOML.replacen(
            "kind = \"random\"\nid = \"random\"\nrepeats = 2",
            "kind = \"trained-elsewhere\"\nid = \"elsewhere\"\ntrain = \"synth\"\nfolds = 2",
            1
        )
    );
    let experiment = parse(&text);
    let corpora = corpora(&experiment);
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora, folder.path());
    let recall: ScoreName = "tokens/content/recall".parse().unwrap();
    let mean = |system: &str, split: &str| {
        let of = results.results.iter().filter(|r| r.system == system && r.split == split);
        let values: Vec<f64> = of.map(|r| recall.of(&r.scores).unwrap()).collect();
        assert_eq!(values.len(), 12, "{system} {split}");
        values.iter().sum::<f64>() / 12.0
    };
    assert!(mean("long@words=2", "folds") > mean("long@words=40", "folds"));
    assert_eq!(mean("blocks@words=2", "folds"), mean("blocks", "folds"), "it has no such parameter");
    assert!(mean("blocks", "elsewhere") > 0.0);
    let parts = duramen::harness::plan::parts(&experiment, &corpora).unwrap();
    let elsewhere = parts.iter().find(|part| part.split == "elsewhere").unwrap();
    assert_eq!((elsewhere.training[0].1.len(), elsewhere.tests.len()), (6, 6), "a half of the hosts each");
    experiment::write(&results, &Provenance::default(), folder.path(), &[]).unwrap();
    let written = files(folder.path());
    for name in ["tables/folds-length.csv", "figures/folds-length.svg", "figures/all-splits.svg"] {
        assert!(written.contains_key(name), "{name} is among {:?}", written.keys().collect::<Vec<_>>());
    }
}

#[test]
fn the_pages_of_a_site_are_extracted_together_only_where_the_extractor_reads_sites() {
    let experiment = parse(TOML);
    let corpora = corpora(&experiment);
    let hosts = corpora["synth"].pages.iter().map(|page| page.host.as_str()).collect::<BTreeSet<_>>();
    assert_eq!(hosts.len(), 6);
    let site: Vec<&LabelledPage> = corpora["synth"]
        .pages
        .iter()
        .filter(|page| Some(page.host.as_str()) == hosts.first().copied())
        .collect();
    let (scored, _) = work::extract_and_score(&Odd, &site, &[Metric::Words]);
    assert_eq!(scored.len(), 2);
    assert!(Odd.reads_whole_sites());
    let everything = duramen::extract::registry::build("everything", &Default::default()).unwrap();
    assert!(!everything.reads_whole_sites());
}

#[test]
fn every_experiment_of_the_repository_is_well_formed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut n = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.join("README.md").exists(), "{} has no README", path.display());
        if path.ends_with("speed") {
            // A script: times are no results of pages.
            assert!(path.join("run").exists());
            continue;
        }
        let experiment = studies::load(&path).unwrap();
        // As resolved, it is the same experiment.
        let written = toml::to_string(&experiment).unwrap();
        let read = studies::parse(&written, "written").unwrap();
        let read = Experiment { folder: experiment.folder.clone(), ..read };
        assert_eq!(read, experiment, "{}", path.display());
        n += 1;
    }
    assert!(n >= 8, "{n} experiments");
}

#[test]
fn results_of_papers_have_the_published_numbers_of_their_experiments() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let published = |experiment: Experiment| {
        let sd = studies::config_of::<SdStudy>(&experiment).unwrap();
        let visual_outlier = studies::config_of::<VisualOutlierStudy>(&experiment).unwrap();
        (experiment.published, sd, visual_outlier)
    };
    for name in ["thesis", "boilerpipe", "forest", "sd", "visual-outlier"] {
        let of_paper = published(studies::load(&root.join("experiments").join(name)).unwrap());
        let committed = root.join("results").join(name);
        // Not checked as an experiment: a system may name a model as it was called then.
        let resolved = std::fs::read_to_string(committed.join("experiment.toml")).unwrap();
        assert_eq!(published(toml::from_str(&resolved).unwrap()), of_paper, "{name}");
        let record = std::fs::read_to_string(committed.join("run.json")).unwrap();
        let record: RunRecord = serde_json::from_str(&record).unwrap();
        assert_eq!(published(record.experiment), of_paper, "{name}");
    }
}

#[test]
fn the_results_across_corpora_are_of_the_splits_that_the_experiment_stands_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let experiment = studies::load(&root.join("experiments/across-corpora")).unwrap();
    let resolved = std::fs::read_to_string(root.join("results/across-corpora/experiment.toml")).unwrap();
    let resolved = studies::parse(&resolved, "results").unwrap();
    assert_eq!(experiment.splits.len(), 20);
    assert_eq!(experiment.splits, resolved.splits);
    assert_eq!(experiment.systems, resolved.systems);
}

#[test]
fn max_pages_holds_for_pages_of_our_own_too() {
    let experiment = parse(&TOML.replacen("seed = 5", "seed = 5\nmax-pages = 3", 1));
    assert_eq!(corpora(&experiment)["synth"].pages.len(), 3);
}

#[test]
fn unknown_keys_are_refused_with_the_nearest_name_wherever_they_stand() {
    for (right, wrong, nearest) in [
        ("question", "qestion", "question"),
        ("dataset", "datset", "dataset"),
        ("pages_per_site", "pages_per_sit", "pages_per_site"),
        ("folds = 3", "fold = 3", "folds"),
        ("repeats", "repeat", "repeats"),
        ("inference =", "infernce =", "inference"),
        ("burn-in", "burnin", "burn-in"),
        ("\"random\"", "\"radom\"", "random"),
        ("\"thesis\"", "\"tesis\"", "thesis"),
        ("\"more-than-10-words\"", "\"more-than-10-word\"", "more-than-10-words"),
        ("inference = \"gibbs\"", "inference = \"gibs\"", "gibbs"),
    ] {
        assert!(TOML.contains(right), "{right}");
        let error = studies::parse(&TOML.replacen(right, wrong, 1), "test.toml").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        let message = error.to_string();
        assert!(message.starts_with("test.toml: "), "{message}");
        assert!(message.contains(&format!("did you mean '{nearest}'?")), "{wrong}: {message}");
    }
}

/// Sites of five pages, of which two are given, to a model that nothing was learned for.
const SITES: &str = r#"
title = "Sites"
question = "Does a site help?"
seed = 1
dataset = "synth"
metrics = ["words"]

[synth]
sites = 3
pages_per_site = 5
seed = 4

[[splits]]
kind = "sites"
id = "sites"
train = "synth"
given = 2
most-tests = 2

[[systems]]
id = "general"
extractor = "hmt"
model = "blocks"

[[systems]]
id = "pages"
extractor = "hmt"
model = "blocks"
adapt = {}

[[systems]]
id = "labelled"
extractor = "hmt"
model = "blocks"
adapt = { labelled-pages = 2 }
"#;

#[test]
fn the_first_pages_of_a_site_are_given_to_what_adapts_and_the_next_are_tested() {
    let experiment = parse(SITES);
    let corpora = corpora(&experiment);
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora, folder.path());
    let pages = &corpora["synth"].pages;
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let first: Vec<BTreeSet<&str>> = pages
        .iter()
        .map(|page| {
            let place = seen.entry(&page.site).or_default();
            *place += 1;
            if (3..=4).contains(place) { BTreeSet::from([page.page.id()]) } else { BTreeSet::new() }
        })
        .collect();
    let expected: BTreeSet<&str> = first.into_iter().flatten().collect();
    let f1 = ScoreName::from_text(Metric::Words, GoldText::Article, Measure::F1);
    let mean = |system: &str| {
        let of_system: Vec<_> = results.results.iter().filter(|result| result.system == system).collect();
        let tested: BTreeSet<&str> = of_system.iter().map(|result| result.page.as_str()).collect();
        assert_eq!(tested, expected);
        of_system.iter().map(|result| f1.of(&result.scores).unwrap()).sum::<f64>() / 6.0
    };
    assert!(mean("labelled") > mean("general") + 0.2, "{} {}", mean("labelled"), mean("general"));
    assert!(mean("pages") <= 1.0);
}

#[test]
fn labels_that_no_split_gives_and_unknown_families_are_refused() {
    for (from, to, what) in [
        ("labelled-pages = 2", "labelled-pages = 3", "labelled-pages is 3, and split 'sites' gives fewer"),
        ("most-tests = 2", "most-tests = 1", "least-tests is 2 and most-tests 1"),
        ("adapt = {}", "adapt = {}\ninference = \"viterbi\"", "another inference than exact"),
        (
            "model = \"blocks\"\nadapt = {}",
            "model = { preset = \"boosted\", without = [\"repetitoin\"] }",
            "did you mean 'repetition'?",
        ),
    ] {
        let error = studies::parse(&SITES.replacen(from, to, 1), "test.toml").unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn what_an_ablation_leaves_out_neither_tree_nor_scores_see() {
    let reduced = SITES.replacen(
        "model = \"blocks\"\nadapt = {}",
        "model = { preset = \"boosted\", without = [\"repetition\", \"words\"] }",
        1,
    );
    let experiment = parse(&reduced);
    let config = experiment.systems[1].model.as_ref().unwrap().resolve().unwrap();
    let boosted = config.boosted.unwrap();
    let whole = duramen::model::ModelConfig::boosted();
    assert!(!boosted.words && whole.boosted.as_ref().unwrap().words);
    let is_left_out = |id: &str| ["pair-count", "text-count", "signature-share"].contains(&id);
    assert!(!boosted.inputs.iter().any(|id| is_left_out(id)));
    assert!(!config.features.iter().any(|feature| is_left_out(&feature.id)));
    assert!(whole.features.iter().any(|feature| is_left_out(&feature.id)));
    assert!(boosted.inputs.contains(&"content-main-levels".to_owned()));
}

#[test]
fn no_corpus_trains_or_recalibrates_with_pages_of_tested_hosts() {
    let elsewhere = "kind = \"trained-elsewhere\"\nid = \"elsewhere\"\ntrain = \"synth\"\nfolds = 2";
    let text = TOML.replacen("folds = 3", "folds = 3\nalso = [\"synth\"]", 1).replacen(
        "kind = \"random\"\nid = \"random\"\nrepeats = 2",
        elsewhere,
        1,
    );
    let experiment = parse(&text);
    let corpora = corpora(&experiment);
    let parts = duramen::harness::plan::parts(&experiment, &corpora).unwrap();
    let pages = &corpora["synth"].pages;
    let corpora_that_train: Vec<usize> = parts.iter().map(|part| part.training.len()).collect();
    assert_eq!(corpora_that_train, [2, 2, 2, 1, 1]);
    for part in parts {
        let tested: BTreeSet<&str> = part.tests.iter().map(|&page| pages[page].host.as_str()).collect();
        let recalibrates = part.apart("synth", &corpora);
        for trains in part.training.iter().map(|(_, trains)| trains).chain([&recalibrates]) {
            assert!(!trains.is_empty());
            assert!(trains.iter().all(|&page| !tested.contains(pages[page].host.as_str())));
        }
    }
}

#[test]
fn a_corpus_that_is_left_out_trains_no_split_and_splits_that_leave_the_same_out_share_their_training() {
    let split = |id: &str, dataset: &str| {
        format!(
            "[[splits]]\nkind = \"trained-elsewhere\"\nid = \"{id}\"\ndataset = \"{dataset}\"\ntrain = \"synth\"\n\
             without = [\"first\", \"second\"]\n"
        )
    };
    let system = "[[systems]]\nid = \"long\"\nextractor = \"more-than-10-words\"\n";
    let made = "[synth]\nsites = 6\npages_per_site = 2\n";
    let experiment = parse(&format!("{HEAD}{made}{}{}{system}", split("a", "first"), split("b", "second")));
    let mut corpora = corpora(&parse(TOML));
    let hosts: Vec<String> = corpora["synth"].pages.iter().map(|page| page.host.clone()).collect();
    // A host of each, and a page of unknown host with the same words as one of the pages that train.
    let page = |id: &str, host: &str, words: &str| {
        let html = format!("<p>{words}</p>");
        let page = Page::parse(id, None, html.as_bytes(), None, &Limits::default()).unwrap();
        LabelledPage { page, host: host.into(), site: host.into(), ..labelled(id) }
    };
    let last = hosts.last().unwrap();
    let copied = page("copied", "copied.example", "the very same words");
    corpora.get_mut("synth").unwrap().pages.push(copied);
    let left_out = [
        ("first", vec![page("1", &hosts[0], "some words")]),
        ("second", vec![page("2", last, "others"), page("3", duramen::host::UNKNOWN, "the very same words")]),
    ];
    for (name, pages) in left_out {
        let corpus = LabelledCorpus { pages, ..LabelledCorpus::from_texts(name, Vec::new()) };
        corpora.insert(name.into(), corpus);
    }
    let parts = duramen::harness::plan::parts(&experiment, &corpora).unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[0].training, parts[1].training);
    let is_left = |page: &usize| hosts.get(*page).is_some_and(|host| *host != hosts[0] && host != last);
    let expected: Vec<usize> = (0..=hosts.len()).filter(is_left).collect();
    assert!(!expected.is_empty());
    assert_eq!(parts[0].training, [("synth".to_owned(), expected)]);
}

/// A page of an unknown host, and the same page under another host in another corpus and in the same.
#[test]
fn no_part_trains_on_a_page_that_it_tests_whatever_its_host() {
    let text = TOML.replacen("folds = 3", "folds = 3\nalso = [\"other\"]", 1);
    let experiment = parse(&text);
    // The other corpus is put beside by hand.
    let mut corpora = corpora(&parse(TOML));
    let copy = |id: &str, host: &str, url: Option<&str>, words: &str| {
        let html = format!("<p>{words}</p>");
        let page =
            Page::parse(id, url.map(str::to_owned), html.as_bytes(), None, &Limits::default()).unwrap();
        LabelledPage { page, host: host.into(), site: host.into(), ..labelled(id) }
    };
    let address = Some("http://moved.example/story");
    let pages = &mut corpora.get_mut("synth").unwrap().pages;
    let first = pages.len();
    pages.push(copy("unknown", duramen::host::UNKNOWN, None, "the very same words"));
    pages.push(copy("copied", "copied.example", None, "the very same words"));
    pages.push(copy("moved", "old.example", address, "some words"));
    let others = vec![
        copy("again", "again.example", None, "the very same words"),
        copy("changed", "new.example", address, "some words that were changed"),
        copy("apart", duramen::host::UNKNOWN, None, "words of no other page"),
    ];
    let other = LabelledCorpus {
        label: "other".into(),
        checksum: String::new(),
        pages: others,
        left_out: Vec::new(),
        layouts: Vec::new(),
        convention: Default::default(),
    };
    corpora.insert("other".into(), other);
    let parts = duramen::harness::plan::parts(&experiment, &corpora).unwrap();
    let mut tested_parts = 0;
    for part in parts.iter().filter(|part| part.split == "folds") {
        let tests = |page: usize| part.tests.contains(&page);
        let trains = |dataset: &str, page: usize| {
            part.training.iter().any(|(name, pages)| name == dataset && pages.contains(&page))
        };
        let tests_words = tests(first) || tests(first + 1);
        tested_parts += usize::from(tests_words) + usize::from(tests(first + 2));
        assert_eq!(trains("synth", first) || trains("synth", first + 1), !tests_words);
        assert_eq!(
            [trains("other", 0), trains("other", 1), trains("other", 2)],
            [!tests_words, !tests(first + 2), true]
        );
        assert_eq!(part.apart("other", &corpora).contains(&0), !tests_words);
    }
    assert!(tested_parts >= 2);
}

#[test]
fn faults_are_told_by_the_kinds_of_blocks_for_each_split_and_over_all() {
    let split = |id: &str| format!("[[splits]]\nkind = \"all-pages\"\nid = \"{id}\"\n");
    let systems = "[[systems]]\nid = \"all\"\nextractor = \"everything\"\n\
                   [[systems]]\nid = \"long\"\nextractor = \"more-than-10-words\"\n";
    let text = format!(
        "{HEAD}metrics = [\"words\", \"faults\"]\n[synth]\nsites = 6\npages_per_site = 2\n{}{}{}{systems}",
        split("a"),
        split("b"),
        split("c")
    );
    let experiment = parse(&text);
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora(&experiment), folder.path());
    experiment::write(&results, &Provenance::default(), folder.path(), &[]).unwrap();
    let table = |name: &str| -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(folder.path().join(format!("tables/{name}.csv"))).unwrap();
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let faults = table("faults");
    assert_eq!(faults[0][..3], ["system", "words", "comments"]);
    let cost = |row: &[String]| row[2..].iter().map(|cell| cell.parse::<f64>().unwrap()).sum::<f64>();
    let rows: Vec<(&str, &str, f64)> =
        faults[1..].iter().map(|row| (row[0].as_str(), row[1].as_str(), cost(row))).collect();
    let [
        ("all", "wrongly kept", all_kept),
        ("all", "missed", all_missed),
        ("long", _, long_kept),
        ("long", _, long_missed),
    ] = rows[..]
    else {
        panic!("{rows:?}")
    };
    assert!(all_missed == 0.0 && all_kept > long_kept && long_kept > 0.0 && long_missed > 0.0, "{rows:?}");
    // The splits are the same pages.
    for (row, same) in faults[1..].iter().zip(&table("a-faults")[1..]) {
        assert!(row[..2] == same[..2] && (cost(row) - cost(same)).abs() < 1e-9, "{row:?} {same:?}");
    }
    let worst = table("b-worst");
    let fault = worst[0].iter().position(|column| column == "main fault").unwrap();
    assert!(worst[1..].iter().all(|row| row[fault].ends_with(" kept") || row[fault].ends_with(" missed")));
}

#[test]
fn a_learning_curve_is_told_by_the_type_of_page() {
    let text = format!(
        "{HEAD}metrics = [\"words\"]\n[synth]\nsites = 15\npages_per_site = 2\n[[splits]]\nkind = \"folds-by-host\"\nid = \"folds\"\nfolds = 2\n\
         [[systems]]\nid = \"blocks\"\nextractor = \"hmt\"\n[[sweeps]]\nid = \"curve\"\ntitle = \"Curve\"\nparameter = \"training-pages\"\n\
         values = [1, 12]\nsystems = [\"blocks\"]\n"
    );
    let experiment = parse(&text);
    let mut corpora = corpora(&experiment);
    // A forum says so, ten articles are called something of the kind, and of the rest nothing is stated.
    for (number, page) in corpora.get_mut("synth").unwrap().pages.iter_mut().enumerate() {
        page.page_type = [Some("forum"), Some("news article"), None][number / 10].map(str::to_owned);
    }
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora, folder.path());
    experiment::write(&results, &Provenance::default(), folder.path(), &[]).unwrap();
    let table = |name: &str| -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(folder.path().join(format!("tables/{name}.csv"))).unwrap();
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let f1: ScoreName = "words/article/f1".parse().unwrap();
    let mean = |system: &str, page_type: &str| {
        let of_type = results
            .results
            .iter()
            .filter(|r| r.system == system && r.page_type.as_deref() == Some(page_type));
        let values: Vec<f64> = of_type.map(|r| f1.of(&r.scores).unwrap()).collect();
        assert_eq!(values.len(), 10);
        values.iter().sum::<f64>() / 10.0
    };
    let curve = table("folds-curve-blocks-page-types");
    assert_eq!(curve[0][..3], ["type of page", "pages", "1"]);
    assert_eq!(curve.len(), 3, "{curve:?}");
    for row in &curve[1..] {
        assert_eq!(row[1], "10");
        let means =
            ["blocks@training-pages=1", "blocks@training-pages=12"].map(|system| mean(system, &row[0]));
        assert!(means[0] < means[1], "{means:?}");
        assert!((row[2].parse::<f64>().unwrap() - means[0]).abs() < 5e-4, "{row:?} {means:?}");
    }
    let all: BTreeSet<String> = table("folds-page-types")[1..].iter().map(|row| row[0].clone()).collect();
    assert_eq!(all, BTreeSet::from(["article".to_owned(), "forum".to_owned()]));

    let untrained = format!(
        "{}[[systems]]\nid = \"all\"\nextractor = \"everything\"\n",
        text.replace("[\"blocks\"]", "[\"all\"]")
    );
    let error = studies::parse(&untrained, "test.toml").unwrap_err().to_string();
    assert!(error.contains("a system is not trained here"), "{error}");
}

#[test]
fn how_often_the_type_of_a_page_is_told_is_counted_by_the_type_stated() {
    let text = format!(
        "{HEAD}metrics = [\"words\"]\n[synth]\nsites = 15\npages_per_site = 2\n[[splits]]\nkind = \"all-pages\"\nid = \"all\"\n\
         [[systems]]\nid = \"web\"\nextractor = \"hmt\"\n\
         parameters = {{ model = \"web\" }}\n[[systems]]\nid = \"blocks\"\nextractor = \"hmt\"\n\
         parameters = {{ model = \"web-blocks\" }}\n"
    );
    let experiment = parse(&text);
    let mut corpora = corpora(&experiment);
    let pages = &mut corpora.get_mut("synth").unwrap().pages;
    for (number, page) in pages.iter_mut().enumerate() {
        page.page_type = [Some("forum"), Some("news article"), None][number / 10].map(str::to_owned);
    }
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora, folder.path());
    experiment::write(&results, &Provenance::default(), folder.path(), &[]).unwrap();
    let text = std::fs::read_to_string(folder.path().join("tables/all-page-types-told.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    // The model of counts tells no types, and pages of no stated type are in no row.
    assert_eq!(rows.len(), 3, "{text}");
    assert!(rows.iter().all(|row| row[0] == "web"), "{text}");

    // The same from extractions one by one.
    let web = Hmt::new("web", Model::by_name("web").unwrap(), Inference::Exact).unwrap();
    let mut told: BTreeMap<&str, Vec<(PageType, f64)>> = BTreeMap::new();
    for page in &corpora["synth"].pages {
        let stated = page.page_type.as_deref().map(|stated| PageType::stated(stated).unwrap().name());
        if let Some(stated) = stated {
            let types = web.extract_page(&page.page).unwrap().page_type.unwrap();
            for of in [stated, "all"] {
                told.entry(of).or_default().push(PageType::by_probability(&types)[0]);
            }
        }
    }
    for row in rows {
        let pages = &told[row[1]];
        assert_eq!(row[2].parse::<usize>().unwrap(), pages.len());
        let right = match row[1] {
            "all" => {
                told["forum"].iter().filter(|(told, _)| *told == PageType::Forum).count()
                    + told["article"].iter().filter(|(told, _)| *told == PageType::Article).count()
            }
            stated => pages.iter().filter(|(told, _)| told.name() == stated).count(),
        };
        assert!((row[3].parse::<f64>().unwrap() - right as f64 / pages.len() as f64).abs() < 1e-9, "{row:?}");
        let mean = pages.iter().map(|(_, p)| p).sum::<f64>() / pages.len() as f64;
        assert!(
            row.iter().any(|cell| cell.parse().is_ok_and(|cell: f64| (cell - mean).abs() < 1e-9)),
            "{mean}: {row:?}"
        );
    }
}

/// Counts are too sure of synthetic pages; a system that is recalibrated differs in its probabilities.
#[test]
fn a_system_may_be_recalibrated_by_pages_that_are_not_tested() {
    let system = "\n[[systems]]\nid = \"recalibrated\"\nextractor = \"hmt\"\nrecalibrate = \"synth\"\n";
    let experiment = parse(&(one_split() + system));
    let folder = tempfile::tempdir().unwrap();
    let results = run(&experiment, &corpora(&experiment), folder.path()).results;
    let brier = |system: &str| {
        let of = results.iter().filter(|result| result.system == system);
        of.map(|result| result.scores.calibration.as_ref().unwrap().brier().unwrap()).sum::<f64>()
    };
    assert_ne!(brier("recalibrated"), brier("blocks"));
    let wrong = TOML.replacen("more-than-10-words\"", "more-than-10-words\"\nrecalibrate = \"synth\"", 1);
    let error = studies::parse(&wrong, "test.toml").unwrap_err().to_string();
    assert!(error.contains("system 'long'") && error.contains("recalibrate"), "{error}");
}

/// Hears the stages of a run.
#[derive(Default)]
struct Stages(std::sync::Mutex<Vec<String>>);

impl Progress for Stages {
    fn stage(&self, name: &str, _steps: usize) {
        self.0.lock().unwrap().push(name.to_owned());
    }
    fn step(&self) {}
    fn note(&self, _text: &str) {}
}

#[test]
fn a_run_that_goes_on_learns_no_model_again_whose_pages_are_all_there() {
    let learned = "extractor = \"hmt\"\nmodel = \"blocks\"\n[systems.learning]\n\
                   weight-learning = { exponent-epochs = 1, refinement-epochs = 0 }\n";
    let experiment = parse(&one_split().replacen("extractor = \"hmt\"\nmodel = \"blocks\"\n", learned, 1));
    let corpora = corpora(&experiment);
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let expected = run(&experiment, &corpora, folder.path()).results;
    // Stopped by the sampler, when the learned model of the first of three folds has done its four pages.
    let observer = StopAfter::new(5);
    studies::run(&experiment, &corpora, resources(), "test", &journal, &observer.stop, &observer)
        .unwrap_err();
    let lines = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().filter(|line| line.contains("\"system\":\"blocks\"")).count(), 4, "{lines}");
    let stages = Stages::default();
    let stop = AtomicBool::new(false);
    let (results, _) =
        studies::run(&experiment, &corpora, resources(), "test", &journal, &stop, &stages).unwrap();
    let learned = stages.0.into_inner().unwrap().iter().filter(|stage| *stage == "learning weights").count();
    assert_eq!(learned, 2, "two folds of three were left");
    assert_eq!(results.results, expected);
}
