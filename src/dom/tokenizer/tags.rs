//! Tags and their attributes (sections 13.2.5.8 and 13.2.5.32 to 13.2.5.40).

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, TokenSink};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::memchr;

use super::{Tokenizer, is_space, references, special};

impl<S: TokenSink> Tokenizer<'_, S> {
    /// The tag whose name starts at `start`, and the reading position after it; `None` if the page ends within.
    pub(super) fn read_tag(&mut self, kind: TagKind, start: usize) -> Option<Tag> {
        let end = self.position(start, |byte| is_space(byte) || byte == b'/' || byte == b'>')?;
        let name = self.names.get(&self.page[start..end]);
        let mut tag =
            Tag { kind, name, self_closing: false, attrs: Vec::new(), had_duplicate_attributes: false };
        let mut seen = 0;
        let mut at = end;
        loop {
            match *self.bytes.get(at)? {
                b'>' => break,
                b'/' => tag.self_closing = self.bytes.get(at + 1) == Some(&b'>'),
                byte if is_space(byte) => {}
                _ => {
                    seen += 1;
                    at = self.attribute(&mut tag, at, seen <= self.max_attributes)?;
                    continue;
                }
            }
            at += 1;
        }
        self.at = at + 1;
        Some(tag)
    }

    /// Reads the attribute that starts at `start` into the tag, unless it has one of that name; the position
    /// after it.
    fn attribute(&mut self, tag: &mut Tag, start: usize, keep: bool) -> Option<usize> {
        // An equals sign that comes first is part of the name.
        let name_end =
            self.position(start + 1, |byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='))?;
        let mut at = self.position(name_end, |byte| !is_space(byte))?;
        let mut value = at..at;
        if self.bytes[at] == b'=' {
            at = self.position(at + 1, |byte| !is_space(byte))?;
            value = match self.bytes[at] {
                quote @ (b'"' | b'\'') => {
                    let length = memchr(quote, &self.bytes[at + 1..])?;
                    at + 1..at + 1 + length
                }
                _ => at..self.position(at, |byte| is_space(byte) || byte == b'>')?,
            };
            at = value.end + usize::from(value.start > at);
        }
        if !keep {
            self.cut_attributes = true;
            return Some(at);
        }
        let local = self.names.get(&self.page[start..name_end]);
        if tag.attrs.iter().any(|known| known.name.local == local) {
            tag.had_duplicate_attributes = true;
        } else {
            tag.attrs.push(Attribute { name: qualified(local), value: self.value(value.start, value.end) });
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

/// An attribute's name without namespace, which the tree builder adjusts where it must.
fn qualified(local: LocalName) -> QualName {
    QualName::new(None, ns!(), local)
}
