//! `ImageModel`: how probable it is that a picture belongs to the article, and which image stands for the page.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::Picture;
use super::features::{self, FEATURES};
use super::lead::{self, LeadWeights};
use super::names::NameCounts;
use super::stated::StatedImages;
use crate::boosting::BoostedTrees;
use crate::error::{Error, Result};
use crate::extract::{ArticleImage, Extraction, LeadImage, PageImages};
use crate::files::write_whole;
use crate::logistic::sigmoid;
use crate::model::sealed::Sealed;
use crate::page::Page;

const SEALED: Sealed = Sealed {
    format: "duramen-images",
    name: "a model of images",
    newest: 1,
    remedy: "train it again with `duramen model images`, or fetch an undamaged copy",
};

/// The default model's file.
const BUNDLED: &str = include_str!("../../../models/images/web.json");

/// A learned model of the pictures of pages.
///
/// Each picture is one observation with a hidden state, *article image* or not, given the posteriors of the page's text. Boosted
/// trees over its [features](super::features) give a logarithm of odds, and so do counts of the names that stand in its address
/// and in the classes near it; weights of the two, learned from scores of trees and counts of other sites, make a calibrated
/// probability. The lead image is one choice among the images that the page
/// states for itself, its pictures, and none.
///
/// # Examples
/// ```
/// use duramen::extract::PageExtractor;
/// use duramen::extract::hmt::{Hmt, Inference};
/// use duramen::extract::pictures::ImageModel;
/// use duramen::model::Model;
/// use duramen::page::Page;
///
/// let html = b"<meta property=og:image content=oak.jpg><h1>Oak falls</h1><p>It fell in the night, and nobody heard it.</p>\
///     <figure><img src=oak.jpg width=600 height=400></figure><p>The old tree will be missed by all who sat under it.</p>";
/// let url = Some("https://courier.example/oak".to_owned());
/// let page = Page::parse("oak", url, html, None, &Default::default())?;
/// let hmt = Hmt::new("web", Model::by_name("web")?, Inference::Exact)?;
/// let mut extraction = hmt.extract_page(&page).unwrap();
/// let images = ImageModel::bundled().images(&page, &extraction);
/// assert_eq!(images.lead.as_ref().unwrap().url, "https://courier.example/oak.jpg");
/// extraction.images = Some(images);
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageModel {
    /// The names of the features, in the trees' order.
    features: Vec<String>,
    /// Pages by source, such as a data set with its checksum.
    sources: BTreeMap<String, u64>,
    /// Pictures learned from: not of the article, and of it.
    pictures: [u64; 2],
    trees: BoostedTrees,
    names: NameCounts,
    /// Bias, and the weights of the trees' score and of the names.
    weights: [f64; 3],
    /// The least probability of an image that is kept.
    threshold: f64,
    lead: LeadWeights,
}

/// What a model of images is made of.
pub struct ImageModelParts {
    /// Pages by source, such as a data set with its checksum.
    pub sources: BTreeMap<String, u64>,
    /// Pictures learned from: not of the article, and of it.
    pub pictures: [u64; 2],
    /// Trees over [`FEATURES`].
    pub trees: BoostedTrees,
    /// Counts of names.
    pub names: NameCounts,
    /// Bias, and the weights of the trees' score and of the names.
    pub weights: [f64; 3],
    /// How the lead image is chosen.
    pub lead: LeadWeights,
}

/// The probability from which on an image is kept.
const THRESHOLD: f64 = 0.5;

impl ImageModel {
    /// A model of what was learned.
    pub fn new(parts: ImageModelParts) -> ImageModel {
        let ImageModelParts { sources, pictures, trees, names, weights, lead } = parts;
        let features = FEATURES.iter().map(|feature| feature.id.to_owned()).collect();
        ImageModel { features, sources, pictures, trees, names, weights, threshold: THRESHOLD, lead }
    }

    /// The default model; its card is in `models/README.md`. Read when first asked for.
    pub fn bundled() -> &'static ImageModel {
        static MODEL: OnceLock<ImageModel> = OnceLock::new();
        MODEL.get_or_init(|| {
            ImageModel::from_json(BUNDLED, "the default model of images").expect("it is tested")
        })
    }

    /// The model file's text. Equal models give equal bytes.
    pub fn to_json(&self) -> String {
        SEALED.write(1, self)
    }

    /// Reads a model file's text; `subject` names it in errors.
    ///
    /// # Errors
    /// [`Error::Model`] for what is no such file, is of a newer version, was damaged, or looks at other features than this
    /// program computes.
    pub fn from_json(text: &str, subject: &str) -> Result<ImageModel> {
        let (_, body) = SEALED.read(text, subject)?;
        let model: ImageModel =
            serde_json::from_str(body).map_err(|error| SEALED.damaged(subject, error.to_string()))?;
        model.check().map_err(|problem| SEALED.damaged(subject, problem))?;
        Ok(model)
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// [`Error::Io`] and as [`ImageModel::from_json`].
    pub fn load(path: &Path) -> Result<ImageModel> {
        let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
        Self::from_json(&String::from_utf8_lossy(&bytes), &path.display().to_string())
    }

    /// Writes a model file: aside, then renamed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn save(&self, path: &Path) -> Result<()> {
        write_whole(path, self.to_json().as_bytes())
    }

    fn check(&self) -> Result<(), String> {
        let known = FEATURES.iter().map(|feature| feature.id);
        if !known.eq(self.features.iter().map(String::as_str)) {
            return Err("it looks at other features of pictures than this program computes".to_owned());
        }
        if self.trees.features() != self.features.len() {
            return Err(format!("trees over {} of {} features", self.trees.features(), self.features.len()));
        }
        if !self.names.is_right() {
            return Err("counts of names that do not fit its features".to_owned());
        }
        let is_share = (0.0..=1.0).contains(&self.threshold);
        if !is_share || !self.weights.iter().all(|weight| weight.is_finite()) {
            return Err("a threshold or weight is out of its range".to_owned());
        }
        self.lead.check()
    }

    /// Pictures learned from: not of the article, and of it.
    pub fn pictures(&self) -> [u64; 2] {
        self.pictures
    }

    /// P(article image) of each picture, from their [feature columns](features::columns).
    pub fn probabilities(&self, columns: &[Vec<u32>]) -> Vec<f64> {
        let names = self.names.ln_odds(columns);
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        let scores = self.trees.score_all(&columns).expect("as many columns as features, of one length");
        scores.into_iter().zip(names).map(|(score, names)| calibrated(self.weights, [score, names])).collect()
    }

    /// The images of the article and the lead image of a page whose text an extractor found. Linear in the page.
    pub fn images(&self, page: &Page, extraction: &Extraction) -> PageImages {
        let pictures = Picture::on_page(page);
        let stated = StatedImages::read(page);
        let columns = features::columns(page, extraction, &pictures, &stated);
        self.images_of(pictures, &columns, &stated)
    }

    /// The same of a page whose pictures, [feature columns](features::columns) and stated images are known.
    pub fn images_of(
        &self,
        pictures: Vec<Picture>,
        columns: &[Vec<u32>],
        stated: &StatedImages,
    ) -> PageImages {
        let probabilities = self.probabilities(columns);
        let candidates = lead::candidates(&pictures, &probabilities, stated);
        let lead = self.lead.choose(&candidates);
        let is_kept = |(picture, p): &(Picture, f64)| {
            *p >= self.threshold && picture.url().is_some() && !picture.is_dot()
        };
        let image = |(picture, p)| ArticleImage { picture, probability: Some(p) };
        let images = pictures.into_iter().zip(probabilities).filter(is_kept).map(image).collect();
        let lead = lead.map(|(candidate, probability)| LeadImage {
            url: candidate.url.clone(),
            node: candidate.node,
            probability: Some(probability),
        });
        PageImages { images, lead }
    }
}

/// The probability of the scores of trees and of names under bias and weights.
pub fn calibrated([bias, of_trees, of_names]: [f64; 3], [trees, names]: [f64; 2]) -> f64 {
    sigmoid(bias + of_trees * trees + of_names * names)
}
