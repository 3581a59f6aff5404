//! `duramen adapt`: a model for one site, from a few of its pages.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::super::outcome::Outcome;
use super::super::output::check_file;
use super::super::progress::Printer;
use super::super::remedy::told;
use super::inputs::Bounds;
use super::layouts::{LayoutOptions, lay_out};
use crate::alignment::{Found, TRUSTED_SHARE, find_text};
use crate::dataset::transfer::{GoldTokens, place_labels, transfer_labels};
use crate::dataset::{self, Document, Gold};
use crate::error::{Error, PageProblem, Result};
use crate::inference::site_adaptation::{SitePage, site_of};
use crate::layout::LayoutEngine;
use crate::model::{Model, PermittedStates, SitePrior, TargetStates, TextGoldLabels};
use crate::page::{Page, Source};
use crate::progress::Progress;
use crate::training::permitted;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen adapt pages-of-the-site -o site.json
  duramen extract --model site.json new-page.html
  duramen extract --adapt pages-of-the-site/*.html      the same for these pages, without a file

Every page counts by what the general model says of it: where pages agree, one that looks odd is
corrected. A few pages whose text is known do far more: put what is to be extracted of page.html
into page.txt beside it, or labels of its nodes into page.jsonl. The model is for pages of this site alone.")]
pub struct Options {
    /// Folder of pages of one site, with the folders below
    #[arg(value_name = "FOLDER")]
    pages: PathBuf,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Model: web, or another of `duramen model list`, or a model file
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

/// A page with what is known of it.
struct Given {
    page: Page,
    known: Known,
}

/// What is known of the text of a page.
enum Known {
    Nothing,
    Text(Found),
    Labels(GoldTokens),
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let prior = SitePrior { strength: options.strength, label_weight: options.label_weight };
    prior.check()?;
    check_file(&options.output)?;
    let mut model = Model::by_name(&options.model)?;
    options.layout.tell(&mut model)?;
    let engines = options.layout.open(&model.config().layout.as_deref().into_iter().collect::<Vec<_>>())?;
    let engine = engines.first().map(|engine| &**engine);
    let (given, left_out) = read(options, engine, printer)?;
    let pages: Vec<SitePage<'_>> =
        given.par_iter().map(|given| site_page(&model, given)).collect::<Result<_>>()?;
    let is_far_off = |given: &&Given| matches!(&given.known, Known::Text(found) if !found.is_trusted());
    for given in given.iter().filter(is_far_off) {
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

/// The pages of the folder, and how many pages and files do not fit; each of these is told of.
fn read(
    options: &Options,
    engine: Option<&dyn LayoutEngine>,
    printer: &Printer,
) -> Result<(Vec<Given>, usize)> {
    let corpus = dataset::open_pages(&options.pages)?;
    let (with, without) = (corpus.len(), corpus.ids_without_reference().count());
    printer.stage("reading pages", with + without);
    let read = |index: usize| {
        let document = match index < with {
            true => corpus.read(index),
            false => corpus.read_without_reference(index - with),
        };
        let given = document.and_then(|document| Given::new(document, options, engine));
        printer.step();
        given
    };
    let read: Vec<Result<Given>> = (0..with + without).into_par_iter().map(read).collect();
    printer.finish();
    let tell = |error: &Error| printer.warn(&format!("left out {}", told(error)));
    let mut given: Vec<Given> = read.into_iter().filter_map(|given| given.inspect_err(tell).ok()).collect();
    given.sort_by(|a, b| a.page.id().cmp(b.page.id()));
    for misfit in corpus.misfits() {
        printer.warn(&format!("left out {}: {}", misfit.name, misfit.reason));
    }
    if given.is_empty() {
        let remedy = "give pages as HTML files";
        return Err(Error::data(options.pages.display(), "none of its pages can be read", remedy));
    }
    let left_out = with + without - given.len() + corpus.misfits().len();
    Ok((given, left_out))
}

impl Given {
    fn new(document: Document, options: &Options, engine: Option<&dyn LayoutEngine>) -> Result<Self> {
        let Document { id, url, html, gold, .. } = document;
        let mut page = Page::parse(id, url, &html, None, &options.bounds.limits())?;
        if engine.is_some() {
            page = page.with_source(Source { bytes: html, http_charset: None });
        }
        lay_out(&mut page, engine)?;
        let named = |problem| Error::page(page.id(), problem);
        let known = match gold {
            Gold::Images(_) | Gold::Missing => Known::Nothing,
            Gold::Text(gold) => Known::Text(find_text(page.dom(), &gold.text).map_err(named)?),
            Gold::Annotated(annotated) => {
                Known::Labels(transfer_labels(page.dom(), &annotated).map_err(named)?.gold)
            }
            Gold::Nodes(labels) => {
                let placed = place_labels(page.dom(), &labels);
                if let Some(problem) = placed.objection(labels.unlabelled) {
                    return Err(named(PageProblem::Failed(problem)));
                }
                Known::Labels(placed.gold)
            }
        };
        Ok(Given { page, known })
    }
}

fn site_page<'a>(model: &Model, given: &'a Given) -> Result<SitePage<'a>> {
    let observation =
        model.observation(&given.page).map_err(|problem| Error::page(given.page.id(), problem))?;
    let space = model.config().states;
    let known = match &given.known {
        Known::Text(found) if found.is_trusted() => {
            Some(permitted(&observation.view, space, &TextGoldLabels::default(), found)?)
        }
        Known::Labels(gold) => {
            let states = TargetStates::from_tokens(&observation.view, space, |id| gold.counts(id));
            Some(PermittedStates::from_states(&states))
        }
        Known::Nothing | Known::Text(_) => None,
    };
    Ok(SitePage { page: &given.page, observation, permitted: known })
}
