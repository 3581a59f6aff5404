//! `DevTools`, a synchronous client of Chromium's DevTools protocol: commands, events, deadlines.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use crate::error::PageProblem;
use crate::program::shortened;

/// The largest message that is taken; Chromium itself sends no larger ones.
const MAX_MESSAGE: usize = 256 << 20;

/// The events that somebody waits for; all others are dropped as they come, so that no page can pile them up.
const WANTED: [&str; 4] = [
    "Fetch.requestPaused",
    "Page.lifecycleEvent",
    "Page.javascriptDialogOpening",
    "Network.responseReceived",
];

/// Why a browser gave no answer that can be used.
#[derive(Debug)]
pub(super) enum Fault {
    /// The time was up.
    Timeout,
    /// The browser, or the process of the page, ended.
    Died(String),
    /// Anything else, to be said of the page.
    Other(PageProblem),
}

impl Fault {
    /// A fault told in words.
    pub(super) fn other(what: impl Into<String>) -> Fault {
        Fault::Other(PageProblem::Failed(format!("Chromium: {}", what.into())))
    }

    /// What is said of the page whose time was `limit`.
    pub(super) fn problem(self, limit: Duration) -> PageProblem {
        match self {
            Fault::Timeout => PageProblem::Timeout { seconds: limit.as_secs_f64().ceil() as u64 },
            Fault::Died(how) => PageProblem::Failed(format!("Chromium died on the page: {how}")),
            Fault::Other(problem) => problem,
        }
    }
}

/// Something that the browser told unasked.
#[derive(Debug)]
pub(super) struct Event {
    /// The tab that it is about.
    pub session: Option<String>,
    /// Its name.
    pub method: String,
    params: Box<RawValue>,
}

impl Event {
    /// What it says.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        read(&self.method, &self.params)
    }
}

/// What the browser sent.
#[derive(Debug)]
pub(super) enum Incoming {
    /// The answer to a command.
    Reply(Reply),
    /// An event.
    Event(Event),
}

/// The answer to a command.
#[derive(Debug)]
pub(super) struct Reply {
    /// The command.
    pub to: Sent,
    result: Result<Box<RawValue>, String>,
}

impl Reply {
    /// What it says.
    pub(super) fn read<T: DeserializeOwned>(&self, method: &str) -> Result<T, Fault> {
        match &self.result {
            Ok(result) => read(method, result),
            Err(why) => Err(Fault::other(format!("{method} was refused: {}", shortened(why)))),
        }
    }
}

/// The number of a command that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sent(u64);

/// A connection to a browser.
#[derive(Debug)]
pub(super) struct DevTools {
    socket: WebSocket<Timed>,
    next: u64,
    events: VecDeque<Event>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    method: Option<String>,
    #[serde(rename = "sessionId")]
    session: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
}

impl DevTools {
    /// Connects to the browser that listens on a port of this machine.
    pub(super) fn connect(port: u16, path: &str, deadline: Instant) -> Result<DevTools, Fault> {
        let left = left(deadline).map_err(|_| Fault::Timeout)?;
        let stream = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), left)
            .map_err(|error| Fault::Died(format!("no connection: {error}")))?;
        stream.set_nodelay(true).ok();
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE))
            .write_buffer_size(0);
        let address = format!("ws://127.0.0.1:{port}{path}");
        let stream = Timed { stream, deadline };
        let (socket, _) = tungstenite::client::client_with_config(&address, stream, Some(config))
            .map_err(|error| Fault::Died(format!("no connection: {error}")))?;
        Ok(DevTools { socket, next: 1, events: VecDeque::new() })
    }

    /// Sends a command without waiting for its answer.
    pub(super) fn send(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
        deadline: Instant,
    ) -> Result<Sent, Fault> {
        let id = self.next;
        self.next += 1;
        let mut command = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        self.socket.get_mut().deadline = deadline;
        self.socket.send(Message::text(command.to_string())).map_err(lost)?;
        Ok(Sent(id))
    }

    /// Sends a command and reads its answer; events that come before it are kept.
    pub(super) fn call<T: DeserializeOwned>(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
        deadline: Instant,
    ) -> Result<T, Fault> {
        let sent = self.send(session, method, params, deadline)?;
        loop {
            match self.receive(deadline)? {
                Incoming::Reply(reply) if reply.to == sent => return reply.read(method),
                Incoming::Reply(_) => {}
                Incoming::Event(event) => self.events.push_back(event),
            }
        }
    }

    /// The next event, or the next answer to a command that was sent.
    pub(super) fn next(&mut self, deadline: Instant) -> Result<Incoming, Fault> {
        match self.events.pop_front() {
            Some(event) => Ok(Incoming::Event(event)),
            None => self.receive(deadline),
        }
    }

    /// An event that was kept.
    pub(super) fn kept_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Forgets the events that were kept.
    pub(super) fn forget_events(&mut self) {
        self.events.clear();
    }

    fn receive(&mut self, deadline: Instant) -> Result<Incoming, Fault> {
        self.socket.get_mut().deadline = deadline;
        loop {
            let text = match self.socket.read().map_err(lost)? {
                Message::Text(text) => text,
                Message::Close(_) => return Err(Fault::Died("it closed the connection".to_owned())),
                _ => continue,
            };
            let message: Envelope<'_> = serde_json::from_str(&text)
                .map_err(|error| Fault::other(format!("an answer that is not understood: {error}")))?;
            if let Some(id) = message.id {
                let result = match (message.result, message.error) {
                    (Some(result), None) => Ok(result.to_owned()),
                    (_, error) => Err(error.map_or_else(String::new, |error| error.message)),
                };
                return Ok(Incoming::Reply(Reply { to: Sent(id), result }));
            }
            let (Some(method), Some(params)) = (message.method, message.params) else { continue };
            if method == "Inspector.targetCrashed" || method == "Target.targetCrashed" {
                return Err(Fault::Died("the process of the page crashed".to_owned()));
            }
            if WANTED.contains(&&*method) {
                let params = params.to_owned();
                return Ok(Incoming::Event(Event { session: message.session, method, params }));
            }
        }
    }
}

fn read<T: DeserializeOwned>(method: &str, json: &RawValue) -> Result<T, Fault> {
    serde_json::from_str(json.get())
        .map_err(|error| Fault::other(format!("an answer to {method} that is not understood: {error}")))
}

/// What an error of the connection means.
fn lost(error: tungstenite::Error) -> Fault {
    use tungstenite::Error;
    match error {
        Error::Io(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
            Fault::Timeout
        }
        Error::Capacity(error) => Fault::other(format!("an answer that is too large: {error}")),
        error => Fault::Died(format!("the connection was lost: {error}")),
    }
}

fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// A connection on which nothing is waited for beyond a deadline, however slowly bytes come.
#[derive(Debug)]
struct Timed {
    stream: TcpStream,
    deadline: Instant,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(left(self.deadline)?))?;
        self.stream.read(buffer)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(left(self.deadline)?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
