//! `Engines`: what is known of the layout engines of this machine, and how one is opened by its name.

use std::path::PathBuf;
use std::time::Duration;

#[cfg(any(feature = "blitz", feature = "chromium"))]
use super::cache::Cached;
#[cfg(feature = "chromium")]
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

/// The argument that makes the program a worker of Blitz.
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
        let engine = match name {
            "blitz" => self.blitz()?,
            _ => self.boxed_chromium()?,
        };
        #[cfg(any(feature = "blitz", feature = "chromium"))]
        if let Some(folder) = &self.cache {
            return Ok(Box::new(Cached::new(engine, folder)));
        }
        Ok(engine)
    }

    #[cfg(feature = "blitz")]
    fn blitz(&self) -> Result<Box<dyn LayoutEngine>> {
        Ok(Box::new(super::blitz::Blitz::new(self.worker.as_deref(), self.timeout)?))
    }

    #[cfg(not(feature = "blitz"))]
    fn blitz(&self) -> Result<Box<dyn LayoutEngine>> {
        Err(crate::Error::built_without("blitz", "lays pages out without a browser"))
    }

    #[cfg(feature = "chromium")]
    fn boxed_chromium(&self) -> Result<Box<dyn LayoutEngine>> {
        Ok(Box::new(self.chromium()?))
    }

    #[cfg(not(feature = "chromium"))]
    fn boxed_chromium(&self) -> Result<Box<dyn LayoutEngine>> {
        Err(crate::Error::built_without("chromium", "lays pages out by a browser"))
    }

    /// Opens Chromium, which can load pages from their addresses too.
    ///
    /// # Errors
    /// As [`Engines::open`].
    #[cfg(feature = "chromium")]
    pub fn chromium(&self) -> Result<Chromium> {
        let config = ChromiumConfig {
            path: self.chromium.clone(),
            timeout: self.timeout,
            ..ChromiumConfig::default()
        };
        Chromium::new(config)
    }
}
