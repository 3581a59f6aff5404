//! A place to take archives from: a folder, or a URL under which the files lie.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::archive::write_error;
use super::inventory::is_sha256;
use crate::error::{Error, Result};

/// The name of the file of checksums that a mirror may hold.
const SUMS: &str = "SHA256SUMS";

/// A folder or URL that holds archives under their own names.
pub(super) enum Mirror {
    Folder(PathBuf),
    Url { base: String, agent: ureq::Agent },
}

impl Mirror {
    /// The mirror at a folder's path or an http(s) URL.
    ///
    /// # Errors
    /// [`Error::Usage`] for a URL of another scheme, [`Error::Data`] for a folder that does not exist.
    pub fn new(place: &str) -> Result<Mirror> {
        if place.starts_with("http://") || place.starts_with("https://") {
            let config = ureq::Agent::config_builder()
                .http_status_as_error(false)
                .timeout_connect(Some(Duration::from_secs(30)))
                .timeout_recv_response(Some(Duration::from_secs(60)))
                .timeout_per_read(Some(Duration::from_secs(60)))
                // A server that names gzip as encoding would have us unpack, and then check, the wrong bytes.
                .accept_encoding("identity")
                .user_agent(concat!("duramen/", env!("CARGO_PKG_VERSION")))
                .build();
            let base = place.trim_end_matches('/').to_owned();
            return Ok(Mirror::Url { base, agent: config.into() });
        }
        if place.contains("://") {
            return Err(Error::usage(format!("mirror '{place}'"), "give a folder or an http(s) URL"));
        }
        let folder = PathBuf::from(place);
        if !folder.is_dir() {
            return Err(Error::data(
                place,
                "the mirror is no folder",
                "give the folder that holds the archives",
            ));
        }
        Ok(Mirror::Folder(folder))
    }

    /// The mirror's name for people.
    pub fn place(&self) -> String {
        match self {
            Mirror::Folder(folder) => folder.display().to_string(),
            Mirror::Url { base, .. } => base.clone(),
        }
    }

    /// The checksum that the mirror's own SHA256SUMS lists for a file.
    pub fn listed_sha256(&self, name: &str) -> Result<Option<String>> {
        let text = match self {
            Mirror::Folder(folder) => match fs::read_to_string(folder.join(SUMS)) {
                Ok(text) => text,
                Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(e) => return Err(Error::io(folder.join(SUMS), e)),
            },
            Mirror::Url { base, agent } => {
                let url = format!("{base}/{SUMS}");
                let Some(mut answer) = get(agent, &url)? else { return Ok(None) };
                answer.body_mut().read_to_string().map_err(|e| network_error(&url, e))?
            }
        };
        Ok(find_sum(&text, name))
    }

    /// The file of that name: where it lies, or a copy in the folder `aside`; `None` if the mirror has none.
    /// `go_on` hears the bytes so far and their total, if known, and may say no.
    pub fn take(
        &self,
        name: &str,
        aside: &Path,
        go_on: &mut dyn FnMut(u64, Option<u64>) -> bool,
    ) -> Result<Option<PathBuf>> {
        let (base, agent) = match self {
            Mirror::Folder(folder) => {
                let path = folder.join(name);
                return Ok(path.is_file().then_some(path));
            }
            Mirror::Url { base, agent } => (base, agent),
        };
        let url = format!("{base}/{name}");
        let Some(answer) = get(agent, &url)? else { return Ok(None) };
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
    Error::data(url, e.to_string(), "try again later, or give a folder of archives with --mirror")
}

/// The checksum of `name` in the output of `sha256sum`: lines of hex digits, a blank, a blank or `*`, the name.
fn find_sum(text: &str, name: &str) -> Option<String> {
    let line = |line: &str| {
        let (sum, file) = line.trim().split_once(' ')?;
        let file = file.trim_start_matches([' ', '*']).trim_start_matches("./");
        let sum = sum.to_ascii_lowercase();
        (file == name && is_sha256(&sum)).then_some(sum)
    };
    text.lines().find_map(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_found_by_whole_name_in_both_notations() {
        let (a, b) = ("a".repeat(64), "B".repeat(64));
        let text = format!("{a}  x.zip\n{b} *./y.zip\nshort  z.zip\n");
        assert_eq!(find_sum(&text, "x.zip"), Some(a));
        assert_eq!(find_sum(&text, "y.zip"), Some(b.to_lowercase()));
        assert_eq!(find_sum(&text, "z.zip"), None);
        assert_eq!(find_sum(&text, ".zip"), None);
    }

    #[test]
    fn other_schemes_and_missing_folders_are_refused() {
        assert_eq!(Mirror::new("ftp://example.org").err().unwrap().exit_code(), 2);
        assert_eq!(Mirror::new("no/such/folder").err().unwrap().exit_code(), 3);
    }
}
