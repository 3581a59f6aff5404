//! The addresses of links and images: made absolute, and only of schemes that lead somewhere.

use url::Url;

use crate::dom::Tag;
use crate::page::Page;

/// Longer addresses are left out: they carry data, not a place, and may be written once for each paragraph.
const MAX_LEN: usize = 2048;

/// What addresses of one page are relative to.
#[derive(Debug)]
pub(super) struct Base(Option<Url>);

impl Base {
    /// The first `<base href>`, itself relative to the page's address; or the page's address; or nothing.
    pub fn read(page: &Page) -> Base {
        let dom = page.dom();
        let address = page.url().and_then(|url| Url::parse(url).ok());
        let stated =
            dom.ids().filter(|&id| dom.tag(id) == Tag::BASE).find_map(|id| dom.attribute(id, "href"));
        let base = match (stated, address) {
            (Some(stated), Some(address)) => address.join(stated).ok().or(Some(address)),
            (Some(stated), None) => Url::parse(stated).ok(),
            (None, address) => address,
        };
        Base(base.filter(|url| !url.cannot_be_a_base()))
    }

    /// The address of a link; none for scripts, data and places on the same page.
    pub fn link(&self, href: &str) -> Option<String> {
        self.resolve(href, &["http", "https", "ftp", "mailto", "tel"])
    }

    /// The address of an image or a page.
    pub fn resource(&self, src: &str) -> Option<String> {
        self.resolve(src, &["http", "https"])
    }

    fn resolve(&self, address: &str, schemes: &[&str]) -> Option<String> {
        let address = address.trim_matches(|c: char| c <= ' ');
        if address.is_empty() || address.starts_with('#') || address.len() > MAX_LEN {
            return None;
        }
        let parsed = match (Url::parse(address), &self.0) {
            (Err(url::ParseError::RelativeUrlWithoutBase), Some(base)) => base.join(address),
            (parsed, _) => parsed,
        };
        match parsed {
            Ok(url) => schemes.contains(&url.scheme()).then(|| url.into()),
            Err(url::ParseError::RelativeUrlWithoutBase) => Some(relative(address)),
            Err(_) => None,
        }
        .filter(|address: &String| address.len() <= MAX_LEN)
    }
}

/// A relative address with the characters encoded that would end it in HTML or Markdown.
fn relative(address: &str) -> String {
    let mut encoded = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            '\t' | '\n' | '\r' => {}
            '\0'..=' ' | '"' | '<' | '>' | '\\' | '\x7f' => encoded.push_str(&format!("%{:02X}", c as u32)),
            _ => encoded.push(c),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(url: Option<&str>, html: &str) -> Base {
        let page = Page::parse("p", url.map(str::to_owned), html.as_bytes(), None, &Default::default());
        Base::read(&page.unwrap())
    }

    #[test]
    fn addresses_are_resolved_against_page_and_base_element() {
        let page = base(Some("https://a.example/b/c.html"), "<p>x");
        assert_eq!(page.link(" d.html ").unwrap(), "https://a.example/b/d.html");
        assert_eq!(page.link("//e.example/f?g h").unwrap(), "https://e.example/f?g%20h");
        let with_base = base(Some("https://a.example/b/c.html"), "<base href=/z/><p>x");
        assert_eq!(with_base.link("d").unwrap(), "https://a.example/z/d");
        let alone = base(None, "<p>x");
        assert_eq!(alone.link("d e\"><x").unwrap(), "d%20e%22%3E%3Cx");
    }

    #[test]
    fn scripts_data_and_places_on_the_page_are_no_addresses() {
        let page = base(Some("https://a.example/"), "<p>x");
        for href in
            ["javascript:x()", " java\nscript:x()", "data:text/html,x", "#top", "", "http://[", "vbscript:x"]
        {
            assert_eq!(page.link(href), None, "{href}");
        }
        assert_eq!(page.link("mailto:a@b.example").unwrap(), "mailto:a@b.example");
        assert_eq!(page.resource("mailto:a@b.example"), None);
        assert_eq!(page.link(&format!("/{}", "x".repeat(3000))), None);
    }
}
