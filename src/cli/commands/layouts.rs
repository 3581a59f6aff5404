//! Options of layout engines, shared by the commands that lay pages out.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::settings::Setting;
use crate::cli::data_dir::DataDir;
use crate::error::{Error, Result};
use crate::layout::{ENGINES, Engines, LayoutEngine};
use crate::model::Model;
use crate::page::Page;

/// How engines are run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Layout of pages")]
pub struct EngineOptions {
    /// Browser that the engine chromium runs [default: the first Chromium in PATH]
    #[arg(long, value_name = "PATH", env = "DURAMEN_CHROMIUM")]
    chromium: Option<PathBuf>,
    /// Seconds that an engine may take for a page
    #[arg(long, value_name = "SECONDS", default_value_t = Engines::default().timeout.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    layout_timeout: u64,
    /// Folder where layouts are kept, so that a page is laid out once
    #[arg(long, value_name = "DIR", env = "DURAMEN_LAYOUT_CACHE")]
    layout_cache: Option<PathBuf>,
}

impl EngineOptions {
    /// The engines of this machine.
    pub fn engines(&self) -> Engines {
        Engines {
            // Without its own path a program can still lay out pages, in its own process.
            worker: std::env::current_exe().ok(),
            chromium: self.chromium.clone(),
            timeout: Duration::from_secs(self.layout_timeout),
            cache: self.layout_cache.clone(),
        }
    }
}

/// Where corpora are and how their pages are laid out.
#[derive(Debug, Clone, Args)]
pub struct CorpusOptions {
    #[command(flatten)]
    pub data: DataDir,
    #[command(flatten)]
    pub engines: EngineOptions,
}

impl CorpusOptions {
    /// The engines; layouts are kept beside the corpora unless another folder is named.
    pub fn engines(&self) -> Result<Engines> {
        let mut engines = self.engines.engines();
        if engines.cache.is_none() {
            engines.cache = Some(self.data.path()?.join("layouts"));
        }
        Ok(engines)
    }
}

/// The engine and how it is run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Layout of pages")]
pub struct LayoutOptions {
    /// Layout engine: blitz or chromium
    ///
    /// An extractor or a model that reads layouts reads those of this engine, in place of its own.
    #[arg(long, value_name = "ENGINE", value_parser = ENGINES, hide_possible_values = true)]
    pub layout: Option<String>,
    #[command(flatten)]
    pub engines: EngineOptions,
}

impl LayoutOptions {
    /// The engine that was asked for, as a parameter of an extractor.
    pub fn setting(&self) -> Option<Setting> {
        let engine = self.layout.as_deref()?;
        Some(Setting::new(format!("--layout {engine}"), "layout", engine))
    }

    /// Lets a model read the layouts of the engine that was asked for, if one was.
    ///
    /// # Errors
    /// [`Error::Usage`] for a model that reads no layouts.
    pub fn tell(&self, model: &mut Model) -> Result<()> {
        self.layout.as_ref().map_or(Ok(()), |engine| model.read_layouts_of(engine))
    }

    /// The engines that are needed.
    pub fn open(&self, needed: &[&str]) -> Result<Vec<Box<dyn LayoutEngine>>> {
        let mut names = needed.to_vec();
        names.sort_unstable();
        names.dedup();
        let engines = self.engines.engines();
        names.into_iter().map(|name| engines.open(name)).collect()
    }
}

/// Lays a page out by engines.
pub fn lay_out<'a>(page: &mut Page, engines: impl IntoIterator<Item = &'a dyn LayoutEngine>) -> Result<()> {
    for engine in engines {
        page.lay_out(engine).map_err(|problem| Error::page(page.id(), problem))?;
    }
    Ok(())
}
