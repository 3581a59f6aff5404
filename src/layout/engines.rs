//! `Engines`: what is known of the layout engines of this machine, and how one is opened by its name.

use std::path::PathBuf;
use std::time::Duration;

use super::cache::Cached;
use super::chromium::{Chromium, ChromiumConfig};
use super::{LayoutEngine, check_name};
use crate::error::Result;

/// How engines are opened.
#[derive(Debug, Clone)]
pub struct Engines {
    /// The program that lays out pages with Blitz in a process of its own when called with [`WORKER`]: `duramen` itself.
    /// None lays out pages in this process, where a page that hangs or takes too much memory cannot be ended.
    pub worker: Option<PathBuf>,
    /// The browser; none takes the first Chromium that is installed.
    pub chromium: Option<PathBuf>,
    /// How long a page may take. Default 30 s.
    pub timeout: Duration,
    /// The folder where layouts are kept, if they are.
    pub cache: Option<PathBuf>,
}

/// The argument that makes the program a worker ([`super::blitz::serve`]).
pub const WORKER: &str = "layout-worker";

impl Default for Engines {
    fn default() -> Self {
        Engines { worker: None, chromium: None, timeout: Duration::from_secs(30), cache: None }
    }
}

impl Engines {
    /// Opens the engine of this name, `blitz` or `chromium`.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for an unknown name, for an engine that this program was built without and for
    /// a browser that is not there.
    pub fn open(&self, name: &str) -> Result<Box<dyn LayoutEngine>> {
        check_name(name)?;
        let engine: Box<dyn LayoutEngine> = match name {
            "blitz" => self.blitz()?,
            _ => self.chromium()?,
        };
        Ok(match &self.cache {
            Some(folder) => Box::new(Cached::new(engine, folder)),
            None => engine,
        })
    }

    #[cfg(feature = "blitz")]
    fn blitz(&self) -> Result<Box<dyn LayoutEngine>> {
        Ok(Box::new(super::blitz::Blitz::new(self.worker.as_deref(), self.timeout)?))
    }

    #[cfg(not(feature = "blitz"))]
    fn blitz(&self) -> Result<Box<dyn LayoutEngine>> {
        Err(crate::Error::usage(
            "this program was built without the layout engine blitz",
            "build it with --features blitz, or use chromium",
        ))
    }

    fn chromium(&self) -> Result<Box<dyn LayoutEngine>> {
        let config = ChromiumConfig {
            path: self.chromium.clone(),
            timeout: self.timeout,
            ..ChromiumConfig::default()
        };
        Ok(Box::new(Chromium::new(config)?))
    }
}
