//! Experiments with their studies: reading the file, reading the pages, running both.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::registry::KINDS;
use super::study::Context;
use crate::error::{Error, Result, did_you_mean};
use crate::harness::config::{Experiment, StudyTables, toml_error};
use crate::harness::corpora::{self, Corpora};
use crate::harness::record::RunResults;
use crate::harness::runner::{self, Run};
use crate::harness::times::Times;
use crate::layout::Engines;
use crate::progress::Progress;

/// Reads `experiment.toml` in a folder, or the file itself.
///
/// # Errors
/// [`Error::Io`], [`Error::Usage`] if it is not there, and as [`parse`].
pub fn load(path: &Path) -> Result<Experiment> {
    let file = if path.is_dir() { path.join("experiment.toml") } else { path.to_owned() };
    let text = std::fs::read_to_string(&file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::usage(
            format!("no experiment at {}", path.display()),
            "name a folder that holds an experiment.toml, such as experiments/quickstart",
        ),
        _ => Error::io(&file, error),
    })?;
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    Ok(Experiment { folder, ..parse(&text, &file.display().to_string())? })
}

/// Parses and checks an experiment with its studies; `subject` names it in errors.
///
/// # Errors
/// [`Error::Usage`] that names the line, key or value and says what to write.
pub fn parse(text: &str, subject: &str) -> Result<Experiment> {
    let of_toml = |error: toml::de::Error| toml_error(subject, &error);
    let table: toml::Table = toml::from_str(text).map_err(of_toml)?;
    let known = || Experiment::KEYS.into_iter().chain(KINDS.iter().map(|kind| kind.key));
    if let Some(unknown) = table.keys().find(|key| !known().any(|known| known == *key)) {
        return Err(Error::usage(
            format!("{subject}: unknown key '{unknown}'"),
            did_you_mean(unknown, known()),
        ));
    }
    let mut experiment: Experiment = toml::from_str(text).map_err(of_toml)?;
    experiment.studies = StudyTables::default();
    for kind in KINDS {
        if let Some(setting) = (kind.read)(text).map_err(of_toml)? {
            experiment.studies.insert(kind.key, setting);
        }
    }
    let checked =
        experiment.check().and_then(|()| KINDS.iter().try_for_each(|kind| (kind.check)(&experiment)));
    checked.map_err(|error| match error {
        Error::Usage { what, remedy } => Error::usage(format!("{subject}: {what}"), remedy),
        other => other,
    })?;
    Ok(experiment)
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
/// on. `data_dir` is the folder of fetched corpora, for studies that read their own.
///
/// # Errors
/// As [`runner::run`] and [`Study::run`](super::Study::run).
pub fn run(
    experiment: &Experiment,
    corpora: &Corpora,
    data_dir: &Path,
    command: &str,
    journal: &Path,
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Result<(RunResults, Times)> {
    let run = runner::run(experiment, corpora, command, journal, stop, progress)?;
    let Run { mut results, times, parts, digest, journal: of_pages } = run;
    let parts = &parts;
    let digest = &digest;
    let context = Context { experiment, corpora, parts, data_dir, journal, digest, stop, progress };
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
            "max-pages = 2\nlayout = \"blitz\"\nsynth = {{}}\n{}\n[[sweeps]]\nid = \"s\"\ntitle = \"t\"\nparameter = \"words\"\n\
             values = [1]\nscore = \"tokens/content/f1\"\nsystems = [\"all\"]\n\
             [[published]]\nsource = \"x\"\ndifference = \"y\"\nrows = []\n",
            MINIMAL.replace("l3s-gn1", "synth").replace("\"everything\"", "\"more-than-10-words\"")
        );
        let written = toml::Table::try_from(parse(&all, "test.toml").unwrap()).unwrap();
        let mut known: Vec<&str> = Experiment::KEYS.to_vec();
        known.push("feature-figures");
        known.sort_unstable();
        let mut keys: Vec<&str> = written.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, known);
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
