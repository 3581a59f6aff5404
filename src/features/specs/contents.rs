//! Contents: what elements a node holds, and how dense its text is between them.

use crate::features::ratio::{ratio, share};
use crate::features::spec::{DOUBLING, PERCENT, TENTHS, count, family};

family! {
    |m| {
        let (base, elements) = (&m.base, &m.walk.elements);
        let density = |v, elements| ratio(10 * u64::from(base.words_of(v)), elements);
    }
    |v| {
        let links = elements.inside_text(base, v).links;
        let inside = elements.inside(base, v);
        let (parent, grandparent) = (base.above(v, 1), base.above(v, 2));
    }
    count("links", "links in the node's text", "links", DOUBLING) => links,
    count("links-per-word", "links in a hundred words", "%", PERCENT) => share(links, base.words_of(v)),
    count("images", "images and videos in the element", "elements", DOUBLING) => inside.images,
    count("inputs", "fields and buttons in the element", "elements", DOUBLING) => inside.inputs,
    count("headings", "headings in the element", "elements", DOUBLING) => inside.headings,
    count("paragraphs", "paragraphs in the element", "elements", DOUBLING) => inside.paragraphs,
    count("line-breaks", "line breaks in the element", "elements", DOUBLING) => inside.line_breaks,
    count("text-density", "words to an element, in tenths", "tenths", TENTHS) => density(v, inside.elements),
    count("parent-text-density", "words to an element of the parent, in tenths", "tenths", TENTHS) =>
        density(parent, elements.inside(base, parent).elements),
    count("grandparent-text-density", "words to an element two levels up, in tenths", "tenths", TENTHS) =>
        density(grandparent, elements.inside(base, grandparent).elements),
}
