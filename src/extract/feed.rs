//! `Feed`, the items of an RSS or Atom feed by the pages that they lead to.

use std::collections::HashMap;

use feed_rs::model::Entry;
use url::Url;

use super::metadata::Metadata;
use crate::dom::{BlockTree, Dom, Limits};
use crate::error::{Error, Result};
use crate::page::{FeedItem, Page};

/// The items of a feed.
///
/// # Examples
/// ```
/// use duramen::{extract::feed::Feed, page::Page};
/// let rss = b"<rss version='2.0'><channel><title>Trees</title><item><title>Oak</title>\
///             <link>http://www.trees.example/oak/?utm_source=rss</link>\
///             <description>An &lt;b&gt;old&lt;/b&gt; oak</description></item></channel></rss>";
/// let feed = Feed::parse("feed.xml", rss)?;
/// let page = Page::parse("oak.html", Some("https://trees.example/oak#top".into()), b"<p>x", None, &Default::default())?;
/// assert_eq!(feed.item_of(&page).unwrap().description, "An old oak");
/// # Ok::<(), duramen::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feed {
    items: Vec<FeedItem>,
    /// The number of the item by each of its addresses, normalized; the first item with an address has it.
    by_address: HashMap<String, usize>,
}

impl Feed {
    /// Reads a feed: RSS 0.9x, 1.0 or 2.0, or Atom. `name` names it in errors.
    ///
    /// Titles and descriptions are taken as HTML and kept as plain text, white space folded. The description is that
    /// of RSS or the summary of Atom, else the content.
    ///
    /// # Errors
    /// [`Error::Data`] for what is no feed.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Feed> {
        let feed = feed_rs::parser::parse(bytes).map_err(|error| {
            Error::data(name, format!("not an RSS or Atom feed: {error}"), "name the XML file of a feed")
        })?;
        let mut known = Feed::default();
        for entry in feed.entries {
            for address in addresses(&entry) {
                known.by_address.entry(address).or_insert(known.items.len());
            }
            known.items.push(item(entry));
        }
        Ok(known)
    }

    /// The item that leads to a page: by the page's address, else by the one that the page states.
    ///
    /// Addresses are compared without scheme, `www.`, fragment, final slash and the parameters `utm_...` by which
    /// feeds count their readers.
    pub fn item_of(&self, page: &Page) -> Option<&FeedItem> {
        let item = |address: &str| Some(&self.items[*self.by_address.get(&normalized(address)?)?]);
        page.url().and_then(item).or_else(|| item(&Metadata::read(page, "").canonical?.value))
    }
}

/// The addresses of an item's page, normalized; its id may be one.
fn addresses(entry: &Entry) -> Vec<String> {
    let is_page = |rel: Option<&str>| matches!(rel, None | Some("alternate"));
    let links = entry.links.iter().filter(|link| is_page(link.rel.as_deref())).map(|link| link.href.as_str());
    links.chain([entry.id.as_str()]).filter_map(normalized).collect()
}

/// An address by which equal pages are known; none for what is no address on the web.
fn normalized(address: &str) -> Option<String> {
    let url = Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?.trim_end_matches('.');
    let host = host.strip_prefix("www.").unwrap_or(host);
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    let parameters: Vec<&str> = url
        .query()
        .into_iter()
        .flat_map(|query| query.split('&'))
        .filter(|part| !part.starts_with("utm_"))
        .collect();
    let query = if parameters.is_empty() { String::new() } else { format!("?{}", parameters.join("&")) };
    Some(format!("{host}{port}{}{query}", url.path().trim_end_matches('/')))
}

fn item(entry: Entry) -> FeedItem {
    let content = || entry.content.and_then(|content| content.body);
    FeedItem {
        title: plain(&entry.title.map(|title| title.content).unwrap_or_default()),
        description: plain(&entry.summary.map(|text| text.content).or_else(content).unwrap_or_default()),
    }
}

/// HTML as plain text; what cannot be read as HTML (longer than any page may be) is no text.
fn plain(html: &str) -> String {
    // Declared, so that the encoding is not guessed.
    let Ok(dom) = Dom::parse(html.as_bytes(), Some("utf-8"), &Limits::default()) else {
        return String::new();
    };
    let tree = BlockTree::new(&dom);
    let leaves = tree.leaves();
    let lines: Vec<String> = leaves.map(|leaf| tree.text(&dom, leaf)).collect();
    lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: Option<&str>, html: &str) -> Page {
        Page::parse("p", url.map(str::to_owned), html.as_bytes(), None, &Limits::default()).unwrap()
    }

    const ATOM: &str = "<feed xmlns='http://www.w3.org/2005/Atom'><title>Trees</title><id>f</id>\
        <entry><title type='html'>Oak &amp;amp; ash</title><id>tag:1</id><link href='https://trees.example/1?id=4&amp;utm_medium=feed'/>\
        <link rel='self' href='https://trees.example/feed'/><content type='html'>&lt;p>One&lt;/p>&lt;p>two &lt;i>th&lt;/i>ree</content></entry>\
        <entry><title>Fir</title><id>http://trees.example/2</id><summary>Short</summary><content>Long</content></entry></feed>";

    #[test]
    fn items_of_atom_are_known_by_link_or_id() {
        let feed = Feed::parse("f", ATOM.as_bytes()).unwrap();
        assert_eq!(feed.items.len(), 2);
        let title = |url| feed.item_of(&page(Some(url), "<p>x")).map(|item| item.title.as_str());
        assert_eq!(title("http://www.trees.example/1?id=4#c"), Some("Oak & ash"));
        assert_eq!(title("https://trees.example/2/"), Some("Fir"));
        for other in
            ["https://trees.example/1", "https://trees.example/1?id=5", "https://trees.example/feed", "x"]
        {
            assert_eq!(title(other), None, "{other}");
        }
    }

    #[test]
    fn descriptions_become_plain_text_and_paragraphs_stay_apart() {
        let feed = Feed::parse("f", ATOM.as_bytes()).unwrap();
        let descriptions: Vec<&str> = feed.items.iter().map(|item| item.description.as_str()).collect();
        assert_eq!(descriptions, ["One two three", "Short"]);
    }

    #[test]
    fn every_version_of_rss_is_read() {
        let item =
            "<item><title>Oak</title><link>http://a.example/x</link><description>d</description></item>";
        for feed in [
            format!("<rss version='0.91'><channel><title>t</title>{item}</channel></rss>"),
            format!(
                "<?xml version='1.0'?><rss version='2.0'><channel><title>t</title>{item}</channel></rss>"
            ),
            format!(
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\
                 <channel><title>t</title></channel>{item}</rdf:RDF>"
            ),
        ] {
            let feed = Feed::parse("f", feed.as_bytes()).unwrap();
            let found = feed.item_of(&page(Some("http://a.example/x"), "<p>x"));
            assert_eq!(found.map(|item| item.description.as_str()), Some("d"));
        }
    }

    #[test]
    fn a_page_without_address_is_known_by_the_one_it_states() {
        let feed = Feed::parse("f", ATOM.as_bytes()).unwrap();
        let stated = page(None, "<link rel=canonical href='http://trees.example/2'><p>x");
        assert_eq!(feed.item_of(&stated).unwrap().title, "Fir");
        assert_eq!(feed.item_of(&page(None, "<p>x")), None);
    }

    #[test]
    fn what_is_no_feed_is_said_to_be_none() {
        for other in ["", "text", "<html><p>x</html>", "<rss version='2.0'><channel><item>", "{}", "\u{0}<"] {
            let error = Feed::parse("page.html", other.as_bytes()).unwrap_err();
            let text = error.to_string();
            assert!(text.starts_with("page.html: not an RSS or Atom feed: "), "{other}: {text}");
            assert_eq!(error.exit_code(), 3);
        }
    }
}
