//! The images that an output keeps, and their records.

use serde::Serialize;

use super::Kept;
use crate::dom::xpath::XPaths;
use crate::dom::{Dom, Tag};
use crate::extract::Extraction;
use crate::extract::pictures::Picture;
use crate::index::NodeId;
use crate::page::Page;

/// The kept pictures in document order, each with an address: those that the extractor holds for part of the content; of
/// an extractor that does not tell, those whose neighbouring shown text, before or after, is kept. What has a stated size of two
/// pixels or less is none, and pictures in preformatted text have no place.
pub(super) fn kept_pictures(page: &Page, kept: &Kept) -> Vec<Picture> {
    let has_place = |picture: &Picture| picture.url().is_some() && !picture.is_dot();
    match kept.images() {
        Some(images) => images.iter().filter(|picture| has_place(picture)).cloned().collect(),
        None => {
            let seen = Picture::on_page(page).into_iter().filter(has_place);
            beside_kept_text(page.dom(), kept, seen)
        }
    }
}

fn beside_kept_text(dom: &Dom, kept: &Kept, pictures: impl Iterator<Item = Picture>) -> Vec<Picture> {
    let mut pictures = pictures.peekable();
    let mut found = Vec::new();
    // Pictures since the last shown text, which wait for the next one.
    let mut waiting: Vec<Picture> = Vec::new();
    let mut last_is_kept = false;
    let mut preformatted_until = 0;
    let mut next = 1u32;
    while (next as usize) < dom.len() {
        let id = NodeId(next);
        next += 1;
        if dom.is_visible_text(id) {
            last_is_kept = kept.contains(id);
            if last_is_kept {
                found.append(&mut waiting);
            }
            waiting.clear();
        } else if dom.tag(id).hides_text() {
            next = dom.subtree_end(id).0;
        } else if dom.tag(id) == Tag::PRE {
            preformatted_until = preformatted_until.max(dom.subtree_end(id).0);
        }
        while pictures.next_if(|picture| picture.node < id).is_some() {}
        if let Some(picture) = pictures.next_if(|picture| picture.node == id)
            && id.0 >= preformatted_until
        {
            if last_is_kept { found.push(picture) } else { waiting.push(picture) }
        }
    }
    found
}

/// A kept image, as JSON has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImageRecord {
    /// Its best address; absolute if the page's address is known.
    pub url: String,
    /// The path that selects its element, see [`crate::dom::Dom::xpath`].
    pub xpath: String,
    /// The probability that it belongs to the content, of extractors that are probability models.
    pub probability: Option<f64>,
    /// The text of the `figcaption` of the figure around it.
    pub caption: Option<String>,
    /// Who made the image, as the page says beside it.
    pub credit: Option<String>,
    /// The alternative text.
    pub alt: Option<String>,
    /// The stated width in pixels.
    pub width: Option<u32>,
    /// The stated height in pixels.
    pub height: Option<u32>,
    /// Whether it is the one that stands for the page.
    pub lead: bool,
}

/// The image that stands for a page, as JSON has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LeadImageRecord {
    /// Its address; absolute if the page's address is known.
    pub url: String,
    /// How probable the choice is, of extractors that are probability models.
    pub probability: Option<f64>,
}

/// The record of the lead image, if the extraction has one.
pub fn lead_image_record(extraction: &Extraction) -> Option<LeadImageRecord> {
    let lead = extraction.images.as_ref()?.lead.as_ref()?;
    Some(LeadImageRecord { url: lead.url.clone(), probability: lead.probability })
}

/// The records of the kept images, in document order.
pub fn image_records(page: &Page, extraction: &Extraction, kept: &Kept) -> Vec<ImageRecord> {
    let dom = page.dom();
    let paths = XPaths::new(dom);
    let probability = |node| {
        let images = &extraction.images.as_ref()?.images;
        images[images.binary_search_by_key(&node, |image| image.picture.node).ok()?].probability
    };
    let lead = extraction.images.as_ref().and_then(|images| images.lead.as_ref()?.node);
    let record = |picture: Picture| {
        Some(ImageRecord {
            url: picture.url()?.to_owned(),
            xpath: paths.of(picture.node),
            probability: probability(picture.node),
            caption: picture.caption(dom),
            credit: picture.credit(dom),
            lead: lead.is_some_and(|lead| lead == picture.node),
            width: picture.width,
            height: picture.height,
            alt: Some(picture.alt).filter(|alt| !alt.is_empty()),
        })
    };
    kept_pictures(page, kept).into_iter().filter_map(record).collect()
}
