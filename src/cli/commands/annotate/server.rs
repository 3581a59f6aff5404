//! The server of the application: on the loopback alone, for who has its token.

use std::io::Read;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::annotation::{Mark, Session, Work};
use crate::cli::interrupt::stop_flag;
use crate::cli::remedy::told;
use crate::error::{Error, Result};
use crate::model::PageType;
use crate::store::hex;

/// The largest body of a request.
const MOST_BYTES: u64 = 1 << 20;
/// How often it is looked whether the user has interrupted it.
const PAUSE: Duration = Duration::from_millis(200);

/// The application's files: name, type, bytes.
const FILES: [(&str, &str, &str); 3] = [
    ("/", "text/html; charset=utf-8", include_str!("app/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_str!("app/app.js")),
    ("/app.css", "text/css; charset=utf-8", include_str!("app/app.css")),
];
/// What the application may do: run its own script, ask its own server, and show pages of that in a frame.
const APP_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; \
     img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// What a page under annotation may do: be looked at. The frame's own sandbox says the same.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// The server before it serves.
pub(super) struct Application {
    server: Server,
    address: SocketAddr,
    token: String,
}

/// An answer: status, type and bytes.
struct Answer {
    status: u16,
    kind: &'static str,
    policy: &'static str,
    bytes: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Marked {
    page: String,
    marks: Vec<Mark>,
    kind: Option<PageType>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    page: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Same {
    page: String,
    apply: bool,
}

impl Application {
    /// Takes a port of the loopback; 0 is any that is free.
    ///
    /// # Errors
    /// [`Error::Usage`] if the port is taken.
    pub(super) fn new(port: u16) -> Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| Error::io("random bytes", error.into()))?;
        let server = Server::http(("127.0.0.1", port)).map_err(|error| {
            Error::usage(
                format!("port {port} of 127.0.0.1: {error}"),
                "name another port, or none for any that is free",
            )
        })?;
        let address = server.server_addr().to_ip().expect("it listens to an address");
        Ok(Application { server, address, token: hex(&bytes) })
    }

    /// The address that the annotator opens.
    pub(super) fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    /// Answers until the user interrupts it.
    ///
    /// # Errors
    /// [`Error::Io`] if the server fails.
    pub(super) fn serve(&self, session: &mut Session) -> Result<()> {
        let failed = |error| Error::io(self.address.to_string(), error);
        while !stop_flag().load(Ordering::Relaxed) {
            let Some(mut request) = self.server.recv_timeout(PAUSE).map_err(failed)? else { continue };
            let answer = self.answer(&mut request, session);
            let header =
                |name: &str, value: &str| Header::from_bytes(name, value).expect("headers are ASCII");
            let response = Response::from_data(answer.bytes)
                .with_status_code(answer.status)
                .with_header(header("Content-Type", answer.kind))
                .with_header(header("Content-Security-Policy", answer.policy))
                .with_header(header("X-Content-Type-Options", "nosniff"))
                .with_header(header("Referrer-Policy", "no-referrer"))
                .with_header(header("Cross-Origin-Resource-Policy", "same-origin"))
                .with_header(header("Cache-Control", "no-store"));
            // A browser that has gone away is no failure.
            request.respond(response).ok();
        }
        Ok(())
    }

    fn answer(&self, request: &mut Request, session: &mut Session) -> Answer {
        let refused = |status: u16, why: &str| Answer {
            status,
            kind: "text/plain; charset=utf-8",
            policy: "default-src 'none'",
            bytes: format!("{why}\n").into_bytes(),
        };
        // Another site that the browser shows may send requests here, by a name of its own for this machine: its Host is not ours, and
        // its Origin neither.
        let address = self.address.to_string();
        let local = format!("localhost:{}", self.address.port());
        let is_ours = |host: &str| host == address || host == local;
        let header = |name: &'static str| {
            let found = request.headers().iter().find(|header| header.field.equiv(name));
            found.map(|header| header.value.as_str().to_owned())
        };
        if !header("Host").is_some_and(|host| is_ours(&host)) {
            return refused(403, "this host is not served");
        }
        if let Some(origin) = header("Origin")
            && !origin.strip_prefix("http://").is_some_and(is_ours)
        {
            return refused(403, "this origin is not served");
        }
        let url = request.url().to_owned();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let in_query = query.split('&').find_map(|pair| pair.strip_prefix("token=")).map(str::to_owned);
        let file = FILES.iter().find(|(name, ..)| *name == path);
        // The two files beside the application's page hold nothing of the user's.
        let is_open = file.is_some() && path != "/";
        if !is_open && header("X-Duramen-Token").or(in_query).as_deref() != Some(&self.token) {
            return refused(403, "open the address that `duramen annotate` has printed: it holds a token");
        }
        if let Some((_, kind, text)) = file {
            return Answer { status: 200, kind, policy: APP_POLICY, bytes: text.as_bytes().to_vec() };
        }
        match self.data(request, path, session) {
            Ok(answer) => answer,
            Err(error @ (Error::Io { .. } | Error::Data { .. })) => refused(500, &told(&error)),
            Err(error) => refused(400, &told(&error)),
        }
    }

    fn data(&self, request: &mut Request, path: &str, session: &mut Session) -> Result<Answer> {
        let unknown = || Error::usage(format!("there is no {path}"), "reload the application");
        if let Some(id) = path.strip_prefix("/page/") {
            let id = percent_decode_str(id).decode_utf8().map_err(|_| unknown())?;
            known(session, &id)?;
            let bytes = session.html(&id)?.into_bytes();
            return Ok(Answer { status: 200, kind: "text/html; charset=utf-8", policy: PAGE_POLICY, bytes });
        }
        match (request.method(), path) {
            (Method::Get, "/api/pages") => json(&session.overview()),
            (Method::Post, "/api/open") => {
                let Named { page } = body(request)?;
                known(session, &page)?;
                json(&session.page(&page)?)
            }
            (Method::Post, "/api/labels") => {
                let Marked { page, marks, kind } = body(request)?;
                known(session, &page)?;
                json(&session.labelled(&page, &marks, kind)?)
            }
            (Method::Post, "/api/save") => {
                let work: Work = body(request)?;
                known(session, &work.page)?;
                session.save(work)?;
                json(&session.overview().without_pages())
            }
            (Method::Post, "/api/same") => {
                let Same { page, apply } = body(request)?;
                known(session, &page)?;
                json(&session.same_site(&page, apply)?)
            }
            _ => Err(unknown()),
        }
    }
}

fn known(session: &Session, page: &str) -> Result<()> {
    match session.has(page) {
        true => Ok(()),
        false => Err(Error::usage(format!("there is no page '{page}'"), "reload the application")),
    }
}

fn json(value: &impl Serialize) -> Result<Answer> {
    let bytes = serde_json::to_vec(value).expect("all keys are strings");
    Ok(Answer { status: 200, kind: "application/json", policy: "default-src 'none'", bytes })
}

fn body<T: DeserializeOwned>(request: &mut Request) -> Result<T> {
    let mut bytes = Vec::new();
    let read = request.as_reader().take(MOST_BYTES).read_to_end(&mut bytes);
    let failed = |problem: String| {
        Error::usage(format!("the request cannot be read: {problem}"), "reload the application")
    };
    read.map_err(|error| failed(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| failed(error.to_string()))
}
