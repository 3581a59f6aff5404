//! `WarcWriter`, pages as a web archive.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::dom::digest::hex;

/// Writes records, each a gzip member of its own. The same pages give the same bytes.
///
/// # Examples
/// ```
/// use duramen::warc::{WarcReader, WarcWriter};
/// let mut archive = Vec::new();
/// let mut writer = WarcWriter::new(&mut archive)?;
/// writer.page("https://wood.example/oak", "2026-01-02T00:00:00Z", b"<p>Oak")?;
/// let mut records = WarcReader::new(std::io::Cursor::new(archive), 1 << 20)?.map(Result::unwrap);
/// assert_eq!(records.next().unwrap().page(1 << 20).unwrap_err().to_string(), "warcinfo");
/// let page = records.next().unwrap().page(1 << 20).unwrap();
/// assert_eq!((page.url.as_deref(), page.body.unwrap()), (Some("https://wood.example/oak"), b"<p>Oak".to_vec()));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WarcWriter<W: Write> {
    file: W,
}

impl<W: Write> WarcWriter<W> {
    /// Begins an archive with the record that says what made it.
    ///
    /// # Errors
    /// Of the file.
    pub fn new(file: W) -> io::Result<Self> {
        let mut writer = WarcWriter { file };
        let info =
            concat!("software: duramen ", env!("CARGO_PKG_VERSION"), "\r\nformat: WARC File Format 1.1\r\n");
        writer.record("warcinfo", None, EPOCH, "application/warc-fields", info.as_bytes())?;
        Ok(writer)
    }

    /// A page as a server would have sent it: status 200, `text/html` without a charset. `date` is when it was got, in UTC as
    /// `2026-01-02T03:04:05Z`, or [`EPOCH`].
    ///
    /// # Errors
    /// Of the file.
    pub fn page(&mut self, url: &str, date: &str, html: &[u8]) -> io::Result<()> {
        let mut block =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", html.len())
                .into_bytes();
        block.extend(html);
        self.record("response", Some(url), date, "application/http; msgtype=response", &block)
    }

    /// The file.
    pub fn into_inner(self) -> W {
        self.file
    }

    fn record(
        &mut self,
        kind: &str,
        url: Option<&str>,
        date: &str,
        content_type: &str,
        block: &[u8],
    ) -> io::Result<()> {
        let digest = hex(&Sha256::digest([url.unwrap_or_default().as_bytes(), b"\n", block].concat()));
        // A UUID of version 8 (RFC 9562): the digest, since a random one would vary between runs.
        let id = format!(
            "{}-{}-8{}-8{}-{}",
            &digest[..8],
            &digest[8..12],
            &digest[13..16],
            &digest[17..20],
            &digest[20..32]
        );
        let mut member = GzEncoder::new(&mut self.file, Compression::default());
        write!(
            member,
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Date: {date}\r\n"
        )?;
        if let Some(url) = url {
            // A line break would end the header.
            write!(member, "WARC-Target-URI: {}\r\n", url.replace(['\r', '\n'], " "))?;
        }
        write!(member, "Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n", block.len())?;
        member.write_all(block)?;
        member.write_all(b"\r\n\r\n")?;
        member.finish().map(drop)
    }
}

/// The date of a page of which nobody knows when it was got: a record must have one.
pub const EPOCH: &str = "1970-01-01T00:00:00Z";
