//! Declarations for the presentational attributes of old HTML that Blitz does not know (HTML standard, section 15.3).

use std::collections::HashMap;
use std::fmt::Write;

use crate::css::attribute;
use crate::fonts::text_width;
use crate::replaced;
use crate::tree::{Content, Tree};

/// The attribute by which a rule of the hints finds its elements.
pub(crate) const MARK: &str = "duramen-hint";

/// The most distinct sets of declarations; more come from a page that was made to be slow.
const MAX_HINTS: usize = 1000;

/// The number of the set of declarations of each node, and a sheet with a rule for each set.
pub(crate) struct Hints {
    pub(crate) number_of: HashMap<usize, usize>,
    pub(crate) sheet: String,
}

/// The hints of a page.
pub(crate) fn hints(tree: &Tree) -> Hints {
    let mut hints = Hints { number_of: HashMap::new(), sheet: String::new() };
    let mut numbers: HashMap<String, usize> = HashMap::new();
    // The nearest table around each node, whose attributes its cells take.
    let mut tables: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    let options = option_widths(tree);
    for (i, node) in tree.nodes.iter().enumerate() {
        let is_table = matches!(&node.content, Content::Element { name, html: true, .. } if name == "table");
        tables.push(if is_table || i == 0 { i } else { tables[node.parent as usize] });
        let table = &tree.nodes[tables[node.parent as usize]].content;
        let mut css = declarations(&node.content, table);
        replaced::control(&mut css, tree, i, options.get(&i).copied().unwrap_or(0.0));
        if css.is_empty() || (numbers.len() >= MAX_HINTS && !numbers.contains_key(&css)) {
            continue;
        }
        let count = numbers.len();
        let number = *numbers.entry(css).or_insert_with_key(|css| {
            let _ = write!(hints.sheet, "[{MARK}=\"{count}\"]{{{css}}}");
            count
        });
        hints.number_of.insert(i, number);
        if let Some(link) = link_color(&node.content) {
            hints.sheet.push_str(&link);
        }
    }
    hints
}

/// The width in em of the widest option of each `<select>`.
fn option_widths(tree: &Tree) -> HashMap<usize, f32> {
    let name = |i: u32| match &tree.nodes[i as usize].content {
        Content::Element { name, .. } => name.as_str(),
        _ => "",
    };
    let mut widths: HashMap<usize, f32> = HashMap::new();
    for node in &tree.nodes {
        let Content::Text(text) = &node.content else { continue };
        if name(node.parent) != "option" {
            continue;
        }
        let group = tree.nodes[node.parent as usize].parent;
        let select = if name(group) == "optgroup" { tree.nodes[group as usize].parent } else { group };
        let width = widths.entry(select as usize).or_default();
        *width = width.max(text_width(text.trim(), true));
    }
    widths
}

/// The declarations of an element's attributes, and those of the table around it if it is a cell.
fn declarations(content: &Content, table: &Content) -> String {
    let mut css = String::new();
    let Content::Element { name, html: true, attributes } = content else { return css };
    let name = name.as_str();
    for (attribute, value) in attributes {
        hint(&mut css, name, attribute, value.trim());
    }
    if matches!(name, "td" | "th") {
        if let Some(padding) = attribute(table, "cellpadding").and_then(number) {
            let _ = write!(css, "padding:{padding}px;");
        }
        if attribute(table, "border").is_some_and(|border| number(border) != Some(0.0)) {
            css.push_str("border-width:1px;border-style:inset;");
            if let Some(value) = attribute(table, "bordercolor") {
                css.push_str("border-style:solid;");
                color(&mut css, "border-color", value);
            }
        }
    }
    css
}

/// Adds the declarations of one attribute.
fn hint(css: &mut String, name: &str, attribute: &str, value: &str) {
    match (attribute, name) {
        ("bgcolor", "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" | "marquee") => {
            color(css, "background-color", value);
        }
        ("text", "body") => color(css, "color", value),
        ("color", "font") => color(css, "color", value),
        ("face", "font") if !value.contains(['{', '}', ';', '\\', '"', '\'']) => {
            let _ = write!(css, "font-family:{value};");
        }
        ("size", "font") => {
            if let Some(size) = font_size(value) {
                let _ = write!(css, "font-size:{size};");
            }
        }
        ("align", _) => align(css, name, &value.to_ascii_lowercase()),
        ("valign", "td" | "th" | "tr" | "thead" | "tbody" | "tfoot" | "col" | "colgroup") => {
            let value = value.to_ascii_lowercase();
            if matches!(value.as_str(), "top" | "middle" | "bottom" | "baseline") {
                let _ = write!(css, "vertical-align:{value};");
            }
        }
        ("cellspacing", "table") => {
            if let Some(spacing) = number(value) {
                let _ = write!(css, "border-spacing:{spacing}px;");
            }
        }
        ("border", "table") => {
            let width = if value.is_empty() { 1.0 } else { number(value).unwrap_or(1.0) };
            let _ = write!(css, "border-width:{width}px;");
            css.push_str(if width > 0.0 { "border-style:outset;" } else { "border-style:none;" });
        }
        ("bordercolor", "table") => {
            css.push_str("border-style:solid;");
            color(css, "border-color", value);
        }
        ("frameborder", "iframe") if matches!(value, "0" | "no") => css.push_str("border-width:0;"),
        ("color", "hr") => {
            css.push_str("border-style:solid;");
            color(css, "border-color", value);
            color(css, "background-color", value);
        }
        ("noshade", "hr") => css.push_str("border-style:solid;border-color:gray;background-color:gray;"),
        ("size", "hr") => match number(value) {
            Some(size) if size <= 1.0 => css.push_str("border-bottom-width:0;"),
            Some(size) => {
                let _ = write!(css, "height:{}px;", size - 2.0);
            }
            None => (),
        },
        _ => (),
    }
}

fn align(css: &mut String, name: &str, value: &str) {
    match (name, value) {
        ("table", "left" | "right") | ("img" | "iframe" | "object" | "embed" | "input", "left" | "right") => {
            let _ = write!(css, "float:{value};");
        }
        ("table", "center") => css.push_str("margin-left:auto;margin-right:auto;"),
        ("table", _) => (),
        ("img" | "iframe" | "object" | "embed" | "input", _) => {
            let place = match value {
                "top" => "top",
                "texttop" => "text-top",
                "middle" | "absmiddle" | "abscenter" => "middle",
                "bottom" | "baseline" => "baseline",
                "absbottom" => "bottom",
                _ => return,
            };
            let _ = write!(css, "vertical-align:{place};");
        }
        ("hr", "left") => css.push_str("margin-left:0;margin-right:auto;"),
        ("hr", "right") => css.push_str("margin-left:auto;margin-right:0;"),
        ("hr", _) => css.push_str("margin-left:auto;margin-right:auto;"),
        ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", "left" | "right" | "center" | "justify") => {
            let _ = write!(css, "text-align:{value};");
        }
        ("td" | "th" | "tr" | "thead" | "tbody" | "tfoot" | "col" | "colgroup", "middle") => {
            css.push_str("text-align:center;");
        }
        (_, "left") => css.push_str("text-align:-moz-left;"),
        (_, "right") => css.push_str("text-align:-moz-right;"),
        (_, "center" | "middle") => css.push_str("text-align:-moz-center;"),
        (_, "justify") => css.push_str("text-align:justify;"),
        _ => (),
    }
}

/// The rule for the color of links that `<body link>` sets.
fn link_color(content: &Content) -> Option<String> {
    let Content::Element { name, html: true, .. } = content else { return None };
    let value = attribute(content, "link").filter(|_| name == "body")?;
    let mut css = "a[href]{".to_owned();
    color(&mut css, "color", value);
    css.push('}');
    Some(css)
}

/// A color by the rules for parsing a legacy color value (HTML standard, section 2.3.6): as a name if it is one, which
/// the later of two declarations says, otherwise as hexadecimal digits, whatever it is.
fn color(css: &mut String, property: &str, value: &str) {
    let value = value.trim();
    if value.is_empty() || value.eq_ignore_ascii_case("transparent") {
        return;
    }
    let [r, g, b] = legacy_color(value);
    let _ = write!(css, "{property}:rgb({r},{g},{b});");
    let keyword = ["inherit", "initial", "unset", "revert", "currentcolor"]
        .iter()
        .any(|k| value.eq_ignore_ascii_case(k));
    if value.bytes().all(|b| b.is_ascii_alphabetic()) && !keyword {
        let _ = write!(css, "{property}:{value};");
    }
}

fn legacy_color(value: &str) -> [u8; 3] {
    let digits = value.strip_prefix('#');
    if let Some(short) = digits.filter(|d| d.len() == 3 && d.bytes().all(|b| b.is_ascii_hexdigit())) {
        let nibble = |i: usize| (short.as_bytes()[i] as char).to_digit(16).unwrap_or(0) as u8 * 17;
        return [nibble(0), nibble(1), nibble(2)];
    }
    // Characters outside the basic plane count twice.
    let plain = value.chars().flat_map(|c| std::iter::repeat_n(c, c.len_utf16())).take(128);
    let plain = plain.skip(usize::from(value.starts_with('#')));
    let mut hex: Vec<u8> = plain.map(|c| c.to_digit(16).unwrap_or(0) as u8).collect();
    while hex.is_empty() || !hex.len().is_multiple_of(3) {
        hex.push(0);
    }
    let length = hex.len() / 3;
    let mut parts: Vec<&[u8]> = hex.chunks(length).map(|part| &part[length.saturating_sub(8)..]).collect();
    while parts[0].len() > 2 && parts.iter().all(|part| part[0] == 0) {
        parts.iter_mut().for_each(|part| *part = &part[1..]);
    }
    let value = |part: &[u8]| part.iter().take(2).fold(0, |value, digit| value * 16 + digit);
    [value(parts[0]), value(parts[1]), value(parts[2])]
}

/// The font size of `<font size>` (HTML standard, rules for parsing a legacy font size).
fn font_size(value: &str) -> Option<&'static str> {
    let (sign, digits) = match value.as_bytes().first()? {
        b'+' => (1, &value[1..]),
        b'-' => (-1, &value[1..]),
        _ => (0, value),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let size: i32 = digits[..end.min(4)].parse().ok()?;
    let size = if sign == 0 { size } else { 3 + sign * size };
    let sizes = ["x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"];
    Some(sizes[size.clamp(1, 7) as usize - 1])
}

/// The number of pixels that an attribute begins with.
fn number(value: &str) -> Option<f32> {
    let value = value.trim();
    let end = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(value.len());
    value[..end].parse().ok().filter(|number: &f32| (0.0..1e6).contains(number))
}
