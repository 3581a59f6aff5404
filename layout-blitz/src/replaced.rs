//! What images, drawings and form controls measure, which Blitz does not know without their content.

use std::fmt::Write;

use blitz_dom::{BaseDocument, NodeId, RestyleHint};
use style::properties::ComputedValues;

use crate::css::{self, attribute};
use crate::fonts::text_width;
use crate::styles::computed;
use crate::tree::{Content, Quirks, Tree};

/// Adds the declarations for a control of a form: its size by its attributes and its text.
pub(crate) fn control(css: &mut String, tree: &Tree, index: usize, options: f32) {
    let content = &tree.nodes[index].content;
    let Content::Element { name, html: true, .. } = content else { return };
    let number = |name: &str| attribute(content, name).and_then(|value| value.trim().parse::<u16>().ok());
    let number = |name: &str, default: u16| number(name).filter(|&n| n > 0).unwrap_or(default);
    // Borders and padding, which count in quirks mode.
    let (wide, high) = if tree.quirks == Quirks::Full { (8, 6) } else { (0, 0) };
    let (width, height) = match name.as_str() {
        "select" => {
            let rows = number("size", if attribute(content, "multiple").is_some() { 4 } else { 1 });
            let (frame, height) = if rows > 1 { (6, 17 * u32::from(rows) + 2) } else { (23, 19) };
            (format!("calc({options}em + {frame}px)"), format!("{height}px"))
        }
        "textarea" => {
            let (columns, rows) = (f32::from(number("cols", 20)), f32::from(number("rows", 2)));
            let (wide, high) = (wide.min(6), high);
            (
                format!("calc({}em + {}px)", columns * 0.602, 15 + wide),
                format!("calc({}em + {high}px)", rows * 1.125),
            )
        }
        "input" => match attribute(content, "type").unwrap_or("").to_ascii_lowercase().as_str() {
            "hidden" | "image" | "checkbox" | "radio" => return,
            kind @ ("submit" | "reset" | "button") => {
                let default = match kind {
                    "submit" => "Submit",
                    "reset" => "Reset",
                    _ => "",
                };
                let text = attribute(content, "value").unwrap_or(default);
                (format!("calc({}em + 16px)", text_width(text, true)), "calc(1.125em + 6px)".to_owned())
            }
            "range" => ("129px".to_owned(), "16px".to_owned()),
            "color" => ("44px".to_owned(), "23px".to_owned()),
            "file" => (format!("{}px", 253 + wide), "1.575em".to_owned()),
            _ => {
                let size = f32::from(number("size", 20));
                (format!("calc({}em + {wide}px)", size * 0.6 + 0.675), format!("calc(1.125em + {high}px)"))
            }
        },
        _ => return,
    };
    let _ = write!(css, "width:{width};height:{height};");
}

/// Gives images and drawings the sizes that they have in Chromium if nothing can be fetched, by their computed styles.
pub(crate) fn size_images(document: &mut BaseDocument, tree: &Tree, ids: &[NodeId]) {
    let is_image = |content: &Content| match content {
        Content::Element { name, .. } => matches!(name.as_str(), "img" | "svg"),
        _ => false,
    };
    if !tree.nodes.iter().any(|node| is_image(&node.content)) {
        return;
    }
    document.resolve_stylist(0.0);
    for (node, &id) in tree.nodes.iter().zip(ids).filter(|(node, _)| is_image(&node.content)) {
        let Some(element) = document.get_node(id) else { continue };
        let Some(style) = element.primary_styles().and_then(|styles| size(&node.content, &styles)) else {
            continue;
        };
        let own = attribute(&node.content, "style").unwrap_or("");
        css::set_style(document, id, tree.quirks, &format!("{own};{style}"));
        if let Some(node) = document.get_node_mut(id) {
            node.set_restyle_hint(RestyleHint::RESTYLE_STYLE_ATTRIBUTE);
        }
    }
}

/// The declarations that size an image or a drawing; none if its style does.
fn size(content: &Content, styles: &ComputedValues) -> Option<String> {
    let Content::Element { name, .. } = content else { return None };
    let (width, height) = (computed(styles, "width")?, computed(styles, "height")?);
    let (no_width, no_height) = (width == "auto", height == "auto");
    if name == "svg" {
        let ratio = view_box(content);
        let sizes = match ratio {
            Some(_) if no_width && no_height => "width:100%!important;",
            Some(_) => "",
            None if no_width && no_height => "width:300px!important;height:150px!important;",
            None if no_width => "width:300px!important;",
            None if no_height => "height:150px!important;",
            None => "",
        };
        return Some(ratio.map_or(sizes.to_owned(), |(w, h)| format!("{sizes}aspect-ratio:{w}/{h};")));
    }
    let has_source = attribute(content, "src").is_some_and(|source| !source.trim().is_empty());
    if !has_source || !(no_width || no_height) {
        return None;
    }
    // The broken image is as high as it is wide, if either is said.
    if !no_width || !no_height {
        let (missing, value) = if no_height { ("height", width) } else { ("width", height) };
        return value.ends_with("px").then(|| format!("{missing}:{value}!important;"));
    }
    let Some(alternative) = attribute(content, "alt").map(str::trim) else {
        return Some("width:16px!important;height:16px!important;".to_owned());
    };
    if alternative.is_empty() {
        return None;
    }
    let size: f32 = computed(styles, "font-size")?.strip_suffix("px")?.parse().ok()?;
    let width = 16.0 + size * text_width(alternative, false);
    let height = (size * 1.149).round();
    Some(format!(
        "width:{width}px!important;height:{height}px!important;vertical-align:{}px;",
        -(size * 0.216).round()
    ))
}

/// Width and height of the coordinates of a drawing.
fn view_box(content: &Content) -> Option<(f32, f32)> {
    let Content::Element { attributes, .. } = content else { return None };
    let (_, value) = attributes.iter().find(|(name, _)| name.eq_ignore_ascii_case("viewbox"))?;
    let mut numbers =
        value.split([' ', ',']).filter(|part| !part.is_empty()).map(|part| part.parse::<f32>().ok());
    let (width, height) = (numbers.nth(2)??, numbers.next()??);
    (width > 0.0 && height > 0.0).then_some((width, height))
}
