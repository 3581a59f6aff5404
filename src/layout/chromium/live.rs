//! `Loaded`, a page loaded from its address by a browser with scripts and network: what its scripts made of it.

use std::time::{Duration, Instant};

use super::browser::{Browser, Network};
use super::devtools::Fault;
use super::snapshot::{Snapshot, Unfit};
use super::{Chromium, EngineId, Layout};
use crate::dom::Dom;
use crate::error::PageProblem;

/// Settings of [`Chromium::load`].
#[derive(Debug, Clone)]
pub struct LoadConfig {
    /// Whether the page's scripts run. Default yes.
    pub scripts: bool,
    /// How long loading and all that follows may take. Above 0, default 30 s.
    pub timeout: Duration,
    /// How long it is waited at most, once the page is loaded, until its network is idle for half a second: some pages
    /// never stop asking. Default 5 s.
    pub settle: Duration,
}

impl Default for LoadConfig {
    fn default() -> Self {
        LoadConfig { scripts: true, timeout: Duration::from_secs(30), settle: Duration::from_secs(5) }
    }
}

/// A page as a browser shows it to a visitor.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The page's own address, after redirects.
    pub url: String,
    /// The HTTP status; none where there is no such thing, as for a file.
    pub status: Option<u16>,
    /// The rendered tree written as HTML, to be decoded as UTF-8. Contents of `<noscript>` are left out where scripts ran:
    /// nobody sees them. What stands in shadow trees and frames is not in it.
    pub html: String,
    /// The page as it looks, as [`Picture::png`](crate::layout::Picture::png).
    pub png: Vec<u8>,
    pub(super) engine: EngineId,
    pub(super) snapshot: Snapshot,
}

impl Loaded {
    /// The layout of the loaded page for the tree parsed from [`Loaded::html`].
    ///
    /// # Errors
    /// [`PageProblem::Failed`] if the tree is that of another page.
    pub fn layout(&self, dom: &Dom) -> Result<Layout, PageProblem> {
        self.snapshot.layout(dom, &self.engine).map_err(Unfit::problem)
    }
}

impl Chromium {
    /// Loads a page from its address, `http`, `https` or `file`, in a browser of its own that is ended afterwards.
    ///
    /// The page is taken once it is loaded and its network is idle, or [`LoadConfig::settle`] after it is loaded. Then its
    /// scripts are stopped, so that tree, layout and picture are those of one moment. A page that answers with an error
    /// is handed back with its status.
    ///
    /// # Errors
    /// [`PageProblem::Timeout`] if the page is not loaded in time, or its scripts never rest;
    /// [`PageProblem::NotHtml`] if there is something else at the address; [`PageProblem::Failed`] if it cannot be reached.
    pub fn load(&self, url: &str, config: &LoadConfig) -> Result<Loaded, PageProblem> {
        let scheme = url.split(':').next().unwrap_or_default();
        if !["http", "https", "file"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            return Err(PageProblem::Failed(format!(
                "{url}: not an address that begins with http, https or file"
            )));
        }
        let (_place, _) = self.take_place();
        self.load_in_new_browser(url, config).map_err(|fault| fault.problem(config.timeout))
    }

    fn load_in_new_browser(&self, url: &str, config: &LoadConfig) -> Result<Loaded, Fault> {
        let mut browser = Browser::start(&self.program, Network::On)?;
        let tab = &mut browser.tab;
        tab.deadline = Instant::now() + config.timeout;
        if !config.scripts {
            tab.stop_scripts()?;
        }
        let status = tab.visit(url, config.settle)?;
        tab.stop_scripts()?;
        let snapshot = tab.snapshot()?;
        let png = tab.picture()?;
        let (url, html) = tab.written(config.scripts)?;
        Ok(Loaded { url, status, html, png, engine: self.id.clone(), snapshot })
    }
}
