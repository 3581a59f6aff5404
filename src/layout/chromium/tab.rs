//! `Tab`, one page in a browser: opened empty, filled, looked at, closed. What a page leaves behind is gone with it.

use std::time::Instant;

use data_encoding::BASE64;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::devtools::{DevTools, Event, Fault, Incoming};
use super::snapshot::Snapshot;
use crate::layout::{MAX_PICTURE_HEIGHT, PROPERTIES, VIEWPORT_HEIGHT, VIEWPORT_WIDTH};

/// The address that every page is given: the layout must not depend on where a page comes from.
const ADDRESS: &str = "http://page.invalid/";

/// An open page.
#[derive(Debug)]
pub(super) struct Tab<'a> {
    devtools: &'a mut DevTools,
    session: String,
    context: String,
    /// The frame of the page itself; frames in it have others.
    frame: String,
    /// The empty document that the tab opened with.
    blank: String,
    deadline: Instant,
}

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
    #[serde(default)]
    is_download: bool,
}

impl<'a> Tab<'a> {
    /// Opens an empty page in a session of its own: no cookies, no cache, no visited links of other pages.
    pub(super) fn open(
        devtools: &'a mut DevTools,
        scripts: bool,
        deadline: Instant,
    ) -> Result<Tab<'a>, Fault> {
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
        devtools.forget_events();
        let Context { browser_context_id: context } =
            devtools.call(None, "Target.createBrowserContext", json!({}), deadline)?;
        let params = json!({ "url": "about:blank", "browserContextId": context });
        let Target { target_id } = devtools.call(None, "Target.createTarget", params, deadline)?;
        let params = json!({ "targetId": target_id, "flatten": true });
        let Session { session_id: session } =
            devtools.call(None, "Target.attachToTarget", params, deadline)?;
        let (frame, blank) = (String::new(), String::new());
        let mut tab = Tab { devtools, session, context, frame, blank, deadline };
        tab.order("Page.enable", json!({}))?;
        tab.order("Inspector.enable", json!({}))?;
        let FrameTree { frame_tree: Top { frame } } = tab.call("Page.getFrameTree", json!({}))?;
        (tab.frame, tab.blank) = (frame.id, frame.loader_id);
        tab.order("Page.setLifecycleEventsEnabled", json!({ "enabled": true }))?;
        let window = json!({
            "width": VIEWPORT_WIDTH, "height": VIEWPORT_HEIGHT, "deviceScaleFactor": 1, "mobile": false,
        });
        tab.order("Emulation.setDeviceMetricsOverride", window)?;
        if !scripts {
            tab.stop_scripts()?;
        }
        Ok(tab)
    }

    /// Closes the page. Nobody waits for that.
    pub(super) fn close(self) {
        let params = json!({ "browserContextId": self.context });
        self.devtools.send(None, "Target.disposeBrowserContext", params, self.deadline).ok();
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

    /// Fills the page with bytes, and waits until it is loaded. Whatever it asks the network for fails.
    pub(super) fn show(&mut self, html: &[u8], encoding: &str) -> Result<(), Fault> {
        self.order("Fetch.enable", json!({}))?;
        let params = json!({ "url": ADDRESS });
        let sent = self.devtools.send(Some(&self.session), "Page.navigate", params, self.deadline)?;
        let (mut given, mut committed, mut loaded) = (false, false, false);
        while !(committed && loaded) {
            match self.devtools.next(self.deadline)? {
                Incoming::Reply(reply) if reply.to == sent => {
                    let navigated: Navigated = reply.read("Page.navigate")?;
                    if let Some(error) = navigated.error_text {
                        return Err(Fault::other(format!("it does not take the page: {error}")));
                    }
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
        // What the page asked for while it was loading has failed before it is looked at.
        self.order("Page.enable", json!({}))?;
        while let Some(event) = self.devtools.kept_event() {
            if event.method == "Fetch.requestPaused" {
                self.block(&event.read()?)?;
            }
        }
        Ok(())
    }

    fn give(&mut self, request: &str, html: &[u8], encoding: &str) -> Result<(), Fault> {
        let headers = json!([
            { "name": "Content-Type", "value": format!("text/html; charset={encoding}") },
            // As a sandboxed page it neither goes elsewhere by itself nor takes the focus.
            { "name": "Content-Security-Policy", "value": "sandbox allow-same-origin" },
        ]);
        let params = json!({
            "requestId": request, "responseCode": 200, "responseHeaders": headers, "body": BASE64.encode(html),
        });
        self.devtools.send(Some(&self.session), "Fetch.fulfillRequest", params, self.deadline).map(|_| ())
    }

    fn block(&mut self, request: &Paused) -> Result<(), Fault> {
        // A page that wants to go elsewhere stays; a blocked one would be replaced by an error page.
        let leaves = request.frame_id == self.frame && request.resource_type == "Document";
        let reason = if leaves { "Aborted" } else { "BlockedByClient" };
        let params = json!({ "requestId": request.request_id, "errorReason": reason });
        self.devtools.send(Some(&self.session), "Fetch.failRequest", params, self.deadline).map(|_| ())
    }

    /// What the page has reached, such as `load`, if the event tells that.
    fn reached(&self, event: &Event) -> Result<Option<String>, Fault> {
        if event.method != "Page.lifecycleEvent" || event.session.as_ref() != Some(&self.session) {
            return Ok(None);
        }
        let lifecycle: Lifecycle = event.read()?;
        let ours = lifecycle.frame_id == self.frame && lifecycle.loader_id != self.blank;
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
