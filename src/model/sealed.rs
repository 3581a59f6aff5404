//! Files of what was learned: JSON with a format name, a version and a checksum over the rest.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::dom::digest::hex;
use crate::error::{Error, Result};

#[derive(Serialize, Deserialize)]
struct File<'a> {
    format: String,
    version: u32,
    checksum: String,
    #[serde(borrow)]
    body: &'a RawValue,
}

/// What can be read of a file of any version.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u32>,
}

/// A kind of file.
pub(crate) struct Sealed {
    /// The format's name.
    pub format: &'static str,
    /// What the file is called in errors, such as "a model file".
    pub name: &'static str,
    /// The newest version that is read.
    pub newest: u32,
    /// What to do about a damaged file.
    pub remedy: &'static str,
}

impl Sealed {
    /// The file's text. Equal bodies give equal bytes.
    pub fn write(&self, version: u32, body: &impl Serialize) -> String {
        let body = serde_json::value::to_raw_value(body).expect("a body has no keys that are not strings");
        let format = self.format.to_owned();
        let file = File { format, version, checksum: checksum(body.get()), body: &body };
        serde_json::to_string(&file).expect("a body has no keys that are not strings") + "\n"
    }

    /// An error of a damaged file.
    pub fn damaged(&self, subject: &str, problem: impl Into<String>) -> Error {
        Error::model(subject, problem.into(), self.remedy)
    }

    /// The version, and the body whose checksum is right; `subject` names the file in errors.
    ///
    /// # Errors
    /// [`Error::Model`] for what is no such file, is of a newer version, or was damaged.
    pub fn read<'a>(&self, text: &'a str, subject: &str) -> Result<(u32, &'a str)> {
        let damaged = |problem: &str| self.damaged(subject, problem);
        // Of a whole file of this version nothing is read twice.
        let file = match serde_json::from_str::<File<'a>>(text) {
            Ok(file) if file.format == self.format && (1..=self.newest).contains(&file.version) => file,
            other => {
                self.check_header(text, subject)?;
                let problem = other.err().map_or_else(String::new, |error| error.to_string());
                return Err(damaged(&problem));
            }
        };
        if checksum(file.body.get()) != file.checksum {
            return Err(damaged("its checksum does not match its contents"));
        }
        Ok((file.version, file.body.get()))
    }

    /// Says what is wrong with a file of which not even the kind and the version are right.
    fn check_header(&self, text: &str, subject: &str) -> Result<()> {
        let Sealed { format, name, newest, .. } = self;
        let damaged = |problem: String| self.damaged(subject, problem);
        let header: Header = serde_json::from_str(text)
            .map_err(|error| damaged(format!("not {name}, or cut short ({error})")))?;
        if header.format.as_deref() != Some(format) {
            return Err(damaged(format!("not {name}: its \"format\" is not \"{format}\"")));
        }
        match header.version {
            Some(version) if (1..=*newest).contains(&version) => Ok(()),
            Some(version) if version > *newest => Err(Error::model(
                subject,
                format!("written by a newer program (format version {version}, this one reads {newest})"),
                "update duramen",
            )),
            _ => Err(damaged("its \"version\" is missing or unknown".to_owned())),
        }
    }

    /// The checksum that a file's text carries.
    pub fn checksum_of(text: &str) -> Option<String> {
        serde_json::from_str::<File<'_>>(text).ok().map(|file| file.checksum)
    }
}

fn checksum(body: &str) -> String {
    hex(&Sha256::digest(body.as_bytes()))
}
