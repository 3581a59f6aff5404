//! What the speed measurements share: the baseline, the pages, and the steps of an extraction.

#![allow(dead_code, reason = "each measurement uses its own part")]

#[path = "../../tests/support/mod.rs"]
mod archives;
pub mod arena;

use duramen::dataset::synth::{self, SynthConfig};
use duramen::dataset::{self, Document};
use duramen::dom::{Limits, encoding};
use duramen::extract::PageExtractor;
use duramen::extract::hmt::{Hmt, Inference};
use duramen::extract::render::{RenderOptions, Selection, to_text};
use duramen::model::Model;
use duramen::page::Page;
use encoding_rs::Encoding;

/// About how many pages are taken of a real corpus.
const REAL_PAGES: usize = 100;

/// Pages that are measured together.
pub struct Pages {
    pub name: &'static str,
    pub pages: Vec<Sample>,
}

/// One page as it comes from disk, and the encoding that the baseline is told.
pub struct Sample {
    pub id: String,
    pub bytes: Vec<u8>,
    pub encoding: &'static Encoding,
}

impl Sample {
    /// The page, unless it cannot be extracted at all (no text).
    fn new(id: String, bytes: Vec<u8>, hmt: &Hmt) -> Option<Sample> {
        let encoding = encoding::decode(&bytes, None).ok()?.1;
        let sample = Sample { id, bytes, encoding };
        hmt.extract_page(&sample.page()).is_ok().then_some(sample)
    }

    /// The page, parsed.
    pub fn page(&self) -> Page {
        Page::parse(self.id.as_str(), None, &self.bytes, None, &Limits::default()).expect("a page")
    }

    /// From bytes to text: what one page costs a user.
    pub fn extract(&self, hmt: &Hmt) -> String {
        text(&self.page(), hmt)
    }
}

/// From a parsed page to text.
fn text(page: &Page, hmt: &Hmt) -> String {
    let extraction = hmt.extract_page(page).expect("an extraction");
    let kept = Selection::default().kept(page, &extraction).expect("an extraction of this page");
    to_text(page, &kept, &RenderOptions::default())
}

/// The default model with exact inference.
pub fn hmt() -> Hmt {
    of(Model::bundled())
}

/// The model of counts alone, which can be sampled from.
pub fn counted() -> Hmt {
    of(Model::by_name("news-blocks"))
}

fn of(model: duramen::Result<Model>) -> Hmt {
    Hmt::new("hmt", model.expect("a bundled model"), Inference::Exact).expect("no settings")
}

/// The synthetic pages, and samples of the real corpora whose archives are there.
pub fn corpora(hmt: &Hmt) -> Vec<Pages> {
    let config = SynthConfig { sites: 20, pages_per_site: 4, ..SynthConfig::default() };
    let pages = synth::generate(&config).expect("the default corpus, smaller");
    let pages = pages.into_iter().filter_map(|page| Sample::new(page.id, page.original, hmt));
    let mut all = vec![Pages { name: "synthetic", pages: pages.collect() }];
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
