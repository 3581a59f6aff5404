//! The pictures of a page: its image elements with the copies of each, and the best of its addresses.
//!
//! One picture may stand on a page several times: as a small preview before the large file, and once more in a `<noscript>` for
//! browsers without scripts. Its address may be in `src`, in a `srcset`, in the `<source>`s of a `<picture>`, or in an attribute that a
//! script reads when the picture comes into view, with a placeholder in `src` until then.

mod credit;
pub mod features;
mod image_model;
pub mod lead;
mod names;
mod place;
mod srcset;
pub mod stated;

pub use image_model::{ImageModel, ImageModelParts, calibrated};
pub use names::NameCounts;

use std::collections::HashMap;

use super::address::Base;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;
use crate::page::Page;

/// A picture of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The element that stands for it: the first.
    pub node: NodeId,
    /// The other elements of the same picture, in document order.
    pub copies: Vec<NodeId>,
    /// Its addresses, the best first; absolute if the page's address is known. Empty if it has none but placeholders and data.
    pub addresses: Vec<String>,
    /// The alternative text, white space as single spaces; empty if there is none.
    pub alt: String,
    /// The stated width in pixels.
    pub width: Option<u32>,
    /// The stated height in pixels.
    pub height: Option<u32>,
}

/// Attributes besides `src` and those that end in `srcset` in which scripts look for the address.
const LAZY: [&str; 16] = [
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-url",
    "data-original-src",
    "data-hi-res-src",
    "data-full-src",
    "data-large-file",
    "data-orig-file",
    "data-image",
    "data-actualsrc",
    "data-echo",
    "data-pagespeed-lazy-src",
    "data-native-src",
    "data-hires",
];

/// Words of the file names of pictures that wait for another.
const PLACEHOLDERS: [&str; 10] = [
    "blank.",
    "spacer",
    "placeholder",
    "transparent",
    "1x1",
    "pixel.",
    "clear.gif",
    "loading.",
    "lazy",
    "grey.",
];

/// How many steps up from an element a preview and its copy in `<noscript>` must meet.
const COPY_DISTANCE: usize = 4;

impl Picture {
    /// The pictures of a page in document order; none of templates and of what is no HTML. Linear in the page.
    pub fn on_page(page: &Page) -> Vec<Picture> {
        let dom = page.dom();
        let base = Base::read(page);
        let mut pictures: Vec<Picture> = Vec::new();
        // The picture of each address, without scheme and query.
        let mut by_address: HashMap<String, usize> = HashMap::new();
        let mut noscript_until = 0;
        let mut next = 1u32;
        while (next as usize) < dom.len() {
            let id = NodeId(next);
            next += 1;
            let tag = dom.tag(id);
            if tag == Tag::NOSCRIPT {
                noscript_until = noscript_until.max(dom.subtree_end(id).0);
            }
            if dom.kind(id) != NodeKind::Element || !is_image(dom, id) {
                if tag.hides_text() && tag != Tag::HEAD {
                    next = dom.subtree_end(id).0;
                }
                continue;
            }
            let picture = Picture::read(dom, id, &base);
            let keys: Vec<String> = picture.addresses.iter().map(|address| key(address)).collect();
            let same = keys.iter().find_map(|key| by_address.get(key).copied());
            let is_fallback = id.0 < noscript_until;
            let number = same.or_else(|| {
                let last = pictures.last().filter(|last| is_fallback && last.addresses.is_empty())?;
                is_near(dom, last.node, id).then_some(pictures.len() - 1)
            });
            let number = match number {
                Some(number) => {
                    pictures[number].add(id, picture);
                    number
                }
                None => {
                    pictures.push(picture);
                    pictures.len() - 1
                }
            };
            for key in keys {
                by_address.entry(key).or_insert(number);
            }
        }
        pictures
    }

    /// The best address.
    pub fn url(&self) -> Option<&str> {
        self.addresses.first().map(String::as_str)
    }

    /// The text of the `figcaption` of the figure around it.
    pub fn caption(&self, dom: &Dom) -> Option<String> {
        let figure = dom.ancestors(self.node).find(|&above| dom.tag(above) == Tag::FIGURE)?;
        caption_of(dom, figure)
    }

    /// Who made it, as the figure around it or its nearest elements say: by a class or property such as `credit`, else after
    /// words such as *Photo:* at the end of the caption.
    pub fn credit(&self, dom: &Dom) -> Option<String> {
        credit::of(dom, self)
    }

    /// Whether its stated size is so small that it only counts visits or fills space.
    pub fn is_dot(&self) -> bool {
        self.width.is_some_and(|pixels| pixels <= 2) || self.height.is_some_and(|pixels| pixels <= 2)
    }

    fn read(dom: &Dom, id: NodeId, base: &Base) -> Picture {
        let size = |name| {
            let pixels = dom.attribute(id, name)?.trim().trim_end_matches("px").trim().parse::<f64>().ok()?;
            (0.0..=1e6).contains(&pixels).then_some(pixels as u32)
        };
        let mut found: Vec<(f64, String)> = Vec::new();
        let mut add = |rank: f64, address: &str| {
            let address = base.resource(address).filter(|address| !is_placeholder(address));
            if let Some(address) = address.filter(|address| found.iter().all(|(_, known)| known != address)) {
                found.push((rank, address));
            }
        };
        // The wider of a set the better; what a script would load before what stands there until then.
        let sources = dom.parent(id).filter(|&parent| dom.tag(parent) == Tag::PICTURE).into_iter();
        let sources =
            sources.flat_map(|parent| dom.children(parent)).filter(|&child| dom.tag(child) == Tag::SOURCE);
        for element in std::iter::once(id).chain(sources) {
            for (_, set) in dom.attributes(element).filter(|(name, _)| name.ends_with("srcset")) {
                for candidate in srcset::parse(set) {
                    add(candidate.rank(), candidate.address);
                }
            }
        }
        for name in LAZY {
            if let Some(address) = dom.attribute(id, name) {
                add(0.5, address);
            }
        }
        if let Some(address) = dom.attribute(id, "src") {
            add(0.0, address);
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let alt = dom.attribute(id, "alt").unwrap_or_default();
        Picture {
            node: id,
            copies: Vec::new(),
            addresses: found.into_iter().map(|(_, address)| address).collect(),
            alt: alt.split_whitespace().collect::<Vec<_>>().join(" "),
            width: size("width"),
            height: size("height"),
        }
    }

    /// Takes in another element of the same picture.
    fn add(&mut self, id: NodeId, copy: Picture) {
        self.copies.push(id);
        for address in copy.addresses {
            if !self.addresses.contains(&address) {
                self.addresses.push(address);
            }
        }
        if self.alt.is_empty() {
            self.alt = copy.alt;
        }
        self.width = self.width.max(copy.width);
        self.height = self.height.max(copy.height);
    }
}

/// The shown text of a figure's caption.
fn caption_of(dom: &Dom, figure: NodeId) -> Option<String> {
    let caption = dom.subtree(figure).find(|&id| dom.tag(id) == Tag::FIGCAPTION)?;
    let shown = dom.subtree(caption).filter(|&id| dom.is_visible_text(id)).map(|id| dom.text(id));
    let text = shown.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

fn is_image(dom: &Dom, id: NodeId) -> bool {
    dom.tag(id) == Tag::IMG || (dom.is_html_element(id) && dom.name(id) == "amp-img")
}

/// What two addresses of one file share: host and path.
fn key(address: &str) -> String {
    let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    // Without a file name the query is what tells pictures apart.
    let has_name = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if has_name { path.to_owned() } else { rest.to_owned() }
}

/// Whether an address is that of a picture which waits for another.
fn is_placeholder(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| name.contains(word))
}

/// Whether two elements meet a few steps up.
fn is_near(dom: &Dom, a: NodeId, b: NodeId) -> bool {
    let above: Vec<NodeId> = dom.ancestors(a).take(2).collect();
    dom.ancestors(b).take(COPY_DISTANCE).any(|ancestor| above.contains(&ancestor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pictures(html: &str) -> Vec<Picture> {
        let url = Some("https://a.example/b/page.html".to_owned());
        Picture::on_page(&Page::parse("p", url, html.as_bytes(), None, &Default::default()).unwrap())
    }

    fn addresses(html: &str) -> Vec<Vec<String>> {
        pictures(html).into_iter().map(|picture| picture.addresses).collect()
    }

    #[test]
    fn the_best_address_comes_first() {
        let html = "<img src=small.jpg srcset='middle.jpg 600w, large.jpg 1200w' alt=' an \n oak '>\
                    <picture><source srcset=/c.webp><img src=c.jpg></picture><img src=lazy.gif data-src=//d.example/d.jpg>";
        assert_eq!(
            addresses(html),
            [
                vec![
                    "https://a.example/b/large.jpg",
                    "https://a.example/b/middle.jpg",
                    "https://a.example/b/small.jpg"
                ],
                vec!["https://a.example/c.webp", "https://a.example/b/c.jpg"],
                vec!["https://d.example/d.jpg"],
            ]
        );
        assert_eq!(pictures(html)[0].alt, "an oak");
    }

    #[test]
    fn copies_are_one_picture() {
        let html = "<p><img src='data:image/gif;base64,AAAA' width=640><noscript><img src=x.jpg height=480px></noscript>\
                    <p><img src=y.jpg?size=s><p><img src=y.jpg?size=l><p><img src=z.jpg>";
        let found = pictures(html);
        assert_eq!(found.len(), 3);
        assert_eq!((found[0].url(), found[0].copies.len()), (Some("https://a.example/b/x.jpg"), 1));
        assert_eq!((found[0].width, found[0].height), (Some(640), Some(480)));
        assert_eq!(found[1].addresses.len(), 2);
    }

    #[test]
    fn bad_input_gives_pictures_without_an_address() {
        assert_eq!(
            addresses("<template><img src=a.jpg></template><svg><image href=b.jpg /></svg>"),
            Vec::<Vec<String>>::new()
        );
        for html in
            ["<img>", "<img src=''>", "<img src='data:,x'>", "<img srcset=', ,,'>", "<img src='http://['>"]
        {
            assert_eq!(addresses(html), [Vec::<String>::new()], "{html}");
        }
        let page = Page::parse("p", None, b"<img src=a.jpg width=9e99 height=-3>", None, &Default::default())
            .unwrap();
        let found = Picture::on_page(&page);
        assert_eq!((found[0].url(), found[0].width, found[0].height), (Some("a.jpg"), None, None));
        let many = "<div><img src=a.jpg>".repeat(10_000);
        assert_eq!(pictures(&many).len(), 1);
    }
}
