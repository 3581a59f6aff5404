//! What the speed measurements share: the baseline, the pages, the other extractors, and the steps of an extraction.

#![allow(dead_code, reason = "each measurement uses its own part")]

#[path = "../../tests/support/mod.rs"]
mod archives;
pub mod arena;
pub mod peers;
mod sample;

use duramen::dataset::{self, Document};
use duramen::extract::hmt::Hmt;

pub use sample::{Sample, counted, hmt, made};

/// About how many pages are taken of a real corpus.
const REAL_PAGES: usize = 100;

/// Pages that are measured together.
pub struct Pages {
    pub name: &'static str,
    pub pages: Vec<Sample>,
}

/// The synthetic pages, and samples of the real corpora whose archives are there.
pub fn corpora(hmt: &Hmt) -> Vec<Pages> {
    let mut all = vec![Pages { name: "synthetic", pages: made(hmt) }];
    all.extend(["l3s-gn1", "wcxb/dev"].into_iter().filter_map(|name| real(name, hmt)));
    all
}

/// Every n-th page of a real corpus.
fn real(name: &'static str, hmt: &Hmt) -> Option<Pages> {
    let corpus = dataset::open(name, &archives::corpus(name)?).expect("a corpus that was just unpacked");
    let step = (corpus.len() / REAL_PAGES).max(1);
    let pages = (0..corpus.len()).step_by(step).filter_map(|index| {
        let Document { id, html, .. } = corpus.read(index).expect("a page");
        Sample::new(id, html, hmt)
    });
    Some(Pages { name, pages: pages.collect() })
}
