//! How many pages need labels when somebody labels the most useful first: orders of pages against each other, with the labels of the
//! corpus for the annotator.
//!
//! In each part of the experiment the training pages are those that may be labelled. Every order begins with the same few pages, drawn at
//! random; a model is trained on them and tested on the part's test pages; the order chooses the next pages by what that model says of the
//! others, and so on (pool-based active learning, Settles 2009, section 2.3).

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::annotation::{Order, PageSummary, expected_f1};
use crate::dataset::labelled::LabelledPage;
use crate::error::{Error, Result};
use crate::extract::hmt::{Hmt, Inference};
use crate::harness::config::{Experiment, ModelChoice};
use crate::harness::corpora::Corpora;
use crate::harness::journal::{Entry, Journal, key_of};
use crate::harness::plan::Part;
use crate::model::Model;
use crate::progress::Silent;
use crate::rng::stream;
use crate::scoring::{Measure, Metric, ScoreName, score};
use crate::studies::study::{Context, Study};
use crate::training::{Learning, Trainer, TrainingPage};

/// What the study is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActiveLearning {
    /// The model that is trained. Default `boosted`.
    #[serde(default = "boosted")]
    pub model: ModelChoice,
    /// The orders. Default diverse, uncertain, entropy and random.
    #[serde(default = "orders")]
    pub orders: Vec<Order>,
    /// Numbers of labelled pages, ascending; the first are drawn at random. Default 20, 40, 60, 80, 120 and 200.
    #[serde(default = "page_numbers")]
    pub pages: Vec<usize>,
    /// The most pages that may be labelled, drawn at random from the training pages of a part; what is not drawn is not looked at.
    /// Default 600.
    #[serde(default = "six_hundred")]
    pub pool: usize,
}

fn boosted() -> ModelChoice {
    ModelChoice::Preset("boosted".to_owned())
}
fn orders() -> Vec<Order> {
    vec![Order::Diverse, Order::Uncertain, Order::Entropy, Order::Random]
}
fn page_numbers() -> Vec<usize> {
    vec![20, 40, 60, 80, 120, 200]
}
fn six_hundred() -> usize {
    600
}

/// The scores that are looked for, the first that a corpus has.
const METRICS: [Metric; 2] = [Metric::WordsAndCharacters, Metric::Words];

/// What one order came to with so many labelled pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelledSoFar {
    /// The corpus.
    pub dataset: String,
    /// The split of the part.
    pub split: String,
    /// The number of the part, which is the seed of its draws too.
    pub part: usize,
    /// The order.
    pub order: Order,
    /// Labelled pages.
    pub pages: usize,
    /// Mean F1 of words over the part's test pages.
    pub f1: f64,
    /// Sites of the labelled pages.
    pub sites: usize,
    /// The labelled pages, by their index in the corpus, in their order.
    pub labelled: Vec<usize>,
}

impl LabelledSoFar {
    fn key_of(split: &str, part: usize, order: Order, pages: usize) -> String {
        let order = serde_json::to_string(&order).expect("an order is a name");
        key_of(&[split, &part.to_string(), &order, &pages.to_string()])
    }
}

impl Entry for LabelledSoFar {
    fn key(&self) -> String {
        LabelledSoFar::key_of(&self.split, self.part, self.order, self.pages)
    }
}

impl Study for ActiveLearning {
    const KEY: &'static str = "active-learning";
    const RESULTS: &'static str = "active-learning";
    type Results = Vec<LabelledSoFar>;

    fn check(&self, experiment: &Experiment) -> Result<()> {
        let refuse = |what: &str, remedy: &str| Err(Error::usage(format!("active-learning.{what}"), remedy));
        self.model.resolve()?;
        if self.orders.is_empty() {
            return refuse(
                "orders is empty",
                "name one or more of diverse, uncertain, entropy, random and name",
            );
        }
        if self.pages.first().is_none_or(|&least| least < 10) || !self.pages.is_sorted_by(|a, b| a < b) {
            return refuse(
                "pages",
                "give ascending numbers from 10 up; the default is 20, 40, 60, 80, 120, 200",
            );
        }
        if self.pool < *self.pages.last().expect("there is one") {
            return refuse(
                "pool is below the last number of pages",
                "give as many or more; the default is 600",
            );
        }
        match experiment.splits.iter().find(|split| split.train().is_some()) {
            Some(split) => refuse(
                &format!("split '{}' trains on another corpus", split.id()),
                "divide each corpus by folds-by-host or random",
            ),
            None => Ok(()),
        }
    }

    fn run(&self, context: &Context<'_>) -> Result<Vec<LabelledSoFar>> {
        let Context { corpora, parts, progress, .. } = *context;
        let journal: Journal<LabelledSoFar> = context.journal("active-learning")?;
        progress.stage("active learning", parts.len() * self.orders.len() * self.pages.len());
        let mut results = Vec::new();
        for part in parts {
            let pool = Pool::new(corpora, part, self.pool, context.experiment.seed);
            for &order in &self.orders {
                results.extend(self.label(order, &pool, &journal, context)?);
            }
        }
        journal.remove()?;
        Ok(results)
    }
}

/// The pages of a part that may be labelled, in the order in which they were drawn, and those that are tested.
struct Pool<'a> {
    part: &'a Part,
    indices: Vec<usize>,
    pages: Vec<TrainingPage<'a>>,
    tests: Vec<&'a LabelledPage>,
    seed: u64,
}

impl<'a> Pool<'a> {
    fn new(corpora: &'a Corpora, part: &'a Part, most: usize, seed: u64) -> Self {
        let corpus = &corpora[&part.dataset];
        let own = part.training.iter().filter(|(dataset, _)| *dataset == part.dataset);
        let mut indices: Vec<usize> = own.flat_map(|(_, pages)| pages.clone()).collect();
        indices.shuffle(&mut stream(seed, "active learning", &[part.number as u64]));
        indices.truncate(most);
        // A page whose reference text cannot be aligned teaches nothing.
        let made: Vec<(usize, TrainingPage<'a>)> = indices
            .into_iter()
            .filter_map(|index| Some((index, TrainingPage::from_pages(corpus, &[index], &Silent).0.pop()?)))
            .collect();
        let (indices, pages) = made.into_iter().unzip();
        let tests = part.tests.iter().map(|&index| &corpus.pages[index]).collect();
        Pool { part, indices, pages, tests, seed }
    }

    /// Mean F1 of a model on the test pages.
    fn f1(&self, hmt: &Hmt) -> f64 {
        let of_page = |page: &&LabelledPage| {
            let observation = hmt.model().observation(&page.page).ok();
            let extraction = observation.and_then(|seen| hmt.extraction_of(&page.page, &seen).ok());
            let scores = score(page, extraction.as_ref(), &METRICS);
            let gold = scores.texts.keys().next().copied()?;
            let f1 = |metric| ScoreName::from_text(metric, gold, Measure::F1).of(&scores);
            METRICS.into_iter().find_map(f1)
        };
        let scores: Vec<f64> = self.tests.par_iter().filter_map(of_page).collect();
        scores.iter().sum::<f64>() / scores.len().max(1) as f64
    }

    /// What a model says of each page that may be labelled.
    fn summaries(&self, hmt: &Hmt) -> Vec<PageSummary> {
        let of_page = |page: &TrainingPage<'_>| {
            let page = &page.labelled.page;
            let observation = hmt.model().observation(page).ok();
            let extraction = observation.and_then(|seen| hmt.extraction_of(page, &seen).ok());
            extraction.map_or(PageSummary::default(), |extraction| {
                PageSummary::new(page, &extraction, expected_f1(page, &extraction))
            })
        };
        self.pages.par_iter().map(of_page).collect()
    }
}

impl ActiveLearning {
    /// Labels pages in one order, and trains and tests at each number of them.
    fn label(
        &self,
        order: Order,
        pool: &Pool<'_>,
        journal: &Journal<LabelledSoFar>,
        context: &Context<'_>,
    ) -> Result<Vec<LabelledSoFar>> {
        let mut results: Vec<LabelledSoFar> = Vec::new();
        // By their places in the pool.
        let mut labelled: Vec<usize> = Vec::new();
        let mut model: Option<Hmt> = None;
        for &n in self.pages.iter().filter(|&&n| n <= pool.pages.len()) {
            if context.stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let key = LabelledSoFar::key_of(&pool.part.split, pool.part.number, order, n);
            if let Some(known) = journal.find(&key) {
                let place = |index: &usize| pool.indices.iter().position(|other| other == index);
                labelled = known.labelled.iter().filter_map(place).collect();
                model = None;
                results.push(known.clone());
                context.progress.step();
                continue;
            }
            if labelled.is_empty() {
                labelled = (0..n).collect();
            } else {
                let summaries = match order {
                    // It does not ask the model.
                    Order::Random | Order::Name => vec![PageSummary::default(); pool.pages.len()],
                    _ => pool.summaries(&match model.take() {
                        Some(model) => model,
                        None => self.train(pool, &labelled)?,
                    }),
                };
                let known: BTreeSet<usize> = labelled.iter().copied().collect();
                let next = order.of(&summaries, |page| known.contains(&page), pool.seed);
                labelled.extend(&next[..n - labelled.len()]);
            }
            let trained = self.train(pool, &labelled)?;
            let sites: BTreeSet<&str> =
                labelled.iter().map(|&page| pool.pages[page].labelled.site.as_str()).collect();
            let result = LabelledSoFar {
                dataset: pool.part.dataset.clone(),
                split: pool.part.split.clone(),
                part: pool.part.number,
                order,
                pages: n,
                f1: pool.f1(&trained),
                sites: sites.len(),
                labelled: labelled.iter().map(|&page| pool.indices[page]).collect(),
            };
            model = Some(trained);
            journal.append(&result)?;
            results.push(result);
            context.progress.step();
        }
        Ok(results)
    }

    fn train(&self, pool: &Pool<'_>, labelled: &[usize]) -> Result<Hmt> {
        let trainer = Trainer::new(self.model.resolve()?, Learning::default().settings())?;
        let pages = labelled.iter().map(|&page| pool.pages[page].clone()).collect();
        let model: Model = trainer.train(pages, &[], &Silent)?.not_empty()?.model;
        Hmt::new("active-learning", model, Inference::Exact)
    }
}
