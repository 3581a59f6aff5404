//! The hidden Markov tree adapted to each site that it is given, by what the site's pages agree on.

use std::sync::Arc;

use super::hmt::Hmt;
use super::{ExtractError, Extraction, Extractor, PageExtractor};
use crate::error::PageProblem;
use crate::inference::site_adaptation::{SitePage, site_of};
use crate::model::{Observation, SitePrior};
use crate::page::Page;

/// A tree that sees the pages of a site together, see [`crate::model::site`]. It needs no labels; pages of the site that
/// have them can be given to it. A page alone is extracted as by the tree itself.
#[derive(Debug, Clone)]
pub struct SiteHmt<'a> {
    hmt: Arc<Hmt>,
    given: Vec<SitePage<'a>>,
}

impl SiteHmt<'_> {
    /// A tree that infers exactly, to be adapted.
    pub fn new(hmt: Hmt) -> Self {
        SiteHmt { hmt: Arc::new(hmt), given: Vec::new() }
    }

    /// The same for a site of which these pages are known besides those to extract.
    pub fn given<'a>(&self, given: Vec<SitePage<'a>>) -> SiteHmt<'a> {
        SiteHmt { hmt: Arc::clone(&self.hmt), given }
    }

    /// The tree before it is adapted.
    pub fn hmt(&self) -> &Hmt {
        &self.hmt
    }
}

impl Extractor for SiteHmt<'_> {
    fn id(&self) -> &str {
        PageExtractor::id(&*self.hmt)
    }

    fn layout_engines(&self) -> Vec<&str> {
        PageExtractor::layout_engines(&*self.hmt)
    }

    fn extract_site(&self, pages: &[&Page]) -> Vec<Result<Extraction, ExtractError>> {
        let model = self.hmt.model();
        let observed: Vec<Result<Observation, PageProblem>> =
            pages.iter().map(|page| model.observation(page)).collect();
        let of_pages = pages.iter().zip(&observed).filter_map(|(page, observation)| {
            let observation = observation.as_ref().ok()?.clone();
            Some(SitePage { page, observation, permitted: None })
        });
        let seen: Vec<SitePage<'_>> = self.given.iter().cloned().chain(of_pages).collect();
        let site = match seen.len() {
            0 | 1 => None,
            _ => Some(site_of(model, &seen, SitePrior::default()).expect("the defaults are in range")),
        };
        let site = site.as_ref().or(model.site());
        let extract = |(page, observation): (&&Page, Result<Observation, PageProblem>)| {
            self.hmt.extraction_at(page, &observation?, site)
        };
        pages.iter().zip(observed).map(extract).collect()
    }
}
