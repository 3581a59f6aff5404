//! The hidden Markov tree adapted to each site that it is given, by what the site's pages agree on.

use std::sync::Arc;

use super::hmt::{Hmt, Inference};
use super::{ExtractError, Extraction, Extractor, PageExtractor};
use crate::error::{Error, PageProblem, Result};
use crate::inference::site_adaptation::{SitePage, site_of};
use crate::model::{Observation, SitePrior};
use crate::page::Page;

/// A tree that sees the pages of a site together, see [`crate::model::layers::site`]. It needs no labels; pages of the site that
/// have them can be given to it. A page alone is extracted as by the tree itself.
#[derive(Debug, Clone)]
pub struct SiteHmt<'a> {
    hmt: Arc<Hmt>,
    given: Vec<SitePage<'a>>,
}

impl SiteHmt<'_> {
    /// A tree to be adapted.
    ///
    /// # Errors
    /// As [`SiteHmt::check`].
    pub fn new(hmt: Hmt) -> Result<Self> {
        Self::check(&hmt.inference())?;
        Ok(SiteHmt { hmt: Arc::new(hmt), given: Vec::new() })
    }

    /// Whether a tree that infers so can be adapted.
    ///
    /// # Errors
    /// [`Error::Usage`] if it does not infer exactly.
    pub fn check(inference: &Inference) -> Result<()> {
        match inference {
            Inference::Exact => Ok(()),
            _ => Err(Error::usage(
                "adapt with another inference than exact",
                "leave one of them out; it is the exact posteriors that pages agree on",
            )),
        }
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

    fn gives_probabilities(&self) -> bool {
        true
    }

    fn tells_comments(&self) -> bool {
        PageExtractor::tells_comments(&*self.hmt)
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
        let site = site.as_ref().or(model.layers().site.as_ref());
        let extract = |(page, observation): (&&Page, Result<Observation, PageProblem>)| {
            self.hmt.extraction_at(page, &observation?, site)
        };
        pages.iter().zip(observed).map(extract).collect()
    }
}
