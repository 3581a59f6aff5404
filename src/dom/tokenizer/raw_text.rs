//! Where raw text ends: RCDATA, RAWTEXT and script data (sections 13.2.5.2 to 13.2.5.4, 13.2.5.9 to 13.2.5.31).
//!
//! All of these states give every character as text, but for U+0000 and references; so it is enough to find the
//! end tag, and in scripts that means to follow the escapes by `<!--` and `<script`.

use html5ever::tokenizer::states::RawKind;
use memchr::{memchr, memchr2};

use super::is_space;

/// The position of the end tag that closes the raw text of element `name` from `from` on, or the end of the page.
pub(super) fn end(kind: RawKind, bytes: &[u8], from: usize, name: &str) -> usize {
    match kind {
        RawKind::Rcdata | RawKind::Rawtext => text_end(bytes, from, name),
        RawKind::ScriptData | RawKind::ScriptDataEscaped(_) => script_end(bytes, from, name),
    }
}

fn text_end(bytes: &[u8], from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(found) = memchr(b'<', &bytes[at..]) {
        at += found;
        if closes(bytes, at, name) {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// How a script is escaped: in `<!--` it goes on to the end tag, in a `<script>` within that beyond it.
enum Escape {
    No,
    Single,
    Double,
}

fn script_end(bytes: &[u8], from: usize, name: &str) -> usize {
    let mut escape = Escape::No;
    let mut at = from;
    while let Some(found) = match escape {
        Escape::No => memchr(b'<', &bytes[at..]),
        Escape::Single | Escape::Double => memchr2(b'<', b'-', &bytes[at..]),
    } {
        at += found;
        let rest = &bytes[at..];
        if rest[0] == b'-' {
            if rest.starts_with(b"-->") {
                escape = Escape::No;
            }
            at += 1;
            continue;
        }
        match escape {
            Escape::No | Escape::Single if closes(bytes, at, name) => return at,
            Escape::No if rest.starts_with(b"<!--") => {
                escape = Escape::Single;
                // The dashes are read again: those of `<!-->` close what they open.
                at += 1;
            }
            Escape::Single if is_tag_of(rest, b"<", "script") => escape = Escape::Double,
            Escape::Double if is_tag_of(rest, b"</", "script") => escape = Escape::Single,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Whether the end tag of element `name` stands at a position.
fn closes(bytes: &[u8], at: usize, name: &str) -> bool {
    is_tag_of(&bytes[at..], b"</", name)
}

/// Whether a tag of that name stands at the beginning: the opener, the name in any case, the end of a name.
fn is_tag_of(rest: &[u8], opener: &[u8], name: &str) -> bool {
    let Some(rest) = rest.strip_prefix(opener) else { return false };
    rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        && rest.get(name.len()).is_some_and(|&byte| is_space(byte) || byte == b'/' || byte == b'>')
}
