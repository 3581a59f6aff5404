//! `duramen adapt`: a model for one site, from a few of its pages.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::inputs::Bounds;
use super::layouts::{LayoutOptions, lay_out};
use crate::cli::outcome::Outcome;
use crate::cli::output::check_file;
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::dataset::labelled::LabelledPage;
use crate::dataset::{self, Document, Gold};
use crate::error::{Error, Result};
use crate::layout::LayoutEngine;
use crate::model::{Model, SitePrior};
use crate::page::{Page, Source};
use crate::progress::Progress;
use crate::training::{self, AdaptSettings, KnownPage};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen adapt pages-of-the-site -o site.json
  duramen extract --model site.json new-page.html
  duramen extract --adapt pages-of-the-site/*.html      the same for these pages, without a file

Every page counts by what the general model says of it: where pages agree, one that looks odd is
corrected. A few pages whose text is known do far more: put what is to be extracted of page.html
into page.txt beside it, or labels of its nodes into page.jsonl. The model is for pages of this site alone.

With the text of five pages or more these are held out in turn (more than 40 in 20 parts): the word
F1 of the model as it is and of the adapted one is printed, and the model is written unchanged
unless the adapted one is better by a standard error.")]
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
    /// Strength of the prior from the general model, in leaves
    ///
    /// If given, the model is adapted with it even if held-out pages are better without.
    /// [default: what is best on pages held out of 5, 50, 500, 5000 and the model as it is; 5 if too few have a text]
    #[arg(long, value_name = "M")]
    strength: Option<f64>,
    /// Weight of a leaf of a page whose text is known, where other leaves have weight 1
    #[arg(long, value_name = "W", default_value_t = SitePrior::default().label_weight)]
    label_weight: f64,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    layout: LayoutOptions,
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    let settings = AdaptSettings { strength: options.strength, label_weight: Some(options.label_weight) };
    settings.check()?;
    check_file(&options.output)?;
    let mut model = Model::by_name(&options.model)?;
    options.layout.tell(&mut model)?;
    let engines = options.layout.open(&model.config().layout.as_deref().into_iter().collect::<Vec<_>>())?;
    let (pages, left_out) = read(options, engines.first().map(|engine| &**engine), printer)?;
    let adapted = training::adapt(&model, &pages, settings, printer);
    printer.finish();
    let adapted = adapted?;
    adapted.model.save(&options.output)?;
    let told = adapted.describe(&options.model, &options.output.display().to_string(), left_out);
    told.iter().for_each(|line| printer.warn(line));
    Ok(if left_out == 0 { Outcome::Done } else { Outcome::SomeFailed })
}

/// The pages of the folder, and how many pages and files do not fit; each of these is told of.
fn read(
    options: &Options,
    engine: Option<&dyn LayoutEngine>,
    printer: &Printer,
) -> Result<(Vec<KnownPage>, usize)> {
    let corpus = dataset::open_pages(&options.pages)?;
    let (with, without) = (corpus.len(), corpus.ids_without_reference().count());
    printer.stage("reading pages", with + without);
    let read = |index: usize| {
        let document = match index < with {
            true => corpus.read(index),
            false => corpus.read_without_reference(index - with),
        };
        let given = document.and_then(|document| known(document, options, engine));
        printer.step();
        given
    };
    let read: Vec<Result<KnownPage>> = (0..with + without).into_par_iter().map(read).collect();
    printer.finish();
    let tell = |error: &Error| printer.warn(&format!("left out {}", told(error)));
    let mut given: Vec<KnownPage> =
        read.into_iter().filter_map(|given| given.inspect_err(tell).ok()).collect();
    given.sort_by(|a, b| a.page.page.id().cmp(b.page.page.id()));
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

/// A page with what lies beside it, laid out.
fn known(document: Document, options: &Options, engine: Option<&dyn LayoutEngine>) -> Result<KnownPage> {
    let is_known = !matches!(document.gold, Gold::Images(_) | Gold::Missing);
    let (limits, keep_source) = (options.bounds.limits(), engine.is_some());
    let mut known = match is_known {
        true => KnownPage::known(LabelledPage::read(document, &limits, keep_source)?),
        false => {
            let Document { id, url, html, .. } = document;
            let mut page = Page::parse(id, url, &html, None, &limits)?;
            if keep_source {
                page = page.with_source(Source { bytes: html, http_charset: None });
            }
            KnownPage::unknown(page)
        }
    };
    lay_out(&mut known.page.page, engine)?;
    Ok(known)
}
