//! What images, drawings and form controls measure, which Blitz does not know without their content.

use std::fmt::Write;

use blitz_dom::{BaseDocument, NodeId, RestyleHint};
use style::properties::ComputedValues;
use style::values::computed::Display;
use style::values::specified::box_::{DisplayInside, DisplayOutside};

use crate::css::{self, attribute};
use crate::fonts::text_width;
use crate::inlined;
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

/// How wide and high a drawing is that no style gives a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawings {
    /// As in Chromium: as wide as what is around it. What a layout has.
    Filling,
    /// No wider and higher than an icon: where the sheets that size them could not be fetched, icons fill a page. What a picture has.
    Small,
}

/// Gives images and drawings the sizes that they have in Chromium if nothing can be fetched, by their computed styles.
pub(crate) fn size_images(document: &mut BaseDocument, tree: &Tree, ids: &[NodeId], drawings: Drawings) {
    let is_image = |content: &Content| match content {
        Content::Element { name, .. } => matches!(name.as_str(), "img" | "svg"),
        _ => false,
    };
    if !tree.nodes.iter().any(|node| is_image(&node.content)) {
        return;
    }
    document.resolve_stylist(0.0);
    for (i, (node, &id)) in
        tree.nodes.iter().zip(ids).enumerate().filter(|(_, (node, _))| is_image(&node.content))
    {
        let Some(element) = document.get_node(id) else { continue };
        let fitted = fitted_width(document, tree, ids, i);
        let style_of = |styles: &ComputedValues| match drawings {
            Drawings::Small => {
                icon(&node.content, styles).or_else(|| size(&node.content, styles, tree.quirks, fitted))
            }
            Drawings::Filling => size(&node.content, styles, tree.quirks, fitted),
        };
        let Some(style) = element.primary_styles().and_then(|styles| style_of(&styles)) else {
            continue;
        };
        let own = attribute(&node.content, "style").unwrap_or("");
        css::set_style(document, id, tree.quirks, &format!("{own};{style}"));
        if let Some(node) = document.get_node_mut(id) {
            node.set_restyle_hint(RestyleHint::RESTYLE_STYLE_ATTRIBUTE);
        }
    }
}

/// The width of the text in the box around a drawing that is as wide as what is in it, if it stands in such a box: a
/// drawing with a ratio alone fills that width.
fn fitted_width(document: &BaseDocument, tree: &Tree, ids: &[NodeId], index: usize) -> Option<f32> {
    if !matches!(&tree.nodes[index].content, Content::Element { name, .. } if name == "svg") {
        return None;
    }
    let mut current = tree.nodes[index].parent as usize;
    for _ in 0..8 {
        let styles = document.get_node(ids[current])?.primary_styles()?.clone();
        let display = styles.clone_display();
        let is_button =
            matches!(&tree.nodes[current].content, Content::Element { name, .. } if name == "button");
        let shrinks = is_button
            || (display.outside() == DisplayOutside::Inline && display.inside() != DisplayInside::Flow)
            || styles.clone_float().is_floating()
            || styles.clone_position().is_absolutely_positioned();
        if shrinks && computed(&styles, "width")? == "auto" {
            let size: f32 = computed(&styles, "font-size")?.strip_suffix("px")?.parse().ok()?;
            return Some(size * inner_text_width(tree, current));
        }
        if shrinks || display == Display::Block || current == 0 {
            return None;
        }
        current = tree.nodes[current].parent as usize;
    }
    None
}

/// The width in em of the text in an element, as far as it is short.
fn inner_text_width(tree: &Tree, index: usize) -> f32 {
    let mut width = 0.0;
    for node in tree.nodes.iter().skip(index + 1).take(32).take_while(|node| node.parent as usize >= index) {
        if let Content::Text(text) = &node.content
            && text.len() < 200
        {
            width += text_width(text.trim(), true);
        }
    }
    width
}

/// The declarations that make a drawing without a size as large as an icon, which is a letter high, or 24 pixels.
fn icon(content: &Content, styles: &ComputedValues) -> Option<String> {
    let is_drawing = matches!(content, Content::Element { name, .. } if name == "svg");
    let is_auto = |name| computed(styles, name).is_some_and(|value| value == "auto");
    (is_drawing && is_auto("width") && is_auto("height"))
        .then(|| "width:max(1em,24px)!important;height:max(1em,24px)!important;".to_owned())
}

/// The declarations that size an image or a drawing; none if its style does.
fn size(content: &Content, styles: &ComputedValues, quirks: Quirks, fitted: Option<f32>) -> Option<String> {
    let Content::Element { name, .. } = content else { return None };
    let (width, height) = (computed(styles, "width")?, computed(styles, "height")?);
    let (no_width, no_height) = (width == "auto", height == "auto");
    if name == "svg" {
        let ratio = view_box(content);
        if let (Some((w, h)), Some(fitted), true) = (ratio, fitted, no_width && no_height) {
            return Some(format!("width:{fitted}px!important;aspect-ratio:{w}/{h};"));
        }
        let sizes = match ratio {
            Some(_) if no_width && no_height => "width:0!important;min-width:100%!important;",
            Some(_) => "",
            None if no_width && no_height => "width:300px!important;height:150px!important;",
            None if no_width => "width:300px!important;",
            None if no_height => "height:150px!important;",
            None => "",
        };
        return Some(ratio.map_or(sizes.to_owned(), |(w, h)| format!("{sizes}aspect-ratio:{w}/{h};")));
    }
    image_size(content, styles, quirks, width, height)
}

/// As Chromium treats an image that is broken, or whose address holds it.
fn image_size(
    content: &Content,
    styles: &ComputedValues,
    quirks: Quirks,
    width: String,
    height: String,
) -> Option<String> {
    let (no_width, no_height) = (width == "auto", height == "auto");
    let source = attribute(content, "src").unwrap_or("").trim();
    if let Some((own_width, own_height)) = inlined::size(source) {
        let sizes =
            if no_width && no_height { format!("width:{own_width}px!important;") } else { String::new() };
        return Some(format!("{sizes}aspect-ratio:{own_width}/{own_height};"));
    }
    let attributes = (attribute(content, "width"), attribute(content, "height"));
    let both = !no_width && (!no_height || matches!(attributes, (Some(_), Some(_))));
    let alternative = attribute(content, "alt").map(str::trim);
    // With a text in its place an image is that text, unless a page in quirks mode says how large it is.
    let is_text = alternative.is_some_and(|text| !text.is_empty());
    if is_text && !(quirks == Quirks::Full && !(no_width && no_height)) {
        let size: f32 = computed(styles, "font-size")?.strip_suffix("px")?.parse().ok()?;
        let width = 16.0 + size * text_width(alternative?, false);
        let (height, baseline) = ((size * 1.149).round().max(16.0), (size * 0.216).round());
        let width = if is_block(styles) { "100%".to_owned() } else { format!("{width}px") };
        return Some(format!(
            "width:{width}!important;height:{height}px!important;vertical-align:-{baseline}px;"
        ));
    }
    if both {
        let ratio = attributes.0.zip(attributes.1).filter(|_| no_height)?;
        let number =
            |value: &str| value.trim().trim_end_matches("px").parse::<f32>().ok().filter(|&x| x > 0.0);
        return match (quirks, number(ratio.0), number(ratio.1)) {
            (Quirks::Full, ..) => Some("aspect-ratio:1/1;".to_owned()),
            (_, Some(width), Some(height)) => Some(format!("aspect-ratio:{width}/{height};")),
            _ => None,
        };
    }
    if source.is_empty() && alternative.is_none() {
        return None;
    }
    if quirks == Quirks::Full && !(no_width && no_height) {
        // The broken image is as high as it is wide.
        let (missing, value) = if no_height { ("height", width) } else { ("width", height) };
        return value.ends_with("px").then(|| format!("{missing}:{value}!important;"));
    }
    match alternative {
        None if is_block(styles) => Some("width:100%!important;height:16px!important;".to_owned()),
        None => Some("width:16px!important;height:16px!important;".to_owned()),
        Some(_) => Some("width:0!important;height:0!important;".to_owned()),
    }
}

fn is_block(styles: &ComputedValues) -> bool {
    styles.clone_display() == Display::Block && !styles.clone_float().is_floating()
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
