//! What pages put into their text for the hand and not for the reader: permalinks of headings, edit links, copy buttons; and what they say
//! twice, once for screen readers.

use crate::dom::{Dom, NodeKind, Tag};
use crate::index::NodeId;

/// Classes of elements that are never text of an article, as MediaWiki, rustdoc, Sphinx and makers of copy buttons have them.
const CLASSES: &[&str] = &[
    "bbCodeBlock-expandLink",
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

/// Classes of lines above code that say so and hold a button, as vBulletin, SMF and XenForo have them.
const HEADS_OF_CODE: &[&str] = &["bbCodeBlock-title", "bbcode_description", "codeheader"];

/// Classes of text that is there for screen readers alone.
const FOR_SCREEN_READERS: &[&str] = &[
    "screen-reader-only",
    "screen-reader-text",
    "sr-only",
    "u-hidden-visually",
    "visually-hidden",
    "visuallyhidden",
];

/// No more nodes and characters of an element are looked at to see what it says.
const MAX_SAID: usize = 400;

/// Whether an element is such a thing, with all that is in it.
pub(super) fn is_furniture(dom: &Dom, id: NodeId) -> bool {
    let tag = dom.tag(id);
    let is_line = matches!(tag, Tag::P | Tag::DT | Tag::DIV);
    let is_named = |class: &str| {
        CLASSES.contains(&class)
            || FOR_SCREEN_READERS.contains(&class) && is_there_twice(dom, id)
            || is_line && HEADS_OF_CODE.contains(&class) && says_code(dom, id)
    };
    // phpBB names the box around code and the line above it.
    let in_box = || {
        let around = dom.parent(id).filter(|_| matches!(tag, Tag::P | Tag::DT));
        around.is_some_and(|around| dom.classes(around).any(|class| class == "codebox"))
    };
    match tag {
        Tag::A => is_permalink(dom, id),
        Tag::BUTTON => stands_in_code(dom, id),
        _ => dom.classes(id).any(is_named) || in_box() && says_code(dom, id),
    }
}

/// Whether an element only says that code follows.
fn says_code(dom: &Dom, id: NodeId) -> bool {
    let said = short_text(dom, id).to_ascii_lowercase();
    said.split(' ').next().is_some_and(|word| matches!(word, "code" | "code:")) || said.ends_with(" code:")
}

/// Whether the text of an element stands in the one beside it too, or in what the element beside its parent says.
fn is_there_twice(dom: &Dom, id: NodeId) -> bool {
    let said = short_text(dom, id);
    let sibling = |id, next: fn(&Dom, NodeId) -> Option<NodeId>| {
        let mut near = std::iter::successors(next(dom, id), |&id| next(dom, id)).take(4);
        near.find(|&id| !short_text(dom, id).is_empty())
    };
    let around = |id| [sibling(id, Dom::previous_sibling), sibling(id, Dom::next_sibling)];
    let beside = around(id).into_iter().chain(dom.parent(id).into_iter().flat_map(around)).flatten();
    !said.is_empty()
        && said.chars().count() < MAX_SAID
        && beside.into_iter().any(|other| short_text(dom, other) == said)
}

/// The words of an element, up to a length.
pub(super) fn short_text(dom: &Dom, id: NodeId) -> String {
    let texts = dom.subtree(id).take(MAX_SAID).filter(|&id| dom.is_visible_text(id));
    let words = texts.flat_map(|id| dom.text(id).split_whitespace()).take(MAX_SAID);
    words.collect::<Vec<_>>().join(" ").chars().take(MAX_SAID).collect()
}

/// Whether a link leads to its own place and says nothing but that, in a heading that says more.
fn is_permalink(dom: &Dom, link: NodeId) -> bool {
    let is_on_page = dom.attribute(link, "href").is_some_and(|href| href.contains('#'));
    let says_nothing = |id, most_nodes| {
        let mut texts = dom.subtree(id).take(most_nodes).filter(|&id| dom.kind(id) == NodeKind::Text);
        texts.all(|id| !dom.text(id).contains(char::is_alphanumeric))
    };
    let stands_in_heading = || {
        let is_heading = |&id: &NodeId| dom.tag(id).heading_level().is_some() || dom.tag(id) == Tag::DT;
        dom.ancestors(link).take(3).find(is_heading).is_some_and(|heading| !says_nothing(heading, MAX_SAID))
    };
    let is_named = dom.classes(link).any(|class| PERMALINKS.contains(&class));
    is_on_page && says_nothing(link, usize::MAX) && (is_named || stands_in_heading())
}

/// Whether a button stands beside or in code: it copies or runs it.
fn stands_in_code(dom: &Dom, button: NodeId) -> bool {
    dom.ancestors(button).take(3).any(|id| {
        dom.tag(id) == Tag::PRE || dom.children(id).take(20).any(|child| dom.tag(child) == Tag::PRE)
    })
}

/// Characters that nobody sees and no word needs: zero-width spaces, byte order marks, soft hyphens.
const UNSEEN: [char; 4] = ['\u{200b}', '\u{feff}', '\u{ad}', '\u{2060}'];

/// Whether a text shows anything.
pub(super) fn shows(text: &str) -> bool {
    text.chars().any(|c| !c.is_whitespace() && !UNSEEN.contains(&c))
}

/// Text without the characters that nobody sees.
pub(super) fn visible(text: &str) -> std::borrow::Cow<'_, str> {
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
            ("<h2><a href=#oak>#</a></h2>", false),
            ("<h2><a class=anchor href=/oak>\u{2192}</a></h2>", false),
            ("<p><a href=#oak>*</a></p>", false),
            ("<h2>Oak <span class=mw-editsection>[edit]</span></h2>", true),
            ("<div><pre>x</pre><button>Copy</button></div>", true),
            ("<p>Press <button>OK</button></p>", false),
            ("<div class=codebox><p>Code: <a href=#>Select all</a></p><pre>x</pre></div>", true),
            ("<div class=codeheader>Code: <a>[Select]</a></div><code>x</code>", true),
            ("<div class=bbcode_description>PHP Code:</div><pre>x</pre>", true),
            ("<div class=bbCodeBlock-title>Oak said:</div>", false),
            ("<h2 class=sr-only>Oak</h2><div>Oak</div>", true),
            ("<h2><span class=visually-hidden>Oak</span><span>Oak</span></h2>", true),
            ("<div><h2 class=sr-only>Oak</h2></div><h2>Oak</h2>", true),
            ("<h2 class=sr-only>Oak</h2><div>Elm</div>", false),
        ] {
            let dom = Dom::parse(html.as_bytes(), None, &Default::default()).unwrap();
            assert_eq!(dom.ids().any(|id| is_furniture(&dom, id)), expected, "{html}");
        }
        assert!(shows("\u{ad} o") && !shows("\u{ad} \u{a0}"));
        assert_eq!(visible("o\u{200b}ak\u{ad}s"), "oaks");
    }
}
