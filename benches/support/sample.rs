//! Pages as they come from disk, those that the library makes, and the models that read them.

#![allow(dead_code, reason = "each measurement uses its own part")]

use std::path::{Path, PathBuf};

use duramen::dataset::synth::{self, SynthConfig};
use duramen::dom::{Limits, encoding};
use duramen::extract::PageExtractor;
use duramen::extract::hmt::{Hmt, Inference};
use duramen::extract::render::{RenderOptions, Selection, to_text};
use duramen::model::Model;
use duramen::page::Page;
use encoding_rs::Encoding;

/// One page as it comes from disk, and the encoding that the baseline is told.
pub struct Sample {
    pub id: String,
    pub bytes: Vec<u8>,
    pub encoding: &'static Encoding,
}

impl Sample {
    /// The page, unless it cannot be extracted at all (no text).
    pub fn new(id: String, bytes: Vec<u8>, hmt: &Hmt) -> Option<Sample> {
        let encoding = encoding::decode(&bytes, None).ok()?.1;
        let sample = Sample { id, bytes, encoding };
        hmt.extract_page(&sample.page()).is_ok().then_some(sample)
    }

    /// Its text, as the other extractors get it.
    pub fn decoded(&self) -> String {
        self.encoding.decode(&self.bytes).0.into_owned()
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
    of(Model::by_name("web-blocks"))
}

fn of(model: duramen::Result<Model>) -> Hmt {
    Hmt::new("hmt", model.expect("a bundled model"), Inference::Exact).expect("no settings")
}

/// The synthetic pages.
pub fn made(hmt: &Hmt) -> Vec<Sample> {
    let config = SynthConfig { sites: 20, pages_per_site: 4, ..SynthConfig::default() };
    let pages = synth::generate(&config).expect("the default corpus, smaller");
    pages.into_iter().filter_map(|page| Sample::new(page.id, page.original, hmt)).collect()
}

/// The pages of a folder in order of their names: every file that ends in `.html`.
pub fn in_folder(folder: &Path, hmt: &Hmt) -> Vec<Sample> {
    let entries = std::fs::read_dir(folder).expect("a folder that can be read");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "html"));
    files.sort();
    let sample =
        |file: &PathBuf| Sample::new(file.display().to_string(), std::fs::read(file).expect("a page"), hmt);
    files.iter().filter_map(sample).collect()
}
