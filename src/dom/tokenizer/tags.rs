//! Tags and their attributes (sections 13.2.5.8 and 13.2.5.32 to 13.2.5.40).

use std::collections::HashSet;
use std::ops::Range;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::memchr;

use super::{MAX_ATTRIBUTES, Tokenizer, is_space, references, special};

impl<S: TokenSink> Tokenizer<'_, S> {
    /// The tag whose name is the range and the reading position after it; `None` if the page ends within.
    pub(super) fn read_tag(&mut self, kind: TagKind, name: Range<usize>) -> Option<Token> {
        let mut attributes = Attributes::default();
        let mut self_closing = false;
        let mut at = name.end;
        loop {
            match *self.bytes.get(at)? {
                b'>' => break,
                b'/' => self_closing = self.bytes.get(at + 1) == Some(&b'>'),
                byte if is_space(byte) => {}
                _ => {
                    at = self.attribute(&mut attributes, at)?;
                    continue;
                }
            }
            at += 1;
        }
        self.at = at + 1;
        Some(Token::TagToken(Tag {
            kind,
            name: self.names.get(&self.page[name]),
            self_closing,
            attrs: attributes.kept,
            had_duplicate_attributes: attributes.duplicate,
        }))
    }

    /// Where the name ends that starts at `start`; `None` if the page does.
    pub(super) fn tag_name_end(&self, start: usize) -> Option<usize> {
        self.position(start, |byte| is_space(byte) || byte == b'/' || byte == b'>')
    }

    /// Reads the attribute that starts at `start`, and keeps it unless there is one of that name; the position
    /// after it.
    fn attribute(&mut self, attributes: &mut Attributes, start: usize) -> Option<usize> {
        // An equals sign that comes first is part of the name.
        let name_end =
            self.position(start + 1, |byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='))?;
        let mut at = self.position(name_end, |byte| !is_space(byte))?;
        let mut value = at..at;
        if self.bytes[at] == b'=' {
            at = self.position(at + 1, |byte| !is_space(byte))?;
            (value, at) = match self.bytes[at] {
                quote @ (b'"' | b'\'') => {
                    let end = at + 1 + memchr(quote, &self.bytes[at + 1..])?;
                    (at + 1..end, end + 1)
                }
                _ => {
                    let end = self.position(at, |byte| is_space(byte) || byte == b'>')?;
                    (at..end, end)
                }
            };
        }
        attributes.seen += 1;
        if attributes.seen > MAX_ATTRIBUTES {
            self.cut_attributes = true;
            return Some(at);
        }
        let local = self.names.get(&self.page[start..name_end]);
        if attributes.have(&local) {
            attributes.duplicate = true;
        } else {
            // The tree builder adjusts the namespace where it must.
            let name = QualName::new(None, ns!(), local);
            attributes.kept.push(Attribute { name, value: self.value(value.start, value.end) });
        }
        Some(at)
    }

    /// The value of an attribute: its text with character references decoded.
    fn value(&mut self, start: usize, end: usize) -> StrTendril {
        let mut start = start;
        let mut at = start;
        while let Some(found) = special(&self.bytes[at..end], true) {
            let position = at + found;
            at = position + 1;
            if self.bytes[position] == b'&' {
                let Some((reference, length)) = references::decode(&self.page[at..end], true) else {
                    continue;
                };
                self.buffer.push_str(&self.page[start..position]);
                self.buffer.extend(reference);
                at += length;
            } else {
                self.buffer.push_str(&self.page[start..position]);
                self.buffer.push(char::REPLACEMENT_CHARACTER);
            }
            start = at;
        }
        self.take(start, end)
    }

    /// The first position from `from` on whose byte is wanted.
    pub(super) fn position(&self, from: usize, wanted: impl Fn(u8) -> bool) -> Option<usize> {
        self.bytes.get(from..)?.iter().position(|&byte| wanted(byte)).map(|offset| from + offset)
    }
}

/// The attributes of the tag that is read.
#[derive(Default)]
struct Attributes {
    kept: Vec<Attribute>,
    /// The names of the attributes kept, once they are many.
    names: Option<HashSet<LocalName>>,
    seen: usize,
    duplicate: bool,
}

impl Attributes {
    /// Whether an attribute of that name is kept, which otherwise is to be kept now.
    fn have(&mut self, local: &LocalName) -> bool {
        /// Up to this number, to compare with each is faster.
        const FEW: usize = 32;
        if self.kept.len() < FEW {
            return self.kept.iter().any(|known| known.name.local == *local);
        }
        let names = self
            .names
            .get_or_insert_with(|| self.kept.iter().map(|known| known.name.local.clone()).collect());
        !names.insert(local.clone())
    }
}
