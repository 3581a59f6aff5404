//! Chromium as layout engine, over the DevTools protocol: the layout that a reader of the page sees.
//!
//! Pages are laid out offline with scripts off, each in a session of its own. A browser that hangs or dies is ended with
//! all its processes and replaced by a new one; no other page is touched by that.

mod align;
mod browser;
mod devtools;
mod live;
mod offline;
mod snapshot;
mod tab;
mod visit;

use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use html5ever::interface::QuirksMode;

use super::{EngineId, Layout, LayoutEngine, LayoutInput, Picture};
use crate::dom::Dom;
use crate::error::{Error, PageProblem, Remedy, Result, Setting};
use crate::index::NodeId;
use browser::{Browser, Network};
use devtools::Fault;
pub use live::{LoadConfig, Loaded};
use snapshot::{Snapshot, Unfit};
use tab::Tab;

/// The name of the engine.
pub const NAME: &str = "chromium";
/// Grows when layouts of the same browser come out otherwise than before: kept ones are then made anew.
const REVISION: u32 = 2;

/// Settings of [`Chromium`].
#[derive(Debug, Clone)]
pub struct ChromiumConfig {
    /// The browser's program. Default none: `chromium`, `chromium-browser` or `google-chrome`, the first that is in `PATH`.
    pub path: Option<PathBuf>,
    /// How long one page may take. Above 0, default 30 s.
    pub timeout: Duration,
    /// How many browsers run at once at most, each with one page at a time. At least 1; default the number of processors.
    pub browsers: usize,
}

impl Default for ChromiumConfig {
    fn default() -> Self {
        let browsers = std::thread::available_parallelism().map_or(1, usize::from);
        ChromiumConfig { path: None, timeout: Duration::from_secs(30), browsers }
    }
}

/// Chromium, or a browser made of it.
///
/// Text, tree and styles are read with scripts off and without network: no external style sheet, font or picture is
/// fetched. Styles are the resolved values of `getComputedStyle`, taken from elements that are rendered: those in
/// `display: none` and `display: contents` have neither box nor style. The box of an element that is broken over lines or
/// columns is the least around its parts. Elements that the browser's parser makes of a broken page otherwise than ours
/// have neither; a page where that is more than a tenth of the elements is refused.
///
/// The layout depends on the fonts of the machine.
#[derive(Debug)]
pub struct Chromium {
    id: EngineId,
    program: PathBuf,
    timeout: Duration,
    pool: Mutex<Pool>,
    returned: Condvar,
}

#[derive(Debug)]
struct Pool {
    idle: Vec<Browser>,
    /// How many more browsers may be taken, idle ones included.
    places: usize,
}

/// A place among the browsers that run at once; it is free again when this is dropped.
struct Place<'a>(&'a Chromium);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.pool.lock().expect("no thread panics with it").places += 1;
        self.0.returned.notify_one();
    }
}

impl Chromium {
    /// Starts a browser.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is none, if it does not start, or if a setting is out of its range.
    pub fn new(config: ChromiumConfig) -> Result<Chromium> {
        if config.timeout.is_zero() || config.browsers == 0 {
            return Err(Error::usage(
                "Chromium with a timeout or a number of browsers of 0",
                "give 1 or more",
            ));
        }
        let program = browser::find(config.path.as_deref())?;
        let started = offline(&program).and_then(|mut browser| Ok((browser.tab.version()?, browser)));
        let (version, browser) = started.map_err(|fault| {
            let what = format!("{}: {}", program.display(), fault.problem(config.timeout));
            let remedy = Remedy::from("see whether it runs by itself, or ");
            Error::usage(what, remedy.set("name the path of another browser", Setting::Browser))
        })?;
        Ok(Chromium {
            id: EngineId { name: NAME.to_owned(), version: format!("{version}+{REVISION}") },
            program,
            timeout: config.timeout,
            pool: Mutex::new(Pool { idle: vec![browser], places: config.browsers }),
            returned: Condvar::new(),
        })
    }

    /// Does `work` in the tab of a browser that has nothing else to do.
    ///
    /// A browser that waited and then dies is replaced and the work tried again: whether a page fails must not depend on
    /// the pages before it.
    fn with_browser<T>(&self, work: impl Fn(&mut Tab) -> Result<T, Fault>) -> Result<T, PageProblem> {
        let (_place, idle) = self.take_place();
        if let Some(browser) = idle {
            match self.work_with(browser, &work) {
                Err(Fault::Died(_)) => {}
                result => return result.map_err(|fault| fault.problem(self.timeout)),
            }
        }
        offline(&self.program)
            .and_then(|browser| self.work_with(browser, &work))
            .map_err(|fault| fault.problem(self.timeout))
    }

    /// Keeps the browser if the work was done.
    fn work_with<T>(
        &self,
        mut browser: Browser,
        work: &impl Fn(&mut Tab) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        browser.tab.deadline = Instant::now() + self.timeout;
        let result = work(&mut browser.tab)?;
        self.pool.lock().expect("no thread panics with it").idle.push(browser);
        Ok(result)
    }

    /// Waits for a place; gives it with the browser that is idle, if one is.
    fn take_place(&self) -> (Place<'_>, Option<Browser>) {
        let pool = self.pool.lock().expect("no thread panics with it");
        let mut pool =
            self.returned.wait_while(pool, |pool| pool.places == 0).expect("no thread panics with it");
        pool.places -= 1;
        (Place(self), pool.idle.pop())
    }

    /// Lays out a page from its bytes, or else as its tree is written; draws it too if `draw` says so.
    ///
    /// The tree is written also where it is another than the browser's: our parser repairs what browsers do not, such as a
    /// title that is never closed.
    fn lay_out(&self, page: &LayoutInput<'_>, draw: bool) -> Result<(Layout, Vec<u8>), PageProblem> {
        if let Some(bytes) = page.bytes {
            let (snapshot, png) = self.show(bytes, page.dom.encoding(), draw)?;
            match snapshot.layout(page.dom, &self.id) {
                Ok(layout) => return Ok((layout, png)),
                Err(Unfit::OtherTree(_)) => {}
                Err(unfit) => return Err(unfit.problem()),
            }
        }
        let (snapshot, png) = self.show(document(page.dom).as_bytes(), "UTF-8", draw)?;
        let layout = snapshot.layout(page.dom, &self.id).map_err(Unfit::problem)?;
        Ok((layout, png))
    }

    fn show(&self, html: &[u8], encoding: &str, draw: bool) -> Result<(Snapshot, Vec<u8>), PageProblem> {
        self.with_browser(|tab| {
            tab.show(html, encoding)?;
            let snapshot = tab.snapshot()?;
            let png = if draw { tab.picture()? } else { Vec::new() };
            Ok((snapshot, png))
        })
    }
}

impl LayoutEngine for Chromium {
    fn id(&self) -> &EngineId {
        &self.id
    }

    fn layout(&self, page: &LayoutInput<'_>) -> Result<Layout, PageProblem> {
        Ok(self.lay_out(page, false)?.0)
    }

    fn picture(&self, page: &LayoutInput<'_>) -> Result<Picture, PageProblem> {
        let (layout, png) = self.lay_out(page, true)?;
        Ok(Picture { layout, png })
    }
}

/// A browser that shows pages without scripts and network.
fn offline(program: &Path) -> Result<Browser, Fault> {
    let mut browser = Browser::start(program, Network::Off)?;
    browser.tab.be_still()?;
    Ok(browser)
}

/// The page written as HTML, with a doctype that asks for its quirks mode.
fn document(dom: &Dom) -> String {
    let doctype = match dom.quirks() {
        QuirksMode::NoQuirks => "<!DOCTYPE html>",
        QuirksMode::LimitedQuirks => "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"\">",
        QuirksMode::Quirks => "",
    };
    format!("{doctype}{}", dom.to_html(NodeId::ROOT))
}
