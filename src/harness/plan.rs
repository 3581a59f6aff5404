//! Which page trains and which tests, in every part of every split.

use std::collections::{BTreeMap, BTreeSet};

use rand::seq::SliceRandom;

use super::config::{Experiment, Split};
use super::corpora::Corpora;
use crate::dataset::Mark;
use crate::dataset::labelled::LabelledPage;
use crate::dataset::split::{folds_by_host, random_splits};
use crate::error::Result;
use crate::host;
use crate::rng::stream;

/// One part of a split: a fold, or one random division.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The split's id.
    pub split: String,
    /// The part's number in the split, from 0.
    pub number: usize,
    /// The corpus whose pages are tested.
    pub dataset: String,
    /// The test pages, by their index in that corpus.
    pub tests: Vec<usize>,
    /// Pages of the tested sites that are given to systems that adapt, by their index in that corpus.
    pub given: Vec<usize>,
    /// The training pages: of each corpus its name and their indices; empty where none train.
    pub training: Vec<(String, Vec<usize>)>,
}

/// The parts of all splits of an experiment, in order.
///
/// # Errors
/// As [`folds_by_host`] and [`random_splits`].
pub fn parts(experiment: &Experiment, corpora: &Corpora) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for split in &experiment.splits {
        let dataset = experiment.dataset_of(split);
        let hosts: Vec<String> = corpora[dataset].pages.iter().map(|page| page.host.clone()).collect();
        let all = || (0..hosts.len()).collect::<Vec<usize>>();
        let mut is_given = Vec::new();
        // Of each part, the training pages and the test pages.
        let divisions: Vec<(Vec<usize>, Vec<usize>)> = match split {
            Split::FoldsByHost { folds, .. } => {
                let fold_of = folds_by_host(&hosts, *folds, experiment.seed)?;
                (0..*folds).map(|fold| divide(fold_of.iter().map(|&other| other != fold))).collect()
            }
            Split::Random { train_share, repeats, .. } => {
                random_splits(hosts.len(), *train_share, *repeats, experiment.seed)?
                    .into_iter()
                    .map(|trains| divide(trains.into_iter()))
                    .collect()
            }
            Split::TrainedElsewhere { folds: Some(folds), .. } => {
                let fold_of = folds_by_host(&hosts, *folds, experiment.seed)?;
                (0..*folds).map(|fold| divide(fold_of.iter().map(|&other| other != fold))).collect()
            }
            Split::TrainedElsewhere { folds: None, .. } => vec![(Vec::new(), all())],
            Split::Sites { given, least_tests, most_tests, .. } => {
                let (of_sites, tests) = sites(&corpora[dataset].pages, *given, *least_tests, *most_tests);
                is_given = of_sites;
                vec![(Vec::new(), tests)]
            }
            Split::AllPages { .. } => vec![(Vec::new(), all())],
        };
        for (number, (trains, tests)) in divisions.into_iter().enumerate() {
            let mut tested = Tested::new(&corpora[dataset].pages, &tests);
            for dataset in split.without() {
                tested.add(corpora[dataset.as_str()].pages.iter());
            }
            let apart = |dataset: &str| (dataset.to_owned(), tested.apart(&corpora[dataset].pages));
            let mut training = vec![match split {
                // Random parts are published ones, which divide sites.
                Split::Random { .. } => (dataset.to_owned(), trains),
                _ => match split.train() {
                    Some(train) => apart(train),
                    None => {
                        let pages = &corpora[dataset].pages;
                        let is_apart = |page: &usize| !tested.has_page(&pages[*page]);
                        (dataset.to_owned(), trains.into_iter().filter(is_apart).collect())
                    }
                },
            }];
            training.extend(split.also().iter().map(|dataset| apart(dataset)));
            training.retain(|(_, pages)| !pages.is_empty());
            parts.push(Part {
                split: split.id().to_owned(),
                number,
                dataset: dataset.to_owned(),
                tests,
                given: is_given.clone(),
                training,
            });
        }
    }
    Ok(parts)
}

impl Part {
    /// The same with at most `most` training pages, drawn at random by `seed`: a larger number has all pages of a smaller
    /// one.
    pub fn with_training_pages(&self, most: usize, seed: u64) -> Part {
        let pages = self.training.iter().enumerate();
        let mut drawn: Vec<(usize, usize)> =
            pages.flat_map(|(corpus, (_, pages))| pages.iter().map(move |&page| (corpus, page))).collect();
        drawn.shuffle(&mut stream(seed, "training-pages", &[self.number as u64]));
        drawn.truncate(most);
        drawn.sort_unstable();
        let of_corpus = |(corpus, (name, _)): (usize, &(String, Vec<usize>))| {
            let pages = drawn.iter().filter(|(of, _)| *of == corpus).map(|(_, page)| *page).collect();
            (name.clone(), pages)
        };
        let mut training: Vec<_> = self.training.iter().enumerate().map(of_corpus).collect();
        training.retain(|(_, pages): &(String, Vec<usize>)| !pages.is_empty());
        Part { training, ..self.clone() }
    }

    /// The pages of a corpus of the experiment that are not tested, nor of a host that is.
    pub fn apart(&self, dataset: &str, corpora: &Corpora) -> Vec<usize> {
        Tested::new(&corpora[&self.dataset].pages, &self.tests).apart(&corpora[dataset].pages)
    }
}

/// What is tested or left out, so that none of it trains.
struct Tested<'a> {
    hosts: BTreeSet<&'a str>,
    pages: BTreeSet<Mark>,
}

impl<'a> Tested<'a> {
    fn new(pages: &'a [LabelledPage], tests: &[usize]) -> Self {
        let mut tested = Tested { hosts: BTreeSet::new(), pages: BTreeSet::new() };
        tested.add(tests.iter().map(|&page| &pages[page]));
        tested
    }

    fn add(&mut self, pages: impl Iterator<Item = &'a LabelledPage> + Clone) {
        let hosts = pages.clone().map(|page| page.host.as_str());
        self.hosts.extend(hosts.filter(|host| host::is_known(host)));
        self.pages.extend(pages.flat_map(LabelledPage::marks));
    }

    /// Whether a page is one of those that are tested, whatever its host.
    fn has_page(&self, page: &LabelledPage) -> bool {
        page.marks().iter().any(|mark| self.pages.contains(mark))
    }

    /// The pages of a corpus that are not tested, nor of a host that is. Pages without an address are of no host.
    fn apart(&self, pages: &[LabelledPage]) -> Vec<usize> {
        let is_apart = |page: &LabelledPage| !self.hosts.contains(page.host.as_str()) && !self.has_page(page);
        (0..pages.len()).filter(|&page| is_apart(&pages[page])).collect()
    }
}

/// Of the sites with enough pages, the indices of the pages that are given and of those that are tested.
fn sites(
    pages: &[LabelledPage],
    given: usize,
    least_tests: usize,
    most_tests: usize,
) -> (Vec<usize>, Vec<usize>) {
    let mut sites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, page) in pages.iter().enumerate().filter(|(_, page)| page.host != host::UNKNOWN) {
        sites.entry(&page.site).or_default().push(index);
    }
    let enough = sites.into_values().filter(|pages| pages.len() >= given + least_tests);
    let (mut first, mut tests): (Vec<usize>, Vec<usize>) = enough
        .map(|pages| {
            let end = pages.len().min(given + most_tests);
            (pages[..given].to_vec(), pages[given..end].to_vec())
        })
        .fold((Vec::new(), Vec::new()), |mut sum, (given, tests)| {
            sum.0.extend(given);
            sum.1.extend(tests);
            sum
        });
    first.sort_unstable();
    tests.sort_unstable();
    (first, tests)
}

/// The indices of what trains, and of what does not.
fn divide(trains: impl Iterator<Item = bool>) -> (Vec<usize>, Vec<usize>) {
    let mut sides = (Vec::new(), Vec::new());
    for (page, trains) in trains.enumerate() {
        if trains { sides.0.push(page) } else { sides.1.push(page) }
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_draw_of_training_pages_has_all_of_a_smaller_one() {
        let training = vec![("a".to_owned(), (0..30).collect()), ("b".to_owned(), (5..15).collect())];
        let (split, dataset) = ("s".to_owned(), "t".to_owned());
        let part = Part { split, number: 1, dataset, tests: vec![7], given: Vec::new(), training };
        let drawn = |most| {
            let part = part.with_training_pages(most, 3);
            assert_eq!(part.tests, [7]);
            let pages = part.training.into_iter().flat_map(|(corpus, pages)| {
                assert!(pages.is_sorted() && !pages.is_empty());
                pages.into_iter().map(move |page| (corpus.clone(), page))
            });
            pages.collect::<BTreeSet<_>>()
        };
        let [one, ten, twenty, all] = [1, 10, 20, 1000].map(drawn);
        assert_eq!([one.len(), ten.len(), twenty.len(), all.len()], [1, 10, 20, 40]);
        assert!(one.is_subset(&ten) && ten.is_subset(&twenty) && twenty.is_subset(&all));
        assert!(ten.iter().any(|(corpus, _)| corpus == "a") && ten.iter().any(|(corpus, _)| corpus == "b"));
    }
}
