//! `Times`, how long the extractions of each system took.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::config::System;

/// How long the extractions of each system took: the only result that varies between runs.
#[derive(Debug)]
pub struct Times {
    /// System, pages extracted in this run, nanoseconds.
    systems: Vec<(String, AtomicU64, AtomicU64)>,
}

impl Times {
    pub(super) fn from_systems(systems: &[System]) -> Times {
        let time = |system: &System| (system.id.clone(), AtomicU64::new(0), AtomicU64::new(0));
        Times { systems: systems.iter().map(time).collect() }
    }

    pub(super) fn add(&self, system: &str, pages: usize, time: Duration) {
        if let Some((_, n, sum)) = self.systems.iter().find(|(id, ..)| id == system) {
            n.fetch_add(pages as u64, Ordering::Relaxed);
            sum.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
        }
    }

    /// For each system its id, the pages that it extracted in this run (those taken from a journal are not among
    /// them) and the seconds that took on all threads together.
    pub fn seconds(&self) -> Vec<(String, u64, f64)> {
        let seconds = |(id, n, sum): &(String, AtomicU64, AtomicU64)| {
            (id.clone(), n.load(Ordering::Relaxed), sum.load(Ordering::Relaxed) as f64 / 1e9)
        };
        self.systems.iter().map(seconds).collect()
    }
}
