//! `WarcPage`, what a record holds of a page.

use std::fmt;
use std::io::{self, Read};

use fastwarc::warc::header::WarcHeader;
use fastwarc::warc::record::{AutoDecode, WarcRecord, WarcRecordType};

use super::read::RawRecord;
use crate::error::PageProblem;

/// A page as a crawl stored it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarcPage {
    /// `WARC-Record-ID` without its angle brackets.
    pub record_id: String,
    /// `WARC-Target-URI`.
    pub url: Option<String>,
    /// `WARC-Date`, as it stands there.
    pub date: Option<String>,
    /// The charset of the HTTP header.
    pub charset: Option<String>,
    /// The page, without transfer and content encoding; what was wrong with it where it could not be decoded.
    pub body: Result<Vec<u8>, PageProblem>,
}

/// Why a record is not a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoPage {
    /// It is of a type that holds none, such as `request`.
    Type(&'static str),
    /// The server answered with another status than 200 to 299.
    Status(u16),
    /// The server sent something else than HTML.
    ContentType(String),
}

impl fmt::Display for NoPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPage::Type(name) => write!(f, "{name}"),
            NoPage::Status(status) => write!(f, "HTTP status {status}"),
            NoPage::ContentType(name) => write!(f, "{name}"),
        }
    }
}

/// Types of content that are pages.
const HTML: [&str; 3] = ["text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"];

impl RawRecord {
    /// The page that the record holds: of a `response` what the server sent with a status of success, of a `resource` the
    /// block itself, if either is HTML. `most` bytes of the page are decoded, and one more.
    ///
    /// # Errors
    /// [`NoPage`] with the reason, for counting.
    pub fn page(self, most: usize) -> Result<WarcPage, NoPage> {
        let unreadable = |_| NoPage::Type("record that cannot be parsed");
        let mut record = WarcRecord::from_reader(io::Cursor::new(self.bytes)).map_err(unreadable)?;
        let kind = record.record_type();
        if !matches!(kind, WarcRecordType::Response | WarcRecordType::Resource) {
            return Err(NoPage::Type(kind.as_str()));
        }
        let header = |name: WarcHeader| record.headers().get(name.as_str()).map(|value| value.into_owned());
        let (url, date) = (header(WarcHeader::WarcTargetUri), header(WarcHeader::WarcDate));
        let id = record.record_id().map(|id| id.trim_matches(['<', '>']).to_owned());
        let is_http = record.is_http();
        let parsed = if is_http { record.parse_http_with_decode(AutoDecode::All) } else { Ok(()) };
        let content_type = match is_http {
            true => record.http_headers().and_then(|headers| headers.get("Content-Type")),
            false => record.headers().get("Content-Type"),
        };
        let content_type = content_type.map(|value| value.into_owned());
        if let Some(status) = record.http_headers().and_then(|headers| headers.status_code())
            && !(200..300).contains(&status)
        {
            return Err(NoPage::Status(status));
        }
        // What states no type is a page until it proves not to be.
        if let Some(name) = content_type.as_deref().map(mime_type).filter(|name| !HTML.contains(&&**name)) {
            return Err(NoPage::ContentType(name));
        }
        Ok(WarcPage {
            record_id: id.unwrap_or_default(),
            url: url.map(|url| url.trim_matches(['<', '>']).to_owned()),
            date,
            charset: content_type.as_deref().and_then(charset),
            body: match parsed {
                Err(error) => Err(PageProblem::Failed(format!("the HTTP header cannot be read: {error}"))),
                Ok(()) if self.is_too_large => Err(PageProblem::TooLarge {
                    what: "the record in bytes",
                    found: most as u64 + 1,
                    limit: most as u64,
                }),
                Ok(()) => body(&mut record, most),
            },
        })
    }
}

/// The body without transfer and content encoding.
fn body(record: &mut WarcRecord, most: usize) -> Result<Vec<u8>, PageProblem> {
    let mut bytes = Vec::new();
    let Some(reader) = record.reader_mut() else { return Ok(bytes) };
    match reader.take(most as u64 + 1).read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(PageProblem::Failed(format!(
            "the body cannot be decoded after {} bytes: {error}",
            bytes.len()
        ))),
    }
}

/// `text/html` of `Text/HTML; charset=utf-8`.
fn mime_type(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// `utf-8` of `text/html; charset="utf-8"`.
fn charset(content_type: &str) -> Option<String> {
    let mut parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, value) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}
