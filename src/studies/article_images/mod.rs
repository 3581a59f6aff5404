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

mod boxed;
mod systems;

use super::study::{Context, Study};
use crate::dataset;
use crate::dataset::split::folds_by_host;
use crate::error::{Error, PageProblem, Result};
use crate::extract::hmt::{Hmt, Inference};
use crate::extract::registry::{self, Parameters};
use crate::harness::config::{Experiment, table_of};
use crate::layout;
use crate::model::Model;
use crate::training::{Folds, ImagePage, ImageSettings, learn_images, read_image_pages};
pub use boxed::BoxedPage;
use systems::{Labelled, RULES, by_extractor};

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

/// Pages of the figure.
const BOXES: usize = 10;

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
        let hmt = Hmt::new("hmt", Model::by_name(&self.model)?, Inference::Exact)?;
        let keep = |page, extraction, seen| Labelled { page, extraction, seen };
        let (pages, left_out) = read_image_pages(&corpus, &hmt, context.progress, keep)?;
        if let Some((id, reason)) = left_out.into_iter().next() {
            return Err(Error::page(id, PageProblem::Failed(reason)));
        }
        let (learned, boxes) = self.learned(&pages, context)?;
        let mut results = ImageResults {
            corpus: format!("{}@{}", corpus.label(), corpus.checksum()?),
            pages: learned,
            boxes,
            ..ImageResults::default()
        };
        for (name, rule) in RULES {
            let score = |labelled: &Labelled| labelled.scores(name, Ok(rule(labelled)), Vec::new());
            results.pages.par_extend(pages.par_iter().map(score));
        }
        for ImageExtractor { id, extractor, parameters } in &self.extractors {
            context.progress.stage(id, pages.len());
            let built = registry::build(extractor, &dataset::state_convention(parameters.clone())?)?;
            results.versions.insert(id.clone(), built.version());
            let score = |labelled: &Labelled| {
                let found = by_extractor(&*built, &labelled.page);
                context.progress.step();
                labelled.scores(id, found, Vec::new())
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
        context: &Context<'_>,
    ) -> Result<(Vec<PageImageScores>, Vec<BoxedPage>)> {
        let hosts: Vec<String> = pages.iter().map(|page| page.seen.host.clone()).collect();
        let collections: BTreeSet<&str> = pages.iter().map(Labelled::collection).collect();
        let collection = |page: &Labelled| collections.range(..page.collection()).count();
        let by_collection: Vec<usize> = pages.iter().map(collection).collect();
        let by_host = folds_by_host(&hosts, self.folds, context.experiment.seed)?;
        let engine = self.layout.as_ref().map(|engine| context.resources.engines.open(engine)).transpose()?;
        let drawn = self.drawn(pages);
        let mut all = Vec::new();
        let mut boxes = BTreeMap::new();
        for (name, folds) in
            [(BY_COLLECTION, Folds::of(&by_collection)), (BY_HOST, Folds::new(&by_host, self.folds))]
        {
            for fold in 0..folds.count() {
                // Pages of a site that is tested train nothing either.
                let tested: BTreeSet<&str> = folds.pages(fold).map(|page| &*hosts[page]).collect();
                let training = folds.seen(Some(fold)).filter(|&page| !tested.contains(&*hosts[page]));
                let training: Vec<&ImagePage> = training.map(|page| &pages[page].seen).collect();
                let model =
                    learn_images(&training, BTreeMap::new(), &ImageSettings::default(), context.progress)?;
                all.par_extend(folds.pages(fold).par_bridge().map(|page| {
                    let Labelled { seen, .. } = &pages[page];
                    let probabilities =
                        seen.probabilities(&model).into_iter().map(|(_, p, is)| (p, is)).collect();
                    pages[page].scores(name, Ok(seen.images(&model).into()), probabilities)
                }));
                if let Some(engine) = engine.as_deref().filter(|_| name == BY_HOST) {
                    let drawn = folds.pages(fold).filter(|page| drawn.contains(page));
                    boxes.extend(drawn.filter_map(|page| Some((page, pages[page].boxed(engine, &model)?))));
                }
                if context.stop.load(Ordering::Relaxed) {
                    return Err(Error::Interrupted);
                }
            }
        }
        all.sort_by(|a, b| (&a.system, &a.page).cmp(&(&b.system, &b.page)));
        Ok((all, boxes.into_values().take(BOXES).collect()))
    }

    /// Pages for the figure, some more than are drawn, since not every page can be laid out: at even distances among those with
    /// three images of the article or more.
    fn drawn(&self, pages: &[Labelled]) -> Vec<usize> {
        let images = |page: &Labelled| {
            page.seen.gold.pictures.iter().filter(|picture| picture.is_of_article == Some(true)).count()
        };
        let fit: Vec<usize> = (0..pages.len())
            .filter(|&page| {
                images(&pages[page]) >= 3 && !self.apart.iter().any(|apart| apart == pages[page].collection())
            })
            .collect();
        let wanted = (BOXES + 2).min(fit.len());
        (0..wanted).map(|number| fit[number * fit.len() / wanted]).collect()
    }
}
