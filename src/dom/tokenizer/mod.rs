//! A tokenizer for whole pages (WHATWG HTML, section 13.2.5), in front of html5ever's tree builder.
//!
//! html5ever's own tokenizer takes a page in pieces as they come from a network, character by character; that is
//! two thirds of a parse. Here the page is one string: each construct is found by byte searches, and its text is
//! handed on as a shared part of the page, not copied. The tokens are html5ever's, also where that differs from
//! the standard: byte order marks are dropped after a `<script>` or a `<meta charset>` too, and an empty CDATA
//! section is an empty text. Parse errors are not reported.

mod declarations;
mod names;
mod raw_text;
#[cfg(any(test, feature = "internals"))]
pub mod reference;
mod references;
mod tags;
#[cfg(test)]
mod tests;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use memchr::{memchr, memchr2};

use names::Names;

/// Attributes read of one tag: the first of them.
pub(crate) const MAX_ATTRIBUTES: usize = 1024;

/// Gives the tokens of a page to `sink`, the end of the page included, in time linear in the page.
///
/// Attributes beyond 1,024 of one tag are left out; the result says whether any was.
///
/// # Panics
/// If the page has 4 GiB or more, since tendrils count bytes in 32 bits.
pub(crate) fn tokenize<S: TokenSink>(html: &str, sink: &S) -> bool {
    let page = normalize_newlines(html);
    let mut tokenizer = Tokenizer {
        page: &page,
        bytes: page.as_bytes(),
        sink,
        at: 0,
        names: Names::new(),
        buffer: String::new(),
        cut_attributes: false,
    };
    tokenizer.run();
    tokenizer.give(Token::EOFToken);
    sink.end();
    tokenizer.cut_attributes
}

/// The page with `\r\n` and `\r` as `\n` (section 13.2.3.5).
fn normalize_newlines(html: &str) -> StrTendril {
    let Some(first) = memchr(b'\r', html.as_bytes()) else { return StrTendril::from_slice(html) };
    let mut page = StrTendril::with_capacity(html.len() as u32);
    let (mut rest, mut next) = (html, Some(first));
    while let Some(at) = next {
        page.push_slice(&rest[..at]);
        page.push_char('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
        next = memchr(b'\r', rest.as_bytes());
    }
    page.push_slice(rest);
    page
}

struct Tokenizer<'a, S> {
    page: &'a StrTendril,
    /// The bytes of `page`.
    bytes: &'a [u8],
    sink: &'a S,
    /// The position of the next byte to be read.
    at: usize,
    names: Names,
    /// Text that differs from the page's, while it is put together; empty between tokens.
    buffer: String,
    cut_attributes: bool,
}

/// What U+0000 becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nul {
    /// A token of its own: the tree builder decides.
    Token,
    /// U+FFFD.
    Replaced,
}

impl<S: TokenSink> Tokenizer<'_, S> {
    /// The data state, with the states of markup as calls.
    fn run(&mut self) {
        self.skip_byte_order_mark();
        loop {
            let end = self.next_markup();
            self.text(end, true, Nul::Token);
            // What `next_markup` found has a byte after `<`, and one more after `</`.
            match self.bytes.get(end + 1) {
                None => return,
                Some(b'!') => self.declaration(end + 2),
                Some(b'?') => self.bogus_comment(end + 1),
                Some(b'/') => match self.bytes[end + 2] {
                    b'>' => self.at = end + 3,
                    first if first.is_ascii_alphabetic() => self.tag(TagKind::EndTag, end + 2),
                    _ => self.bogus_comment(end + 2),
                },
                Some(_) => self.tag(TagKind::StartTag, end + 1),
            }
        }
    }

    /// The position of the next `<` that begins more than text, or the end of the page.
    fn next_markup(&self) -> usize {
        let mut at = self.at;
        while let Some(found) = memchr(b'<', &self.bytes[at..]) {
            at += found;
            match self.bytes.get(at + 1) {
                Some(b'!' | b'?') => return at,
                Some(b'/') if at + 2 < self.bytes.len() => return at,
                Some(next) if next.is_ascii_alphabetic() => return at,
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    /// Reads the tag whose name starts at `start`, and the raw text that the sink says follows.
    fn tag(&mut self, kind: TagKind, start: usize) {
        let (mut kind, mut start) = (kind, start);
        loop {
            // A tag that the page's end cuts off is no tag, and no text either.
            self.at = self.bytes.len();
            let Some(end) = self.tag_name_end(start) else { return };
            let Some(tag) = self.read_tag(kind, start..end) else { return };
            match self.sink.process_token(tag, 1) {
                TokenSinkResult::Continue => return,
                TokenSinkResult::Script(_) | TokenSinkResult::EncodingIndicator(_) => {
                    // Here html5ever returns to its caller, and looks for a mark whenever it is called.
                    self.skip_byte_order_mark();
                    return;
                }
                TokenSinkResult::Plaintext => {
                    self.text(self.bytes.len(), false, Nul::Replaced);
                    return;
                }
                TokenSinkResult::RawData(raw) => {
                    let text_end = raw_text::end(raw, self.bytes, self.at, &self.page[start..end]);
                    self.text(text_end, raw == RawKind::Rcdata, Nul::Replaced);
                    if text_end == self.bytes.len() {
                        return;
                    }
                    (kind, start) = (TagKind::EndTag, text_end + "</".len());
                }
            }
        }
    }

    /// Gives the text up to `end`, with its character references decoded if they are read there.
    fn text(&mut self, end: usize, references: bool, nul: Nul) {
        // What lies before `start` is in the buffer or given already.
        let mut start = self.at;
        let mut at = start;
        self.at = end;
        while let Some(found) = special(&self.bytes[at..end], references) {
            let position = at + found;
            at = position + 1;
            if self.bytes[position] == b'&' {
                let Some((reference, length)) = references::decode(&self.page[at..end], false) else {
                    continue;
                };
                self.buffer.push_str(&self.page[start..position]);
                self.buffer.extend(reference);
                at += length;
            } else if nul == Nul::Replaced {
                self.buffer.push_str(&self.page[start..position]);
                self.buffer.push(char::REPLACEMENT_CHARACTER);
            } else {
                self.give_text(start, position);
                self.give(Token::NullCharacterToken);
            }
            start = at;
        }
        self.give_text(start, end);
    }

    /// Gives the buffer and the text of a range as one token, if there is any.
    fn give_text(&mut self, start: usize, end: usize) {
        if start < end || !self.buffer.is_empty() {
            let text = self.take(start, end);
            self.give(Token::CharacterTokens(text));
        }
    }

    /// The buffer, which is then empty, and the text of a range after it.
    fn take(&mut self, start: usize, end: usize) -> StrTendril {
        if self.buffer.is_empty() {
            return self.page.subtendril(start as u32, (end - start) as u32);
        }
        self.buffer.push_str(&self.page[start..end]);
        let text = StrTendril::from_slice(&self.buffer);
        self.buffer.clear();
        text
    }

    /// The text of a range with U+FFFD for U+0000.
    fn without_nul(&mut self, start: usize, end: usize) -> StrTendril {
        if memchr(0, &self.bytes[start..end]).is_none() {
            return self.take(start, end);
        }
        StrTendril::from(self.page[start..end].replace('\0', "\u{fffd}"))
    }

    /// Gives a token whose result cannot matter: only tags change the tokenizer's state.
    fn give(&self, token: Token) {
        let _ = self.sink.process_token(token, 1);
    }

    fn skip_byte_order_mark(&mut self) {
        if self.page[self.at..].starts_with('\u{feff}') {
            self.at += '\u{feff}'.len_utf8();
        }
    }
}

/// The first byte that is more than text: U+0000, and `&` where character references are read.
fn special(text: &[u8], references: bool) -> Option<usize> {
    if references { memchr2(b'&', 0, text) } else { memchr(0, text) }
}

/// ASCII white space as markup has it; carriage returns are gone by then.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b' ')
}
