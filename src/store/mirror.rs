//! A place to take archives from: a folder, or a URL under which the files lie.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(feature = "datasets")]
use super::download::Server;
use super::sha256::is_sha256;
use crate::error::{Error, Result};

/// The name of the file of checksums that a mirror may hold.
const SUMS: &str = "SHA256SUMS";

/// A folder or URL that holds archives under their own names.
pub(crate) enum Mirror {
    Folder(PathBuf),
    #[cfg(feature = "datasets")]
    Url(Server),
}

impl Mirror {
    /// The mirror at a folder's path or an http(s) URL, whose server is told of a user agent, else of this program.
    ///
    /// # Errors
    /// [`Error::Usage`] for a URL of another scheme, [`Error::Data`] for a folder that does not exist.
    pub fn new(place: &str, user_agent: Option<&str>) -> Result<Mirror> {
        // Without HTTP nobody is told.
        #[cfg(not(feature = "datasets"))]
        let _ = user_agent;
        if place.starts_with("http://") || place.starts_with("https://") {
            #[cfg(feature = "datasets")]
            return Ok(Mirror::Url(Server::new(place, user_agent)));
            #[cfg(not(feature = "datasets"))]
            return Err(Error::built_without("datasets", "loads files over HTTP"));
        }
        if place.contains("://") {
            return Err(Error::usage(
                format!("'{place}' to take files from"),
                "give a folder or an http(s) URL",
            ));
        }
        let folder = PathBuf::from(place);
        if !folder.is_dir() {
            return Err(Error::data(
                place,
                "there is no such folder",
                "give the folder that holds the files",
            ));
        }
        Ok(Mirror::Folder(folder))
    }

    /// The mirror's name for people.
    pub fn place(&self) -> String {
        match self {
            Mirror::Folder(folder) => folder.display().to_string(),
            #[cfg(feature = "datasets")]
            Mirror::Url(server) => server.base().to_owned(),
        }
    }

    /// Whether it is a URL.
    pub fn is_url(&self) -> bool {
        !matches!(self, Mirror::Folder(_))
    }

    /// The checksum that the mirror's own SHA256SUMS lists for a file.
    pub fn listed_sha256(&self, name: &str) -> Result<Option<String>> {
        let text = match self {
            Mirror::Folder(folder) => match fs::read_to_string(folder.join(SUMS)) {
                Ok(text) => text,
                Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(e) => return Err(Error::io(folder.join(SUMS), e)),
            },
            #[cfg(feature = "datasets")]
            Mirror::Url(server) => match server.text(SUMS)? {
                Some(text) => text,
                None => return Ok(None),
            },
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
        // Without HTTP there is nothing to copy and to tell of.
        #[cfg(not(feature = "datasets"))]
        let _ = (aside, go_on);
        match self {
            Mirror::Folder(folder) => {
                let path = folder.join(name);
                Ok(path.is_file().then_some(path))
            }
            #[cfg(feature = "datasets")]
            Mirror::Url(server) => server.load(name, aside, go_on),
        }
    }
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
        assert_eq!(Mirror::new("ftp://example.org", None).err().unwrap().exit_code(), 2);
        assert_eq!(Mirror::new("no/such/folder", None).err().unwrap().exit_code(), 3);
    }
}
