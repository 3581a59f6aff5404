//! Computed values as `getComputedStyle` of Chromium writes them.

use std::collections::HashMap;

use blitz_dom::{BaseDocument, NodeId, RestyleHint, css_property_is_supported};
use style::properties::{ComputedValues, PropertyDeclarationId, PropertyId};
use style::servo_arc::Arc;
use style::values::computed::Color;

use crate::css;
use crate::error::RenderError;
use crate::replayed::Replayed;
use crate::tree::{Content, Tree};

/// How often hidden subtrees within hidden subtrees are styled. Deeper ones have no style.
const MAX_HIDDEN_LEVELS: usize = 16;

/// Whether the engine knows all of these properties.
pub(crate) fn check_properties(properties: &[&str]) -> Result<(), RenderError> {
    match properties.iter().find(|name| !css_property_is_supported(name)) {
        Some(name) => Err(RenderError::UnknownProperty((*name).to_owned())),
        None => Ok(()),
    }
}

/// The number of the style of each element, and the styles.
///
/// This ends the use of the document: subtrees that are not displayed, which the engine leaves without a style, are
/// displayed to see what they would have.
pub(crate) fn styles(
    replayed: &mut Replayed,
    tree: &Tree,
    properties: &[&str],
) -> (Vec<Option<u32>>, Vec<Vec<String>>) {
    let mut table = Table { properties, numbers: HashMap::new(), known: HashMap::new(), rows: Vec::new() };
    let mut style_of = vec![None; tree.nodes.len()];
    let elements =
        || (0..tree.nodes.len()).filter(|&i| matches!(tree.nodes[i].content, Content::Element { .. }));
    let mut missing: Vec<usize> = Vec::new();
    for i in elements() {
        style_of[i] = table.number(&replayed.document, replayed.ids[i]);
        if style_of[i].is_none() {
            missing.push(i);
        }
    }
    for _ in 0..MAX_HIDDEN_LEVELS {
        if missing.is_empty() {
            break;
        }
        for &i in &missing {
            let parent = tree.nodes[i].parent as usize;
            if style_of[parent].is_some() {
                display(&mut replayed.document, tree, parent, replayed.ids[parent]);
            }
        }
        replayed.document.resolve_stylist(0.0);
        let before = missing.len();
        missing.retain(|&i| {
            style_of[i] = table.number(&replayed.document, replayed.ids[i]);
            style_of[i].is_none()
        });
        if missing.len() == before {
            break;
        }
    }
    (style_of, table.rows)
}

/// Has an element displayed by a declaration of its own.
fn display(document: &mut BaseDocument, tree: &Tree, index: usize, id: NodeId) {
    let own = css::attribute(&tree.nodes[index].content, "style").unwrap_or("");
    css::set_style(document, id, tree.quirks, &format!("{own};display:block!important"));
    if let Some(node) = document.get_node_mut(id) {
        node.set_restyle_hint(RestyleHint::RESTYLE_STYLE_ATTRIBUTE);
    }
}

/// The distinct styles.
struct Table<'a> {
    properties: &'a [&'a str],
    numbers: HashMap<Vec<String>, u32>,
    /// By its address a style that is kept alive here, and its number, or its values without those that layout decides.
    known: HashMap<usize, (Arc<ComputedValues>, Known)>,
    rows: Vec<Vec<String>>,
}

enum Known {
    Number(u32),
    /// The values, with the indices of those that layout decides.
    Values(Vec<String>, Vec<usize>),
}

impl Table<'_> {
    /// The number of an element's style; none if the engine has not styled it.
    fn number(&mut self, document: &BaseDocument, id: NodeId) -> Option<u32> {
        let node = document.get_node(id)?;
        let styles: Arc<ComputedValues> = node.primary_styles()?.clone();
        let address = &*styles as *const ComputedValues as usize;
        if let Some((_, known)) = self.known.get(&address) {
            let Known::Values(values, open) = known else {
                let Known::Number(number) = known else { return None };
                return Some(*number);
            };
            let (mut row, open) = (values.clone(), open.clone());
            for index in open {
                row[index] = value(document, id, &styles, self.properties[index]);
            }
            return Some(self.intern(row));
        }
        let mut row = Vec::with_capacity(self.properties.len());
        let mut open = Vec::new();
        for (index, name) in self.properties.iter().enumerate() {
            if depends_on_layout(&styles, name) {
                open.push(index);
            }
            row.push(value(document, id, &styles, name));
        }
        let values = if open.is_empty() { None } else { Some((row.clone(), open)) };
        let number = self.intern(row);
        let known = values.map_or(Known::Number(number), |(values, open)| Known::Values(values, open));
        self.known.insert(address, (styles, known));
        Some(number)
    }

    fn intern(&mut self, row: Vec<String>) -> u32 {
        let rows = &mut self.rows;
        *self.numbers.entry(row).or_insert_with_key(|row| {
            rows.push(row.clone());
            (rows.len() - 1) as u32
        })
    }
}

/// Whether the value of a property may differ between elements of the same computed values: layout decides on it.
fn depends_on_layout(styles: &ComputedValues, name: &str) -> bool {
    if let Some(side) = name.strip_prefix("margin-").or_else(|| name.strip_prefix("padding-"))
        && matches!(side, "top" | "right" | "bottom" | "left")
    {
        return computed(styles, name).is_none_or(|value| !is_pixels(&value));
    }
    let sized = ["width", "height", "top", "right", "bottom", "left", "inset"];
    let prefixes = ["margin", "padding", "grid", "transform", "perspective", "min-", "max-", "inset"];
    sized.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// A plain length.
fn is_pixels(value: &str) -> bool {
    value.strip_suffix("px").is_some_and(|number| number.parse::<f32>().is_ok())
}

/// The computed value of a longhand property.
pub(crate) fn computed(styles: &ComputedValues, name: &str) -> Option<String> {
    let Ok(Err(PropertyDeclarationId::Longhand(id))) =
        PropertyId::parse_enabled_for_all_content(name).as_ref().map(|id| id.as_shorthand())
    else {
        return None;
    };
    Some(styles.computed_value_to_string(PropertyDeclarationId::Longhand(id)))
}

/// The value of a property of an element in Chromium's words.
fn value(document: &BaseDocument, id: NodeId, styles: &ComputedValues, name: &str) -> String {
    if name == "text-decoration" {
        return text_decoration(styles);
    }
    if depends_on_layout(styles, name) {
        return document.resolved_style_value(id, name);
    }
    let value = computed(styles, name).unwrap_or_else(|| document.resolved_style_value(id, name));
    match name {
        "text-align" => value.replace("-moz-", "-webkit-"),
        _ if name == "font-size" || name.starts_with("margin-") || name.starts_with("padding-") => {
            uncut(&value)
        }
        _ => value,
    }
}

/// The shorthand without what is initial: `underline`, `line-through 3px dotted rgb(255, 0, 0)`.
fn text_decoration(styles: &ComputedValues) -> String {
    let longhand = |name: &str| computed(styles, name).unwrap_or_default();
    let line = longhand("text-decoration-line");
    if line == "none" {
        return line;
    }
    let mut value = line;
    for (name, initial) in [("text-decoration-thickness", "auto"), ("text-decoration-style", "solid")] {
        let part = longhand(name);
        if !part.is_empty() && part != initial {
            value = format!("{value} {part}");
        }
    }
    if styles.get_text().text_decoration_color != Color::CurrentColor {
        value = format!("{value} {}", longhand("text-decoration-color"));
    }
    value
}

/// A length as it was before stylo cut the font size that it is of to whole sixty-fourths of a pixel: the plainest number
/// that is cut to it. Others stay.
fn uncut(value: &str) -> String {
    let Some(size) = value.strip_suffix("px").and_then(|number| number.parse::<f64>().ok()) else {
        return value.to_owned();
    };
    let parts = size * 64.0;
    if (parts - parts.round()).abs() > 0.01 || size.fract() == 0.0 {
        return value.to_owned();
    }
    let is_cut_to_it = |x: &f64| (x - size).abs() < 1.0 / 64.0;
    let plainest = [1.0, 10.0, 3.0, 20.0, 100.0].into_iter().map(|parts| (size * parts).round() / parts);
    let size = plainest.into_iter().find(is_cut_to_it).unwrap_or(size);
    // Six significant digits, as Chromium writes numbers.
    let whole = (size.abs().max(1.0).log10().floor() as usize + 1).min(6);
    let number = format!("{size:.*}", 6 - whole);
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { &number };
    format!("{number}px")
}
