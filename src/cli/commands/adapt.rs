//! `duramen adapt`: a model for one site, from a few of its pages.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::super::Outcome;
use super::super::progress::Printer;
use super::folder;
use super::inputs::Bounds;
use super::layouts::LayoutOptions;
use crate::dataset::transfer::{Found, TRUSTED_SHARE, find_text};
use crate::error::{Error, Result};
use crate::inference::site_adaptation::{SitePage, site_of};
use crate::model::{Model, SitePrior, TextGoldLabels};
use crate::page::Page;
use crate::training::permitted;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen adapt pages-of-the-site -o site.json
  duramen extract --model site.json new-page.html
  duramen extract --adapt pages-of-the-site/*.html      the same for these pages, without a file

Every page counts by what the general model says of it: where pages agree, one that looks odd is
corrected. A few pages whose text is known do far more: put what is to be extracted of page.html
into page.txt beside it. The model is for pages of this site alone.")]
pub struct Options {
    /// Folder of pages of one site, with the folders below
    #[arg(value_name = "FOLDER")]
    pages: PathBuf,
    /// Model file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Model to adapt: web, news, roles, or a file made by `duramen train`
    #[arg(long, short, value_name = "NAME|FILE", default_value = "web")]
    model: String,
    /// Leaves that the general model's word is worth
    #[arg(long, value_name = "M", default_value_t = SitePrior::default().strength)]
    strength: f64,
    /// What a leaf of a page whose text is known counts for, where another counts for 1
    #[arg(long, value_name = "W", default_value_t = SitePrior::default().label_weight)]
    label_weight: f64,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    layout: LayoutOptions,
}

/// A page with where its text was found, if that is given.
struct Given {
    page: Page,
    found: Option<Found>,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let prior = SitePrior { strength: options.strength, label_weight: options.label_weight };
    prior.check()?;
    let mut model = Model::by_name(&options.model)?;
    options.layout.tell(&mut model)?;
    let engines = options.layout.open(&model.config().layout.as_deref().into_iter().collect::<Vec<_>>())?;
    let engine = engines.first().map(|engine| &**engine);
    let folder = folder::read(&options.pages, &options.bounds, engine, printer)?;
    let read = folder.pages.len() + folder.left_out;
    let made: Vec<Result<Given>> = folder.pages.into_par_iter().map(Given::new).collect();
    let tell = |error: &Error| printer.warn(&format!("left out {error}"));
    let given: Vec<Given> = made.into_iter().filter_map(|given| given.inspect_err(tell).ok()).collect();
    let left_out = read - given.len();
    let pages: Vec<SitePage<'_>> =
        given.par_iter().map(|given| site_page(&model, given)).collect::<Result<_>>()?;
    for given in given.iter().filter(|given| given.found.as_ref().is_some_and(|found| !found.is_trusted())) {
        printer.warn(&format!(
            "{}: less than {TRUSTED_SHARE} of the words of its text stand on the page; taken without it",
            given.page.id()
        ));
    }
    let site = site_of(&model, &pages, prior)?;
    let (all, labelled) = site.pages();
    model.with_site(site).save(&options.output)?;
    printer.warn(&format!(
        "{}: adapted to {all} pages, {labelled} of them with their text, {left_out} left out",
        options.output.display()
    ));
    Ok(if left_out == 0 { Outcome::Done } else { Outcome::SomeFailed })
}

impl Given {
    fn new((page, text): (Page, Option<String>)) -> Result<Self> {
        let find =
            |text: String| find_text(page.dom(), &text).map_err(|problem| Error::page(page.id(), problem));
        let found = text.map(find).transpose()?;
        Ok(Given { page, found })
    }
}

fn site_page<'a>(model: &Model, given: &'a Given) -> Result<SitePage<'a>> {
    let observation =
        model.observation(&given.page).map_err(|problem| Error::page(given.page.id(), problem))?;
    let of_text = |found: &Found| {
        permitted(&observation.view, model.config().states, &TextGoldLabels::default(), found)
    };
    let known = given.found.as_ref().filter(|found| found.is_trusted()).map(of_text).transpose()?;
    Ok(SitePage { page: &given.page, observation, permitted: known })
}
