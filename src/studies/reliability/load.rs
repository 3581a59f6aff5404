//! A long run: an archive of a million pages, how fast they come and how much memory the program holds over time.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::dataset::synth::{SynthConfig, generate};
use crate::error::{Error, Result};
use crate::harness::journal::{Entry, key_of};
use crate::progress::Progress;
use crate::warc::{EPOCH, WarcWriter};

/// Pages of the archive that differ; a longer one has them again and again.
const DIFFERENT: u64 = 5_000;
/// Pages of a part of the output.
const PART: u64 = 1_000;
/// Of so many records one is damaged, where some are.
const DAMAGED: u64 = 100;

/// A long run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// Pages in the archive.
    pub pages: u64,
    /// Of these, those whose record was damaged.
    pub damaged: u64,
    /// Lines of the output, one for each page that was read.
    pub rows: u64,
    /// Those whose status is `ok`.
    pub ok: u64,
    /// Exit code of the program; none if a signal ended it.
    pub code: Option<i32>,
    /// What the program says at its end.
    pub said: String,
    /// The course of the run, in tenths.
    pub course: Vec<Tenth>,
}

/// A tenth of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tenth {
    /// Pages that were out at its end.
    pub pages: u64,
    /// Pages a second of it.
    pub rate: f64,
    /// The most memory in it, in bytes; 0 where the system does not tell.
    pub memory: u64,
}

impl Load {
    pub(super) fn key_of(pages: u64, is_damaged: bool) -> String {
        key_of(&["load", &pages.to_string(), if is_damaged { "damaged" } else { "whole" }])
    }
}

impl Entry for Load {
    fn key(&self) -> String {
        Load::key_of(self.pages, self.damaged > 0)
    }
}

/// Writes an archive of so many pages; of every hundred records one is damaged in its compressed bytes, if some are to be. Gives the
/// number of damaged records.
///
/// # Errors
/// [`Error::Io`].
pub fn write_archive(path: &Path, pages: u64, is_damaged: bool) -> Result<u64> {
    let failed = |error| Error::io(path, error);
    let different = generate(&SynthConfig {
        sites: DIFFERENT as usize / 10,
        pages_per_site: 10,
        ..SynthConfig::default()
    })?;
    // The record that every archive begins with.
    let head = WarcWriter::new(Vec::new()).map_err(failed)?.into_inner().len();
    let records: Vec<Vec<u8>> = different
        .iter()
        .map(|page| {
            let mut writer = WarcWriter::new(Vec::new())?;
            writer.page(&page.url, EPOCH, &page.original)?;
            Ok(writer.into_inner().split_off(head))
        })
        .collect::<std::io::Result<_>>()
        .map_err(failed)?;
    let mut archive = BufWriter::new(File::create(path).map_err(failed)?);
    let mut damaged = 0;
    for (number, record) in (0..pages).zip(records.iter().cycle()) {
        let mut record = Cow::Borrowed(record);
        if is_damaged && number % DAMAGED == DAMAGED / 2 {
            let middle = record.len() / 2;
            record.to_mut()[middle..middle + 8].iter_mut().for_each(|byte| *byte ^= 0xff);
            damaged += 1;
        }
        archive.write_all(&record).map_err(failed)?;
    }
    archive.flush().map_err(failed)?;
    Ok(damaged)
}

/// Runs `program extract` on such an archive, and looks at it twice a second.
///
/// # Errors
/// [`Error::Interrupted`], [`Error::Io`].
pub fn load(
    program: &Path,
    pages: u64,
    is_damaged: bool,
    folder: &Path,
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Result<Load> {
    let archive = folder.join("load.warc.gz");
    let damaged = write_archive(&archive, pages, is_damaged)?;
    let out = folder.join("load");
    let problems = folder.join("said-of-load");
    let stderr = File::create(&problems).map_err(|error| Error::io(&problems, error))?;
    progress.stage(if is_damaged { "pages, some damaged" } else { "pages" }, pages as usize);
    let mut child = Command::new(program)
        .args(["extract", "--output-format", "jsonl", "--part-pages", &PART.to_string(), "-d"])
        .arg(&out)
        .arg(&archive)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()
        .map_err(|error| Error::io(program, error))?;
    let start = Instant::now();
    let parts = out.join("load");
    // Seconds since the start, pages out and memory.
    let mut seen: Vec<(f64, u64, u64)> = vec![(0.0, 0, 0)];
    let code = loop {
        if stop.load(Ordering::Relaxed) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Error::Interrupted);
        }
        std::thread::sleep(Duration::from_millis(500));
        let n_parts = std::fs::read_dir(&parts).map_or(0, |entries| entries.filter(is_part).count() as u64);
        seen.push((start.elapsed().as_secs_f64(), (n_parts * PART).min(pages), memory(&child)));
        progress.done(seen.last().expect("one at least").1);
        if let Some(status) = child.try_wait().map_err(|error| Error::io(program, error))? {
            break status.code();
        }
    };
    let (rows, ok) = count(&parts)?;
    let said = std::fs::read_to_string(&problems).unwrap_or_default();
    let said = said.lines().last().unwrap_or_default().replace(&folder.display().to_string(), "");
    for path in [&archive, &problems] {
        std::fs::remove_file(path).map_err(|error| Error::io(path, error))?;
    }
    std::fs::remove_dir_all(&out).map_err(|error| Error::io(&out, error))?;
    Ok(Load { pages, damaged, rows, ok, code, said, course: course(&seen) })
}

type Listed = std::io::Result<std::fs::DirEntry>;

/// Whether a file is a part that is done.
fn is_part(entry: &Listed) -> bool {
    let name = entry.as_ref().map(|entry| entry.file_name().to_string_lossy().into_owned());
    name.is_ok_and(|name| name.starts_with("part-") && name.ends_with(".jsonl"))
}

/// The memory of a process, where the system tells it.
fn memory(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.map_or(0, |kilobytes| kilobytes << 10)
}

/// The lines of all parts, and those of pages with text.
fn count(parts: &Path) -> Result<(u64, u64)> {
    let (mut rows, mut ok) = (0, 0);
    for entry in std::fs::read_dir(parts).map_err(|error| Error::io(parts, error))?.filter(is_part) {
        let path = entry.map_err(|error| Error::io(parts, error))?.path();
        let text = std::fs::read_to_string(&path).map_err(|error| Error::io(&path, error))?;
        rows += text.lines().count() as u64;
        ok += text.lines().filter(|line| line.contains("\"status\":\"ok\"")).count() as u64;
    }
    Ok((rows, ok))
}

/// The tenths of a run by the number of pages that were out.
fn course(seen: &[(f64, u64, u64)]) -> Vec<Tenth> {
    let all = seen.last().expect("one at least").1;
    let mut tenths = Vec::new();
    let mut from = 0;
    for tenth in 1..=10 {
        let until =
            seen.iter().position(|&(_, pages, _)| pages * 10 >= all * tenth).expect("the last has all");
        if until > from {
            let ((start, before, _), (end, pages, _)) = (seen[from], seen[until]);
            let memory = seen[from + 1..=until].iter().map(|&(_, _, memory)| memory).max().unwrap_or(0);
            tenths.push(Tenth { pages, rate: (pages - before) as f64 / (end - start), memory });
        }
        from = until;
    }
    tenths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_divided_by_the_pages_that_are_out() {
        let seen: Vec<(f64, u64, u64)> = (0..=20).map(|i| (i as f64, i * 100, 1000 + i)).collect();
        let tenths = course(&seen);
        assert_eq!(tenths.len(), 10);
        assert!(tenths.iter().all(|tenth| tenth.rate == 100.0));
        assert_eq!((tenths[0].pages, tenths[0].memory, tenths[9].memory), (200, 1002, 1020));
        assert_eq!(course(&[(0.0, 0, 0), (1.0, 500, 7)]), [Tenth { pages: 500, rate: 500.0, memory: 7 }]);
    }
}
