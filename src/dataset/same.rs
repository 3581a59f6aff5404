//! By what two pages are told to be one: their bytes, the words that they show, their address.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::dom::Dom;
use crate::tokens;

/// What two pages have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Same {
    /// Every byte.
    Bytes,
    /// All words that they show.
    Text,
    /// The address, but for its scheme, `www.`, fragment and closing slash.
    Address,
}

impl Same {
    /// The words for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Same::Bytes => "every byte",
            Same::Text => "all words shown",
            Same::Address => "the address",
        }
    }
}

/// What a page may have in common with another, as a digest.
pub type Mark = (Same, [u8; 32]);

/// The mark of a page's bytes.
pub(super) fn of_bytes(html: &[u8]) -> Mark {
    (Same::Bytes, Sha256::digest(html).into())
}

/// The marks of a page's words, if it shows any, and of its address, if that is known.
pub(super) fn of_page(dom: &Dom, url: Option<&str>) -> Vec<Mark> {
    let words: Vec<&str> = dom.shown_texts().flat_map(|id| tokens::iter(dom.text(id))).collect();
    let text = (!words.is_empty()).then(|| (Same::Text, Sha256::digest(words.join(" ")).into()));
    text.into_iter().chain(url.map(of_address)).collect()
}

/// The mark of an address.
pub(super) fn of_address(url: &str) -> Mark {
    let url = url.trim();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default().trim_end_matches('/');
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = host.to_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    (Same::Address, Sha256::digest(format!("{host}{path}")).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    #[test]
    fn an_address_is_one_with_another_scheme_or_closing_slash_and_not_with_another_path() {
        let of = of_address("https://www.Example.org/A?b=c");
        assert_eq!(of, of_address(" http://example.org/A?b=c#d "));
        assert_eq!(of_address("https://example.org/A/"), of_address("example.org/A"));
        for other in ["https://example.org/a?b=c", "https://example.org/A", "https://news.example.org/A?b=c"]
        {
            assert_ne!(of, of_address(other), "{other}");
        }
    }

    #[test]
    fn pages_are_one_by_what_they_show_and_a_page_without_words_is_like_no_other() {
        let marks =
            |html: &str| of_page(&Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap(), None);
        assert_eq!(marks("<p>One two"), marks("\n<div>One <b>two</b></div><script>x</script>\n"));
        assert_ne!(marks("<p>One two"), marks("<p>One three"));
        assert_eq!(marks("<p> - </p>"), []);
    }
}
