//! The URL that a page states itself, for corpora that do not list it.

use super::markup;

/// The URL of the canonical link, else of the archive's banner, without the archive's prefix.
pub(super) fn stated_url(html: &[u8]) -> Option<String> {
    let canonical = |tag: &[(String, String)]| {
        let is_canonical = markup::value(tag, "rel")?.eq_ignore_ascii_case("canonical");
        original_url(markup::value(tag, "href").filter(|_| is_canonical)?)
    };
    let banner = |tag: &[(String, String)]| {
        original_url(markup::value(tag, "value").filter(|_| markup::value(tag, "id") == Some("wmtbURL"))?)
    };
    markup::find_in_tags(html, "link", canonical).or_else(|| markup::find_in_tags(html, "input", banner))
}

/// `URL` of `https://web.archive.org/web/20050409130612im_/URL`, of `/web/20050409130612/URL`, or itself.
/// `None` for a relative URL, which names no site.
fn original_url(url: &str) -> Option<String> {
    let archived = url.find("/web/").and_then(|at| {
        let stamped = &url[at + "/web/".len()..];
        let digits = stamped.bytes().take_while(u8::is_ascii_digit).count();
        let (stamp, original) = stamped.split_once('/')?;
        (digits == 14 && stamp.len() <= 18).then_some(original)
    });
    let url = archived.unwrap_or(url);
    (url.starts_with("http://") || url.starts_with("https://")).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_prefix_is_taken_off() {
        for (given, expected) in [
            (
                "https://web.archive.org/web/20130131052650/http://example.org/a/web/b",
                "http://example.org/a/web/b",
            ),
            ("/web/20050409130612im_/http://example.org/", "http://example.org/"),
            ("http://example.org/web/2017/story", "http://example.org/web/2017/story"),
        ] {
            assert_eq!(original_url(given).as_deref(), Some(expected));
        }
        assert_eq!(original_url("/story.html"), None);
    }

    #[test]
    fn the_canonical_link_goes_before_the_banner() {
        let banner = "<input type=text id=\"wmtbURL\" value=\"http://www.example.org:80/a\">";
        let page = format!("{banner}<link href='/web/20130131052650/http://example.org/b' rel='Canonical'>");
        assert_eq!(stated_url(page.as_bytes()).as_deref(), Some("http://example.org/b"));
        assert_eq!(stated_url(banner.as_bytes()).as_deref(), Some("http://www.example.org:80/a"));
        assert_eq!(stated_url(b"<link rel=canonical href='/b'><p>"), None);
    }
}
