//! `Checkpoint`, chains kept in a folder, so that a run that is killed goes on in the same bytes.
//!
//! A chain after a sweep is its states and the positions of its streams. `state.json` holds these for all chains, is
//! written aside and renamed, and says how many draws there are; the draws themselves are appended to one file a chain
//! before that, as little-endian doubles. What stands behind the draws that `state.json` knows is from an interrupted
//! round and is cut off.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::chain::{Chain, Sampler};
use super::monitor::Monitor;
use super::replicates::{PageStatistics, REPLICATED};
use super::run::{RunConfig, Worker};
use crate::dom::digest::hex;
use crate::error::{Error, Remedy, Result, Setting};
use crate::files::write_whole;

/// The version of the format.
const VERSION: u32 = 2;

/// A folder that chains are kept in.
pub(super) struct Checkpoint {
    folder: PathBuf,
    fingerprint: String,
    /// Draws of each chain that are in the files.
    draws: usize,
    width: usize,
    /// Bytes of states of a draw, if those are kept.
    states: usize,
    /// Statistics of a replicate.
    statistics: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    version: u32,
    /// Of model, pages, labels and settings.
    fingerprint: String,
    sweeps: u32,
    draws: usize,
    chains: Vec<ChainState>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainState {
    /// Of each page.
    states: Vec<Vec<u8>>,
    /// Of each page's stream.
    positions: Vec<u64>,
    parameter_position: u64,
    record_position: u64,
    replicate_position: u64,
    visits: Vec<u32>,
}

impl Sampler<'_> {
    /// What makes two runs the same: a SHA-256 over program version, model, settings, pages and labels.
    pub fn fingerprint(&self, config: &RunConfig) -> String {
        let mut hash = Sha256::new();
        let settings = serde_json::to_string(&(env!("CARGO_PKG_VERSION"), self.settings(), config))
            .expect("settings have no keys that are not strings");
        hash.update(settings);
        hash.update(self.model().digest());
        for page in self.page_data() {
            hash.update(page.digest.to_le_bytes());
            hash.update((page.tree.len() as u64).to_le_bytes());
            for v in 0..page.tree.len() as u32 {
                page.permitted.at(v).iter().for_each(|state| hash.update([state as u8]));
                hash.update([u8::MAX]);
            }
        }
        hex(&hash.finalize())
    }
}

impl Checkpoint {
    /// Opens a folder, and takes chains up that are kept there.
    pub fn open<'s, 'a>(
        folder: &Path,
        sampler: &'s Sampler<'a>,
        config: &RunConfig,
        monitor: &Monitor,
        workers: &mut [Worker<'s, 'a>],
    ) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))?;
        let mut checkpoint = Checkpoint {
            folder: folder.to_owned(),
            fingerprint: sampler.fingerprint(config),
            draws: 0,
            width: monitor.width(),
            states: if config.keep_states { sampler.nodes() } else { 0 },
            statistics: PageStatistics::new(sampler).names.len(),
        };
        let file = checkpoint.state_file();
        match std::fs::read(&file) {
            Ok(bytes) => checkpoint.resume(&bytes, sampler, workers)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io(&file, error)),
        }
        Ok(checkpoint)
    }

    fn state_file(&self) -> PathBuf {
        self.folder.join("state.json")
    }

    /// The file of one kind of what a chain drew.
    fn file(&self, chain: usize, what: &str) -> PathBuf {
        self.folder.join(format!("chain-{chain}.{what}"))
    }

    /// How many numbers there are of rows, statistics of replicates, and states, after so many draws.
    fn lengths(&self, draws: usize) -> [usize; 3] {
        [draws * self.width, draws.div_ceil(REPLICATED) * self.statistics, draws * self.states]
    }

    fn resume<'s, 'a>(
        &mut self,
        bytes: &[u8],
        sampler: &'s Sampler<'a>,
        workers: &mut [Worker<'s, 'a>],
    ) -> Result<()> {
        let file = self.state_file();
        let damaged = |problem: &str| {
            Error::data(
                file.display(),
                problem,
                format!("remove the folder {} to begin again", self.folder.display()),
            )
        };
        let state: State = serde_json::from_slice(bytes).map_err(|error| damaged(&error.to_string()))?;
        if state.version != VERSION || state.fingerprint != self.fingerprint {
            return Err(Error::usage(
                format!(
                    "{} keeps chains of other pages, settings or labels, or of another model",
                    file.display()
                ),
                Remedy::from("give the settings that it was begun with, name another folder, or ")
                    .set("overwrite it", Setting::OverwriteDraws),
            ));
        }
        let fits = |chain: &ChainState| {
            chain.positions.len() == sampler.pages()
                && chain.states.iter().map(Vec::len).eq(sampler.page_data().map(|page| page.tree.len()))
                && chain.visits.len() == sampler.nodes() * sampler.model().config().states.len()
                && chain.states.iter().zip(sampler.page_data()).all(|(states, page)| {
                    (0..).zip(states).all(|(v, &z)| page.permitted.at(v).contains(z.into()))
                })
        };
        if state.chains.len() != workers.len() || !state.chains.iter().all(fits) {
            return Err(damaged("its chains do not fit the pages"));
        }
        self.draws = state.draws;
        for (number, (kept, worker)) in state.chains.into_iter().zip(workers).enumerate() {
            worker.chain = kept.chain(sampler, number as u32, state.sweeps);
            worker.drawn.visits = kept.visits;
            let [rows, replicates, states] = self.lengths(self.draws);
            worker.drawn.rows = read_numbers(&self.file(number, "draws"), rows)?;
            worker.drawn.replicates = read_numbers(&self.file(number, "replicates"), replicates)?;
            if self.states > 0 {
                worker.drawn.states = read_bytes(&self.file(number, "states"), states)?;
            }
        }
        Ok(())
    }

    /// Keeps the chains as they are.
    pub fn save(&mut self, workers: &[Worker<'_, '_>]) -> Result<()> {
        let draws = workers[0].drawn.rows.len() / self.width;
        let [rows, replicates, states] = self.lengths(self.draws);
        for (number, Worker { drawn, .. }) in workers.iter().enumerate() {
            append_numbers(&self.file(number, "draws"), rows, &drawn.rows)?;
            append_numbers(&self.file(number, "replicates"), replicates, &drawn.replicates)?;
            if self.states > 0 {
                append(&self.file(number, "states"), states, &drawn.states[states..])?;
            }
        }
        self.draws = draws;
        let state = State {
            version: VERSION,
            fingerprint: self.fingerprint.clone(),
            sweeps: workers[0].chain.sweeps(),
            draws,
            chains: workers.iter().map(ChainState::from_worker).collect(),
        };
        let json = serde_json::to_vec(&state).expect("states have no keys that are not strings");
        write_whole(&self.state_file(), &json)
    }
}

/// A stream's position in words; a run of a thousand years stays below 2^64.
fn position(rng: &crate::rng::Rng) -> u64 {
    u64::try_from(rng.get_word_pos()).expect("no stream is drawn from so often")
}

impl ChainState {
    fn from_worker(worker: &Worker<'_, '_>) -> Self {
        let chain = &worker.chain;
        ChainState {
            states: chain.pages.iter().map(|page| page.states.clone()).collect(),
            positions: chain.pages.iter().map(|page| position(&page.rng)).collect(),
            parameter_position: position(&chain.parameter_rng),
            record_position: position(&chain.record_rng),
            replicate_position: position(&chain.replicate_rng),
            visits: worker.drawn.visits.clone(),
        }
    }

    fn chain<'s, 'a>(&self, sampler: &'s Sampler<'a>, number: u32, sweeps: u32) -> Chain<'s, 'a> {
        let mut chain = sampler.chain_from(number, sweeps, self.states.clone());
        for (page, &position) in chain.pages.iter_mut().zip(&self.positions) {
            page.rng.set_word_pos(position.into());
        }
        chain.parameter_rng.set_word_pos(self.parameter_position.into());
        chain.record_rng.set_word_pos(self.record_position.into());
        chain.replicate_rng.set_word_pos(self.replicate_position.into());
        chain
    }
}

/// The first `length` doubles of a file.
fn read_numbers(path: &Path, length: usize) -> Result<Vec<f64>> {
    let bytes = read_bytes(path, length * size_of::<f64>())?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect())
}

/// The first `length` bytes of a file.
fn read_bytes(path: &Path, length: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| Error::io(path, error))?;
    file.take(length as u64).read_to_end(&mut bytes).map_err(|error| Error::io(path, error))?;
    if bytes.len() < length {
        let folder = path.parent().unwrap_or(path);
        return Err(Error::data(
            path.display(),
            format!("cut short: {} of {length} bytes", bytes.len()),
            format!("remove the folder {} to begin again", folder.display()),
        ));
    }
    Ok(bytes)
}

/// Writes the numbers from `length` on behind the first `length` of a file.
fn append_numbers(path: &Path, length: usize, numbers: &[f64]) -> Result<()> {
    let bytes: Vec<u8> = numbers[length..].iter().flat_map(|value| value.to_le_bytes()).collect();
    append(path, length * size_of::<f64>(), &bytes)
}

/// Writes `bytes` behind the first `length` of a file, in place of what stands there.
fn append(path: &Path, length: usize, bytes: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        file.set_len(length as u64)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)?;
        file.sync_data()
    };
    write().map_err(|error| Error::io(path, error))
}
