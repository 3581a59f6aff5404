//! `ImageGold`, which pictures of a page belong to its article.

use serde::Deserialize;

/// What a corpus says of the pictures of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImageGold {
    /// The collection that the page is from: what folds are made of.
    pub source: String,
    /// Whether the pictures are labelled; other pages have an expected lead image alone.
    pub is_labelled: bool,
    /// The address of the expected lead image.
    pub lead: Option<String>,
    /// The pictures that have an address.
    pub pictures: Vec<GoldPicture>,
}

/// A picture of a page by its addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldPicture {
    /// What its addresses share with others of the same file: `address_key`.
    pub keys: Vec<String>,
    /// Whether it belongs to the article; none where that is not to be scored.
    pub is_of_article: Option<bool>,
}

impl AsRef<[String]> for GoldPicture {
    fn as_ref(&self) -> &[String] {
        &self.keys
    }
}

/// A line of the corpus's index, as far as it is read.
#[derive(Deserialize)]
pub(super) struct Line {
    pub source: String,
    pub id: String,
    pub html_file: String,
    pub url: String,
    labelled: bool,
    lead_url: Option<String>,
    images: Vec<LineImage>,
}

#[derive(Deserialize)]
struct LineImage {
    keys: Vec<String>,
    gold: Option<bool>,
}

impl Line {
    pub fn into_gold(self) -> ImageGold {
        let pictures = self.images.into_iter().filter(|image| !image.keys.is_empty());
        ImageGold {
            source: self.source,
            is_labelled: self.labelled,
            lead: self.lead_url,
            pictures: pictures
                .map(|image| GoldPicture { keys: image.keys, is_of_article: image.gold })
                .collect(),
        }
    }
}
