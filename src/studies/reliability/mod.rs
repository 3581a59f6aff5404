//! What breaks the program: hostile pages, kills at random moments, archives of a million pages. It runs itself as a user would.

pub mod families;
pub mod hostile;
pub mod kills;
pub mod load;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::study::{Context, Study};
use crate::error::{Error, Result};
use crate::harness::config::Experiment;
use crate::harness::journal::{Entry, Journal};
use families::FAMILIES;
use hostile::Cost;
use kills::{CASES, Killed, Workplace};
use load::Load;

/// The table `[reliability]` of an experiment. It is about the program and the machine, and not about the pages of the experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Reliability {
    /// Sizes of hostile pages in bytes, ascending; none leaves them out. Default 250,000, 1,000,000 and 4,000,000.
    pub bytes: Vec<usize>,
    /// Formats that are written of them. Default `markdown` and `json`.
    pub formats: Vec<String>,
    /// How often each command is killed; 0 leaves it out. Default 200.
    pub kills: u32,
    /// Pages of the archives; 0 leaves them out. Default 1,000,000.
    pub load: u64,
}

impl Default for Reliability {
    fn default() -> Self {
        Reliability {
            bytes: vec![250_000, 1_000_000, 4_000_000],
            formats: vec!["markdown".to_owned(), "json".to_owned()],
            kills: 200,
            load: 1_000_000,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// By family, format and size.
    pub costs: Vec<Cost>,
    /// By command.
    pub kills: Vec<Killed>,
    /// Of a whole and of a damaged archive.
    pub loads: Vec<Load>,
}

/// A part of what was found, as the journal keeps it.
#[derive(Clone, Serialize, Deserialize)]
enum Part {
    Cost(Cost),
    Killed(Killed),
    Load(Load),
}

impl Entry for Part {
    fn key(&self) -> String {
        match self {
            Part::Cost(cost) => cost.key(),
            Part::Killed(killed) => killed.key(),
            Part::Load(load) => load.key(),
        }
    }
}

impl Study for Reliability {
    const KEY: &'static str = "reliability";
    const RESULTS: &'static str = "reliability";
    type Results = Found;

    fn check(&self, _: &Experiment) -> Result<()> {
        if !self.bytes.is_sorted_by(|a, b| a < b) || self.bytes.first().is_some_and(|&least| least < 1_000) {
            return Err(Error::usage(
                "reliability.bytes",
                "give ascending sizes from 1000 up; the default is 250000, 1000000, 4000000",
            ));
        }
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> Result<Found> {
        let program = std::env::current_exe().map_err(|error| Error::io("duramen", error))?;
        let folder = tempfile::tempdir().map_err(|error| Error::io(std::env::temp_dir(), error))?;
        let journal: Journal<Part> = context.journal("reliability")?;
        let run = Run { study: self, context, program, folder: folder.path(), journal: &journal };
        let found = Found { costs: run.costs()?, kills: run.kills()?, loads: run.loads()? };
        journal.remove()?;
        Ok(found)
    }
}

struct Run<'a> {
    study: &'a Reliability,
    context: &'a Context<'a>,
    program: PathBuf,
    folder: &'a Path,
    journal: &'a Journal<Part>,
}

impl Run<'_> {
    /// One step: what the journal has of it, or what is found now.
    fn step(&self, key: &str, find: impl FnOnce() -> Result<Part>) -> Result<Part> {
        if let Some(known) = self.journal.find(key) {
            return Ok(known.clone());
        }
        if self.context.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let found = find()?;
        self.journal.append(&found)?;
        Ok(found)
    }

    fn costs(&self) -> Result<Vec<Cost>> {
        let Reliability { bytes, formats, .. } = self.study;
        self.context.progress.stage("hostile pages", FAMILIES.len() * formats.len() * bytes.len());
        let mut costs = Vec::new();
        for family in FAMILIES {
            for format in formats {
                for &bytes in bytes {
                    let find =
                        || hostile::cost(&self.program, family, format, bytes, self.folder).map(Part::Cost);
                    if let Part::Cost(cost) = self.step(&Cost::key_of(family.name, format, bytes), find)? {
                        costs.push(cost);
                    }
                    self.context.progress.step();
                }
            }
        }
        Ok(costs)
    }

    fn kills(&self) -> Result<Vec<Killed>> {
        if self.study.kills == 0 {
            return Ok(Vec::new());
        }
        let root = std::env::current_dir().map_err(|error| Error::io(".", error))?;
        let place = Workplace::new(&self.program, self.folder, &root)?;
        self.context.progress.stage("killed commands", CASES.len());
        let mut kills = Vec::new();
        for case in CASES {
            let find = || place.kill(case, self.study.kills, self.context.experiment.seed).map(Part::Killed);
            if let Part::Killed(killed) = self.step(&Killed::key_of(case.name), find)? {
                kills.push(killed);
            }
            self.context.progress.step();
        }
        Ok(kills)
    }

    fn loads(&self) -> Result<Vec<Load>> {
        let mut loads = Vec::new();
        let pages = self.study.load;
        for is_damaged in [false, true].into_iter().filter(|_| pages > 0) {
            let Context { stop, progress, .. } = *self.context;
            let find =
                || load::load(&self.program, pages, is_damaged, self.folder, stop, progress).map(Part::Load);
            if let Part::Load(load) = self.step(&Load::key_of(pages, is_damaged), find)? {
                loads.push(load);
            }
        }
        Ok(loads)
    }
}
