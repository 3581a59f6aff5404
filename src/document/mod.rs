//! One page from its bytes to what is known of it: the one way of the library, of the program and of Python.
//!
//! [`extract`] and [`extract_with`] do all of it in one call. What is wrong with a page is the status of its [`Document`]; an
//! [`Error`](crate::Error) is only what is wrong with the call.

mod budget;
mod options;
pub mod sample;
#[cfg(feature = "zstd")]
pub mod sampled;
#[cfg(test)]
mod tests;
mod written;

use std::ops::Deref;

use crate::error::Result;
use crate::extract::render::{
    ImageRecord, Kept, LeadImageRecord, NodeRecord, RenderOptions, RenderedPage, Selection, image_records,
    lead_image_record, node_records, to_text,
};
use crate::extract::{ExtractError, Extraction};
use crate::label::LabelSet;
use crate::page::Page;
use crate::page_work::{on_page, read_clock};
pub use budget::{CountTokens, TokenBudget};
pub use options::{Options, is_language_code};
pub use written::{JsonParts, csv, csv_header};

/// Extracts a page with the model `web`, which is read at the first call (some 30 ms) and kept.
///
/// # Errors
/// As [`extract_with`].
///
/// # Examples
/// ```
/// let html = b"<title>Oak</title><nav><a href=/>Home</a></nav><h1>Oak</h1><p>The oldest oak of the village fell on Monday.";
/// let document = duramen::extract(html)?;
/// assert_eq!(document.text, "Oak\n\nThe oldest oak of the village fell on Monday.\n");
/// assert_eq!((document.status, document.title.as_deref()), ("ok", Some("Oak")));
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn extract(bytes: &[u8]) -> Result<Document> {
    extract_with(bytes, &Options::default())
}

/// Extracts a page, as [`Options`] say.
///
/// # Errors
/// As [`Options::check`]. What is wrong with the page is the document's `status`, with the `problem`.
///
/// # Examples
/// ```
/// use duramen::{Model, Options, RenderOptions};
///
/// let html = b"<h1>Oak</h1><p>The oldest oak of the village fell on <a href=/monday>Monday</a> night, after a storm.";
/// let options = Options {
///     url: Some("https://wood.example/oak".to_owned()),
///     min_confidence: Some(0.1),
///     ..Options::of_model(Model::by_name("web")?.with_convention("everything".parse()?)?)?
/// };
/// let document = duramen::extract_with(html, &options)?;
/// let markdown = document.markdown(&RenderOptions { links: true, ..RenderOptions::default() });
/// assert!(markdown.contains("fell on [Monday](https://wood.example/monday) night"), "{markdown}");
/// # Ok::<(), duramen::Error>(())
/// ```
pub fn extract_with(bytes: &[u8], options: &Options) -> Result<Document> {
    options.check()?;
    let document = || Ok(Document::of_page(options.parse(bytes)?, options));
    let document =
        on_page(options.limits.max_seconds, document).unwrap_or_else(|problem| Err(problem.into()));
    Ok(document
        .unwrap_or_else(|error: ExtractError| Document::failed(options.id(), options.url.clone(), &error)))
}

/// What was found on a page. Its [record](RenderedPage) has the text, what the page says of itself, confidence and status, and
/// stands for it: `document.text` is `document.record.text`.
///
/// A page that could not be extracted is a document too, without text, blocks and images, but with what the page says of itself: `status`
/// and `problem` say why.
#[derive(Debug)]
pub struct Document {
    /// What is said of the page.
    pub record: RenderedPage,
    found: Option<Found>,
}

/// A page that an extractor could read.
#[derive(Debug)]
struct Found {
    page: Page,
    extraction: Extraction,
    kept: Kept,
}

/// The kept images of a page, as JSON has them.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Images {
    /// In document order.
    pub images: Vec<ImageRecord>,
    /// The one that stands for the page, of extractors and [models](Options::image_model) that choose one.
    pub lead_image: Option<LeadImageRecord>,
}

impl Deref for Document {
    type Target = RenderedPage;

    fn deref(&self) -> &RenderedPage {
        &self.record
    }
}

impl Document {
    /// Extracts a page that stands for itself.
    pub fn of_page(page: Page, options: &Options) -> Document {
        let found = options.extractions(&[&page]).remove(0);
        Document::new(page, found, options)
    }

    /// A page with what [an extractor found](Options::extractions) on it.
    pub fn new(page: Page, found: Result<Extraction, ExtractError>, options: &Options) -> Document {
        let found = found.and_then(|mut extraction| {
            if let Some(model) = &options.image_model
                && extraction.images.is_none()
                && extraction.posteriors.is_some()
            {
                extraction.images = Some(model.images(&page, &extraction));
            }
            read_clock();
            let kept = options.kept(&page, &extraction)?;
            Ok((extraction, kept))
        });
        let (extraction, mut kept) = match found {
            Ok(found) => found,
            Err(error) => return Document { record: RenderedPage::without_text(&page, &error), found: None },
        };
        let render = RenderOptions { tables: options.tables, ..RenderOptions::default() };
        let mut record = RenderedPage::new(&page, &extraction, &options.selection, &kept, &render);
        // Confidence is that of all that is content.
        if let Some(list) = &options.repeats {
            let dropped = list.drop_from(&page, &mut kept);
            record.repeated_words = Some(dropped);
            if dropped > 0 {
                record.cut_to(&page, &extraction, &kept, &render, "all of its text is repeated on its site");
            }
        }
        if let Some(budget) = &options.max_tokens {
            budget.apply(&page, &extraction, &options.selection, &mut kept);
            let none = "no block of the text is as short as was asked for";
            record.cut_to(&page, &extraction, &kept, &render, none);
        }
        if let Some(least) = options.min_confidence {
            record.abstain_below(least);
        }
        if record.status == "ok"
            && let Some(why) = options.unwanted(&record)
        {
            record.withhold(why);
        }
        Document { record, found: Some(Found { page, extraction, kept }) }
    }

    /// A page that could not be read or extracted.
    pub fn failed(id: impl Into<String>, url: Option<String>, error: &ExtractError) -> Document {
        Document { record: RenderedPage::failed(id, url, error), found: None }
    }

    /// The page and what the extractor found on it, with the probabilities of every node; of no page that failed.
    pub fn extraction(&self) -> Option<(&Page, &Extraction)> {
        self.found.as_ref().map(|found| (&found.page, &found.extraction))
    }

    /// The shown text nodes in document order, each with label and probabilities.
    pub fn blocks(&self) -> Vec<NodeRecord> {
        let found = self.found.as_ref();
        found.map_or(Vec::new(), |found| node_records(&found.page, &found.extraction, &found.kept))
    }

    /// The kept images.
    pub fn images(&self) -> Images {
        let Some(Found { page, extraction, kept }) = &self.found else { return Images::default() };
        Images { images: image_records(page, extraction, kept), lead_image: lead_image_record(extraction) }
    }

    /// The text under other labels than those that are kept, such as the comments beside an article.
    pub fn text_of(&self, labels: LabelSet) -> String {
        let Some(Found { page, extraction, .. }) = &self.found else { return String::new() };
        let kept = Selection { labels, ..Selection::default() }.kept(page, extraction);
        to_text(page, &kept.expect("the extraction is of this page"), &RenderOptions::default())
    }
}
