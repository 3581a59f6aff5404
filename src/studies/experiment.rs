//! Experiments with their studies: reading the file, reading the pages, running both.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::feature_distributions::FeatureFigures;
use super::registry::KINDS;
use super::study::{Context, Resources, Study};
use crate::error::{Error, Result, did_you_mean};
use crate::harness::config::{Experiment, Setting, StudyTables, table_of};
use crate::harness::corpora::{self, Corpora};
use crate::harness::record::RunResults;
use crate::harness::runner::{self, Run};
use crate::harness::times::Times;
use crate::layout::Engines;
use crate::progress::Progress;

/// The key of tables of scores in a `published.toml`.
const TABLES: &str = "tables";

/// Reads `experiment.toml` in a folder, or the file itself, and `published.toml` beside it if that is there.
///
/// # Errors
/// [`Error::Io`], [`Error::Data`] if it is not there, and as [`parse`] and [`with_published`].
pub fn load(path: &Path) -> Result<Experiment> {
    let file = if path.is_dir() { path.join("experiment.toml") } else { path.to_owned() };
    let text = std::fs::read_to_string(&file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::data(
            path.display(),
            "there is no experiment",
            "name a folder that holds an experiment.toml, such as experiments/quickstart",
        ),
        _ => Error::io(&file, error),
    })?;
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let experiment = Experiment { folder, ..parse(&text, &file.display().to_string())? };
    let published = file.with_file_name("published.toml");
    match std::fs::read_to_string(&published) {
        Ok(text) => with_published(experiment, &text, &published.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(experiment),
        Err(error) => Err(Error::io(&published, error)),
    }
}

/// Parses and checks an experiment with its studies; `subject` names it in errors.
///
/// # Errors
/// [`Error::Usage`] that names the line, key or value and says what to write.
pub fn parse(text: &str, subject: &str) -> Result<Experiment> {
    let of_toml =
        |error: toml::de::Error| Error::from_toml(subject, &error, "experiments/quickstart/experiment.toml");
    let table: toml::Table = toml::from_str(text).map_err(of_toml)?;
    let known = || Experiment::KEYS.into_iter().chain(KINDS.iter().map(|kind| kind.key));
    if let Some(unknown) = table.keys().find(|key| !known().any(|known| known == *key)) {
        return Err(Error::usage(
            format!("{subject}: unknown key '{unknown}'"),
            did_you_mean(unknown, known()),
        ));
    }
    let mut experiment: Experiment = toml::from_str(text).map_err(of_toml)?;
    experiment.expand().map_err(|error| of_file(error, subject))?;
    experiment.studies = StudyTables::default();
    for kind in KINDS {
        if let Some(setting) = (kind.read)(text).map_err(of_toml)? {
            experiment.studies.insert(kind.key, setting);
        }
    }
    checked(experiment, subject)
}

/// The experiment with the numbers of a `published.toml`: `[[tables]]` of scores, and a table for each study under its key.
/// `subject` names the file in errors.
///
/// # Errors
/// [`Error::Usage`] that names the line, key or row: what is no such file, holds no numbers or one out of its range, or names a
/// system, split or study that the experiment has not; and if the experiment has published numbers already.
pub fn with_published(mut experiment: Experiment, text: &str, subject: &str) -> Result<Experiment> {
    let refused = |what: String, remedy: String| Err(Error::usage(format!("{subject}: {what}"), remedy));
    let of_toml =
        |error: toml::de::Error| Error::from_toml(subject, &error, "experiments/forest/published.toml");
    let table: toml::Table = toml::from_str(text).map_err(of_toml)?;
    let known = || std::iter::once(TABLES).chain(experiment.studies.keys());
    if let Some(unknown) = table.keys().find(|key| !known().any(|known| known == *key)) {
        let what = format!("'{unknown}' is neither {TABLES} nor a study of the experiment");
        return refused(what, did_you_mean(unknown, known().collect::<Vec<_>>()));
    }
    if table.is_empty() {
        return refused("no numbers".into(), format!("add a table [[{TABLES}]], or remove the file"));
    }
    let has_some = |key: &str| match experiment.studies.get(key) {
        Some(Setting::Table(study)) => study.get("published").is_some(),
        _ => false,
    };
    if !experiment.published.is_empty() || experiment.studies.keys().any(has_some) {
        let what = "the experiment has published numbers itself".into();
        return refused(what, "keep them in one of the two files".into());
    }
    experiment.published = table_of(text, TABLES).map_err(of_toml)?.unwrap_or_default();
    let mut studies = StudyTables::default();
    for kind in KINDS {
        let Some(setting) = experiment.studies.get(kind.key) else { continue };
        if !table.contains_key(kind.key) {
            studies.insert(kind.key, setting.clone());
            continue;
        }
        match (kind.publish)(setting, text).map_err(of_toml)? {
            Some(setting) => studies.insert(kind.key, setting),
            None => {
                return refused(
                    format!("the study {} has no place for published numbers", kind.key),
                    format!("remove the table [{}]", kind.key),
                );
            }
        }
    }
    experiment.studies = studies;
    checked(experiment, subject)
}

/// The experiment, if it and its studies can be run.
fn checked(experiment: Experiment, subject: &str) -> Result<Experiment> {
    let checked = experiment
        .check()
        .and_then(|()| KINDS.iter().try_for_each(|kind| (kind.check)(&experiment)))
        .and_then(|()| check_layout(&experiment));
    checked.map_err(|error| of_file(error, subject))?;
    Ok(experiment)
}

/// The error with the file that it is in.
fn of_file(error: Error, subject: &str) -> Error {
    match error {
        Error::Usage { what, remedy } => Error::usage(format!("{subject}: {what}"), remedy),
        other => other,
    }
}

/// Whether a study reads the layouts that an experiment asks for.
fn check_layout(experiment: &Experiment) -> Result<()> {
    let is_read = experiment.studies.get(FeatureFigures::KEY) == Some(&Setting::Flag(true));
    match &experiment.layout {
        Some(engine) if !is_read => Err(Error::usage(
            format!("layout = \"{engine}\" has no effect without feature-figures = true"),
            "add that, or remove layout: systems and other studies name the engines that they read themselves",
        )),
        _ => Ok(()),
    }
}

/// The labelled pages that an experiment and its studies are on, laid out by the engines that they need.
///
/// # Errors
/// As [`corpora::read_pages`].
pub fn read_pages(
    experiment: &Experiment,
    data_dir: &Path,
    engines: &Engines,
    progress: &dyn Progress,
) -> Result<Corpora> {
    let mut layouts = BTreeSet::new();
    for kind in KINDS {
        layouts.extend((kind.layouts)(experiment)?);
    }
    corpora::read_pages(experiment, &layouts, data_dir, engines, progress)
}

/// Runs an experiment on its pages, and then its studies: see [`runner::run`] for journal, `stop` and what the results depend
/// on. `resources` are for studies that read pages of their own.
///
/// # Errors
/// As [`runner::run`] and [`Study::run`](super::Study::run).
pub fn run(
    experiment: &Experiment,
    corpora: &Corpora,
    resources: Resources<'_>,
    command: &str,
    journal: &Path,
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Result<(RunResults, Times)> {
    let run = runner::run(experiment, corpora, command, journal, stop, progress)?;
    let Run { mut results, times, parts, digest, journal: of_pages } = run;
    let parts = &parts;
    let digest = &digest;
    let context = Context { experiment, corpora, parts, resources, journal, digest, stop, progress };
    for kind in KINDS {
        if let Some(found) = (kind.run)(&context)? {
            results.studies.insert(kind.results, found);
        }
    }
    of_pages.remove()?;
    Ok((results, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::config::Split;

    const MINIMAL: &str = r#"
        title = "t"
        question = "q"
        dataset = "l3s-gn1"
        [[splits]]
        kind = "folds-by-host"
        id = "folds"
        [[systems]]
        id = "all"
        extractor = "everything"
    "#;

    fn error(text: &str) -> String {
        parse(text, "test.toml").unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let experiment = parse(MINIMAL, "test.toml").unwrap();
        assert_eq!(experiment.seed, 1);
        assert_eq!(
            experiment.splits,
            [Split::FoldsByHost { id: "folds".into(), dataset: None, folds: 5, also: Vec::new() }]
        );
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest() {
        let message = error(&MINIMAL.replace("question", "qestion"));
        assert!(message.contains("did you mean 'question'?"), "{message}");
        let message = error(&MINIMAL.replace("extractor = \"everything\"", "extractor = \"everythink\""));
        assert!(message.contains("did you mean 'everything'?"), "{message}");
    }

    #[test]
    fn an_unknown_key_of_a_model_is_named_too() {
        let model = "extractor = \"hmt\"\nmodel = { preset = \"blocks\", withot = [] }";
        let message = error(&MINIMAL.replace("extractor = \"everything\"", model));
        assert!(
            message.contains("unknown field `withot`") && message.contains("did you mean 'without'?"),
            "{message}"
        );
        let model = "extractor = \"hmt\"\nmodel = { vieww = \"dom\" }";
        let message = error(&MINIMAL.replace("extractor = \"everything\"", model));
        assert!(message.contains("did you mean 'view'?"), "{message}");
    }

    #[test]
    fn what_has_no_effect_is_refused() {
        let head = |key: &str| error(&MINIMAL.replace("[[splits]]", &format!("{key}\n[[splits]]")));
        assert!(head("layout = \"blitz\"").contains("without feature-figures"));
        assert!(head("max-pages = 0").contains("max-pages is 0"));
        assert!(head("metrics = [\"snippets\"]").contains("wcxb has them"));
        assert!(head("metrics = [\"words\"]\nplots = [\"labels\"]").contains("\"labels\" has no effect"));
        let system = |keys: &str| error(&MINIMAL.replace("extractor = \"everything\"", keys));
        let message = system("extractor = \"everything\"\nparameters = { words = 3 }");
        assert!(
            message.starts_with("test.toml: system 'all': extractor 'everything' has no parameter"),
            "{message}"
        );
        let message = system("extractor = \"hmt\"\nparameters = { model = \"web\", sweeps = 3 }");
        assert!(message.contains("'sweeps' of extractor 'hmt' has no effect"), "{message}");
        let message = system("extractor = \"hmt\"\nlearning = { weights = false, held-out-folds = 2 }");
        assert!(message.contains("learning.held-out-folds has no effect"), "{message}");
        let message =
            system("extractor = \"hmt\"\ninference = \"viterbi\"\ndecision = { rule = \"most-probable\" }");
        assert!(message.contains("probabilities are 0 or 1"), "{message}");
        let text_only = MINIMAL.replace("l3s-gn1", "cleaneval/dev");
        let message = error(&text_only.replace("[[splits]]", "metrics = [\"bytes\"]\n[[splits]]"));
        assert!(message.contains("'bytes' has no effect"), "{message}");
    }

    #[test]
    fn values_out_of_range_are_refused_with_range_and_default() {
        let random = MINIMAL.replace("folds-by-host\"", "random\"\n train-share = 1.5");
        assert!(error(&random).contains("above 0 and below 1"));
        let twice = format!("{MINIMAL}\n[[systems]]\nid = \"all\"\nextractor = \"nothing\"");
        assert!(error(&twice).contains("two systems have the id 'all'"));
        let folds = MINIMAL.replace("id = \"folds\"", "id = \"folds\"\n folds = 1");
        assert!(error(&folds).contains("folds is 1"));
    }

    #[test]
    fn every_key_of_an_experiment_is_known_and_no_other() {
        let all = format!(
            "max-pages = 2\nlayout = \"blitz\"\nfeature-figures = true\nsynth = {{}}\n{}\n[[sweeps]]\nid = \"s\"\ntitle = \"t\"\nparameter = \"words\"\n\
             values = [1]\nscore = \"tokens/content/f1\"\nsystems = [\"all\"]\n\
             [[published]]\nsource = \"x\"\ndifference = \"y\"\nrows = [{{ name = \"F1\", published = 0.5 }}]\n",
            MINIMAL.replace("l3s-gn1", "synth").replace("\"everything\"", "\"more-than-10-words\"")
        );
        let written = toml::Table::try_from(parse(&all, "test.toml").unwrap()).unwrap();
        let mut known: Vec<&str> = Experiment::KEYS.to_vec();
        known.push("feature-figures");
        // Once read, it is among the splits.
        known.retain(|key| *key != "corpora-left-out");
        known.sort_unstable();
        let mut keys: Vec<&str> = written.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, known);
    }

    #[test]
    fn corpora_left_out_are_splits_and_their_faults_name_the_file() {
        let left_out = |keys: &str| format!("{MINIMAL}\n[corpora-left-out]\n{keys}\n");
        let experiment = parse(&left_out("train = [\"dragnet\", \"waddle\"]"), "test.toml").unwrap();
        assert_eq!(
            experiment.splits.iter().map(Split::id).collect::<Vec<_>>(),
            ["folds", "dragnet", "waddle"]
        );
        let message = error(&left_out("train = [\"dragnet\"]"));
        assert!(message.starts_with("test.toml: corpora-left-out: nothing trains"), "{message}");
        let message = error(&left_out("trains = [\"dragnet\"]"));
        assert!(message.contains("did you mean 'train'?"), "{message}");
    }

    #[test]
    fn published_numbers_are_read_beside_the_experiment_and_refused_if_faulty() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("experiment.toml"), MINIMAL).unwrap();
        assert!(load(folder.path()).unwrap().published.is_empty());
        let whole = "[[tables]]\nsource = \"s\"\ndifference = \"d\"\n\
                     rows = [{ name = \"F1\", published = 0.9, system = \"all\", score = \"words/text/f1\" }]\n";
        let load_with = |text: &str| {
            std::fs::write(folder.path().join("published.toml"), text).unwrap();
            load(folder.path())
        };
        let experiment = load_with(whole).unwrap();
        assert_eq!(experiment.published[0].rows[0].published, 0.9);
        // As resolved it has them itself, and a second time they are refused.
        let resolved = parse(&toml::to_string(&experiment).unwrap(), "resolved").unwrap();
        assert_eq!(Experiment { folder: folder.path().to_owned(), ..resolved.clone() }, experiment);
        let twice = with_published(resolved, whole, "p").unwrap_err().to_string();
        assert!(twice.contains("published numbers itself"), "{twice}");
        for (right, wrong, what) in [
            ("source", "sorce", "did you mean 'source'?"),
            ("[[tables]]", "[[table]]", "did you mean 'tables'?"),
            ("0.9", "93.1", "published 'F1': 93.1 is no share"),
            ("0.9", "nan", "published 'F1': NaN is no share"),
            ("0.9", "\"high\"", "invalid type"),
            ("\"all\"", "\"al\"", "no system 'al'; did you mean 'all'?"),
            ("system = \"all\", ", "", "score without system"),
            ("[{ name", "[] #", "published 's': no rows"),
            (whole, "", "no numbers"),
            (whole, "[sd-study]\ntable-1 = []", "'sd-study' is neither tables nor a study of the experiment"),
        ] {
            assert!(whole.contains(right), "{right}");
            let error = load_with(&whole.replacen(right, wrong, 1)).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            let message = error.to_string();
            assert!(message.contains("published.toml: ") && message.contains(what), "{wrong}: {message}");
        }
    }

    #[test]
    fn published_numbers_of_a_study_go_into_its_table_and_are_refused_if_faulty() {
        let text = format!("{MINIMAL}\n[sd-study]\nfolds = 3\n");
        let with = |published: &str| with_published(parse(&text, "e").unwrap(), published, "published.toml");
        let row = "{ set = \"A\", class = \"article\", precision = 0.5, region-accuracy = 0.25 }";
        let whole = format!("[sd-study]\ntable-1 = []\ntable-2 = [{row}]\n");
        let experiment = with(&whole).unwrap();
        let resolved = parse(&toml::to_string(&experiment).unwrap(), "resolved").unwrap();
        assert_eq!(resolved, experiment);
        assert_ne!(experiment, parse(&text, "e").unwrap());
        assert!(with_published(experiment, &whole, "p").is_err());
        for (right, wrong, what) in [
            ("precision", "precison", "did you mean 'precision'?"),
            (
                "0.5",
                "50.0",
                "published sd-study.table-2 'A'; write precision, recall and region-accuracy from 0 to 1",
            ),
            (row, &format!("{row}, {row}"), "a class twice"),
            ("table-1 = []\n", "", "missing field `table-1`"),
        ] {
            let message = with(&whole.replacen(right, wrong, 1)).unwrap_err().to_string();
            assert!(message.starts_with("published.toml: ") && message.contains(what), "{wrong}: {message}");
        }
    }

    #[test]
    fn a_wrong_key_in_a_study_is_refused_with_its_line_and_the_nearest() {
        let message = error(&format!("{MINIMAL}\n[sd-study]\nfold = 3\n"));
        assert!(message.contains("did you mean 'folds'?") && message.contains("fold = 3"), "{message}");
        let message = error(&format!("{MINIMAL}\n[sd-studi]\nfolds = 3\n"));
        assert!(message.contains("unknown key 'sd-studi'") && message.contains("'sd-study'"), "{message}");
        let message = error(&format!("{MINIMAL}\n[sd-study]\nfolds = 1\n"));
        assert!(message.starts_with("test.toml: sd-study.folds is below 2"), "{message}");
    }
}
