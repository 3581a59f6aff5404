//! A model adapted to the pages of a site, if that is better on pages that it was not adapted to.

use rayon::prelude::*;

use super::held_out::{self, HeldOut};
use super::page::TrainingPage;
use crate::alignment::TRUSTED_SHARE;
use crate::dataset::labelled::LabelledPage;
use crate::error::{Error, Result};
use crate::extract::Extraction;
use crate::extract::hmt::{self, Hmt, Inference};
use crate::inference::site_adaptation::{SitePage, expected, site_by};
use crate::label::LabelSet;
use crate::model::layers::site::Site;
use crate::model::{Model, SitePrior, TextGoldLabels};
use crate::page::Page;
use crate::plural::plural;
use crate::progress::Progress;
use crate::tokens;

/// The strengths that are tried on pages held out, the most careful first.
pub const STRENGTHS: [f64; 4] = [5000.0, 500.0, 50.0, 5.0];

/// A page of a site: with its gold, or without, of which nothing is known.
#[derive(Debug)]
pub struct KnownPage {
    /// The page; of one of which nothing is known with an empty text.
    pub page: LabelledPage,
    /// Whether its gold is known.
    pub is_known: bool,
}

impl KnownPage {
    /// A page whose gold is known.
    pub fn known(page: LabelledPage) -> Self {
        KnownPage { page, is_known: true }
    }

    /// A page of which nothing is known.
    pub fn unknown(page: Page) -> Self {
        KnownPage { page: LabelledPage::from_text(page, String::new()), is_known: false }
    }
}

/// How a model is adapted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AdaptSettings {
    /// The site's strength, range as in [`SitePrior`]. Given, the model is adapted with it whatever pages held out say; none,
    /// they choose it among [`STRENGTHS`] and the model as it is. Default none.
    pub strength: Option<f64>,
    /// What a leaf with a label counts for; default and range as in [`SitePrior`].
    pub label_weight: Option<f64>,
}

impl AdaptSettings {
    /// The prior with a strength, or the default one.
    fn prior(self, strength: Option<f64>) -> SitePrior {
        let default = SitePrior::default();
        SitePrior {
            strength: strength.unwrap_or(default.strength),
            label_weight: self.label_weight.unwrap_or(default.label_weight),
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// As [`SitePrior::check`].
    pub fn check(self) -> Result<()> {
        self.prior(self.strength).check()
    }
}

/// A model after its adaptation to a site.
#[derive(Debug)]
pub struct Adapted {
    /// The adapted model, or the model as it is where that is better.
    pub model: Model,
    /// The strength that was taken; none if the model is kept as it is.
    pub strength: Option<f64>,
    /// Pages adapted to, and those of them whose gold is known.
    pub pages: (usize, usize),
    /// What pages held out say; none if too few have a gold.
    pub held_out: Option<HeldOut>,
    /// What changes on the pages themselves.
    pub changed: Changed,
}

impl Adapted {
    /// What was made and why, a line each, for who adapted the model named `model` into `made`, with `left_out` pages left
    /// out.
    pub fn describe(&self, model: &str, made: &str, left_out: usize) -> Vec<String> {
        let held_out =
            self.held_out.as_ref().map(|held_out| format!("{model}: {}", held_out.describe("adapted")));
        let mut lines: Vec<String> = held_out.into_iter().collect();
        let (all, known) = self.pages;
        let Some(strength) = self.strength else {
            lines.push(format!(
                "{made}: {model} kept as it is: adapting to {} makes it no better; {left_out} left out",
                plural(all, "page")
            ));
            return lines;
        };
        lines.push(format!(
            "{made}: adapted to {}, {known} of them with their text, {left_out} left out; strength {strength}",
            plural(all, "page")
        ));
        let Changed { pages, dropped, added, before } = self.changed;
        let unsure = if known == 0 { "; whether that is better only pages with their text tell" } else { "" };
        lines.push(format!(
            "what changes, on {pages} of {}: of {} of articles {dropped} dropped and {added} others added{unsure}",
            plural(all, "page"),
            plural(before, "word"),
        ));
        lines
    }
}

/// What an adapted model says otherwise than the model as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changed {
    /// Pages of which other text is extracted.
    pub pages: usize,
    /// Words that were of the article and no more are.
    pub dropped: usize,
    /// Words that are of the article and were not.
    pub added: usize,
    /// Words that were of the article.
    pub before: usize,
}

/// Adapts a model to a site by what its pages agree on and what is known of them. Where the gold of
/// [`LEAST_PAGES`](super::LEAST_PAGES) pages is known, these are held out in turn, and the model is kept as it is unless an
/// adapted one is better. A page whose text is not on it is taken without it, and told of.
///
/// # Errors
/// As [`AdaptSettings::check`]; [`Error::Page`] of a page that the model cannot see.
///
/// # Cost
/// Inference of each page, and of each page with a gold once for each strength.
pub fn adapt(
    model: &Model,
    pages: &[KnownPage],
    settings: AdaptSettings,
    progress: &dyn Progress,
) -> Result<Adapted> {
    settings.check()?;
    // What it was adapted to before does not matter to what is learned, but to what it says as it is.
    let hmt = Hmt::new(hmt::ID, model.clone(), Inference::Exact)?;
    progress.stage("adapting", pages.len());
    let seen: Vec<SitePage<'_>> = pages
        .par_iter()
        .map(|page| {
            let seen = site_page(model, page);
            progress.step();
            seen
        })
        .collect::<Result<_>>()?;
    for (_, seen) in pages.iter().zip(&seen).filter(|(page, seen)| page.is_known && seen.permitted.is_none())
    {
        let id = seen.page.id();
        progress.note(&format!(
            "{id}: less than {TRUSTED_SHARE} of the words of its text stand on the page; taken without it"
        ));
    }
    let posteriors = expected(model, &seen);
    let site_without = |left_out: &[usize], strength: Option<f64>| {
        let others = seen.iter().zip(&posteriors).enumerate();
        let others = others.filter(|(index, _)| !left_out.contains(index)).map(|(_, page)| page);
        site_by(model, others, settings.prior(strength))
    };
    let known: Vec<(usize, &LabelledPage)> =
        (0..pages.len()).filter(|&i| seen[i].permitted.is_some()).map(|i| (i, &pages[i].page)).collect();
    let strengths: &[f64] = settings.strength.as_ref().map_or(&STRENGTHS, std::slice::from_ref);
    let f1 = |index: usize, site: Option<&Site>| {
        let extraction = hmt.extraction_at(seen[index].page, &seen[index].observation, site).ok();
        held_out::word_f1(&pages[index].page, extraction.as_ref())
    };
    let held_out = held_out::hold_out(
        &known,
        |index| f1(index, model.layers().site.as_ref()),
        |left_out| strengths.iter().map(|&m| site_without(left_out, Some(m))).collect::<Result<Vec<_>>>(),
        |sites, index| sites.iter().map(|site| f1(index, Some(site))).collect(),
        progress,
    )?;
    let strength = match (settings.strength, &held_out) {
        (Some(strength), _) => Some(strength),
        (None, Some(held_out)) => held_out.taken.map(|place| strengths[place]),
        (None, None) => Some(SitePrior::default().strength),
    };
    if held_out.is_none() && !known.is_empty() {
        held_out::tell_too_few(known.len(), progress);
    }
    let pages_seen = (pages.len(), known.len());
    let Some(strength) = strength else {
        let changed = Changed::default();
        return Ok(Adapted { model: model.clone(), strength: None, pages: pages_seen, held_out, changed });
    };
    let site = site_without(&[], Some(strength))?;
    let changes: Vec<Changed> = seen
        .par_iter()
        .filter_map(|page| {
            let extraction = |site| hmt.extraction_at(page.page, &page.observation, site).ok();
            Some(Changed::of(page, &extraction(model.layers().site.as_ref())?, &extraction(Some(&site))?))
        })
        .collect();
    let changed = changes.into_iter().fold(Changed::default(), |sum, page| Changed {
        pages: sum.pages + page.pages,
        dropped: sum.dropped + page.dropped,
        added: sum.added + page.added,
        before: sum.before + page.before,
    });
    let model = model.clone().with_layer(site)?;
    Ok(Adapted { model, strength: Some(strength), pages: pages_seen, held_out, changed })
}

impl Changed {
    fn of(page: &SitePage<'_>, before: &Extraction, after: &Extraction) -> Self {
        let dom = page.page.dom();
        let mut changed = Changed::default();
        for id in dom.shown_texts() {
            let words = tokens::count(dom.text(id)) as usize;
            let [was, is] =
                [before, after].map(|extraction| LabelSet::ARTICLE.contains(extraction.labels[id]));
            changed.before += if was { words } else { 0 };
            match (was, is) {
                (true, false) => changed.dropped += words,
                (false, true) => changed.added += words,
                _ => {}
            }
        }
        changed.pages = usize::from(changed.dropped + changed.added > 0);
        changed
    }
}

/// What the model sees of a page, and what its gold permits if that was found on it.
fn site_page<'a>(model: &Model, known: &'a KnownPage) -> Result<SitePage<'a>> {
    let page = &known.page.page;
    let named = |problem| Error::page(page.id(), problem);
    let observation = model.observation(page).map_err(named)?;
    let mut permitted = None;
    if known.is_known {
        let training = TrainingPage::new(&known.page, "").map_err(named)?;
        if training.reference.is_trusted() {
            let labels = TextGoldLabels::default();
            permitted = Some(training.permitted(&observation, model.config().states, &labels, false)?);
        }
    }
    Ok(SitePage { page, observation, permitted })
}
