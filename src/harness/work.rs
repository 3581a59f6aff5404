//! The work of one system on one part of a split: extract every test page, score, journal.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::config::{Experiment, System};
use super::corpora::Corpora;
use super::journal::Journal;
use super::plan::Part;
use super::record::PageResult;
use super::times::Times;
use crate::dataset::labelled::LabelledPage;
use crate::error::{Error, Result};
use crate::extract::site_hmt::SiteHmt;
use crate::extract::{ExtractError, Extractor};
use crate::host;
use crate::inference::site_adaptation::SitePage;
use crate::model::{Model, PageType};
use crate::page::Page;
use crate::page_work::caught;
use crate::progress::Progress;
use crate::scoring::{Metric, PageScores, score};
use crate::training;

/// One system on one part.
pub(super) struct Work<'a> {
    pub experiment: &'a Experiment,
    pub corpora: &'a Corpora,
    pub part: &'a Part,
    pub system: &'a System,
    pub journal: &'a Journal<PageResult>,
    pub times: &'a Times,
    pub stop: &'a AtomicBool,
    pub progress: &'a dyn Progress,
}

impl Work<'_> {
    /// The results of one system on the test pages of one part, in the pages' order. `adapted` is the extractor, of a
    /// system that is adapted to sites.
    pub(super) fn run(
        &self,
        extractor: &dyn Extractor,
        adapted: Option<&SiteHmt<'static>>,
    ) -> Result<Vec<PageResult>> {
        let pages = &self.corpora[&self.part.dataset].pages;
        let sites = self.sites(pages, extractor.reads_whole_sites());
        let done: Result<Vec<Vec<(usize, PageResult)>>> =
            sites.into_par_iter().map(|site| self.site(extractor, adapted, pages, &site)).collect();
        let mut results: Vec<(usize, PageResult)> = done?.into_iter().flatten().collect();
        results.sort_by_key(|&(page, _)| page);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// The same, if an earlier run had come to all of them: then nothing need be learned.
    pub(super) fn finished(&self) -> Option<Vec<PageResult>> {
        let pages = &self.corpora[&self.part.dataset].pages;
        let mut tests = self.sites(pages, true).concat();
        tests.sort_unstable();
        let found: Option<Vec<_>> = tests.iter().map(|&page| self.known(&pages[page]).cloned()).collect();
        found.inspect(|found| found.iter().for_each(|_| self.progress.step()))
    }

    /// The result of a page, if an earlier run had come to it.
    fn known(&self, page: &LabelledPage) -> Option<&PageResult> {
        let Part { split, number, .. } = self.part;
        self.journal.find(&PageResult::key_of(split, *number, &self.system.id, page.page.id()))
    }

    /// The test pages in groups to be extracted together: the pages of a site for an extractor that reads whole
    /// sites, at most as many as the sweep allows, and otherwise each page alone.
    fn sites(&self, pages: &[LabelledPage], whole: bool) -> Vec<Vec<usize>> {
        let limit = self.system.max_pages_of_site.unwrap_or(usize::MAX);
        // Pages without an address are no site together: each is one by itself.
        let mut sites: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
        for &page in &self.part.tests {
            let own = if pages[page].host == host::UNKNOWN { page } else { 0 };
            let site = sites.entry((&pages[page].site, own)).or_default();
            if site.len() < limit {
                site.push(page);
            }
        }
        let alone = |page: usize| vec![page];
        match whole {
            true => sites.into_values().collect(),
            false => sites.into_values().flatten().map(alone).collect(),
        }
    }

    fn site(
        &self,
        extractor: &dyn Extractor,
        adapted: Option<&SiteHmt<'static>>,
        pages: &[LabelledPage],
        site: &[usize],
    ) -> Result<Vec<(usize, PageResult)>> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let Part { split, number, .. } = self.part;
        let known: Vec<_> = site.iter().map(|&page| self.known(&pages[page])).collect();
        // A site is extracted as a whole, if only for one of its pages.
        let scored = match known.iter().copied().collect::<Option<Vec<_>>>() {
            Some(all) => all.into_iter().map(|known| (known.status.clone(), known.scores.clone())).collect(),
            None => {
                let site: Vec<&LabelledPage> = site.iter().map(|&page| &pages[page]).collect();
                let metrics = &self.experiment.metrics;
                let (scored, time) = match adapted {
                    None => extract_and_score(extractor, &site, metrics),
                    Some(adapted) => {
                        let given = self.given(adapted.hmt().model(), pages, &site[0].site)?;
                        extract_and_score(&adapted.given(given), &site, metrics)
                    }
                };
                self.times.add(&self.system.id, site.len(), time);
                scored
            }
        };
        let mut results = Vec::with_capacity(site.len());
        for ((&page, known), (status, scores)) in site.iter().zip(known).zip(scored) {
            let result = PageResult {
                split: split.clone(),
                part: *number,
                system: self.system.id.clone(),
                page: pages[page].page.id().to_owned(),
                host: pages[page].host.clone(),
                page_type: pages[page].page_type.as_deref().map(type_name),
                status,
                scores,
            };
            if known.is_none() {
                self.journal.append(&result)?;
            }
            self.progress.step();
            results.push((page, result));
        }
        Ok(results)
    }
}

impl<'a> Work<'a> {
    /// The pages of a site that the split gives, the first of them with their gold.
    fn given(&self, model: &Model, pages: &'a [LabelledPage], site: &str) -> Result<Vec<SitePage<'a>>> {
        let labelled = self.system.adapt.unwrap_or_default().labelled_pages;
        let of_site = self.part.given.iter().map(|&page| &pages[page]).filter(|page| page.site == site);
        let seen = of_site.enumerate().map(|(place, page)| {
            let named = |problem| Error::page(page.page.id(), problem);
            let observation = model.observation(&page.page).map_err(named)?;
            let permitted = match place < labelled {
                true => Some(training::permitted_states(page, &observation, model)?),
                false => None,
            };
            Ok(SitePage { page: &page.page, observation, permitted })
        });
        seen.collect()
    }
}

/// The name of a type of page that a corpus states: ours, if it is one of those.
fn type_name(stated: &str) -> String {
    PageType::stated(stated).map_or_else(|| stated.to_owned(), |known| known.name().to_owned())
}

/// The status of a page to which an extractor does not apply: it has no scores, and is in no mean.
pub const NOT_APPLICABLE: &str = "n/a";

/// The status and scores of each page of a site, and how long the extraction took. A failure, a panic of the
/// extractor too, is a status and scores as an empty extraction; a missing input is [`NOT_APPLICABLE`].
pub fn extract_and_score(
    extractor: &dyn Extractor,
    site: &[&LabelledPage],
    metrics: &[Metric],
) -> (Vec<(String, PageScores)>, Duration) {
    let pages: Vec<&Page> = site.iter().map(|page| &page.page).collect();
    let start = Instant::now();
    let extracted = caught(|| extractor.extract_site(&pages));
    let time = start.elapsed();
    let mut extractions = extracted.unwrap_or_default().into_iter();
    let scored = site.iter().map(|page| match extractions.next() {
        Some(Ok(extraction)) => ("ok".to_owned(), score(page, Some(&extraction), metrics)),
        Some(Err(ExtractError::MissingInput(_))) => (NOT_APPLICABLE.to_owned(), PageScores::default()),
        Some(Err(ExtractError::Page(problem))) => (problem.status().to_owned(), score(page, None, metrics)),
        None => ("panic".to_owned(), score(page, None, metrics)),
    });
    (scored.collect(), time)
}
