//! Labelling in the browser: the session, its server, and what came of it.

use std::path::Path;

use super::Options;
use super::pages;
use super::review::{self, Reviewed};
use super::server::Application;
use crate::annotation::{Session, Status};
use crate::cli::commands::sample::ZARR;
use crate::cli::outcome::Outcome;
use crate::cli::output::print;
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::document::sampled::SampledPosteriors;
use crate::error::{Error, Result};
use crate::extract::Extractor;
use crate::extract::hmt::{Hmt, Inference};
use crate::extract::registry::{self, Parameters};
use crate::model::Model;
use crate::plural::plural;

/// Serves the application until the user interrupts it.
pub(super) fn label(options: &Options, output: &Path, printer: &Printer) -> Result<Outcome> {
    let name = options.model.as_deref().unwrap_or("web");
    let model = Model::by_name(name)?;
    if let Some(engine) = &model.config().layout {
        return Err(Error::usage(
            format!("the model {name} reads layouts by {engine}, and pages are not laid out here"),
            "name another model",
        ));
    }
    let hmt = Hmt::new("hmt", model, Inference::Exact)?;
    let other = options.beside.as_deref().map(other_system).transpose()?;
    // A port that is taken is heard of before the pages are read.
    let application = Application::new(options.port)?;
    let annotator = options.annotator.clone().unwrap_or_else(|| "annotator".to_owned());
    let mut session = Session::open(output, hmt, &annotator, options.bounds.limits())?;
    let left_out = match options.review {
        true => add_reviewed(options, output, &mut session, printer)?,
        false => add_pages(options, other.as_deref(), &mut session, printer)?,
    };
    let url = application.url();
    printer
        .warn(&format!("{}, {left_out} left out; open in a browser:", plural(session.list().len(), "page")));
    print(&format!("{url}\n"))?;
    if !options.no_open && has_display() && open::that_detached(&url).is_err() {
        printer.warn("no browser could be opened; open the address by hand");
    }
    printer.warn("what is labelled is saved at once; end with Ctrl-C");
    application.serve(&mut session)?;
    let overview = session.overview();
    let (accepted, skipped, all) = (overview.accepted, overview.skipped, overview.all);
    let open = session.list().iter().filter(|page| page.status == Status::Open).count();
    printer.warn(&format!(
        "{}: {accepted} of {} accepted, {skipped} skipped, {open} open",
        output.display(),
        plural(all, "page"),
    ));
    let agreement = session.agreement()?;
    if agreement.pages > 0 {
        print(&super::agreement_table(&agreement))?;
    }
    if accepted > 0 {
        printer.warn(&format!("next: duramen train --dataset {} -o mine.json", output.display()));
    }
    Ok(Outcome::Done)
}

/// The system that the model is compared with: an extractor by its name, draws, or a model.
fn other_system(name: &str) -> Result<Box<dyn Extractor>> {
    let draws = Path::new(name).join(ZARR);
    if draws.is_dir() {
        return Ok(Box::new(SampledPosteriors::read(&draws)?));
    }
    if registry::info(name).is_ok() {
        return registry::build(name, &Parameters::new());
    }
    let model = Model::by_name(name).map_err(|error| {
        Error::usage(
            format!("--beside {name}: no extractor has this name, and as a model: {error}"),
            "see `duramen extractors` and `duramen model list`, or name a model file or a folder of `duramen sample`",
        )
    })?;
    Ok(Box::new(Hmt::new(name, model, Inference::Exact)?))
}

/// Adds the pages to label, and gives how many are left out.
fn add_pages(
    options: &Options,
    other: Option<&dyn Extractor>,
    session: &mut Session,
    printer: &Printer,
) -> Result<usize> {
    let most = options.max_pages.unwrap_or(usize::MAX);
    let mut failed = 0;
    let left_out = pages::for_each(&options.inputs, most, &options.bounds, &options.data, printer, |page| {
        let added = match other {
            Some(other) => session.add_compared(page, other),
            None => session.add(page),
        };
        failed += told_if_left_out(added, printer)?;
        Ok(())
    })?;
    if session.list().is_empty() {
        return Err(Error::data(
            options.inputs.join(", "),
            "there is no page to label",
            "name pages as HTML files",
        ));
    }
    match other {
        Some(_) => session.sort_by_doubt(),
        None => session.sort(options.order.into(), options.seed),
    }
    Ok(left_out + failed)
}

/// The same of pages whose labels are reviewed.
fn add_reviewed(options: &Options, output: &Path, session: &mut Session, printer: &Printer) -> Result<usize> {
    let (pages, mut left_out) = review::pages(options, output, printer)?;
    for Reviewed { page, doubt, kind, .. } in pages {
        left_out += told_if_left_out(session.add_reviewed(page, &doubt, kind), printer)?;
    }
    session.sort_by_doubt();
    Ok(left_out)
}

/// 1 for a page that was not added because the model cannot see it, which is told; else 0.
fn told_if_left_out(added: Result<()>, printer: &Printer) -> Result<usize> {
    match added {
        Err(error @ Error::Page { .. }) => {
            printer.error(&told(&error));
            Ok(1)
        }
        other => other.map(|()| 0),
    }
}

/// Whether a browser would have a place to open in.
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
