//! A finished run on disk: what tables and figures can be made of again without running.
//!
//! `run.json` holds where the numbers came from, `experiment.toml` the experiment as resolved,
//! `pages/results.jsonl` a line for each system and page, `pages/studies.json` what else was computed. The folder
//! `pages` is not meant for a repository: it grows with the corpus.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::files::write_whole;
use crate::harness::provenance::Provenance;
use crate::harness::record::{PageResult, RunRecord, RunResults};

const RUN: &str = "run.json";
const RESULTS: &str = "pages/results.jsonl";
const STUDIES: &str = "pages/studies.json";

/// `run.json`.
#[derive(Serialize, Deserialize)]
struct RunFile {
    #[serde(flatten)]
    record: RunRecord,
    /// The only part that varies between runs.
    #[serde(alias = "made")]
    provenance: Provenance,
}

/// Writes a run.
///
/// # Errors
/// [`Error::Io`].
pub fn save(run: &RunResults, provenance: &Provenance, folder: &Path) -> Result<()> {
    let file = RunFile { record: run.record.clone(), provenance: provenance.clone() };
    write_whole(&folder.join(RUN), json(&file, true).as_bytes())?;
    let experiment = toml::to_string_pretty(&run.record.experiment)
        .expect("an experiment that was read from TOML can be written as such");
    write_whole(&folder.join("experiment.toml"), experiment.as_bytes())?;
    let pages: String = run.results.iter().map(|result| json(result, false)).collect();
    write_whole(&folder.join(RESULTS), pages.as_bytes())?;
    write_whole(&folder.join(STUDIES), json(&run.studies, false).as_bytes())
}

fn json(value: &impl Serialize, pretty: bool) -> String {
    let text = if pretty { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
    text.expect("no keys that are not strings") + "\n"
}

/// Reads a run that [`save`] wrote.
///
/// # Errors
/// [`Error::Data`] that names the file if it is missing, with the command that makes it, or cannot be read.
pub fn load(folder: &Path) -> Result<(RunResults, Provenance)> {
    let file: RunFile = parse(folder, RUN, &read(folder, RUN, "duramen run EXPERIMENT")?)?;
    let lines = read(folder, RESULTS, &file.record.command)?;
    let results: Result<Vec<PageResult>> = lines.lines().map(|line| parse(folder, RESULTS, line)).collect();
    let studies = parse(folder, STUDIES, &read(folder, STUDIES, &file.record.command)?)?;
    let run = RunResults { record: file.record, results: results?, studies };
    Ok((run, file.provenance))
}

fn read(folder: &Path, name: &str, command: &str) -> Result<String> {
    let path = folder.join(name);
    std::fs::read_to_string(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::data(
            path.display(),
            "not there: the folder holds no run, or its pages were left out of the repository",
            format!("run: {command}"),
        ),
        _ => Error::io(&path, error),
    })
}

fn parse<'a, T: Deserialize<'a>>(folder: &Path, name: &str, text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let problem = format!("not what this version writes: {error}");
        Error::data(folder.join(name).display(), problem, "run the experiment again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of older versions name some things by their former names.
    #[test]
    fn every_committed_record_is_read() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        let folders = std::fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path());
        let records: Vec<_> = folders.filter(|folder| folder.join(RUN).is_file()).collect();
        assert!(records.len() > 10, "the records are where they should be");
        for folder in records {
            let file: RunFile = parse(&folder, RUN, &read(&folder, RUN, "").unwrap()).unwrap();
            assert!(!file.record.version.is_empty() && !file.record.experiment.systems.is_empty());
            assert!(file.provenance.threads > 0, "{}", folder.display());
        }
    }
}
