//! `StatedImages`, the images that a page names for itself: Open Graph, Twitter, `image_src`, JSON-LD, microdata.

use super::{is_placeholder, key};
use crate::dom::{NodeKind, Tag};
use crate::extract::address::Base;
use crate::extract::metadata::json_ld_images;
use crate::page::Page;

/// How a page names an image for itself, the most usual first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// `<meta property="og:image">`.
    OpenGraph,
    /// `<meta name="twitter:image">`.
    Twitter,
    /// `<link rel="image_src">`.
    ImageSource,
    /// `image` or `thumbnailUrl` of the page's article in JSON-LD.
    JsonLd,
    /// `itemprop="image"` or `thumbnailUrl` of a `<meta>` or `<link>`, or `<meta name="thumbnail">`.
    Other,
}

/// An image that a page names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedImage {
    /// How it is named.
    pub statement: Statement,
    /// Its address, absolute if the page's address is known.
    pub url: String,
    /// What addresses of the same file share.
    pub(super) key: String,
}

/// The images that a page names for itself, by statement and then in document order, each once for a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatedImages(Vec<StatedImage>);

impl StatedImages {
    /// Reads them in one pass over the page.
    pub fn read(page: &Page) -> StatedImages {
        let dom = page.dom();
        let base = Base::read(page);
        let mut found: Vec<StatedImage> = Vec::new();
        let mut add = |statement: Statement, address: &str| {
            let Some(url) = base.resource(address).filter(|url| !is_placeholder(url)) else { return };
            let image = StatedImage { statement, key: key(&url), url };
            if !found.contains(&image) {
                found.push(image);
            }
        };
        for id in dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element) {
            let statement =
                |names: &[&str]| names.iter().find_map(|name| statement_of(dom.attribute(id, name)?.trim()));
            match dom.tag(id) {
                Tag::META => {
                    if let Some(statement) = statement(&["property", "name", "itemprop"]) {
                        add(statement, dom.attribute(id, "content").unwrap_or_default());
                    }
                }
                Tag::LINK => {
                    if let Some(statement) = statement(&["rel", "itemprop"]) {
                        add(statement, dom.attribute(id, "href").unwrap_or_default());
                    }
                }
                _ => {}
            }
        }
        for address in json_ld_images(page) {
            add(Statement::JsonLd, &address);
        }
        found.sort_by_key(|image| image.statement);
        StatedImages(found)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &StatedImage> {
        self.0.iter()
    }

    /// Those of one statement.
    pub fn of(&self, statement: Statement) -> impl Iterator<Item = &StatedImage> {
        self.0.iter().filter(move |image| image.statement == statement)
    }
}

fn statement_of(name: &str) -> Option<Statement> {
    let name = name.to_ascii_lowercase();
    Some(match name.as_str() {
        "og:image" | "og:image:url" | "og:image:secure_url" => Statement::OpenGraph,
        "twitter:image" | "twitter:image:src" | "twitter:image0" => Statement::Twitter,
        "image_src" => Statement::ImageSource,
        "image" | "thumbnailurl" | "thumbnail" | "sailthru.image.full" | "parsely-image-url" => {
            Statement::Other
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_of_naming_is_read_and_nothing_else() {
        let html = r#"<meta property=og:image content=/a.jpg><meta property=og:image:secure_url content=/a.jpg>
            <meta name=twitter:image content=//b.example/b.jpg><link rel=image_src href=c.jpg><link rel=icon href=d.ico>
            <meta property=og:image:width content=300><meta property=og:image content="data:,x">
            <script type="application/ld+json">{"@type":"NewsArticle","image":["/e.jpg",{"url":"/f.jpg"}]}</script>
            <meta itemprop=image content=/g.jpg>"#;
        let url = Some("https://a.example/x/".to_owned());
        let page = Page::parse("p", url, html.as_bytes(), None, &Default::default()).unwrap();
        let found = StatedImages::read(&page);
        let found: Vec<(Statement, &str)> =
            found.iter().map(|image| (image.statement, image.url.as_str())).collect();
        assert_eq!(
            found,
            [
                (Statement::OpenGraph, "https://a.example/a.jpg"),
                (Statement::Twitter, "https://b.example/b.jpg"),
                (Statement::ImageSource, "https://a.example/x/c.jpg"),
                (Statement::JsonLd, "https://a.example/e.jpg"),
                (Statement::JsonLd, "https://a.example/f.jpg"),
                (Statement::Other, "https://a.example/g.jpg"),
            ]
        );
    }
}
