//! Which encoding the bytes are in: BOM, strict UTF-8, what is declared, a bounded guess.

use std::borrow::Cow;

use chardetng::EncodingDetector;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::declared_encoding::declared_encoding;
use super::tag::Tag;
use crate::error::PageProblem;

/// How many bytes the guess may read: guessing on whole pages costs more than parsing them.
const GUESS_SCAN: usize = 16 * 1024;
/// Of fewer bytes that are not ASCII each one tells something.
const FEW_BYTES: usize = 16;
/// How many bytes of a text tell whether it is binary data, as the WHATWG MIME Sniffing Standard has it.
const SNIFF_SCAN: usize = 1445;

/// Decodes a page and names the encoding used.
///
/// In order: byte order mark; UTF-16 by its zero bytes; strict UTF-8, which beats any declaration (in L3S-GN1
/// 119 pages are valid UTF-8 and declare something else); the HTTP header; `<meta>`; a guess over the first
/// 16 KiB that are not ASCII. Undecodable bytes become U+FFFD.
///
/// # Errors
/// [`PageProblem::Empty`] for no bytes; [`PageProblem::NotHtml`] for known binary formats, for bytes that no text
/// encoding explains, and for a control character that the WHATWG calls a binary data byte among the first 1,445 bytes of a
/// text without any tag. With a tag such bytes are part of the page: many real pages hold some.
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
    match binary_data(&text) {
        Some(problem) => Err(PageProblem::NotHtml(problem)),
        None => Ok((text, used)),
    }
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
    let declared = http_charset
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(|| declared_encoding(bytes));
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

fn guess(bytes: &[u8]) -> &'static Encoding {
    // Only bytes beyond ASCII tell encodings apart: start at the first of them.
    let from = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0);
    let end = bytes.len().min(from + GUESS_SCAN);
    let mut detector = EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    // A sample, and many a page, is cut inside a character, which would rule the right encoding out. Of a few bytes the last one may be all
    // that tells.
    let sample = &bytes[from..end];
    let is_short = sample.iter().filter(|b| !b.is_ascii()).count() < FEW_BYTES;
    detector.feed(sample, is_short && end == bytes.len());
    detector.guess(None, chardetng::Utf8Detection::Deny)
}

/// The name of a binary format, by its first bytes. Each begins with bytes that no page begins with.
fn binary_format(bytes: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &str); 18] = [
        (b"%PDF-", "a PDF document"),
        (b"\x89PNG\r\n", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"\0\0\x01\0", "an icon"),
        (b"PK\x03\x04", "a ZIP archive (or an office document)"),
        (b"\x1f\x8b", "gzip data; decompress it first or name the file .gz"),
        (b"\x28\xb5\x2f\xfd", "zstd data; decompress it first"),
        (b"\xfd7zXZ\0", "xz data; decompress it first"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"Rar!\x1a\x07", "a RAR archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document"),
        (b"\x7fELF", "a program"),
        (b"ID3\x03\0", "MP3 sound"),
        (b"OggS\0", "Ogg sound or video"),
        (b"\x1a\x45\xdf\xa3", "a WebM or Matroska video"),
        (b"wOFF\0\x01", "a font"),
        (b"wOF2\0\x01", "a font"),
    ];
    // Of these the length stands before or between.
    match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("a WebP image"),
        [0, 0, 0, _, b'f', b't', b'y', b'p', ..] => Some("an MP4 video, or an image packed as one"),
        _ => known.into_iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, name)| name),
    }
}

/// What tells that a text is none and its bytes are binary data: more than one character in ten of its beginning is a control
/// character that no text holds; or any is, and there is no tag.
fn binary_data(text: &str) -> Option<String> {
    const CHARACTERS: usize = 4096;
    let start = &text.as_bytes()[..text.len().min(CHARACTERS)];
    // Nearly every page: no character of its beginning is one that would count.
    let uncommon = |byte: u8| !matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\x0c' | b'\r');
    // Counted, not searched for: that compiles to vector instructions.
    if start.iter().filter(|&&byte| uncommon(byte)).count() == 0 {
        return None;
    }
    let (control, all) = text.chars().take(CHARACTERS).fold((0usize, 0usize), |(control, all), c| {
        (control + usize::from((c.is_control() && !c.is_whitespace()) || c == '\u{fffd}'), all + 1)
    });
    if control * 10 > all && control > 8 {
        return Some("the bytes are binary data".to_owned());
    }
    let is_binary = |&byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    let control = start.iter().take(SNIFF_SCAN).copied().find(is_binary)?;
    (!has_tag(text)).then(|| {
        format!("the bytes are binary data: the control character U+{control:04X} is among them, and no tag")
    })
}

/// Whether there is a tag of an HTML element, a document type, a comment or an XML declaration anywhere in a text. What only
/// looks like the beginning of a tag, as in any binary data, is none.
fn has_tag(text: &str) -> bool {
    memchr::memchr_iter(b'<', text.as_bytes()).any(|open| {
        let rest = &text.as_bytes()[open + 1..];
        let begins = |with: &str| {
            rest.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
        };
        if ["!doctype", "!--", "?xml"].into_iter().any(begins) {
            return true;
        }
        let rest = rest.strip_prefix(b"/").unwrap_or(rest);
        let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        let is_element = std::str::from_utf8(&name).is_ok_and(|name| Tag::from_name(name) != Tag::OTHER);
        is_element && rest.get(end).is_some_and(|&byte| byte.is_ascii_whitespace() || b"/>".contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(bytes: &[u8], http: Option<&str>) -> &'static str {
        decode(bytes, http).unwrap().1.name()
    }

    #[test]
    fn a_legacy_page_that_declares_nothing_is_told_wherever_it_is_cut() {
        let texts = [
            (
                "windows-1251",
                "В деревне упал старый дуб. Ему было больше четырёхсот лет, и под ним играли дети. ",
            ),
            ("Shift_JIS", "村の古い樫の木が月曜日の夜に倒れました。四百年以上もそこに立っていました。"),
            (
                "EUC-KR",
                "마을의 오래된 참나무가 월요일 밤에 쓰러졌습니다. 사백 년이 넘게 그곳에 서 있었습니다. ",
            ),
            ("GBK", "村里的老橡树在星期一夜里倒下了。它在那里站了四百多年,孩子们常在树下玩耍。"),
            ("Big5", "村裡的老橡樹在星期一夜裡倒下了。它在那裡站了四百多年,孩子們常在樹下玩耍。"),
            (
                "windows-1252",
                "Die alte Eiche fiel am Montag. Die Bäume dürfen größer werden, für die Dörfer ist es schön. ",
            ),
            (
                "ISO-8859-2",
                "Stary dąb wioski upadł w poniedziałek. Stał tam ponad czterysta lat, mówią sąsiedzi żałując go. ",
            ),
        ];
        for (encoding, text) in texts {
            let page = format!("<title>1</title><p>{}</p>", text.repeat(6));
            let known = Encoding::for_label(encoding.as_bytes()).unwrap();
            let (bytes, _, unmappable) = known.encode(&page);
            assert!(!unmappable, "{encoding}");
            for end in 1..=bytes.len() {
                let (read, _) = decode(&bytes[..end], None).unwrap();
                // The last character may be cut.
                let mut whole = read.chars();
                whole.next_back();
                let is_text = page.starts_with(whole.as_str());
                assert!(end < 300 || is_text, "{encoding}, {end}: {read}");
            }
        }
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

    /// Sentences of our own, and the encodings that they are written in.
    const UNDECLARED: [(&str, &[&Encoding]); 8] = [
        (
            "昨天晚上，市图书馆举行了一场关于老街历史的讲座，许多居民都来参加。\
             主讲人说，这条街上最早的店铺已经有两百多年的历史了。",
            &[encoding_rs::GBK, encoding_rs::GB18030],
        ),
        (
            "昨天晚上，市立圖書館舉行了一場關於老街歷史的講座，許多居民都來參加。\
             主講人說，這條街上最早的店鋪已經有兩百多年的歷史了。",
            &[encoding_rs::BIG5],
        ),
        (
            "昨日の夜、市立図書館で古い通りの歴史についての講演会が開かれ、多くの住民が参加しました。\
             この通りのカフェは、二百年以上前からあるそうです。",
            &[encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP],
        ),
        (
            "어제 저녁 시립 도서관에서 옛 거리의 역사에 관한 강연이 열렸고, 많은 주민들이 참석했습니다. \
             이 거리의 첫 가게는 이백 년이 넘었다고 합니다. ",
            &[encoding_rs::EUC_KR],
        ),
        (
            "Вчера вечером в городской библиотеке прошла лекция об истории старой улицы, и пришли многие жители. \
             Первой лавке на этой улице больше двухсот лет. ",
            &[encoding_rs::WINDOWS_1251, encoding_rs::KOI8_U],
        ),
        (
            "Χθες το βράδυ στη δημοτική βιβλιοθήκη έγινε μια διάλεξη για την ιστορία του παλιού δρόμου και ήρθαν πολλοί. ",
            &[encoding_rs::WINDOWS_1253],
        ),
        (
            "Wczoraj wieczorem w bibliotece odbył się wykład o dziejach starej ulicy, na który przyszło wielu mieszkańców. \
             Najstarszy sklep przy tej ulicy ma już ponad dwieście lat, mówił późno w nocy ktoś z gości. ",
            &[encoding_rs::WINDOWS_1250],
        ),
        (
            "Hier soir, une conférence sur l'histoire de la vieille rue a été donnée à la bibliothèque. ",
            &[encoding_rs::WINDOWS_1252],
        ),
    ];

    #[test]
    fn an_undeclared_encoding_is_told_wherever_the_sample_is_cut() {
        for (sentences, encodings) in UNDECLARED {
            for encoding in encodings {
                let (sentences, _, unmapped) = encoding.encode(sentences);
                assert!(!unmapped, "{}", encoding.name());
                let text = sentences.repeat(GUESS_SCAN / sentences.len() + 2);
                // Each letter more before the text moves the cut by a byte, over some twelve characters.
                for letters in 0..24 {
                    let padding = "x".repeat(letters);
                    let page = [b"<p>", &sentences[..], padding.as_bytes(), b"<p>", &text].concat();
                    let told = decode(&page, None).unwrap();
                    assert!(told.0 == encoding.decode(&page).0, "{} is {}", encoding.name(), told.1.name());
                }
            }
        }
    }

    fn problem(bytes: &[u8]) -> String {
        decode(bytes, None).unwrap_err().to_string()
    }

    #[test]
    fn binary_files_are_named() {
        assert_eq!(problem(b"%PDF-1.7 ..."), "not an HTML page: the bytes are a PDF document");
        assert_eq!(problem(b"RIFF\x24\0\0\0WEBPVP8 "), "not an HTML page: the bytes are a WebP image");
        assert!(problem(b"\0\0\0\x20ftypisom\0\0\x02\0").contains("an MP4 video"));
        assert!(problem(b"OggS\0\x02\0\0").contains("Ogg"));
        assert!(matches!(decode(&[0u8; 5000], None), Err(PageProblem::NotHtml(_))));
        assert_eq!(decode(b"", None).unwrap_err(), PageProblem::Empty);
        for text in ["RIFF is a word", "GIF is a format", "Rar! 7z, OggS and wOFF", "ID3 has names of songs"]
        {
            assert_eq!(decode(text.as_bytes(), None).unwrap().0, text);
        }
    }

    #[test]
    fn a_control_character_tells_binary_data_where_there_is_no_tag() {
        let told = |number: u8| {
            let control = format!("the control character U+{number:04X} is among them, and no tag");
            format!("not an HTML page: the bytes are binary data: {control}")
        };
        let binary: Vec<u8> = (0..=8).chain([0x0b]).chain(0x0e..=0x1a).chain(0x1c..=0x1f).collect();
        for byte in 0..0x20 {
            let text = [b"Some words of a text, and ", &[byte][..], b" among them."].concat();
            match binary.contains(&byte) {
                true => assert_eq!(problem(&text), told(byte)),
                false => assert!(decode(&text, None).is_ok(), "{byte:#x}"),
            }
            for tag in [
                "<P>",
                "</p>",
                "<br/>",
                "<div\nid=a>",
                "<!DOCTYPE html>",
                "<!-- a -->",
                "<?xml version='1.0'?>",
            ] {
                assert!(decode(&[&text, tag.as_bytes()].concat(), None).is_ok(), "{byte:#x} {tag}");
            }
            for no_tag in ["<", "<pq>", "<p", "a < b", "<\u{e9}>", "<3", "</>", "<x:p>"] {
                let text = [&text, no_tag.as_bytes()].concat();
                assert_eq!(decode(&text, None).is_err(), binary.contains(&byte), "{byte:#x} {no_tag}");
            }
        }
        // As far as the standard looks.
        let padded = |blanks: usize| [&vec![b' '; blanks][..], b"\0 a"].concat();
        assert_eq!(problem(&padded(SNIFF_SCAN - 1)), told(0));
        assert!(decode(&padded(SNIFF_SCAN), None).is_ok());
        // The zero bytes of UTF-16 are no characters.
        let utf16: Vec<u8> = "Some words".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&[b"\xff\xfe", &utf16[..]].concat(), None).unwrap().0, "Some words");
        assert_eq!(decode(&utf16, None).unwrap().0, "Some words");
    }

    #[test]
    fn fifty_random_bytes_are_no_page() {
        let mut state = 1u32;
        let mut bytes = || {
            let mut byte = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            (0..50).map(|_| byte()).collect::<Vec<u8>>()
        };
        let found = (0..1000).filter(|_| decode(&bytes(), None).is_err()).count();
        // Five in a thousand have no control character.
        assert!(found >= 985, "{found} of 1000");
    }
}
