//! What a system found of a page's images: by simple rules, by extractors; and how right it is.

use std::collections::BTreeSet;

use super::{ALL, BESIDE_TEXT, MAIN_REGION, OG_IMAGE, PageImageScores};
use crate::alignment::pictures::{PictureIndex, is_same_image};
use crate::dom::Tag;
use crate::extract::pictures::Picture;
use crate::extract::pictures::stated::{StatedImages, Statement};
use crate::extract::render::{Selection, image_records};
use crate::extract::{Extraction, Extractor, PageImages};
use crate::index::NodeId;
use crate::label::LabelSet;
use crate::page::Page;
use crate::training::ImagePage;

/// A page with its gold and its text.
pub(super) struct Labelled {
    pub page: Page,
    pub extraction: Extraction,
    pub seen: ImagePage,
}

/// What a system found: images of the article by their element, and the lead image's address.
#[derive(Default)]
pub(super) struct Found {
    images: Vec<NodeId>,
    lead: Option<String>,
}

impl From<PageImages> for Found {
    fn from(PageImages { images, lead }: PageImages) -> Found {
        Found {
            images: images.iter().map(|image| image.picture.node).collect(),
            lead: lead.map(|lead| lead.url),
        }
    }
}

impl Labelled {
    /// The collection that the page is from.
    pub fn collection(&self) -> &str {
        &self.seen.gold.source
    }

    /// The pictures that a rule takes, of those with an address. The first stands for the page, or that which the page states
    /// if the rule looks at it.
    fn taken(&self, reads_stated: bool, is_taken: impl Fn(&Picture, Option<&str>) -> bool) -> Found {
        let stated = StatedImages::read(&self.page);
        let stated = stated.of(Statement::OpenGraph).next().map(|image| &*image.url);
        let pictures = self.seen.pictures().map(|(picture, _)| picture);
        let taken: Vec<&Picture> =
            pictures.filter(|picture| picture.url().is_some() && is_taken(picture, stated)).collect();
        let first = taken.first().and_then(|picture| picture.url());
        let lead = stated.filter(|_| reads_stated).or(first).map(str::to_owned);
        Found { images: taken.iter().map(|picture| picture.node).collect(), lead }
    }

    /// Of what a system found, or why it found nothing, the scores.
    pub fn scores(
        &self,
        system: &str,
        found: Result<Found, String>,
        probabilities: Vec<(f64, bool)>,
    ) -> PageImageScores {
        let Labelled { page, seen, .. } = self;
        let gold = &seen.gold;
        let (found, problem) = match found {
            Ok(found) => (found, None),
            Err(problem) => (Found::default(), Some(problem)),
        };
        let index = PictureIndex::new(&gold.pictures, page.url());
        let kept = seen.pictures().filter(|(picture, _)| found.images.contains(&picture.node));
        let chosen: BTreeSet<usize> = kept.filter_map(|(_, number)| number).collect();
        let count = |is_chosen: bool, is_of_article: bool| {
            let all = gold.pictures.iter().enumerate();
            all.filter(|(number, picture)| {
                chosen.contains(number) == is_chosen && picture.is_of_article == Some(is_of_article)
            })
            .count() as u64
        };
        let lead = gold.lead.as_ref().map(|expected| {
            found.lead.as_ref().is_some_and(|lead| {
                let same = index.find(lead).zip(index.find(expected)).is_some_and(|(a, b)| a == b);
                same || is_same_image(lead, expected, page.url())
            })
        });
        PageImageScores {
            system: system.to_owned(),
            page: page.id().to_owned(),
            host: seen.host.clone(),
            collection: gold.source.clone(),
            pictures: gold
                .is_labelled
                .then(|| [count(true, true), count(true, false), count(false, true), count(false, false)]),
            lead,
            probabilities,
            problem,
        }
    }
}

/// A simple way to tell images.
type Rule = fn(&Labelled) -> Found;

/// The rules by their names, in the order of tables.
pub(super) const RULES: [(&str, Rule); 4] = [
    (BESIDE_TEXT, |labelled| {
        let beside = beside_text(&labelled.page, &labelled.extraction);
        labelled.taken(false, |picture, _| beside.contains(&picture.node))
    }),
    (ALL, |labelled| labelled.taken(false, |_, _| true)),
    (OG_IMAGE, |labelled| {
        let address = labelled.page.url();
        labelled.taken(true, |picture, stated| {
            let mut urls = picture.addresses.iter();
            stated.is_some_and(|stated| urls.any(|url| is_same_image(url, stated, address)))
        })
    }),
    (MAIN_REGION, in_main_region),
];

/// File names and classes of what is no image of an article, in the main region.
const FILTERED: [&str; 8] = ["logo", "icon", "avatar", "sprite", "pixel", "banner", "button", "gravatar"];

/// Pictures between the first and the last kept text that are neither small nor named or placed as what is no image of an
/// article.
fn in_main_region(labelled: &Labelled) -> Found {
    let Labelled { page, extraction, .. } = labelled;
    let dom = page.dom();
    let is_kept = |id: &NodeId| LabelSet::ARTICLE.contains(extraction.labels[*id]);
    let kept: Vec<NodeId> = dom.shown_texts().filter(is_kept).collect();
    labelled.taken(true, |picture, _| {
        let is_inside = kept.first().is_some_and(|first| *first < picture.node)
            && kept.last().is_some_and(|last| picture.node < *last);
        let is_small = [(picture.width, 100), (picture.height, 60)]
            .into_iter()
            .any(|(side, least)| side.is_some_and(|side| side < least));
        let url = picture.url().unwrap_or_default().to_ascii_lowercase();
        let aside =
            dom.ancestors(picture.node).any(|id| [Tag::ASIDE, Tag::NAV, Tag::FOOTER].contains(&dom.tag(id)));
        is_inside
            && !is_small
            && !aside
            && !url.ends_with(".gif")
            && !url.ends_with(".svg")
            && !FILTERED.iter().any(|word| url.contains(word))
    })
}

/// What an extractor found: its images, or those beside the text that it keeps, the first of which stands for the page
/// unless it says so itself.
pub(super) fn by_extractor(extractor: &dyn Extractor, page: &Page) -> Result<Found, String> {
    let extraction = match extractor.extract_site(&[page]).pop() {
        Some(result) => result.map_err(|error| error.to_string())?,
        None => return Err("no result".to_owned()),
    };
    let mut found = match extraction.images {
        Some(images) => Found::from(images),
        None => Found { images: beside_text(page, &extraction), lead: None },
    };
    if let (None, Some(first)) = (&found.lead, found.images.first()) {
        let pictures = Picture::on_page(page);
        let first = pictures.iter().find(|picture| picture.node == *first);
        found.lead = first.and_then(Picture::url).map(str::to_owned);
    }
    Ok(found)
}

/// The pictures whose neighboring text an extraction keeps.
fn beside_text(page: &Page, extraction: &Extraction) -> Vec<NodeId> {
    let selection = Selection { labels: LabelSet::ARTICLE, ..Selection::default() };
    let Ok(kept) = selection.kept(page, extraction) else { return Vec::new() };
    let records = image_records(page, extraction, &kept);
    records.iter().filter_map(|record| page.dom().at_xpath(&record.xpath)).collect()
}
