//! Who made a picture, as the page says beside it.

use super::Picture;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// Words of classes and properties of elements that hold a credit.
const NAMES: [&str; 6] = ["credit", "copyright", "photographer", "courtesy", "attribution", "image-source"];

/// What a credit begins with in a caption, in lower case.
const BEGINNINGS: [&str; 22] = [
    "photo credit:",
    "image credit:",
    "photo by",
    "photograph by",
    "image by",
    "picture by",
    "photo:",
    "photos:",
    "image:",
    "photograph:",
    "picture:",
    "credit:",
    "courtesy of",
    "foto:",
    "bild:",
    "crédit photo",
    "photo :",
    "fotografía:",
    "quelle:",
    "source:",
    "©",
    "(c)",
];

/// The longest credit, in characters.
const LONGEST: usize = 120;
/// Levels above a picture without a figure whose elements are looked through, and how many nodes.
const LEVELS: usize = 3;
const NODES: usize = 60;

pub(super) fn of(dom: &Dom, picture: &Picture) -> Option<String> {
    let figure = dom.ancestors(picture.node).find(|&id| dom.tag(id) == Tag::FIGURE);
    let around = figure.or_else(|| {
        let near = dom.ancestors(picture.node).take(LEVELS);
        near.take_while(|&id| dom.subtree_end(id).index() - id.index() <= NODES && dom.tag(id) != Tag::BODY)
            .last()
    })?;
    let named = dom.subtree(around).find(|&id| is_named(dom, id));
    let stated = named.and_then(|id| shown(dom, id));
    stated.or_else(|| in_caption(&picture.caption(dom)?)).filter(|credit| credit.chars().count() <= LONGEST)
}

fn is_named(dom: &Dom, id: NodeId) -> bool {
    dom.kind(id) == NodeKind::Element
        && ["class", "itemprop"].iter().filter_map(|name| dom.attribute(id, name)).any(|value| {
            let value = value.to_ascii_lowercase();
            NAMES.iter().any(|name| value.contains(name))
        })
}

fn shown(dom: &Dom, id: NodeId) -> Option<String> {
    let texts = dom.subtree(id).filter(|&id| dom.is_visible_text(id)).map(|id| dom.text(id));
    let text = texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let text = text.trim_matches(['(', ')', '[', ']', ' ']);
    (!text.is_empty()).then(|| text.to_owned())
}

/// What follows the last of [`BEGINNINGS`] that begins a sentence or parenthesis of a caption.
fn in_caption(caption: &str) -> Option<String> {
    let is_start = |at: usize| {
        let before = caption[..at].trim_end();
        at == 0 || before.ends_with(['.', '(', '[', '|', '/', '!', '?', '—', '–', ')', '-', '"', '”'])
    };
    let starts = caption.char_indices().map(|(at, _)| at).filter(|&at| is_start(at));
    let begins = |at: usize| {
        // Lower case may change lengths: characters are compared one by one.
        BEGINNINGS.iter().find_map(|beginning| {
            let mut rest = caption[at..].char_indices();
            for expected in beginning.chars() {
                let (_, c) = rest.next()?;
                if c.to_lowercase().next() != Some(expected) {
                    return None;
                }
            }
            let end = rest.next().map_or(caption.len(), |(offset, _)| at + offset);
            // A beginning that ends in a letter is a word of its own.
            let is_word = beginning.ends_with(char::is_alphabetic);
            let goes_on = caption[end..].chars().next().is_some_and(char::is_alphanumeric);
            (!is_word || !goes_on).then_some(end)
        })
    };
    let end = starts.filter_map(begins).next_back()?;
    let credit = caption[end..].trim_matches(|c: char| c.is_whitespace() || ":()[].,".contains(c));
    (!credit.is_empty()).then(|| credit.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    fn credit(html: &str) -> Option<String> {
        let page = Page::parse("p", None, html.as_bytes(), None, &Default::default()).unwrap();
        of(page.dom(), &Picture::on_page(&page)[0])
    }

    #[test]
    fn a_credit_is_an_element_of_its_own_or_the_end_of_the_caption() {
        let figure = |caption: &str| {
            credit(&format!("<figure><img src=a.jpg><figcaption>{caption}</figcaption></figure>"))
        };
        assert_eq!(figure("The oak. <span class=photo-credit>(Jo Ash)</span>").unwrap(), "Jo Ash");
        assert_eq!(figure("The oak in May. Photo by Jo Ash").unwrap(), "Jo Ash");
        assert_eq!(figure("The oak (Foto: dpa)").unwrap(), "dpa");
        assert_eq!(figure("© Jo Ash 2024").unwrap(), "Jo Ash 2024");
        assert_eq!(figure("A photo by the road, and its source: a spring"), None);
        assert_eq!(figure("The oak."), None);
        assert_eq!(credit("<div><img src=a.jpg><p class=credit>Jo Ash</div>").unwrap(), "Jo Ash");
        assert_eq!(credit("<div><img src=a.jpg></div><p class=credit>Jo Ash"), None);
    }
}
