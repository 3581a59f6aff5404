//! Adapting a general model to one site, from pages with labels, with a reference text or with nothing but themselves.
//!
//! The general model stays as it is; its exact posterior on each page, given what is known of the page, fills the tables of
//! the [`Site`] beside it. Without any label it is the pages' own agreement that is learned: where a class holds content on
//! most pages, it does on the one that looks odd.

use rayon::prelude::*;

use super::exact::Exact;
use super::upward_downward::posteriors;
use crate::error::Result;
use crate::model::layers::site::{Site, SitePrior};
use crate::model::{Model, Observation, PermittedStates};
use crate::page::Page;

/// A page of the site.
#[derive(Debug, Clone)]
pub struct SitePage<'a> {
    /// The page.
    pub page: &'a Page,
    /// What the general model sees of it.
    pub observation: Observation,
    /// What is known of its states; nothing of most pages.
    pub permitted: Option<PermittedStates>,
}

/// The tables of a site, learned from its pages by a general model; what that was adapted to before does not matter.
///
/// # Errors
/// As [`SitePrior::check`].
///
/// # Cost
/// That of exact inference of each page.
pub fn site_of(model: &Model, pages: &[SitePage<'_>], prior: SitePrior) -> Result<Site> {
    site_by(model, pages.iter().zip(&expected(model, pages)), prior)
}

/// P(state) of the nodes of each page given what is known of it, \[node\]\[state\] row after row: all that the
/// tables are made of.
pub fn expected(model: &Model, pages: &[SitePage<'_>]) -> Vec<Vec<f64>> {
    let parameters = model.parameters();
    let ready = Exact::new(model, &parameters);
    let expect = |page: &SitePage<'_>| match &page.permitted {
        None => ready.posteriors(&page.observation),
        Some(permitted) => {
            let mut ln_emission = model.ln_emission(&parameters, &page.observation);
            permitted.restrict(&mut ln_emission);
            posteriors(&page.observation.view.tree, &ln_emission, &parameters.transition)
        }
    };
    pages.par_iter().map(expect).collect()
}

/// The tables of a site from pages with what is [`expected`] of them.
///
/// # Errors
/// As [`SitePrior::check`].
pub fn site_by<'a>(
    model: &Model,
    pages: impl IntoIterator<Item = (&'a SitePage<'a>, &'a Vec<f64>)>,
    prior: SitePrior,
) -> Result<Site> {
    let k = model.config().states.len();
    let mut site = Site::new(prior)?;
    for (page, posterior) in pages {
        site.observe(page.page, &page.observation.view, posterior, k, page.permitted.is_some());
    }
    Ok(site)
}
