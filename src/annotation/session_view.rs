//! What the application shows of a session: the list of pages, a page as it is opened, and what is known of it given marks.

use serde::Serialize;

use super::{Status, Work};
use crate::model::PageType;

/// A page in the list.
#[derive(Debug, Clone, Serialize)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// Its address.
    pub url: Option<String>,
    /// Its site.
    pub site: String,
    /// The F1 that the model expected of it at first.
    pub confidence: Option<f64>,
    /// How improbable the labels are that it has already, in nats a word; none where it has none.
    pub doubt: Option<f64>,
    /// Beside another system the share of the words that either keeps on which the two disagree: 0 to 1.
    pub disagreement: Option<f64>,
    /// How far it is.
    pub status: Status,
}

/// A label that a block has already, and that is reviewed.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GivenLabel {
    /// Its letter.
    pub label: char,
    /// P of it, in per cent, by a model that has not seen the page's site.
    pub p: u8,
    /// The letter of the label that this model gives.
    pub found: char,
}

/// What another system makes of a page.
#[derive(Debug, Clone, Serialize)]
pub struct Beside {
    /// Its name.
    pub name: String,
    /// The letter of each block's label.
    pub labels: String,
    /// P(label) of each block, in per cent; empty of a system without probabilities.
    pub p: Vec<u8>,
    /// What it extracts, as Markdown.
    pub text: String,
}

/// What is known of a page given the marks.
#[derive(Debug, Clone, Serialize)]
pub struct Labelled {
    /// The letter of each block's label.
    pub labels: String,
    /// P(label) of each block, in per cent.
    pub p: Vec<u8>,
    /// The block that the model is least certain of, of those that are not marked.
    pub least_certain: Option<usize>,
    /// Blocks that are neither marked nor certain.
    pub uncertain: usize,
    /// The kinds that the page may be of, the most probable first.
    pub kinds: Vec<(PageType, f64)>,
    /// The F1 that is expected of the text.
    pub confidence: Option<f64>,
    /// What is extracted, as Markdown.
    pub text: String,
}

/// A page as it is opened.
#[derive(Debug, Serialize)]
pub struct Opened {
    /// What stands in a sheet of each block: parent and tag, ids and classes.
    pub blocks: Vec<String>,
    /// What the annotator has done so far.
    pub work: Option<Work>,
    /// The label that each block has already; empty if none has.
    pub given: Vec<Option<GivenLabel>>,
    /// What another system makes of the page, if one is compared.
    pub beside: Option<Beside>,
}

/// How far a session is.
#[derive(Debug, Serialize)]
pub struct Overview<'a> {
    /// Pages whose labels are accepted.
    pub accepted: usize,
    /// Pages that are skipped.
    pub skipped: usize,
    /// All pages.
    pub all: usize,
    /// Of the accepted pages the mean F1 of the article's words that the model had before it saw a mark of the page: as it is, and with what it
    /// knew of the site.
    pub before: Option<[f64; 2]>,
    /// Of the ten pages accepted last how many there are, and how many of them needed a mark: a sign when enough is enough. Of pages that
    /// have labels already, how many were changed.
    pub last: [usize; 2],
    /// The pages in their order.
    pub pages: Vec<&'a Listed>,
}

/// What the other open pages of a site have in common with one.
#[derive(Debug, Default, Serialize)]
pub struct SameSite {
    /// Pages with blocks in the same places.
    pub pages: usize,
    /// These blocks.
    pub blocks: usize,
    /// Of the first of these pages what is then extracted.
    pub preview: Vec<Preview>,
}

/// A page with the beginning of its text.
#[derive(Debug, Serialize)]
pub struct Preview {
    /// The page.
    pub id: String,
    /// Its text.
    pub text: String,
}

impl Overview<'_> {
    /// The same without the pages, of which there may be many.
    pub fn without_pages(self) -> Self {
        Overview { pages: Vec::new(), ..self }
    }
}
