//! Bytes to a frozen [`Dom`]: size limit, decoding, the unclosed-`<title>` fallback, html5ever without scripting.

use std::borrow::Cow;

use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use memchr::{memchr, memmem};

use super::arena::Dom;
use super::guard::Guard;
use super::sink::Sink;
use super::tokenizer::tokenize;
use super::{encoding, tag};
use crate::error::PageProblem;

/// The largest page once it is UTF-8: its bytes are counted in 32 bits, here and in html5ever. As character
/// references may stand for more than they take, there is room to spare.
const MAX_TEXT: usize = u32::MAX as usize / 2;

/// Bounds on one page, so that time and memory stay bounded whatever the page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest page in bytes, before decoding. Default 32 MiB; beyond 2 GiB of UTF-8 no page is parsed.
    pub max_bytes: usize,
    /// Most nodes that parsing may make. Default 1,000,000.
    pub max_nodes: usize,
    /// Most seconds that all the work on a page may take, of whoever asks for all of it at once ([`extract_with`](crate::extract_with)).
    /// Default none: then no result depends on the clock.
    pub max_seconds: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_bytes: 32 << 20, max_nodes: 1_000_000, max_seconds: None }
    }
}

impl Dom {
    /// Parses a page as the WHATWG standard says, with scripting off (so that `<noscript>` is parsed).
    ///
    /// `http_charset` is the charset of the HTTP header, if there was one. Elements deeper than 512 levels are
    /// flattened and attributes beyond 1,024 of one tag dropped, as [`Dom::notes`] then says.
    ///
    /// # Errors
    /// [`PageProblem::TooLarge`] past a limit, [`PageProblem::NotHtml`] for binary files, [`PageProblem::Empty`]
    /// for no bytes at all.
    ///
    /// # Cost
    /// Linear in the bytes for ordinary pages, some 3 to 8 ms a megabyte; never more than about 2 s within the
    /// default limits.
    ///
    /// # Examples
    /// ```
    /// use duramen::{Dom, Limits, Tag};
    /// let dom = Dom::parse(b"<p>Caf\xe9", Some("iso-8859-1"), &Limits::default())?;
    /// let p = dom.ids().find(|&id| dom.tag(id) == Tag::P).unwrap();
    /// assert_eq!(dom.text_content(p), "Café");
    /// # Ok::<(), duramen::PageProblem>(())
    /// ```
    pub fn parse(bytes: &[u8], http_charset: Option<&str>, limits: &Limits) -> Result<Dom, PageProblem> {
        if bytes.len() > limits.max_bytes {
            return Err(PageProblem::TooLarge {
                what: "the size in bytes",
                found: bytes.len() as u64,
                limit: limits.max_bytes as u64,
            });
        }
        let (html, encoding) = encoding::decode(bytes, http_charset)?;
        if html.len() > MAX_TEXT {
            return Err(PageProblem::TooLarge {
                what: "the size in bytes of its text",
                found: html.len() as u64,
                limit: MAX_TEXT as u64,
            });
        }
        let mut notes = Vec::new();
        let closed = close_title(&html);
        if matches!(closed, Cow::Owned(_)) {
            notes.push("<title> was never closed; closed at the next tag");
        }
        let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        let guard = Guard::new(TreeBuilder::new(Sink::new(html.len()), options), limits.max_nodes);
        if tokenize(&closed, &guard) {
            notes.push("attributes beyond 1024 of one tag were dropped");
        }
        if guard.overflowed.get() {
            return Err(PageProblem::TooLarge {
                what: "the number of nodes",
                found: guard.builder.sink.len() as u64,
                limit: limits.max_nodes as u64,
            });
        }
        if guard.flattened.get() {
            notes.push("elements nested deeper than 512 levels were flattened");
        }
        Ok(guard.builder.sink.freeze(encoding, notes))
    }
}

/// Closes a `<title>` that the page never closes: a conforming parser would take the whole page for the title.
fn close_title(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let Some(open) = find_tag(bytes, b"<title") else { return Cow::Borrowed(html) };
    if find_tag(&bytes[open..], b"</title").is_some() {
        return Cow::Borrowed(html);
    }
    let text = open + memchr(b'>', &bytes[open..]).map_or(bytes.len() - open, |end| end + 1);
    let end = text + memchr(b'<', &bytes[text..]).unwrap_or(bytes.len() - text);
    Cow::Owned(format!("{}</{}>{}", &html[..end], tag::Tag::TITLE, &html[end..]))
}

/// The position of the first tag that starts with `name` (`<title`, `</title`), whatever its case.
fn find_tag(bytes: &[u8], name: &[u8]) -> Option<usize> {
    let opener: &[u8] = if name[1] == b'/' { b"</" } else { b"<" };
    memmem::find_iter(bytes, opener).find(|&at| {
        let tag = &bytes[at..];
        tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            && tag.get(name.len()).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Tag;

    fn parse(html: &str) -> Dom {
        Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap()
    }

    #[test]
    fn an_unclosed_title_does_not_swallow_the_page() {
        let dom = parse("<head><TITLE>A title <meta name=x><body><p>text");
        let title = dom.ids().find(|&id| dom.tag(id) == Tag::TITLE).unwrap();
        assert_eq!(dom.text_content(title), "A title ");
        assert!(dom.ids().any(|id| dom.tag(id) == Tag::P));
        assert_eq!(dom.notes().len(), 1);
        assert!(parse("<title>a</title><svg><title>b</svg><p>c").notes().is_empty());
    }

    #[test]
    fn noscript_is_parsed() {
        let dom = parse("<body><noscript><p>shown without scripts</p></noscript>");
        assert!(dom.ids().any(|id| dom.tag(id) == Tag::P));
    }
}
