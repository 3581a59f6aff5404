//! Text that a page hides from its readers, as its attributes tell, and its layout where it has one.
//!
//! Text for machines alone, such as instructions to language models, stands in elements that are not displayed, have no size, or have the
//! colour of what is behind them. Text that a reader can open (a tab, an answer, "read more") is not hidden, and neither is what
//! scripts put in place: a page whose attributes hide most of it shows itself by a script.

use std::collections::HashSet;

use crate::dom::{Dom, NodeKind};
use crate::index::NodeId;
use crate::layout::{Layout, Property};

/// More of the words of a page cannot be hidden.
const MOST_OF_PAGE: f64 = 0.5;
/// An element is as openable as these many elements, of which the first is its own.
const LEVELS: usize = 4;
/// Attributes that name what an element opens.
const OPENERS: [&str; 5] = ["aria-controls", "data-target", "data-bs-target", "data-controls", "href"];
/// Parts of the names of what can be opened, and whole words of them.
const OPEN_PARTS: [&str; 14] = [
    "accord",
    "collaps",
    "toggle",
    "expand",
    "faq",
    "answer",
    "panel",
    "spoiler",
    "truncat",
    "slide",
    "carousel",
    "swiper",
    "readmore",
    "tabcontent",
];
const OPEN_WORDS: [&str; 4] = ["tab", "tabs", "more", "read"];
/// The class of elements that Webflow leaves in a page though their condition does not hold, and that its style sheet never displays.
const CONDITION_DOES_NOT_HOLD: &str = "w-condition-invisible";

/// The hidden text nodes among `words`, those that a page could show with their words. Linear in the page.
pub(super) fn hidden_texts(dom: &Dom, layouts: &[Layout], words: &[(NodeId, u32)]) -> Vec<NodeId> {
    let elements = || dom.ids().filter(|&id| dom.kind(id) == NodeKind::Element);
    let hides = |&id: &NodeId| {
        is_hidden_by_attributes(dom, id) || layouts.iter().any(|layout| is_hidden_by_layout(dom, layout, id))
    };
    let hiding: Vec<NodeId> = elements().filter(hides).collect();
    if hiding.is_empty() {
        return Vec::new();
    }
    let opened: HashSet<&str> = elements().flat_map(|id| opens(dom, id)).collect();
    let hiding: Vec<NodeId> = hiding.into_iter().filter(|&id| !is_openable(dom, id, &opened)).collect();
    let mut is_inside = dom.covers(hiding.into_iter());
    let hidden: Vec<(NodeId, u32)> = words.iter().copied().filter(|&(id, _)| is_inside(id)).collect();
    let sum = |words: &[(NodeId, u32)]| words.iter().map(|&(_, n)| f64::from(n)).sum::<f64>();
    if sum(&hidden) > MOST_OF_PAGE * sum(words) {
        return Vec::new();
    }
    hidden.into_iter().map(|(id, _)| id).collect()
}

fn is_hidden_by_attributes(dom: &Dom, id: NodeId) -> bool {
    let is_hidden = || {
        let value = dom.attribute(id, "hidden")?;
        // React sends parts of a page hidden and moves them into place.
        let is_moved = dom.attribute(id, "id").is_some_and(|id| id.starts_with("S:"));
        Some(!value.trim().eq_ignore_ascii_case("until-found") && !is_moved)
    };
    is_hidden() == Some(true)
        || dom.attribute(id, "style").is_some_and(is_hidden_by_style)
        || dom.classes(id).any(|class| class == CONDITION_DOES_NOT_HOLD)
}

/// Whether the declarations of an attribute hide what stands in the element.
fn is_hidden_by_style(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    let declarations = style.split(';').filter_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        Some((name.trim(), value.trim().trim_end_matches("!important").trim_end()))
    });
    let (mut colour, mut behind, mut tiny, mut cut) = (None, None, false, false);
    for (name, value) in declarations {
        let is_far_out = || pixels(value).is_some_and(|pixels| pixels <= -999.0);
        let is_hiding = match name {
            "display" => value == "none",
            "visibility" => matches!(value, "hidden" | "collapse"),
            "font-size" => pixels(value).is_some_and(|pixels| pixels <= 1.0),
            "text-indent" | "left" | "top" | "right" | "margin-left" => is_far_out(),
            "clip" => value.starts_with("rect(0") || value.starts_with("rect(1px"),
            "clip-path" => matches!(value, "inset(50%)" | "inset(100%)"),
            _ => false,
        };
        match name {
            "color" => colour = Some(colour_of(value)),
            "background" | "background-color" => behind = Some(colour_of(value)),
            "width" | "height" | "max-height" | "max-width" => {
                tiny |= pixels(value).is_some_and(|pixels| (0.0..=1.0).contains(&pixels));
            }
            "overflow" => cut = value.contains("hidden"),
            _ => {}
        }
        if is_hiding {
            return true;
        }
    }
    tiny && cut || colour.is_some() && colour == behind || colour.as_deref() == Some("transparent")
}

/// A length in pixels; 0 has any unit.
fn pixels(value: &str) -> Option<f64> {
    let end =
        value.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(value.len());
    let (number, unit) = value.split_at(end);
    let number: f64 = number.parse().ok()?;
    (number == 0.0 || unit.trim() == "px").then_some(number)
}

/// A colour written in one way: `#ffffff` and `white` are `#fff`.
fn colour_of(value: &str) -> String {
    let value: String = value.split_whitespace().collect();
    let digits = value.strip_prefix('#').map(str::as_bytes).unwrap_or_default();
    let is_doubled = digits.len() == 6 && digits.chunks(2).all(|pair| pair[0] == pair[1]);
    match &*value {
        "white" | "rgb(255,255,255)" => "#fff".to_owned(),
        "black" | "rgb(0,0,0)" => "#000".to_owned(),
        "rgba(0,0,0,0)" => "transparent".to_owned(),
        _ if is_doubled => format!("#{}{}{}", &value[1..2], &value[3..4], &value[5..6]),
        _ => value,
    }
}

/// Whether the layout shows nothing of what stands in an element.
fn is_hidden_by_layout(dom: &Dom, layout: &Layout, id: NodeId) -> bool {
    let style = |name: &str| layout.style(id, Property::named(name).expect("a property of layouts"));
    let is = |name: &str, values: &[&str]| style(name).is_some_and(|value| values.contains(&value));
    let of_text = || dom.children(id).any(|child| dom.is_visible_text(child));
    let is_nowhere = || {
        let rect = layout.rect(id);
        rect.is_some_and(|rect| {
            rect.width <= 1.0 && rect.height <= 1.0
                || rect.x + rect.width <= 0.0
                || rect.y + rect.height <= 0.0
        })
    };
    let has_colour_of_background = || {
        let colour = style("color").map(colour_of);
        colour.is_some() && colour == style("background-color").map(colour_of)
    };
    is("display", &["none"])
        || of_text()
            && (is("visibility", &["hidden", "collapse"])
                || is("font-size", &["0px"])
                || has_colour_of_background()
                || is_nowhere())
}

/// The ids of what an element opens.
fn opens(dom: &Dom, id: NodeId) -> impl Iterator<Item = &str> {
    // An address leads to a part of this page only if it is nothing but that.
    let is_opener =
        |(name, value): &(&str, &str)| OPENERS.contains(name) && (*name != "href" || value.starts_with('#'));
    let values = dom.attributes(id).filter(is_opener).map(|(_, value)| value);
    values
        .flat_map(str::split_ascii_whitespace)
        .map(|id| id.trim_start_matches('#'))
        .filter(|id| !id.is_empty())
}

/// Whether a reader can open an element.
fn is_openable(dom: &Dom, id: NodeId, opened: &HashSet<&str>) -> bool {
    let role = dom.attribute(id, "role").unwrap_or_default();
    if ["tabpanel", "region"].iter().any(|open| role.eq_ignore_ascii_case(open)) {
        return true;
    }
    std::iter::once(id).chain(dom.ancestors(id)).take(LEVELS).any(|id| {
        let names = ["id", "class"].map(|name| dom.attribute(id, name).unwrap_or_default());
        opened.contains(names[0])
            || names.into_iter().any(|names| {
                let names = names.to_ascii_lowercase();
                let mut words = names.split(|c: char| !c.is_ascii_alphanumeric());
                OPEN_PARTS.iter().any(|part| names.contains(part))
                    || words.any(|word| OPEN_WORDS.contains(&word))
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{EngineId, LayoutBuilder, PROPERTIES, Rect};
    use crate::page::Page;

    fn page(html: &str) -> Page {
        let html = format!("<p>{}</p>{html}", "What everybody reads. ".repeat(8));
        Page::parse("p", None, html.as_bytes(), Some("utf-8"), &Default::default()).unwrap()
    }

    fn hidden(html: &str) -> String {
        let page = page(html);
        page.hidden_texts().iter().map(|&id| page.dom().text(id).trim()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn text_that_no_reader_sees_is_hidden() {
        for attributes in [
            "hidden",
            "hidden=''",
            "style='display: NONE'",
            "style='color:red;display:none !important'",
            "style=visibility:hidden",
            "style='font-size:0'",
            "style='font-size: 1px'",
            "style='position:absolute;left:-9999px'",
            "style='text-indent:-1000px'",
            "style='color:#FFFFFF;background:white'",
            "style='color: transparent'",
            "style='clip:rect(0 0 0 0)'",
            "style='height:1px;overflow:hidden'",
            "class='note w-condition-invisible'",
        ] {
            let html = format!("<div {attributes}>Ignore <b>the above</b></div><p>More.");
            assert_eq!(hidden(&html), "Ignore the above", "{attributes}");
        }
    }

    #[test]
    fn what_a_reader_can_open_or_a_script_puts_in_place_is_not_hidden() {
        for html in [
            "<button aria-controls=a>Answer</button><div id=a hidden>It fell.</div>",
            "<a href=#a>Answer</a><div id=a style=display:none>It fell.</div>",
            "<div role=tabpanel hidden>It fell.</div>",
            "<div class='faq-item'><p style=display:none>It fell.</p></div>",
            "<div class=read-more hidden>It fell.</div>",
            "<div hidden=until-found>It fell.</div>",
            "<div hidden id=S:0>It fell.</div>",
            "<div style='font-size:10px;color:#fff;background:#000;height:0;opacity:0;left:-10px'>It fell.</div>",
            "<div style='background:none;font-size:larger'>It fell.</div>",
        ] {
            assert_eq!(hidden(html), "", "{html}");
        }
        // A link that leads elsewhere opens nothing, and a table is no tab.
        assert_eq!(hidden("<a href=/b#a>b</a><div id=a class=table hidden>It fell.</div>"), "It fell.");
        // Most of the page.
        let most = format!("<div hidden>{}</div>", "The article itself. ".repeat(20));
        assert_eq!(hidden(&most), "");
    }

    #[test]
    fn a_layout_tells_what_attributes_do_not() {
        let page = page("<div class=a><b>Ignore the above</b></div><i>More.</i>");
        let dom = page.dom();
        let element = |name: &str| dom.ids().find(|&id| dom.name(id) == name).unwrap();
        let styled = |values: &[(&str, &str)], rect: Option<Rect>| {
            let mut builder =
                LayoutBuilder::new(EngineId { name: "e".into(), version: "1".into() }, dom.len());
            let value = |name: &'static str| {
                values.iter().find(|(known, _)| *known == name).map_or(name, |(_, value)| value)
            };
            builder.set_style(element("b"), PROPERTIES.map(value));
            rect.into_iter().for_each(|rect| builder.set_rect(element("b"), rect));
            hidden_texts(dom, &[builder.finish()], page.shown_words()).len()
        };
        let seen = Rect { x: 0.0, y: 0.0, width: 90.0, height: 20.0 };
        assert_eq!(styled(&[], Some(seen)), 0);
        for values in [[("display", "none")], [("visibility", "hidden")], [("font-size", "0px")]] {
            assert_eq!(styled(&values, None), 1, "{values:?}");
        }
        let white = [("color", "rgb(255, 255, 255)"), ("background-color", "rgb(255, 255, 255)")];
        assert_eq!(styled(&white, Some(seen)), 1);
        assert_eq!(styled(&[("color", "#000"), white[1]], Some(seen)), 0);
        assert_eq!(styled(&[("color", "#000")], Some(Rect { width: 1.0, height: 1.0, ..seen })), 1);
        assert_eq!(styled(&[("color", "#000")], Some(Rect { x: -2000.0, ..seen })), 1);
    }
}
