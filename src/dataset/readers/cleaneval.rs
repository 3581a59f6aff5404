//! CleanEval and CleanPortalEval: pages wrapped in a `text` element, golds with a URL line and paragraph markers.

use std::path::Path;

use super::entry::{Content, Entry};
use super::{file, markup};
use crate::dataset::{Gold, TextGold};
use crate::error::Result;

/// The pages under a part's folder.
pub(super) fn scan(root: &Path) -> Result<Vec<Entry>> {
    file::pair(&root.join("input"), &root.join("GoldStandard"), &["txt"])
}

/// The page without its wrapper, the text without its URL line and markers. The URL comes from the wrapper, else
/// from the gold.
pub(super) fn interpret(mut html: Vec<u8>, gold: Option<Vec<u8>>) -> Content {
    let mut url = None;
    if let Some((wrapper, start)) = wrapper(&html) {
        url = markup::value(&wrapper, "id").map(str::to_owned);
        let end = html.trim_ascii_end().strip_suffix(b"</text>").map_or(html.len(), <[u8]>::len);
        html = html[start.min(end)..end].to_vec();
    }
    let Some(gold) = gold else { return Content::new(url, html, Gold::Missing) };
    let (gold_url, text) = parse_gold(&file::decode(&gold));
    Content::new(url.or(gold_url), html, Gold::Text(TextGold { text, ..TextGold::default() }))
}

/// The attributes of the `text` element at the page's very beginning, and where its content begins.
fn wrapper(html: &[u8]) -> Option<(Vec<(String, String)>, usize)> {
    let at = html.len() - html.trim_ascii_start().len();
    let tag = html[at..].strip_prefix(b"<text")?;
    tag.first().filter(|byte| byte.is_ascii_whitespace() || **byte == b'>')?;
    Some(markup::attributes(html, at + "<text".len()))
}

/// The URL and the plain text of a gold.
fn parse_gold(gold: &str) -> (Option<String>, String) {
    let mut body = gold.trim_start();
    let mut url = None;
    if let Some(line) = body.strip_prefix("URL:") {
        let (first, rest) = line.split_once('\n').unwrap_or((line, ""));
        (url, body) = (Some(first.trim().to_owned()), rest);
    }
    (url.filter(|url| !url.is_empty()), markup::unescape(&without_markers(body)).trim().to_owned())
}

/// Takes out the markers `<p>`, `<h>`, `<l>` (some are mistyped as `<h<`), their end tags and remarks in `<!-- -->`.
fn without_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match marker_length(rest.as_bytes()) {
            Some(length) => {
                // A marker begins a new block, also in the middle of a line.
                out.push('\n');
                rest = &rest[length..];
            }
            None => {
                out.push('<');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// The length of the marker that the text begins with.
fn marker_length(text: &[u8]) -> Option<usize> {
    if text.starts_with(b"<!--") {
        return memchr::memmem::find(text, b"-->").map(|at| at + 3);
    }
    let slash = usize::from(text.get(1) == Some(&b'/'));
    let &[kind, end, ..] = text.get(1 + slash..)? else { return None };
    (b"phl".contains(&kind.to_ascii_lowercase()) && b"<>".contains(&end)).then_some(3 + slash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrapper_goes_and_nothing_else() {
        let page = b"\n<text id=\"http://example.org/?a&amp;b\" title=\"1 > 0\" encoding=\"unset\">\n<html><p>Text</html>\n</text>\n";
        let content = interpret(page.to_vec(), None);
        assert_eq!(content.html, b"\n<html><p>Text</html>\n");
        assert_eq!(content.url.as_deref(), Some("http://example.org/?a&b"));
        assert_eq!(content.gold, Gold::Missing);
    }

    #[test]
    fn a_page_without_wrapper_stays_as_it_is() {
        for page in ["<html><text>in SVG</text></html>", "<textarea>x</text>", "", "<text"] {
            assert_eq!(interpret(page.as_bytes().to_vec(), None).html, page.as_bytes());
        }
    }

    #[test]
    fn a_page_that_is_only_its_wrapper_is_empty() {
        assert_eq!(interpret(b"<text id=\"a\"></text>".to_vec(), None).html, b"");
        assert_eq!(interpret(b"<text id=\"a</text>".to_vec(), None).html, b"");
    }

    #[test]
    fn golds_lose_their_url_line_and_markers_but_no_text() {
        let gold = "\u{feff}\n URL: http://example.org/\r\n\n <h> Title\n <h<Mistyped\n<p>1 < 2 <hr> <year> x<p>y</p>\n<!-- remark -->\n<l>&#8217;&rsquo;";
        let content = interpret(b"<html>".to_vec(), Some(gold.into()));
        let Gold::Text(text) = content.gold else { panic!("a text gold") };
        assert_eq!(content.url.as_deref(), Some("http://example.org/"));
        let words: Vec<&str> = text.text.split_whitespace().collect();
        assert_eq!(
            words,
            ["Title", "Mistyped", "1", "<", "2", "<hr>", "<year>", "x", "y", "\u{2019}\u{2019}"]
        );
    }

    #[test]
    fn a_gold_of_a_url_or_a_remark_alone_is_an_empty_text() {
        assert_eq!(
            parse_gold("URL: http://example.org/"),
            (Some("http://example.org/".into()), String::new())
        );
        assert_eq!(parse_gold("URL: a\n\n<!-- no article -->\n").1, "");
        assert_eq!(parse_gold(""), (None, String::new()));
    }
}
