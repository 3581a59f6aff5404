//! Learning of an [`ImageModel`]: trees, their calibration by scores of other sites, and the choice of the lead image.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::out_of_fold::Folds;
use crate::alignment::pictures::{PictureIndex, is_same_image};
use crate::boosting::{BoostedTrees, BoostingSettings, Loss, TrainingRows};
use crate::dataset::labelled::{LeftOut, usable_pages};
use crate::dataset::split::folds_by_host;
use crate::dataset::{Corpus, Gold, ImageGold};
use crate::dom::Limits;
use crate::error::{Error, PageProblem, Result};
use crate::extract::pictures::features::{self, FEATURES};
use crate::extract::pictures::lead::{Candidate, LEAD_FEATURES, LeadWeights, candidates, choice};
use crate::extract::pictures::stated::StatedImages;
use crate::extract::pictures::{ImageModel, ImageModelParts, NameCounts, Picture, calibrated};
use crate::extract::{Extraction, PageExtractor, PageImages};
use crate::logistic::{Newton, Rows};
use crate::page::{Page, Source};
use crate::progress::Progress;

/// A page with labels of its pictures, seen by an extractor of text.
#[derive(Debug)]
pub struct ImagePage {
    /// The page's id.
    pub id: String,
    /// What pages of one fold have in common.
    pub host: String,
    /// The page's address.
    url: Option<String>,
    pictures: Vec<Picture>,
    stated: StatedImages,
    columns: Vec<Vec<u32>>,
    /// Of each picture the number of its gold, if it has one.
    records: Vec<Option<usize>>,
    /// What is known of the page's pictures.
    pub gold: ImageGold,
}

impl ImagePage {
    /// A page with the text that was found on it.
    fn new(page: &Page, host: String, gold: ImageGold, extraction: &Extraction) -> ImagePage {
        let pictures = Picture::on_page(page);
        let stated = StatedImages::read(page);
        let columns = features::columns(page, extraction, &pictures, &stated);
        let index = PictureIndex::new(&gold.pictures, page.url());
        let record = |picture: &Picture| picture.addresses.iter().find_map(|address| index.find(address));
        let records = pictures.iter().map(record).collect();
        let id = page.id().to_owned();
        ImagePage { id, host, url: page.url().map(str::to_owned), pictures, stated, columns, records, gold }
    }

    /// The pictures in document order, each with the number of its gold, if it has one.
    pub fn pictures(&self) -> impl Iterator<Item = (&Picture, Option<usize>)> {
        self.pictures.iter().zip(self.records.iter().copied())
    }

    /// P(article image) of each labelled picture of the gold, by its number, with the label: the largest of the
    /// elements that show it, 0 if none does.
    pub fn probabilities(&self, model: &ImageModel) -> Vec<(usize, f64, bool)> {
        let probabilities = model.probabilities(&self.columns);
        let of = |number: usize| {
            let own = self.records.iter().zip(&probabilities).filter(|(record, _)| **record == Some(number));
            own.map(|(_, &p)| p).fold(0.0, f64::max)
        };
        let labelled = self.gold.pictures.iter().enumerate();
        labelled.filter_map(|(number, picture)| Some((number, of(number), picture.is_of_article?))).collect()
    }

    /// The images of the article and the lead image under a model.
    pub fn images(&self, model: &ImageModel) -> PageImages {
        model.images_of(self.pictures.clone(), &self.columns, &self.stated)
    }

    fn rows(&self) -> impl Iterator<Item = (usize, bool)> {
        let labelled = self.records.iter().enumerate().filter(|_| self.gold.is_labelled);
        labelled.filter_map(|(at, record)| Some((at, self.gold.pictures[(*record)?].is_of_article?)))
    }

    /// The candidates for the lead image, and which of them are right; nothing where that is not known.
    fn lead(&self, probabilities: &[f64]) -> Option<(Vec<Candidate>, Vec<bool>)> {
        let found = candidates(&self.pictures, probabilities, &self.stated);
        let right: Vec<bool> = match &self.gold.lead {
            Some(lead) => found
                .iter()
                .map(|candidate| is_same_image(&candidate.url, lead, self.url.as_deref()))
                .collect(),
            // A page without an image of its own, and that states none, has no lead image.
            None => {
                let has_images = self.gold.pictures.iter().any(|picture| picture.is_of_article == Some(true));
                if !self.gold.is_labelled || has_images || self.stated.iter().next().is_some() {
                    return None;
                }
                (0..found.len()).map(|at| at == 0).collect()
            }
        };
        right.contains(&true).then_some((found, right))
    }
}

/// The pages of a corpus whose pictures are labelled, as `extractor` sees their text, in parallel: of each what `keep` makes of
/// it, of its text and of its pictures; and the ids of those left out, each with the reason.
///
/// # Errors
/// [`Error::Data`] if no page has labels of its pictures.
pub fn read_image_pages<T: Send>(
    corpus: &Corpus,
    extractor: &dyn PageExtractor,
    progress: &dyn Progress,
    keep: impl Fn(Page, Extraction, ImagePage) -> T + Sync,
) -> Result<(Vec<T>, LeftOut)> {
    progress.stage(&format!("reading {}", corpus.label()), corpus.len());
    let read = |index: usize| -> Result<T> {
        let document = corpus.read(index)?;
        let Gold::Images(gold) = document.gold else {
            let problem = "the corpus has no labels of its pictures".to_owned();
            return Err(Error::page(&document.id, PageProblem::Failed(problem)));
        };
        let page = Page::parse(document.id, document.url, &document.html, None, &Limits::default())?;
        let page = page.with_source(Source { bytes: document.html, http_charset: None });
        let extraction = extractor.extract_page(&page).map_err(|error| error.on(&page))?;
        let seen = ImagePage::new(&page, document.host, gold, &extraction);
        Ok(keep(page, extraction, seen))
    };
    let results: Vec<Result<T>> = (0..corpus.len())
        .into_par_iter()
        .map(|index| {
            let page = read(index);
            progress.step();
            page
        })
        .collect();
    let remedy = "name a corpus whose pictures are labelled, such as article-images";
    usable_pages(&corpus.label(), results, corpus.ids(), remedy)
}

/// How an [`ImageModel`] is learned.
#[derive(Debug, Clone, Copy)]
pub struct ImageSettings {
    /// How the trees are grown.
    pub trees: BoostingSettings,
    /// Parts of the hosts, each scored by trees grown on the others, from 2. Default 5.
    pub folds: usize,
    /// What the squares of the lead image's weights are multiplied by. Default 0.004 a page.
    pub lead_l2: f64,
}

impl Default for ImageSettings {
    /// Small trees: the pictures are some thousands.
    fn default() -> Self {
        let trees = BoostingSettings {
            trees: 300,
            learning_rate: 0.03,
            leaves: 12,
            min_rows: 8,
            feature_share: 0.3,
            ..BoostingSettings::default()
        };
        ImageSettings { trees, folds: 5, lead_l2: 0.004 }
    }
}

/// Learns a model of images from pages; `sources` says where they are from.
///
/// # Errors
/// [`Error::Data`] if there are not two hosts with pictures of both kinds.
pub fn learn_images(
    pages: &[&ImagePage],
    sources: BTreeMap<String, u64>,
    settings: &ImageSettings,
    progress: &dyn Progress,
) -> Result<ImageModel> {
    let hosts: Vec<String> = pages.iter().map(|page| page.host.clone()).collect();
    let fold_of = folds_by_host(&hosts, settings.folds, settings.trees.seed)?;
    progress.stage("growing trees of images", (settings.folds + 1) * settings.trees.trees);
    let out_of_fold = Folds::new(&fold_of, settings.folds);
    let learned = out_of_fold.learn_at_once(|left_out| {
        let others = || out_of_fold.seen(left_out).map(|page| pages[page]);
        Ok((grow(others(), &settings.trees, progress)?, count_names(others())))
    })?;
    let (trees, names) = learned.of_all;
    // Each page's scores are of trees and counts that have not seen its host.
    let scores: Vec<Vec<[f64; 2]>> = pages
        .iter()
        .zip(&fold_of)
        .map(|(page, &fold)| {
            let columns: Vec<&[u32]> = page.columns.iter().map(Vec::as_slice).collect();
            let (trees, names) = &learned.of_folds[fold];
            let of_names = names.ln_odds(&page.columns);
            let of_trees = trees.score_all(&columns)?;
            Ok(of_trees.into_iter().zip(of_names).map(|(trees, names)| [trees, names]).collect())
        })
        .collect::<Result<_>>()?;
    let rows: Vec<([f64; 2], bool)> = pages
        .iter()
        .zip(&scores)
        .flat_map(|(page, scores)| page.rows().map(|(at, is_of_article)| (scores[at], is_of_article)))
        .collect();
    let weights = calibrate(&rows);
    let leads: Vec<(Vec<Candidate>, Vec<bool>)> = pages
        .iter()
        .zip(&scores)
        .filter_map(|(page, scores)| {
            let probabilities: Vec<f64> = scores.iter().map(|&score| calibrated(weights, score)).collect();
            page.lead(&probabilities)
        })
        .collect();
    let of_article = rows.iter().filter(|(_, is_of_article)| *is_of_article).count() as u64;
    Ok(ImageModel::new(ImageModelParts {
        sources,
        pictures: [rows.len() as u64 - of_article, of_article],
        trees,
        names,
        weights,
        lead: learn_lead(&leads, settings.lead_l2),
    }))
}

fn count_names<'a>(pages: impl Iterator<Item = &'a ImagePage>) -> NameCounts {
    let mut counts = NameCounts::default();
    for page in pages {
        for (at, is_of_article) in page.rows() {
            counts.add(&page.columns, at, is_of_article);
        }
    }
    counts
}

fn grow<'a>(
    pages: impl Iterator<Item = &'a ImagePage>,
    settings: &BoostingSettings,
    progress: &dyn Progress,
) -> Result<BoostedTrees> {
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); FEATURES.len()];
    let mut target = Vec::new();
    for page in pages {
        for (at, is_of_article) in page.rows() {
            for (column, values) in columns.iter_mut().zip(&page.columns) {
                column.push(values[at]);
            }
            target.push(f32::from(u8::from(is_of_article)));
        }
    }
    let all: f32 = target.iter().sum();
    if all == 0.0 || all as usize == target.len() {
        return Err(Error::data(
            "pictures to learn from",
            format!("{} of {} belong to an article", all, target.len()),
            "give pages with pictures of both kinds, of several hosts",
        ));
    }
    let weights = vec![1.0; target.len()];
    let rows = TrainingRows { columns: &columns, target: &target, weights: &weights, groups: None };
    BoostedTrees::learn(&rows, Loss::Logistic, settings, progress)
}

/// Bias and weights of the most probable outcomes given scores, by Newton's method (Platt 1999 with his smoothed targets).
fn calibrate(rows: &[([f64; 2], bool)]) -> [f64; 3] {
    let positive = rows.iter().filter(|row| row.1).count() as f64;
    let negative = rows.len() as f64 - positive;
    let target = |is: bool| if is { (positive + 1.0) / (positive + 2.0) } else { 1.0 / (negative + 2.0) };
    let rows: Vec<([f64; 3], f64)> =
        rows.iter().map(|&([trees, names], is)| ([1.0, trees, names], target(is))).collect();
    // Names may be the same for all: what they add is then nothing.
    let rows = Rows { rows: &rows, penalties: [0.0; 3], least_curvature: 1e-6 };
    let newton = Newton { steps: 50, tries: 20, least_step: 0.0 };
    let weights = rows.most_probable_weights([0.0, 1.0, 0.0], newton);
    // What is written is read without loss.
    weights.map(|weight: f64| (weight * 1e6).round() / 1e6)
}

/// The weights that make the right candidates most probable, with a penalty on their squares: gradient ascent, the rate
/// halved where it does not gain.
fn learn_lead(pages: &[(Vec<Candidate>, Vec<bool>)], l2: f64) -> LeadWeights {
    const STEPS: usize = 2000;
    let n = pages.len().max(1) as f64;
    let objective = |weights: &[f64; LEAD_FEATURES.len()]| -> f64 {
        let of_page = |(found, right): &(Vec<Candidate>, Vec<bool>)| {
            let p = choice(weights, found);
            let sum: f64 = p.iter().zip(right).filter(|(_, right)| **right).map(|(p, _)| p).sum();
            sum.max(1e-300).ln()
        };
        pages.iter().map(of_page).sum::<f64>() / n - l2 * weights.iter().map(|w| w * w).sum::<f64>()
    };
    let mut weights = [0.0; LEAD_FEATURES.len()];
    let mut best = objective(&weights);
    let mut rate = 1.0;
    for _ in 0..STEPS {
        let mut gradient = [0.0; LEAD_FEATURES.len()];
        for (found, right) in pages {
            let p = choice(&weights, found);
            let sum: f64 = p.iter().zip(right).filter(|(_, right)| **right).map(|(p, _)| p).sum();
            for ((candidate, &p), &right) in found.iter().zip(&p).zip(right) {
                let pull = if right { p / sum.max(1e-300) - p } else { -p };
                for (g, feature) in gradient.iter_mut().zip(&candidate.features) {
                    *g += pull * feature / n;
                }
            }
        }
        let mut stepped = weights;
        for ((new, g), old) in stepped.iter_mut().zip(&gradient).zip(&weights) {
            *new = old + rate * (g - 2.0 * l2 * old);
        }
        let value = objective(&stepped);
        if value > best {
            (weights, best) = (stepped, value);
            rate *= 1.2;
        } else {
            rate /= 2.0;
        }
        if rate < 1e-6 {
            break;
        }
    }
    LeadWeights::new(weights.map(|weight| (weight * 1e6).round() / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibration_finds_the_bias_and_the_weights_of_the_scores() {
        // Outcomes drawn from logistic(-1 + 0.5 trees + 0.3 names), by their exact shares of 1000.
        let of = |trees: i32, names: i32| {
            let scores = [f64::from(trees), f64::from(names)];
            let positive = (1000.0 * calibrated([-1.0, 0.5, 0.3], scores)).round() as usize;
            (0..1000).map(move |i| (scores, i < positive))
        };
        let rows: Vec<([f64; 2], bool)> =
            (-8..=8).flat_map(|trees| (-2..=2).flat_map(move |names| of(trees, names))).collect();
        for (found, expected) in calibrate(&rows).into_iter().zip([-1.0, 0.5, 0.3]) {
            assert!((found - expected).abs() < 0.01, "{found} for {expected}");
        }
        let without: Vec<([f64; 2], bool)> =
            rows.iter().map(|&([trees, _], is)| ([trees, 0.0], is)).collect();
        assert!(calibrate(&without).iter().all(|weight| weight.is_finite()));
    }

    #[test]
    fn the_choice_learns_which_feature_is_right() {
        let candidate = |features: &[usize]| {
            let mut values = [0.0; LEAD_FEATURES.len()];
            features.iter().for_each(|&feature| values[feature] = 1.0);
            Candidate { url: format!("{features:?}"), node: None, features: values }
        };
        let page = || (vec![candidate(&[0]), candidate(&[1]), candidate(&[2])], vec![false, false, true]);
        let weights = learn_lead(&[page(), page()], 0.01);
        let p = weights.probabilities(&page().0);
        assert!(p[2] > 0.8 && (p[0] - p[1]).abs() < 1e-6, "{p:?}");
    }
}
