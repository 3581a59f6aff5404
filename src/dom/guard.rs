//! Bounds on hostile pages: nesting depth, number of nodes, attributes of one tag.
//!
//! The WHATWG algorithms are quadratic in the depth of the open elements and html5ever's tokenizer in the
//! attributes of one tag. Browsers bound both (Chromium's tree depth limit is 512); so do we.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use html5ever::LocalName;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use memchr::{memchr, memchr3, memmem};

use super::sink::{MAX_ATTRIBUTES, Sink};
use super::tag::Tag;

/// The deepest level at which elements are still nested; deeper ones are flattened into it, as browsers do.
pub(super) const MAX_DEPTH: u32 = 512;

/// Stands between tokenizer and tree builder and drops the tokens that would pass a bound.
pub(super) struct Guard {
    pub(super) builder: TreeBuilder<u32, Sink>,
    max_nodes: usize,
    /// Start tags dropped and not yet closed, by name, so that their end tags are dropped with them.
    dropped: RefCell<HashMap<LocalName, u64>>,
    pub(super) flattened: Cell<bool>,
    pub(super) overflowed: Cell<bool>,
}

impl Guard {
    pub(super) fn new(builder: TreeBuilder<u32, Sink>, max_nodes: usize) -> Self {
        Guard {
            builder,
            max_nodes,
            dropped: RefCell::default(),
            flattened: Cell::new(false),
            overflowed: Cell::new(false),
        }
    }

    /// Whether the tag would nest too deeply, or closes one that was dropped for that.
    fn drops(&self, tag: &html5ever::tokenizer::Tag) -> bool {
        match tag.kind {
            TagKind::StartTag => {
                if self.builder.sink.last_depth.get() < MAX_DEPTH {
                    return false;
                }
                let name = Tag::from_name(&tag.name);
                if tag.self_closing || name.is_void() {
                    return false;
                }
                // Raw text must stay raw: dropping `<script>` would turn its code into text.
                if matches!(name, Tag::SCRIPT | Tag::STYLE | Tag::TITLE | Tag::TEXTAREA) {
                    return false;
                }
                *self.dropped.borrow_mut().entry(tag.name.clone()).or_default() += 1;
                self.flattened.set(true);
                true
            }
            TagKind::EndTag => {
                if !self.flattened.get() {
                    return false;
                }
                let mut dropped = self.dropped.borrow_mut();
                match dropped.get_mut(&tag.name) {
                    Some(open) if *open > 0 => {
                        *open -= 1;
                        true
                    }
                    _ => {
                        // The element that closes now is shallower than what was appended last.
                        let depth = &self.builder.sink.last_depth;
                        depth.set(depth.get().saturating_sub(1));
                        false
                    }
                }
            }
        }
    }
}

impl TokenSink for Guard {
    type Handle = u32;

    #[inline]
    fn process_token(&self, token: Token, line_number: u64) -> TokenSinkResult<u32> {
        if self.overflowed.get() && !matches!(token, Token::EOFToken) {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token
            && self.drops(tag)
        {
            return TokenSinkResult::Continue;
        }
        let result = self.builder.process_token(token, line_number);
        if self.builder.sink.len() > self.max_nodes {
            self.overflowed.set(true);
        }
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Cuts the attributes of a tag after the first [`MAX_ATTRIBUTES`]; borrowed where there is nothing to cut.
pub(crate) fn limit_attributes(html: &str) -> Cow<'_, str> {
    /// A shorter tag cannot hold too many attributes (each takes two bytes at least).
    const MIN_BYTES: usize = 2 * MAX_ATTRIBUTES;
    let bytes = html.as_bytes();
    let mut cut = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr(b'<', &bytes[at..]) {
        let start = at + found;
        let rest = &bytes[start + 1..];
        at = start + 1;
        if rest.starts_with(b"!--") {
            at += memmem::find(rest, b"-->").unwrap_or(rest.len());
            continue;
        }
        if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let end = tag_end(bytes, start);
        if end - start > MIN_BYTES
            && let Some(keep) = nth_attribute(&bytes[start..end], MAX_ATTRIBUTES)
        {
            cut.push_str(&html[copied..start + keep]);
            copied = end;
        }
        at = end;
        for raw in ["script", "style"] {
            if rest.get(..raw.len()).is_some_and(|name| name.eq_ignore_ascii_case(raw.as_bytes())) {
                at = skip_raw_text(bytes, end, raw);
            }
        }
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    cut.push_str(&html[copied..]);
    Cow::Owned(cut)
}

/// The position of the `>` that ends the tag at `start`, quoted values skipped; the end of input if none does.
fn tag_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(found) = memchr3(b'>', b'"', b'\'', &bytes[at..]) {
        let position = at + found;
        if bytes[position] == b'>' {
            return position;
        }
        // A quote opens a value only after an equals sign.
        let before = bytes[start..position].iter().rev().find(|b| !b.is_ascii_whitespace());
        at = position + 1;
        if before == Some(&b'=') {
            match memchr(bytes[position], &bytes[at..]) {
                Some(close) => at += close + 1,
                None => return bytes.len(),
            }
        }
    }
    bytes.len()
}

/// The offset of the `n`-th attribute of a tag, if it has more than `n`; always at an ASCII blank.
fn nth_attribute(tag: &[u8], n: usize) -> Option<usize> {
    let is_separator = |byte: u8| byte.is_ascii_whitespace() || byte == b'/';
    let mut seen = 0;
    let mut quote = None;
    let mut previous = b'<';
    for (offset, &byte) in tag.iter().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if (byte == b'"' || byte == b'\'') && previous == b'=' => quote = Some(byte),
            None if !is_separator(byte) || is_separator(previous) => {}
            None => {
                seen += 1;
                if seen > n {
                    return Some(offset);
                }
            }
        }
        previous = byte;
    }
    None
}

/// The position after the end tag that closes the raw text from `from` on.
fn skip_raw_text(bytes: &[u8], from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(found) = memmem::find(&bytes[at..], b"</") {
        at += found + 2;
        if bytes[at..].get(..name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes())) {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_page_is_not_copied() {
        let html = "<p class='a b' id=x>a < b</p><!-- <p \" --><script>if (a<b && c=='\"') {}</script><p>z";
        assert!(matches!(limit_attributes(html), Cow::Borrowed(_)));
    }

    #[test]
    fn attributes_past_the_limit_are_cut_and_the_text_stays() {
        let many: String = (0..MAX_ATTRIBUTES + 50).map(|i| format!(" a{i}=\"> {i}\"")).collect();
        let html = format!("<p>before</p><div{many}>inside</div>");
        let cut = limit_attributes(&html);
        assert!(cut.len() < html.len());
        assert!(cut.ends_with(">inside</div>"));
        assert!(cut.contains("a1022=") && !cut.contains("a1030="));
    }

    #[test]
    fn code_that_looks_like_a_tag_is_left_alone() {
        let code = "x y ".repeat(MAX_ATTRIBUTES);
        let html = format!("<script>if (a<b) {{ {code} }}</script><p>text</p>");
        assert!(matches!(limit_attributes(&html), Cow::Borrowed(_)));
    }
}
