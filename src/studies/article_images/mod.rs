//! How well systems tell the images of an article from the other pictures of a page, and find the one that stands for the
//! page.
//!
//! A picture counts once, whatever the number of its elements and addresses. Pictures whose relation to the article is unsure are
//! not scored. The model of images is trained on the other collections, or in folds by host; nothing of it is learned from a page
//! that it is scored on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::study::{Context, Study};
use crate::alignment::pictures::{PictureIndex, is_same_image};
use crate::dataset::split::folds_by_host;
use crate::dataset::{self, Gold, ImageGold};
use crate::dom::{Limits, Tag};
use crate::error::{Error, Result};
use crate::extract::hmt::{Hmt, Inference};
use crate::extract::pictures::stated::{StatedImages, Statement};
use crate::extract::pictures::{ImageModel, Picture};
use crate::extract::registry::{self, Parameters};
use crate::extract::render::{Selection, image_records};
use crate::extract::{Extraction, Extractor, PageExtractor};
use crate::harness::config::{Experiment, table_of};
use crate::index::NodeId;
use crate::label::LabelSet;
use crate::layout::{self, LayoutEngine, Rect};
use crate::model::Model;
use crate::page::{Page, Source};
use crate::training::{ImagePage, ImageSettings, learn_images};

/// The table `[article-images-study]` of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArticleImagesStudy {
    /// A corpus whose pictures are labelled.
    pub dataset: String,
    /// The model that finds the text for the model of images. Default web.
    #[serde(default = "web")]
    pub model: String,
    /// Collections of the corpus that are scored apart from the others. Default none.
    #[serde(default)]
    pub apart: Vec<String>,
    /// Folds by host, from 2. Default 10.
    #[serde(default = "ten")]
    pub folds: usize,
    /// The layout engine by which some pages are drawn as boxes. Default none: no such figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// Extractors that tell images.
    #[serde(default)]
    pub extractors: Vec<ImageExtractor>,
    /// What the paper published, to stand beside: from `published.toml` in the experiment's folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedImages>,
}

/// What Joshi & Liu (2009) published: the table `[article-images-study]` of a `published.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PublishedImages {
    /// The share of informative images identified correctly, 0 to 1 (section 5).
    pub images: f64,
}

fn web() -> String {
    "web".to_owned()
}

fn ten() -> usize {
    10
}

/// An extractor of the study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ImageExtractor {
    /// The name in tables.
    pub id: String,
    /// The extractor.
    pub extractor: String,
    /// Its parameters.
    #[serde(default)]
    pub parameters: Parameters,
}

/// The model of images in folds by collection.
pub const BY_COLLECTION: &str = "duramen, trained on other collections";
/// The model of images in folds by host.
pub const BY_HOST: &str = "duramen, folds by host";
/// Pictures whose neighboring text is kept.
pub const BESIDE_TEXT: &str = "beside kept text";
/// Every picture.
pub const ALL: &str = "all images";
/// The image that Open Graph states.
pub const OG_IMAGE: &str = "og:image";
/// Pictures between the first and the last kept text.
pub const MAIN_REGION: &str = "main region with filters";

/// The systems that the study itself has, in the order of tables.
pub const OWN: [&str; 6] = [BY_COLLECTION, BY_HOST, BESIDE_TEXT, ALL, OG_IMAGE, MAIN_REGION];

/// What a system found on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageImageScores {
    /// The system.
    pub system: String,
    /// The page.
    pub page: String,
    /// What intervals are over.
    pub host: String,
    /// The collection that the page is from.
    pub collection: String,
    /// Of a page whose pictures are labelled: found and right, found and wrong, missed, left and right.
    pub pictures: Option<[u64; 4]>,
    /// Whether the lead image is right, where one is expected.
    pub lead: Option<bool>,
    /// Of the model of images, P(article image) of each labelled picture with its label.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probabilities: Vec<(f64, bool)>,
    /// Why there is nothing: the extractor failed on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What the study finds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ImageResults {
    /// The corpus and its checksum.
    pub corpus: String,
    /// The versions of the extractors, by the study's names.
    pub versions: BTreeMap<String, String>,
    /// A row for each page and system.
    pub pages: Vec<PageImageScores>,
    /// Some pages as boxes.
    #[serde(default)]
    pub boxes: Vec<BoxedPage>,
}

impl ArticleImagesStudy {
    /// All systems, in the order of tables.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        OWN.into_iter().chain(self.extractors.iter().map(|extractor| extractor.id.as_str()))
    }
}

/// A page with its gold.
struct Labelled {
    page: Page,
    host: String,
    gold: ImageGold,
}

/// What a system found: images of the article by their element, and the lead image's address.
struct Found {
    images: Vec<NodeId>,
    lead: Option<String>,
}

impl Study for ArticleImagesStudy {
    const KEY: &'static str = "article-images-study";
    const RESULTS: &'static str = "article_images_study";
    type Results = ImageResults;

    fn check(&self, _: &Experiment) -> Result<()> {
        if self.folds < 2 {
            return Err(Error::usage(
                format!("article-images-study: folds is {}", self.folds),
                "it is 2 and up; the default is 10",
            ));
        }
        let mut names: Vec<&str> = self.systems().collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::usage(
                format!("article-images-study: two systems are named '{}'", pair[0]),
                "give each an id of its own",
            ));
        }
        if let Some(engine) = &self.layout {
            layout::check_name(engine)?;
        }
        for extractor in &self.extractors {
            let info = registry::info(&extractor.extractor)?;
            registry::check(info, &extractor.parameters)
                .map_err(|refused| Error::usage(refused.what, refused.remedy))?;
        }
        Ok(())
    }

    fn with_published(self, text: &str) -> Result<Option<Self>, toml::de::Error> {
        Ok(Some(ArticleImagesStudy { published: table_of(text, Self::KEY)?, ..self }))
    }

    fn run(&self, context: &Context<'_>) -> Result<ImageResults> {
        let corpus = dataset::open(&self.dataset, context.resources.data_dir)?;
        context.progress.stage(&format!("reading {}", corpus.label()), corpus.len());
        let pages: Result<Vec<Labelled>> = (0..corpus.len())
            .into_par_iter()
            .map(|index| {
                let document = corpus.read(index)?;
                let Gold::Images(gold) = document.gold else {
                    return Err(Error::data(corpus.label(), "no labels of pictures", "name another corpus"));
                };
                let page = Page::parse(document.id, document.url, &document.html, None, &Limits::default())?;
                let page = page.with_source(Source { bytes: document.html, http_charset: None });
                context.progress.step();
                Ok(Labelled { page, host: document.host, gold })
            })
            .collect();
        let pages = pages?;
        let mut results = ImageResults {
            corpus: format!("{}@{}", corpus.label(), corpus.checksum()?),
            ..ImageResults::default()
        };
        let hmt = Hmt::new("hmt", Model::by_name(&self.model)?, Inference::Exact)?;
        let (learned, boxes) = self.learned(&pages, &hmt, context)?;
        results.pages.extend(learned);
        results.boxes = boxes;
        for name in [BESIDE_TEXT, ALL, OG_IMAGE, MAIN_REGION] {
            let score =
                |labelled: &Labelled| scores(name, labelled, by_rule(name, &labelled.page, &hmt), Vec::new());
            results.pages.par_extend(pages.par_iter().map(score));
        }
        for extractor in &self.extractors {
            results.versions.insert(extractor.id.clone(), String::new());
            context.progress.stage(&extractor.id, pages.len());
            let parameters = dataset::state_convention(extractor.parameters.clone())?;
            let built = registry::build(&extractor.extractor, &parameters)?;
            results.versions.insert(extractor.id.clone(), built.version());
            let score = |labelled: &Labelled| {
                let found = by_extractor(&*built, &labelled.page);
                context.progress.step();
                scores(&extractor.id, labelled, found, Vec::new())
            };
            results.pages.par_extend(pages.par_iter().map(score));
            if context.stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
        }
        Ok(results)
    }
}

impl ArticleImagesStudy {
    /// The model of images, on collections and on hosts that it has not seen; and pages as boxes.
    fn learned(
        &self,
        pages: &[Labelled],
        hmt: &Hmt,
        context: &Context<'_>,
    ) -> Result<(Vec<PageImageScores>, Vec<BoxedPage>)> {
        let seen: Result<Vec<ImagePage>> = pages
            .par_iter()
            .map(|labelled| ImagePage::new(&labelled.page, labelled.host.clone(), labelled.gold.clone(), hmt))
            .collect();
        let seen = seen?;
        let hosts: Vec<String> = pages.iter().map(|labelled| labelled.host.clone()).collect();
        let collections: Vec<&str> = pages.iter().map(|labelled| labelled.gold.source.as_str()).collect();
        let distinct: BTreeSet<&str> = collections.iter().copied().collect();
        let settings = ImageSettings::default();
        let mut all = Vec::new();
        let mut boxes = BTreeMap::new();
        let drawn = self.drawn(pages);
        let folds = folds_by_host(&hosts, self.folds, context.experiment.seed)?;
        let by_host = (0..self.folds).map(|fold| (BY_HOST, folds.iter().map(|&own| own == fold).collect()));
        let by_collection = distinct
            .iter()
            .map(|&left_out| (BY_COLLECTION, collections.iter().map(|&own| own == left_out).collect()));
        let splits: Vec<(&str, Vec<bool>)> = by_collection.chain(by_host).collect();
        for (name, is_tested) in splits {
            // Pages of a site that is tested train nothing either.
            let tested: BTreeSet<&str> =
                hosts.iter().zip(&is_tested).filter(|(_, is)| **is).map(|(host, _)| host.as_str()).collect();
            let training: Vec<&ImagePage> = seen
                .iter()
                .zip(&hosts)
                .filter(|(_, host)| !tested.contains(host.as_str()))
                .map(|(page, _)| page)
                .collect();
            let model = learn_images(&training, BTreeMap::new(), &settings, context.progress)?;
            let tested = pages.iter().zip(&seen).zip(&is_tested).filter(|(_, is)| **is).map(|(page, _)| page);
            let tested: Vec<(&Labelled, &ImagePage)> = tested.collect();
            all.par_extend(tested.into_par_iter().map(|(labelled, seen)| {
                let probabilities =
                    seen.probabilities(&model).into_iter().map(|(_, p, is)| (p, is)).collect();
                scores(name, labelled, Ok(by_model(&model, seen)), probabilities)
            }));
            if let Some(engine) = self.layout.as_ref().filter(|_| name == BY_HOST) {
                let engine = context.resources.engines.open(engine)?;
                for &page in drawn.iter().filter(|&&page| is_tested[page]) {
                    boxes.extend(boxed(&pages[page], &*engine, &model, hmt).map(|boxed| (page, boxed)));
                }
            }
            if context.stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
        }
        all.sort_by(|a, b| (&a.system, &a.page).cmp(&(&b.system, &b.page)));
        Ok((all, boxes.into_values().take(BOXES).collect()))
    }

    /// Pages for the figure, some more than are drawn, since not every page can be laid out: at even distances among those with
    /// three images of the article or more.
    fn drawn(&self, pages: &[Labelled]) -> Vec<usize> {
        let images = |page: &Labelled| {
            page.gold.pictures.iter().filter(|picture| picture.is_of_article == Some(true)).count()
        };
        let fit: Vec<usize> = (0..pages.len())
            .filter(|&page| images(&pages[page]) >= 3 && !self.apart.contains(&pages[page].gold.source))
            .collect();
        let wanted = (BOXES + 2).min(fit.len());
        (0..wanted).map(|number| fit[number * fit.len() / wanted]).collect()
    }
}

/// A page as boxes, in pixels of its layout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoxedPage {
    /// The page.
    pub name: String,
    /// The page's width.
    pub width: f32,
    /// The height of what is shown.
    pub height: f32,
    /// Blocks of text, and whether each is kept.
    pub texts: Vec<(Rect, bool)>,
    /// Pictures: the box, whether it was taken, and whether it should be, if that is known.
    pub pictures: Vec<(Rect, bool, Option<bool>)>,
}

/// Pages of the figure.
const BOXES: usize = 10;
/// The longest part of a page that is drawn, in pixels.
const LONGEST: f32 = 6000.0;

/// A page as boxes; nothing if it cannot be laid out.
fn boxed(labelled: &Labelled, engine: &dyn LayoutEngine, model: &ImageModel, hmt: &Hmt) -> Option<BoxedPage> {
    let Labelled { page, gold, .. } = labelled;
    let dom = page.dom();
    let extraction = hmt.extract_page(page).ok()?;
    let taken: BTreeSet<NodeId> =
        model.images(page, &extraction).images.iter().map(|image| image.picture.node).collect();
    let bytes = &page.source()?.bytes;
    let mut laid_out =
        Page::parse(page.id(), page.url().map(str::to_owned), bytes, None, &Limits::default()).ok()?;
    laid_out.lay_out(engine).ok()?;
    let layout = laid_out.layout(engine.id().name.as_str())?;
    let mut texts = Vec::new();
    let mut last = None;
    for id in dom.shown_texts() {
        let block = dom.ancestors(id).find(|&above| dom.tag(above).is_block());
        let Some(rect) = block.filter(|_| block != last).and_then(|block| layout.rect(block)) else {
            continue;
        };
        last = block;
        if rect.height < 400.0 {
            texts.push((rect, LabelSet::ARTICLE.contains(extraction.labels[id])));
        }
    }
    let index = PictureIndex::new(&gold.pictures, page.url());
    let pictures: Vec<(Rect, bool, Option<bool>)> = Picture::on_page(page)
        .iter()
        .filter_map(|picture| {
            let number = picture.addresses.iter().find_map(|address| index.find(address));
            let right = number.and_then(|number| gold.pictures[number].is_of_article);
            Some((layout.rect(picture.node)?, taken.contains(&picture.node), right))
        })
        .collect();
    let lowest = pictures.iter().map(|(rect, _, _)| rect.y + rect.height + 200.0).fold(600.0, f32::max);
    let width = layout.rect(dom.ids().find(|&id| dom.tag(id) == Tag::BODY)?)?.width;
    (width > 0.0).then(|| BoxedPage {
        name: page.id().to_owned(),
        width,
        height: lowest.min(LONGEST),
        texts,
        pictures,
    })
}

fn by_model(model: &ImageModel, seen: &ImagePage) -> Found {
    let images = seen.images(model);
    Found {
        images: images.images.iter().map(|image| image.picture.node).collect(),
        lead: images.lead.map(|lead| lead.url),
    }
}

fn by_extractor(extractor: &dyn Extractor, page: &Page) -> Result<Found, String> {
    let extraction = match extractor.extract_site(&[page]).pop() {
        Some(result) => result.map_err(|error| error.to_string())?,
        None => return Err("no result".to_owned()),
    };
    let pictures = Picture::on_page(page);
    let (images, lead) = match extraction.images {
        Some(images) => (
            images.images.iter().map(|image| image.picture.node).collect::<Vec<_>>(),
            images.lead.map(|lead| lead.url),
        ),
        None => (beside_text(page, &extraction), None),
    };
    let first = || {
        let first = images.first()?;
        pictures.iter().find(|picture| picture.node == *first)?.url().map(str::to_owned)
    };
    let lead = lead.or_else(first);
    Ok(Found { images, lead })
}

/// The pictures whose neighboring text an extraction keeps.
fn beside_text(page: &Page, extraction: &Extraction) -> Vec<NodeId> {
    let selection = Selection { labels: LabelSet::ARTICLE, threshold: None };
    let Ok(kept) = selection.kept(page, extraction) else { return Vec::new() };
    let records = image_records(page, extraction, &kept);
    records.iter().filter_map(|record| page.dom().at_xpath(&record.xpath)).collect()
}

/// File names and classes of what is no image of an article, in the main region.
const FILTERED: [&str; 8] = ["logo", "icon", "avatar", "sprite", "pixel", "banner", "button", "gravatar"];

fn by_rule(name: &str, page: &Page, hmt: &Hmt) -> Result<Found, String> {
    let dom = page.dom();
    let pictures: Vec<Picture> =
        Picture::on_page(page).into_iter().filter(|picture| picture.url().is_some()).collect();
    let stated = StatedImages::read(page);
    let og_image = stated.of(Statement::OpenGraph).next().map(|image| image.url.clone());
    let images: Vec<&Picture> = match name {
        ALL => pictures.iter().collect(),
        OG_IMAGE => pictures
            .iter()
            .filter(|picture| {
                let is =
                    |url: &String| og_image.as_ref().is_some_and(|og| is_same_image(url, og, page.url()));
                picture.addresses.iter().any(is)
            })
            .collect(),
        BESIDE_TEXT => {
            let extraction = hmt.extract_page(page).map_err(|error| error.to_string())?;
            let nodes = beside_text(page, &extraction);
            pictures.iter().filter(|picture| nodes.contains(&picture.node)).collect()
        }
        _ => {
            let extraction = hmt.extract_page(page).map_err(|error| error.to_string())?;
            let is_kept = |id: &NodeId| LabelSet::ARTICLE.contains(extraction.labels[*id]);
            let kept: Vec<NodeId> = dom.shown_texts().filter(is_kept).collect();
            let Some((&first, &last)) = kept.first().zip(kept.last()) else {
                return Ok(Found { images: Vec::new(), lead: og_image });
            };
            let is_image = |picture: &&Picture| {
                let is_small = [(picture.width, 100), (picture.height, 60)]
                    .into_iter()
                    .any(|(side, least)| side.is_some_and(|side| side < least));
                let url = picture.url().unwrap_or_default().to_ascii_lowercase();
                let aside = dom
                    .ancestors(picture.node)
                    .any(|id| [Tag::ASIDE, Tag::NAV, Tag::FOOTER].contains(&dom.tag(id)));
                first < picture.node
                    && picture.node < last
                    && !is_small
                    && !aside
                    && !url.ends_with(".gif")
                    && !url.ends_with(".svg")
                    && !FILTERED.iter().any(|word| url.contains(word))
            };
            pictures.iter().filter(is_image).collect()
        }
    };
    let first = images.first().and_then(|picture| picture.url()).map(str::to_owned);
    let lead = match name {
        ALL | BESIDE_TEXT => first,
        _ => og_image.or(first),
    };
    Ok(Found { images: images.iter().map(|picture| picture.node).collect(), lead })
}

fn scores(
    system: &str,
    labelled: &Labelled,
    found: Result<Found, String>,
    probabilities: Vec<(f64, bool)>,
) -> PageImageScores {
    let Labelled { page, host, gold } = labelled;
    let (found, problem) = match found {
        Ok(found) => (found, None),
        Err(problem) => (Found { images: Vec::new(), lead: None }, Some(problem)),
    };
    let index = PictureIndex::new(&gold.pictures, page.url());
    let pictures = Picture::on_page(page);
    let number = |picture: &Picture| picture.addresses.iter().find_map(|address| index.find(address));
    let kept = pictures.iter().filter(|picture| found.images.contains(&picture.node));
    let chosen: BTreeSet<usize> = kept.filter_map(number).collect();
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
        host: host.clone(),
        collection: gold.source.clone(),
        pictures: gold
            .is_labelled
            .then(|| [count(true, true), count(true, false), count(false, true), count(false, false)]),
        lead,
        probabilities,
        problem,
    }
}
