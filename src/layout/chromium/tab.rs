//! `Tab`, where a browser shows pages, one after another.

use std::time::Instant;

use data_encoding::BASE64;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::devtools::{DevTools, Event, Fault, Sent};
use super::snapshot::Snapshot;
use crate::layout::{MAX_PICTURE_HEIGHT, PROPERTIES, VIEWPORT_HEIGHT, VIEWPORT_WIDTH};

/// An open page.
#[derive(Debug)]
pub(super) struct Tab {
    /// The connection to the browser.
    pub devtools: DevTools,
    session: String,
    /// The frame of the page itself; frames in it have others.
    pub frame: String,
    /// The document that was shown before.
    pub before: String,
    /// All has to be done by then.
    pub deadline: Instant,
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
pub(super) struct Navigated {
    /// Why there is no page.
    pub error_text: Option<String>,
    /// The new document.
    pub loader_id: Option<String>,
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

    /// Sends a command without waiting for its answer.
    pub(super) fn send(&mut self, method: &str, params: Value) -> Result<Sent, Fault> {
        self.devtools.send(Some(&self.session), method, params, self.deadline)
    }

    /// Sends a command whose answer says nothing.
    pub(super) fn order(&mut self, method: &str, params: Value) -> Result<(), Fault> {
        self.call::<IgnoredAny>(method, params).map(|_| ())
    }

    /// From here on no script runs.
    pub(super) fn stop_scripts(&mut self) -> Result<(), Fault> {
        self.order("Emulation.setScriptExecutionDisabled", json!({ "value": true }))
    }

    /// The value of an expression in the page, or in a context of its own.
    pub(super) fn evaluate<T: DeserializeOwned>(
        &mut self,
        expression: &str,
        context: Option<i64>,
    ) -> Result<T, Fault> {
        #[derive(Deserialize)]
        struct Evaluated<T> {
            result: Answer<T>,
        }
        #[derive(Deserialize)]
        struct Answer<T> {
            value: T,
        }
        let mut params = json!({ "expression": expression, "returnByValue": true });
        if let Some(context) = context {
            params["contextId"] = context.into();
        }
        Ok(self.call::<Evaluated<T>>("Runtime.evaluate", params)?.result.value)
    }

    /// What the page has reached, such as `load`, if the event tells that.
    pub(super) fn reached(&self, event: &Event) -> Result<Option<String>, Fault> {
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
