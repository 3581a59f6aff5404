//! `Provenance`: what varies between runs of one experiment: machine, checkout, duration.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::times::Times;

/// How, where and how long a run was made. Nothing in tables or figures depends on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The commit that was checked out where the experiment's file lies; none outside a checkout.
    pub commit: Option<String>,
    /// Whether the checkout had changes that were not committed, those under `results` aside.
    pub dirty: Option<bool>,
    /// Operating system and processor architecture.
    pub platform: String,
    /// The processor's name, where the system tells.
    pub processor: Option<String>,
    /// Threads that worked.
    pub threads: usize,
    /// Seconds from reading the pages to the last extraction; of a run that was interrupted, since it went on.
    pub seconds: f64,
    /// For each system the pages that it extracted and the seconds that took, summed over threads.
    pub systems: Vec<(String, u64, f64)>,
}

impl Provenance {
    /// What can be told here and now; `folder` is where the experiment's file lies.
    pub fn here(folder: &Path, seconds: f64, times: &Times) -> Provenance {
        let git = |arguments: &[&str]| {
            let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let commit = git(&["rev-parse", "HEAD"]);
        // What runs write is no change of what makes them.
        let changes = ["status", "--porcelain", "--untracked-files=no", "--", ":/", ":(exclude,top)results"];
        let dirty = git(&changes).map(|changes| !changes.is_empty());
        Provenance {
            dirty: commit.as_ref().and(dirty),
            commit,
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor(),
            threads: rayon::current_num_threads(),
            seconds,
            systems: times.seconds(),
        }
    }
}

/// The processor's name as Linux tells it.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}
