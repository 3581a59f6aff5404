//! Visiting a page at its address, with all that it fetches and runs.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::devtools::{Fault, Incoming};
use super::snapshot::Words;
use super::tab::{Navigated, Tab};
use crate::error::PageProblem;
use crate::program::shortened;

/// That a request has got an answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Received {
    #[serde(rename = "type")]
    kind: String,
    frame_id: Option<String>,
    response: Response,
}

/// The head of an answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    status: i64,
    mime_type: String,
}

impl Tab {
    /// Goes to an address, and waits until the page there is loaded and its network idle, for the latter no longer than
    /// `settle`. Gives the HTTP status.
    pub(super) fn visit(&mut self, url: &str, settle: Duration) -> Result<Option<u16>, Fault> {
        self.order("Network.enable", json!({}))?;
        let sent = self.send("Page.navigate", json!({ "url": url }))?;
        let mut committed = false;
        let mut answer = None;
        let mut loaded: Option<Instant> = None;
        let mut idle = false;
        while !(committed && loaded.is_some() && idle) {
            let until = loaded.map_or(self.deadline, |time| self.deadline.min(time + settle));
            let event = match self.devtools.next(until) {
                Err(Fault::Timeout) if committed && until < self.deadline => break,
                Err(fault) => return Err(fault),
                Ok(Incoming::Reply(reply)) => {
                    if reply.to == sent {
                        let navigated: Navigated = reply.read("Page.navigate")?;
                        if let Some(error) = navigated.error_text {
                            let problem = format!("it cannot be loaded: {}", shortened(&error));
                            return Err(Fault::Other(PageProblem::Failed(problem)));
                        }
                        committed = true;
                    }
                    continue;
                }
                Ok(Incoming::Event(event)) => event,
            };
            match &*event.method {
                "Page.javascriptDialogOpening" => {
                    self.send("Page.handleJavaScriptDialog", json!({ "accept": false }))?;
                }
                "Network.responseReceived" => {
                    let received: Received = event.read()?;
                    if received.kind == "Document" && received.frame_id.as_ref() == Some(&self.frame) {
                        answer = Some(received.response);
                    }
                }
                _ => match self.reached(&event)?.as_deref() {
                    // A page may go on to another, which then begins anew.
                    Some("init") => (loaded, idle) = (None, false),
                    Some("load") => loaded = Some(Instant::now()),
                    Some("networkIdle") => idle = true,
                    _ => {}
                },
            }
        }
        let Some(response) = answer else { return Ok(None) };
        match &*response.mime_type {
            "text/html" | "application/xhtml+xml" => {
                Ok(u16::try_from(response.status).ok().filter(|&status| status > 0))
            }
            other => Err(Fault::Other(PageProblem::NotHtml(format!("its type is {}", shortened(other))))),
        }
    }

    /// The address and the tree of the page as HTML. If scripts ran, without what stands in `<noscript>`: it is never seen
    /// then, but is what a parser without scripts reads.
    pub(super) fn written(&mut self, scripts: bool) -> Result<(String, String), Fault> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct World {
            execution_context_id: i64,
        }
        // Elements with a name hide what a document has by itself: <form name="doctype">.
        const WRITTEN: &str = "
            const get = name => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
            const doctype = get('doctype'), root = get('documentElement');
            if (scripts && root) root.querySelectorAll('noscript').forEach(node => node.textContent = '');
            return [get('URL'),
                (doctype ? new XMLSerializer().serializeToString(doctype) : '') + (root ? root.outerHTML : '')];";
        // A world of its own, where the page's scripts have changed nothing.
        let params = json!({ "frameId": self.frame });
        let World { execution_context_id: world } = self.call("Page.createIsolatedWorld", params)?;
        let expression = format!("(scripts => {{{WRITTEN}}})({scripts})");
        let (Words(url), Words(html)) = self.evaluate(&expression, Some(world))?;
        Ok((url, html))
    }
}
