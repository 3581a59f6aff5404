//! Which encoding the bytes are in: BOM, strict UTF-8, what is declared, a bounded guess.

use std::borrow::Cow;

use chardetng::EncodingDetector;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

use crate::error::PageProblem;

/// How far into a page a `<meta>` declaration is looked for; the standard says 1,024 bytes, old pages need more.
const META_SCAN: usize = 16 * 1024;
/// How many bytes the guess may read: guessing on whole pages costs more than parsing them.
const GUESS_SCAN: usize = 16 * 1024;

/// Decodes a page and names the encoding used.
///
/// In order: byte order mark; UTF-16 by its zero bytes; strict UTF-8, which beats any declaration (in L3S-GN1
/// 119 pages are valid UTF-8 and declare something else); the HTTP header; `<meta>`; a guess over the first
/// 16 KiB that are not ASCII. Undecodable bytes become U+FFFD.
///
/// # Errors
/// [`PageProblem::Empty`] for no bytes, [`PageProblem::NotHtml`] for known binary formats and for bytes that no
/// text encoding explains.
pub fn decode<'a>(
    bytes: &'a [u8],
    http_charset: Option<&str>,
) -> Result<(Cow<'a, str>, &'static Encoding), PageProblem> {
    if bytes.is_empty() {
        return Err(PageProblem::Empty);
    }
    if let Some(format) = binary_format(bytes) {
        return Err(PageProblem::NotHtml(format!("the bytes are {format}")));
    }
    let encoding = choose(bytes, http_charset);
    // `decode` removes the byte order mark of the encoding it finds.
    let (text, used, _) = encoding.decode(bytes);
    if is_mostly_control(&text) {
        return Err(PageProblem::NotHtml("the bytes are binary data".to_owned()));
    }
    Ok((text, used))
}

fn choose(bytes: &[u8], http_charset: Option<&str>) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(encoding) = utf16_by_zeros(bytes) {
        return encoding;
    }
    let escapes = memchr::memchr(0x1b, bytes).is_some();
    if !escapes && is_utf8(bytes) {
        return UTF_8;
    }
    let declared =
        http_charset.and_then(|label| Encoding::for_label(label.as_bytes())).or_else(|| meta(bytes));
    match declared {
        // A seven-bit encoding with escapes is also valid UTF-8.
        Some(encoding) if escapes && encoding == encoding_rs::ISO_2022_JP => encoding,
        _ if is_utf8(bytes) => UTF_8,
        Some(encoding) if encoding != UTF_8 && encoding.is_ascii_compatible() => encoding,
        _ => guess(bytes),
    }
}

/// Whether the bytes are UTF-8 but for at most one bad sequence in six (a cut end, a pasted character).
fn is_utf8(bytes: &[u8]) -> bool {
    if std::str::from_utf8(bytes).is_ok() {
        return true;
    }
    let (good, bad) = bytes.utf8_chunks().fold((0usize, 0usize), |(good, bad), chunk| {
        (
            good + chunk.valid().chars().filter(|c| !c.is_ascii()).count(),
            bad + usize::from(!chunk.invalid().is_empty()),
        )
    });
    good >= 5 * bad
}

/// UTF-16 without a byte order mark: nearly every other byte of markup is zero.
fn utf16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(1024) & !1];
    let zeros = |parity: usize| head.iter().skip(parity).step_by(2).filter(|&&b| b == 0).count();
    let pairs = head.len() / 2;
    let (even, odd) = (zeros(0), zeros(1));
    if pairs >= 4 && odd * 10 >= pairs * 6 && even * 10 < pairs {
        Some(UTF_16LE)
    } else if pairs >= 4 && even * 10 >= pairs * 6 && odd * 10 < pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The charset that a `<meta>` tag or an XML declaration states.
fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(META_SCAN)];
    let lower: Vec<u8> = head.to_ascii_lowercase();
    let in_meta = memmem::find_iter(&lower, b"<meta").filter_map(|start| {
        let tag = &lower[start..];
        let tag = &tag[..memchr::memchr(b'>', tag).unwrap_or(tag.len())];
        memmem::find(tag, b"charset").and_then(|at| label_after(&tag[at + b"charset".len()..]))
    });
    let in_xml = lower.starts_with(b"<?xml").then(|| {
        let declaration = &lower[..memchr::memchr(b'>', &lower).unwrap_or(lower.len())];
        memmem::find(declaration, b"encoding")
            .and_then(|at| label_after(&declaration[at + b"encoding".len()..]))
    });
    let label = in_meta.into_iter().next().or(in_xml.flatten())?;
    let encoding = Encoding::for_label(label)?;
    // A page whose ASCII markup could be read to here cannot be UTF-16: the standard says UTF-8.
    Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

/// The label after `= "`, up to the next quote, blank or semicolon.
fn label_after(bytes: &[u8]) -> Option<&[u8]> {
    let equals = bytes.iter().position(|b| !b.is_ascii_whitespace()).filter(|&i| bytes[i] == b'=')?;
    let value = &bytes[equals + 1..];
    let start = value.iter().position(|b| !(b.is_ascii_whitespace() || matches!(b, b'"' | b'\'')))?;
    let value = &value[start..];
    let end = value
        .iter()
        .position(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b';' | b'/'))
        .unwrap_or(value.len());
    Some(&value[..end])
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    // Only bytes beyond ASCII tell encodings apart: start at the first of them.
    let from = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0);
    let sample = &bytes[from..bytes.len().min(from + GUESS_SCAN)];
    let mut detector = EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    detector.guess(None, chardetng::Utf8Detection::Deny)
}

/// The name of a binary format, by its first bytes.
fn binary_format(bytes: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &str); 9] = [
        (b"%PDF-", "a PDF document"),
        (b"\x89PNG\r\n", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"PK\x03\x04", "a ZIP archive (or an office document)"),
        (b"\x1f\x8b", "gzip data; decompress it first or name the file .gz"),
        (b"\x28\xb5\x2f\xfd", "zstd data; decompress it first"),
        (b"\xfd7zXZ\0", "xz data; decompress it first"),
        (b"\x7fELF", "a program"),
    ];
    known.into_iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, name)| name)
}

/// Whether more than one character in ten of the beginning is a control character that no text holds.
fn is_mostly_control(text: &str) -> bool {
    const CHARACTERS: usize = 4096;
    let start = &text.as_bytes()[..text.len().min(CHARACTERS)];
    // Nearly every page: no character of its beginning is one that would count.
    let uncommon = |byte: u8| !matches!(byte, b' '..=b'~' | b'\t'..=b'\r');
    // Counted, not searched for: that compiles to vector instructions.
    if start.iter().filter(|&&byte| uncommon(byte)).count() == 0 {
        return false;
    }
    let (control, all) = text.chars().take(CHARACTERS).fold((0usize, 0usize), |(control, all), c| {
        (control + usize::from((c.is_control() && !c.is_whitespace()) || c == '\u{fffd}'), all + 1)
    });
    control * 10 > all && control > 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(bytes: &[u8], http: Option<&str>) -> &'static str {
        decode(bytes, http).unwrap().1.name()
    }

    #[test]
    fn a_byte_order_mark_beats_everything() {
        assert_eq!(name(b"\xef\xbb\xbf<p>a", Some("iso-8859-1")), "UTF-8");
        assert_eq!(decode(b"\xff\xfe<\0p\0>\0", None).unwrap().0, "<p>");
    }

    #[test]
    fn utf16_is_seen_without_a_mark() {
        let page: Vec<u8> = "<html><p>text</p>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(name(&page, None), "UTF-16BE");
    }

    #[test]
    fn strict_utf8_beats_a_wrong_declaration() {
        assert_eq!(name("<meta charset=iso-8859-1><p>Größe".as_bytes(), None), "UTF-8");
        assert_eq!(name("<p>Größe".as_bytes(), Some("windows-1252")), "UTF-8");
    }

    #[test]
    fn a_declaration_decides_where_the_bytes_are_not_utf8() {
        let bytes =
            b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'><p>\xf0\xd2\xc9\xd7\xc5\xd4";
        assert_eq!(decode(bytes, None).unwrap().0.split_at(68).1, "<p>Привет".split_at(2).1);
        assert_eq!(name(b"<meta charset = \"ISO-8859-15\"/><p>\xa4", None), "ISO-8859-15");
        assert_eq!(name(b"<?xml version='1.0' encoding='windows-1250'?><p>\x9a", None), "windows-1250");
        assert_eq!(name(b"<meta charset=koi8-r><p>\xe9", Some("windows-1252")), "windows-1252");
    }

    #[test]
    fn utf8_with_a_cut_end_stays_utf8() {
        let mut bytes = "<p>Übergrößenträger äöüß ähnlich".as_bytes().to_vec();
        bytes.push(0xe4);
        assert_eq!(name(&bytes, Some("utf-8")), "UTF-8");
    }

    #[test]
    fn a_false_utf8_declaration_is_guessed_away() {
        let bytes =
            b"<meta charset=utf-8><p>caf\xe9 d\xe9j\xe0 vu, l'\xe9t\xe9 \xe0 No\xebl, o\xf9 \xeates-vous";
        assert_eq!(name(bytes, None), "windows-1252");
    }

    #[test]
    fn binary_files_are_named() {
        let error = decode(b"%PDF-1.7 ...", None).unwrap_err();
        assert_eq!(error.to_string(), "not an HTML page: the bytes are a PDF document");
        assert!(matches!(decode(&[0u8; 5000], None), Err(PageProblem::NotHtml(_))));
        assert_eq!(decode(b"", None).unwrap_err(), PageProblem::Empty);
    }
}
