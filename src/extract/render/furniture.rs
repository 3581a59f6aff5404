//! What pages put into their text for the hand and not for the reader: permalinks of headings, edit links, copy buttons.

use super::code::classes;
use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// Classes of elements that are never text of an article, as MediaWiki, rustdoc, Sphinx and makers of copy buttons have them.
const CLASSES: &[&str] = &[
    "btn-clipboard",
    "btn-copy",
    "clipboard-copy",
    "copy-btn",
    "copy-button",
    "copy-code-button",
    "copybtn",
    "copybutton",
    "hideme",
    "mw-cite-backlink",
    "mw-editsection",
    "mw-jump-link",
    "viewcode-back",
    "viewcode-link",
    "zeroclipboard-container",
];

/// Classes of links from a heading to itself, as Sphinx, Docusaurus, markdown-it, Jekyll and AnchorJS have them.
const PERMALINKS: &[&str] = &[
    "anchor",
    "anchor-link",
    "anchorjs-link",
    "direct-link",
    "hash-link",
    "header-anchor",
    "header-link",
    "headerlink",
    "heading-anchor",
    "heading-link",
    "permalink",
    "section-link",
    "toclink",
];

/// Whether an element is such a thing, with all that is in it.
pub(super) fn is_furniture(dom: &Dom, id: NodeId) -> bool {
    match dom.tag(id) {
        Tag::A => is_permalink(dom, id),
        Tag::BUTTON => stands_in_code(dom, id),
        _ => classes(dom, id).any(|class| CLASSES.contains(&class)),
    }
}

/// Whether a link leads to its own place and says nothing but that.
fn is_permalink(dom: &Dom, link: NodeId) -> bool {
    let is_on_page = dom.attribute(link, "href").is_some_and(|href| href.contains('#'));
    let says_nothing = || {
        let mut texts = dom.subtree(link).filter(|&id| dom.kind(id) == NodeKind::Text);
        texts.all(|id| !dom.text(id).contains(char::is_alphanumeric))
    };
    let stands_in_heading = || {
        dom.ancestors(link).take(3).any(|id| dom.tag(id).heading_level().is_some() || dom.tag(id) == Tag::DT)
    };
    let is_named = classes(dom, link).any(|class| PERMALINKS.contains(&class));
    is_on_page && (is_named || stands_in_heading()) && says_nothing()
}

/// Whether a button stands beside or in code: it copies or runs it.
fn stands_in_code(dom: &Dom, button: NodeId) -> bool {
    dom.ancestors(button).take(3).any(|id| {
        dom.tag(id) == Tag::PRE || dom.children(id).take(20).any(|child| dom.tag(child) == Tag::PRE)
    })
}

/// Text without characters that nobody sees and no word needs: zero-width spaces, byte order marks, soft hyphens.
pub(super) fn visible(text: &str) -> std::borrow::Cow<'_, str> {
    const UNSEEN: [char; 4] = ['\u{200b}', '\u{feff}', '\u{ad}', '\u{2060}'];
    if text.is_ascii() || !text.contains(UNSEEN) { text.into() } else { text.replace(UNSEEN, "").into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permalinks_edit_links_and_copy_buttons_are_told_from_links() {
        for (html, expected) in [
            ("<h2>Oak <a class=headerlink href=#oak>\u{b6}</a></h2>", true),
            ("<h2>Oak <a href=#oak>#</a></h2>", true),
            ("<h2><a class=anchor href=#oak aria-hidden=true><svg></svg></a>Oak</h2>", true),
            ("<h2><a href=#oak>Oak</a></h2>", false),
            ("<h2><a class=anchor href=/oak>\u{2192}</a></h2>", false),
            ("<p><a href=#oak>*</a></p>", false),
            ("<h2>Oak <span class=mw-editsection>[edit]</span></h2>", true),
            ("<div><pre>x</pre><button>Copy</button></div>", true),
            ("<p>Press <button>OK</button></p>", false),
        ] {
            let dom = Dom::parse(html.as_bytes(), None, &Default::default()).unwrap();
            assert_eq!(dom.ids().any(|id| is_furniture(&dom, id)), expected, "{html}");
        }
        assert_eq!(visible("o\u{200b}ak\u{ad}s"), "oaks");
    }
}
