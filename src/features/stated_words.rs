//! Words by which a page says as a whole what it is.

use super::counts::{class_hints, linked_data};
use super::token_lists;
use crate::dom::{Dom, Tag};
use crate::index::NodeId;

/// Of the path of an address, so many words are read.
const PATH_WORDS: usize = 20;
/// Of one JSON-LD script, so many types are read.
const TYPES: usize = 20;

/// The words by which a page says as a whole what it is, each once, in order: `body:` and a word of the classes and id of
/// html and body, `path:` and a word of the path of its own address as it states that, `og:` and its type, `type:` and a
/// type in its JSON-LD.
pub fn stated_words(dom: &Dom) -> Vec<String> {
    let is_linked_data = |id| dom.tag(id) != Tag::SCRIPT || linked_data::is_linked_data(dom, id);
    stated_in(dom, dom.ids().filter(|&id| is_linked_data(id)))
}

/// The same, of the [head](super::measures::Measures::head) of a page.
pub(crate) fn stated_in(dom: &Dom, head: impl Iterator<Item = NodeId>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut has_address = false;
    for id in head {
        match dom.tag(id) {
            Tag::HTML | Tag::BODY => {
                let named =
                    dom.attributes(id).filter(|(name, _)| matches!(*name, "class" | "id" | "itemtype"));
                let words = named.flat_map(|(_, value)| class_hints::words(value));
                let words = words.filter(|word| token_lists::LENGTHS.contains(&word.len()));
                found.extend(words.map(|word| format!("body:{}", word.to_lowercase())));
            }
            Tag::META => {
                let content = || dom.attribute(id, "content").unwrap_or_default();
                match dom.attribute(id, "property") {
                    Some("og:type") => found.push(format!("og:{}", content().trim().to_lowercase())),
                    Some("og:url") if !has_address => {
                        has_address = true;
                        found.extend(path_words(content()));
                    }
                    _ => {}
                }
            }
            Tag::LINK
                if !has_address
                    && dom.attribute(id, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case("canonical")) =>
            {
                has_address = true;
                found.extend(path_words(dom.attribute(id, "href").unwrap_or_default()));
            }
            Tag::SCRIPT => {
                found.extend(dom.children(id).flat_map(|child| linked_types(dom.text(child))));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The words of the path of an address, its depth and whether it ends in a number or a file.
fn path_words(address: &str) -> Vec<String> {
    let path = address
        .split_once("://")
        .map_or(address, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    let depth = path.split('/').filter(|part| !part.is_empty()).count().min(9);
    let last = path.rsplit('/').next().unwrap_or_default();
    let hyphens = last.matches(['-', '_']).count().min(9);
    let words = class_hints::words(path).filter(|word| token_lists::LENGTHS.contains(&word.len()));
    let words = words.take(PATH_WORDS).map(|word| format!("path:{}", word.to_lowercase()));
    words.chain([format!("path:depth {depth}"), format!("path:hyphens {hyphens}")]).collect()
}

/// The types that a JSON-LD text names. It is not parsed: see [`linked_data::texts`].
fn linked_types(json: &str) -> impl Iterator<Item = String> {
    let types = json.match_indices("\"@type\"").filter_map(|(at, key)| {
        let value = json[at + key.len()..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        value.split('"').next().filter(|name| name.len() <= 40)
    });
    types.take(TYPES).map(|name| format!("type:{}", name.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limits;

    #[test]
    fn a_page_says_what_it_is_in_its_head() {
        let html = "<html class=no-js><link rel=canonical href='https://a.org/shop/red-oak_table-12?x=1'>\
            <meta property=og:type content=Product><script type=application/ld+json>{\"@type\" : \"Product\"}</script>\
            <body class='single-product'>";
        let dom = Dom::parse(html.as_bytes(), None, &Limits::default()).unwrap();
        let expected = [
            "body:js",
            "body:no",
            "body:product",
            "body:single",
            "og:product",
            "path:depth 2",
            "path:hyphens 3",
            "path:oak",
            "path:red",
            "path:shop",
            "path:table",
            "type:product",
        ];
        assert_eq!(stated_words(&dom), expected);
    }
}
