//! `duramen sample`: chains over the states of pages and the parameters, kept as ArviZ keeps draws.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use clap::{Args, ValueEnum};

use super::hmt::{BURN_IN, CHAINS, SEED, SWEEPS};
use super::inputs::{Bounds, Source};
use super::layouts::{LayoutOptions, lay_out};
use super::train::configuration;
use crate::cli::interrupt::stop_flag;
use crate::cli::outcome::Outcome;
use crate::cli::output::check_folder;
use crate::cli::progress::Printer;
use crate::cli::remedy::told;
use crate::diagnostics::{LargestRhat, Undefined};
use crate::document::sample::{ObservedPage, PagesToSample};
use crate::draws::InferenceData;
use crate::error::{Error, Result};
use crate::files::clear_once;
use crate::inference::gibbs::{
    self, Chain, GibbsConfig, Kernel, ParameterUse, RunConfig, SampledStates, Sampler, Start, SweepObserver,
};
use crate::layout::LayoutEngine;
use crate::model::{Model, NodeLabels};
use crate::plural::plural;
use crate::progress::Progress as _;

/// The folder inside the output in which a run that is not finished is kept.
pub(super) const CHECKPOINT: &str = "checkpoint";
/// The draws as a zarr store.
pub(super) const ZARR: &str = "draws.zarr";
/// The draws as JSON.
const JSON: &str = "draws.json";

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  duramen sample page.html --chains 4 --sweeps 1000 --burn-in 200 --seed 1 -d draws
  duramen diagnose draws --strict
  duramen sample site/*.html --node-labels known.jsonl --until-rhat 1.01 -d draws

A file of labels has one a line, with the states that the text inside the selected nodes may have:
  {\"page\": \"a.html\", \"xpath\": \"//h1\", \"states\": [\"headline\"]}
  {\"xpath\": \"//div[@class='body']//p\", \"states\": [\"full-text\", \"supplemental\"]}

The folder holds draws.zarr, which ArviZ opens (arviz.from_zarr), and draws.json. A run that was
interrupted goes on where it stopped when the same command is given again.")]
pub struct Options {
    /// Pages to sample; all of them share the parameters
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Folder to write into
    #[arg(short = 'd', long, value_name = "DIR", alias = "output", short_alias = 'o')]
    output_dir: PathBuf,
    /// Model: web, or another of `duramen model list`, or a model file
    ///
    /// One without learned weights, such as web-blocks or what `duramen train` counts.
    #[arg(long, short, value_name = "NAME|FILE", default_value = "web-blocks", conflicts_with = "config")]
    model: String,
    /// Configuration: thesis, blocks, boosted, or a TOML file
    ///
    /// In place of a model: the chains start from its prior alone, without training.
    #[arg(long, value_name = "NAME|FILE", alias = "prior")]
    config: Option<String>,
    /// What is known of nodes: JSON Lines of XPaths with the states that they permit
    #[arg(long, value_name = "FILE", alias = "labels")]
    node_labels: Option<PathBuf>,
    #[command(flatten)]
    chains: ChainOptions,
    /// What is kept of the states of nodes
    #[arg(long, value_enum, default_value = "summary")]
    keep_states: StatesKept,
    /// Labels that text may have: some of headline, full-text, ..., with commas between them [default: those counted]
    ///
    /// A label that the model has no counts of is sampled only if this option or a line of --node-labels names it, since chains
    /// exchange such labels with each other. The mixed states of inner nodes stay.
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "all_states")]
    states: Option<Vec<String>>,
    /// Sample also states that the model has no counts of
    #[arg(long)]
    all_states: bool,
    /// Write into a folder that holds other draws
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    layout: LayoutOptions,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Chains")]
struct ChainOptions {
    #[arg(long, value_name = "N", default_value_t = GibbsConfig::OF_PAGES.chains, help = CHAINS)]
    chains: u32,
    #[arg(long, value_name = "N", default_value_t = GibbsConfig::OF_PAGES.sweeps, help = SWEEPS)]
    sweeps: u32,
    #[arg(long, value_name = "N", default_value_t = GibbsConfig::OF_PAGES.burn_in, help = BURN_IN)]
    burn_in: u32,
    /// Of the sweeps after burn-in, every how many is kept
    #[arg(long, value_name = "N", default_value_t = 1)]
    thin: u32,
    /// Go on, in steps of --sweeps, until the largest R-hat is below this
    #[arg(long, value_name = "X")]
    until_rhat: Option<f64>,
    /// The most sweeps with --until-rhat [default: 20 times --sweeps]
    #[arg(long, value_name = "N")]
    max_sweeps: Option<u32>,
    #[arg(long, value_name = "N", default_value_t = 1, help = SEED)]
    seed: u64,
    /// How states are updated [default: blocked, with labels of all siblings single-site]
    #[arg(long, value_enum)]
    kernel: Option<KernelName>,
    /// How parameters are updated [default: uncollapsed, with labels of all siblings collapsed]
    #[arg(long, value_enum)]
    parameters: Option<ParametersName>,
    /// Where chains start
    #[arg(long, value_enum, default_value = "dispersed")]
    start: StartName,
    /// Leave the labels of all siblings out
    #[arg(long)]
    no_sibling_types: bool,
    /// Leave the labels of children out as emissions
    #[arg(long)]
    no_child_types: bool,
}

/// How states are updated.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum KernelName {
    /// Node by node, each from its full conditional
    SingleSite,
    /// The whole tree of a page as one block: forward filtering, backward sampling
    #[value(alias = "joint")]
    Blocked,
}

/// What becomes of the parameters.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ParametersName {
    /// Posterior means of training throughout
    Fixed,
    /// Posterior means with the states of the last sweep: the thesis's sampler
    AfterSweep,
    /// Drawn anew before each sweep
    Uncollapsed,
    /// Integrated out
    Collapsed,
}

/// Where chains start.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum StartName {
    /// Every permitted state equally likely at every node
    Uniform,
    /// Each chain with shares of the states of its own
    Dispersed,
}

/// What is kept of the states of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StatesKept {
    /// Nothing
    None,
    /// The share of draws in each state, by chain
    Summary,
    /// Every draw, and the summary
    All,
}

impl ChainOptions {
    fn settings(&self, model: &Model) -> Result<GibbsConfig> {
        let left_out = [
            ("--no-sibling-types", self.no_sibling_types && !model.config().sibling_types, "of all siblings"),
            ("--no-child-types", self.no_child_types && !model.config().child_types, "of children"),
        ];
        if let Some((option, _, what)) = left_out.into_iter().find(|(_, ignored, _)| *ignored) {
            return Err(Error::usage(
                format!("{option} has no effect: the model has no labels {what}"),
                "leave it out, or start from --config thesis, which has them",
            ));
        }
        let usual = GibbsConfig::of_pages(model.config(), !self.no_sibling_types);
        let kernel = match self.kernel {
            Some(KernelName::SingleSite) => Kernel::SingleSite,
            Some(KernelName::Blocked) => Kernel::Blocked,
            None => usual.kernel,
        };
        let parameters = match self.parameters {
            Some(ParametersName::Fixed) => ParameterUse::Fixed,
            Some(ParametersName::AfterSweep) => ParameterUse::AfterSweep,
            Some(ParametersName::Collapsed) => ParameterUse::Collapsed,
            Some(ParametersName::Uncollapsed) => ParameterUse::Uncollapsed,
            None => usual.parameters,
        };
        let settings = GibbsConfig {
            sweeps: self.sweeps,
            burn_in: self.burn_in,
            thin: self.thin,
            chains: self.chains,
            kernel,
            parameters,
            start: match self.start {
                StartName::Uniform => Start::Uniform,
                StartName::Dispersed => Start::Dispersed,
            },
            child_types: !self.no_child_types,
            seed: self.seed,
            ..usual
        };
        settings.check_for(model.config())?;
        Ok(settings)
    }
}

pub fn run(options: &Options, printer: &Printer) -> Result<Outcome> {
    check_folder(&options.output_dir)?;
    let mut model = match &options.config {
        Some(name) => Model::new(configuration(name)?)?,
        None => Model::by_name(&options.model)?,
    };
    options.layout.tell(&mut model)?;
    let settings = options.chains.settings(&model)?;
    let config = RunConfig {
        until_rhat: options.chains.until_rhat,
        max_sweeps: options.chains.max_sweeps,
        keep_states: options.keep_states == StatesKept::All,
    };
    config.check(&settings)?;
    let labels = options.node_labels.as_deref().map(|path| read_labels(path, &model)).transpose()?;
    let needed: Vec<&str> = model.config().layout.as_deref().into_iter().collect();
    let engines = options.layout.open(&needed)?;
    let bounds = options.bounds.keeping_source(!engines.is_empty());
    let (observed, failed) = read_pages(&options.files, &bounds, &engines, &model, printer)?;
    let states = match &options.states {
        _ if options.all_states => SampledStates::All,
        Some(names) => SampledStates::Labels(names.clone()),
        None => SampledStates::Counted,
    };
    let pages = PagesToSample::new(&model, &observed, labels.as_ref(), &states)?;
    pages.tell_left_out("--all-states").iter().for_each(|told| printer.warn(told));
    if labels.is_some() {
        let (nodes, of) = (plural(pages.labelled, "text node"), plural(observed.len(), "page"));
        printer.warn(&format!("labelled: {nodes} of {of}"));
    }
    let sampler = Sampler::new(&model, &pages.pages, &settings)?;
    let outcome = if failed { Outcome::SomeFailed } else { Outcome::Done };

    let folder = &options.output_dir;
    let fingerprint = sampler.fingerprint(&config);
    let checkpoint = folder.join(CHECKPOINT);
    clear_once(folder);
    if !options.overwrite && is_done(folder, &fingerprint)? {
        // Of a run that was killed when all was written.
        remove(&checkpoint)?;
        printer.warn(&format!("{}: these draws are there already", folder.display()));
        return Ok(outcome);
    }
    if options.overwrite {
        remove(&checkpoint)?;
    }
    let progress = Progress::new(printer, &settings);
    let run = gibbs::run(&sampler, &config, Some(&checkpoint), stop_flag(), &progress);
    printer.finish();
    let run = run?;
    let keep_states = options.keep_states != StatesKept::None;
    let data = run.inference_data(&sampler, &config, &pages.names, &pages.nodes, keep_states)?;
    data.write_zarr(&folder.join(ZARR))?;
    data.write_json(&folder.join(JSON))?;
    remove(&checkpoint)?;
    printer.warn(&format!(
        "{}: {}, {} of each after {}; next: duramen diagnose {}",
        folder.display(),
        plural(run.chains.len(), "chain"),
        plural(run.draws, "draw"),
        plural(run.sweeps, "sweep"),
        folder.display()
    ));
    match (run.rhat, config.until_rhat) {
        (Some(Ok(largest)), Some(threshold)) if largest.value >= threshold => Err(Error::NotConverged {
            subject: folder.display().to_string(),
            problem: format!("the largest R-hat is {:.4} after {} sweeps", largest.value, run.sweeps),
            remedy: "raise --max-sweeps, or take another --kernel; the draws are kept".into(),
        }),
        (Some(Err(reason)), Some(_)) => Err(Error::NotConverged {
            subject: folder.display().to_string(),
            problem: format!("R-hat has no value ({reason})"),
            remedy: "see duramen diagnose; the draws are kept".into(),
        }),
        _ => Ok(outcome),
    }
}

fn read_labels(path: &Path, model: &Model) -> Result<NodeLabels> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::io(path, error))?;
    NodeLabels::parse(&text, &path.display().to_string(), model.config().states)
}

/// The pages that can be read, and whether others could not. A bad page does not stop the others.
fn read_pages(
    files: &[PathBuf],
    bounds: &Bounds,
    engines: &[Box<dyn LayoutEngine>],
    model: &Model,
    printer: &Printer,
) -> Result<(Vec<ObservedPage>, bool)> {
    let mut observed = Vec::new();
    let mut last = None;
    for file in files {
        let read = Source::file(file).read(None, bounds).and_then(|mut page| {
            lay_out(&mut page, engines.iter().map(|engine| &**engine))?;
            ObservedPage::new(model, page)
        });
        match read {
            Ok(page) => observed.push(page),
            Err(error) if files.len() == 1 => return Err(error),
            Err(error) => {
                printer.error(&told(&error));
                last = Some(error);
            }
        }
    }
    match last {
        Some(_) if observed.is_empty() => Err(Error::data(
            "no page could be read",
            format!("{} of {} failed", files.len(), files.len()),
            "see the errors above",
        )),
        last => Ok((observed, last.is_some())),
    }
}

/// Whether the folder holds the draws of this very run.
fn is_done(folder: &Path, fingerprint: &str) -> Result<bool> {
    let store = folder.join(ZARR);
    if !store.exists() {
        return Ok(false);
    }
    let found = InferenceData::read_attributes(&store)?;
    if found.get("fingerprint").and_then(serde_json::Value::as_str) == Some(fingerprint) {
        return Ok(folder.join(JSON).exists());
    }
    Err(Error::usage(
        format!("{} holds draws of other pages, settings or labels, or of another model", store.display()),
        "name another folder, or give --overwrite",
    ))
}

fn remove(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(folder, error)),
        _ => Ok(()),
    }
}

/// A bar over the sweeps of all chains.
struct Progress<'a> {
    printer: &'a Printer,
    chains: u32,
    /// Sweeps of each chain that the bar knows of.
    sweeps: AtomicU32,
}

impl<'a> Progress<'a> {
    fn new(printer: &'a Printer, settings: &GibbsConfig) -> Self {
        printer.stage("sweeps", settings.sweeps as usize * settings.chains as usize);
        Progress { printer, chains: settings.chains, sweeps: AtomicU32::new(settings.sweeps) }
    }
}

impl SweepObserver for Progress<'_> {
    fn swept(&self, _: &Chain<'_, '_>) {
        self.printer.step();
    }

    fn resumed(&self, sweeps: u32) {
        self.printer.warn(&format!("going on after {sweeps} sweeps"));
        self.printer.done(u64::from(sweeps) * u64::from(self.chains));
    }

    fn checked(&self, sweeps: u32, rhat: Result<LargestRhat, Undefined>, more: u32) {
        let found = match rhat {
            Ok(largest) => format!("the largest R-hat is {:.4}", largest.value),
            Err(reason) => format!("R-hat has no value: {reason}"),
        };
        self.printer.detail(&format!("after {sweeps} sweeps {found}; {more} sweeps more"));
        if more > 0 {
            self.sweeps.fetch_add(more, Ordering::Relaxed);
            self.printer.stage("sweeps", self.sweeps.load(Ordering::Relaxed) as usize * self.chains as usize);
            self.printer.done(u64::from(sweeps) * u64::from(self.chains));
        }
    }
}
