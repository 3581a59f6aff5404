//! Showing a page from its bytes, so that its look depends on nothing else.

use std::thread;
use std::time::Duration;

use data_encoding::BASE64;
use serde::Deserialize;
use serde_json::json;

use super::devtools::{Fault, Incoming};
use super::tab::{Navigated, Tab};

/// The address that every page is given: the layout must not depend on where a page comes from.
const ADDRESS: &str = "http://page.invalid/";

/// How often it is asked whether a page has settled, before it is taken as it is.
const ROUNDS: usize = 500;

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

impl Tab {
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
        let sent = self.send("Page.navigate", json!({ "url": ADDRESS }))?;
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
        // Elements with a name hide what a document has by itself: <form name="fonts">.
        const SETTLED: &str = "(() => {
            const get = name => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
            const root = get('documentElement'), style = root.getAttribute('style');
            const settled = root.offsetHeight >= 0 && get('fonts').status === 'loaded'
                && Array.from(get('images')).every(image => image.complete);
            if (!settled) return false;
            root.style.setProperty('display', 'none', 'important');
            root.offsetHeight;
            if (style === null) root.removeAttribute('style'); else root.setAttribute('style', style);
            return true;
        })()";
        for _ in 0..ROUNDS {
            let settled: Option<bool> = self.evaluate(SETTLED, None)?;
            while let Some(event) = self.devtools.kept_event() {
                if event.method == "Fetch.requestPaused" {
                    self.block(&event.read()?)?;
                }
            }
            if settled == Some(true) {
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
        self.send("Fetch.fulfillRequest", params).map(|_| ())
    }

    fn block(&mut self, request: &Paused) -> Result<(), Fault> {
        // A frame stays empty then; for a blocked one an error page would be made.
        let reason = if request.resource_type == "Document" { "Aborted" } else { "BlockedByClient" };
        let params = json!({ "requestId": request.request_id, "errorReason": reason });
        self.send("Fetch.failRequest", params).map(|_| ())
    }
}
