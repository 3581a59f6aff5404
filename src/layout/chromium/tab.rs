//! `Tab`, where a browser shows pages, one after another.

use std::thread;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::devtools::{DevTools, Event, Fault, Incoming};
use super::snapshot::Snapshot;
use crate::layout::{MAX_PICTURE_HEIGHT, PROPERTIES, VIEWPORT_HEIGHT, VIEWPORT_WIDTH};

/// The address that every page is given: the layout must not depend on where a page comes from.
const ADDRESS: &str = "http://page.invalid/";

/// How often it is asked whether a page has settled, before it is taken as it is.
const ROUNDS: usize = 500;

/// An open page.
#[derive(Debug)]
pub(super) struct Tab {
    devtools: DevTools,
    session: String,
    /// The frame of the page itself; frames in it have others.
    frame: String,
    /// The document that was shown before.
    before: String,
    deadline: Instant,
}

/// What a shown page may do. Sandboxed it neither goes elsewhere by itself nor takes the focus; what it would fetch fails
/// in its own process, at once.
const POLICY: &str = "sandbox allow-same-origin; img-src data:; media-src data:; font-src data:; \
    style-src 'unsafe-inline' data:";

/// A request of a page that waits for what is done with it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Paused {
    request_id: String,
    frame_id: String,
    resource_type: String,
}

/// How far a document has come.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lifecycle {
    frame_id: String,
    loader_id: String,
    name: String,
}

/// The answer to `Page.navigate`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    error_text: Option<String>,
    loader_id: Option<String>,
}

impl Tab {
    /// Opens an empty page in a session without memory: no history and so no visited links, nothing written to disk.
    pub(super) fn open(mut devtools: DevTools, deadline: Instant) -> Result<Tab, Fault> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Context {
            browser_context_id: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Target {
            target_id: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Session {
            session_id: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct FrameTree {
            frame_tree: Top,
        }
        #[derive(Deserialize)]
        struct Top {
            frame: Frame,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Frame {
            id: String,
            loader_id: String,
        }
        let Context { browser_context_id: context } =
            devtools.call(None, "Target.createBrowserContext", json!({}), deadline)?;
        let params = json!({ "url": "about:blank", "browserContextId": context });
        let Target { target_id } = devtools.call(None, "Target.createTarget", params, deadline)?;
        let params = json!({ "targetId": target_id, "flatten": true });
        let Session { session_id: session } =
            devtools.call(None, "Target.attachToTarget", params, deadline)?;
        let mut tab = Tab { devtools, session, frame: String::new(), before: String::new(), deadline };
        tab.order("Page.enable", json!({}))?;
        tab.order("Inspector.enable", json!({}))?;
        let FrameTree { frame_tree: Top { frame } } = tab.call("Page.getFrameTree", json!({}))?;
        (tab.frame, tab.before) = (frame.id, frame.loader_id);
        tab.order("Page.setLifecycleEventsEnabled", json!({ "enabled": true }))?;
        let window = json!({
            "width": VIEWPORT_WIDTH, "height": VIEWPORT_HEIGHT, "deviceScaleFactor": 1, "mobile": false,
        });
        tab.order("Emulation.setDeviceMetricsOverride", window)?;
        Ok(tab)
    }

    /// All that follows has to be done by then.
    pub(super) fn set_deadline(&mut self, deadline: Instant) {
        self.deadline = deadline;
    }

    /// The browser's version.
    pub(super) fn version(&mut self) -> Result<String, Fault> {
        #[derive(Deserialize)]
        struct Version {
            product: String,
        }
        let version: Version = self.devtools.call(None, "Browser.getVersion", json!({}), self.deadline)?;
        // "Chrome/156.0.8078.79", or "HeadlessChrome/...".
        Ok(version.product.rsplit('/').next().unwrap_or_default().to_owned())
    }

    /// Sends a command and reads its answer.
    pub(super) fn call<T: DeserializeOwned>(&mut self, method: &str, params: Value) -> Result<T, Fault> {
        self.devtools.call(Some(&self.session), method, params, self.deadline)
    }

    /// Sends a command whose answer says nothing.
    pub(super) fn order(&mut self, method: &str, params: Value) -> Result<(), Fault> {
        self.call::<IgnoredAny>(method, params).map(|_| ())
    }

    /// From here on no script runs.
    pub(super) fn stop_scripts(&mut self) -> Result<(), Fault> {
        self.order("Emulation.setScriptExecutionDisabled", json!({ "value": true }))
    }

    /// From here on no script runs, nothing moves, and requests wait until it is said what is done with them.
    pub(super) fn be_still(&mut self) -> Result<(), Fault> {
        self.stop_scripts()?;
        // Marquees and animations are seen at their beginning: where they have got to is a matter of milliseconds.
        self.order("Animation.enable", json!({}))?;
        self.order("Animation.setPlaybackRate", json!({ "playbackRate": 0 }))?;
        self.order("Fetch.enable", json!({}))
    }

    /// Shows a page made of bytes, and waits until it is loaded. Whatever it asks the network for fails.
    pub(super) fn show(&mut self, html: &[u8], encoding: &str) -> Result<(), Fault> {
        self.devtools.forget_events();
        let params = json!({ "url": ADDRESS });
        let sent = self.devtools.send(Some(&self.session), "Page.navigate", params, self.deadline)?;
        let (mut given, mut committed, mut loaded) = (false, false, false);
        let mut loader = String::new();
        while !(committed && loaded) {
            match self.devtools.next(self.deadline)? {
                Incoming::Reply(reply) if reply.to == sent => {
                    let navigated: Navigated = reply.read("Page.navigate")?;
                    if let Some(error) = navigated.error_text {
                        return Err(Fault::other(format!("it does not take the page: {error}")));
                    }
                    loader = navigated.loader_id.unwrap_or_default();
                    committed = true;
                }
                Incoming::Reply(_) => {}
                Incoming::Event(event) if event.method == "Fetch.requestPaused" => {
                    let request: Paused = event.read()?;
                    if !given && request.frame_id == self.frame && request.resource_type == "Document" {
                        self.give(&request.request_id, html, encoding)?;
                        given = true;
                    } else {
                        self.block(&request)?;
                    }
                }
                Incoming::Event(event) => loaded |= self.reached(&event)?.as_deref() == Some("load"),
            }
        }
        self.before = loader;
        self.settle()
    }

    /// Waits until fonts and pictures are there or given up, and then has the page laid out from nothing: what was laid
    /// out bit by bit, or was on its way by a transition, would be a matter of milliseconds.
    fn settle(&mut self) -> Result<(), Fault> {
        const SETTLED: &str = "(() => {
            const root = document.documentElement, style = root.getAttribute('style');
            const settled = root.offsetHeight >= 0 && document.fonts.status === 'loaded'
                && Array.from(document.images).every(image => image.complete);
            if (!settled) return false;
            root.style.setProperty('display', 'none', 'important');
            root.offsetHeight;
            if (style === null) root.removeAttribute('style'); else root.setAttribute('style', style);
            return true;
        })()";
        #[derive(Deserialize)]
        struct Evaluated {
            result: Answer,
        }
        #[derive(Deserialize)]
        struct Answer {
            value: Option<bool>,
        }
        for _ in 0..ROUNDS {
            let params = json!({ "expression": SETTLED, "returnByValue": true });
            let settled: Evaluated = self.call("Runtime.evaluate", params)?;
            while let Some(event) = self.devtools.kept_event() {
                if event.method == "Fetch.requestPaused" {
                    self.block(&event.read()?)?;
                }
            }
            if settled.result.value == Some(true) {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }

    fn give(&mut self, request: &str, html: &[u8], encoding: &str) -> Result<(), Fault> {
        let headers = json!([
            { "name": "Content-Type", "value": format!("text/html; charset={encoding}") },
            { "name": "Content-Security-Policy", "value": POLICY },
            { "name": "Cache-Control", "value": "no-store" },
        ]);
        let params = json!({
            "requestId": request, "responseCode": 200, "responseHeaders": headers, "body": BASE64.encode(html),
        });
        self.devtools.send(Some(&self.session), "Fetch.fulfillRequest", params, self.deadline).map(|_| ())
    }

    fn block(&mut self, request: &Paused) -> Result<(), Fault> {
        // A frame stays empty then; for a blocked one an error page would be made.
        let reason = if request.resource_type == "Document" { "Aborted" } else { "BlockedByClient" };
        let params = json!({ "requestId": request.request_id, "errorReason": reason });
        self.devtools.send(Some(&self.session), "Fetch.failRequest", params, self.deadline).map(|_| ())
    }

    /// What the page has reached, such as `load`, if the event tells that.
    fn reached(&self, event: &Event) -> Result<Option<String>, Fault> {
        if event.method != "Page.lifecycleEvent" || event.session.as_ref() != Some(&self.session) {
            return Ok(None);
        }
        let lifecycle: Lifecycle = event.read()?;
        let ours = lifecycle.frame_id == self.frame && lifecycle.loader_id != self.before;
        Ok(ours.then_some(lifecycle.name))
    }

    /// The tree, boxes and styles as they are now.
    pub(super) fn snapshot(&mut self) -> Result<Snapshot, Fault> {
        self.call("DOMSnapshot.captureSnapshot", json!({ "computedStyles": PROPERTIES[..] }))
    }

    /// The page as it looks now, as PNG: as wide as the window, as high as the page.
    pub(super) fn picture(&mut self) -> Result<Vec<u8>, Fault> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Metrics {
            css_content_size: Size,
        }
        #[derive(Deserialize)]
        struct Size {
            height: f64,
        }
        #[derive(Deserialize)]
        struct Shot {
            data: String,
        }
        let metrics: Metrics = self.call("Page.getLayoutMetrics", json!({}))?;
        let height = metrics.css_content_size.height.ceil().clamp(1.0, f64::from(MAX_PICTURE_HEIGHT));
        let clip = json!({ "x": 0, "y": 0, "width": VIEWPORT_WIDTH, "height": height, "scale": 1 });
        let params = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let shot: Shot = self.call("Page.captureScreenshot", params)?;
        BASE64
            .decode(shot.data.as_bytes())
            .map_err(|error| Fault::other(format!("a picture that is not Base64: {error}")))
    }
}
