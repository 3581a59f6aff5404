//! Files from a server, over HTTP, each written atomically.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::write_error::write_error;
use crate::error::{Error, Result};

/// What servers are told of who asks where nothing else is said.
pub(crate) const USER_AGENT: &str = concat!("duramen/", env!("CARGO_PKG_VERSION"));

/// A URL under which files lie.
pub(crate) struct Server {
    base: String,
    agent: ureq::Agent,
}

impl Server {
    /// The server of an http(s) URL, which is told of a user agent.
    pub fn new(url: &str, user_agent: Option<&str>) -> Server {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(30)))
            .timeout_recv_response(Some(Duration::from_secs(60)))
            .timeout_per_read(Some(Duration::from_secs(60)))
            // A server that names gzip as encoding would have us unpack, and then check, the wrong bytes.
            .accept_encoding("identity")
            .user_agent(user_agent.unwrap_or(USER_AGENT))
            .build();
        Server { base: url.trim_end_matches('/').to_owned(), agent: config.into() }
    }

    /// The URL, without a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// A file as text; `None` if the server has none of that name.
    pub fn text(&self, name: &str) -> Result<Option<String>> {
        let url = format!("{}/{name}", self.base);
        let Some(mut answer) = get(&self.agent, &url)? else { return Ok(None) };
        answer.body_mut().read_to_string().map(Some).map_err(|e| network_error(&url, e))
    }

    /// A file, copied into the folder `aside`; `None` if the server has none of that name. `go_on` hears the bytes so far
    /// and their total, if known, and may say no.
    pub fn load(
        &self,
        name: &str,
        aside: &Path,
        go_on: &mut dyn FnMut(u64, Option<u64>) -> bool,
    ) -> Result<Option<PathBuf>> {
        let url = format!("{}/{name}", self.base);
        let Some(answer) = get(&self.agent, &url)? else { return Ok(None) };
        let total = answer.body().content_length();
        let mut body = answer.into_body().into_reader();
        let path = aside.join(name);
        let mut file = File::create(&path).map_err(|e| write_error(&path, e))?;
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0;
        loop {
            let n = match body.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(network_error(&url, e)),
            };
            file.write_all(&buffer[..n]).map_err(|e| write_error(&path, e))?;
            length += n as u64;
            if !go_on(length, total) {
                return Err(Error::Interrupted);
            }
        }
        match total {
            Some(total) if total != length => {
                Err(network_error(&url, format!("the connection ended after {length} of {total} bytes")))
            }
            _ => Ok(Some(path)),
        }
    }
}

/// The answer to a GET; `None` if there is no such file.
fn get(agent: &ureq::Agent, url: &str) -> Result<Option<ureq::http::Response<ureq::Body>>> {
    let answer = agent.get(url).call().map_err(|e| network_error(url, e))?;
    match answer.status() {
        status if status.is_success() => Ok(Some(answer)),
        status if matches!(status.as_u16(), 404 | 410) => Ok(None),
        status => Err(network_error(url, format!("the server answered {status}"))),
    }
}

fn network_error(url: &str, e: impl ToString) -> Error {
    Error::data(url, e.to_string(), "try again later, or give a folder that holds the file")
}
