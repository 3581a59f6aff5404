//! The study of the SD algorithm as its paper has it: table 2, and figures 3 to 5, on corpora that can be had.
//!
//! Pappas, Katsimpras & Stamatatos (2012), sections 4 and 5. Of the paper's sets only the addresses are published, so
//! its three classes are made of two other corpora:
//!
//! - **Articles**: pages with labels of which none is a comment (L3S-GN1). The real density is that of the full
//!   text; headline and supplemental text are no part of the article region, whose title stands for itself.
//! - **Articles with comments**: pages with labels that have comments. Two real regions: full text and comments.
//! - **Multiple areas**: pages whose corpus states a type of several areas (WCXB's forums, listings, collections).
//!   Their gold is one text, so it is one real region, compared with all text found.
//!
//! Classes differ in size, so whatever is said of several classes is the mean over classes; in the paper each has
//! 200 pages. Folds and samples are drawn at random within each class, as in the paper; hosts are not kept together,
//! since what is learned is one number.
//!
//! **Precision** of a class is the share of its pages that are given that class, **recall** the share that are given
//! any: this is how the paper's recall of 1 in tasks of one class can be read, and why it has none for three classes.
//! [`SdStudyResults::confusion`] has what precision and recall of the usual kind are made of.

mod pages;
mod published;

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::eval::region_accuracy::region_accuracy;
use crate::extract::sd::{MAX_T1, SdPageType, Thresholds, learn};
use crate::harness::config::{Experiment, table_of};
use crate::progress::Progress;
use crate::rng::stream;
use crate::studies::study::{Context, Study};
pub use pages::{SdPage, SdPages};
pub use published::{PublishedScores, PublishedSet, PublishedTables};

/// The table `[sd-study]` of an experiment.
///
/// | field | range | default |
/// |---|---|---|
/// | `datasets` | corpora by name | `l3s-gn1`, `wcxb/dev` |
/// | `multiple-types` | types of pages that a corpus states | `forum`, `listing`, `collection` |
/// | `folds` | 2 and up | 5 |
/// | `runs` | 1 and up | 10 |
/// | `sizes` | 1 and up each | 5, 10, 20, 40 and so on to 200 |
/// | `t2` | characters | 0, 20, 50, 100 and so on to 1,000 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SdStudy {
    /// The corpora.
    pub datasets: Vec<String>,
    /// The types of pages, as a corpus states them, that are multiple areas.
    pub multiple_types: Vec<String>,
    /// Number of folds for table 2; one trains, the others test.
    pub folds: usize,
    /// Number of random samples that each point of a figure is the mean of.
    pub runs: usize,
    /// Sizes of samples for figure 3; a class with fewer pages stops there.
    pub sizes: Vec<usize>,
    /// Values of T2 for figure 5, ascending.
    pub t2: Vec<u64>,
    /// What the paper published, to stand beside: from `published.toml` in the experiment's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedTables>,
}

impl Default for SdStudy {
    fn default() -> Self {
        SdStudy {
            datasets: ["l3s-gn1", "wcxb/dev"].map(String::from).into(),
            multiple_types: ["forum", "listing", "collection"].map(String::from).into(),
            folds: 5,
            runs: 10,
            sizes: vec![5, 10, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200],
            t2: vec![0, 20, 50, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000],
            published: None,
        }
    }
}

impl SdStudy {
    /// Whether the study can be made: names and ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the key, its range and its default.
    pub fn check_ranges(&self) -> Result<()> {
        let faults = [
            (self.datasets.is_empty(), "datasets is empty", "name one or more, such as \"l3s-gn1\""),
            (self.folds < 2, "folds is below 2", "2 and up; the default is 5"),
            (self.runs == 0, "runs is 0", "1 and up; the default is 10"),
            (self.sizes.is_empty() || self.sizes.contains(&0), "sizes", "give one or more, each 1 and up"),
            (!self.t2.is_sorted() || self.t2.is_empty(), "t2", "give one or more, ascending"),
        ];
        match faults.into_iter().find(|(is_fault, ..)| *is_fault) {
            Some((_, what, remedy)) => Err(Error::usage(format!("sd-study.{what}"), remedy)),
            None => self.published.as_ref().map_or(Ok(()), PublishedTables::check),
        }
    }
}

impl Study for SdStudy {
    const KEY: &'static str = "sd-study";
    const RESULTS: &'static str = "sd_study";
    type Results = SdStudyResults;

    fn check(&self, _: &Experiment) -> Result<()> {
        self.check_ranges()
    }

    fn with_published(self, text: &str) -> Result<Option<Self>, toml::de::Error> {
        Ok(Some(SdStudy { published: table_of(text, Self::KEY)?, ..self }))
    }

    /// Reads its corpora itself, by types of pages.
    fn run(&self, context: &Context<'_>) -> Result<SdStudyResults> {
        let pages =
            SdPages::read(self, &context.experiment.folder, context.resources.data_dir, context.progress)?;
        run(self, &pages, context.experiment.seed, context.progress)
    }
}

/// What the study found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SdStudyResults {
    /// What was asked.
    pub study: SdStudy,
    /// The three classes, then all of them together.
    pub sets: Vec<SetSummary>,
    /// Table 2: each class alone, then the three together.
    pub settings: Vec<Setting>,
    /// Test pages of the three-class setting by true type (outer) and given type, summed over folds.
    pub confusion: [[u64; 3]; 3],
    /// Figure 3: precision by number of pages.
    pub by_size: Vec<Curve>,
    /// Figure 4: precision by T1, with T2 = 20.
    pub by_t1: Vec<Curve>,
    /// For each class the T1 that is best in figure 4; of several the middle.
    pub best_t1: [u32; 3],
    /// Figure 5: precision by T2, with the best T1 of each class.
    pub by_t2: Vec<Curve>,
    /// The precision of a guess at random.
    pub random_guess: f64,
    /// Pages that could not be used, with the reason.
    pub left_out: Vec<(String, String)>,
}

/// The size of a set of pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetSummary {
    /// The class; none for all of them together.
    pub page_type: Option<SdPageType>,
    /// Number of pages.
    pub pages: usize,
    /// Number of registered domains.
    pub domains: usize,
    /// Equation 3, from 0 to 1.
    pub diversity: f64,
}

/// A row of table 2: means over folds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The class; none for three classes.
    pub page_type: Option<SdPageType>,
    /// The share of test pages that are given their class, mean over classes.
    pub precision: f64,
    /// The share of test pages that are given a class.
    pub recall: f64,
    /// Region accuracy of the test pages (equation 4), mean over classes.
    pub region_accuracy: f64,
    /// What was learned on each fold.
    pub thresholds: Vec<Thresholds>,
}

/// The precision of one class along a figure's axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The class.
    pub page_type: SdPageType,
    /// The points, by ascending x.
    pub points: Vec<CurvePoint>,
}

/// One point: the mean over random samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Pages, T1 or T2.
    pub x: u64,
    /// The mean.
    pub mean: f64,
    /// The least of the samples.
    pub low: f64,
    /// The greatest of the samples.
    pub high: f64,
}

/// Equation 3: distinct domains to pages, from 0 to 1; 0 without pages.
///
/// # Examples
/// ```
/// use duramen::studies::sd::diversity;
/// assert_eq!(diversity(["a.org", "b.org", "a.org", "a.org"]), 0.5);
/// ```
pub fn diversity<'a>(domains: impl IntoIterator<Item = &'a str>) -> f64 {
    let all: Vec<&str> = domains.into_iter().collect();
    distinct(all.iter().copied()) as f64 / all.len().max(1) as f64
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.collect::<std::collections::BTreeSet<_>>().len()
}

/// Makes the study of pages that were read for it. Deterministic by `seed`.
///
/// # Errors
/// As the check of its table; [`Error::Data`] if a class has fewer pages than there are folds.
pub fn run(study: &SdStudy, pages: &SdPages, seed: u64, progress: &dyn Progress) -> Result<SdStudyResults> {
    study.check_ranges()?;
    progress.stage("SD study", 4);
    let classes = SdPageType::ALL.map(|page_type| {
        pages.pages.iter().filter(|page| page.page_type == page_type).collect::<Vec<&SdPage>>()
    });
    for (page_type, class) in SdPageType::ALL.into_iter().zip(&classes) {
        if class.len() < study.folds {
            let problem = format!("{} pages of class '{}', fewer than folds", class.len(), page_type.name());
            return Err(Error::data("sd-study", problem, "give corpora with more of them or fewer folds"));
        }
    }
    let draws = Draws { study, seed, classes: &classes };
    let (settings, confusion) = draws.table();
    progress.step();
    let by_size = draws.by_size();
    progress.step();
    let by_t1 = draws.by_t1();
    let best_t1 = [0, 1, 2].map(|class| best(&by_t1[class]));
    progress.step();
    let by_t2 = draws.by_t2(best_t1);
    progress.step();
    let mut sets: Vec<SetSummary> = SdPageType::ALL
        .into_iter()
        .zip(&classes)
        .map(|(page_type, class)| summary(Some(page_type), class))
        .collect();
    sets.push(summary(None, &classes.concat()));
    Ok(SdStudyResults {
        study: study.clone(),
        sets,
        settings,
        confusion,
        by_size,
        by_t1,
        best_t1,
        by_t2,
        random_guess: 1.0 / SdPageType::ALL.len() as f64,
        left_out: pages.left_out.clone(),
    })
}

fn summary(page_type: Option<SdPageType>, pages: &[&SdPage]) -> SetSummary {
    let hosts = || pages.iter().map(|page| page.host.as_str());
    SetSummary { page_type, pages: pages.len(), domains: distinct(hosts()), diversity: diversity(hosts()) }
}

/// The share of pages that are given their class.
fn precision(pages: &[&SdPage], t1: u32, t2: u64) -> f64 {
    let is_right = |page: &&&SdPage| page.sweep.at(t1, t2).is_some_and(|o| o.page_type == page.page_type);
    pages.iter().filter(is_right).count() as f64 / pages.len() as f64
}

/// The x with the highest mean, the middle of several (the upper of two).
fn best(curve: &Curve) -> u32 {
    let highest = curve.points.iter().map(|point| point.mean).fold(0.0, f64::max);
    let tied: Vec<u64> =
        curve.points.iter().filter(|point| point.mean == highest).map(|point| point.x).collect();
    tied[tied.len() / 2] as u32
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len();
    values.sum::<f64>() / n as f64
}

/// Everything that is drawn at random.
struct Draws<'a> {
    study: &'a SdStudy,
    seed: u64,
    classes: &'a [Vec<&'a SdPage>; 3],
}

impl<'a> Draws<'a> {
    /// The pages of a class in random order.
    fn shuffled(&self, purpose: &str, class: usize, run: usize) -> Vec<&'a SdPage> {
        let mut pages = self.classes[class].clone();
        pages.shuffle(&mut stream(self.seed, purpose, &[class as u64, run as u64]));
        pages
    }

    fn table(&self) -> (Vec<Setting>, [[u64; 3]; 3]) {
        let shuffled = [0, 1, 2].map(|class| self.shuffled("sd-folds", class, 0));
        // Training pages (one fold) and test pages (the others) of a class.
        let parts = |class: usize, fold: usize| {
            let all = shuffled[class].iter().copied().enumerate();
            let (train, test): (Vec<_>, Vec<_>) = all.partition(|(i, _)| i % self.study.folds == fold);
            let pages =
                |of: Vec<(usize, &'a SdPage)>| of.into_iter().map(|(_, page)| page).collect::<Vec<_>>();
            (pages(train), pages(test))
        };
        let mut confusion = [[0; 3]; 3];
        let mut settings = Vec::new();
        for setting in [vec![0], vec![1], vec![2], vec![0, 1, 2]] {
            let is_whole = setting.len() > 1;
            let mut of_folds = Vec::new();
            let mut thresholds = Vec::new();
            for fold in 0..self.study.folds {
                let (train, test): (Vec<_>, Vec<_>) = setting.iter().map(|&class| parts(class, fold)).unzip();
                let sample: Vec<_> =
                    train.iter().flatten().map(|page| (&page.sweep, page.page_type)).collect();
                let learned =
                    learn(&sample, &[Thresholds::default().t2]).expect("each fold has a page of each class");
                let scores: Vec<[f64; 3]> = test.iter().map(|pages| test_scores(pages, learned)).collect();
                of_folds.push([0, 1, 2].map(|score| mean(scores.iter().map(|scores| scores[score]))));
                thresholds.push(learned);
                for page in test.iter().flatten().filter(|_| is_whole) {
                    if let Some(outcome) = page.sweep.at(learned.t1 as u32, learned.t2) {
                        confusion[page.page_type as usize][outcome.page_type as usize] += 1;
                    }
                }
            }
            let [precision, recall, region_accuracy] =
                [0, 1, 2].map(|score| mean(of_folds.iter().map(|scores| scores[score])));
            let page_type = (!is_whole).then(|| SdPageType::ALL[setting[0]]);
            settings.push(Setting { page_type, precision, recall, region_accuracy, thresholds });
        }
        (settings, confusion)
    }

    /// The mean precision of `size` random pages of a class at each pair of thresholds.
    fn curve(
        &self,
        purpose: &str,
        class: usize,
        points: impl Iterator<Item = (u64, usize, u32, u64)>,
    ) -> Curve {
        let runs: Vec<_> = (0..self.study.runs).map(|run| self.shuffled(purpose, class, run)).collect();
        let point = |(x, size, t1, t2): (u64, usize, u32, u64)| {
            let values: Vec<f64> = runs.iter().map(|pages| precision(&pages[..size], t1, t2)).collect();
            CurvePoint {
                x,
                mean: mean(values.iter().copied()),
                low: values.iter().copied().fold(f64::INFINITY, f64::min),
                high: values.iter().copied().fold(0.0, f64::max),
            }
        };
        Curve { page_type: SdPageType::ALL[class], points: points.map(point).collect() }
    }

    /// 20 % of a class, or one page for each fold but one.
    fn sample_size(&self, class: usize) -> usize {
        self.classes[class].len().div_ceil(self.study.folds)
    }

    fn by_size(&self) -> Vec<Curve> {
        let t1 = |class: usize| if SdPageType::ALL[class] == SdPageType::Multiple { MAX_T1 } else { 0 };
        let curve = |class: usize| {
            let all = self.classes[class].len();
            let mut sizes: Vec<usize> = self.study.sizes.iter().map(|&size| size.min(all)).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let t2 = Thresholds::default().t2;
            self.curve("sd-size", class, sizes.into_iter().map(|size| (size as u64, size, t1(class), t2)))
        };
        (0..3).map(curve).collect()
    }

    fn by_t1(&self) -> Vec<Curve> {
        let t2 = Thresholds::default().t2;
        let points = |size: usize| (0..=MAX_T1).map(move |t1| (u64::from(t1), size, t1, t2));
        (0..3).map(|class| self.curve("sd-t1", class, points(self.sample_size(class)))).collect()
    }

    fn by_t2(&self, t1: [u32; 3]) -> Vec<Curve> {
        let curve = |class: usize| {
            let size = self.sample_size(class);
            self.curve("sd-t2", class, self.study.t2.iter().map(|&t2| (t2, size, t1[class], t2)))
        };
        (0..3).map(curve).collect()
    }
}

/// Precision, recall and region accuracy of the test pages of one class.
fn test_scores(pages: &[&SdPage], learned: Thresholds) -> [f64; 3] {
    let outcome = |page: &&SdPage| page.sweep.at(learned.t1 as u32, learned.t2);
    let densities: Vec<_> =
        pages.iter().filter_map(|page| outcome(page).map(|outcome| page.densities(&outcome))).collect();
    let answered = densities.len() as f64 / pages.len() as f64;
    [precision(pages, learned.t1 as u32, learned.t2), answered, region_accuracy(&densities).unwrap_or(0.0)]
}
