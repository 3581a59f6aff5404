//! The study of article images: scores over pictures and pages, lead images, calibration, and pages as boxes.

use std::collections::BTreeSet;
use std::ops::AddAssign;

use crate::error::Result;
use crate::eval::{Bootstrap, Calibration};
use crate::harness::record::RunResults;
use crate::report::experiment::output::Output;
use crate::report::figures::{PageBoxes, Reliability};
use crate::report::{Cell, Table};
use crate::studies::article_images::{
    ArticleImagesStudy, BY_COLLECTION, BY_HOST, ImageResults, PageImageScores, PublishedImages,
};
use crate::studies::{config_of, results_of};

/// What opens the section of the report.
const INTRODUCTION: &str = "A picture counts once, whatever the number of its elements and addresses; pictures whose relation \
    to the article is unsure are not scored. Intervals are of 95 %, by the bootstrap over hosts. The model of images is trained on \
    the other collections, or on other hosts.";

/// Bins of the calibration.
const BINS: usize = 10;

/// The section of a run that asked for it.
pub(super) fn write(run: &RunResults, output: &mut Output<'_>) -> Result<()> {
    let Some(study) = config_of::<ArticleImagesStudy>(&run.record.experiment)? else { return Ok(()) };
    let found = results_of::<ArticleImagesStudy>(run)?.unwrap_or_default();
    output.section("Images of the article", INTRODUCTION);
    let bootstrap = Bootstrap { seed: run.record.seed, ..Bootstrap::default() };
    output.table("article-images", systems(&study, &found, &bootstrap)?)?;
    output.table("article-images-differences", differences(&study, &found, &bootstrap)?)?;
    output.table("article-images-collections", collections(&study, &found)?)?;
    if let Some(published) = &study.published {
        output.table("article-images-published", published_table(&study, published, &found, &bootstrap)?)?;
    }
    let calibrations: Vec<(String, Calibration)> = [BY_COLLECTION, BY_HOST]
        .into_iter()
        .map(|system| Ok((system.to_owned(), calibration(&study, &found, system)?)))
        .collect::<Result<_>>()?;
    if calibrations.iter().any(|(_, calibration)| calibration.weight() > 0) {
        output.table("article-images-calibration", calibration_table(&calibrations))?;
        let figure = Reliability {
            title: "Reliability of P(article image)".to_owned(),
            subtitle: "pictures of pages that were not trained on".to_owned(),
            event: "article image".to_owned(),
            unit: "pictures".to_owned(),
            systems: calibrations,
        };
        output.figure("article-images-reliability", &figure, "Probabilities of the model of images.")?;
    }
    if !found.boxes.is_empty() {
        let figure = PageBoxes {
            title: "Images taken and left".to_owned(),
            subtitle: "pages laid out without their images: a picture without a stated size is a small box"
                .to_owned(),
            pages: found.boxes.clone(),
        };
        let caption = "Ten pages, by the model of images that was trained on other hosts.";
        output.figure("article-images-boxes", &figure, caption)?;
    }
    Ok(())
}

/// Found and right, found and wrong, missed, left and right.
#[derive(Debug, Clone, Copy, Default)]
struct Pictures([u64; 4]);

impl AddAssign<&Pictures> for Pictures {
    fn add_assign(&mut self, other: &Pictures) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }
}

impl Pictures {
    fn precision(&self) -> f64 {
        share(self.0[0], self.0[0] + self.0[1])
    }

    fn recall(&self) -> f64 {
        share(self.0[0], self.0[0] + self.0[2])
    }

    /// The share of pictures, of the article or not, that are told right.
    fn accuracy(&self) -> f64 {
        share(self.0[0] + self.0[3], self.0.iter().sum())
    }

    fn f1(&self) -> f64 {
        share(2 * self.0[0], 2 * self.0[0] + self.0[1] + self.0[2])
    }
}

/// A share, 0 of nothing.
fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// The pages with labelled pictures of a system that are not scored apart: host and counts.
fn labelled<'a>(
    study: &'a ArticleImagesStudy,
    found: &'a ImageResults,
    system: &'a str,
) -> impl Iterator<Item = (&'a PageImageScores, Pictures)> {
    let pages = found.pages.iter().filter(move |page| page.system == system);
    pages.filter_map(|page| {
        let pictures = Pictures(page.pictures?);
        (!study.apart.contains(&page.collection)).then_some((page, pictures))
    })
}

fn systems(study: &ArticleImagesStudy, found: &ImageResults, bootstrap: &Bootstrap) -> Result<Table> {
    let columns =
        ["system", "precision", "recall", "F1", "F1 by page", "pages exact", "lead image", "failed"];
    let mut table = Table::new("Images of the article, by system", columns);
    for system in study.systems() {
        let pages: Vec<(&PageImageScores, Pictures)> = labelled(study, found, system).collect();
        if pages.is_empty() {
            continue;
        }
        let pooled = |score: fn(&Pictures) -> f64| -> Result<Cell> {
            let documents = pages.iter().map(|(page, pictures)| (page.host.as_str(), pictures));
            Ok(Cell::score(&bootstrap.pooled(documents, score)?, 3))
        };
        let with_images = pages.iter().filter(|(_, pictures)| pictures.0[0] + pictures.0[2] > 0);
        let by_page = with_images.map(|(page, pictures)| (page.host.as_str(), pictures.f1()));
        let exact = pages.iter().map(|(page, pictures)| {
            (page.host.as_str(), f64::from(u8::from(pictures.0[1] + pictures.0[2] == 0)))
        });
        let leads: Vec<(&str, f64)> = found
            .pages
            .iter()
            .filter(|page| page.system == system)
            .filter_map(|page| Some((page.host.as_str(), f64::from(u8::from(page.lead?)))))
            .collect();
        let failed = found.pages.iter().filter(|page| page.system == system && page.problem.is_some());
        let name = match found.versions.get(system) {
            Some(version) if !version.starts_with("duramen") => format!("{system} ({version})"),
            _ => system.to_owned(),
        };
        table.push([
            Cell::text(name),
            pooled(Pictures::precision)?,
            pooled(Pictures::recall)?,
            pooled(Pictures::f1)?,
            Cell::score(&bootstrap.mean(by_page)?, 3),
            Cell::score(&bootstrap.mean(exact)?, 3),
            match leads.is_empty() {
                true => Cell::missing("no page with an expected lead image"),
                false => Cell::score(&bootstrap.mean(leads)?, 3),
            },
            Cell::Count(failed.count() as u64),
        ]);
    }
    Ok(table)
}

/// The paper's number beside those of its rule, with each recogniser, under the measures that it may mean.
fn published_table(
    study: &ArticleImagesStudy,
    published: &PublishedImages,
    found: &ImageResults,
    bootstrap: &Bootstrap,
) -> Result<Table> {
    let columns = ["system", "published", "pictures told right", "precision", "recall"];
    let mut table =
        Table::new("Joshi & Liu 2009, section 5: informative images identified correctly", columns);
    for extractor in study.extractors.iter().filter(|extractor| extractor.extractor == "article-images") {
        let pages: Vec<(&PageImageScores, Pictures)> = labelled(study, found, &extractor.id).collect();
        if pages.is_empty() {
            continue;
        }
        let pooled = |score: fn(&Pictures) -> f64| -> Result<Cell> {
            let documents = pages.iter().map(|(page, pictures)| (page.host.as_str(), pictures));
            Ok(Cell::score(&bootstrap.pooled(documents, score)?, 3))
        };
        table.push([
            Cell::text(&extractor.id),
            Cell::number(published.images, 3),
            pooled(Pictures::accuracy)?,
            pooled(Pictures::precision)?,
            pooled(Pictures::recall)?,
        ]);
    }
    Ok(table)
}

/// Two systems' counts on the same page.
#[derive(Debug, Clone, Copy, Default)]
struct Pair(Pictures, Pictures);

impl AddAssign<&Pair> for Pair {
    fn add_assign(&mut self, other: &Pair) {
        self.0 += &other.0;
        self.1 += &other.1;
    }
}

/// How far the model that was trained on other collections is ahead of each system, on the same pages.
fn differences(study: &ArticleImagesStudy, found: &ImageResults, bootstrap: &Bootstrap) -> Result<Table> {
    let mut table = Table::new(
        format!("F1 over pictures of '{BY_COLLECTION}' less that of each system"),
        ["system", "difference"],
    );
    let own: Vec<(&PageImageScores, Pictures)> = labelled(study, found, BY_COLLECTION).collect();
    for system in study.systems().filter(|system| *system != BY_COLLECTION) {
        let pairs: Vec<(&str, Pair)> = labelled(study, found, system)
            .filter_map(|(page, theirs)| {
                let (_, ours) = own.iter().find(|(own, _)| own.page == page.page)?;
                Some((page.host.as_str(), Pair(*ours, theirs)))
            })
            .collect();
        if pairs.is_empty() {
            continue;
        }
        let pairs = pairs.iter().map(|(host, pair)| (*host, pair));
        let difference = bootstrap.pooled(pairs, |pair: &Pair| pair.0.f1() - pair.1.f1())?;
        table.push([Cell::text(system), Cell::score(&difference, 3)]);
    }
    Ok(table)
}

/// Of each collection what the model finds that was trained on the others.
fn collections(study: &ArticleImagesStudy, found: &ImageResults) -> Result<Table> {
    let columns = [
        "collection",
        "pages",
        "images of articles",
        "precision",
        "recall",
        "F1",
        "pages exact",
        "lead image",
    ];
    let mut table = Table::new(format!("'{BY_COLLECTION}' on each collection"), columns);
    let own: Vec<&PageImageScores> = found.pages.iter().filter(|page| page.system == BY_COLLECTION).collect();
    let names: BTreeSet<&str> = own.iter().map(|page| page.collection.as_str()).collect();
    for name in names {
        let pages = || own.iter().filter(|page| page.collection == name);
        let mut sum = Pictures::default();
        let (mut labelled, mut exact) = (0u64, 0u64);
        for pictures in pages().filter_map(|page| page.pictures.map(Pictures)) {
            sum += &pictures;
            labelled += 1;
            exact += u64::from(pictures.0[1] + pictures.0[2] == 0);
        }
        let leads: Vec<bool> = pages().filter_map(|page| page.lead).collect();
        let right = leads.iter().filter(|&&right| right).count() as u64;
        let of_labelled = |value: f64| match labelled {
            0 => Cell::missing("pictures are not labelled"),
            _ => Cell::number(value, 3),
        };
        let apart = if study.apart.iter().any(|apart| apart == name) { ", scored apart" } else { "" };
        table.push([
            Cell::text(format!("{name}{apart}")),
            Cell::Count(pages().count() as u64),
            Cell::Count(sum.0[0] + sum.0[2]),
            of_labelled(sum.precision()),
            of_labelled(sum.recall()),
            of_labelled(sum.f1()),
            of_labelled(share(exact, labelled)),
            match leads.len() as u64 {
                0 => Cell::missing("none is expected"),
                all => Cell::number(share(right, all), 3),
            },
        ]);
    }
    Ok(table)
}

fn calibration(study: &ArticleImagesStudy, found: &ImageResults, system: &str) -> Result<Calibration> {
    let mut calibration = Calibration::new(BINS)?;
    for (page, _) in labelled(study, found, system) {
        for &(probability, is_of_article) in &page.probabilities {
            calibration.add(probability, is_of_article, 1)?;
        }
    }
    Ok(calibration)
}

fn calibration_table(calibrations: &[(String, Calibration)]) -> Table {
    let mut table = Table::new(
        "Calibration of P(article image)",
        ["system", "pictures", "expected calibration error", "Brier score"],
    );
    for (system, calibration) in calibrations {
        let value =
            |value: Option<f64>| value.map_or(Cell::missing("no pictures"), |value| Cell::number(value, 3));
        table.push([
            Cell::text(system),
            Cell::Count(calibration.weight()),
            value(calibration.expected_error()),
            value(calibration.brier()),
        ]);
    }
    table
}
