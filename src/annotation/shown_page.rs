//! A page as the annotator sees it: its own markup and styles, its blocks marked, and nothing in it that runs or loads.

use crate::dom::serialize::escape_into;
use crate::dom::{Dom, Tag};
use crate::index::{NodeId, NodeMap};
use crate::page::Page;

/// The element that a piece of text stands in; its attribute `b` is the number of the block, from 1.
const PIECE: &str = "duramen-t";

/// The HTML of a page whose shown texts stand each in an element `<duramen-t b=BLOCK>`.
///
/// Scripts, frames, plug-ins, links to styles and all attributes that run or load something are left out. What could still do so (an
/// import in a style) the answer's `Content-Security-Policy` and the frame's sandbox forbid; this is no filter to rely on alone.
pub fn shown_html(page: &Page) -> String {
    let dom = page.dom();
    let mut block_of: NodeMap<Option<usize>> = NodeMap::filled(dom.len(), None);
    for (block, number) in page.blocks().leaves().zip(1..) {
        page.blocks().texts_of(block).iter().for_each(|&id| block_of[id] = Some(number));
    }
    let mut html = "<!DOCTYPE html>".to_owned();
    let start = |html: &mut String, id: NodeId| {
        let is_shown = !is_left_out(dom, id);
        if is_shown {
            start(dom, html, id);
        }
        is_shown
    };
    dom.write_html(NodeId::ROOT, &mut html, start, |html, id| text(dom, html, id, block_of[id]));
    html
}

fn text(dom: &Dom, html: &mut String, id: NodeId, block: Option<usize>) {
    let parent = dom.parent(id);
    if parent.is_some_and(|parent| dom.tag(parent) == Tag::STYLE) {
        // As it stands: a style has no references, and no `</style`, since the parser would have ended it there.
        html.push_str(dom.text(id));
        return;
    }
    match block {
        None => escape_into(html, dom.text(id)),
        Some(number) => {
            html.push_str(&format!("<{PIECE} b={number}>"));
            escape_into(html, dom.text(id));
            html.push_str(&format!("</{PIECE}>"));
        }
    }
}

/// Elements that run, load or send something, or take the page elsewhere.
fn is_left_out(dom: &Dom, id: NodeId) -> bool {
    const NAMES: [&str; 14] = [
        "script",
        "link",
        "base",
        "meta",
        "iframe",
        "frame",
        "frameset",
        "object",
        "embed",
        "applet",
        "portal",
        "template",
        "foreignobject",
        "use",
    ];
    let name = dom.name(id).to_ascii_lowercase();
    // The style of a drawing may hold references, which would be markup when written as it stands.
    NAMES.contains(&name.as_str()) || name == "style" && dom.tag(id) != Tag::STYLE
}

fn start(dom: &Dom, html: &mut String, id: NodeId) {
    html.push('<');
    html.push_str(dom.name(id));
    for (name, value) in dom.attributes(id).filter(|(name, value)| is_kept(name, value)) {
        html.push(' ');
        html.push_str(name);
        html.push_str("=\"");
        escape_into(html, value);
        html.push('"');
    }
    // Styles of links need an address.
    if dom.tag(id) == Tag::A && dom.attribute(id, "href").is_some() {
        html.push_str(" href=\"#\"");
    }
    html.push('>');
}

/// What only says how the page looks and what it is.
fn is_kept(name: &str, value: &str) -> bool {
    const NAMES: [&str; 30] = [
        "id",
        "class",
        "style",
        "alt",
        "title",
        "lang",
        "dir",
        "width",
        "height",
        "align",
        "valign",
        "bgcolor",
        "color",
        "size",
        "face",
        "border",
        "cellpadding",
        "cellspacing",
        "colspan",
        "rowspan",
        "hidden",
        "open",
        "type",
        "value",
        "placeholder",
        "start",
        "span",
        "viewbox",
        "d",
        "fill",
    ];
    let name = name.to_ascii_lowercase();
    let is_name = name.starts_with("data-") || name.starts_with("aria-") || NAMES.contains(&name.as_str());
    // A name of the page's own may hold what ends a tag.
    let is_safe = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_safe
        && (is_name || name == "src" && value.trim_start().to_ascii_lowercase().starts_with("data:image/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> String {
        shown_html(&Page::parse("p", None, html.as_bytes(), Some("utf-8"), &Default::default()).unwrap())
    }

    #[test]
    fn each_text_has_the_number_of_its_block() {
        let html = shown("<style>p > b { color: red }</style><p class=a>one <b>two</b><p>three &lt;");
        assert_eq!(
            html,
            "<!DOCTYPE html><html><head><style>p > b { color: red }</style></head><body><p class=\"a\">\
             <duramen-t b=1>one </duramen-t><b><duramen-t b=1>two</duramen-t></b></p>\
             <p><duramen-t b=2>three &lt;</duramen-t></p></body></html>"
        );
    }

    #[test]
    fn nothing_that_runs_or_loads_is_left() {
        let html = shown(
            "<base href=//evil.example><meta http-equiv=refresh content='0;url=//evil.example'><link rel=stylesheet href=//evil.example/a.css>
            <script>evil()</script><body onload=evil() background=//evil.example/b.png><p onclick=evil() style='color: red'>one
            <a href=javascript:evil() ping=//evil.example target=_top>two</a><img src=//evil.example/a.png onerror=evil() srcset=//evil.example/b.png>
            <img src='data:image/png;base64,AAAA'><iframe src=//evil.example srcdoc='<script>evil()</script>'></iframe>
            <object data=//evil.example></object><embed src=//evil.example><form action=//evil.example><button formaction=//evil.example>three</button></form>
            <svg><a xlink:href=javascript:evil()><text>four</text></a><use href=//evil.example#a /><style>&lt;/style>&lt;script>evil()&lt;/script></style></svg>
            <video poster=//evil.example src=//evil.example/v></video>",
        );
        assert!(!html.contains("evil"), "{html}");
        for kept in
            ["one", "two", "three", "four", "style=\"color: red\"", "data:image/png", "<a href=\"#\">"]
        {
            assert!(html.contains(kept), "{kept}: {html}");
        }
    }
}
