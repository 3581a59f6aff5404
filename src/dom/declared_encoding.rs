//! The encoding that a page declares in its markup.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

/// How far into a page a `<meta>` declaration is looked for; the standard says 1,024 bytes, old pages need more.
const META_SCAN: usize = 16 * 1024;

/// What a page declares: by the standard's prescan, else by any `<meta` or XML declaration that names an encoding, such as one without
/// `http-equiv`.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(META_SCAN)];
    prescan(head).or_else(|| anywhere(head)).map(meant)
}

/// What is meant by a declaration in ASCII, as the standard says: a page whose markup could be read to there cannot be UTF-16.
fn meant(encoding: &'static Encoding) -> &'static Encoding {
    match encoding {
        _ if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        _ if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    }
}

/// WHATWG HTML, section 13.2.3.2, "prescan a byte stream to determine its encoding".
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'<', head.get(at..)?)?;
        let rest = &head[at..];
        let is_letter = |i: usize| rest.get(i).is_some_and(u8::is_ascii_alphabetic);
        let is_meta = rest.len() > 5
            && rest[1..5].eq_ignore_ascii_case(b"meta")
            && (rest[5].is_ascii_whitespace() || rest[5] == b'/');
        if rest.starts_with(b"<!--") {
            // `<!-->` is a whole comment.
            at += 2 + memmem::find(&rest[2..], b"-->")? + 3;
        } else if is_meta {
            let mut attributes = Attributes { bytes: head, at: at + 5 };
            let found = encoding_of_meta(&mut attributes);
            if found.is_some() {
                return found;
            }
            at = attributes.at;
        } else if is_letter(1) || rest.get(1) == Some(&b'/') && is_letter(2) {
            let ends_name = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
            let mut attributes = Attributes { bytes: head, at: at + rest.iter().position(ends_name)? };
            while attributes.next().is_some() {}
            at = attributes.at;
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += memchr::memchr(b'>', rest)?;
        } else {
            at += 1;
        }
    }
}

/// The encoding that a `<meta>` declares.
fn encoding_of_meta(attributes: &mut Attributes<'_>) -> Option<&'static Encoding> {
    let (mut is_pragma, mut needs_pragma) = (false, None);
    let mut label: Option<Vec<u8>> = None;
    let mut seen = Vec::new();
    for (name, value) in attributes {
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => is_pragma = value == b"content-type",
            b"content" if label.is_none() => {
                label = label_in_content(&value).map(<[u8]>::to_vec);
                needs_pragma = label.as_ref().map(|_| true).or(needs_pragma);
            }
            b"charset" => (label, needs_pragma) = (Some(value), Some(false)),
            _ => {}
        }
        seen.push(name);
    }
    let applies = needs_pragma.is_some_and(|needs_pragma| is_pragma || !needs_pragma);
    Encoding::for_label(&label.filter(|_| applies)?)
}

/// The attributes of a tag, as the prescan reads them: names and values in small letters.
struct Attributes<'a> {
    bytes: &'a [u8],
    /// Behind what was read.
    at: usize,
}

impl Attributes<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| !is_skipped(byte)).unwrap_or(rest.len());
    }

    fn take(&mut self, ends: impl Fn(u8) -> bool) -> Vec<u8> {
        let start = self.at;
        self.skip(|byte| !ends(byte));
        self.bytes[start..self.at].to_ascii_lowercase()
    }
}

impl Iterator for Attributes<'_> {
    type Item = (Vec<u8>, Vec<u8>);

    fn next(&mut self) -> Option<Self::Item> {
        let is_blank = |byte: u8| byte.is_ascii_whitespace();
        self.skip(|byte| is_blank(byte) || byte == b'/');
        if self.peek()? == b'>' {
            return None;
        }
        let start = self.at;
        // An equals sign that a name begins with is part of it.
        self.at += 1;
        self.skip(|byte| !(is_blank(byte) || matches!(byte, b'=' | b'/' | b'>')));
        let name = self.bytes[start..self.at].to_ascii_lowercase();
        self.skip(is_blank);
        if self.peek() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip(is_blank);
        let quote = self.peek().filter(|byte| matches!(byte, b'"' | b'\''));
        self.at += usize::from(quote.is_some());
        let ends = |byte| quote.map_or(is_blank(byte) || byte == b'>', |quote| byte == quote);
        let value = self.take(ends);
        // A value that does not end before the bytes do is none.
        self.peek()?;
        self.at += usize::from(quote.is_some());
        Some((name, value))
    }
}

/// The label behind the first `charset =` of a `content` (section 2.4.6, "extracting a character encoding from a meta element").
fn label_in_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        rest = &rest[memmem::find(rest, b"charset")? + b"charset".len()..];
        let value = rest.trim_ascii_start();
        let Some(value) = value.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => {
                let value = &value[1..];
                Some(&value[..memchr::memchr(*quote, value)?])
            }
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
                Some(&value[..value.iter().position(ends).unwrap_or(value.len())])
            }
        };
    }
}

/// What any `<meta`, or an XML declaration at the beginning, says behind `charset` or `encoding`.
fn anywhere(head: &[u8]) -> Option<&'static Encoding> {
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
    in_meta.into_iter().next().or(in_xml.flatten()).and_then(Encoding::for_label)
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

#[cfg(all(test, feature = "datasets"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_is_what_the_tests_of_html5lib_say() {
        let mut wrong = Vec::new();
        for (file, bytes) in crate::dom::tests::files("encoding", ".dat") {
            let mut rest = &bytes[..];
            while let Some(start) = memmem::find(rest, b"#data\n") {
                rest = &rest[start + b"#data\n".len()..];
                let middle = memmem::find(rest, b"\n#encoding\n").unwrap();
                let page = &rest[..middle];
                rest = &rest[middle + b"\n#encoding\n".len()..];
                let label = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
                let bom = Encoding::for_bom(page).map(|(encoding, _)| encoding);
                let head = &page[..page.len().min(META_SCAN)];
                let found = bom.or_else(|| prescan(head).map(meant)).unwrap_or(WINDOWS_1252);
                if Encoding::for_label(label) != Some(found) {
                    let (page, label) = (String::from_utf8_lossy(page), String::from_utf8_lossy(label));
                    wrong.push(format!("{file}, {label}, not {}: {page}", found.name()));
                }
            }
        }
        assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n\n"));
    }
}
