//! The steps of an extraction, each a function of its own, for callgrind to count the instructions of: scripts/instructions.sh.
//! Of the synthetic pages, or of those in the folder that `DURAMEN_PAGES` names. Run by itself it does the same and says nothing.

#[path = "support/arena.rs"]
mod arena;
#[path = "support/sample.rs"]
mod sample;

use std::hint::black_box;

use duramen::dom::{Dom, Limits};
use duramen::extract::hmt::Hmt;
use duramen::extract::render::{RenderOptions, Selection, to_text};
use duramen::extract::{Extraction, PageExtractor};
use duramen::model::Observation;
use duramen::page::Page;
use sample::Sample;

fn main() {
    let hmt = sample::hmt();
    let samples = match std::env::var_os("DURAMEN_PAGES") {
        Some(folder) => sample::in_folder(folder.as_ref(), &hmt),
        None => sample::made(&hmt),
    };
    for sample in samples {
        step_baseline(&sample);
        step_parse(&sample);
        let page = sample.page();
        let observation = step_features(&page, &hmt);
        step_inference(&observation, &hmt);
        let extraction = hmt.extract_page(&page).expect("an extraction");
        step_rendering(&page, &extraction);
        step_whole(&sample, &hmt);
    }
}

#[inline(never)]
fn step_baseline(sample: &Sample) {
    drop(black_box(arena::parse(&sample.bytes, sample.encoding)));
}

#[inline(never)]
fn step_parse(sample: &Sample) {
    drop(black_box(Dom::parse(&sample.bytes, None, &Limits::default())));
}

#[inline(never)]
fn step_features(page: &Page, hmt: &Hmt) -> Observation {
    hmt.model().observation(page).expect("no layout is needed")
}

#[inline(never)]
fn step_inference(observation: &Observation, hmt: &Hmt) {
    drop(black_box(hmt.exact_posteriors(observation)));
}

#[inline(never)]
fn step_rendering(page: &Page, extraction: &Extraction) {
    let kept = Selection::default().kept(page, extraction).expect("an extraction of this page");
    drop(black_box(to_text(page, &kept, &RenderOptions::default())));
}

#[inline(never)]
fn step_whole(sample: &Sample, hmt: &Hmt) {
    drop(black_box(sample.extract(hmt)));
}
