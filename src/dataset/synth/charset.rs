//! The encoding of a site's pages and what the pages say about it, which is not always the same.

use encoding_rs::Encoding;
use rand::RngExt as _;

use super::speech::pick;
use crate::rng::Rng;

/// How text becomes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charset {
    Utf8,
    /// UTF-8 behind a byte order mark.
    Utf8Marked,
    /// UTF-16, little endian, behind a byte order mark.
    Utf16Le,
    /// UTF-16, big endian, behind a byte order mark.
    Utf16Be,
    /// An encoding of the WHATWG standard, by its label.
    Legacy(&'static str),
}

/// A site's encoding with the name that its pages declare, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Declared {
    pub charset: Charset,
    /// The name in `<meta>`.
    pub name: Option<&'static str>,
    /// Whether the declaration is missing or another encoding's.
    pub misdeclared: bool,
}

impl Charset {
    /// The name that an honest page declares.
    pub fn name(self) -> &'static str {
        match self {
            Charset::Utf8 | Charset::Utf8Marked => "utf-8",
            Charset::Utf16Le | Charset::Utf16Be => "utf-16",
            Charset::Legacy(label) => label,
        }
    }

    /// The bytes of `text`; what a legacy encoding lacks becomes a numeric character reference.
    pub fn encode(self, text: &str) -> Vec<u8> {
        match self {
            Charset::Utf8 => text.as_bytes().to_vec(),
            Charset::Utf8Marked => [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            Charset::Utf16Le => {
                "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
            }
            Charset::Utf16Be => {
                "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect()
            }
            Charset::Legacy(label) => {
                let encoding =
                    Encoding::for_label(label.as_bytes()).expect("the generator's labels are known");
                encoding.encode(text).0.into_owned()
            }
        }
    }
}

/// A site's encoding by its language, misdeclared with probability `misdeclared_share`.
pub(super) fn draw(rng: &mut Rng, language: &str, misdeclared_share: f64) -> Declared {
    use Charset::{Legacy, Utf8, Utf8Marked, Utf16Be, Utf16Le};
    let charset = match language {
        "ru" => pick(rng, &[Legacy("windows-1251"), Legacy("windows-1251"), Utf8]),
        "el" => pick(rng, &[Legacy("windows-1253"), Legacy("iso-8859-7"), Utf8]),
        "ja" => pick(rng, &[Legacy("shift_jis"), Legacy("shift_jis"), Utf8]),
        _ => match rng.random_range(0..100) {
            0..45 => Utf8,
            45..50 => Utf8Marked,
            50..80 => Legacy("iso-8859-1"),
            80..96 => Legacy("windows-1252"),
            96..98 => Utf16Le,
            _ => Utf16Be,
        },
    };
    let misdeclared = rng.random_bool(misdeclared_share);
    let absent = rng.random_bool(0.4);
    let name = match charset {
        _ if !misdeclared => Some(charset.name()),
        // Bytes that are strict UTF-8, or carry a mark, can be read whatever the page says.
        Utf8 | Utf8Marked | Utf16Le | Utf16Be if !absent => Some("iso-8859-1"),
        _ => None,
    };
    Declared { charset, name, misdeclared }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_round_trips() {
        let cases = [
            (Charset::Utf8, "Zürich – Привет – 日本"),
            (Charset::Utf8Marked, "Zürich – Привет – 日本"),
            (Charset::Utf16Le, "Zürich – Привет – 日本 😀"),
            (Charset::Utf16Be, "Zürich – Привет – 日本 😀"),
            (Charset::Legacy("iso-8859-1"), "Zürich “übel”"),
            (Charset::Legacy("windows-1252"), "Zürich “übel”"),
            (Charset::Legacy("windows-1251"), "Привет, мир"),
            (Charset::Legacy("windows-1253"), "Ήλιος"),
            (Charset::Legacy("iso-8859-7"), "Ήλιος"),
            (Charset::Legacy("shift_jis"), "日本のニュース"),
        ];
        for (charset, text) in cases {
            let bytes = charset.encode(text);
            let encoding = Encoding::for_label(charset.name().as_bytes()).unwrap();
            let (decoded, _, had_errors) = encoding.decode(&bytes);
            assert_eq!((decoded.as_ref(), had_errors), (text, false), "{charset:?}");
        }
    }

    #[test]
    fn what_an_encoding_lacks_becomes_a_character_reference() {
        assert_eq!(Charset::Legacy("windows-1251").encode("é"), b"&#233;");
    }
}
