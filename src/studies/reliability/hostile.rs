//! What hostile pages cost: the program itself, run on each, with its time and memory as the system counts them.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use wait4::Wait4;

use super::families::Family;
use crate::error::{Error, Result};
use crate::harness::journal::{Entry, key_of};

/// What a page of a family cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The family.
    pub family: String,
    /// The format that was written.
    pub format: String,
    /// The size that was asked for in bytes; the page is as large or smaller by less than one repetition.
    pub bytes: usize,
    /// The exit code: 0 if text was found, 1 if the page is a failed one; none if the program was ended by a signal.
    pub code: Option<i32>,
    /// What was said of a page that failed.
    pub problem: String,
    /// Seconds of processor time, with the start of the program.
    pub seconds: f64,
    /// The most memory of the program in bytes.
    pub memory: u64,
}

impl Cost {
    pub(super) fn key_of(family: &str, format: &str, bytes: usize) -> String {
        key_of(&["cost", family, format, &bytes.to_string()])
    }
}

impl Entry for Cost {
    fn key(&self) -> String {
        Cost::key_of(&self.family, &self.format, self.bytes)
    }
}

/// Runs `program extract` on the page of a family of this size.
///
/// # Errors
/// [`Error::Io`] if the page cannot be written or the program not be started.
pub fn cost(program: &Path, family: &Family, format: &str, bytes: usize, folder: &Path) -> Result<Cost> {
    let page = folder.join("page.html");
    std::fs::write(&page, family.page(bytes)).map_err(|error| Error::io(&page, error))?;
    let out = folder.join("out");
    let problems = folder.join("problems");
    let stderr = std::fs::File::create(&problems).map_err(|error| Error::io(&problems, error))?;
    let mut child = Command::new(program)
        .args(["extract", "-q", "--output-format", format])
        .arg(&page)
        .arg("-o")
        .arg(&out)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()
        .map_err(|error| Error::io(program, error))?;
    let used = child.wait4().map_err(|error| Error::io(program, error))?;
    let said = std::fs::read_to_string(&problems).unwrap_or_default();
    let problem = said.split_once("page.html: ").map_or(said.trim(), |(_, problem)| problem.trim());
    Ok(Cost {
        family: family.name.to_owned(),
        format: format.to_owned(),
        bytes,
        code: used.status.code(),
        problem: problem.to_owned(),
        seconds: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        memory: used.rusage.maxrss,
    })
}
