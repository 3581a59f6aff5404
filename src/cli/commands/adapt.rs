//! `duramen adapt`: a model for one site, from a few of its pages.

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;

use super::super::Outcome;
use super::super::progress::Printer;
use super::inputs::{self, Bounds, Source};
use super::layouts::{LayoutOptions, lay_out};
use crate::dataset::transfer::{Found, find_text};
use crate::error::{Error, Result};
use crate::harness::runner::Observer;
use crate::harness::training_set::{TRUSTED_SHARE, is_trusted, permitted};
use crate::inference::site_adaptation::{SitePage, site_of};
use crate::layout::LayoutEngine;
use crate::model::{Model, SitePrior, TextGoldLabels};
use crate::page::Page;

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
    let sources = inputs::of_folder(&options.pages)?;
    printer.stage("reading pages", sources.len());
    let bounds = options.bounds.keeping_source(engine.is_some());
    let read = |source: &Source| {
        let given = read(source, &bounds, engine);
        printer.tick();
        given
    };
    let read: Vec<Result<Given>> = sources.par_iter().map(read).collect();
    printer.finish();
    let (mut given, mut left_out) = (Vec::new(), 0);
    for page in read {
        match page {
            Ok(page) => given.push(page),
            Err(error @ Error::Page { .. }) => {
                printer.warn(&format!("left out {error}"));
                left_out += 1;
            }
            Err(error) => return Err(error),
        }
    }
    if given.is_empty() {
        return Err(Error::data(
            options.pages.display(),
            "none of its pages can be read",
            "give pages of the site as HTML files",
        ));
    }
    let pages: Vec<SitePage<'_>> =
        given.par_iter().map(|given| site_page(&model, given)).collect::<Result<_>>()?;
    for given in given.iter().filter(|given| given.found.as_ref().is_some_and(|found| !is_trusted(found))) {
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

fn read(source: &Source, bounds: &Bounds, engine: Option<&dyn LayoutEngine>) -> Result<Given> {
    let mut page = source.read(None, bounds)?;
    lay_out(&mut page, engine)?;
    let found = match text_beside(source) {
        None => None,
        Some(path) => {
            let text = std::fs::read(&path).map_err(|error| Error::io(&path, error))?;
            let text = String::from_utf8_lossy(&text);
            Some(find_text(page.dom(), &text).map_err(|problem| Error::page(page.id(), problem))?)
        }
    };
    Ok(Given { page, found })
}

/// `page.txt` of `page.html` or `page.html.gz`, if it is there.
fn text_beside(source: &Source) -> Option<PathBuf> {
    let Source::File { path, .. } = source else { return None };
    let plain =
        if path.extension().is_some_and(|end| end == "gz") { path.with_extension("") } else { path.clone() };
    Some(plain.with_extension("txt")).filter(|path: &PathBuf| Path::is_file(path))
}

fn site_page<'a>(model: &Model, given: &'a Given) -> Result<SitePage<'a>> {
    let observation =
        model.observation(&given.page).map_err(|problem| Error::page(given.page.id(), problem))?;
    let of_text = |found: &Found| {
        permitted(&observation.view, model.config().states, &TextGoldLabels::default(), found)
    };
    let known = given.found.as_ref().filter(|found| is_trusted(found)).map(of_text).transpose()?;
    Ok(SitePage { page: &given.page, observation, permitted: known })
}
