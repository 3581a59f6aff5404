//! What several test files need: the folder of real archives, and corpora fetched from it once.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod boilerpipe;
pub mod corpora;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use duramen::dataset::{self, FetchOptions};
use duramen::progress::Progress;

/// The output function of SplitMix64: numbers that scripts of references make too.
pub fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Counts the steps that are told of.
#[derive(Debug, Default)]
pub struct StepCount(AtomicUsize);

impl StepCount {
    pub fn steps(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Progress for StepCount {
    fn stage(&self, _name: &str, _steps: usize) {}
    fn step(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    fn note(&self, _text: &str) {}
}

/// The folder that holds the real archives in `datasets/`: the environment's `DURAMEN_SHARED`, else `../shared`
/// beside the package; `None` if there is none.
///
/// # Panics
/// If `DURAMEN_SHARED` names a folder without archives: a test must not be left out by a slip.
pub fn shared() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("DURAMEN_SHARED").filter(|folder| !folder.is_empty()) {
        let folder = PathBuf::from(folder);
        assert!(folder.join("datasets").is_dir(), "DURAMEN_SHARED: {} has no datasets", folder.display());
        return Some(folder);
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    beside.join("datasets").is_dir().then_some(beside)
}

/// What opening a layout engine gave; none where that failed for want of a browser and `CI` is not `true`, after saying so
/// on the test's output.
///
/// # Panics
/// If it failed for another reason, or where nothing may be left out.
pub fn unless_no_chromium<T>(test: &str, opened: duramen::Result<T>) -> Option<T> {
    match opened {
        Ok(engine) => Some(engine),
        Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("{test}: {error}"),
        Err(duramen::Error::Usage { what, .. }) if what.starts_with("there is no Chromium") => {
            println!("left out: {test} needs Chromium");
            None
        }
        Err(error) => panic!("{test}: {error}"),
    }
}

/// A data folder with the corpus (`l3s-gn1`, `wcxb/dev`, ...), unpacked once per target folder from the real archives;
/// `None`, after saying so on the test's output, where those are not there.
///
/// Several processes may ask at once: the fetch itself sees to it that each finds all or nothing.
///
/// # Panics
/// If the archives are there and this one cannot be fetched: then nothing may be left out.
pub fn corpus(name: &str) -> Option<PathBuf> {
    let Some(shared) = shared() else {
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        println!("left out: {test} needs the archives of ../shared/datasets");
        return None;
    };
    let (manifest, part) = dataset::resolve(name).unwrap();
    // References alone lie beside the pages that they are of.
    let pages =
        manifest.pairs.pages_of.as_deref().map(|pages| corpus(pages).expect("the archives are there"));
    let archive = manifest.archives.iter().find(|archive| archive.parts.contains(&part.name)).unwrap();
    // A folder per checksum: a new archive is never taken for the one unpacked before it.
    let key = archive.files[0].sha256.as_ref().map_or("unpinned", |sum| &sum[..16]);
    let data_dir = pages.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpora").join(key));
    // Labels of our own are in the repository.
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets");
    let is_own = own.join(&archive.files[0].name).exists();
    let mirror = if is_own { own } else { shared.join("datasets") }.to_str().unwrap().to_owned();
    let options = FetchOptions { mirror: Some(mirror), ..FetchOptions::default() };
    dataset::fetch(
        &manifest,
        &part,
        &data_dir,
        &options,
        &duramen::progress::Silent,
        &std::sync::atomic::AtomicBool::new(false),
    )
    .unwrap();
    Some(data_dir)
}
